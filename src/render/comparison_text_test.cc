#include "render/comparison_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "render/character_width.h"
#include "render/comparison_markdown.h"
#include "render/comparison_words.h"
#include "support/comparisons.h"

namespace rangewise::render {
namespace {

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end == std::string::npos ? text.size() : end + 1;
  }
  return lines;
}

TEST(ComparisonText, BeginsWithTheVerdictAndWhatItRestsOn) {
  EXPECT_EQ(
      Lines(RenderComparisonText(test_support::Regression())).front(),
      "regressed: inclusive host time of iterations, 1.196 times the baseline's (96 % interval "
      "1.165 to 1.228, p 0.0079); 5 against 5 runs");
}

TEST(ComparisonText, NamesTheRunsWithoutTheMetric) {
  const std::string first = Lines(RenderComparisonText(test_support::WithoutGpuInOneRun())).front();
  EXPECT_EQ(
      first,
      "not-comparable [gpu-data-missing]: GPU projection of iterations, 1 of 12 runs hold no GPU "
      "projection at all, which is unknown and not 0: 'runs/005'; 6 against 6 runs; of 10 other "
      "rows 0 regressed and 7 improved");
}

TEST(ComparisonText, EveryCaveatStandsInTheFirstLineAndIsExplained) {
  size_t seen = 0;
  for (const model::Comparison& comparison : test_support::SampleComparisons()) {
    const std::vector<std::string> lines = Lines(RenderComparisonText(comparison));
    for (const model::Caveat caveat : comparison.caveats) {
      const std::string name(model::CaveatName(caveat));
      EXPECT_NE(lines.front().find(name), std::string::npos) << lines.front();
      EXPECT_TRUE(std::any_of(lines.begin() + 1, lines.end(), [&](const std::string& line) {
        return line.starts_with("  " + name + ": ");
      })) << name;
      ++seen;
    }
    // Differences of the contract stand before any number of a run.
    const auto head = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
      return line.starts_with("Runs (B: baseline");
    });
    for (const model::ContractRow* row : Differences(comparison.contract)) {
      if (row->key.size() > 20 || !row->key.starts_with("device")) continue;
      EXPECT_TRUE(std::any_of(lines.begin(), head, [&](const std::string& line) {
        return line.starts_with("  " + row->key + " ");
      })) << row->key;
    }
  }
  EXPECT_GT(seen, 6u);
}

TEST(ComparisonText, IsSafeForATerminalAndNarrow) {
  for (const model::Comparison& comparison : test_support::SampleComparisons()) {
    const std::string text = RenderComparisonText(comparison);
    const std::vector<std::string> lines = Lines(text);
    for (size_t i = 0; i < lines.size(); ++i) {
      EXPECT_EQ(Neutralised(lines[i]), lines[i]);
      if (i > 0) {
        EXPECT_LE(DisplayWidth(lines[i]), 100u) << lines[i];
      }
      EXPECT_FALSE(lines[i].ends_with(' ')) << lines[i];
    }
    EXPECT_LT(lines.front().size(), 4000u);
  }
}

TEST(ComparisonText, TablesOfTheTwoClocksStaySeparate) {
  const model::Comparison comparison = test_support::SampleComparisons()[3];
  const std::string text = RenderComparisonText(comparison);
  for (const model::Metric metric :
       {model::Metric::kHostIterations, model::Metric::kProjectedIterations,
        model::Metric::kHostInclusive, model::Metric::kHostExclusive, model::Metric::kProjected}) {
    std::string title = MetricTitle(metric);
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    EXPECT_NE(text.find("\n" + title + ": "), std::string::npos) << title;
  }
  // Nested rows are marked, and the mean is of leaves.
  EXPECT_NE(text.find("+ load > copy"), std::string::npos) << text;
  EXPECT_NE(text.find("Geometric mean of the ratios of 2 leaves"), std::string::npos) << text;
}

TEST(NoiseText, SaysTheNoiseOrWhyThereIsNone) {
  const std::vector<model::NoiseReport> reports = test_support::SampleNoiseReports();
  EXPECT_TRUE(RenderNoiseText(reports[0]).starts_with("noise +0."));
  EXPECT_NE(RenderNoiseText(reports[0]).find("All 126 ways to split"), std::string::npos);
  EXPECT_NE(RenderNoiseText(reports[1]).find("1000 splits of the runs"), std::string::npos);
  EXPECT_EQ(Lines(RenderNoiseText(reports[2])).front(),
            "no noise of GPU projection of iterations: 9 runs, and halves need 10 at least");
  EXPECT_EQ(Lines(RenderNoiseText(reports[3])).front(),
            "no noise of GPU projection of iterations: not the same thing was measured: 'device'");
  EXPECT_EQ(Lines(RenderNoiseText(reports[4])).front(),
            "no noise of inclusive host time of iterations: no run is left");
}

