#include "artifact/analysis_reader.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "artifact/analysis_json.h"
#include "base/files.h"
#include "support/sample_document.h"

namespace rangewise::artifact {
namespace {

using test_support::AddPath;
using test_support::Single;
using test_support::SmokeDocument;

std::string Written(const model::AnalysisDocument& document) {
  StringOutput out;
  WriteAnalysisJson(document, out);
  return out.text();
}

Result<model::AnalysisFile> Read(std::string_view text) {
  return ReadAnalysis(format::BytesOf(text), "analysis.json");
}

std::string MessageOf(const std::string& text) {
  const auto file = Read(text);
  return file.ok() ? "(read)" : file.error().message;
}

nlohmann::json Smoke() { return nlohmann::json::parse(Written(SmokeDocument())); }

TEST(AnalysisReader, WhatWasWrittenIsWrittenAgainAsTheSameBytes) {
  model::AnalysisDocument document = SmokeDocument();
  document.coverage = model::Coverage{10, 9, 8, 7};
  document.analysis.findings = {
      {.code = Code::kOutlierIterations,
       .severity = model::FindingSeverity::kNotice,
       .clock = model::FindingClock::kHost,
       .sentence = "two",
       .numbers = {{"mad_ns", 4.0}, {"outliers_count", int64_t{2}}},
       .iterations = {0, 1},
       .rows_total = 2},
      {.code = Code::kManyNames, .sentence = "many", .paths = {{"a", "b"}}, .rows_total = 9}};
  const auto step = AddPath(document, {"step 1"});
  auto& grouped = document.analysis.grouped.emplace();
  grouped.paths = {{model::kRootPath, grouped.names.Intern("step")}};
  grouped.host = {{{0, 2, Single<HostNs>(5), Single<HostNs>(4), {1}}, {2, {step}}}};
  grouped.projected = {
      {{0, model::Style::kStartEnd, 2, Single<ProjectedNs>(5), {4}, 1}, {1, {step}}}};
  const std::string text = Written(document);
  const auto file = Read(text);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(Written(file->document), text);
  EXPECT_TRUE(file->has_findings);
  EXPECT_TRUE(file->has_report_source);
  EXPECT_EQ(file->tool_version, RANGEWISE_VERSION);
  EXPECT_EQ(file->document.harness.expected_iterations, 2);
}

TEST(AnalysisReader, AnEmptyDocumentReadsBack) {
  const std::string text = Written(model::AnalysisDocument{});
  const auto file = Read(text);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(Written(file->document), text);
  EXPECT_FALSE(file->document.analysis.kernels.has_value());
  EXPECT_FALSE(file->document.coverage.has_value());
  EXPECT_FALSE(file->document.analysis.grouped.has_value());
}

TEST(AnalysisReader, MediansOfEvenCountsKeepTheirValue) {
  for (const auto& [low, high] :
       std::initializer_list<std::pair<int64_t, int64_t>>{{1, 2},
                                                          {2, 2},
                                                          {-3, 2},
                                                          {INT64_MAX - 1, INT64_MAX},
                                                          {INT64_MIN, INT64_MIN},
                                                          {9007199254740993, 9007199254740996}}) {
    model::AnalysisDocument document;
    model::Statistics<HostNs> values = Single<HostNs>(0);
    values.median_low = {low};
    values.median_high = {high};
    values.median_is_whole = false;
    values.minimum = {low};
    values.maximum = {high};
    document.analysis.iteration_summary.host_inclusive = values;
    document.analysis.iteration_summary.host_iterations = 2;
    const std::string text = Written(document);
    const auto file = Read(text);
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_EQ(Written(file->document), text) << low;
  }
}

TEST(AnalysisReader, ARowKeepsTheDomainOfItsInnermostName) {
  model::AnalysisDocument document;
  model::NamePool& names = document.tables.names;
  const auto node = [&](model::ScopePath parent, std::string_view name,
                        model::DomainLength domain) {
    document.analysis.paths.push_back({parent, names.Intern(name, domain)});
    return static_cast<model::ScopePath>(document.analysis.paths.size() - 1);
  };
  const auto parent = node(model::kRootPath, "aten:outer", 4);
  for (const auto path :
       {parent, node(parent, "aten::mul", 4), node(parent, "aten::mul", model::kDefaultDomain),
        node(parent, "aten::mul", model::kUnknownDomain)}) {
    document.analysis.host_groups.push_back({path, 1, Single<HostNs>(5), Single<HostNs>(5), {0}});
  }
  const std::string text = Written(document);
  const auto file = Read(text);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(Written(file->document), text);
}

TEST(AnalysisReader, AnOlderFileLacksWhatCameLater) {
  nlohmann::json older = Smoke();
  older.erase("coverage");
  older.erase("findings");
  for (const char* key : {"data_source", "iteration_pattern", "name_rules", "record_ids_digest",
                          "started_at", "target"}) {
    older["run"].erase(key);
  }
  for (const char* key : {"inputs", "report_source", "tool"}) older["provenance"].erase(key);
  for (auto& row : older["host_ranges"]) {
    row.erase("path");
    for (const char* key : {"cv_ratio", "mad_ns", "p90_ns", "p95_ns", "p99_ns"}) {
      row["inclusive"].erase(key);
    }
  }
  const auto file = Read(older.dump());
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_FALSE(file->has_findings);
  EXPECT_FALSE(file->has_report_source);
  EXPECT_EQ(file->tool_version, std::nullopt);
  EXPECT_EQ(file->document.provenance.inputs.size(), 0U);
  const model::HostGroup& group = file->document.analysis.host_groups.at(1);
  EXPECT_EQ(group.inclusive.p95_ns, std::nullopt);
  EXPECT_EQ(group.exclusive.p95_ns, 182247.35);
  EXPECT_EQ(group.inclusive.total.ns, 277292);
  const model::PathNode& node = file->document.analysis.paths.at(group.path);
  EXPECT_EQ(file->document.tables.names.At(node.name), "smoke multiply");
  EXPECT_EQ(node.parent, model::kRootPath);
}

TEST(AnalysisReader, ALaterFileHasMore) {
  nlohmann::json later = Smoke();
  later["added_later"] = {{"deep", {1, {{"x", nullptr}}, "y"}}};
  later["host_ranges"][0]["added_later"] = 1;
  later["warnings"].push_back("of-a-later-version: something new");
  later["findings"].push_back({{"clock", nullptr},
                               {"code", "found-later"},
                               {"computed", true},
                               {"numbers", nlohmann::json::object()},
                               {"rows", nlohmann::json::array()},
                               {"rows_total", 0},
                               {"sentence", "s"},
                               {"severity", "info"}});
  const auto file = Read(later.dump());
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->document.warnings.back().Text(), "of-a-later-version: something new");
  EXPECT_EQ(file->document.analysis.findings.back().Word(), "found-later");
}

TEST(AnalysisReader, KeysMayStandInAnyOrder) {
  model::AnalysisDocument document = SmokeDocument();
  document.manifest.workload.erase("seed");  // beyond what the other library keeps
  const nlohmann::json smoke = nlohmann::json::parse(Written(document));
  std::string text = "{";
  for (auto entry = smoke.rbegin(); entry != smoke.rend(); ++entry) {
    if (text.size() > 1) text += ',';
    text += "\"" + entry.key() + "\":" + entry.value().dump();
  }
  const auto file = Read(text + "}");
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(Written(file->document), Written(document));
}

TEST(AnalysisReader, WhatIsMissingIsNamedWithItsPlace) {
  const nlohmann::json smoke = Smoke();
  for (const auto& [pointer, message] : std::initializer_list<std::pair<const char*, const char*>>{
           {"/warnings", "the key warnings is missing"},
           {"/schema_version", "the key schema_version is missing"},
           {"/run/workload", "run: the key workload is missing"},
           {"/host_ranges/1/inclusive/total_ns",
            "host_ranges[1].inclusive: the key total_ns is missing"},
           {"/iterations/0/host", "iterations[0]: the key host is missing"}}) {
    const nlohmann::json::json_pointer place(pointer);
    nlohmann::json changed = smoke;
    changed[place.parent_pointer()].erase(place.back());
    EXPECT_EQ(MessageOf(changed.dump()), message);
  }
}

TEST(AnalysisReader, WhatIsOfAnotherKindIsNamedWithItsPlace) {
  const nlohmann::json smoke = Smoke();
  const auto message = [&](const char* pointer, const nlohmann::json& value) {
    nlohmann::json changed = smoke;
    changed[nlohmann::json::json_pointer(pointer)] = value;
    return MessageOf(changed.dump());
  };
  EXPECT_EQ(message("/host_ranges", 7), "host_ranges: a number where a list was expected");
  EXPECT_EQ(message("/host_ranges/2/instances", "4"),
            "host_ranges[2].instances: a string where an integer was expected");
  EXPECT_EQ(message("/host_ranges/2/instances", -4), "host_ranges[2].instances: a negative count");
  EXPECT_EQ(message("/host_ranges/2/inclusive/total_ns", 1.5),
            "host_ranges[2].inclusive.total_ns: a number with a fraction where an integer was "
            "expected");
  EXPECT_EQ(message("/host_ranges/2/inclusive/total_ns", 18446744073709551615U),
            "host_ranges[2].inclusive.total_ns: an integer beyond 64 bits");
  EXPECT_EQ(message("/host_ranges/2/path", nlohmann::json::array()),
            "host_ranges[2].path: a path without names");
  EXPECT_EQ(message("/host_ranges/2/domain", "other"),
            "host_ranges[2]: no name of the domain 'other'");
  EXPECT_EQ(message("/gpu_projected_ranges/0/style", "Other"),
            "gpu_projected_ranges[0].style: 'Other' is no style of ranges");
  EXPECT_EQ(message("/iterations/1/index", 0),
            "iterations[1]: an index that is not above the one before");
  EXPECT_EQ(message("/iterations/0/host/inclusive_ns", nullptr),
            "iterations[0].host.inclusive_ns: null where an integer was expected");
  EXPECT_EQ(message("/provenance/report_source", "guess"),
            "provenance.report_source: 'guess' is no source of report tables");
  EXPECT_EQ(message("/schema_version", 3), "schema_version: schema_version 3, and 2 was expected");
  EXPECT_EQ(message("/run/workload", nullptr), "run.workload: an object was expected");
  EXPECT_EQ(message("/warnings/0", nlohmann::json::object()),
            "warnings[0]: an object where a string was expected");
}

TEST(AnalysisReader, KeysThatStandTwiceAreRefused) {
  const std::string text = Written(SmokeDocument());
  const auto twice = [&](const std::string& key, const std::string& again) {
    std::string changed = text;
    changed.insert(changed.find("\"" + key + "\""), again + ", ");
    return MessageOf(changed);
  };
  EXPECT_EQ(twice("capture_gpu_work", "\"schema_version\": 2"),
            "schema_version: the key stands here twice");
  EXPECT_EQ(twice("kernels", "\"kernels\": null"),
            "capture_gpu_work.kernels: the key stands here twice");
  EXPECT_EQ(twice("record_loading", "\"warmup\": 1"),
            "run.workload.warmup: not valid JSON: the "
            "key stands here twice");
  EXPECT_EQ(twice("nvtx_pushpop_trace", "\"nvtx_pushpop_trace\": \"x\""),
            "provenance.reports.nvtx_pushpop_trace: the key stands here twice");
}

TEST(AnalysisReader, EveryPrefixOfAFileIsAnError) {
  const std::string text = Written(SmokeDocument());
  for (size_t length = 0; length + 1 < text.size(); ++length) {
    const auto file = Read(std::string_view(text).substr(0, length));
    ASSERT_FALSE(file.ok()) << length;
    ASSERT_EQ(file.error().code, Code::kNotAnAnalysis) << length << file.error().message;
  }
}

TEST(AnalysisReader, AnErrorHasLineAndColumn) {
  std::string text = Written(SmokeDocument());
  const size_t at = text.find("\"instances\": 1,");
  text.replace(at, 15, "\"instances\": [],");
  const auto file = Read(text);
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().code, Code::kNotAnAnalysis);
  EXPECT_EQ(file.error().where.file, "analysis.json");
  EXPECT_EQ(file.error().where.line, 6U);
  EXPECT_EQ(file.error().where.column, 22U);
}

TEST(AnalysisReader, AFileThatIsNotThereIsAnError) {
  const auto file = ReadAnalysisFile("/nonexistent/analysis.json");
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().code, Code::kReadFailed);
}

}  // namespace
}  // namespace rangewise::artifact
