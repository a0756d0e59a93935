// The page of a run and of a comparison: every place where a name is shown, what is missing, and
// sizes.
#include "render/page.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "analysis/page_selection.h"
#include "base/text.h"
#include "model/page_limits.h"
#include "support/comparisons.h"
#include "support/sample_document.h"
#include "support/sample_gpu_work.h"

namespace rangewise::render {
namespace {

using model::RunPage;

constexpr const char* kTemplate =
    "<!doctype html><title><!--rangewise:title--></title><main><!--rangewise:body--></main>"
    "<!--rangewise:data--><script>1</script>\n";

RunPage SamplePage() {
  RunPage page;
  page.summary.file = {.document = test_support::SmokeDocument(),
                       .tool_version = "0.0.0",
                       .has_report_source = true,
                       .has_findings = true};
  page.summary.analysis_path = "runs/smoke/analysis.json";
  test_support::AddGpuWork(page.summary.file.document);
  page.timeline.windows.push_back(
      {.label = "slowest iteration (1)",
       .iteration = 1,
       .length_ns = 1'000,
       .names = {"step"},
       .host = {{.label = "thread 1", .levels = 1, .items = {{0, 500}}}}});
  analysis::SelectPageRows(page);
  return page;
}

std::string BodyOf(const RunPage& page) { return MakeRunPage(page).body; }

size_t Count(const std::string& text, std::string_view what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST(RunPage, HasEverySectionOnce) {
  const std::string body = BodyOf(SamplePage());
  for (const char* id : {"head", "warnings", "findings", "iterations", "distribution", "scopes",
                         "gpu-scopes", "timeline", "tables-host-ranges", "tables-gpu-ranges",
                         "tables-gpu-projection", "tables-kernels", "tables-copies", "tables-waits",
                         "tables-gaps", "coverage", "glossary", "provenance"}) {
    EXPECT_EQ(Count(body, Format("<section id=\"{}\">", id)), 1u) << id;
    EXPECT_EQ(Count(body, Format("<a href=\"#{}\">", id)), 1u) << id;
  }
  for (const char* chart : {"iterations", "distribution", "scopes", "gpu-scopes", "timeline"}) {
    EXPECT_EQ(Count(body, Format("data-chart=\"{}\"", chart)), 1u) << chart;
  }
  EXPECT_EQ(Count(body, "<section "), Count(body, "</section>"));
  EXPECT_EQ(Count(body, "<table "), Count(body, "</table>"));
  EXPECT_EQ(Count(body, "<td"), Count(body, "</td>"));
}

// A name for each place, and how the place takes it. None may come through as markup, and each must
// be there as text.
struct NamedPlace {
  const char* what;
  std::function<void(RunPage&, const std::string&)> put;
};

const std::vector<NamedPlace>& Places() {
  static const std::vector<NamedPlace> places = {
      {"run id", [](RunPage& p, const std::string& n) { p.summary.file.document.manifest.run_id = n; }},
      {"profile",
       [](RunPage& p, const std::string& n) { p.summary.file.document.manifest.profile_name = n; }},
      {"commit",
       [](RunPage& p, const std::string& n) { p.summary.file.document.manifest.git_commit = n; }},
      {"device", [](RunPage& p, const std::string& n) { p.summary.file.document.manifest.device = n; }},
      {"started",
       [](RunPage& p, const std::string& n) { p.summary.file.document.manifest.started_at = n; }},
      {"workload key",
       [](RunPage& p, const std::string& n) {
         p.summary.file.document.manifest.workload[n] = {Integer{"1"}};
       }},
      {"workload value",
       [](RunPage& p, const std::string& n) {
         p.summary.file.document.manifest.workload["k"] = {n};
       }},
      {"capture range",
       [](RunPage& p, const std::string& n) { p.summary.file.document.harness.capture_range = n; }},
      {"iteration pattern",
       [](RunPage& p, const std::string& n) {
         p.summary.file.document.harness.iteration_pattern = n;
       }},
      {"nsys version",
       [](RunPage& p, const std::string& n) { p.summary.file.document.provenance.nsys_version = n; }},
      {"trace path",
       [](RunPage& p, const std::string& n) { p.summary.file.document.provenance.trace_path = n; }},
      {"option",
       [](RunPage& p, const std::string& n) {
         p.summary.file.document.provenance.options["iterations"] = n;
       }},
      {"option key",
       [](RunPage& p, const std::string& n) { p.summary.file.document.provenance.options[n] = "1"; }},
      {"input",
       [](RunPage& p, const std::string& n) { p.summary.file.document.provenance.inputs[n] = {}; }},
      {"input hash",
       [](RunPage& p, const std::string& n) {
         p.summary.file.document.provenance.inputs["a"] = {.size_bytes = 1, .xxh3_128 = n};
       }},
      {"analysis path", [](RunPage& p, const std::string& n) { p.summary.analysis_path = n; }},
      {"tool version", [](RunPage& p, const std::string& n) { p.summary.file.tool_version = n; }},
      {"warning",
       [](RunPage& p, const std::string& n) {
         p.summary.file.document.warnings.push_back({Code::kOpenRanges, n});
       }},
      {"later warning's word",
       [](RunPage& p, const std::string& n) {
         p.summary.file.document.warnings.push_back({Code::kCount, "sentence", n});
       }},
      {"finding",
       [](RunPage& p, const std::string& n) {
         p.summary.file.document.analysis.findings.push_back(
             {.code = Code::kManyNames, .sentence = n});
       }},
      {"later finding's word",
       [](RunPage& p, const std::string& n) {
         p.summary.file.document.analysis.findings.push_back({.later_word = n});
       }},
      {"host range and its path",
       [](RunPage& p, const std::string& n) {
         p.summary.file.document.analysis.host_groups.at(0).path =
             test_support::AddPath(p.summary.file.document, {"outer", n});
       }},
      {"projected range",
       [](RunPage& p, const std::string& n) {
         p.summary.file.document.analysis.projected_groups.at(0).path =
             test_support::AddPath(p.summary.file.document, {n, "inner"});
       }},
      {"range of GPU work",
       [](RunPage& p, const std::string& n) {
         p.summary.file.document.analysis.gpu_work->paths.at(0).path =
             test_support::AddPath(p.summary.file.document, {n});
       }},
      {"kernel",
       [](RunPage& p, const std::string& n) {
         p.summary.file.document.analysis.kernels->at(0).name =
             p.summary.file.document.tables.names.Intern(n);
       }},
      {"source of copies",
       [](RunPage& p, const std::string& n) {
         p.summary.file.document.analysis.copies->at(0).source =
             p.summary.file.document.tables.names.Intern(n);
       }},
      {"destination of copies",
       [](RunPage& p, const std::string& n) {
         p.summary.file.document.analysis.copies->at(0).destination =
             p.summary.file.document.tables.names.Intern(n);
       }},
      {"name of a device",
       [](RunPage& p, const std::string& n) {
         p.summary.file.document.analysis.gpu_work->devices.at(0).name = n;
       }},
      {"call of a gap",
       [](RunPage& p, const std::string& n) {
         p.summary.file.document.analysis.gpu_work->gaps.capture->devices.at(0).largest.at(0).call = n;
       }},
      {"range of a gap",
       [](RunPage& p, const std::string& n) {
         p.summary.file.document.analysis.gpu_work->gaps.capture->devices.at(0)
             .largest.at(0)
             .host_range = {p.summary.file.document.tables.names.Intern(n)};
       }},
      {"range that fills a gap",
       [](RunPage& p, const std::string& n) {
         p.summary.file.document.analysis.gpu_work->gaps.capture->devices.at(0)
             .largest.at(0)
             .filling = {{p.summary.file.document.tables.names.Intern(n)}, {1}};
       }},
      {"reason of what is null",
       [](RunPage& p, const std::string& n) {
         p.summary.file.document.analysis.gpu_work->null_reasons["calls"] = n;
       }},
      {"section of what is null",
       [](RunPage& p, const std::string& n) {
         p.summary.file.document.analysis.gpu_work->null_reasons[n] = "reason";
       }},
      {"reason without GPU work",
       [](RunPage& p, const std::string& n) {
         p.summary.file.document.analysis.gpu_work.reset();
         p.summary.file.document.analysis.no_gpu_work = n;
       }},
      {"reason without a timeline",
       [](RunPage& p, const std::string& n) { p.timeline = {.reason = n}; }},
      {"reason without GPU lanes", [](RunPage& p, const std::string& n) { p.timeline.gpu_reason = n; }},
      {"label of a window",
       [](RunPage& p, const std::string& n) { p.timeline.windows.at(0).label = n; }},
  };
  return places;
}

TEST(RunPage, NoNameIsMarkupInAnyPlace) {
  for (const NamedPlace& place : Places()) {
    RunPage page = SamplePage();
    place.put(page,
              "</script></title><img src=x onerror=\"a('1')\">\xe2\x80\xae\x1b[31m\xe2\x80\xa8");
    analysis::SelectPageRows(page);
    const PageParts parts = MakeRunPage(page);
    const std::string whole = parts.title + parts.body;
    for (const char* forbidden :
         {"<img", "</script", "</title", "onerror=\"", "\xe2\x80\xae", "\x1b", "\xe2\x80\xa8"}) {
      EXPECT_EQ(whole.find(forbidden), std::string::npos) << place.what << ": " << forbidden;
    }
    EXPECT_NE(
        whole.find(
            "&lt;img src=x onerror=&quot;a(&#39;1&#39;)&quot;&gt;\\u{202e}\\x1b[31m\\u{2028}"),
        std::string::npos)
        << place.what << " is not on the page";
  }
}

TEST(RunPage, NoNameMakesItLong) {
  for (const NamedPlace& place : Places()) {
    RunPage page = SamplePage();
    const size_t before = BodyOf(page).size();
    place.put(page, std::string(100'000, '&'));
    analysis::SelectPageRows(page);
    EXPECT_LE(BodyOf(page).size(), before + 40'000) << place.what;
  }
}

TEST(RunPage, WhatIsMissingIsNeverZero) {
  RunPage page = SamplePage();
  model::AnalysisDocument& document = page.summary.file.document;
  model::Analysis& analysis = document.analysis;
  analysis.iterations.at(0).projection.reset();
  analysis.iteration_summary.projected.reset();
  analysis.host_groups.at(0).inclusive.p95_ns.reset();
  analysis.copies->at(0).source = model::kNoName;
  const std::string body = BodyOf(page);
  EXPECT_GE(Count(body, "<td data-v=\"\" title=\"no GPU projection of this iteration\">–</td>"),
            2u);
  EXPECT_GE(Count(body, "<td data-v=\"\" title=\"not measured\">–</td>"), 11u);
  EXPECT_GE(Count(body, "<td data-v=\"\" title=\"not in this analysis\">–</td>"), 1u);
  EXPECT_GE(Count(body, "<td data-v=\"\" title=\"the export does not say\">–</td>"), 1u);
}

TEST(RunPage, ARunWithoutAnythingStillHasEverySection) {
  RunPage page;
  page.timeline.reason = "the run has no iterations";
  analysis::SelectPageRows(page);
  const std::string body = BodyOf(page);
  EXPECT_EQ(Count(body, "<section "), 18u);
  EXPECT_EQ(Count(body, "<figure"), 0u);
  EXPECT_NE(body.find("None: the run has no iterations."), std::string::npos);
  EXPECT_NE(body.find("No iteration was found"), std::string::npos);
}

TEST(RunPage, SparseGpuWorkSaysWhatIsNotKnown) {
  RunPage page = SamplePage();
  test_support::AddSparseGpuWork(page.summary.file.document);
  analysis::SelectPageRows(page);
  const std::string body = BodyOf(page);
  EXPECT_NE(body.find("title=\"no CUDA calls in the export\">–</td>"), std::string::npos);
}

TEST(RunPage, SameInputSameBytes) { EXPECT_EQ(BodyOf(SamplePage()), BodyOf(SamplePage())); }

TEST(RunPage, StaysSmallWhateverTheNames) {
  RunPage page = SamplePage();
  model::AnalysisDocument& document = page.summary.file.document;
  model::Analysis& analysis = document.analysis;
  const model::HostGroup host = analysis.host_groups.at(0);
  const model::ProjectedGroup projected = analysis.projected_groups.at(0);
  const model::PathGpuWork work = analysis.gpu_work->paths.at(0);
  for (int i = 0; i < 1'100; ++i) {
    const std::string name = Format("{}{}", std::string(700, '"'), i);
    const model::ScopePath path = test_support::AddPath(document, {name});
    analysis.host_groups.push_back(host);
    analysis.host_groups.back().path = path;
    analysis.projected_groups.push_back(projected);
    analysis.projected_groups.back().path = path;
    analysis.gpu_work->paths.push_back(work);
    analysis.gpu_work->paths.back().path = path;
    analysis.kernels->push_back({document.tables.names.Intern(name), 1, 1});
    analysis.iterations.push_back({.index = 100 + i, .host = model::HostIteration{}});
    document.warnings.push_back({Code::kOpenRanges, name});
    document.manifest.workload[name] = {name};
  }
  analysis::SelectPageRows(page);
  const std::string body = BodyOf(page);
  EXPECT_LE(body.size(), model::kMostTablesBytes + 8 * model::kMostListBytes);
  EXPECT_NE(body.find("more rows are not on this page"), std::string::npos);
}

TEST(RunPage, OfManyIterationsTheNamedOnesAndTheLastStay) {
  RunPage page = SamplePage();
  model::Analysis& analysis = page.summary.file.document.analysis;
  analysis.iterations.clear();
  for (int64_t i = 0; i < 10'000; ++i) analysis.iterations.push_back({.index = i});
  analysis.findings = {{.code = Code::kOutlierIterations,
                        .clock = model::FindingClock::kHost,
                        .sentence = "one",
                        .iterations = {9'000},
                        .rows_total = 1}};
  analysis::SelectPageRows(page);
  const std::string body = BodyOf(page);
  for (const char* index : {"0", "500", "9000", "9999"})
    EXPECT_NE(body.find(Format("<tr><td data-v=\"{}\">{}</td>", index, index)), std::string::npos);
  EXPECT_EQ(body.find("<tr><td data-v=\"5000\">5000</td>"), std::string::npos);
  EXPECT_NE(body.find("first 600 of 10,000 rows"), std::string::npos);
  EXPECT_NE(body.find("outlier (host)"), std::string::npos);
}

TEST(RunPage, FindingsStandByTheirSeverityWithTheirClock) {
  RunPage page = SamplePage();
  page.summary.file.document.analysis.findings = {
      {.severity = model::FindingSeverity::kWarning, .computed = false, .sentence = "unknown"},
      {.severity = model::FindingSeverity::kInfo, .sentence = "aside"},
      {.severity = model::FindingSeverity::kNotice,
       .clock = model::FindingClock::kProjected,
       .sentence = "first notice"},
      {.severity = model::FindingSeverity::kWarning, .sentence = "grave"},
      {.severity = model::FindingSeverity::kNotice, .sentence = "second notice"}};
  const std::string body = BodyOf(page);
  const auto at = [&](std::string_view what) {
    EXPECT_NE(body.find(what), std::string::npos) << what;
    return body.find(what);
  };
  EXPECT_LT(at("grave"), at("first notice"));
  EXPECT_LT(at("first notice"), at("second notice"));
  EXPECT_LT(at("second notice"), at("aside"));
  EXPECT_LT(at("aside"), at("unknown"));
  at("<li data-severity=\"notice\"><span class=\"severity\">notice</span> "
     "<span class=\"clock\">GPU projection</span>");
  at("<span class=\"severity\">not computed</span>");
}

TEST(FillTemplate, PutsEachPartInItsPlace) {
  const auto page = FillTemplate(kTemplate, {"T", "<p>B</p>"}, "{}");
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(
      *page,
      "<!doctype html><title>T</title><main><p>B</p></main>"
      "<script type=\"application/json\" id=\"rangewise-data\">{}</script><script>1</script>\n");
}

TEST(FillTemplate, ATextThatLooksLikeAPlaceIsText) {
  const auto page = FillTemplate(kTemplate, {"<!--rangewise:body-->", "b"}, "{}");
  ASSERT_TRUE(page.ok());
  EXPECT_NE(page->find("<title><!--rangewise:body--></title><main>b</main>"), std::string::npos);
}

TEST(FillTemplate, ATemplateWithoutAPlaceOrWithTwoIsRefused) {
  for (const std::string& bad :
       {std::string(), std::string("<!--rangewise:title--><!--rangewise:body-->"),
        std::string(kTemplate) + "<!--rangewise:body-->",
        std::string("<!--rangewise:body--><!--rangewise:title--><!--rangewise:data-->")}) {
    const auto page = FillTemplate(bad, {"t", "b"}, "{}");
    ASSERT_FALSE(page.ok());
    EXPECT_EQ(page.error().code, Code::kInternal);
  }
}

TEST(ComparisonPage, HasItsSectionsAndTables) {
  for (const model::Comparison& comparison : test_support::SampleComparisons()) {
    const std::string body = MakeComparisonPage(comparison).body;
    for (const char* id : {"verdict", "caveats", "contract", "runs", "strips", "forest",
                           "added-removed", "glossary", "provenance"}) {
      EXPECT_EQ(Count(body, Format("<section id=\"{}\">", id)), 1u) << id;
    }
    EXPECT_NE(body.find(Format("data-verdict=\"{}\"", model::VerdictName(comparison.verdict))),
              std::string::npos);
    model::ForEachTable(comparison, [&](const auto& table) {
      const size_t expected = table.rows.empty() ? 0 : 1;
      EXPECT_EQ(Count(body, Format("data-table=\"{}\"", model::MetricName(table.metric))),
                expected);
    });
  }
}

TEST(ComparisonPage, NumbersAreThoseOfTheComparison) {
  const model::Comparison comparison = test_support::Regression();
  const std::string body = MakeComparisonPage(comparison).body;
  const auto& row = comparison.host_iterations.rows.at(0);
  EXPECT_NE(body.find(Format("<td data-v=\"{}\">", ShortestDecimal(std::exp(*row.log_ratio)))),
            std::string::npos);
  for (const auto& value : row.baseline)
    EXPECT_NE(body.find(Format("<td data-v=\"{}\">", ShortestDecimal(value->median_ns))),
              std::string::npos);
}

TEST(ComparisonPage, NoNameIsMarkupInAnyPlace) {
  const std::string whole = MakeComparisonPage(test_support::Hostile(40)).body;
  for (const char* forbidden :
       {"<script", "</script", "<!--", "<img", "javascript:1\"", "\xe2\x80\xae", "\x1b", "\x07"}) {
    EXPECT_EQ(whole.find(forbidden), std::string::npos) << forbidden;
  }
  EXPECT_NE(whole.find("&lt;/details&gt;&lt;script&gt;alert(1)&lt;/script&gt;"), std::string::npos);
}

TEST(ComparisonPage, StaysSmallWhateverTheRows) {
  const std::string body = MakeComparisonPage(test_support::Hostile(400)).body;
  EXPECT_LE(body.size(), model::kMostTablesBytes + 8 * model::kMostListBytes);
  EXPECT_NE(body.find("the comparison&#39;s JSON has all"), std::string::npos);
}

}  // namespace
}  // namespace rangewise::render
