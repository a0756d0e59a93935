#include "format/json.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>

#include "base/files.h"
#include "base/text.h"

namespace rangewise::format {
namespace {

std::string Written(const Value& value) {
  StringOutput out;
  JsonWriter writer(out);
  writer.Any(value);
  writer.Finish();
  return out.text();
}

std::string WrittenText(std::string_view text) { return Written({std::string(text)}); }

Value Parsed(std::string_view text) {
  Result<Value> value = ParseJson(text, "test.json");
  EXPECT_TRUE(value.ok()) << value.error().message;
  return value.ok() ? *value : Value{};
}

Error Refused(std::string_view text) {
  Result<Value> value = ParseJson(text, "test.json");
  EXPECT_FALSE(value.ok()) << text;
  return value.ok() ? Error{} : value.error();
}

// The file is what Python's json.dumps(document, indent=2, sort_keys=True) printed, and a newline:
// edge cases and random values of every kind.
TEST(JsonWriter, WritesWhatPythonWrites) {
  const Result<std::string> expected =
      ReadFile(RANGEWISE_SOURCE_DIR "/tests/data/json/python-dumps.json");
  ASSERT_TRUE(expected.ok());
  EXPECT_EQ(Written(Parsed(*expected)), *expected);
}

TEST(JsonWriter, LaysOutByHandAsPythonDoes) {
  StringOutput out;
  JsonWriter writer(out);
  writer.BeginObject();
  writer.Key("a");
  writer.BeginList();
  writer.Integer(std::numeric_limits<int64_t>::min());
  writer.Double(1e16);
  writer.Double(-0.0);
  writer.Bool(true);
  writer.Null();
  writer.BeginList();
  writer.EndList();
  writer.BeginObject();
  writer.EndObject();
  writer.EndList();
  writer.Key("b");
  writer.String("x");
  writer.Key("c");
  writer.Digits("123456789012345678901234567890");
  writer.EndObject();
  writer.Finish();
  EXPECT_EQ(out.text(), R"({
  "a": [
    -9223372036854775808,
    1e+16,
    -0.0,
    true,
    null,
    [],
    {}
  ],
  "b": "x",
  "c": 123456789012345678901234567890
}
)");
}

TEST(JsonWriter, WhatIsNotFiniteIsNull) {
  StringOutput out;
  JsonWriter writer(out);
  writer.BeginList();
  writer.Double(std::numeric_limits<double>::quiet_NaN());
  writer.Double(std::numeric_limits<double>::infinity());
  writer.Any({-std::numeric_limits<double>::infinity()});
  writer.EndList();
  writer.Finish();
  EXPECT_EQ(out.text(), "[\n  null,\n  null,\n  null\n]\n");
}

TEST(JsonWriter, EscapesAllButPrintableAscii) {
  EXPECT_EQ(WrittenText("a\"b\\c/d"), "\"a\\\"b\\\\c/d\"\n");
  EXPECT_EQ(WrittenText("\b\f\n\r\t"), "\"\\b\\f\\n\\r\\t\"\n");
  EXPECT_EQ(WrittenText(std::string_view("\0\x1f\x7f", 3)), "\"\\u0000\\u001f\\u007f\"\n");
  EXPECT_EQ(WrittenText("\xc3\xa4\xe2\x80\xae"), "\"\\u00e4\\u202e\"\n");
  EXPECT_EQ(WrittenText("\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf"), "\"\\ud83d\\ude00\\udbff\\udfff\"\n");
}

TEST(JsonWriter, TurnsBytesThatAreNotUtf8IntoText) {
  EXPECT_EQ(WrittenText("plain\xff\\"), "\"plain\\\\xff\\\\\\\\\"\n");
  EXPECT_EQ(WrittenText("\xed\xa0\x80"), "\"\\\\xed\\\\xa0\\\\x80\"\n");  // a surrogate
}

TEST(JsonWriter, HandsOutputOnInPieces) {
  struct Pieces : Output {
    void Write(std::string_view bytes) override {
      ++count;
      longest = std::max(longest, bytes.size());
      total += bytes.size();
    }
    size_t count = 0;
    size_t longest = 0;
    size_t total = 0;
  } pieces;
  JsonWriter writer(pieces);
  writer.BeginList();
  for (int i = 0; i < 200'000; ++i) writer.Integer(i);
  writer.EndList();
  writer.Finish();
  EXPECT_GT(pieces.total, size_t{1} << 20);
  EXPECT_GE(pieces.count, pieces.total / (size_t{1} << 18));
  EXPECT_LT(pieces.longest, (size_t{1} << 18) + 4096);
}

TEST(JsonWriter, DepthCostsNoStack) {
  Value value;
  constexpr int kDepth = 200;
  for (int i = 0; i < kDepth; ++i) {
    ValueList list;
    list.push_back(std::move(value));
    value = {std::move(list)};
  }
  const std::string text = Written(value);
  EXPECT_EQ(Parsed(text), value);
}

TEST(ParseJson, ReadsEveryKind) {
  const Value value = Parsed(
      R"({"n": null, "t": true, "f": false, "i": -7, "d": 2.5, "e": 1E3, "s": "\u00e4\ud83d\ude00",
                                 "l": [1, [], {}]})");
  const auto& map = std::get<ValueMap>(value.data);
  EXPECT_TRUE(map.at("n").is_null());
  EXPECT_EQ(map.at("t"), Value{true});
  EXPECT_EQ(map.at("f"), Value{false});
  EXPECT_EQ(map.at("i"), Value{Integer{"-7"}});
  EXPECT_EQ(map.at("d"), Value{2.5});
  EXPECT_EQ(map.at("e"), Value{1000.0});
  EXPECT_EQ(map.at("s"), Value{std::string("\xc3\xa4\xf0\x9f\x98\x80")});
  EXPECT_EQ(std::get<ValueList>(map.at("l").data).size(), 3u);
}

TEST(ParseJson, KeepsTheDigitsOfIntegersOfAnySize) {
  for (const std::string& digits :
       {std::string("9223372036854775807"), std::string("9223372036854775808"),
        std::string("18446744073709551616"), std::string("-9223372036854775809"),
        std::string(400, '7'), "-" + std::string(4299, '9')}) {
    EXPECT_EQ(Parsed(digits), Value{Integer{digits}});
    EXPECT_EQ(Written(Parsed("[" + digits + "]")), "[\n  " + digits + "\n]\n");
  }
  EXPECT_EQ(Parsed("-0"), Value{Integer{"0"}});
  const Error error = Refused("[1,\n " + std::string(4301, '1') + "]");
  EXPECT_NE(error.message.find("4300 digits"), std::string::npos) << error.message;
  EXPECT_EQ(error.where.line, 2u);
  EXPECT_EQ(error.where.column, 2u);
  Refused(std::string(10'000, '1'));
}

TEST(ParseJson, RefusesNumbersThatADoubleCannotHold) {
  EXPECT_NE(Refused("[0, 1e309]").message.find("range of a double"), std::string::npos);
  EXPECT_EQ(Refused("[0, 1e309]").where.column, 5u);
  EXPECT_EQ(Refused("1e309").where.column, 1u);
  Refused("-1e99999");
  EXPECT_EQ(Parsed("1e-999"), Value{0.0});
  EXPECT_EQ(Parsed("1.7976931348623157e308"), Value{std::numeric_limits<double>::max()});
  EXPECT_EQ(Parsed("5e-324"), Value{std::numeric_limits<double>::denorm_min()});
}

TEST(ParseJson, RefusesAKeyThatStandsTwice) {
  const Error error = Refused("{\n  \"a\": 1,\n  \"b\": {\"a\": 2},\n  \"a\": 3\n}\n");
  EXPECT_EQ(error.code, Code::kReadFailed);
  EXPECT_NE(error.message.find("'a'"), std::string::npos) << error.message;
  EXPECT_EQ(error.where.file, "test.json");
  EXPECT_EQ(error.where.line, 4u);
  EXPECT_EQ(error.where.column, 5u);
  EXPECT_EQ(error.where.source_line, "  \"a\": 3");
}

TEST(ParseJson, BoundsDepth) {
  const auto nested = [](size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  Parsed(nested(256));
  const Error error = Refused(nested(257));
  EXPECT_NE(error.message.find("256 deep"), std::string::npos) << error.message;
  EXPECT_EQ(error.where.column, 257u);
  Refused(std::string(1'000'000, '['));
}

TEST(ParseJson, SaysWhereTheTextGoesWrong) {
  const Error error = Refused("{\n  \"a\": 1,\n  \"b\" 2\n}");
  EXPECT_EQ(error.where.line, 3u);
  EXPECT_EQ(error.where.column, 7u);
  EXPECT_EQ(error.where.source_line, "  \"b\" 2");
  EXPECT_EQ(error.message.rfind("not valid JSON: syntax error", 0), 0u) << error.message;
  const Error cut = Refused("[1,");
  EXPECT_EQ(cut.where.line, 1u);
  EXPECT_EQ(cut.where.column, 4u);
  EXPECT_EQ(Refused("").where.column, 1u);
}

TEST(ParseJson, RefusesWhatIsNotJson) {
  for (const std::string_view text : {"",
                                      " ",
                                      "nul",
                                      "True",
                                      "NaN",
                                      "Infinity",
                                      "-",
                                      "01",
                                      "1.",
                                      ".5",
                                      "+1",
                                      "1e",
                                      "'a'",
                                      "\"",
                                      "\"\n\"",
                                      "\"\\x\"",
                                      "\"\\ud800\"",
                                      "\"\\udc00\"",
                                      "\"\xff\"",
                                      "\"\xed\xa0\x80\"",
                                      "\"\xc0\x80\"",
                                      "[1,]",
                                      "{\"a\":1,}",
                                      "{a:1}",
                                      "[1 2]",
                                      "1 2",
                                      "[]]",
                                      "{\"a\"}",
                                      "// c\n1"}) {
    Refused(text);
  }
  Refused(std::string_view("[1]\0", 4));
}

Value RandomValue(std::mt19937_64& random, int depth) {
  const auto below = [&](uint64_t n) { return random() % n; };
  const auto text = [&] {
    std::string out;
    for (uint64_t i = below(12); i > 0; --i) out += static_cast<char>(below(256));
    return Displayable(out);
  };
  switch (below(depth > 4 ? 5 : 7)) {
    case 0:
      return {};
    case 1:
      return {below(2) == 0};
    case 2:
      return {Integer{std::to_string(static_cast<int64_t>(random()))}};
    case 3:
      return {static_cast<double>(static_cast<int64_t>(random())) / 1e6};
    case 4:
      return {text()};
    case 5: {
      ValueList list;
      for (uint64_t i = below(5); i > 0; --i) list.push_back(RandomValue(random, depth + 1));
      return {std::move(list)};
    }
    default: {
      ValueMap map;
      for (uint64_t i = below(5); i > 0; --i) map[text()] = RandomValue(random, depth + 1);
      return {std::move(map)};
    }
  }
}

TEST(ParseJson, ReadsBackWhatWasWritten) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 500; ++i) {
    const Value value = RandomValue(random, 0);
    const std::string text = Written(value);
    EXPECT_EQ(Parsed(text), value) << text;
    EXPECT_TRUE(nlohmann::json::accept(text)) << text;
  }
}

}  // namespace
}  // namespace rangewise::format
