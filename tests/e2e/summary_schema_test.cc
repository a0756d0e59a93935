// The JSON of `rangewise summary` of every sample, with every switch that changes its keys, against
// its schema; and that schema against the one of analysis.json, whose parts it repeats.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/run_program.h"
#include "support/schema_check.h"

namespace rangewise::test_support {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

constexpr const char* kSchema = "summary-1.schema.json";

class SummarySchema : public testing::Test {
 protected:
  SummarySchema() {
    fs::copy(RANGEWISE_SOURCE_DIR "/samples", scratch_.path(), fs::copy_options::recursive);
  }
  std::string Shown(Words words) {
    words.insert(words.begin(), "summary");
    words.insert(words.end(), {"--format", "json"});
    const Outcome outcome =
        RunRangewise(words, {.set = {{"PATH", "/nonexistent"}, {"RANGEWISE_NSYS", ""}},
                             .working_folder = scratch_.path()});
    EXPECT_EQ(outcome.exit_code, 0) << words[1] << outcome.err;
    return outcome.out;
  }
  ScratchFolder scratch_;
};

TEST_F(SummarySchema, HoldsForEverySample) {
  int samples = 0;
  Words runs = {"power-iteration", "smoke-local"};
  for (const char* side : {"cohorts/before", "cohorts/after"}) {
    for (const auto& run : fs::directory_iterator(scratch_.path() / side))
      runs.push_back(std::string(side) + "/" + run.path().filename().string());
  }
  for (const std::string& run : runs) {
    EXPECT_EQ(SchemaProblems(Shown({run}), kSchema), Words()) << run;
    ++samples;
  }
  EXPECT_GE(samples, 22);
}

TEST_F(SummarySchema, HoldsWithEverySwitch) {
  for (const Words& words :
       {Words{"power-iteration", "--tree", "--min-share", "2"},
        Words{"power-iteration", "--tree", "--top", "0", "--sort", "median"},
        Words{"power-iteration", "--group-numbers", "--filter-nvtx", "Loop", "--exclude", "IO.*"},
        Words{"power-iteration", "--filter-time", "/2s", "--tree"},
        Words{"power-iteration/trace.sqlite", "--group-numbers"}}) {
    EXPECT_EQ(SchemaProblems(Shown(words), kSchema), Words()) << words[1];
  }
}

TEST_F(SummarySchema, RefusesWhatIsNoSummary) {
  const Json good = Json::parse(Shown({"power-iteration", "--tree"}));
  for (const auto& [key, value] : good.items()) {
    Json bad = good;
    bad[key] = 7;
    EXPECT_FALSE(SchemaProblems(bad.dump(), kSchema).empty()) << key;
    if (key == "range_tree" || key == "host_ranges_by_exclusive") continue;
    bad.erase(key);
    EXPECT_FALSE(SchemaProblems(bad.dump(), kSchema).empty()) << key;
  }
  Json bad = good;
  bad["host_ranges"]["rows"][0]["inclusive"]["total_ns"] = nullptr;
  EXPECT_FALSE(SchemaProblems(bad.dump(), kSchema).empty());
}

TEST_F(SummarySchema, RepeatsThePartsOfTheAnalysisAsTheyAre) {
  const fs::path folder = fs::path(RANGEWISE_SOURCE_DIR) / "schema";
  const Json summary = Json::parse(Slurp(folder / kSchema));
  const Json analysis = Json::parse(Slurp(folder / "analysis-2.schema.json"));
  int shared = 0;
  for (const auto& [name, definition] : summary["definitions"].items()) {
    if (name == "tree_row") continue;
    EXPECT_EQ(definition, analysis["definitions"][name]) << name;
    ++shared;
  }
  for (const char* key : {"coverage", "iteration_summary", "provenance", "run", "warnings"}) {
    EXPECT_EQ(summary["properties"][key], analysis["properties"][key]) << key;
  }
  EXPECT_GE(shared, 8);
}

}  // namespace
}  // namespace rangewise::test_support
