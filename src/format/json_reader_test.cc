#include "format/json_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.h"
#include "format/json.h"

namespace rangewise::format {
namespace {

// Hands out `piece` bytes at a time.
ByteSource InPieces(std::string_view text, size_t piece) {
  return [text, piece](char* buffer, size_t capacity) mutable -> Result<size_t> {
    const size_t count = std::min({piece, capacity, text.size()});
    text.copy(buffer, count);
    text.remove_prefix(count);
    return count;
  };
}

Result<Value> Read(std::string_view text, size_t piece = 1 << 20) {
  JsonReader reader(InPieces(text, piece), "f.json", Code::kNotAnAnalysis);
  Result<Value> value = reader.Any();
  const Status status = reader.Finish();
  if (!status.ok()) value = status.error();
  return value;
}

Status Skipped(std::string_view text) {
  JsonReader reader(BytesOf(text), "f.json", Code::kNotAnAnalysis);
  reader.Skip();
  return reader.Finish();
}

const std::string kDeep = std::string(256, '[') + std::string(256, ']');
const std::string kTooDeep = std::string(257, '[') + std::string(257, ']');

TEST(JsonReader, ReadsWhatTheWholeDocumentReaderReads) {
  for (const std::string& text : std::initializer_list<std::string>{
           "null", " true ", "false", "0", "-0", "-1", "12345678901234567890123", "1.5", "-0.0",
           "1e400", "1e-400", "-1e-400", "1e5000", "0e99999999999", "0.0000000001e-9999999999999",
           "123e-2", "1E+2", "1e+", "1.", ".5", "01", "-", "+1", "NaN", "nul", "truex", "tru",
           R"("")", R"("a\"\\\/\b\f\n\r\tz")", R"("\u00e4\u20AC\ud83d\ude00")", R"("\ud83d")",
           R"("\ude00")", R"("\ud83dx")", R"("\ud83d\u0041")", R"("\u12g4")", R"("\x")", "\"a",
           "\"a\\", "\"\n\"", "\"\x7f\"", "\"\xc3\xa4\"", "\"\xff\"", "\"\xed\xa0\x80\"", "[]",
           "[1, 2 ,3]", "[1,]", "[,]", "[1 2]", "[", "]", "{}", R"({"a": 1, "b": [{}, null]})",
           R"({"a": 1,})", R"({"a" 1})", R"({a: 1})", R"({"a": 1 "b": 2})", R"({"a": 1, "a": 2})",
           R"({"a": {"x": 1}, "b": {"x": 1}})", "{", R"({"a")", R"({"a":)", R"({1: 2})", "", "  ",
           "1 2", "{} {}", "\xef\xbb\xbf[1]", "\xef\xbb[1]", "[1]\n\n", "// no\n1", kDeep,
           kTooDeep, std::string(4300, '7'), std::string(4301, '7'), std::string(400, '9') + ".0",
           "0." + std::string(400, '0') + "1", "0." + std::string(400, '0') + "1e500",
           std::string("1\0", 2), "\"" + std::string(3000, 'x') + "\\n" + std::string(3000, 'y') +
                                      "\""}) {
    const auto whole = ParseJson(text, "f.json");
    for (const size_t piece : {size_t{1}, size_t{7}, size_t{1} << 20}) {
      const auto streamed = Read(text, piece);
      ASSERT_EQ(streamed.ok(), whole.ok()) << text.substr(0, 80);
      if (!whole.ok()) continue;
      ASSERT_EQ(*streamed, *whole) << text.substr(0, 80);
    }
  }
}

TEST(JsonReader, SkippingChecksTheGrammar) {
  EXPECT_TRUE(Skipped(R"([{"a": [1, "x", null, true], "a": {}}, -1.5e3])").ok());
  EXPECT_TRUE(Skipped(kDeep).ok());
  EXPECT_FALSE(Skipped(kTooDeep).ok());
  EXPECT_FALSE(Skipped(R"([{"a" 1}])").ok());
  EXPECT_FALSE(Skipped("[1").ok());
  EXPECT_FALSE(Skipped("[\"\xff\"]").ok());
}

TEST(JsonReader, GivesValuesInTheCallersOrder) {
  JsonReader reader(BytesOf(R"({"n": -3, "list": [1.5, 2, null], "s": "x", "u": true})"), "f.json",
                    Code::kNotAnAnalysis);
  std::string_view key;
  reader.BeginObject();
  ASSERT_TRUE(reader.NextKey(key));
  EXPECT_EQ(key, "n");
  EXPECT_EQ(reader.Int64(), -3);
  ASSERT_TRUE(reader.NextKey(key));
  EXPECT_EQ(key, "list");
  reader.BeginList();
  ASSERT_TRUE(reader.NextItem());
  EXPECT_EQ(std::get<double>(reader.Number()), 1.5);
  ASSERT_TRUE(reader.NextItem());
  EXPECT_EQ(std::get<int64_t>(reader.Number()), 2);
  ASSERT_TRUE(reader.NextItem());
  EXPECT_TRUE(reader.TakeNull());
  EXPECT_FALSE(reader.NextItem());
  ASSERT_TRUE(reader.NextKey(key));
  EXPECT_EQ(reader.String(), "x");
  ASSERT_TRUE(reader.NextKey(key));
  EXPECT_TRUE(reader.Bool());
  EXPECT_FALSE(reader.NextKey(key));
  EXPECT_TRUE(reader.Finish().ok());
}

TEST(JsonReader, TheFirstErrorStays) {
  JsonReader reader(BytesOf("{\"a\": [1,\n  \"x\"]}"), "f.json", Code::kNotAnAnalysis);
  std::string_view key;
  reader.BeginObject();
  ASSERT_TRUE(reader.NextKey(key));
  reader.BeginList();
  ASSERT_TRUE(reader.NextItem());
  EXPECT_EQ(reader.Int64(), 1);
  ASSERT_TRUE(reader.NextItem());
  EXPECT_EQ(reader.Int64(), 0);
  EXPECT_FALSE(reader.NextItem());
  EXPECT_FALSE(reader.NextKey(key));
  EXPECT_EQ(reader.String(), "");
  reader.Refuse("a later error");
  const Status status = reader.Finish();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, Code::kNotAnAnalysis);
  EXPECT_EQ(status.error().message, "a[1]: a string where an integer was expected");
  EXPECT_EQ(status.error().where.line, 2U);
  EXPECT_EQ(status.error().where.column, 3U);
}

