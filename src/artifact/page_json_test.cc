#include "artifact/page_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/text.h"
#include "model/page_limits.h"
#include "support/comparisons.h"
#include "support/sample_document.h"
#include "support/sample_gpu_work.h"

namespace rangewise::artifact {
namespace {

using Json = nlohmann::json;
using model::RunPage;

RunPage SamplePage() {
  RunPage page;
  page.summary.file.document = test_support::SmokeDocument();
  test_support::AddGpuWork(page.summary.file.document);
  page.timeline.reason = "no export";
  return page;
}

std::string TitleOf(model::Metric metric) { return std::string(model::MetricName(metric)); }

Json DataOf(const RunPage& page) { return Json::parse(PageJson(page)); }

TEST(PageJson, IterationsAreThoseOfTheAnalysis) {
  const RunPage page = SamplePage();
  const model::Analysis& analysis = page.document().analysis;
  const Json data = DataOf(page);
  EXPECT_EQ(data["page_version"], 1);
  EXPECT_EQ(data["kind"], "run");
  const Json& iterations = data["iterations"];
  ASSERT_EQ(iterations["index"].size(), analysis.iterations.size());
  for (size_t i = 0; i < analysis.iterations.size(); ++i) {
    const model::Iteration& iteration = analysis.iterations[i];
    EXPECT_EQ(iterations["index"][i], iteration.index);
    EXPECT_EQ(iterations["host_inclusive_ns"][i], iteration.host->inclusive.ns);
    EXPECT_EQ(iterations["projected_ns"][i], iteration.projection->projected.ns);
  }
  EXPECT_EQ(iterations["host"]["median_ns"],
            model::MedianNs(*analysis.iteration_summary.host_inclusive));
  EXPECT_EQ(iterations["left_out"], 0);
}

TEST(PageJson, WhatIsMissingIsNull) {
  RunPage page = SamplePage();
  model::Analysis& analysis = page.summary.file.document.analysis;
  analysis.iterations.at(0).projection.reset();
  analysis.iterations.at(1).host.reset();
  analysis.iteration_summary.projected.reset();
  const Json data = DataOf(page);
  EXPECT_TRUE(data["iterations"]["projected_ns"][0].is_null());
  EXPECT_TRUE(data["iterations"]["host_inclusive_ns"][1].is_null());
  EXPECT_TRUE(data["iterations"]["projection"].is_null());
  EXPECT_EQ(data["timeline"]["reason"], "no export");
  EXPECT_TRUE(data["timeline"]["gpu_reason"].is_null());

  analysis.gpu_work.reset();
  analysis.projected_groups.clear();
  const Json without = DataOf(page);
  for (const char* column : {"projected_ns", "gpu_busy_ns", "busy_share_ratio"}) {
    for (const Json& value : without["scopes"][column]) EXPECT_TRUE(value.is_null()) << column;
  }
}

TEST(PageJson, OutliersArePlacesInTheColumns) {
  RunPage page = SamplePage();
  model::Analysis& analysis = page.summary.file.document.analysis;
  analysis.iterations.at(0).index = 7;
  analysis.iterations.at(1).index = 9;
  analysis.findings = {{.code = Code::kOutlierIterations,
                        .clock = model::FindingClock::kProjected,
                        .iterations = {9}}};
  const Json data = DataOf(page);
  EXPECT_EQ(data["iterations"]["host"]["outliers"], Json::array());
  EXPECT_EQ(data["iterations"]["projection"]["outliers"], Json({1}));
}

TEST(PageJson, ScopesAreATreeWithTheNumbersOfTheAnalysis) {
  const RunPage page = SamplePage();
  const model::Analysis& analysis = page.document().analysis;
  const Json scopes = DataOf(page)["scopes"];
  ASSERT_EQ(scopes["name"].size(), analysis.paths.size());
  EXPECT_EQ(scopes["folded"], 0);
  int64_t exclusive = 0;
  for (size_t row = 0; row < analysis.paths.size(); ++row) {
    EXPECT_LT(scopes["parent"][row].get<int64_t>(), static_cast<int64_t>(row));
    if (!scopes["host_exclusive_ns"][row].is_null())
      exclusive += scopes["host_exclusive_ns"][row].get<int64_t>();
  }
  int64_t expected = 0;
  for (const model::HostGroup& group : analysis.host_groups) expected += group.exclusive.total.ns;
  EXPECT_EQ(exclusive, expected);
}

// A tree of `outer` paths with `inner` each, of 1 ns and more.
void AddPaths(RunPage& page, int64_t outer, int64_t inner, const std::string& name) {
  model::AnalysisDocument& document = page.summary.file.document;
  document.analysis.paths.clear();
  document.analysis.host_groups.clear();
  document.analysis.projected_groups.clear();
  document.analysis.grouped.reset();
  document.analysis.gpu_work.reset();
  for (int64_t i = 0; i < outer; ++i) {
    const auto parent = static_cast<model::ScopePath>(document.analysis.paths.size());
    document.analysis.paths.push_back(
        {model::kRootPath, document.tables.names.Intern(Format("{}outer {}", name, i))});
    document.analysis.host_groups.push_back(
        {.path = parent, .instances = 1, .exclusive = {.total = {0}}});
    for (int64_t j = 0; j < inner; ++j) {
      const auto path = static_cast<model::ScopePath>(document.analysis.paths.size());
      document.analysis.paths.push_back(
          {parent, document.tables.names.Intern(Format("{}inner {}", name, j))});
      document.analysis.host_groups.push_back(
          {.path = path, .instances = 1, .exclusive = {.total = {1 + i * j}}});
    }
  }
}

TEST(PageJson, FiveThousandPathsAreAllThere) {
  RunPage page = SamplePage();
  AddPaths(page, 100, 49, "operator_");
  const Json scopes = DataOf(page)["scopes"];
  EXPECT_EQ(scopes["name"].size(), 5'000u);
  EXPECT_EQ(scopes["folded"], 0);
}

TEST(PageJson, OfTooManyPathsTheLargestStayWithTheirParents) {
  RunPage page = SamplePage();
  AddPaths(page, 400, 49, "");
  const Json scopes = DataOf(page)["scopes"];
  const size_t rows = scopes["name"].size();
  EXPECT_LE(rows, model::kMostScopes);
  EXPECT_GT(rows, 4'000u);
  EXPECT_EQ(rows + scopes["folded"].get<size_t>(), 20'000u);
  // No time is lost.
  int64_t all = scopes["folded_above_exclusive_ns"];
  for (size_t row = 0; row < rows; ++row) {
    EXPECT_LT(scopes["parent"][row].get<int64_t>(), static_cast<int64_t>(row));
    all += scopes["host_exclusive_ns"][row].get<int64_t>() +
           scopes["folded_exclusive_ns"][row].get<int64_t>();
  }
  int64_t expected = 0;
  for (const model::HostGroup& group : page.document().analysis.host_groups)
    expected += group.exclusive.total.ns;
  EXPECT_EQ(all, expected);
}

TEST(PageJson, StaysSmallWhateverTheNames) {
  RunPage page = SamplePage();
  AddPaths(page, 100, 99, std::string(20'000, '<'));
  model::Analysis& analysis = page.summary.file.document.analysis;
  analysis.iterations.clear();
  for (int64_t i = 0; i < 20'000; ++i) {
    analysis.iterations.push_back(
        {.index = i + (int64_t{1} << 60),
         .host = model::HostIteration{.inclusive = {INT64_MIN}},
         .projection = model::ProjectedIteration{.projected = {INT64_MIN}}});
  }
  const std::string data = PageJson(page);
  EXPECT_LE(data.size(), 1'700'000u);
  EXPECT_EQ(Json::parse(data)["iterations"]["left_out"],
            20'000 - static_cast<int64_t>(model::kMostChartIterations));
}

TEST(PageJson, ADeepTreeIsNoMatter) {
  RunPage page = SamplePage();
  AddPaths(page, 1, 0, "");
  model::AnalysisDocument& document = page.summary.file.document;
  for (uint32_t i = 0; i < 20'000; ++i)
    document.analysis.paths.push_back({i, document.tables.names.Intern("level")});
  const Json scopes = DataOf(page)["scopes"];
  EXPECT_EQ(scopes["parent"][5], 4);
}

TEST(PageJson, TimelineItemsAreColumns) {
  RunPage page = SamplePage();
  page.timeline = {};
  model::TimelineWindow window{.label = "first iteration (0)", .length_ns = 100, .names = {"a<b>"}};
  window.host.push_back(
      {.label = "thread 1", .levels = 2, .items = {{0, 90, 0, 0}, {5, 95, 1, 0}}});
  window.host[0].items[1].is_cut = true;
  window.gpu.push_back({.label = "device 0, stream 7", .items = {{10, 20, 0, 0}}});
  window.gpu[0].items[0].kind = model::TimelineKind::kCopy;
  page.timeline.windows.push_back(window);
  const std::string text = PageJson(page);
  EXPECT_EQ(text.find('<'), std::string::npos);
  const Json timeline = Json::parse(text)["timeline"];
  EXPECT_TRUE(timeline["reason"].is_null());
  const Json& host = timeline["windows"][0]["host"][0];
  EXPECT_EQ(host["start_ns"], Json({0, 5}));
  EXPECT_EQ(host["level"], Json({0, 1}));
  EXPECT_EQ(host["cut"], Json({1}));
  EXPECT_EQ(timeline["windows"][0]["gpu"][0]["kind"], Json({1}));
  EXPECT_EQ(timeline["windows"][0]["names"], Json({"a<b>"}));
}

TEST(PageJson, NamesOfAWindowAreBoundedTogether) {
  RunPage page = SamplePage();
  page.timeline = {};
  model::TimelineWindow window{.label = "w"};
  for (int i = 0; i < 2'000; ++i)
    window.names.push_back(Format("{}{}", std::string(5'000, 'x'), i));
  page.timeline.windows.push_back(window);
  const Json names = DataOf(page)["timeline"]["windows"][0]["names"];
  ASSERT_EQ(names.size(), 2'000u);
  EXPECT_NE(names[0], "(name left out)");
  EXPECT_EQ(names[1'999], "(name left out)");
  EXPECT_LE(names.dump().size(), model::kMostTimelineNameBytes + 2'000 * 25);
}

TEST(PageJson, AComparisonHasItsValuesAndRatios) {
  const model::Comparison comparison = test_support::Regression();
  const Json data = Json::parse(PageJson(comparison, TitleOf));
  EXPECT_EQ(data["kind"], "comparison");
  EXPECT_EQ(data["floor_ratio"], 0.03);
  EXPECT_EQ(data["runs"]["baseline"].size(), comparison.baseline.size());
  const Json& metric = data["metrics"][0];
  EXPECT_EQ(metric["id"], "host-iterations");
  EXPECT_EQ(metric["clock"], "host");
  const Json& row = metric["rows"][0];
  const auto& expected = comparison.host_iterations.rows.at(0);
  EXPECT_EQ(row["verdict"], "regressed");
  EXPECT_TRUE(row["reason"].is_null());
  EXPECT_TRUE(row["primary"].get<bool>());
  EXPECT_EQ(row["ratio"], std::exp(*expected.log_ratio));
  EXPECT_EQ(row["low"], std::exp(expected.interval->low));
  EXPECT_EQ(row["p"], *expected.p);
  EXPECT_TRUE(row["q"].is_null());
  ASSERT_EQ(row["baseline"].size(), expected.baseline.size());
  EXPECT_EQ(row["baseline"][2], expected.baseline[2]->median_ns);
}

TEST(PageJson, ARunWithoutTheMetricIsNull) {
  const Json data = Json::parse(PageJson(test_support::WithoutGpuInOneRun(), TitleOf));
  bool any = false;
  for (const Json& metric : data["metrics"]) {
    if (metric["id"] != "gpu-iterations" && metric["clock"] != "projected") continue;
    for (const Json& row : metric["rows"]) any = any || row["candidate"][2].is_null();
  }
  EXPECT_TRUE(any);
}

TEST(PageJson, EveryComparisonIsReadableAndBounded) {
  std::vector<model::Comparison> comparisons = test_support::SampleComparisons();
  comparisons.push_back(test_support::Hostile(400));
  for (const model::Comparison& comparison : comparisons) {
    const std::string text = PageJson(comparison, TitleOf);
    EXPECT_EQ(text.find('<'), std::string::npos);
    EXPECT_LE(text.size(), 10 * model::kMostMetricBytes + 100'000);
    const Json page = Json::parse(text);
    for (const Json& metric : page.at("metrics")) {
      EXPECT_LE(metric["rows"].size(), model::kMostForestRows);
      EXPECT_GE(metric["rows"].size(), 1u);
    }
  }
}

TEST(PageJson, SameInputSameBytes) {
  EXPECT_EQ(PageJson(SamplePage()), PageJson(SamplePage()));
  EXPECT_EQ(PageJson(test_support::Hostile(40), TitleOf),
            PageJson(test_support::Hostile(40), TitleOf));
}

}  // namespace
}  // namespace rangewise::artifact
