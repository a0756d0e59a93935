#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "artifact/analysis_json.h"
#include "base/files.h"
#include "support/sample_document.h"
#include "support/schema_check.h"

namespace rangewise::artifact {
namespace {

using nlohmann::json;
using test_support::AddPath;
using test_support::SchemaProblems;
using test_support::Single;

json Written(const model::AnalysisDocument& document) {
  StringOutput out;
  WriteAnalysisJson(document, out);
  EXPECT_EQ(SchemaProblems(out.text()), std::vector<std::string>{});
  return json::parse(out.text());
}

TEST(FindingsJson, HoldNumbersAndRows) {
  model::AnalysisDocument document;
  document.analysis.findings = {
      {.code = Code::kOutlierIterations,
       .severity = model::FindingSeverity::kNotice,
       .clock = model::FindingClock::kProjected,
       .sentence = "two lie far out",
       .numbers = {{"outliers_count", int64_t{2}}, {"mad_ns", 4.0}},
       .iterations = {3, std::numeric_limits<int64_t>::max()},
       .rows_total = 2},
      {.code = Code::kOverheadScaleRanges,
       .severity = model::FindingSeverity::kWarning,
       .clock = model::FindingClock::kHost,
       .sentence = "many are short",
       .paths = {{"a", "b.c"}, {"d"}},
       .rows_total = 17},
      {.code = Code::kOneRun, .computed = false, .sentence = "no reason"}};
  const json findings = Written(document)["findings"];
  EXPECT_EQ(findings[0], json({{"code", "outlier-iterations"},
                               {"severity", "notice"},
                               {"clock", "gpu_projected"},
                               {"computed", true},
                               {"sentence", "two lie far out"},
                               {"numbers", {{"mad_ns", 4.0}, {"outliers_count", 2}}},
                               {"rows", {{{"iteration", 3}}, {{"iteration", INT64_MAX}}}},
                               {"rows_total", 2}}));
  EXPECT_TRUE(findings[0]["numbers"]["mad_ns"].is_number_float());
  EXPECT_EQ(findings[1]["rows"],
            json::array({{{"path", {"a", "b.c"}}}, {{"path", json::array({"d"})}}}));
  EXPECT_EQ(findings[1]["severity"], "warning");
  EXPECT_EQ(findings[1]["clock"], "host");
  EXPECT_TRUE(findings[2]["clock"].is_null());
  EXPECT_EQ(findings[2]["computed"], false);
  EXPECT_EQ(findings[2]["numbers"], json::object());
  EXPECT_EQ(findings[2]["rows"], json::array());
}

TEST(RangesJson, GroupedRowsSayWhatTheyStandFor) {
  model::AnalysisDocument document;
  const model::ScopePath first = AddPath(document, {"outer", "op 1"});
  const model::ScopePath second = AddPath(document, {"op 2"});
  document.analysis.grouped.emplace();
  model::GroupedRanges& grouped = *document.analysis.grouped;
  grouped.paths = {{model::kRootPath, grouped.names.Intern("op #")}};
  grouped.host = {{{0, 5, Single<HostNs>(7), Single<HostNs>(3), {4}}, {4, {first, second}}}};
  grouped.projected = {
      {{0, model::Style::kStartEnd, 2, Single<ProjectedNs>(9), {8}, 6}, {1, {second}}}};
  const json analysis = Written(document);
  const json& host = analysis["grouped_host_ranges"][0];
  EXPECT_EQ(host["name"], "op #");
  EXPECT_EQ(host["path"], json::array({"op #"}));
  EXPECT_EQ(host["instances"], 5);
  EXPECT_EQ(host["inclusive"]["total_ns"], 7);
  EXPECT_EQ(host["exclusive"]["p95_ns"], 3.0);
  EXPECT_EQ(host["child_total_ns"], 4);
  EXPECT_EQ(host["distinct_names"], 4);
  EXPECT_EQ(host["examples"], json::array({{"outer", "op 1"}, json::array({"op 2"})}));
  const json& projected = analysis["grouped_gpu_projected_ranges"][0];
  EXPECT_EQ(projected["style"], "StartEnd");
  EXPECT_EQ(projected["projected"]["total_ns"], 9);
  EXPECT_EQ(projected["host_total_ns"], 8);
  EXPECT_EQ(projected["gpu_operation_count"], 6);
  EXPECT_EQ(projected["distinct_names"], 1);
}

TEST(RangesJson, WithoutRulesThereAreNoGroupedLists) {
  const json analysis = Written(model::AnalysisDocument{});
  EXPECT_FALSE(analysis.contains("grouped_host_ranges"));
  EXPECT_FALSE(analysis.contains("grouped_gpu_projected_ranges"));
  EXPECT_EQ(analysis["findings"], json::array());
}

}  // namespace
}  // namespace rangewise::artifact