TEST(JsonReader, SyntaxErrorsHaveTheirPlace) {
  const auto value = Read("{\n  \"a\": 1\n  \"b\": 2}", 3);
  ASSERT_FALSE(value.ok());
  EXPECT_EQ(value.error().code, Code::kReadFailed);
  EXPECT_EQ(value.error().message, "not valid JSON: `,` or `}` was expected");
  EXPECT_EQ(value.error().where.line, 3U);
  EXPECT_EQ(value.error().where.column, 3U);
  EXPECT_EQ(Read("[1, ").error().message,
            "not valid JSON: a value was expected; the text ends here");
}

TEST(JsonReader, AStringOfMoreThan16MebibytesIsRefused) {
  const std::string text = "\"" + std::string(17 << 20, 'x') + "\"";
  EXPECT_EQ(Read(text).error().message, "not valid JSON: a string of more than 16 MiB");
}

TEST(JsonReader, AnErrorOfTheSourceComesOut) {
  JsonReader reader(
      [](char*, size_t) -> Result<size_t> { return Error{Code::kFileShrank, "shorter"}; },
      "f.json", Code::kNotAnAnalysis);
  reader.BeginObject();
  const Status status = reader.Finish();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, Code::kFileShrank);
}

}  // namespace
}  // namespace rangewise::format
