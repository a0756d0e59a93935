// `rangewise verify` as a user runs it: real exports, the tables that belong to them, the stand-in
// for nsys.
#include <gtest/gtest.h>

#include <cctype>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "model/rows.h"
#include "support/export_files.h"
#include "support/fake_nsys.h"
#include "support/run_program.h"
#include "support/verify_fixture.h"

namespace rangewise::test_support {
namespace {

class Verify : public VerifyFixture {};

class VerifyExport : public Verify, public testing::WithParamInterface<std::string> {};

TEST_P(VerifyExport, OurTablesAreThoseOfNsys) {
  const fs::path run = MakeRun(GetParam());
  const fs::path against = scratch_.path() / "theirs";
  PutTables(against, GetParam());
  const auto before = Snapshot(run);
  const Json result = RunJson({run.string(), "--against", against.string()}, 0);
  EXPECT_TRUE(result.at("passes"));
  EXPECT_GT(ReportOf(result, "nvtx_pushpop_trace").at("equal"), 0);
  for (const Json& report : result.at("reports")) {
    EXPECT_EQ(report.at("undocumented"), 0) << report;
    EXPECT_EQ(report.at("missing"), 0) << report;
    EXPECT_EQ(report.at("different"), 0) << report;
  }
  EXPECT_EQ(Snapshot(run), before);
}

INSTANTIATE_TEST_SUITE_P(All, VerifyExport, testing::ValuesIn(test::ExportNames()),
                         [](const auto& each) {
                           std::string name = each.param;
                           for (char& c : name) {
                             if (c == '.') c = '_';
                           }
                           return name;
                         });

TEST_F(Verify, TheLackOfGpuNamesIsDocumented) {
  const fs::path run = MakeRun("train_2gpu_2026.2.1");
  const fs::path against = scratch_.path() / "theirs";
  PutTables(against, "train_2gpu_2026.2.1");
  const Json result = RunJson({run.string(), "--against", against.string()}, 0);
  const Json& trace = ReportOf(result, "cuda_gpu_trace");
  EXPECT_GT(trace.at("added"), 0);
  bool named = false;
  for (const Json& documented : trace.at("documented")) {
    named |= documented.at("word") == "no-target-info-gpu";
  }
  EXPECT_TRUE(named) << trace;
  const Outcome text = Run({run.string(), "--against", against.string()});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_NE(text.out.find("no-target-info-gpu"), std::string::npos) << text.out;
}

TEST_F(Verify, AChangedCellIsShownSideBySide) {
  const fs::path run = MakeRun();
  const fs::path against = scratch_.path() / "theirs";
  PutTables(against);
  const fs::path table = against / "nsys_nvtx_pushpop_trace.csv";
  std::string text = Slurp(table);
  const size_t at = text.find(",185687,");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 8, ",185688,");
  Spill(table, text);
  const Outcome outcome = Run({run.string(), "--against", against.string()});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  for (const char* piece : {"PID 9946, TID 9946, RangeId 2", "Duration (ns)", "185688", "185687"}) {
    EXPECT_NE(outcome.out.find(piece), std::string::npos) << piece << "\n" << outcome.out;
  }
  const Json result = RunJson({run.string(), "--against", against.string()}, 1);
  const Json& report = ReportOf(result, "nvtx_pushpop_trace");
  EXPECT_EQ(report.at("equal"), 785);
  EXPECT_EQ(report.at("different"), 1);
  EXPECT_EQ(report.at("differences").at(0).at("theirs"), "185688");
  EXPECT_EQ(report.at("differences").at(0).at("ours"), "185687");
  EXPECT_EQ(ReportOf(result, "cuda_gpu_trace").at("equal"), 3778);
}

TEST_F(Verify, ABareExportAndTablesByTheNamesThatNsysGivesThem) {
  const fs::path file = test::UnpackExport("vectors", scratch_.path());
  const fs::path against = scratch_.path() / "theirs";
  PutTables(against, "vectors");
  for (const Report report : model::kReports) {
    fs::rename(against / model::ReportFileName(report),
               against / ("c56_" + std::string(model::ReportName(report)) + ".csv"));
  }
  EXPECT_EQ(Run({file.string(), "--against", against.string()}).exit_code, 0);
  EXPECT_FALSE(fs::exists(scratch_.path() / "vectors_rangewise"));
  Spill(against / "other_nvtx_pushpop_trace.csv", "");
  const Outcome twice = Run({file.string(), "--against", against.string()});
  EXPECT_EQ(twice.exit_code, 5);
  EXPECT_NE(twice.err.find("other_nvtx_pushpop_trace.csv"), std::string::npos) << twice.err;
}

TEST_F(Verify, TakesOfficialTablesOfTheRun) {
  const fs::path run = MakeRun();
  PutTables(run / "stats");
  // Nobody vouches for them.
  Outcome outcome = Run({run.string()});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("unknown-maker"), std::string::npos) << outcome.err;
  EXPECT_EQ(Run({run.string(), "--against", (run / "stats").string()}).exit_code, 0);
  PutRecord(run / "stats", "rangewise");
  outcome = Run({run.string()});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("own-tables"), std::string::npos) << outcome.err;
  outcome = Run({run.string(), "--against", (run / "stats").string()});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("own-tables"), std::string::npos) << outcome.err;
  PutRecord(run / "stats", "nsys");
  EXPECT_EQ(Run({run.string()}).exit_code, 0);
  // Those set aside come first, once someone says that they are of nsys.
  PutRecord(run / "stats", "rangewise");
  PutTables(run / "stats/official");
  outcome = Run({run.string()});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("unknown-maker"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("--against " + (run / "stats/official").string()), std::string::npos)
      << outcome.err;
  PutRecord(run / "stats/official", "nsys");
  EXPECT_EQ(Run({run.string()}).exit_code, 0);
}

