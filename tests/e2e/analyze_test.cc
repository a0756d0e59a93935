// `rangewise analyze` as a user runs it: real process, the stand-in for nsys, files in a scratch
// folder.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "support/fake_nsys.h"
#include "support/run_program.h"
#include "support/schema_check.h"

namespace rangewise::test_support {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Analyze : public testing::Test {
 protected:
  Outcome Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "analyze");
    return RunRangewise(std::move(arguments));
  }
  // analyze through the stand-in.
  Outcome RunNsys(const fs::path& run, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {run.string(), "--nsys", FakeNsysPath().string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run(arguments);
  }
  Json ReadAnalysis(const fs::path& path) {
    const std::string text = Slurp(path);
    EXPECT_EQ(SchemaProblems(text), std::vector<std::string>());
    return Json::parse(text);
  }
  ScratchFolder scratch_;
};

const Json* Group(const Json& groups, const std::string& name) {
  for (const Json& group : groups) {
    if (group["name"] == name) return &group;
  }
  return nullptr;
}

// The values that the contract works out for the sample.
TEST_F(Analyze, SmokeRunHasTheWorkedValues) {
  const fs::path run = MakeSmokeRun(scratch_.path(), false);
  FakeNsys nsys(SmokeTables());
  const Outcome outcome = RunNsys(run);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json analysis = ReadAnalysis(run / "analysis.json");
  EXPECT_EQ(analysis["schema_version"], 2);
  EXPECT_EQ(analysis["provenance"]["report_source"], "nsys");
  // The stand-in leaves an empty database as export: there is nothing to check against.
  ASSERT_EQ(analysis["warnings"].size(), 1u) << analysis["warnings"];
  EXPECT_TRUE(analysis["warnings"][0].get<std::string>().starts_with("not-cross-checked: "));

  const Json* capture = Group(analysis["host_ranges"], "profile-target");
  ASSERT_NE(capture, nullptr);
  EXPECT_EQ((*capture)["inclusive"]["total_ns"], 700839);
  EXPECT_EQ((*capture)["exclusive"]["total_ns"], 130796);
  const Json* projected = Group(analysis["gpu_projected_ranges"], "profile-target");
  ASSERT_NE(projected, nullptr);
  EXPECT_EQ((*projected)["projected"]["total_ns"], 336423);
  EXPECT_EQ((*projected)["gpu_operation_count"], 8);

  const Json& iterations = analysis["iterations"];
  ASSERT_EQ(iterations.size(), 2u);
  EXPECT_EQ(iterations[0]["host"],
            Json({{"inclusive_ns", 431993}, {"exclusive_ns", 110648}, {"child_total_ns", 321345}}));
  EXPECT_EQ(iterations[0]["gpu_projection"]["projected_ns"], 191620);
  EXPECT_EQ(iterations[0]["gpu_projection"]["gpu_operation_count"], 4);
  EXPECT_EQ(iterations[1]["host"],
            Json({{"inclusive_ns", 138050}, {"exclusive_ns", 50395}, {"child_total_ns", 87655}}));
  EXPECT_EQ(iterations[1]["gpu_projection"]["projected_ns"], 99714);
  EXPECT_EQ(analysis["iteration_summary"]["host_inclusive"]["total_ns"], 570043);
  EXPECT_EQ(analysis["iteration_summary"]["gpu_projected"]["total_ns"], 291334);

  const Json* multiply = Group(analysis["host_ranges"], "smoke multiply");
  ASSERT_NE(multiply, nullptr);
  EXPECT_EQ((*multiply)["instances"], 4);
  EXPECT_EQ((*multiply)["inclusive"]["total_ns"], 277292);
  EXPECT_EQ((*multiply)["path"], Json::array({"smoke multiply"}));

  EXPECT_EQ(analysis["run"]["record_count"], 2);
  EXPECT_EQ(analysis["run"]["git_commit"], "abc123");
  EXPECT_EQ(analysis["capture_gpu_work"]["memory_transfers"].size(), 2u);
  EXPECT_EQ(analysis["capture_gpu_work"]["kernels"][0]["cumulative_duration_ns"], 6464);
}

