# Warnings, sanitizers: one interface target that everything of ours links.
add_library(rangewise_flags INTERFACE)
target_compile_features(rangewise_flags INTERFACE cxx_std_20)
target_compile_options(rangewise_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                                 -Wno-sign-conversion -Wno-missing-field-initializers)
target_compile_options(rangewise_flags INTERFACE -fno-math-errno)
if(RANGEWISE_WERROR)
  target_compile_options(rangewise_flags INTERFACE -Werror)
endif()
if(RANGEWISE_SANITIZE)
  target_compile_options(rangewise_flags INTERFACE -fsanitize=${RANGEWISE_SANITIZE}
                                                   -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(rangewise_flags INTERFACE -fsanitize=${RANGEWISE_SANITIZE})
endif()