TEST_F(Verify, OwnTablesDoNotBecomeOfficialByALostRecord) {
  const fs::path run = MakeRun();
  Spill(run / "manifest.yaml", "capture_range: null\n");
  const std::vector<std::string> analyze = {"analyze", run.string(), "--reports", "sqlite",
                                            "--quiet"};
  ASSERT_EQ(RunRangewise(analyze, environment_).exit_code, 0);
  fs::remove(run / "stats/source.json");
  ASSERT_EQ(RunRangewise(analyze, environment_).exit_code, 0);
  const Outcome outcome = Run({run.string()});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.out;
  EXPECT_NE(outcome.err.find("unknown-maker"), std::string::npos) << outcome.err;
}

TEST_F(Verify, AnalyzeSetsAsideWhatVerifyTakesAndWhatItRefusesApart) {
  const fs::path run = MakeRun();
  Spill(run / "manifest.yaml", "capture_range: null\n");
  const std::vector<std::string> analyze = {"analyze", run.string(), "--reports", "sqlite",
                                            "--quiet"};
  const fs::path official = run / "stats/official";
  const fs::path unknown = run / "stats/unknown-maker";
  PutTables(run / "stats");
  PutRecord(run / "stats", "nsys");
  ASSERT_EQ(RunRangewise(analyze, environment_).exit_code, 0);
  const auto of_nsys = Snapshot(official);
  EXPECT_EQ(of_nsys.size(), 5u);
  EXPECT_FALSE(fs::exists(unknown));
  // Tables that nobody vouches for take the place of ours, and ours theirs.
  const std::string name = model::ReportFileName(Report::kPushPop);
  Spill(run / "stats" / name, "anyone's");
  fs::remove(run / "stats/source.json");
  ASSERT_EQ(RunRangewise(analyze, environment_).exit_code, 0);
  EXPECT_EQ(Snapshot(official), of_nsys);
  EXPECT_EQ(Slurp(unknown / name), "anyone's");
  EXPECT_FALSE(fs::exists(unknown / "source.json"));
  EXPECT_EQ(RunJson({run.string()}, 0)["tables"], official.string());
  // They stay when ours are made anew.
  const auto before = Snapshot(run / "stats");
  ASSERT_EQ(RunRangewise(analyze, environment_).exit_code, 0);
  EXPECT_EQ(Snapshot(run / "stats"), before);

  fs::remove_all(official);
  const Outcome refused = Run({run.string()});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_NE(refused.err.find("unknown-maker"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("--against " + unknown.string()), std::string::npos) << refused.err;
  PutTables(unknown);
  EXPECT_EQ(Run({run.string(), "--against", unknown.string()}).exit_code, 0);
}

TEST_F(Verify, SaysHowMuchItCompared) {
  const fs::path run = MakeRun();
  const fs::path against = scratch_.path() / "theirs";
  PutTables(against);
  for (const Report report : {Report::kGpuProjection, Report::kKernelSummary, Report::kGpuTrace}) {
    fs::remove(against / model::ReportFileName(report));
  }
  const Outcome outcome = Run({run.string(), "--against", against.string()});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.out.find("(1 of 4 reports compared: 786 rows of nsys, 786 of ours)\n"),
            std::string::npos)
      << outcome.out;
}

