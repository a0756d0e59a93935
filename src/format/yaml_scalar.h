// Owns what a plain YAML scalar means: the type that YAML 1.1 gives its text by the
// implicit-resolution rules of PyYAML 6.0's safe loader (whose patterns differ from the YAML 1.1
// type repository: a float needs a point and a signed exponent, ".5" takes no sign), and the
// conversion of such texts to decimal digits and doubles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rangewise::format {

// kMerge is the key `<<`; kDefault is `=`, the "default value" of YAML 1.1, which has no value of
// its own.
enum class ScalarType : uint8_t {
  kNull,
  kBool,
  kInteger,
  kFloat,
  kTimestamp,
  kMerge,
  kDefault,
  kString
};

// The type of an untagged plain scalar.
ScalarType ResolvePlain(std::string_view text);

bool IsYamlBool(std::string_view text);
bool IsYamlInteger(std::string_view text);
bool IsYamlFloat(std::string_view text);
bool IsYamlTimestamp(std::string_view text);

// What `!!float` may stand before: a float, or a number that lacks the point ("12", "1e5", "1:30").
bool IsTaggedFloat(std::string_view text);

// true, false, or nothing when `text` is no boolean in any capitalisation.
std::optional<bool> BoolValue(std::string_view text);

// Integers in another notation than decimal may have this many characters: their conversion costs
// the square of the length. Decimal ones have no limit.
inline constexpr size_t kConvertedIntegerLimit = 1024;

// The decimal digits of an integer that IsYamlInteger accepts: binary (0b), octal (a leading 0),
// decimal, hexadecimal (0x), sexagesimal (1:30), underscores ignored; "-" before when negative, no
// leading zeros. Nothing when there is no digit (0x_) or the limit above is exceeded.
std::optional<std::string> DecimalDigits(std::string_view text);

// The double nearest to a float that IsTaggedFloat accepts; infinities and NaN for .inf and .nan,
// and nothing for a number that no double is near to (too large, or too small to be told from
// zero).
std::optional<double> FloatValue(std::string_view text);

}  // namespace rangewise::format
