// No verb's -o replaces what the command was made from or shows: files of the run keep their bytes,
// by whatever name they are reached.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/run_program.h"

namespace rangewise::test_support {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class OutputRefusals : public testing::Test {
 protected:
  OutputRefusals() : run_(CopyPowerIteration(scratch_.path())) {
    EXPECT_EQ(Run({"analyze", run_.string(), "--quiet"}).exit_code, 0);
    Spill(run_ / "trace.nsys-rep", "a trace, which only nsys would read");
    fs::create_hard_link(run_ / "manifest.yaml", scratch_.path() / "hard");
    fs::create_symlink(run_ / "analysis.json", scratch_.path() / "link");
    fs::create_symlink(run_ / "stats", scratch_.path() / "other-stats");
  }

  Outcome Run(Words words) {
    return RunRangewise(std::move(words),
                        {.set = {{"PATH", "/nonexistent"}, {"RANGEWISE_NSYS", ""}},
                         .working_folder = scratch_.path()});
  }
  void ExpectRefused(Words words, const std::string& output, const std::string& saying) {
    const fs::path file = scratch_.path() / output;
    const bool was_there = fs::exists(file);
    const std::string before = was_there ? Slurp(file) : "";
    words.insert(words.end(), {"-o", output});
    const Outcome outcome = Run(words);
    EXPECT_EQ(outcome.exit_code, 2) << words[0] << " " << output << outcome.err;
    EXPECT_NE(outcome.err.find(saying), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("name another file"), std::string::npos) << outcome.err;
    EXPECT_EQ(fs::exists(file), was_there) << words[0] << " " << output;
    EXPECT_TRUE(!was_there || Slurp(file) == before) << words[0] << " " << output;
  }

  ScratchFolder scratch_;
  fs::path run_;
};

TEST_F(OutputRefusals, WhatIsShownIsNotReplaced) {
  const std::string name = run_.filename().string();
  const Words outputs = {name + "/analysis.json",
                         name + "/manifest.yaml",
                         name + "/trace.sqlite",
                         name + "/trace.nsys-rep",
                         name + "/stats/nsys_nvtx_pushpop_trace.csv",
                         name + "/stats/source.json",
                         name + "/stats/new.txt",
                         name + "/../" + name + "/analysis.json",
                         "hard",
                         "link",
                         "other-stats/new.txt"};
  const auto before = Snapshot(scratch_.path());
  for (const std::string& output : outputs)
    ExpectRefused({"summary", name}, output, "which is part of what is shown");
  for (const char* output : {"hard", "link", "other-stats/new.txt"}) {
    ExpectRefused({"gpu", name}, output, "which is part of what is shown");
    ExpectRefused({"summary", name + "/analysis.json"}, output, "which is part of what is shown");
  }
  EXPECT_TRUE(Snapshot(scratch_.path()) == before);
  for (const std::string verb : {"summary", "gpu"}) {
    // A file that is none of these can lie in the run.
    EXPECT_EQ(Run({verb, name, "-o", name + "/" + verb + ".txt"}).exit_code, 0);
    EXPECT_TRUE(fs::exists(run_ / (verb + ".txt")));
  }
  // Also where it is not there yet.
  fs::remove(run_ / "analysis.json");
  ExpectRefused({"summary", name}, name + "/analysis.json", "which is part of what is shown");
}

TEST_F(OutputRefusals, ADocumentIsNotReplacedByWhatItShows) {
  fs::copy(run_ / "analysis.json", scratch_.path() / "lone.json");
  ExpectRefused({"summary", "lone.json"}, "lone.json", "which is part of what is shown");
  ExpectRefused({"gpu", "lone.json", "--format", "json"}, "lone.json",
                "which is part of what is shown");
  const std::string program = RANGEWISE_BINARY;
  const std::string file = (scratch_.path() / "lone.json").string();
  const std::string before = Slurp(file);
  RunningProgram redirected(
      {"/bin/sh", "-c", program + " summary - -o '" + file + "' < '" + file + "'"});
  EXPECT_EQ(redirected.Finish().exit_code, 2);
  EXPECT_EQ(Slurp(file), before);
}

TEST_F(OutputRefusals, AnalyzeMayRenewItsOwnResultOnly) {
  const std::string name = run_.filename().string();
  for (const char* output : {"/manifest.yaml", "/trace.sqlite", "/trace.nsys-rep",
                             "/stats/source.json", "/stats/new.json"}) {
    ExpectRefused({"analyze", name, "--reports", "sqlite"}, name + output,
                  "which the analysis is made from");
  }
  EXPECT_EQ(Run({"analyze", name, "--reports", "sqlite", "-o", name + "/analysis.json"}).exit_code,
            0);
}

TEST_F(OutputRefusals, AFullDiskLeavesNoLockBehind) {
  // No file can grow, not even by the lock's few bytes.
  const std::string program = RANGEWISE_BINARY;
  const fs::path output = scratch_.path() / "full";
  RunningProgram full({"/bin/sh", "-c",
                       "trap '' XFSZ; ulimit -f 0; exec " + program + " analyze '" + run_.string() +
                           "' --reports sqlite --quiet --output-dir '" + output.string() + "'"});
  EXPECT_EQ(full.Finish().exit_code, 74);
  EXPECT_TRUE(fs::is_empty(output));
}

TEST_F(OutputRefusals, AComparisonIsNoAnalysis) {
  const std::string cohorts = RANGEWISE_SOURCE_DIR "/samples/cohorts/";
  const Outcome compared = Run({"compare", "--baseline", cohorts + "before", "--candidate",
                                cohorts + "after", "--format", "json", "-o", "comparison.json"});
  ASSERT_EQ(compared.exit_code, 0) << compared.err;
  ExpectRefused({"summary", "comparison.json"}, "comparison.json",
                "which is part of what is shown");
  const std::string program = RANGEWISE_BINARY;
  const std::string file = (scratch_.path() / "comparison.json").string();
  RunningProgram piped({"/bin/sh", "-c", program + " gpu - < '" + file + "'"});
  for (const Outcome& outcome : {piped.Finish(), Run({"gpu", "comparison.json"})}) {
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_NE(outcome.err.find("this is the result of a comparison"), std::string::npos)
        << outcome.err;
    EXPECT_NE(outcome.err.find("`rangewise summary` shows it"), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace rangewise::test_support
