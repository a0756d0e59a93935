// `rangewise compare` as a user meets it, on the sample cohorts: verdicts, gates, forms, refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "support/compared_cohorts.h"

namespace rangewise::test_support {
namespace {

namespace fs = std::filesystem;

class Compare : public ComparedCohorts {};

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
  EXPECT_TRUE(
      failed.err.starts_with("gate: failed (exit code 1): 9 rows regressed: gpu-iterations "
                             "1.055 (1.044 to 1.063); gpu-projection of 'Compute' "
                             "1.106 (1.095 to 1.116); "))
      << failed.err;
  EXPECT_TRUE(failed.err.ends_with(" and 3 more\n")) << failed.err;
  EXPECT_EQ(std::count(failed.err.begin(), failed.err.end(), '\n'), 1);
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
  EXPECT_EQ(passed.err, "gate: passed (exit code 0)\n");
}

TEST_F(Compare, AGateNamesTheRowsThatDecidedInEveryForm) {
  const Outcome text = BeforeAgainstAfter({"--gate"});
  EXPECT_NE(text.out.find("\nGate failed (exit code 1): 9 rows regressed\n"), std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find("gpu-projection   Compute\n"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("The gate rests on the primary metric; any other row"),
            std::string::npos);
  const Outcome markdown = BeforeAgainstAfter({"--gate", "--format", "md"});
  const size_t table = markdown.out.find("**Gate failed (exit code 1): 9 rows regressed**");
  ASSERT_NE(table, std::string::npos) << markdown.out;
  EXPECT_LT(table, markdown.out.find("<details>"));
  EXPECT_NE(markdown.out.find("| gpu-projection | `Compute` |\n", table), std::string::npos);

  Json json = JsonOf({"--baseline", "before", "--candidate", "after", "--gate"});
  EXPECT_EQ(json["gate"]["result"], "failed");
  EXPECT_EQ(json["gate"]["rows"].size(), 9u);
  size_t regressed = 0;
  for (const auto& [metric, rows] : json["tables"].items()) {
    for (const Json& row : rows["rows"]) {
      if (row["verdict"] != "regressed") continue;
      ++regressed;
      const auto same = [&](const Json& other) {
        return other["metric"] == metric && other["path"] == row["path"];
      };
      const auto at = std::find_if(json["gate"]["rows"].begin(), json["gate"]["rows"].end(), same);
      ASSERT_NE(at, json["gate"]["rows"].end()) << row;
      for (const char* key : {"interval", "p", "q", "ratio", "verdict"})
        EXPECT_EQ((*at)[key], row[key]) << key;
    }
  }
  EXPECT_EQ(regressed, 9u);
  EXPECT_EQ(JsonOf({"--baseline", "before", "--candidate", "after"})["gate"], nullptr);

  // What was written shows it again, and a file from before gates were in it still is one.
  const auto shown = [&](const Json& document) {
    Spill(scratch_.path() / "comparison.json", document.dump());
    return RunRangewise({"summary", "comparison.json"},
                        {.set = {}, .working_folder = scratch_.path()});
  };
  EXPECT_EQ(shown(json).out, text.out);
  json.erase("gate");
  EXPECT_EQ(shown(json).out, BeforeAgainstAfter().out);
}

TEST_F(Compare, AGateOnThePrimaryMetricIsOnNothingElse) {
  // Backwards the primary metric improves and IO regresses.
  const Words back = {"--baseline", "after", "--candidate", "before", "--gate"};
  EXPECT_EQ(Run(back).exit_code, 1);
  Words primary = back;
  primary.insert(primary.end(), {"--gate-on", "primary"});
  const Outcome passed = Run(primary);
  EXPECT_EQ(passed.exit_code, 0) << passed.out;
  EXPECT_EQ(passed.err, "gate: passed (exit code 0)\n");
  EXPECT_NE(passed.out.find("on nothing else (--gate-on primary)"), std::string::npos);
  EXPECT_EQ(JsonOf(primary)["gate"]["named_only"], true);
  primary.push_back("host-inclusive:Compute");
  EXPECT_EQ(Run(primary).exit_code, 0);
  primary.push_back("host-inclusive:IO");
  const Outcome failed = Run(primary);
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_TRUE(
      failed.err.starts_with("gate: failed (exit code 1): 1 row regressed: host-inclusive "
                             "of 'IO' "))
      << failed.err;
  EXPECT_EQ(BeforeAgainstAfter({"--gate", "--gate-on", "primary"}).exit_code, 1);
  EXPECT_EQ(BeforeAgainstAfter({"--gate-on", "primary"}).exit_code, 2);
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
            "gate: not passed (exit code 4): 1 row is neither improved nor without change: "
            "gpu-iterations (inconclusive: too-few-runs) 1.059\n");
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

}  // namespace
}  // namespace rangewise::test_support
