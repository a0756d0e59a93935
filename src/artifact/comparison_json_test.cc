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
