// `rangewise compare` of GPU work: the analysis of a real export, and variants of it that stand for
// further runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>

#include "support/compared_cohorts.h"

namespace rangewise::test_support {
namespace {

class CompareGpuWork : public ComparedCohorts {
 protected:
  CompareGpuWork() {
    fs::copy(RANGEWISE_SOURCE_DIR "/samples/power-iteration", scratch_.path() / "run");
    const Outcome outcome =
        RunRangewise({"analyze", "run", "--reports", "sqlite"},
                     {.set = {{"PATH", "/nonexistent"}}, .working_folder = scratch_.path()});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    analysis_ = Json::parse(Slurp(scratch_.path() / "run" / "analysis.json"));
    fs::remove_all(scratch_.path() / "before");
    fs::remove_all(scratch_.path() / "after");
  }

  // Eight runs that are the real one but for their kernel times of Compute, and for `edit`.
  void MakeRuns(const std::string& side, double factor, const std::function<void(Json&)>& edit) {
    for (int i = 0; i < 8; ++i) {
      const std::string name = side + std::to_string(i);
      Json run = analysis_;
      run["run"]["run_id"] = name;
      run["run"]["started_at"] =
          "2026-01-31T1" + std::to_string(i) + (side == "before" ? ":00:00Z" : ":30:00Z");
      for (Json& file : run["provenance"]["inputs"]["files"]) file["xxh3_128"] = name;
      for (const char* key : {"paths", "grouped_paths"}) {
        for (Json& row : run["range_gpu_work"][key]) {
          if (row["path"] != Json::array({"Compute"})) continue;
          const double scaled = row["kernels"]["total_ns"].get<double>() * (factor + i * 0.001);
          row["kernels"]["total_ns"] = static_cast<int64_t>(scaled);
        }
      }
      edit(run);
      fs::create_directories(scratch_.path() / side / name);
      Spill(scratch_.path() / side / name / "analysis.json", run.dump());
    }
  }