TEST_F(Verify, TablesThatDoNotFitTheirRecordWarn) {
  const fs::path run = MakeRun();
  PutTables(run / "stats");
  PutRecord(run / "stats", "nsys");
  Spill(run / "stats/nsys_cuda_gpu_trace.csv",
        Slurp(run / "stats/nsys_cuda_gpu_trace.csv") + "1,2,3\n");
  EXPECT_EQ(Run({run.string()}).exit_code, 3);  // a row with too few fields
  Spill(run / "stats/nsys_cuda_gpu_trace.csv", "");
  const Json result = RunJson({run.string()}, 1);
  ASSERT_EQ(result.at("warnings").size(), 1u);
  EXPECT_EQ(result.at("warnings").at(0).get<std::string>().rfind("stale-reports: ", 0), 0u);
}

TEST_F(Verify, TheOlderDialectIsNotComparable) {
  const fs::path run = MakeRun();
  PutTables(run / "stats");
  PutRecord(run / "stats", "nsys", "NVIDIA Nsight Systems version 2024.1.1.59");
  const Outcome outcome = Run({run.string()});
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_NE(outcome.err.find("older-dialect"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("not comparable"), std::string::npos) << outcome.err;
  // Where nothing says the version, the names tell it.
  const fs::path against = scratch_.path() / "theirs";
  PutTables(against);
  for (const Report report : {Report::kPushPop, Report::kGpuProjection}) {
    const fs::path table = against / model::ReportFileName(report);
    std::string text = Slurp(table);
    // Only names begin with a colon and a letter.
    for (size_t at = 0; (at = text.find(':', at)) != std::string::npos;) {
      if (std::isdigit(static_cast<unsigned char>(text[at + 1])) != 0) {
        ++at;
      } else {
        text.erase(at, 1);
      }
    }
    Spill(table, text);
  }
  const Outcome unnamed = Run({run.string(), "--against", against.string()});
  EXPECT_EQ(unnamed.exit_code, 4) << unnamed.out << unnamed.err;
  EXPECT_NE(unnamed.err.find("no range's name has a domain"), std::string::npos) << unnamed.err;
  // Also before an nsys of that age is put to work.
  Spill(run / "trace.nsys-rep", "a trace");
  FakeNsys nsys(run / "stats");
  nsys.SetVersion("NVIDIA Nsight Systems version 2023.4.1.97");
  EXPECT_EQ(Run({run.string(), "--nsys", FakeNsysPath().string()}).exit_code, 4);
}

TEST_F(Verify, AsksNsysNow) {
  const fs::path run = MakeRun();
  const fs::path recorded = scratch_.path() / "recorded";
  PutTables(recorded);
  fs::copy(run / "trace.sqlite", recorded / "trace.sqlite");
  Spill(run / "trace.nsys-rep", "a trace");
  FakeNsys nsys(recorded);
  environment_.set["PATH"] = "/usr/bin:/bin";  // for the stand-in, which is a script
  const auto before = Snapshot(run);
  // RUN has an export of its own; then only nsys has one.
  Json result = RunJson({run.string(), "--nsys", FakeNsysPath().string()}, 0);
  EXPECT_TRUE(result.at("tables").is_null());
  EXPECT_EQ(ReportOf(result, "nvtx_pushpop_trace").at("equal"), 786);
  EXPECT_EQ(Snapshot(run), before);
  // An export that is older than the trace may be another recording's.
  fs::last_write_time(run / "trace.sqlite",
                      fs::last_write_time(run / "trace.nsys-rep") - std::chrono::hours(1));
  result = RunJson({run.string(), "--nsys", FakeNsysPath().string()}, 0);
  ASSERT_EQ(result.at("warnings").size(), 1u);
  EXPECT_EQ(result.at("warnings").at(0).get<std::string>().rfind("stale-reports: ", 0), 0u);
  fs::remove(run / "trace.sqlite");
  result = RunJson({run.string(), "--nsys", FakeNsysPath().string()}, 0);
  EXPECT_EQ(result.at("warnings").size(), 0u);
  EXPECT_EQ(ReportOf(result, "nvtx_pushpop_trace").at("equal"), 786);
  std::vector<fs::path> left;
  for (const auto& entry : fs::directory_iterator(run)) left.push_back(entry.path().filename());
  EXPECT_EQ(left, std::vector<fs::path>{"trace.nsys-rep"});
  // Found by itself when there are no tables.
  environment_.set["RANGEWISE_NSYS"] = FakeNsysPath().string();
  EXPECT_EQ(Run({run.string()}).exit_code, 0);
  nsys.SetFault("fail");
  EXPECT_EQ(Run({run.string()}).exit_code, 5);
}

TEST_F(Verify, SaysWhatIsMissing) {
  const fs::path run = MakeRun();
  Outcome outcome = Run({run.string()});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_NE(outcome.err.find("official-tables-missing"), std::string::npos) << outcome.err;
  const fs::path against = scratch_.path() / "theirs";
  outcome = Run({run.string(), "--against", against.string()});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("a folder that is not there"), std::string::npos) << outcome.err;
  EXPECT_EQ(Run({run.string(), "--against", ""}).exit_code, 3);
  EXPECT_EQ(Run({run.string(), "--against", (run / "trace.sqlite").string()}).exit_code, 3);
  outcome = Run({});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("no run is named"), std::string::npos) << outcome.err;
  const fs::path loop = scratch_.path() / "loop.sqlite";
  fs::create_symlink(loop, loop);
  outcome = Run({loop.string()});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("no regular file"), std::string::npos) << outcome.err;
  PutTables(against);
  fs::remove(run / "trace.sqlite");
  outcome = Run({run.string(), "--against", against.string()});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("export-missing"), std::string::npos) << outcome.err;
  Spill(run / "trace.sqlite", "no database");
  EXPECT_EQ(Run({run.string(), "--against", against.string()}).exit_code, 3);
  EXPECT_EQ(Run({"/nonexistent"}).exit_code, 3);
  EXPECT_EQ(Run({run.string(), "--against", "x", "--nsys", "y"}).exit_code, 2);
}

