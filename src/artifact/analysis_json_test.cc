#include "artifact/analysis_json.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "base/files.h"
#include "format/json.h"
#include "support/sample_document.h"
#include "support/schema_check.h"

namespace rangewise::artifact {
namespace {

using test_support::AddPath;
using test_support::SchemaProblems;
using test_support::Single;
using test_support::SmokeDocument;

std::string Written(const model::AnalysisDocument& document) {
  StringOutput out;
  WriteAnalysisJson(document, out);
  return out.text();
}

// The expected files are what Python's json.dumps(document, indent=2, sort_keys=True) printed of
// the same values, and a newline; the program's version is filled in.
std::string Expected(const std::string& file) {
  std::string text = ReadFile(RANGEWISE_SOURCE_DIR "/tests/data/analysis/" + file).value();
  const std::string placeholder = "@VERSION@";
  const size_t at = text.find(placeholder);
  return text.replace(at, placeholder.size(), RANGEWISE_VERSION);
}

TEST(AnalysisJson, HoldsEveryKeyByteForByte) {
  const std::string text = Written(SmokeDocument());
  EXPECT_EQ(text, Expected("smoke.json"));
  EXPECT_EQ(SchemaProblems(text), std::vector<std::string>{});
}

TEST(AnalysisJson, WhatWasNotMeasuredIsNull) {
  const std::string text = Written(model::AnalysisDocument{});
  EXPECT_EQ(text, Expected("empty.json"));
  EXPECT_EQ(SchemaProblems(text), std::vector<std::string>{});
}

TEST(AnalysisJson, ReadsBackToTheSameBytes) {
  const std::string text = Written(SmokeDocument());
  const Result<Value> value = format::ParseJson(text, "analysis.json");
  ASSERT_TRUE(value.ok()) << value.error().message;
  StringOutput out;
  format::JsonWriter writer(out);
  writer.Any(*value);
  writer.Finish();
  EXPECT_EQ(out.text(), text);
}

TEST(AnalysisJson, IterationsMayLackASide) {
  model::AnalysisDocument document = SmokeDocument();
  document.analysis.iterations[0].host.reset();
  document.analysis.iterations[1].projection.reset();
  document.analysis.iteration_summary.projected.reset();
  const std::string text = Written(document);
  EXPECT_EQ(SchemaProblems(text), std::vector<std::string>{});
  const auto json = nlohmann::json::parse(text);
  EXPECT_TRUE(json["iterations"][0]["host"].is_null());
  EXPECT_EQ(json["iterations"][0]["gpu_projection"]["projected_ns"], 191620);
  EXPECT_TRUE(json["iterations"][1]["gpu_projection"].is_null());
  EXPECT_TRUE(json["iteration_summary"]["gpu_projected"].is_null());
}

TEST(AnalysisJson, NoGpuWorkDiffersFromUnknownGpuWork) {
  model::AnalysisDocument document;
  document.analysis.kernels.emplace();
  document.analysis.copies.emplace();
  const std::string text = Written(document);
  EXPECT_NE(text.find("\"kernels\": [],\n    \"memory_transfers\": []"), std::string::npos);
  EXPECT_EQ(SchemaProblems(text), std::vector<std::string>{});
}

TEST(AnalysisJson, PathIsAListAndNameIsJoined) {
  model::AnalysisDocument document;
  const auto nested = AddPath(document, {"a", "b.c", "d"});
  document.analysis.host_groups = {{nested, 1, Single<HostNs>(5), Single<HostNs>(-5), {10}}};
  document.analysis.projected_groups = {
      {nested, model::Style::kStartEnd, 1, Single<ProjectedNs>(7), {8}, 9}};
  const std::string text = Written(document);
  EXPECT_EQ(SchemaProblems(text), std::vector<std::string>{});
  const auto json = nlohmann::json::parse(text);
  const auto& group = json["host_ranges"][0];
  EXPECT_EQ(group["name"], "a.b.c.d");
  EXPECT_EQ(group["path"], (nlohmann::json{"a", "b.c", "d"}));
  EXPECT_EQ(group["exclusive"]["total_ns"], -5);
  EXPECT_EQ(json["gpu_projected_ranges"][0]["style"], "StartEnd");
  EXPECT_EQ(json["gpu_projected_ranges"][0]["gpu_operation_count"], 9);
}

TEST(AnalysisJson, MedianOfAnEvenCountIsTheNearestDouble) {
  model::AnalysisDocument document;
  const auto median_of = [&](int64_t low, int64_t high) {
    model::Statistics<HostNs> values = Single<HostNs>(0);
    values.median_low = {low};
    values.median_high = {high};
    values.median_is_whole = false;
    document.analysis.iteration_summary.host_inclusive = values;
    const std::string text = Written(document);
    const size_t at = text.find("\"median_ns\": ") + 13;
    return text.substr(at, text.find(',', at) - at);
  };
  EXPECT_EQ(median_of(1, 2), "1.5");
  EXPECT_EQ(median_of(2, 2), "2.0");
  EXPECT_EQ(median_of(-3, 2), "-0.5");
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(median_of(kMax - 1, kMax), "9.223372036854776e+18");
  // 2^53 and 2^53 + 1: the mean, 2^53 + 1/2, lies nearest to 2^53.
  EXPECT_EQ(median_of(9007199254740992, 9007199254740993), "9007199254740992.0");
  // 2^53 + 1 and 2^53 + 4: adding as doubles would give 2^53 + 2, halving first as well.
  EXPECT_EQ(median_of(9007199254740993, 9007199254740996), "9007199254740994.0");
  EXPECT_EQ(median_of(9007199254740993, 9007199254740995), "9007199254740994.0");
}

TEST(AnalysisJson, IsAlwaysAsciiAndValid) {
  model::AnalysisDocument document;
  document.manifest.run_id = std::string("run\xff\\x");
  document.provenance.trace_path =
      "tr\xc3\xa4"
      "ce\x80.nsys-rep";
  document.provenance.inputs["bad\xff.csv"] = {1, std::string(32, 'b')};
  document.warnings = {{Code::kInvalidUtf8, "name \xf0\x9f\x98\x80 \xfe"}};
  const auto path = AddPath(document, {"\x1b[31m\xe2\x80\xae", "\"quoted\"\n"});
  document.analysis.host_groups = {{path, 1, Single<HostNs>(1), Single<HostNs>(1), {0}}};
  const std::string text = Written(document);
  for (const char c : text)
    ASSERT_TRUE((c >= 0x20 && c < 0x7f) || c == '\n') << static_cast<int>(c);
  EXPECT_EQ(SchemaProblems(text), std::vector<std::string>{});
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["run"]["run_id"], "run\\xff\\\\x");
  EXPECT_EQ(json["provenance"]["trace_path"],
            "tr\xc3\xa4"
            "ce\\x80.nsys-rep");
  EXPECT_EQ(json["warnings"][0], "invalid-utf8: name \xf0\x9f\x98\x80 \\xfe");
  EXPECT_EQ(json["host_ranges"][0]["path"][0], "\x1b[31m\xe2\x80\xae");
}

TEST(AnalysisJson, SchemaRefusesWhatIsWrong) {
  const auto smoke = nlohmann::json::parse(Written(SmokeDocument()));
  const auto is_refused = [&](const char* pointer, const nlohmann::json& value) {
    nlohmann::json changed = smoke;
    changed[nlohmann::json::json_pointer(pointer)] = value;
    return !SchemaProblems(changed.dump()).empty();
  };
  EXPECT_TRUE(is_refused("/schema_version", 1));
  EXPECT_TRUE(is_refused("/run/record_count", nullptr));
  EXPECT_TRUE(is_refused("/run/workload", nullptr));
  EXPECT_TRUE(is_refused("/run/run_id", 7));
  EXPECT_TRUE(is_refused("/provenance/report_source", "guess"));
  EXPECT_TRUE(is_refused("/provenance/inputs/files/manifest.yaml/xxh3_128", "00"));
  EXPECT_TRUE(is_refused("/host_ranges/0/path", nlohmann::json::array()));
  EXPECT_TRUE(is_refused("/host_ranges/0/inclusive/total_ns", 1.5));
  EXPECT_TRUE(is_refused("/host_ranges/0/inclusive/stddev_ns", -1));
  EXPECT_TRUE(is_refused("/gpu_projected_ranges/0/style", "Other"));
  EXPECT_TRUE(is_refused("/iterations/0/host/inclusive_ns", nullptr));
  EXPECT_TRUE(is_refused("/iteration_summary/gpu_projected", 0));
  EXPECT_TRUE(is_refused("/capture_gpu_work/kernels/0/instances", "1"));
  EXPECT_TRUE(is_refused("/warnings/0", "no code here"));
  EXPECT_FALSE(is_refused("/added_later", 1));
  EXPECT_FALSE(is_refused("/host_ranges/0/added_later", 1));
  EXPECT_FALSE(is_refused("/iteration_summary/gpu_projected", nullptr));

  // Every key that the schema requires is one that it misses when it is not there.
  for (const char* pointer :
       {"/run/name_rules", "/provenance/inputs/options", "/warnings", "/host_ranges/0/path",
        "/iterations/0/gpu_projection", "/iteration_summary/host_exclusive",
        "/capture_gpu_work/memory_transfers/1/destination_memory_kind"}) {
    const nlohmann::json::json_pointer place(pointer);
    nlohmann::json changed = smoke;
    changed[place.parent_pointer()].erase(place.back());
    EXPECT_FALSE(SchemaProblems(changed.dump()).empty()) << pointer;
  }
}

}  // namespace
}  // namespace rangewise::artifact
