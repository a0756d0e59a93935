#include "render/comparison_markdown.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "support/comparisons.h"

namespace rangewise::render {
namespace {

// What stands outside of code and of our own folds: there no name may be.
std::string OutsideOfCode(const std::string& text) {
  std::string outside;
  bool in_code = false;
  for (const char c : text) {
    if (c == '`') {
      in_code = !in_code;
    } else if (!in_code) {
      outside += c;
    }
    if (c == '\n') {
      EXPECT_FALSE(in_code);
    }
  }
  return outside;
}

size_t Count(const std::string& text, const std::string& wanted) {
  size_t count = 0;
  for (size_t at = text.find(wanted); at != std::string::npos; at = text.find(wanted, at + 1))
    ++count;
  return count;
}

TEST(ComparisonMarkdown, BeginsWithTheVerdictAndItsCaveats) {
  const std::string text = RenderComparisonMarkdown(test_support::Regression());
  EXPECT_TRUE(text.starts_with("regressed: inclusive host time of iterations, 1.196 times"));
  EXPECT_NE(text.find("<details><summary>5 against 5 runs"), std::string::npos);
  EXPECT_EQ(Count(text, "<details>"), Count(text, "</details>"));
}

TEST(ComparisonMarkdown, StaysWithinACommentWhateverTheInput) {
  for (const int ranges : {0, 5, 400}) {
    const std::string text = RenderComparisonMarkdown(test_support::Hostile(ranges));
    EXPECT_LE(text.size(), kMostMarkdownBytes);
    EXPECT_EQ(Count(text, "<details>"), Count(text, "\n</details>\n"));
    EXPECT_TRUE(IsUtf8(text));
  }
  const std::string text = RenderComparisonMarkdown(test_support::Hostile(400));
  EXPECT_NE(text.find(" more rows: `--format json` has all."), std::string::npos);
}

TEST(ComparisonMarkdown, NoNameIsMarkup) {
  const std::string text = RenderComparisonMarkdown(test_support::Hostile(40));
  EXPECT_EQ(Neutralised(OutsideOfCode(text)).size(),
            OutsideOfCode(text).size() + Count(OutsideOfCode(text), "\n"));
  const std::string outside = OutsideOfCode(text);
  for (const char* markup : {"script", "javascript", "http", "@", "heading", "<!--", "![", "\\"})
    EXPECT_EQ(outside.find(markup), std::string::npos) << markup;
  // Every row of a table has the cells of its head.
  size_t cells = 0;
  size_t at = 0;
  size_t rows = 0;
  while (at < text.size()) {
    const size_t end = text.find('\n', at);
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with("| ")) {
      if (!line.starts_with("|--")) cells = 0;
      continue;
    }
    const auto here = static_cast<size_t>(std::count(line.begin(), line.end(), '|'));
    if (cells == 0) cells = here;
    EXPECT_EQ(here, cells) << line;
    ++rows;
  }
  EXPECT_GT(rows, 60u);
}

TEST(ComparisonMarkdown, EveryDifferenceStandsAtTheHead) {
  for (const model::Comparison& comparison : test_support::SampleComparisons()) {
    const std::string text = RenderComparisonMarkdown(comparison);
    const size_t folds = text.find("<details>");
    for (const model::ContractRow& row : comparison.contract) {
      if (row.state == model::ContractState::kEqual || row.key.size() > 30 ||
          row.key.starts_with("workload."))
        continue;
      EXPECT_LT(text.find("| `" + row.key + "` |"), folds) << row.key;
    }
    EXPECT_LE(text.size(), kMostMarkdownBytes);
  }
}

TEST(MarkdownCode, IsOneSpanWhateverItHolds) {
  EXPECT_EQ(MarkdownCode("load"), "`load`");
  EXPECT_EQ(MarkdownCode("a|b`c"), "`a\\u{7c}b\\u{60}c`");
  EXPECT_EQ(MarkdownCode(""), "(blank)");
  EXPECT_EQ(MarkdownCode("  "), "(blank)");
  EXPECT_EQ(MarkdownCode("a\nb"), "`a\\nb`");
  EXPECT_LE(MarkdownCode(std::string(5000, 'x')).size(), 62u);
  std::string marks;
  for (int i = 0; i < 300; ++i) marks += "e\xcc\x81\xcc\x82\xcc\x83\xcc\x84";
  const std::string code = MarkdownCode(marks);
  EXPECT_LE(code.size(), 242u);
  EXPECT_TRUE(IsUtf8(code));
}

TEST(NoiseMarkdown, HasTheSameFirstLine) {
  for (const model::NoiseReport& report : test_support::SampleNoiseReports()) {
    const std::string text = RenderNoiseMarkdown(report);
    EXPECT_TRUE(text.starts_with(report.noise ? "noise " : "no noise of ")) << text;
    EXPECT_LE(text.size(), kMostMarkdownBytes);
  }
}

}  // namespace
}  // namespace rangewise::render
