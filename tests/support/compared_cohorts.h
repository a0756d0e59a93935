// Owns the sample cohorts as a test of `rangewise compare` meets them: copies to edit and compare.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/run_program.h"
#include "support/schema_check.h"

namespace rangewise::test_support {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

// `before` and `after` lie in a scratch folder, in which rangewise runs.
class ComparedCohorts : public testing::Test {
 protected:
  ComparedCohorts() {
    fs::copy(RANGEWISE_SOURCE_DIR "/samples/cohorts", scratch_.path(), fs::copy_options::recursive);
  }

  Outcome Run(Words words) {
    words.insert(words.begin(), "compare");
    return RunRangewise(std::move(words),
                        {.set = {{"PATH", "/nonexistent"}}, .working_folder = scratch_.path()});
  }
  Outcome BeforeAgainstAfter(const Words& more = {}) {
    Words words = {"--baseline", "before", "--candidate", "after"};
    words.insert(words.end(), more.begin(), more.end());
    return Run(words);
  }
  Json JsonOf(Words words) {
    words.insert(words.end(), {"--format", "json"});
    const Outcome outcome = Run(words);
    EXPECT_EQ(SchemaProblems(outcome.out, "comparison-1.schema.json"), Words{}) << outcome.err;
    return Json::parse(outcome.out, nullptr, false);
  }
  void Edit(const std::string& run, const std::function<void(Json&)>& edit) {
    const fs::path file = scratch_.path() / run / "analysis.json";
    Json analysis = Json::parse(Slurp(file));
    edit(analysis);
    Spill(file, analysis.dump(2));
  }
  void EditAll(const std::string& side, const std::function<void(Json&)>& edit) {
    for (const auto& run : fs::directory_iterator(scratch_.path() / side))
      Edit(side + "/" + run.path().filename().string(), edit);
  }

  ScratchFolder scratch_;
};

}  // namespace rangewise::test_support