TEST_F(Verify, AReportThatTheyLackIsNotCompared) {
  const fs::path run = MakeRun();
  const fs::path against = scratch_.path() / "theirs";
  PutTables(against);
  fs::remove(against / "nsys_cuda_gpu_trace.csv");
  const Json result = RunJson({run.string(), "--against", against.string()}, 0);
  EXPECT_FALSE(ReportOf(result, "cuda_gpu_trace").at("compared"));
  EXPECT_TRUE(ReportOf(result, "cuda_gpu_kern_sum").at("compared"));
}

TEST_F(Verify, LeavesNothingAndWorksWhereItMayNotWrite) {
  const fs::path run = MakeRun();
  const fs::path against = scratch_.path() / "theirs";
  const fs::path temporary = scratch_.path() / "tmp";
  PutTables(against);
  fs::create_directory(temporary);
  fs::permissions(run, fs::perms::owner_read | fs::perms::owner_exec);
  environment_.set["TMPDIR"] = temporary.string();
  EXPECT_EQ(Run({run.string(), "--against", against.string()}).exit_code, 0);
  fs::permissions(run, fs::perms::owner_all);
  EXPECT_TRUE(fs::is_empty(temporary));
  EXPECT_EQ(Snapshot(run).size(), 1u);
}

}  // namespace
}  // namespace rangewise::test_support
