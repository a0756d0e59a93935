#include "base/result.h"

#include <gtest/gtest.h>

#include <set>

#include "base/text.h"

namespace rangewise {
namespace {

Result<int> Half(int value) {
  if (value % 2 != 0) return Error{.code = Code::kBadInteger, .message = "odd"};
  return value / 2;
}

Result<int> Quarter(int value) {
  ASSIGN_OR_RETURN(const int half, Half(value));
  return Half(half);
}

TEST(Result, CarriesTheFirstError) {
  EXPECT_EQ(*Quarter(8), 2);
  EXPECT_FALSE(Quarter(6).ok());
  EXPECT_EQ(Quarter(7).error().message, "odd");
}

TEST(Error, ShowsPositionExcerptCaretAndNextStep) {
  const Error error{
      .code = Code::kManifestNotYaml,
      .message = "found a tab",
      .where = {.file = "run/manifest.yaml", .line = 3, .column = 5, .source_line = "k: \ta"},
      .details = {"nsys said \x1b[1mno"},
      .hint = "use blanks"};
  EXPECT_EQ(Render(error),
            "error[manifest-not-yaml]: found a tab\n"
            "  at run/manifest.yaml:3:5\n"
            "  | k: \\ta\n"
            "  |      ^\n"
            "  nsys said \\x1b[1mno\n"
            "  next: use blanks\n");
}

TEST(Error, ShowsALongLineAroundTheColumn) {
  const Error error{
      .code = Code::kCsvSyntax,
      .message = "m",
      .where = {.file = "f",
                .line = 1,
                .column = 5001,
                .source_line = std::string(5000, 'a') + "!" + std::string(5000, 'b')}};
  const std::string text = Render(error);
  EXPECT_LT(text.size(), 500u);
  const size_t mark = text.find('!');
  const size_t line = text.rfind('\n', mark);
  const size_t caret = text.find('^');
  EXPECT_EQ(mark - line, caret - text.rfind('\n', caret));
}

TEST(Codes, AreDistinctHyphenatedWordsWithTexts) {
  std::set<std::string_view> words;
  for (const CodeInfo& info : AllCodes()) {
    EXPECT_TRUE(words.insert(info.word).second) << info.word;
    EXPECT_EQ(info.word.find_first_not_of("abcdefghijklmnopqrstuvwxyz-0123456789"),
              std::string_view::npos);
    EXPECT_FALSE(info.meaning.empty()) << info.word;
    EXPECT_FALSE(info.action.empty()) << info.word;
    EXPECT_EQ(info.severity != Severity::kError, info.exit_code == 0) << info.word;
    EXPECT_EQ(FindCode(info.word), &info);
  }
  EXPECT_EQ(FindCode("no-such-code"), nullptr);
}

}  // namespace
}  // namespace rangewise