  Json analysis_;
};

void NoEdit(Json&) {}

TEST_F(CompareGpuWork, FindsSlowerKernelsAndGatesOnThem) {
  MakeRuns("before", 1, NoEdit);
  MakeRuns("after", 1.1, NoEdit);
  const Json json = JsonOf({"--baseline", "before", "--candidate", "after"});
  EXPECT_EQ(json["verdict"], "no-change");
  const Json& rows = json["tables"]["gpu-kernels"]["rows"];
  EXPECT_GT(rows.size(), 1u);
  for (const Json& row : rows) {
    const bool scaled = row["path"] == Json::array({"Compute"});
    EXPECT_EQ(row["verdict"], scaled ? "regressed" : "no-change") << row["path"];
  }
  // A kernel's time on one stream is busy time, too: the numbers of the real run.
  const auto at = std::find_if(rows.begin(), rows.end(), [](const Json& row) {
    return row["path"] == Json::array({"Compute"});
  });
  ASSERT_NE(at, rows.end());
  for (const Json& row : json["tables"]["gpu-busy"]["rows"]) {
    if (row["path"] == Json::array({"Compute"})) {
      EXPECT_EQ(row["baseline"][0]["median_ns"], (*at)["baseline"][0]["median_ns"]);
    }
  }
  EXPECT_FALSE(json["tables"]["host-waits"]["rows"].empty());
  EXPECT_TRUE(json["tables"]["exposed-communication"]["rows"].empty());

  EXPECT_EQ(BeforeAgainstAfter({"--gate"}).exit_code, 0);
  const Outcome gated = BeforeAgainstAfter({"--gate", "--gate-on", "gpu-kernels:Compute"});
  EXPECT_EQ(gated.exit_code, 1);
  EXPECT_NE(gated.out.find("Summed kernel time of ranges, whole run"), std::string::npos);
  EXPECT_NE(gated.out.find("can exceed"), std::string::npos);
  EXPECT_EQ(BeforeAgainstAfter({"--gate", "--gate-on", "gpu-busy-iterations", "gpu-busy:Compute",
                                "host-waits:Loop"})
                .exit_code,
            0);
  EXPECT_EQ(BeforeAgainstAfter({"--gate", "--gate-on", "exposed-communication:Loop"}).exit_code, 2);
  const Outcome primary = BeforeAgainstAfter({"--primary", "gpu-kernels:Compute"});
  EXPECT_EQ(primary.exit_code, 2);
  EXPECT_NE(primary.err.find("cannot be the primary metric"), std::string::npos) << primary.err;
}

TEST_F(CompareGpuWork, ARunWithoutItIsNamedAndNoWin) {
  MakeRuns("before", 1.1, NoEdit);
  MakeRuns("after", 1, [](Json& run) {
    if (run["run"]["run_id"] != "after3") return;
    run["range_gpu_work"] = nullptr;
    run["range_gpu_work_reason"] = "it was turned off by --gpu-work off";
  });
  const Json json = JsonOf({"--baseline", "before", "--candidate", "after"});
  EXPECT_EQ(json["verdict"], "no-change");
  for (const char* table : {"gpu-busy", "gpu-busy-iterations", "gpu-kernels", "host-waits"}) {
    EXPECT_FALSE(json["tables"][table]["rows"].empty()) << table;
    for (const Json& row : json["tables"][table]["rows"]) {
      EXPECT_EQ(row["verdict"], "not-comparable") << table;
      EXPECT_EQ(row["reason"], "no-gpu-work") << table;
    }
  }
  for (const char* format : {"text", "md"}) {
    const Outcome outcome = BeforeAgainstAfter({"--format", format});
    EXPECT_NE(outcome.out.substr(0, outcome.out.find('\n')).find("gpu-work-missing"),
              std::string::npos)
        << outcome.out;
    EXPECT_NE(outcome.out.find("1 of 16 runs lack gpu-busy"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("--gpu-work off"), std::string::npos) << outcome.out;
  }
  EXPECT_EQ(BeforeAgainstAfter({"--gate", "--gate-on", "gpu-kernels:Compute"}).exit_code, 4);
}

TEST_F(CompareGpuWork, AGateOnWhatWasNeverComputedDoesNotKnow) {
  const auto turned_off = [](Json& run) {
    run["range_gpu_work"] = nullptr;
    run["range_gpu_work_reason"] = "it was turned off by --gpu-work off";
  };
  MakeRuns("before", 1, turned_off);
  MakeRuns("after", 1, turned_off);
  for (const char* metric : {"gpu-busy:Compute", "gpu-busy-iterations", "host-waits:Loop"}) {
    const Outcome outcome = BeforeAgainstAfter({"--gate", "--gate-on", metric});
    EXPECT_EQ(outcome.exit_code, 4) << metric << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("gate: not passed (exit code 4): 1 row cannot be compared"))
        << outcome.err;
    EXPECT_NE(outcome.err.find("not-comparable: no-gpu-work"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.out.find("16 of 16 runs lack gpu-busy"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("--gpu-work off"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("`rangewise analyze RUN` adds GPU work"), std::string::npos)
        << outcome.out;
    const Json json =
        JsonOf({"--baseline", "before", "--candidate", "after", "--gate", "--gate-on", metric});
    EXPECT_EQ(json["gate"]["result"], "not-passed");
    EXPECT_EQ(json["gate"]["rows"][0]["ratio"], nullptr);
  }
  // A name that nobody knows is wrong usage as ever.
  const Outcome unknown = BeforeAgainstAfter({"--gate", "--gate-on", "gpu-busy:Compote"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("'Compute'"), std::string::npos) << unknown.err;
}

TEST_F(CompareGpuWork, ChangesNothingOfTheOtherRows) {
  MakeRuns("before", 1, NoEdit);
  MakeRuns("after", 1.1, NoEdit);
  const Json with = JsonOf({"--baseline", "before", "--candidate", "after"});
  const auto without_work = [](Json& run) {
    run.erase("range_gpu_work");
    run.erase("range_gpu_work_reason");
  };
  MakeRuns("before", 1, without_work);
  MakeRuns("after", 1.1, without_work);
  const Outcome text = BeforeAgainstAfter();
  EXPECT_EQ(text.out.find("busy"), std::string::npos) << text.out;
  Json without = JsonOf({"--baseline", "before", "--candidate", "after"});
  EXPECT_EQ(without["gpu_families"][0]["missing"].size(), 16u);
  for (const char* table :
       {"exposed-communication", "gpu-busy", "gpu-busy-iterations", "gpu-kernels", "host-waits"}) {
    EXPECT_TRUE(without["tables"][table]["rows"].empty()) << table;
    without["tables"][table] = with["tables"][table];
  }
  without["gpu_families"] = with["gpu_families"];
  EXPECT_EQ(without.dump(), with.dump());
}

TEST_F(CompareGpuWork, AFileShowsItAgain) {
  MakeRuns("before", 1, NoEdit);
  MakeRuns("after", 1.1, NoEdit);
  const Outcome shown = BeforeAgainstAfter();
  const Outcome written = BeforeAgainstAfter({"--format", "json"});
  Spill(scratch_.path() / "comparison.json", written.out);
  const Outcome again =
      RunRangewise({"summary", "comparison.json"},
                   {.set = {{"PATH", "/nonexistent"}}, .working_folder = scratch_.path()});
  EXPECT_EQ(again.out, shown.out) << again.err;
}

}  // namespace
}  // namespace rangewise::test_support
