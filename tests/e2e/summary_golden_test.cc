// The summary of runs of all kinds, in all three forms, against the files of tests/data/summary.
// RANGEWISE_UPDATE_GOLDEN=1 writes them anew; read the difference before it is committed.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/analyze.h"
#include "analysis/range_tree.h"
#include "analysis/row_selection.h"
#include "artifact/summary_json.h"
#include "base/files.h"
#include "base/text.h"
#include "format/json.h"
#include "render/summary_report.h"
#include "support/golden.h"
#include "support/sample_document.h"
#include "support/schema_check.h"
#include "support/tables_builder.h"

namespace rangewise {
namespace {

using testing::TablesBuilder;

constexpr const char* kCapture = "profile-target";

// The tables of a harness run: a capture range and `iterations`, of which each has one stage.
class Recording {
 public:
  explicit Recording(int64_t capture_ns = 1'000'000) {
    tables_.Host(1, model::kNoParent, kCapture, capture_ns, 0, 0);
  }

  // An iteration with a stage; of no projection where `projected_ns` is 0.
  Recording& Iteration(int64_t index, int64_t host_ns, int64_t projected_ns,
                       const std::string& stage = "stage") {
    const int64_t iteration = next_++;
    const int64_t below = next_++;
    const int64_t start = 1000 * iteration;
    tables_.Host(iteration, 1, Format("iteration {}", index), host_ns, host_ns / 2, start);
    tables_.Host(below, iteration, stage, host_ns / 2, 0, start);
    if (projected_ns > 0) {
      tables_.Projected(iteration, 1, Format("iteration {}", index), projected_ns, host_ns, 2);
      tables_.Projected(below, iteration, stage, projected_ns, host_ns / 2, 2);
    }
    return *this;
  }
  Recording& Range(const std::string& name, int64_t ns) {
    const int64_t range = next_++;
    tables_.Host(range, 1, name, ns, 0, 1000 * range);
    return *this;
  }
  TablesBuilder& tables() { return tables_; }