TEST_F(Analyze, SummaryNamesHostTimeAndProjectionAsDifferentThings) {
  const fs::path run = MakeSmokeRun(scratch_.path(), false);
  FakeNsys nsys(SmokeTables());
  const Outcome outcome = RunNsys(run);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("host"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("projection"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("not GPU latency"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find((run / "analysis.json").string()), std::string::npos) << outcome.out;
  for (size_t begin = 0; begin < outcome.out.size();) {
    const size_t end = outcome.out.find('\n', begin);
    if (outcome.out.compare(begin, 6, "Wrote ") != 0) {
      EXPECT_LE(end - begin, 100u) << outcome.out.substr(begin, end - begin);
    }
    begin = end + 1;
  }
}

TEST_F(Analyze, RunDirectoryByFlagAndByPositionAreTheSame) {
  const fs::path run = MakeSmokeRun(scratch_.path(), true);
  const Outcome a = Run({"--run-dir", run.string(), "--reports", "csv", "-o", "-"});
  const Outcome b = Run({run.string(), "--reports", "csv", "-o", "-"});
  EXPECT_EQ(a.exit_code, 0) << a.err;
  EXPECT_EQ(a.out, b.out);
  EXPECT_EQ(Run({}).exit_code, 2);
  EXPECT_EQ(Run({run.string(), "--run-dir", run.string()}).exit_code, 2);
}

TEST_F(Analyze, AutoWithoutNsysTakesTheTablesAndSaysSo) {
  const fs::path run = MakeSmokeRun(scratch_.path(), true);
  const Environment no_nsys{.set = {{"PATH", "/nonexistent"}, {"RANGEWISE_NSYS", ""}},
                            .working_folder = {}};
  const Outcome outcome = RunRangewise({"analyze", run.string()}, no_nsys);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string text = Slurp(run / "analysis.json");
  EXPECT_NE(text.find("reports-from-csv: "), std::string::npos);
  EXPECT_NE(text.find("reused-reports: "), std::string::npos);
  EXPECT_NE(text.find("nsys-version-unknown: "), std::string::npos);
  const Json analysis = ReadAnalysis(run / "analysis.json");
  EXPECT_TRUE(analysis["provenance"]["nsys_version"].is_null());
  EXPECT_EQ(RunRangewise({"analyze", run.string(), "--strict"}, no_nsys).exit_code, 1);
}

TEST_F(Analyze, NoSourceAtAll) {
  const fs::path run = MakeSmokeRun(scratch_.path(), false);
  const Environment no_nsys{.set = {{"PATH", "/nonexistent"}, {"RANGEWISE_NSYS", ""}},
                            .working_folder = {}};
  const Outcome outcome = RunRangewise({"analyze", run.string()}, no_nsys);
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_NE(outcome.err.find("error[no-report-source]"), std::string::npos) << outcome.err;
  EXPECT_EQ(RunRangewise({"analyze", run.string(), "--reports", "nsys"}, no_nsys).exit_code, 5);
}

TEST_F(Analyze, NamedNsysIsNeverReplaced) {
  const fs::path run = MakeSmokeRun(scratch_.path(), true);
  const auto before = Snapshot(run);
  Outcome outcome = Run({run.string(), "--nsys", "/nonexistent/nsys"});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_NE(outcome.err.find("error[nsys-not-found]"), std::string::npos) << outcome.err;
  const Environment named{.set = {{"RANGEWISE_NSYS", "/nonexistent/nsys"}}, .working_folder = {}};
  EXPECT_EQ(RunRangewise({"analyze", run.string()}, named).exit_code, 5);
  EXPECT_EQ(Snapshot(run), before);
}

struct Failure {
  const char* fault;
  const char* code;
  int exit_code;
};

class AnalyzeFailure : public testing::TestWithParam<Failure> {};

TEST_P(AnalyzeFailure, HasItsOwnCodeAndLeavesEverythingAsItWas) {
  ScratchFolder scratch;
  const fs::path run = MakeSmokeRun(scratch.path(), true);
  FakeNsys nsys(SmokeTables());
  ASSERT_EQ(RunRangewise({"analyze", run.string(), "--nsys", FakeNsysPath().string()}).exit_code,
            0);
  const auto before = Snapshot(run);
  nsys.SetFault(GetParam().fault);
  const Outcome outcome =
      RunRangewise({"analyze", run.string(), "--nsys", FakeNsysPath().string()});
  EXPECT_EQ(outcome.exit_code, GetParam().exit_code) << outcome.err;
  EXPECT_NE(outcome.err.find(std::string("error[") + GetParam().code + "]"), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("next: "), std::string::npos) << outcome.err;
  if (GetParam().exit_code == 5) {
    EXPECT_NE(outcome.err.find("2025.1"), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(Snapshot(run), before);
}

INSTANTIATE_TEST_SUITE_P(
    EachFault, AnalyzeFailure,
    testing::Values(Failure{"fail", "nsys-failed", 5}, Failure{"fail-late", "nsys-failed", 5},
                    Failure{"half-written", "nsys-failed", 5},
                    Failure{"signal:SEGV", "nsys-failed", 5},
                    Failure{"unreadable", "nsys-cannot-read-trace", 5},
                    Failure{"unreadable-quiet", "nsys-cannot-read-trace", 5},
                    Failure{"no-nvtx", "no-nvtx-data", 3},
                    Failure{"leave-out:nvtx_pushpop_trace", "report-not-made", 5},
                    Failure{"leave-out:cuda_gpu_kern_sum", "report-not-made", 5},
                    Failure{"no-table:nvtx_gpu_proj_trace", "report-not-made", 5},
                    Failure{"no-table:cuda_gpu_trace", "report-not-made", 5}));

TEST_F(Analyze, CpuOnlyTraceHasNullsAndNoZeros) {
  const fs::path run = MakeSmokeRun(scratch_.path(), false);
  FakeNsys nsys(SmokeTables(), "no-gpu");
  const Outcome outcome = RunNsys(run);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json analysis = ReadAnalysis(run / "analysis.json");
  EXPECT_EQ(analysis["gpu_projected_ranges"], Json::array());
  EXPECT_TRUE(analysis["iterations"][0]["gpu_projection"].is_null());
  EXPECT_TRUE(analysis["iteration_summary"]["gpu_projected"].is_null());
  EXPECT_EQ(analysis["iteration_summary"]["gpu_projected_iterations"], 0);
}

TEST_F(Analyze, FloodedPipesAreDrained) {
  const fs::path run = MakeSmokeRun(scratch_.path(), false);
  FakeNsys nsys(SmokeTables(), "flood");
  EXPECT_EQ(RunNsys(run).exit_code, 0);
}

TEST_F(Analyze, ForeignFilesInStatsStay) {
  const fs::path run = MakeSmokeRun(scratch_.path(), true);
  Spill(run / "stats/notes/mine.txt", "mine");
  Spill(run / "stats/nsys_nvtx_sum.csv", "another report");
  FakeNsys nsys(SmokeTables());
  ASSERT_EQ(RunNsys(run).exit_code, 0);
  EXPECT_EQ(Slurp(run / "stats/notes/mine.txt"), "mine");
  EXPECT_EQ(Slurp(run / "stats/nsys_nvtx_sum.csv"), "another report");
  EXPECT_TRUE(fs::exists(run / "stats/source.json"));
  for (const auto& entry : fs::directory_iterator(run)) {
    EXPECT_FALSE(entry.path().filename().string().starts_with(".rangewise")) << entry.path();
  }
}

TEST_F(Analyze, TablesThatDoNotMatchTheirRecordAreStale) {
  const fs::path run = MakeSmokeRun(scratch_.path(), false);
  {
    FakeNsys nsys(SmokeTables());
    ASSERT_EQ(RunNsys(run).exit_code, 0);
  }
  ASSERT_EQ(Run({run.string(), "--reports", "csv", "--strict", "--quiet"}).exit_code, 0);
  // Another trace under the same tables.
  Spill(run / "trace.nsys-rep", "another trace");
  Outcome outcome = Run({run.string(), "--reports", "csv", "--quiet"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.err.find("warning[stale-reports]"), std::string::npos) << outcome.err;
  // Another table beside the record.
  Spill(run / "trace.nsys-rep", "a trace that only nsys reads\n");
  Spill(run / "stats/nsys_cuda_gpu_kern_sum.csv",
        Slurp(run / "stats/nsys_cuda_gpu_kern_sum.csv") + "\n");
  outcome = Run({run.string(), "--reports", "csv", "--quiet"});
  EXPECT_NE(outcome.err.find("nsys_cuda_gpu_kern_sum.csv"), std::string::npos) << outcome.err;
}

TEST_F(Analyze, OutputFolderElsewhereGetsTablesAndAnalysis) {
  const fs::path run = MakeSmokeRun(scratch_.path(), true);
  const auto before = Snapshot(run);
  const fs::path output = scratch_.path() / "out" / "deep";
  ASSERT_EQ(Run({run.string(), "--reports", "csv", "--output-dir", output.string()}).exit_code, 0);
  EXPECT_EQ(Snapshot(run), before);
  const Json analysis = ReadAnalysis(output / "analysis.json");
  for (const auto& [report, path] : analysis["provenance"]["reports"].items()) {
    EXPECT_TRUE(fs::exists(output / path.get<std::string>())) << report;
  }
}

TEST_F(Analyze, JsonAloneElsewhere) {
  const fs::path run = MakeSmokeRun(scratch_.path(), true);
  const auto before = Snapshot(run);
  const fs::path target = scratch_.path() / "alone.json";
  ASSERT_EQ(Run({run.string(), "--reports", "csv", "-o", target.string()}).exit_code, 0);
  const Outcome on_output = Run({run.string(), "--reports", "csv", "-o", "-"});
  EXPECT_EQ(on_output.out, Slurp(target));
  EXPECT_EQ(Snapshot(run), before);
}

TEST_F(Analyze, TwoAnalysesOfOneFolderDoNotMix) {
  const fs::path run = MakeSmokeRun(scratch_.path(), false);
  FakeNsys nsys(SmokeTables(), "slow:0.5");
  RunningProgram first(
      {RANGEWISE_BINARY, "analyze", run.string(), "--nsys", FakeNsysPath().string()});
  while (!fs::exists(run / ".rangewise.lock")) ::usleep(1000);
  nsys.SetFault("");
  const Outcome second = RunNsys(run);
  EXPECT_EQ(second.exit_code, 74);
  EXPECT_NE(second.err.find("error[output-locked]: process " + std::to_string(first.pid())),
            std::string::npos)
      << second.err;
  EXPECT_EQ(RunNsys(run, {"--wait"}).exit_code, 0);
  EXPECT_EQ(first.Finish().exit_code, 0);
}

TEST_F(Analyze, InterruptEndsNsysAndLeavesNothing) {
  const fs::path run = MakeSmokeRun(scratch_.path(), true);
  const auto before = Snapshot(run);
  for (const auto& [signal, exit_code] : {std::pair(SIGINT, 130), std::pair(SIGTERM, 143)}) {
    ScratchFolder marks;
    FakeNsys nsys(SmokeTables(), "hang");
    nsys.SetMarks(marks.path());
    RunningProgram running(
        {RANGEWISE_BINARY, "analyze", run.string(), "--nsys", FakeNsysPath().string()});
    while (!fs::exists(marks.path() / "child")) ::usleep(1000);
    ::kill(running.pid(), signal);
    EXPECT_EQ(running.Finish().exit_code, exit_code);
    EXPECT_TRUE(fs::exists(marks.path() / "child_ended"));
    EXPECT_EQ(Snapshot(run), before);
  }
}

TEST_F(Analyze, UnwritableOutputAndFullDisk) {
  const fs::path run = MakeSmokeRun(scratch_.path(), true);
  Outcome outcome = Run({run.string(), "--reports", "csv", "-o", "/nonexistent/x.json"});
  EXPECT_EQ(outcome.exit_code, 74);
  EXPECT_NE(outcome.err.find("error[output-not-writable]"), std::string::npos) << outcome.err;
  Spill(scratch_.path() / "file", "");
  EXPECT_EQ(
      Run({run.string(), "--reports", "csv", "--output-dir", (scratch_.path() / "file").string()})
          .exit_code,
      74);
  // A shell only to give the program a standard output that is full.
  RunningProgram full({"/bin/sh", "-c",
                       std::string(RANGEWISE_BINARY) + " analyze " + run.string() +
                           " --reports csv -o - >/dev/full"});
  const Outcome full_outcome = full.Finish();
  EXPECT_EQ(full_outcome.exit_code, 74);
  EXPECT_NE(full_outcome.err.find("error[disk-full]"), std::string::npos) << full_outcome.err;
}

TEST_F(Analyze, ResultsNeverReplaceInputsLinksOrDevices) {
  const fs::path run = MakeSmokeRun(scratch_.path(), true);
  const auto before = Snapshot(run);
  for (const char* input :
       {"manifest.yaml", "trace.nsys-rep", "stats/nsys_nvtx_pushpop_trace.csv"}) {
    const Outcome outcome = Run({run.string(), "--reports", "csv", "-o", (run / input).string()});
    EXPECT_EQ(outcome.exit_code, 2) << input;
    EXPECT_NE(outcome.err.find("which the analysis is made from"), std::string::npos)
        << outcome.err;
  }
  EXPECT_EQ(Run({run.string(), "--reports", "csv", "-o", ""}).exit_code, 2);
  EXPECT_EQ(Run({run.string(), "--reports", "csv", "--output-dir", ""}).exit_code, 2);
  EXPECT_EQ(Snapshot(run), before);
  const fs::path pipe = scratch_.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(Run({run.string(), "--reports", "csv", "-o", pipe.string()}).exit_code, 74);
  EXPECT_TRUE(fs::is_fifo(pipe));
  const fs::path link = scratch_.path() / "link.json";
  fs::create_symlink("real.json", link);
  ASSERT_EQ(Run({run.string(), "--reports", "csv", "-o", link.string()}).exit_code, 0);
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_TRUE(fs::is_regular_file(scratch_.path() / "real.json"));
}

TEST_F(Analyze, ALinkInTheRunDirectoryChoosesNoFileElsewhere) {
  const fs::path run = MakeSmokeRun(scratch_.path(), true);
  const fs::path other = scratch_.path() / "other.json";
  Spill(other, "precious");
  fs::create_symlink(other, run / "analysis.json");
  ASSERT_EQ(Run({run.string(), "--reports", "csv", "--quiet"}).exit_code, 0);
  EXPECT_EQ(Slurp(other), "precious");
  EXPECT_FALSE(fs::is_symlink(run / "analysis.json"));
  EXPECT_TRUE(Slurp(run / "analysis.json").starts_with("{"));
}

TEST_F(Analyze, TheRunDirectorysTablesAreTheInputAlsoOfASecondAnalysisElsewhere) {
  const fs::path run = MakeSmokeRun(scratch_.path(), true);
  const fs::path output = scratch_.path() / "out";
  const std::vector<std::string> command = {run.string(), "--reports",    "csv",
                                            "--quiet",    "--output-dir", output.string()};
  ASSERT_EQ(Run(command).exit_code, 0);
  const fs::path host = run / "stats/nsys_nvtx_pushpop_trace.csv";
  std::string text = Slurp(host);
  text.replace(text.find("700839,570043,130796"), 20, "800839,570043,230796");
  Spill(host, text);
  ASSERT_EQ(Run(command).exit_code, 0);
  EXPECT_NE(Slurp(output / "analysis.json").find("800839"), std::string::npos);
  EXPECT_EQ(Slurp(output / "stats/nsys_nvtx_pushpop_trace.csv"), text);
}

TEST_F(Analyze, QuotedEmptyFieldsAreEmptyAndLoneCarriageReturnsAnError) {
  const fs::path run = MakeSmokeRun(scratch_.path(), true);
  Json expected = Json::parse(Run({run.string(), "--reports", "csv", "-o", "-"}).out);
  for (const char* name : {"nsys_nvtx_pushpop_trace.csv", "nsys_nvtx_gpu_proj_trace.csv"}) {
    std::string quoted = "\"";
    for (const char c : Slurp(run / "stats" / name)) {
      if (c == ',') {
        quoted += "\",\"";
      } else if (c == '\n') {
        quoted += "\"\n\"";
      } else {
        quoted += c;
      }
    }
    quoted.pop_back();
    Spill(run / "stats" / name, quoted);
  }
  Json got = Json::parse(Run({run.string(), "--reports", "csv", "-o", "-"}).out);
  expected["provenance"].erase("inputs");
  got["provenance"].erase("inputs");
  EXPECT_EQ(got, expected);
  const fs::path projection = run / "stats/nsys_nvtx_gpu_proj_trace.csv";
  std::string text = Slurp(SmokeTables() / "nsys_nvtx_gpu_proj_trace.csv");
  for (char& c : text) c = c == '\n' ? '\r' : c;
  Spill(projection, text);
  const Outcome outcome = Run({run.string(), "--reports", "csv"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("error[csv-syntax]"), std::string::npos) << outcome.err;
}

TEST_F(Analyze, WithoutAHarnessNoIterationIsMissed) {
  const fs::path run = MakeSmokeRun(scratch_.path(), true);
  const Json analysis = Json::parse(
      Run({run.string(), "--reports", "csv", "--capture-range", "none", "-o", "-"}).out);
  EXPECT_EQ(analysis["warnings"].dump().find("missing-iterations"), std::string::npos)
      << analysis["warnings"];
  EXPECT_EQ(analysis["iterations"], Json::array());
}

TEST_F(Analyze, InputErrorsNameFileAndNextStep) {
  const fs::path run = MakeSmokeRun(scratch_.path(), true);
  const std::string manifest = Slurp(run / "manifest.yaml");
  const auto expect = [&](const std::string& code, int exit_code,
                          std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {run.string(), "--reports", "csv"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = Run(arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    EXPECT_NE(outcome.err.find("error[" + code + "]"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("next: "), std::string::npos) << outcome.err;
    return outcome.err;
  };
  EXPECT_NE(expect("capture-range-missing", 3, {"--capture-range", "profile-targt"})
                .find("'profile-target'"),
            std::string::npos);
  expect("bad-pattern", 3, {"--iterations", "(["});
  Spill(run / "manifest.yaml", "a: [1\nb: 2\n");
  expect("manifest-not-yaml", 3);
  Spill(run / "manifest.yaml", "- a\n");
  expect("manifest-not-a-mapping", 3);
  Spill(run / "manifest.yaml", "capture_range: 7\n");
  expect("manifest-wrong-type", 3);
  Spill(run / "manifest.yaml", "run_id: x\n");
  expect("manifest-wrong-type", 3);
  fs::remove(run / "manifest.yaml");
  expect("manifest-missing", 3);
  Spill(run / "manifest.yaml", manifest);
  const std::string host = Slurp(run / "stats/nsys_nvtx_pushpop_trace.csv");
  std::string damaged = host;
  damaged.replace(damaged.find("431993"), 6, "43x993");
  Spill(run / "stats/nsys_nvtx_pushpop_trace.csv", damaged);
  EXPECT_NE(expect("bad-integer", 3).find("nsys_nvtx_pushpop_trace.csv:3:"), std::string::npos);
  damaged = host;
  damaged.replace(damaged.find("DurNonChild (ns)"), 16, "DurNonKind (ns) ");
  Spill(run / "stats/nsys_nvtx_pushpop_trace.csv", damaged);
  const std::string missing = expect("missing-column", 3);
  EXPECT_NE(missing.find("DurNonChild"), std::string::npos) << missing;
  EXPECT_NE(missing.find("DurNonKind"), std::string::npos) << missing;
  fs::remove(run / "stats/nsys_nvtx_pushpop_trace.csv");
  expect("report-missing", 3);
  EXPECT_EQ(Run({(scratch_.path() / "absent").string()}).exit_code, 3);
}

TEST_F(Analyze, SameBytesWhateverLocaleZoneFolderThreadsAndRowOrder) {
  const fs::path run = MakeSmokeRun(scratch_.path(), true);
  const std::string expected = Run({run.string(), "--reports", "csv", "-o", "-"}).out;
  ASSERT_FALSE(expected.empty());
  for (int round = 0; round < 4; ++round) {
    Environment environment{.set = {{"LC_ALL", round % 2 == 0 ? "de_DE.UTF-8" : "tr_TR.UTF-8"},
                                    {"TZ", "Asia/Kathmandu"}},
                            .working_folder = round < 2 ? run : scratch_.path()};
    const Outcome outcome =
        RunRangewise({"analyze", round < 2 ? "." : "runs/smoke-local", "--reports", "csv", "-o",
                      "-", "--threads", std::to_string(round + 1)},
                     environment);
    EXPECT_EQ(outcome.out, expected) << outcome.err;
  }
  // Rows in reverse: all but the tables' own hashes is the same.
  for (const auto& entry : fs::directory_iterator(run / "stats")) {
    std::string text = Slurp(entry.path());
    std::vector<std::string> lines;
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at);
      lines.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    std::string reversed = lines[0] + "\n";
    for (size_t i = lines.size(); i-- > 1;) reversed += lines[i] + "\n";
    Spill(entry.path(), reversed);
  }
  Json a = Json::parse(expected);
  Json b = Json::parse(Run({run.string(), "--reports", "csv", "-o", "-"}).out);
  a["provenance"].erase("inputs");
  b["provenance"].erase("inputs");
  EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace rangewise::test_support
