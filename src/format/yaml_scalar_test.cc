#include "format/yaml_scalar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/text.h"

namespace rangewise::format {
namespace {

struct ScalarCase {
  const char* text;
  ScalarType type;
  const char* value;  // of booleans, integers and floats; "none": no value
};

std::string ValueText(std::string_view text, ScalarType type) {
  if (type == ScalarType::kBool) return BoolValue(text).value() ? "true" : "false";
  if (type == ScalarType::kInteger) return DecimalDigits(text).value_or("none");
  if (type != ScalarType::kFloat) return "";
  const std::optional<double> value = FloatValue(text);
  if (!value) return "none";
  if (std::isnan(*value)) return "nan";
  if (std::isinf(*value)) return *value < 0 ? "-inf" : "inf";
  return ShortestDecimal(*value);
}

// Types and values as PyYAML 6.0's safe loader gives them. It differs from us in four of these: it
// fails on integers without digits, and reads numbers beyond a double as infinity or zero, where we
// have no value.
TEST(YamlScalar, PlainScalarsHaveTheTypeAndValueThatPyYamlGivesThem) {
  const ScalarCase cases[] = {
      {"~", ScalarType::kNull, ""},
      {"null", ScalarType::kNull, ""},
      {"Null", ScalarType::kNull, ""},
      {"NULL", ScalarType::kNull, ""},
      {"nULL", ScalarType::kString, ""},
      {"none", ScalarType::kString, ""},
      {"yes", ScalarType::kBool, "true"},
      {"Yes", ScalarType::kBool, "true"},
      {"YES", ScalarType::kBool, "true"},
      {"yEs", ScalarType::kString, ""},
      {"y", ScalarType::kString, ""},
      {"n", ScalarType::kString, ""},
      {"Y", ScalarType::kString, ""},
      {"N", ScalarType::kString, ""},
      {"no", ScalarType::kBool, "false"},
      {"No", ScalarType::kBool, "false"},
      {"NO", ScalarType::kBool, "false"},
      {"true", ScalarType::kBool, "true"},
      {"True", ScalarType::kBool, "true"},
      {"TRUE", ScalarType::kBool, "true"},
      {"tRUE", ScalarType::kString, ""},
      {"false", ScalarType::kBool, "false"},
      {"False", ScalarType::kBool, "false"},
      {"FALSE", ScalarType::kBool, "false"},
      {"on", ScalarType::kBool, "true"},
      {"On", ScalarType::kBool, "true"},
      {"ON", ScalarType::kBool, "true"},
      {"off", ScalarType::kBool, "false"},
      {"Off", ScalarType::kBool, "false"},
      {"OFF", ScalarType::kBool, "false"},
      {"0", ScalarType::kInteger, "0"},
      {"-0", ScalarType::kInteger, "0"},
      {"+0", ScalarType::kInteger, "0"},
      {"00", ScalarType::kInteger, "0"},
      {"007", ScalarType::kInteger, "7"},
      {"08", ScalarType::kString, ""},
      {"0o7", ScalarType::kString, ""},
      {"0_7", ScalarType::kInteger, "7"},
      {"0_", ScalarType::kInteger, "0"},
      {"-017", ScalarType::kInteger, "-15"},
      {"+017", ScalarType::kInteger, "15"},
      {"0_8", ScalarType::kString, ""},
      {"12", ScalarType::kInteger, "12"},
      {"+12", ScalarType::kInteger, "12"},
      {"-12", ScalarType::kInteger, "-12"},
      {"1_000", ScalarType::kInteger, "1000"},
      {"1__0", ScalarType::kInteger, "10"},
      {"1_", ScalarType::kInteger, "1"},
      {"_1", ScalarType::kString, ""},
      {"12e3", ScalarType::kString, ""},
      {"1e5", ScalarType::kString, ""},
      {"1E5", ScalarType::kString, ""},
      {"1e+5", ScalarType::kString, ""},
      {"1.e+5", ScalarType::kFloat, "100000.0"},
      {"1.5e5", ScalarType::kString, ""},
      {"1.5e+5", ScalarType::kFloat, "150000.0"},
      {"1.5E-5", ScalarType::kFloat, "1.5e-05"},
      {"1.5e+", ScalarType::kString, ""},
      {"1.", ScalarType::kFloat, "1.0"},
      {"1._", ScalarType::kFloat, "1.0"},
      {"1_0.5", ScalarType::kFloat, "10.5"},
      {"01.5", ScalarType::kFloat, "1.5"},
      {"1_.5", ScalarType::kFloat, "1.5"},
      {".5", ScalarType::kFloat, "0.5"},
      {"-.5", ScalarType::kString, ""},
      {"+.5", ScalarType::kString, ""},
      {"._5", ScalarType::kString, ""},
      {".5_0", ScalarType::kFloat, "0.5"},
      {".5e+3", ScalarType::kFloat, "500.0"},
      {".5e3", ScalarType::kString, ""},
      {".", ScalarType::kString, ""},
      {"..", ScalarType::kString, ""},
      {"-", ScalarType::kString, ""},
      {"-1.5", ScalarType::kFloat, "-1.5"},
      {"+1.5", ScalarType::kFloat, "1.5"},
      {"0.0", ScalarType::kFloat, "0.0"},
      {"-0.0", ScalarType::kFloat, "-0.0"},
      {".inf", ScalarType::kFloat, "inf"},
      {".Inf", ScalarType::kFloat, "inf"},
      {".INF", ScalarType::kFloat, "inf"},
      {"+.inf", ScalarType::kFloat, "inf"},
      {"-.inf", ScalarType::kFloat, "-inf"},
      {"-.INF", ScalarType::kFloat, "-inf"},
      {".iNF", ScalarType::kString, ""},
      {"inf", ScalarType::kString, ""},
      {".nan", ScalarType::kFloat, "nan"},
      {".NaN", ScalarType::kFloat, "nan"},
      {".NAN", ScalarType::kFloat, "nan"},
      {"-.nan", ScalarType::kString, ""},
      {".Nan", ScalarType::kString, ""},
      {"nan", ScalarType::kString, ""},
      {"0b1010", ScalarType::kInteger, "10"},
      {"-0b11", ScalarType::kInteger, "-3"},
      {"0b1_1", ScalarType::kInteger, "3"},
      {"0b", ScalarType::kString, ""},
      {"0b_", ScalarType::kInteger, "none"},
      {"0b12", ScalarType::kString, ""},
      {"0B1", ScalarType::kString, ""},
      {"0x1F", ScalarType::kInteger, "31"},
      {"0XFF", ScalarType::kString, ""},
      {"0xff", ScalarType::kInteger, "255"},
      {"-0xF_F", ScalarType::kInteger, "-255"},
      {"0x_", ScalarType::kInteger, "none"},
      {"0x", ScalarType::kString, ""},
      {"0xg", ScalarType::kString, ""},
      {"1:30", ScalarType::kInteger, "90"},
      {"1:60", ScalarType::kString, ""},
      {"1:6", ScalarType::kInteger, "66"},
      {"-1:30", ScalarType::kInteger, "-90"},
      {"+1:30", ScalarType::kInteger, "90"},
      {"1:5:09", ScalarType::kInteger, "3909"},
      {"190:20:30", ScalarType::kInteger, "685230"},
      {"190:20:30.15", ScalarType::kFloat, "685230.15"},
      {"1:30.", ScalarType::kFloat, "90.0"},
      {"1:30.5e+3", ScalarType::kString, ""},
      {"1_0:30", ScalarType::kInteger, "630"},
      {"0:30", ScalarType::kString, ""},
      {"08:30", ScalarType::kString, ""},
      {"01:30.5", ScalarType::kFloat, "90.5"},
      {"1:30:", ScalarType::kString, ""},
      {"1:", ScalarType::kString, ""},
      {":30", ScalarType::kString, ""},
      {"1:100", ScalarType::kString, ""},
      {"2001-12-14", ScalarType::kTimestamp, ""},
      {"2001-1-2", ScalarType::kString, ""},
      {"2001-12-14t21:59:43.10-05:00", ScalarType::kTimestamp, ""},
      {"2001-12-14 21:59:43.10 -5", ScalarType::kTimestamp, ""},
      {"2001-12-15T2:59:43Z", ScalarType::kTimestamp, ""},
      {"2001-12-15T02:59Z", ScalarType::kString, ""},
      {"2001-12-14T21:59:43", ScalarType::kTimestamp, ""},
      {"2001-12-14T21:59:43.", ScalarType::kTimestamp, ""},
      {"2001-12-14 21:59:43 +05:30", ScalarType::kTimestamp, ""},
      {"2001-12-14 21:59:43+0530", ScalarType::kString, ""},
      {"20011214", ScalarType::kInteger, "20011214"},
      {"2001-12", ScalarType::kString, ""},
      {"2001-12-14T", ScalarType::kString, ""},
      {"2001-99-99", ScalarType::kTimestamp, ""},
      {"<<", ScalarType::kMerge, ""},
      {"=", ScalarType::kDefault, ""},
      {"<<<", ScalarType::kString, ""},
      {"==", ScalarType::kString, ""},
      {"1,000", ScalarType::kString, ""},
      {"1 000", ScalarType::kString, ""},
      {"12345678901234567890123456789012345678901234567890", ScalarType::kInteger,
       "12345678901234567890123456789012345678901234567890"},
      {"0xffffffffffffffffffffffffffffffff", ScalarType::kInteger,
       "340282366920938463463374607431768211455"},
      {"0777777777777777777777777777777777", ScalarType::kInteger,
       "633825300114114700748351602687"},
      {"0b11111111111111111111111111111111111111111111111111111111111111111111",
       ScalarType::kInteger, "295147905179352825855"},
      {"100:00:00:00:00:00:00:00:00:00:00:00:00", ScalarType::kInteger, "217678233600000000000000"},
      {"1.7976931348623157e+308", ScalarType::kFloat, "1.7976931348623157e+308"},
      {"5.0e-324", ScalarType::kFloat, "5e-324"},
      {"1.0e+400", ScalarType::kFloat, "none"},
      {"1.0e-400", ScalarType::kFloat, "none"},
      {"1:30:30.25", ScalarType::kFloat, "5430.25"},
      {"abc123", ScalarType::kString, ""},
      {"12abc", ScalarType::kString, ""},
      {"0123456", ScalarType::kInteger, "42798"},
      {"1e10000", ScalarType::kString, ""},
      {"3.14159265358979323846", ScalarType::kFloat, "3.141592653589793"},
      {"9007199254740993.0", ScalarType::kFloat, "9007199254740992.0"},
  };
  for (const ScalarCase& c : cases) {
    EXPECT_EQ(ResolvePlain(c.text), c.type) << c.text;
    EXPECT_EQ(ValueText(c.text, c.type), c.value) << c.text;
  }
  EXPECT_EQ(ResolvePlain(""), ScalarType::kNull);
}

TEST(YamlScalar, TaggedFloatsNeedNoPoint) {
  const std::pair<const char*, double> cases[] = {
      {"12", 12},   {"-12", -12}, {"1e5", 1e5},    {"1E-3", 1e-3}, {"+1_0e+2", 1000},
      {"1:30", 90}, {"-.5", -.5}, {"1.5e3", 1500}, {"08", 8},      {"-.5e1", -5}};
  for (const auto& [text, value] : cases) {
    EXPECT_TRUE(IsTaggedFloat(text)) << text;
    EXPECT_EQ(FloatValue(text), value) << text;
  }
  for (const char* text : {"", "0x10", "inf", "nan", "1e", "e5", "--1", "1 2", "1:99", "_1"}) {
    EXPECT_FALSE(IsTaggedFloat(text)) << text;
  }
}

TEST(YamlScalar, BooleansByTagTakeAnyCapitalisation) {
  EXPECT_EQ(BoolValue("tRuE"), true);
  EXPECT_EQ(BoolValue("oFF"), false);
  EXPECT_EQ(BoolValue("y"), std::nullopt);
  EXPECT_EQ(BoolValue("1"), std::nullopt);
  EXPECT_EQ(BoolValue(""), std::nullopt);
}

TEST(YamlScalar, DecimalIntegersHaveNoLengthLimit) {
  const std::string digits(100'000, '7');
  EXPECT_EQ(DecimalDigits("-" + digits), "-" + digits);
}

TEST(YamlScalar, OtherNotationsAreConvertedUpToTheLimit) {
  // 16^1022 - 1 and 60^341 by their length, the former also by its ends (Python).
  const std::string largest =
      DecimalDigits("0x" + std::string(kConvertedIntegerLimit - 2, 'f')).value();
  EXPECT_EQ(largest.size(), 1231u);
  EXPECT_EQ(largest.substr(0, 12), "407964406802");
  EXPECT_EQ(largest.substr(largest.size() - 12), "954699821055");
  EXPECT_EQ(DecimalDigits("0x" + std::string(kConvertedIntegerLimit - 1, 'f')), std::nullopt);
  std::string sexagesimal = "1";
  while (sexagesimal.size() + 3 <= kConvertedIntegerLimit) sexagesimal += ":00";
  EXPECT_EQ(DecimalDigits(sexagesimal).value().size(), 607u);
  EXPECT_EQ(DecimalDigits(sexagesimal + ":00"), std::nullopt);
}

TEST(YamlScalar, LimbsCarryAcrossNineDigits) {
  EXPECT_EQ(DecimalDigits("0x3b9aca00"), "1000000000");
  EXPECT_EQ(DecimalDigits("0x3b9ac9ff"), "999999999");
  EXPECT_EQ(DecimalDigits("0xde0b6b3a7640000"), "1000000000000000000");
  EXPECT_EQ(DecimalDigits("-0x8000000000000000"), "-9223372036854775808");
  EXPECT_EQ(DecimalDigits("0b1000000000000000000000000000000000000000000000000000000000000000"),
            "9223372036854775808");
}

}  // namespace
}  // namespace rangewise::format