 private:
  TablesBuilder tables_;
  int64_t next_ = 2;
};

model::AnalysisDocument Analysed(Recording recording, int64_t expected) {
  model::AnalysisDocument document;
  document.manifest.run_id = "golden";
  document.manifest.capture_range = kCapture;
  document.manifest.workload = {{"iterations", {Integer{Format("{}", expected)}}},
                                {"warmup", {Integer{"1"}}}};
  document.manifest.cuda = {{"synchronize_each_iteration", {true}},
                            {"synchronize_before_warmup", {false}}};
  document.harness = {.capture_range = kCapture, .expected_iterations = expected};
  document.provenance.nsys_version = "NVIDIA Nsight Systems version 2025.1.3";
  document.tables = std::move(recording.tables().tables());
  Diagnostics diagnostics;
  Result<model::Analysis> analysis =
      analysis::Analyze(document.tables, document.harness, {.threads = 1}, diagnostics);
  EXPECT_TRUE(analysis.ok()) << (analysis.ok() ? "" : analysis.error().message);
  if (analysis.ok()) document.analysis = std::move(*analysis);
  document.warnings = diagnostics.warnings();
  return document;
}

std::string Long(char c) { return "void " + std::string(590, c) + "<int>"; }

struct Case {
  const char* name;
  std::function<model::AnalysisDocument()> document;
};

const std::vector<Case>& Cases() {
  static const std::vector<Case> cases = {
      {"normal", test_support::SmokeDocument},
      {"cpu-only",
       [] {
         Recording recording;
         for (int64_t i = 0; i < 6; ++i) recording.Iteration(i, 50'000 + 100 * i, 0);
         recording.tables().tables().kernels.emplace();
         recording.tables().tables().copies.emplace();
         return Analysed(std::move(recording), 6);
       }},
      {"one-iteration",
       [] { return Analysed(std::move(Recording().Iteration(0, 50'000, 20'000)), 1); }},
      {"no-iterations",
       [] { return Analysed(std::move(Recording().Range("load", 400'000)), 0); }},
      {"missing-iterations",
       [] {
         Recording recording;
         recording.Iteration(0, 90'000, 21'000).Iteration(1, 50'000, 20'000);
         recording.Iteration(4, 51'000, 0).Iteration(5, 50'500, 20'500);
         return Analysed(std::move(recording), 8);
       }},
      {"many-names",
       [] {
         Recording recording(1'000'000'000);
         recording.Iteration(0, 50'000, 20'000);
         for (int64_t i = 0; i < 10'000; ++i) {
           recording.Range(Format("op {}, seq = {}", i % 7, i), 5000 + i);
         }
         return Analysed(std::move(recording), 1);
       }},
      {"long-names",
       [] {
         Recording recording;
         recording.Iteration(0, 50'000, 20'000, Long('s')).Range(Long('r'), 7000);
         recording.tables().Kernel(Long('k'), 3, 9000).Copy("Pageable", "Device", 1, 4096, 100);
         return Analysed(std::move(recording), 1);
       }},
      {"hostile-names",
       [] {
         Recording recording;
         recording.Iteration(0, 50'000, 20'000, "a | b `code` **bold** <img src=x>");
         recording.Range("line\nbreak\r\ttab", 7001).Range("\x1b[31mred\x1b[0m \x07", 7002);
         recording.Range("\u202eright to left\u202c \u05d0\u05d1\u05d2", 7003);
         recording.Range("[link](https://example.org) www.example.org @someone #1", 7004);
         recording.Range("`", 7005).Range("\\|", 7006).Range(" blanks ", 7007).Range("|---|", 7008);
         recording.Range("\u65e5\u672c\u8a9e \U0001f600", 7009).Range("zero\u200bwidth", 7010);
         recording.tables().Kernel("k<a|b>(`x`)\n", 1, 10).Copy("De|vice", "", 1, 4096, 100);
         return Analysed(std::move(recording), 1);
       }},
  };
  return cases;
}

model::Summary SummaryOf(const Case& run) {
  model::Summary summary{.file = {.document = run.document(),
                                  .tool_version = "0.0.0",
                                  .has_report_source = true,
                                  .has_findings = true},
                         .analysis_path = "runs/golden/analysis.json"};
  analysis::SelectRows(summary, 10);
  return summary;
}

void ExpectFile(const std::string& name, const std::string& text) {
  test_support::ExpectGolden("summary/" + name, text);
}

TEST(SummaryGolden, Text) {
  for (const Case& run : Cases()) {
    const std::string text =
        render::RenderText(render::MakeSummaryReport(SummaryOf(run), render::TimeUnit::kAuto), {});
    ExpectFile(std::string(run.name) + ".txt", text);
    EXPECT_FALSE(test_support::ActsOnATerminal(text)) << run.name;
    test_support::ExpectWithinColumns(text);
  }
}

TEST(SummaryGolden, Markdown) {
  for (const Case& run : Cases()) {
    const std::string text =
        render::RenderMarkdown(render::MakeSummaryReport(SummaryOf(run), render::TimeUnit::kAuto));
    ExpectFile(std::string(run.name) + ".md", text);
    EXPECT_FALSE(test_support::ActsOnATerminal(text)) << run.name;
  }
}

TEST(SummaryGolden, Json) {
  for (const Case& run : Cases()) {
    StringOutput out;
    artifact::WriteSummaryJson(SummaryOf(run), out);
    ExpectFile(std::string(run.name) + ".json", out.text());
    EXPECT_TRUE(format::ParseJson(out.text(), run.name).ok()) << run.name;
    EXPECT_EQ(test_support::SchemaProblems(out.text(), "summary-1.schema.json"),
              std::vector<std::string>())
        << run.name;
  }
}

TEST(SummaryGolden, NamesOfMarkdownAreWholeAndOfTextAreShort) {
  for (const Case& run : Cases()) {
    if (run.name != std::string("long-names")) continue;
    const render::Report report =
        render::MakeSummaryReport(SummaryOf(run), render::TimeUnit::kAuto);
    EXPECT_NE(render::RenderMarkdown(report).find(Long('k')), std::string::npos);
    const std::string text = render::RenderText(report, {});
    EXPECT_EQ(text.find(Long('k')), std::string::npos);
    EXPECT_NE(text.find("k...k"), std::string::npos);
  }
}

// 60 iterations of which every other one from 3 to 51 is an outlier.
model::Summary WithManyOutliers(size_t top) {
  Recording recording(100'000'000);
  for (int64_t i = 0; i < 60; ++i) {
    const bool outlier = i >= 3 && i < 53 && i % 2 == 1;
    recording.Iteration(i, 100'000 + i * 37 % 11 * 100 + (outlier ? 90'000 : 0), 0);
  }
  model::Summary summary{.file = {.document = Analysed(std::move(recording), 60),
                                  .tool_version = "0.0.0",
                                  .has_report_source = true,
                                  .has_findings = true},
                         .analysis_path = "a"};
  analysis::SelectRows(summary, top);
  return summary;
}

TEST(SummaryIterations, TheSentenceSaysWhichAreShown) {
  const auto says = [](size_t top, const std::string& sentence) {
    const std::string text = render::RenderMarkdown(
        render::MakeSummaryReport(WithManyOutliers(top), render::TimeUnit::kAuto));
    EXPECT_NE(text.find("\n" + sentence + ";"), std::string::npos)
        << top << text.substr(text.find("named by"), 2500);
  };
  says(10, "10 of 60 iterations: the first, the last, and 8 of the 25 that a finding names");
  says(2, "2 of 60 iterations: the first, the last, and none of the 25 that a finding names");
  says(1, "1 of 60 iterations: the first and none of the 25 that a finding names");
  says(30, "27 of 60 iterations: the first, the last, and those that a finding names");
  says(0, "Every iteration");
}

TEST(SummaryWidth, NarrowTerminalsKeepNamesApart) {
  for (const Case& run : Cases()) {
    for (const render::TimeUnit unit : {render::TimeUnit::kAuto, render::TimeUnit::kNs}) {
      const std::string text =
          render::RenderText(render::MakeSummaryReport(SummaryOf(run), unit), {.width = 60});
      SCOPED_TRACE(run.name);
      test_support::ExpectWithinColumns(text, 60);
    }
  }
}

TEST(SummaryWidth, LongKindsOfMemoryStayWithinTheLine) {
  Recording recording;
  recording.tables().Copy(std::string(200, 'f'), std::string(200, 't'), 1, 4096, INT64_MAX);
  model::Summary summary{.file = {.document = Analysed(std::move(recording), 0)}};
  analysis::SelectRows(summary, 10);
  const std::string text =
      render::RenderText(render::MakeSummaryReport(summary, render::TimeUnit::kNs), {});
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    EXPECT_LE(end - at, 100U) << text.substr(at, end - at);
    at = end + 1;
  }
  EXPECT_NE(text.find("9,223,372,036,854,775,807 ns"), std::string::npos) << text;
}

}  // namespace
}  // namespace rangewise
