// A folder that holds only an analysis.json, as it is archived: verbs that show or compare read it,
// the others say what they miss.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/run_program.h"

namespace rangewise::test_support {
namespace {

namespace fs = std::filesystem;

class LoneAnalysis : public testing::Test {
 protected:
  LoneAnalysis() {
    const fs::path sample = CopyPowerIteration(scratch_.path());
    EXPECT_EQ(Run({"analyze", sample.string(), "--quiet"}).exit_code, 0);
    fs::create_directories(scratch_.path() / "kept");
    fs::copy(sample / "analysis.json", scratch_.path() / "kept");
  }
  Outcome Run(std::vector<std::string> words) {
    return RunRangewise(std::move(words),
                        {.set = {{"PATH", "/nonexistent"}, {"RANGEWISE_NSYS", ""}},
                         .working_folder = scratch_.path()});
  }
  ScratchFolder scratch_;
};

TEST_F(LoneAnalysis, IsReadByWhatShowsAndCompares) {
  for (const char* verb : {"summary", "gpu"}) {
    const Outcome of_folder = Run({verb, "kept"});
    EXPECT_EQ(of_folder.exit_code, 0) << of_folder.err;
    EXPECT_EQ(of_folder.out, Run({verb, "kept/analysis.json"}).out) << verb;
    EXPECT_NE(of_folder.out.find("Compute"), std::string::npos);
    const Outcome filtered = Run({verb, "kept", "--group-numbers"});
    EXPECT_EQ(filtered.exit_code, 2);
    EXPECT_NE(filtered.err.find("add the trace, its export or its tables"), std::string::npos)
        << filtered.err;
  }
  EXPECT_EQ(Run({"compare", "--baseline", "kept", "--candidate", "power-iteration"}).exit_code, 0);
  EXPECT_EQ(Snapshot(scratch_.path() / "kept").size(), 1u);
}

TEST_F(LoneAnalysis, IsNotEnoughForWhatMakesOne) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"analyze", "kept"}, {"verify", "kept"}}) {
    const Outcome outcome = Run(words);
    EXPECT_EQ(outcome.exit_code, 3) << words[0];
    EXPECT_NE(outcome.err.find("analysis.json and nothing that it could be made from"),
              std::string::npos)
        << outcome.err;
    EXPECT_NE(outcome.err.find("summary, gpu and compare read it"), std::string::npos)
        << outcome.err;
  }
  const Outcome checked = Run({"check", "kept"});
  EXPECT_EQ(checked.exit_code, 3);
  EXPECT_NE(checked.out.find("summary, gpu and compare read it"), std::string::npos) << checked.out;
  EXPECT_EQ(Snapshot(scratch_.path() / "kept").size(), 1u);
}

TEST_F(LoneAnalysis, BesideAManifestIsHeldAgainstTheRun) {
  // With anything of the run beside it, it must belong to that as ever.
  Spill(scratch_.path() / "kept/manifest.yaml", "capture_range: Loop\n");
  EXPECT_EQ(Run({"summary", "kept"}).exit_code, 5);
}

}  // namespace
}  // namespace rangewise::test_support