TEST(ComparisonWords, NumbersForPeople) {
  EXPECT_EQ(RatioText(0), "1.000");
  EXPECT_EQ(RatioText(std::log(250.0)), "250");
  EXPECT_EQ(PercentText(std::log(1.083)), "+8.3 %");
  EXPECT_EQ(PercentText(std::log(0.5)), "-50.0 %");
  EXPECT_EQ(ProbabilityText(0.00015540), "0.00016");
  EXPECT_EQ(ProbabilityText(1), "1.000");
  EXPECT_EQ(ContractValueText(std::nullopt), "(not recorded)");
  EXPECT_EQ(ContractValueText(Value{}), "null");
  EXPECT_EQ(ContractValueText(Value{ValueMap{{"a", {Integer{"1"}}}, {"b", {ValueList{{true}}}}}}),
            R"({"a": 1, "b": [true]})");
  // What is text stands in quotes.
  EXPECT_EQ(ContractValueText(Value{std::string("1")}), R"("1")");
  EXPECT_EQ(ContractValueText(Value{Integer{"1"}}), "1");
  EXPECT_EQ(ContractValueText(Value{std::string("(not recorded)")}), "\"(not recorded)\"");
  EXPECT_EQ(ContractValueText(Value{std::string("a \"b\\")}), "\"a \\\"b\\\\\"");
}

std::string Plain(std::string_view text) { return std::string(text); }

TEST(ComparisonWords, ValuesAreNeverShortenedPastWhatTellsThemApart) {
  const std::string same(300, 'x');
  model::ContractRow row;
  row.baseline = {{Value{same + "1" + same}, {0, 1}}};
  row.candidate = {{Value{same + "2" + same}, {0}}, {Value{same + "2" + same + "3"}, {1}}};
  const ContractTexts texts = ValuesOf(row, 24, Plain);
  ASSERT_EQ(texts.candidate.size(), 2u);
  EXPECT_TRUE(texts.baseline[0].starts_with("...xxxxxxxx1")) << texts.baseline[0];
  EXPECT_TRUE(texts.baseline[0].ends_with(" (2)"));
  EXPECT_TRUE(texts.candidate[0].starts_with("...xxxxxxxx2"));
  EXPECT_NE(texts.candidate[0], texts.candidate[1]);
  // Characters stay whole.
  const std::string umlauts =
      "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
      "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4";
  row.baseline = {{Value{umlauts + "\xc3\xb6"}, {0}}};
  row.candidate = {{Value{umlauts + "\xc3\xbc"}, {0}}};
  EXPECT_TRUE(IsUtf8(ValuesOf(row, 4, Plain).baseline[0]));
  EXPECT_NE(ValuesOf(row, 4, Plain).baseline[0], ValuesOf(row, 4, Plain).candidate[0]);
  // One value alone is cut where the room ends.
  row.candidate.clear();
  EXPECT_EQ(ValuesOf(row, 6, Plain).baseline[0].substr(0, 6), "\"\xc3\xa4\xc3\xa4\xc3");
}

TEST(ComparisonText, SaysWhereTablesCameFromBySide) {
  model::Comparison comparison = test_support::Regression();
  comparison.candidate[1].report_source = "nsys";
  comparison.candidate[2].report_source = "made up";
  EXPECT_EQ(SourcesOf(comparison), "baseline csv (5); candidate csv (3), nsys (1), unknown (1)");
  EXPECT_NE(RenderComparisonText(comparison).find("candidate csv (3), nsys"), std::string::npos);
  EXPECT_NE(RenderComparisonMarkdown(comparison).find(SourcesOf(comparison)), std::string::npos);
}

TEST(ComparisonText, WhatIsUnknownIsNotSaidToDiffer) {
  model::Comparison comparison = test_support::Regression();
  comparison.verdict = model::Verdict::kNotComparable;
  comparison.reason = model::Reason::kContractDiffers;
  comparison.contract = {{.key = "device", .state = model::ContractState::kUnknown}};
  EXPECT_NE(ComparisonHeadline(comparison)
                .find("whether the same thing was measured is not known: unknown 'device'"),
            std::string::npos)
      << ComparisonHeadline(comparison);
}

}  // namespace
}  // namespace rangewise::render
