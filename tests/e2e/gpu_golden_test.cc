// What `rangewise gpu` shows of GPU work made by hand, in all four forms, against the files of
// tests/data/gpu. RANGEWISE_UPDATE_GOLDEN=1 writes them anew; read the difference before it is
// committed.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/gpu_selection.h"
#include "artifact/gpu_csv.h"
#include "artifact/gpu_json.h"
#include "base/files.h"
#include "base/text.h"
#include "format/json.h"
#include "render/gpu_report.h"
#include "support/golden.h"
#include "support/sample_document.h"
#include "support/sample_gpu_work.h"

namespace rangewise {
namespace {

using model::GpuBy;
using model::GpuSortKey;

model::AnalysisDocument Whole() {
  model::AnalysisDocument document = test_support::SmokeDocument();
  test_support::AddGpuWork(document);
  document.analysis.findings = {{.code = Code::kGpuIdleInIterations, .sentence = "half of it"},
                                {.code = Code::kManyNames, .sentence = "not about GPU work"}};
  return document;
}

model::AnalysisDocument Sparse() {
  model::AnalysisDocument document;
  test_support::AddSparseGpuWork(document);
  return document;
}

// Nothing but whole graphs in a range; two processes with streams of one number.
model::AnalysisDocument Graphs() {
  model::AnalysisDocument document = test_support::SmokeDocument();
  test_support::AddGpuWork(document);
  model::RangeGpuWork& work = *document.analysis.gpu_work;
  model::GpuWork& only_graphs = work.paths[1].work;
  only_graphs = {.total = {}, .own = {}, .busy = std::nullopt, .graphs = {.records = {2, {90'000}}}};
  work.gaps = {};
  const std::string why = "whole CUDA graphs ran, of which only the span is known";
  work.null_reasons = {{"busy", why}, {"busy_share", why}, {"gaps", why}};
  std::vector<model::StreamWork>& streams = work.devices[0].streams;
  streams.push_back(streams[0]);
  streams.back().process = 800;
  return document;
}

model::AnalysisDocument Absent() {
  model::AnalysisDocument document = test_support::SmokeDocument();
  document.analysis.no_gpu_work = "the tables were read as they are";
  return document;
}

model::AnalysisDocument Hostile() {
  model::AnalysisDocument document = test_support::SmokeDocument();
  document.tables.names.Intern("unused");
  test_support::AddGpuWork(document,
                           {.kernel = "=HYPERLINK(\"x\") | `k` <b>\n\x1b[31m" + std::string(300, 'k'),
                            .collective = "\u202enccl\u202c,\"quoted\"",
                            .direction = "a|b\r\n" + std::string(200, 'd'),
                            .device = "@device \x07",
                            .call = "+call\u200b" + std::string(200, 'c')});
  auto& work = *document.analysis.gpu_work;
  work.paths.push_back({test_support::AddPath(document, {"-1+1", "|---|\t\x1b]0;title\x07"}),
                        work.paths[0].work});
  work.paths.back().work.devices[1].classes[0].name = "**class** | x";
  return document;
}

struct Case {
  const char* name;
  std::function<model::AnalysisDocument()> document;
  GpuBy by;
  GpuSortKey sort;
  size_t top = 10;
};

const std::vector<Case>& Cases() {
  static const std::vector<Case> cases = {
      {"overview", Whole, GpuBy::kOverview, GpuSortKey::kBusy},
      {"path", Whole, GpuBy::kPath, GpuSortKey::kCopies},
      {"path-first", Whole, GpuBy::kPath, GpuSortKey::kDelay, 1},
      {"iteration", Whole, GpuBy::kIteration, GpuSortKey::kName},
      {"device", Whole, GpuBy::kDevice, GpuSortKey::kName},
      {"stream", Whole, GpuBy::kStream, GpuSortKey::kBusy},
      {"kernel", Whole, GpuBy::kKernel, GpuSortKey::kKernels},
      {"sparse", Sparse, GpuBy::kPath, GpuSortKey::kWaits},
      {"sparse-overview", Sparse, GpuBy::kOverview, GpuSortKey::kBusy},
      {"graphs-overview", Graphs, GpuBy::kOverview, GpuSortKey::kBusy},
      {"graphs-iteration", Graphs, GpuBy::kIteration, GpuSortKey::kName},
      {"graphs-stream", Graphs, GpuBy::kStream, GpuSortKey::kName},
      {"absent", Absent, GpuBy::kOverview, GpuSortKey::kBusy},
      {"hostile-path", Hostile, GpuBy::kPath, GpuSortKey::kName},
      {"hostile-overview", Hostile, GpuBy::kOverview, GpuSortKey::kName},
      {"hostile-device", Hostile, GpuBy::kDevice, GpuSortKey::kName},
  };
  return cases;
}

model::GpuView ViewOf(const Case& run) {
  model::GpuView view{.file = {.document = run.document(),
                               .tool_version = "0.0.0",
                               .has_report_source = true,
                               .has_findings = true},
                      .analysis_path = "runs/golden/analysis.json",
                      .by = run.by,
                      .sort = run.sort};
  analysis::SelectGpuRows(view, run.top);
  return view;
}

void ExpectFile(const std::string& name, const std::string& text) {
  test_support::ExpectGolden("gpu/" + name, text);
}

TEST(GpuGolden, Text) {
  for (const Case& run : Cases()) {
    const std::string text =
        render::RenderText(render::MakeGpuReport(ViewOf(run), render::TimeUnit::kAuto), {});
    ExpectFile(std::string(run.name) + ".txt", text);
    EXPECT_FALSE(test_support::ActsOnATerminal(text)) << run.name;
    test_support::ExpectWithinColumns(text);
  }
}

TEST(GpuGolden, Markdown) {
  for (const Case& run : Cases()) {
    const std::string text =
        render::RenderMarkdown(render::MakeGpuReport(ViewOf(run), render::TimeUnit::kAuto));
    ExpectFile(std::string(run.name) + ".md", text);
    EXPECT_FALSE(test_support::ActsOnATerminal(text)) << run.name;
  }
}

TEST(GpuGolden, Json) {
  for (const Case& run : Cases()) {
    StringOutput out;
    artifact::WriteGpuJson(ViewOf(run), out);
    ExpectFile(std::string(run.name) + ".json", out.text());
    EXPECT_TRUE(format::ParseJson(out.text(), run.name).ok()) << run.name;
  }
}

// Fields of a record without quotes inside of quotes.
std::vector<std::string> Fields(std::string_view record) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : record) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

TEST(GpuGolden, Csv) {
  for (const Case& run : Cases()) {
    StringOutput out;
    artifact::WriteGpuCsv(ViewOf(run), out);
    const std::string& text = out.text();
    ExpectFile(std::string(run.name) + ".csv", text);
    EXPECT_FALSE(test_support::ActsOnATerminal(text, true)) << run.name;
    size_t columns = 0;
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find("\r\n", at);
      ASSERT_NE(end, std::string::npos) << run.name;
      const size_t fields = Fields(std::string_view(text).substr(at, end - at)).size();
      if (columns == 0) columns = fields;
      EXPECT_EQ(fields, columns) << run.name;
      at = end + 2;
    }
  }
}

TEST(GpuGolden, RowsComeByTheKeyLargestFirstAndUnknownOnesLast) {
  const auto rows = [](GpuBy by, GpuSortKey sort) {
    return ViewOf({"", Whole, by, sort}).rows.rows;
  };
  using Rows = std::vector<uint32_t>;
  EXPECT_EQ(rows(GpuBy::kPath, GpuSortKey::kBusy), (Rows{0, 1}));
  // Whole graphs ran in the second path, and no operation began after its call.
  EXPECT_EQ(rows(GpuBy::kPath, GpuSortKey::kBusyShare), (Rows{0, 1}));
  EXPECT_EQ(rows(GpuBy::kPath, GpuSortKey::kDelay), (Rows{0, 1}));
  EXPECT_EQ(rows(GpuBy::kIteration, GpuSortKey::kWaits), (Rows{0, 1}));
  EXPECT_EQ(rows(GpuBy::kStream, GpuSortKey::kCopies), (Rows{1, 0}));
  EXPECT_EQ(rows(GpuBy::kStream, GpuSortKey::kBusy), (Rows{0, 1}));
  EXPECT_EQ(rows(GpuBy::kDevice, GpuSortKey::kName), (Rows{0, 1}));
  const model::GpuView first = ViewOf({"", Whole, GpuBy::kPath, GpuSortKey::kBusy, 1});
  EXPECT_EQ(first.rows.rows, (Rows{0}));
  EXPECT_EQ(first.rows.total, 2U);
}

TEST(GpuGolden, WordsKeepSumsAndUnionsApart) {
  for (const Case& run : Cases()) {
    const render::Report report = render::MakeGpuReport(ViewOf(run), render::TimeUnit::kAuto);
    for (const render::Section& section : report.sections) {
      for (const render::Block& block : section.blocks) {
        const auto* table = std::get_if<render::ReportTable>(&block);
        if (table == nullptr) continue;
        for (const render::ReportColumn& column : table->columns) {
          const bool is_busy = column.header.find("busy") != std::string::npos;
          EXPECT_FALSE(is_busy && column.header.find("sum") != std::string::npos) << column.header;
        }
        for (const auto& row : table->rows) EXPECT_EQ(row.size(), table->columns.size());
      }
    }
  }
}

}  // namespace
}  // namespace rangewise
