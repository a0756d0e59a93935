// Comparisons and noise reports as JSON: by the schema, and back to the same bytes.
#include "artifact/comparison_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "artifact/comparison_reader.h"
#include "support/comparisons.h"
#include "support/schema_check.h"

namespace rangewise::artifact {
namespace {

using test_support::SchemaProblems;

constexpr const char* kSchema = "comparison-1.schema.json";

std::string Written(const model::Comparison& comparison) {
  StringOutput out;
  WriteComparisonJson(comparison, out);
  return out.text();
}

std::string Written(const model::NoiseReport& report) {
  StringOutput out;
  WriteNoiseJson(report, out);
  return out.text();
}

std::string WrittenAgain(const std::string& text) {
  const Result<ComparisonFile> file = ReadComparison(text, "comparison.json");
  if (!file.ok()) return file.error().message;
  return std::visit([](const auto& document) { return Written(document); }, *file);
}

TEST(ComparisonJson, HoldsToItsSchemaAndReadsBack) {
  for (const model::Comparison& comparison : test_support::SampleComparisons()) {
    const std::string text = Written(comparison);
    EXPECT_EQ(SchemaProblems(text, kSchema), std::vector<std::string>{});
    EXPECT_EQ(WrittenAgain(text), text);
  }
}

TEST(ComparisonJson, NoiseHoldsToItsSchemaAndReadsBack) {
  for (const model::NoiseReport& report : test_support::SampleNoiseReports()) {
    const std::string text = Written(report);
    EXPECT_EQ(SchemaProblems(text, kSchema), std::vector<std::string>{});
    EXPECT_EQ(WrittenAgain(text), text);
    EXPECT_EQ(ReadKind(format::BytesOf(text)), "noise");
  }
}

TEST(ComparisonJson, CarriesEveryNumberAndEachRunsValues) {
  const model::Comparison comparison = test_support::Regression();
  const std::string text = Written(comparison);
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["kind"], "comparison");
  EXPECT_EQ(ReadKind(format::BytesOf(text)), "comparison");
  EXPECT_EQ(json["verdict"], "regressed");
  const auto& row = json["tables"]["host-iterations"]["rows"][0];
  EXPECT_EQ(row["baseline"].size(), 5u);
  EXPECT_EQ(row["baseline"][0]["median_ns"], 1.00e6);
  EXPECT_EQ(row["baseline"][0]["within_run"]["instances"], 10);
  EXPECT_EQ(row["candidate"][4]["median_ns"], 1.24e6);
  EXPECT_DOUBLE_EQ(row["p"].get<double>(), 2.0 / 252);
  EXPECT_TRUE(row["q"].is_null());
  EXPECT_NEAR(row["ratio"].get<double>(), 1.196, 0.01);
  EXPECT_LT(row["interval"]["low_ratio"].get<double>(), row["ratio"].get<double>());
  EXPECT_EQ(row["cliffs_delta"], 1.0);
}

TEST(ComparisonJson, WhatDoesNotExistIsNull) {
  const auto json = nlohmann::json::parse(Written(test_support::WithoutGpuInOneRun()));
  EXPECT_EQ(json["verdict"], "not-comparable");
  EXPECT_EQ(json["reason"], "no-gpu-projection");
  ASSERT_EQ(json["primary"]["missing"].size(), 1u);
  EXPECT_EQ(json["primary"]["missing"][0]["side"], "candidate");
  const auto& row = json["tables"]["gpu-iterations"]["rows"][0];
  EXPECT_TRUE(row["candidate"][2].is_null());
  for (const char* key : {"ratio", "log_ratio", "p", "q", "interval", "shift_ns", "cliffs_delta"})
    EXPECT_TRUE(row[key].is_null()) << key;
}

TEST(ComparisonJson, GpuWorkIsFamiliesOfItsOwn) {
  const auto json = nlohmann::json::parse(Written(test_support::WithGpuWork(false)));
  ASSERT_EQ(json["gpu_families"].size(), 4u);
  EXPECT_EQ(json["gpu_families"][0]["metric"], "gpu-busy");
  EXPECT_EQ(json["gpu_families"][0]["size"], 3);  // the iterations, too
  EXPECT_EQ(json["gpu_families"][1]["metric"], "gpu-kernels");
  EXPECT_EQ(json["gpu_families"][1]["size"], 2);
  EXPECT_EQ(json["gpu_families"][1]["missing"], nlohmann::json::array());
  const auto& row = json["tables"]["gpu-kernels"]["rows"][0];
  EXPECT_EQ(row["path"], nlohmann::json::array({"load"}));
  EXPECT_EQ(row["verdict"], "regressed");
  EXPECT_EQ(row["baseline"][0]["median_ns"], 1001000.0);
  EXPECT_EQ(row["baseline"][0]["within_run"]["instances"], 1);
  EXPECT_TRUE(row["style"].is_null());
  EXPECT_EQ(json["tables"]["host-waits"]["rows"].size(), 2u);

  const auto lacking = nlohmann::json::parse(Written(test_support::WithGpuWork(true)));
  EXPECT_EQ(
      lacking["gpu_families"][2]["missing"][0],
      nlohmann::json::parse(
          R"({"reason": "it was turned off by --gpu-work off", "run": 2, "side": "candidate"})"));
  EXPECT_EQ(lacking["tables"]["gpu-kernels"]["rows"][0]["reason"], "no-gpu-work");
  EXPECT_TRUE(lacking["tables"]["gpu-kernels"]["rows"][0]["candidate"][2].is_null());
}

TEST(ComparisonReader, FilesFromBeforeGpuWorkAreRead) {
  nlohmann::json json = nlohmann::json::parse(Written(test_support::Regression()));
  json.erase("gpu_families");
  for (const char* table :
       {"exposed-communication", "gpu-busy", "gpu-busy-iterations", "gpu-kernels", "host-waits"})
    ASSERT_EQ(json["tables"].erase(table), 1u) << table;
  const Result<ComparisonFile> file = ReadComparison(json.dump(), "x.json");
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_TRUE(std::get<model::Comparison>(*file).gpu_families.empty());
}

TEST(ComparisonReader, RefusesOtherShapes) {
  const std::string text = Written(test_support::Regression());
  const auto refused = [&](const char* pointer, const nlohmann::json& value) {
    nlohmann::json json = nlohmann::json::parse(text);
    json[nlohmann::json::json_pointer(pointer)] = value;
    const Result<ComparisonFile> file = ReadComparison(json.dump(), "x.json");
    return !file.ok() && file.error().code == Code::kNotAnAnalysis;
  };
  EXPECT_FALSE(refused("/alpha", 0.01));
  EXPECT_TRUE(refused("/alpha", "small"));
  EXPECT_TRUE(refused("/verdict", "great"));
  EXPECT_TRUE(refused("/verdict", ""));
  EXPECT_TRUE(refused("/schema_version", 2));
  EXPECT_TRUE(refused("/tables/host-iterations/rows/0/log_ratio", 1e300));
  EXPECT_TRUE(refused("/tables/host-iterations/rows/0/baseline/0/within_run/instances", -1));
  nlohmann::json json = nlohmann::json::parse(text);
  json.erase("contract");
  EXPECT_FALSE(ReadComparison(json.dump(), "x.json").ok());
  EXPECT_FALSE(ReadComparison("[]", "x.json").ok());
  EXPECT_FALSE(ReadComparison(text.substr(0, text.size() / 2), "x.json").ok());
  EXPECT_EQ(ReadKind(format::BytesOf(R"({"run": {"kind": "noise"}})")), std::nullopt);
}

}  // namespace
}  // namespace rangewise::artifact
