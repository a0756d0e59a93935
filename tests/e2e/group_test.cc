// Grouping names and findings as a user meets them: options of `rangewise analyze` on the samples.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/run_program.h"
#include "support/schema_check.h"

namespace rangewise::test_support {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Group : public testing::Test {
 protected:
  Outcome Run(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"analyze", run_.string(), "--reports", "csv", "-o", "-"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunRangewise(std::move(arguments));
  }
  Json Analysed(const std::vector<std::string>& more) {
    const Outcome outcome = Run(more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(SchemaProblems(outcome.out), std::vector<std::string>());
    return Json::parse(outcome.out);
  }
  ScratchFolder scratch_;
  fs::path run_ = MakeSmokeRun(scratch_.path(), true);
};

std::map<std::string, int64_t> InstancesByName(const Json& rows) {
  std::map<std::string, int64_t> instances;
  for (const Json& row : rows) instances[row["name"]] += row["instances"].get<int64_t>();
  return instances;
}

TEST_F(Group, RulesApplyInOrderAndLeaveRawRangesAlone) {
  const Json raw = Analysed({});
  const Json grouped = Analysed({"--group", R"(^smoke (\w+)=>\1)", "--group", "multiply=>times"});
  EXPECT_EQ(grouped["host_ranges"], raw["host_ranges"]);
  EXPECT_EQ(grouped["gpu_projected_ranges"], raw["gpu_projected_ranges"]);
  EXPECT_FALSE(raw.contains("grouped_host_ranges"));
  EXPECT_EQ(
      InstancesByName(grouped["grouped_host_ranges"]),
      (std::map<std::string, int64_t>{{"profile-target", 1}, {"times", 4}, {"reduction", 4}}));
  EXPECT_EQ(grouped["provenance"]["inputs"]["options"]["group"],
            "^smoke (\\w+)=>\\1\nmultiply=>times");
}

TEST_F(Group, OneNameForAll) {
  const Json grouped = Analysed({"--group", "smoke .*=>smoke"});
  const Json* smoke = nullptr;
  for (const Json& row : grouped["grouped_host_ranges"]) {
    if (row["name"] == "smoke") smoke = &row;
  }
  ASSERT_NE(smoke, nullptr);
  EXPECT_EQ((*smoke)["instances"], 8);
  EXPECT_EQ((*smoke)["inclusive"]["total_ns"], 277292 + 131708);
  EXPECT_EQ((*smoke)["distinct_names"], 2);
  EXPECT_EQ((*smoke)["examples"],
            Json::array({Json::array({"smoke multiply"}), Json::array({"smoke reduction"})}));
}

TEST_F(Group, WarnsOfWhatMatchesNothing) {
  const Json grouped = Analysed({"--group", "absent=>x", "--group-numbers"});
  EXPECT_EQ(grouped["warnings"][grouped["warnings"].size() - 2],
            "rule-matches-nothing: the rule 'absent' => 'x' matches no name");
  EXPECT_EQ(grouped["warnings"].back(), "rule-matches-nothing: no name holds a number to mask");
  EXPECT_EQ(grouped["provenance"]["inputs"]["options"]["group_numbers"], "true");
}

TEST_F(Group, RefusesABadRule) {
  const Outcome pattern = Run({"--group", "ab**=>x"});
  EXPECT_EQ(pattern.exit_code, 3);
  EXPECT_NE(pattern.err.find("bad-pattern"), std::string::npos) << pattern.err;
  EXPECT_NE(pattern.err.find("'**'"), std::string::npos) << pattern.err;
  const Outcome group = Run({"--group", R"(a=>\1)"});
  EXPECT_EQ(group.exit_code, 3);
  const Outcome arrow = Run({"--group", "smoke"});
  EXPECT_EQ(arrow.exit_code, 2);
  EXPECT_NE(arrow.err.find("PATTERN=>TEXT"), std::string::npos) << arrow.err;
}

TEST_F(Group, FindingsSayWhatTwoIterationsCannotShow) {
  const Json analysis = Analysed({});
  std::map<std::string, int> not_computed;
  bool one_run = false;
  for (const Json& finding : analysis["findings"]) {
    if (!finding["computed"].get<bool>()) ++not_computed[finding["code"]];
    one_run = one_run || finding["code"] == "one-run";
  }
  EXPECT_EQ(not_computed, (std::map<std::string, int>{{"first-iteration-differs", 2},
                                                      {"incomplete-last-iteration", 1},
                                                      {"iterations-drift", 2},
                                                      {"iterations-vary", 2},
                                                      {"outlier-iterations", 2}}));
  EXPECT_TRUE(one_run);
}

TEST_F(Group, PowerIterationIsReadAsAnEngineerWould) {
  const Outcome outcome =
      RunRangewise({"analyze", RANGEWISE_SOURCE_DIR "/samples/power-iteration", "--reports",
                    "sqlite", "--output-dir", scratch_.path().string(), "-o", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json analysis = Json::parse(outcome.out);
  EXPECT_EQ(SchemaProblems(outcome.out), std::vector<std::string>());
  const std::map<std::string, int64_t> rows = InstancesByName(analysis["grouped_host_ranges"]);
  EXPECT_TRUE(rows.contains("Compute") && rows.contains("Copy") && rows.contains("IO"));
  for (const Json& finding : analysis["findings"]) {
    if (finding["code"] == "incomplete-last-iteration") {
      EXPECT_EQ(finding["numbers"]["last_index"], 430);
      EXPECT_NE(finding["sentence"].get<std::string>().find("'Compute'"), std::string::npos);
      return;
    }
  }
  ADD_FAILURE() << "the last iteration is not found incomplete";
}

}  // namespace
}  // namespace rangewise::test_support
