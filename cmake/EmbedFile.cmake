# Script half of Embed.cmake: writes INPUT's bytes as a C++ array named SYMBOL into OUTPUT.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
string(REGEX REPLACE "(('..[0-9a-f][0-9a-f]',){16})" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT}
     "#include <string_view>\nnamespace rangewise::embedded {\nnamespace {\nconst char kBytes[] = {\n${bytes}'\\0'};\n}\n"
     "extern const std::string_view ${SYMBOL};\n"
     "const std::string_view ${SYMBOL}{kBytes, sizeof(kBytes) - 1};\n}\n")
