// `rangewise compare` as a user meets it, on the sample cohorts: verdicts, gates, forms, refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
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

class Compare : public testing::Test {
 protected:
  Compare() {
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

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

// Takes everything of the GPU out of an analysis, as if the CUDA tables had been missing.
void RemoveGpu(Json& analysis) {
  analysis["gpu_projected_ranges"] = Json::array();
  analysis["iteration_summary"]["gpu_projected"] = nullptr;
  analysis["iteration_summary"]["gpu_projected_iterations"] = 0;
  for (Json& iteration : analysis["iterations"]) iteration["gpu_projection"] = nullptr;
}

// Multiplies every statistic of a range.
void Scale(Json& analysis, const char* table, const std::string& name, double factor) {
  for (Json& row : analysis[table]) {
    if (row["name"] != name) continue;
    for (const char* metric : {"projected", "inclusive", "exclusive"}) {
      if (!row.contains(metric)) continue;
      for (auto& [key, value] : row[metric].items()) {
        if (!key.ends_with("_ns")) continue;
        if (value.is_number_float()) {
          value = value.get<double>() * factor;
        } else {
          value = static_cast<int64_t>(value.get<double>() * factor);
        }
      }
    }
  }
}

TEST_F(Compare, FindsTheChangeOfTheSampleCohorts) {
  const Outcome outcome = BeforeAgainstAfter();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("regressed: GPU projection of iterations, 1.0"))
      << outcome.out;
  const Json json = JsonOf({"--baseline", "before", "--candidate", "after"});
  EXPECT_EQ(json["verdict"], "regressed");
  EXPECT_EQ(json["caveats"], Json::array());
  EXPECT_EQ(json["baseline"].size(), 10u);
  for (const Json& row : json["tables"]["gpu-projection"]["rows"]) {
    if (row["path"] == Json::array({"Compute"})) {
      EXPECT_EQ(row["verdict"], "regressed");
    }
    if (row["path"] == Json::array({"Copy"})) {
      EXPECT_EQ(row["verdict"], "no-change");
    }
  }
  for (const Json& row : json["tables"]["host-inclusive"]["rows"]) {
    if (row["path"] == Json::array({"IO"})) {
      EXPECT_EQ(row["verdict"], "improved");
    }
  }
  // What is improved one way regressed the other way.
  EXPECT_EQ(JsonOf({"--baseline", "after", "--candidate", "before"})["verdict"], "improved");
}

TEST_F(Compare, TheGateDecidesTheExitCode) {
  const Outcome failed = BeforeAgainstAfter({"--gate"});
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_EQ(failed.err, "gate: failed, a metric regressed\n");
  // The way back IO regresses, which is a range beside the primary metric.
  EXPECT_EQ(Run({"--baseline", "after", "--candidate", "before", "--gate"}).exit_code, 1);
  for (const char* side : {"before", "after"}) {
    EditAll(side, [](Json& analysis) {
      Json kept = Json::array();
      for (const Json& row : analysis["host_ranges"]) {
        if (row["name"] == "Loop") kept.push_back(row);
      }
      analysis["host_ranges"] = kept;
    });
  }
  const Outcome passed = Run({"--baseline", "after", "--candidate", "before", "--gate"});
  EXPECT_EQ(passed.exit_code, 0) << passed.out;
  EXPECT_EQ(passed.err, "gate: passed\n");
}

TEST_F(Compare, AnotherRangesRegressionFailsTheGate) {
  EditAll("after", [](Json& analysis) { Scale(analysis, "host_ranges", "IO", 2); });
  const Outcome outcome = Run({"--baseline", "after", "--candidate", "before", "--gate"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  const Outcome worse = Run({"--baseline", "before", "--candidate", "after", "--primary",
                             "gpu-projection:Copy", "--gate"});
  EXPECT_EQ(worse.exit_code, 1);
  EXPECT_TRUE(worse.out.starts_with("no-change: GPU projection of 'Copy'")) << worse.out;
  EXPECT_NE(FirstLine(worse.out).find("regressed"), std::string::npos) << worse.out;
}

TEST_F(Compare, InconclusiveNeverPassesAGate) {
  const Words one = {"--baseline", "before/run-01", "--candidate", "after/run-01"};
  Outcome outcome = Run(one);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(outcome.out.starts_with("inconclusive [order-confounded]: ")) << outcome.out;
  EXPECT_NE(outcome.out.find("observed, not tested; a verdict needs 5 runs a side"),
            std::string::npos);
  outcome = Run({"--baseline", "before/run-0[1-4]", "--candidate", "after/run-0[1-4]", "--gate"});
  EXPECT_EQ(outcome.exit_code, 4) << outcome.out;
  EXPECT_EQ(outcome.err,
            "gate: not passed, a gated metric is neither improved nor without change\n");
  // A metric that only one side has is removed, and that is no pass either.
  EditAll("before", [](Json& analysis) {
    for (Json& row : analysis["gpu_projected_ranges"]) {
      if (row["name"] == "Copy") row["name"] = row["path"][0] = "Copies";
    }
  });
  outcome = Run({"--baseline", "before", "--candidate", "before", "--gate-on",
                 "gpu-projection:Copies", "--gate"});
  EXPECT_EQ(outcome.exit_code, 4);
  const Words gated = {"--baseline", "after",     "--candidate",
                       "before",     "--primary", "gpu-projection:Compute & Residual",
                       "--gate",     "--gate-on"};
  Words removed = gated;
  removed.push_back("gpu-projection:Copy");
  Words there = gated;
  there.push_back("gpu-projection:Compute");
  EditAll("after", [](Json& analysis) { Scale(analysis, "host_ranges", "IO", 2); });
  EXPECT_EQ(Run(removed).exit_code, 4) << Run(removed).out;
  EXPECT_EQ(Run(there).exit_code, 0) << Run(there).out;
}

TEST_F(Compare, ADifferenceIsSaidEverywhereAndForbidsAVerdict) {
  Edit("after/run-03", [](Json& analysis) { analysis["run"]["device"] = "cuda:1"; });
  for (const char* format : {"text", "md", "json"}) {
    const Outcome outcome = BeforeAgainstAfter({"--format", format});
    EXPECT_EQ(outcome.exit_code, 4);
    EXPECT_NE(outcome.out.find("not-comparable"), std::string::npos);
    EXPECT_NE(outcome.out.find("device"), std::string::npos);
    EXPECT_NE(outcome.out.find("cuda:1"), std::string::npos);
    const Outcome allowed = BeforeAgainstAfter({"--format", format, "--allow-different", "device"});
    EXPECT_EQ(allowed.exit_code, 0);
    EXPECT_NE(allowed.out.find("regressed"), std::string::npos);
    EXPECT_NE(allowed.out.find("differences-allowed"), std::string::npos);
    EXPECT_NE(allowed.out.find("cuda:1"), std::string::npos);
  }
  EXPECT_EQ(BeforeAgainstAfter({"--gate"}).exit_code, 4);
}

TEST_F(Compare, WhatNoRunRecordedMustBeAllowed) {
  for (const char* side : {"before", "after"})
    EditAll(side, [](Json& analysis) { analysis["run"]["target"] = nullptr; });
  const Outcome outcome = BeforeAgainstAfter();
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_NE(FirstLine(outcome.out).find("unknown 'target'"), std::string::npos) << outcome.out;
  EXPECT_EQ(BeforeAgainstAfter({"--allow-different", "target"}).exit_code, 0);
}

TEST_F(Compare, RunsThatTheirAnalysesWarnOfAreLeftOut) {
  Edit("before/run-02", [](Json& analysis) {
    analysis["warnings"] = {"missing-iterations: 3 of 10", "future-code: something new"};
  });
  const Outcome outcome = BeforeAgainstAfter();
  EXPECT_TRUE(outcome.out.starts_with("regressed [runs-left-out 1]: ")) << outcome.out;
  EXPECT_NE(outcome.out.find("before/run-02 (baseline): missing-iterations"), std::string::npos);
  EXPECT_EQ(JsonOf({"--baseline", "before", "--candidate", "after"})["baseline"].size(), 9u);
  // Allowed, it is still said, in every form.
  for (const char* format : {"text", "md", "json"}) {
    const Outcome allowed =
        BeforeAgainstAfter({"--allow-different", "missing-iterations", "--format", format});
    EXPECT_EQ(allowed.exit_code, 0);
    EXPECT_NE(allowed.out.find("warnings-allowed"), std::string::npos) << allowed.out;
    EXPECT_NE(allowed.out.find("missing-iterations"), std::string::npos) << allowed.out;
    EXPECT_NE(allowed.out.find("runs-warn"), std::string::npos) << allowed.out;
    EXPECT_NE(allowed.out.find("future-code"), std::string::npos) << allowed.out;
  }
  EXPECT_NE(BeforeAgainstAfter({"--allow-different", "missing-iterations"})
                .out.find("before/run-02 (baseline): missing-iterations (allowed), future-code"),
            std::string::npos);
}

TEST_F(Compare, HalfACaptureIsLeftOut) {
  EditAll("after",
          [](Json& analysis) { analysis["iteration_summary"]["gpu_projected_iterations"] = 2; });
  const Outcome outcome = Run({"--baseline", "after", "--candidate", "before", "--gate"});
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_TRUE(outcome.out.starts_with("not-comparable [runs-left-out 10]: ")) << outcome.out;
  EXPECT_NE(outcome.out.find("missing-gpu-projection"), std::string::npos) << outcome.out;
}

TEST_F(Compare, AnEmptyCaptureIsNoWinForTheHost) {
  EditAll("before", RemoveGpu);
  for (const char* side : {"before", "after"}) {
    EditAll(side, [](Json& analysis) {
      analysis["iteration_summary"]["gpu_projected"] = nullptr;
      analysis["iteration_summary"]["gpu_projected_iterations"] = 0;
    });
  }
  const Words words = {"--baseline", "after", "--candidate", "before", "--gate"};
  const Outcome outcome = Run(words);
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_TRUE(outcome.out.starts_with("not-comparable [gpu-data-missing]: ")) << outcome.out;
  Words host = words;
  host.insert(host.end(), {"--primary", "host-iterations"});
  EXPECT_TRUE(Run(host).out.starts_with("improved [gpu-data-missing]: ")) << Run(host).out;
}

TEST_F(Compare, TheSameRunCountsOnce) {
  fs::copy(scratch_.path() / "before/run-02", scratch_.path() / "before/run-02-copy",
           fs::copy_options::recursive);
  const Outcome outcome = BeforeAgainstAfter();
  EXPECT_TRUE(outcome.out.starts_with("regressed [duplicate-runs 1]: ")) << outcome.out;
  EXPECT_NE(outcome.out.find("before/run-02-copy (baseline) is before/run-02"), std::string::npos);
  const Outcome self = Run({"--baseline", "before", "--candidate", "before", "--gate"});
  EXPECT_EQ(self.exit_code, 4);
  EXPECT_TRUE(self.out.starts_with("inconclusive [")) << self.out;
  EXPECT_NE(FirstLine(self.out).find("shared-runs"), std::string::npos) << self.out;
}

TEST_F(Compare, TheOrderOfArgumentsChangesNoByte) {
  const Words runs = {"before/run-07", "before/run-01", "./before/run-03/",
                      "before/run-10", "before/run-02", "before/run-05"};
  Words reversed(runs.rbegin(), runs.rend());
  for (const char* format : {"text", "md", "json"}) {
    Words there = {"--format", format, "--candidate", "after", "--baseline"};
    Words back = {"--baseline"};
    there.insert(there.end(), runs.begin(), runs.end());
    back.insert(back.end(), reversed.begin(), reversed.end());
    back.insert(back.end(), {"--candidate", "after/run-1*", "after/run-0*", "--format", format});
    const Outcome outcome = Run(there);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(Run(back).out, outcome.out);
  }
}

TEST_F(Compare, ARunWithoutGpuTablesIsNeverAWin) {
  // The candidate is better, and one of its runs recorded nothing of the GPU.
  Edit("before/run-04", RemoveGpu);
  const Json json = JsonOf({"--baseline", "after", "--candidate", "before"});
  EXPECT_EQ(json["verdict"], "not-comparable");
  EXPECT_EQ(json["reason"], "no-gpu-projection");
  EXPECT_EQ(json["primary"]["missing"], Json::parse(R"([{"run": 3, "side": "candidate"}])"));
  for (const char* table : {"gpu-iterations", "gpu-projection"}) {
    for (const Json& row : json["tables"][table]["rows"]) {
      EXPECT_TRUE(row["candidate"][3].is_null());
      EXPECT_TRUE(row["ratio"].is_null() && row["p"].is_null() && row["interval"].is_null());
      EXPECT_EQ(row["verdict"], "not-comparable");
    }
  }
  const Outcome outcome = Run({"--baseline", "after", "--candidate", "before", "--gate"});
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_NE(FirstLine(outcome.out).find("'before/run-04'"), std::string::npos) << outcome.out;
}

TEST_F(Compare, OrderIsACaveat) {
  EditAll("after", [](Json& analysis) {
    std::string time = analysis["run"]["started_at"];
    analysis["run"]["started_at"] = time.replace(time.find("T10"), 3, "T11");
  });
  EXPECT_TRUE(BeforeAgainstAfter().out.starts_with("regressed [order-confounded]: "));
  Edit("after/run-01", [](Json& analysis) { analysis["run"]["started_at"] = nullptr; });
  EXPECT_TRUE(BeforeAgainstAfter().out.starts_with("regressed [order-unknown]: "));
}

TEST_F(Compare, WritesToAFile) {
  const Outcome outcome = BeforeAgainstAfter({"--format", "md", "-o", "comment.md"});
  EXPECT_EQ(outcome.exit_code, 0);
  const std::string comment = Slurp(scratch_.path() / "comment.md");
  EXPECT_TRUE(comment.starts_with("regressed: GPU projection of iterations"));
  EXPECT_LT(comment.size(), 60000u);
  EXPECT_EQ(outcome.out, FirstLine(comment) + "\nWrote comment.md\n");
  EXPECT_EQ(BeforeAgainstAfter({"--format", "md", "-o", "-"}).out, comment);
  EXPECT_EQ(BeforeAgainstAfter({"-o", "nowhere/x"}).exit_code, 74);
  EXPECT_EQ(BeforeAgainstAfter({"-o", "before/run-01/analysis.json"}).exit_code, 2);
}

TEST_F(Compare, AnOutputNeverDamagesARun) {
  fs::create_directory(scratch_.path() / "flat");
  for (const char* side : {"before", "after"}) {
    for (const char* run : {"run-01", "run-02"}) {
      fs::copy(scratch_.path() / side / run / "analysis.json",
               scratch_.path() / "flat" / (std::string(side) + run + ".json"));
    }
  }
  fs::create_symlink("flat/beforerun-01.json", scratch_.path() / "link");
  fs::create_symlink("before/run-01/new", scratch_.path() / "dangling");
  fs::create_hard_link(scratch_.path() / "flat/afterrun-01.json", scratch_.path() / "hard");
  const auto files = [&] {
    std::string all;
    for (const auto& entry : fs::recursive_directory_iterator(scratch_.path())) {
      if (entry.is_regular_file()) all += entry.path().string() + Slurp(entry.path());
    }
    return all.size();
  };
  const size_t before = files();
  const auto refused = [&](const Words& runs, const std::string& output) {
    Words words = runs;
    words.insert(words.end(), {"-o", output});
    const Outcome outcome = Run(words);
    EXPECT_EQ(outcome.exit_code, 2) << output << outcome.err;
    EXPECT_NE(outcome.err.find("which is compared"), std::string::npos) << outcome.err;
    EXPECT_EQ(files(), before) << output;
  };
  const Words flat = {"--baseline", "flat/before*.json", "--candidate", "flat/after*.json"};
  for (const char* output :
       {"flat/beforerun-01.json", "flat/../flat/afterrun-02.json", "link", "hard"})
    refused(flat, output);
  const Words folders = {"--baseline", "before", "--candidate", "after"};
  for (const char* output : {"before/run-01/manifest.yaml", "before/run-03/stats/x", "dangling",
                             "after/run-02/new.json"})
    refused(folders, output);
  refused({"--baseline", "before/run-0*/analysis.json", "--candidate", "after"},
          "before/run-02/comment.md");
  refused({"--aa", "before"}, "before/run-01/noise.json");
  // Beside runs there is room.
  Words beside = flat;
  beside.insert(beside.end(), {"-o", "flat/result"});
  EXPECT_EQ(Run(beside).exit_code, 0);
  Words above = folders;
  above.insert(above.end(), {"-o", "before/comment.md"});
  EXPECT_EQ(Run(above).exit_code, 0);
}

TEST_F(Compare, NothingInAFolderOfRunsIsPassedOverInSilence) {
  fs::create_directories(scratch_.path() / "before/notes");
  const Outcome outcome = BeforeAgainstAfter();
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "Passed over, as it is no run: before/notes\n");
  // A folder that only holds a trace or an export is a run, and one that cannot be analysed is
  // said.
  fs::create_directories(scratch_.path() / "before/traced");
  Spill(scratch_.path() / "before/traced/trace.sqlite", "no export");
  EXPECT_NE(BeforeAgainstAfter().exit_code, 0);
  EXPECT_NE(BeforeAgainstAfter().err.find("before/traced"), std::string::npos);
  fs::remove_all(scratch_.path() / "before/traced");
  fs::create_directories(scratch_.path() / "before/lost");
  fs::create_symlink("/nonexistent", scratch_.path() / "before/lost/analysis.json");
  EXPECT_NE(BeforeAgainstAfter().exit_code, 0);
  EXPECT_NE(BeforeAgainstAfter().err.find("before/lost"), std::string::npos);
}

TEST_F(Compare, ARangeOfSeveralDomainsMustBeNamedWithItsDomain) {
  for (const char* side : {"before", "after"}) {
    EditAll(side, [&](Json& analysis) {
      for (const Json& row : Json(analysis["host_ranges"])) {
        if (row["name"] != "Copy" && row["name"] != "IO") continue;
        Json other = row;
        other["name"] = "lib:A";
        other["path"] = {"lib:A"};
        other["domain"] = row["name"] == "IO" ? "lib" : "";
        analysis["host_ranges"].push_back(other);
      }
    });
  }
  const auto with = [&](const std::string& metric) {
    return BeforeAgainstAfter({"--primary", "host-inclusive:" + metric});
  };
  const Outcome ambiguous = with("lib:A");
  EXPECT_EQ(ambiguous.exit_code, 2) << ambiguous.out;
  EXPECT_NE(ambiguous.err.find("host-inclusive:lib:A@lib"), std::string::npos) << ambiguous.err;
  EXPECT_TRUE(with("lib:A@lib").out.starts_with("improved")) << with("lib:A@lib").err;
  EXPECT_TRUE(with("A@lib").out.starts_with("improved"));
  EXPECT_TRUE(with(R"(["lib:A"]@lib)").out.starts_with("improved"));
  EXPECT_TRUE(with("lib:A@").out.starts_with("regressed"));
  EXPECT_EQ(with("lib:A@else").exit_code, 2);
  EXPECT_EQ(BeforeAgainstAfter({"--gate", "--gate-on", "host-inclusive:lib:A"}).exit_code, 2);
}

TEST_F(Compare, MetricsAreThoseOfRunsThatTakePart) {
  const auto group = [](Json& analysis) {
    for (const char* table : {"host_ranges", "gpu_projected_ranges"}) {
      Json rows = analysis[table];
      for (Json& row : rows) {
        row["name"] = "all " + row["name"].get<std::string>();
        row["path"] = Json::array({row["name"]});
      }
      analysis[std::string("grouped_") + table] = rows;
    }
  };
  for (const char* side : {"before", "after"}) EditAll(side, group);
  Edit("before/run-01", [](Json& analysis) {
    analysis.erase("grouped_host_ranges");
    analysis.erase("grouped_gpu_projected_ranges");
    analysis["warnings"] = {"stale-reports: x"};
  });
  EXPECT_TRUE(BeforeAgainstAfter({"--primary", "host-inclusive:all Compute"})
                  .out.starts_with("regressed [runs-left-out 1]: "));
  EXPECT_EQ(BeforeAgainstAfter({"--primary", "host-inclusive:Compute"}).exit_code, 2);
}

TEST_F(Compare, NumbersThatCannotBeAreRefused) {
  const auto refused = [&](const std::function<void(Json&)>& edit, const std::string& said) {
    const std::string whole = Slurp(scratch_.path() / "before/run-01/analysis.json");
    Edit("before/run-01", edit);
    const Outcome outcome = BeforeAgainstAfter();
    EXPECT_EQ(outcome.exit_code, 3) << outcome.out;
    EXPECT_NE(outcome.err.find(said), std::string::npos) << outcome.err;
    Spill(scratch_.path() / "before/run-01/analysis.json", whole);
  };
  const char* const median = "a median that is not from";
  refused([](Json& a) { a["iteration_summary"]["gpu_projected"]["median_ns"] = 1; }, median);
  refused([](Json& a) { a["host_ranges"][0]["inclusive"]["median_ns"] = 1e15; }, median);
  refused([](Json& a) { a["host_ranges"][0]["instances"] = 0; }, "of no instance");
  refused([](Json& a) { a["iteration_summary"]["gpu_projected_iterations"] = 0; },
          "of no iteration");
}

TEST_F(Compare, MeasuresTheNoiseOfOneCohort) {
  const Outcome outcome = Run({"--aa", "before"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("noise +")) << outcome.out;
  const Json json = JsonOf({"--aa", "before"});
  EXPECT_EQ(json["noise"]["splits"], 126);
  EXPECT_LT(json["noise"]["log_ratio"], 0.02);
  EXPECT_EQ(Run({"--aa", "before/run-0?"}).exit_code, 4);

  const Json automatic =
      JsonOf({"--baseline", "before", "--candidate", "after", "--floor", "auto"});
  // The noise is about 1 %, and the default is the least.
  EXPECT_EQ(automatic["floor"]["source"], "noise-below-default");
  EXPECT_EQ(automatic["floor"]["relative_ratio"], 0.03);
  EXPECT_EQ(automatic["baseline_noise"]["log_ratio"], json["noise"]["log_ratio"]);
  const Outcome few =
      Run({"--baseline", "before/run-0?", "--candidate", "after", "--floor", "auto"});
  EXPECT_NE(few.out.find("too few runs for its noise"), std::string::npos) << few.out;
  EXPECT_EQ(JsonOf({"--baseline", "before", "--candidate", "after", "--floor", "20%"})["verdict"],
            "no-change");
}

TEST_F(Compare, RunsMayBeNamedInManyWays) {
  const std::string expected =
      BeforeAgainstAfter({"--format", "md", "--primary", "host-inclusive:Compute"}).out;
  const Outcome patterns = Run({"--baseline", "before/*", "--candidate", "after/run-??", "--format",
                                "md", "--primary", R"(host-inclusive:["Compute"])"});
  EXPECT_EQ(patterns.out, expected);
  const Json files = JsonOf({"--baseline", "before/*/analysis.json", "--candidate", "after"});
  EXPECT_EQ(files["baseline"][0]["label"], "before/run-01/analysis.json");
  EXPECT_EQ(files["verdict"], "regressed");
}

TEST_F(Compare, AnalysesWhatIsNotAnalysed) {
  const fs::path run = MakeSmokeRun(scratch_.path(), true);
  ASSERT_FALSE(fs::exists(run / "analysis.json"));
  const Words words = {
      "--baseline", "runs/smoke-local", "--candidate",  "runs",     "--allow-different",
      "target",     "data_source",      "records",      "workload", "cuda",
      "device",     "nsys_version",     "stale-reports"};
  const Outcome first = Run(words);
  EXPECT_EQ(first.exit_code, 0) << first.err << first.out;
  EXPECT_NE(first.err.find("Analysing runs/smoke-local"), std::string::npos) << first.err;
  EXPECT_TRUE(first.out.starts_with("inconclusive [")) << first.out;
  EXPECT_TRUE(fs::exists(run / "analysis.json"));
  const Outcome second = Run(words);
  EXPECT_EQ(second.err, "");
  EXPECT_EQ(second.out, first.out);
}

TEST_F(Compare, WrongUsageIsRefused) {
  const auto refused = [&](const Words& more, const std::string& said, int exit_code = 2) {
    const Outcome outcome = BeforeAgainstAfter(more);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    EXPECT_NE(outcome.err.find(said), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  };
  refused({"--floor", "3"}, "3%");
  refused({"--floor", ""}, "3%");
  refused({"--floor", "2000%"}, "0% to 1000%");
  refused({"--alpha", "0"}, "above 0");
  refused({"--allow-different", "devise"}, "the nearest is 'device'");
  refused({"--primary", "gpu"}, "gpu-iterations");
  refused({"--primary", "gpu-iterations:Compute"}, "takes no range");
  refused({"--primary", "gpu-projection"}, "gpu-projection:RANGE");
  refused({"--primary", "gpu-projection:Compote"}, "the nearest is 'Compute'");
  refused({"--gate-on", "gpu-iterations"}, "--gate");
  refused({"--format", "html"}, "html");
  refused({"--aa", "before"}, "--aa");
  refused({"--baseline", "nowhere"}, "no such run", 3);
  refused({"--baseline", "nowhere*"}, "pattern", 3);
  Spill(scratch_.path() / "broken.json", "{\"run\": ");
  refused({"--baseline", "broken.json"}, "broken.json", 3);
  Spill(scratch_.path() / "other.json", "{\"run\": {}}");
  refused({"--baseline", "other.json"}, "not-an-analysis", 3);
  fs::create_directory(scratch_.path() / "empty");
  refused({"--baseline", "empty"}, "neither analysis.json nor manifest.yaml", 3);
  Spill(scratch_.path() / "result.json", BeforeAgainstAfter({"--format", "json"}).out);
  refused({"--baseline", "result.json"}, "the result of a comparison", 3);
  EXPECT_EQ(Run({"--baseline", "before"}).exit_code, 2);
  EXPECT_EQ(Run({}).exit_code, 2);
  EXPECT_EQ(Run({"--aa", "before", "--gate"}).exit_code, 2);
}

}  // namespace
}  // namespace rangewise::test_support
