// `rangewise check`, `schema`, `explain` and the outermost layer of the command line.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/codes.h"
#include "support/fake_nsys.h"
#include "support/run_program.h"

namespace rangewise::test_support {
namespace {

using Json = nlohmann::json;

Json Items(const std::filesystem::path& run, int exit_code, const Environment& environment = {}) {
  const Outcome outcome = RunRangewise({"check", run.string(), "--format", "json"}, environment);
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err << outcome.out;
  Json states;
  const Json parsed = Json::parse(outcome.out);
  for (const Json& item : parsed["items"])
    states[item["subject"].get<std::string>()] = item["state"];
  return states;
}

TEST(Check, ARunWithNsysIsReady) {
  ScratchFolder scratch;
  const auto run = MakeSmokeRun(scratch.path(), false);
  FakeNsys nsys(SmokeTables());
  const Environment environment{.set = {{"RANGEWISE_NSYS", FakeNsysPath().string()}},
                                .working_folder = {}};
  const Json states = Items(run, 0, environment);
  for (const char* subject : {"manifest", "expected-trace-path", "trace", "nsys", "nsys-reports",
                              "stats", "analysis", "plan"}) {
    EXPECT_EQ(states[subject], "ok") << subject << states;
  }
  ASSERT_EQ(RunRangewise({"analyze", run.string()}, environment).exit_code, 0);
  EXPECT_EQ(Items(run, 0, environment)["analysis"], "ok");
  Spill(run / "manifest.yaml", Slurp(run / "manifest.yaml") + "# changed\n");
  EXPECT_EQ(Items(run, 0, environment)["analysis"], "warning");
  Spill(run / "trace.nsys-rep", "another");
  EXPECT_EQ(Items(run, 0, environment)["stats"], "warning");
}

TEST(Check, SaysWhatIsWrong) {
  ScratchFolder scratch;
  const auto run = MakeSmokeRun(scratch.path(), false);
  const Environment no_nsys{.set = {{"PATH", "/nonexistent"}, {"RANGEWISE_NSYS", ""}},
                            .working_folder = {}};
  EXPECT_EQ(Items(run, 3, no_nsys)["plan"], "error");
  FakeNsys nsys(SmokeTables(), "leave-out:nvtx_gpu_proj_trace");
  const Environment environment{.set = {{"RANGEWISE_NSYS", FakeNsysPath().string()}},
                                .working_folder = {}};
  EXPECT_EQ(Items(run, 3, environment)["nsys-reports"], "error");
  Spill(run / "trace.nsys-rep", "");
  EXPECT_EQ(Items(run, 3, environment)["trace"], "error");
  Spill(run / "manifest.yaml", "]");
  EXPECT_EQ(Items(run, 3, environment)["manifest"], "error");
  EXPECT_EQ(RunRangewise({"check", "/nonexistent"}).exit_code, 3);
}

TEST(Check, PlansNothingWithAnExportThatCannotBeRead) {
  ScratchFolder scratch;
  const auto run = MakeSmokeRun(scratch.path(), false);
  Spill(run / "trace.sqlite", "no database");
  const Json states = Items(run, 3, {.set = {{"PATH", "/nonexistent"}, {"RANGEWISE_NSYS", ""}},
                                     .working_folder = {}});
  EXPECT_EQ(states["export"], "error");
  EXPECT_EQ(states["plan"], "error");
  EXPECT_EQ(states["stats"], "ok");
  Spill(run / "stats", "a file");
  EXPECT_EQ(Items(run, 3)["stats"], "error");
}

TEST(CommandLine, PathsMayStandBehindADoubleDash) {
  ScratchFolder scratch;
  const auto run = MakeSmokeRun(scratch.path(), true);
  EXPECT_EQ(RunRangewise({"analyze", "--reports", "csv", "--quiet", "--", run.string()}).exit_code,
            0);
  EXPECT_EQ(RunRangewise({"summary", "--", run.string()}).exit_code, 0);
  std::filesystem::rename(run, run.parent_path() / "-run");
  const Environment there{.set = {}, .working_folder = run.parent_path()};
  EXPECT_EQ(RunRangewise({"analyze", "--reports", "csv", "--", "-run"}, there).exit_code, 0);
  EXPECT_EQ(RunRangewise({"check", "--", "-none"}, there).exit_code, 3);
}

TEST(CommandLine, SaysThatStandardOutputIsFull) {
  ScratchFolder scratch;
  const auto run = MakeSmokeRun(scratch.path(), true);
  const std::string program = RANGEWISE_BINARY;
  for (const std::string& command :
       {"analyze --reports csv " + run.string(), "summary " + run.string(),
        std::string("explain"), std::string("schema"), std::string("--version")}) {
    RunningProgram shell({"/bin/sh", "-c", program + " " + command + " >/dev/full"});
    const Outcome outcome = shell.Finish();
    EXPECT_EQ(outcome.exit_code, 74) << command;
    EXPECT_NE(outcome.err.find("error[disk-full]"), std::string::npos) << command << outcome.err;
    EXPECT_NE(outcome.err.find("next: send standard output"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("warning[") != std::string::npos, command.starts_with("analyze"))
        << command << outcome.err;
  }
}

std::string Sentence(const std::filesystem::path& run, const std::string& subject) {
  const Outcome outcome = RunRangewise(
      {"check", run.string(), "--format", "json"},
      {.set = {{"PATH", "/nonexistent"}, {"RANGEWISE_NSYS", ""}}, .working_folder = {}});
  const Json parsed = Json::parse(outcome.out);
  for (const Json& item : parsed["items"]) {
    if (item["subject"] == subject) return item["sentence"];
  }
  return "";
}

TEST(Check, SaysOfAMissingTraceWhatThePlanSays) {
  ScratchFolder scratch;
  const auto sample = CopyPowerIteration(scratch.path());
  EXPECT_EQ(Sentence(sample, "trace"),
            "there is no trace.nsys-rep; tables are computed from trace.sqlite, which needs none");
  EXPECT_EQ(Sentence(sample, "plan"), "analyze would compute the tables from 'trace.sqlite'");
  const auto run = MakeSmokeRun(scratch.path(), true);
  std::filesystem::remove(run / "trace.nsys-rep");
  EXPECT_EQ(Sentence(run, "trace"),
            "there is no trace.nsys-rep; only the tables in stats/ can be analysed");
  std::filesystem::remove_all(run / "stats");
  EXPECT_EQ(Sentence(run, "trace"),
            "there is no trace.nsys-rep; without it, an export or report tables in stats/ are "
            "needed");
  const Outcome explained = RunRangewise({"explain", "trace-missing"});
  EXPECT_NE(explained.out.find("trace.sqlite"), std::string::npos) << explained.out;
  FakeNsys nsys(SmokeTables());
  const Outcome asked = RunRangewise(
      {"analyze", sample.string(), "--reports", "nsys", "--nsys", FakeNsysPath().string()});
  EXPECT_EQ(asked.exit_code, 3) << asked.err;
  EXPECT_NE(asked.err.find("computed from trace.sqlite"), std::string::npos) << asked.err;
}

TEST(Explain, NeverAdvisesToDeleteARecording) {
  for (const CodeInfo& info : AllCodes()) {
    const std::string action(info.action);
    EXPECT_FALSE(action.find("Delete stats/ and trace.sqlite") != std::string::npos ||
                 action.find("Delete trace") != std::string::npos ||
                 action.find("emove trace") != std::string::npos)
        << info.word << ": " << action;
  }
  const Outcome stale = RunRangewise({"explain", "stale-reports"});
  EXPECT_NE(stale.out.find("Delete nothing"), std::string::npos) << stale.out;
}

TEST(Check, WritesNothing) {
  ScratchFolder scratch;
  const auto run = MakeSmokeRun(scratch.path(), true);
  const auto before = Snapshot(run);
  RunRangewise({"check", run.string()});
  EXPECT_EQ(Snapshot(run), before);
}

TEST(Explain, KnowsEveryCodeAndPastedLines) {
  for (const CodeInfo& info : AllCodes()) {
    const Outcome outcome = RunRangewise({"explain", std::string(info.word)});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_NE(outcome.out.find(info.word), std::string::npos);
  }
  EXPECT_EQ(RunRangewise({"explain", "warning[stale-reports]: text"}).exit_code, 0);
  EXPECT_EQ(RunRangewise({"explain", "stale-reports: text"}).exit_code, 0);
  const Outcome unknown = RunRangewise({"explain", "stale-report"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("'stale-reports'"), std::string::npos) << unknown.err;
}

TEST(Explain, DocsAreTheTable) {
  EXPECT_EQ(RunRangewise({"explain", "--markdown"}).out,
            Slurp(std::filesystem::path(RANGEWISE_SOURCE_DIR) / "docs/warnings.md"))
      << "run: rangewise explain --markdown > docs/warnings.md";
}

TEST(Schema, IsTheFileInSchema) {
  EXPECT_EQ(RunRangewise({"schema"}).out,
            Slurp(std::filesystem::path(RANGEWISE_SOURCE_DIR) / "schema/analysis-2.schema.json"));
  EXPECT_EQ(RunRangewise({"schema", "analysis"}).exit_code, 0);
  for (const auto& [name, file] : {std::pair("comparison", "schema/comparison-1.schema.json"),
                                   std::pair("summary", "schema/summary-1.schema.json")}) {
    EXPECT_EQ(RunRangewise({"schema", name}).out,
              Slurp(std::filesystem::path(RANGEWISE_SOURCE_DIR) / file));
  }
  EXPECT_EQ(RunRangewise({"schema", "nothing"}).exit_code, 2);
}

TEST(CommandLine, WrongUsageIsTwoAndSuggests) {
  EXPECT_EQ(RunRangewise({}).exit_code, 2);
  const Outcome verb = RunRangewise({"analyse", "x"});
  EXPECT_EQ(verb.exit_code, 2);
  EXPECT_NE(verb.err.find("rangewise analyze"), std::string::npos) << verb.err;
  EXPECT_EQ(RunRangewise({"analyze", "x", "--no-such-flag"}).exit_code, 2);
  EXPECT_EQ(RunRangewise({"analyze", "x", "--reports", "maybe"}).exit_code, 2);
  EXPECT_EQ(RunRangewise({"analyze", "x", "--reports", "csv", "--nsys", "y"}).exit_code, 2);
  EXPECT_EQ(RunRangewise({"--help"}).exit_code, 0);
  EXPECT_EQ(RunRangewise({"analyze", "--help"}).exit_code, 0);
  EXPECT_EQ(RunRangewise({"--version"}).out.substr(0, 10), "rangewise ");
}

}  // namespace
}  // namespace rangewise::test_support
