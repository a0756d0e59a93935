// The SQLite export as a source, through the command line: official tables byte for byte, bare
// exports, what only the export shows, and the cross-check beside official tables.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "model/rows.h"
#include "support/export_files.h"
#include "support/fake_nsys.h"
#include "support/raw_trace.h"
#include "support/run_program.h"
#include "support/schema_check.h"

namespace rangewise::test_support {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using model::Report;

const Environment kNoNsys{.set = {{"PATH", "/nonexistent"}, {"RANGEWISE_NSYS", ""}},
                          .working_folder = {}};

Outcome AnalyzeWithout(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "analyze");
  return RunRangewise(std::move(arguments), kNoNsys);
}

Json ReadAnalysis(const fs::path& path) {
  const std::string text = Slurp(path);
  EXPECT_EQ(SchemaProblems(text), std::vector<std::string>());
  return Json::parse(text);
}

bool Warns(const Json& analysis, const std::string& code) {
  for (const Json& warning : analysis["warnings"]) {
    if (warning.get<std::string>().starts_with(code + ": ")) return true;
  }
  return false;
}

void Execute(const fs::path& file, const std::string& sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(database);
  sqlite3_close(database);
}

void DropTable(const fs::path& file, const std::string& table) {
  Execute(file, "DROP TABLE " + table);
}

class EachExport : public testing::TestWithParam<std::string> {};

TEST_P(EachExport, GivesTheOfficialTablesAndTheSameAnalysisAsTheirCsvs) {
  ScratchFolder scratch;
  const fs::path file = test::UnpackExport(GetParam(), scratch.path());
  const Outcome native = AnalyzeWithout({file.string()});
  ASSERT_EQ(native.exit_code, 0) << native.err;
  fs::path output = file;
  output.replace_extension();
  output += "_rangewise";
  int official = 0;
  for (const Report report : model::kReports) {
    const auto expected = test::ExpectedTable(GetParam(), report);
    if (!expected) continue;
    ++official;
    EXPECT_TRUE(Slurp(output / "stats" / model::ReportFileName(report)) == *expected)
        << model::ReportName(report);
  }
  EXPECT_GE(official, 1);

  // The same run by its CSVs. A report that does not apply to nsys has no file in either.
  const fs::path run = scratch.path() / "run";
  fs::create_directories(run / "stats");
  Spill(run / "manifest.yaml", "capture_range: null\n");
  for (const Report report : model::kReports) {
    fs::copy_file(output / "stats" / model::ReportFileName(report),
                  run / "stats" / model::ReportFileName(report));
  }
  const Outcome csv = AnalyzeWithout({run.string(), "--reports", "csv"});
  ASSERT_EQ(csv.exit_code, 0) << csv.err;
  Json a = ReadAnalysis(output / "analysis.json");
  Json b = ReadAnalysis(run / "analysis.json");
  for (Json* analysis : {&a, &b}) {
    for (const char* key : {"provenance", "coverage", "warnings", "range_gpu_work", "range_gpu_work_reason"}) {
      analysis->erase(key);
    }
    // What rests on GPU work per range, which only the export shows.
    Json findings = Json::array();
    for (const Json& finding : (*analysis)["findings"]) {
      const std::string code = finding["code"];
      if (code != "host-waits-in-synchronisation" && code != "launch-calls-dominate" &&
          code != "gpu-idle-in-iterations") {
        findings.push_back(finding);
      }
    }
    (*analysis)["findings"] = findings;
    (*analysis)["run"].erase("started_at");
  }
  EXPECT_TRUE(a == b) << Json::diff(a, b).dump(1).substr(0, 2000);
}

INSTANTIATE_TEST_SUITE_P(OfNsys, EachExport, testing::ValuesIn(test::ExportNames()),
                         [](const auto& each) {
                           std::string name = each.param;
                           for (char& c : name) {
                             if (!isalnum(static_cast<unsigned char>(c))) c = '_';
                           }
                           return name;
                         });

TEST(BareExport, SaysThatThereIsNoManifestAndTakesAHarnessFromTheCommandLine) {
  ScratchFolder scratch;
  const fs::path file = scratch.path() / "trace.sqlite";
  fs::rename(test::UnpackExport("power_iteration_2025.3.1", scratch.path()), file);
  const Outcome outcome = AnalyzeWithout(
      {file.string(), "--capture-range", "Loop", "--iterations", "Step (\\d+) to \\d+"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json analysis = ReadAnalysis(scratch.path() / "trace_rangewise/analysis.json");
  EXPECT_EQ(analysis["iteration_summary"]["iterations"], 44);
  EXPECT_EQ(analysis["iterations"][0]["host"]["inclusive_ns"], 19723117);
  EXPECT_TRUE(Warns(analysis, "no-manifest"));
  EXPECT_NE(analysis["warnings"].dump().find("'Loop'"), std::string::npos);
  EXPECT_TRUE(analysis["run"]["run_id"].is_null());
  EXPECT_TRUE(analysis["provenance"]["manifest_path"].is_null());
  EXPECT_EQ(analysis["provenance"]["nsys_version"], "2025.3.1.90");
  EXPECT_EQ(analysis["coverage"]["gpu_operations"], 3778);
  // A pattern without a group numbers the ranges in time order.
  const Outcome numbered = AnalyzeWithout(
      {file.string(), "--capture-range", "Loop", "--iterations", "Step .*", "-o", "-"});
  ASSERT_EQ(numbered.exit_code, 0) << numbered.err;
  const Json by_time = Json::parse(numbered.out)["iterations"];
  ASSERT_EQ(by_time.size(), 44u);
  EXPECT_EQ(by_time[43]["index"], 43);
  EXPECT_EQ(by_time[0]["host"]["inclusive_ns"], 19723117);
}

TEST(BareExport, WithoutNvtxStillGetsTheTablesThatApply) {
  ScratchFolder scratch;
  const fs::path file = scratch.path() / "trace.sqlite";
  fs::rename(test::UnpackExport("power_iteration_2025.3.1", scratch.path()), file);
  DropTable(file, "NVTX_EVENTS");
  const Outcome outcome = AnalyzeWithout({file.string()});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("error[no-nvtx-data]"), std::string::npos) << outcome.err;
  const fs::path stats = scratch.path() / "trace_rangewise/stats";
  EXPECT_EQ(Slurp(stats / "nsys_nvtx_pushpop_trace.csv"), "");
  EXPECT_EQ(Slurp(stats / "nsys_cuda_gpu_trace.csv"),
            *test::ExpectedTable("power_iteration_2025.3.1", Report::kGpuTrace));
}

TEST(BareExport, SaysWhyNoRangeIsLeft) {
  ScratchFolder scratch;
  const fs::path file = scratch.path() / "trace.sqlite";
  const auto analyze = [&](std::optional<int64_t> end, int64_t tid) {
    test::RawTrace raw;
    for (int64_t id = 1; id <= 2; ++id) {
      raw.events.push_back(
          {.row_id = id, .start = 10, .end = end, .text = "twin", .global_tid = tid});
    }
    fs::remove(file);
    test::WriteExport(raw, file);
    const Outcome outcome = AnalyzeWithout({file.string()});
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_NE(outcome.err.find("error[no-nvtx-data]"), std::string::npos) << outcome.err;
    return outcome.err;
  };
  for (const std::optional<int64_t> end : {std::optional<int64_t>(20), std::optional<int64_t>()}) {
    const std::string err = analyze(end, test::GlobalTid(1, 1));
    EXPECT_NE(err.find("all 2 push/pop ranges of the export vanish"), std::string::npos) << err;
    EXPECT_NE(err.find("warning: identical-ranges: 2 ranges share start and end"),
              std::string::npos)
        << err;
    EXPECT_EQ(err.find("the export has no NVTX push/pop ranges"), std::string::npos) << err;
  }
}

TEST(BareExport, LookAlikesAreNamed) {
  ScratchFolder scratch;
  const fs::path text = scratch.path() / "text.sqlite";
  Spill(text,
        "no database at all, but long enough to look at; no database at all, but long enough to "
        "look at\n");
  Outcome outcome = AnalyzeWithout({text.string()});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("error[not-an-export]"), std::string::npos) << outcome.err;
  const fs::path whole = test::UnpackExport("power_iteration_2025.3.1", scratch.path());
  fs::resize_file(whole, fs::file_size(whole) / 2);
  outcome = AnalyzeWithout({whole.string()});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("error[export-"), std::string::npos) << outcome.err;
}

TEST(BareExport, AValueThatIsNoIntegerIsShown) {
  ScratchFolder scratch;
  const fs::path file = test::UnpackExport("vectors", scratch.path());
  Execute(file, "UPDATE NVTX_EVENTS SET start = 'soon' WHERE rowid = 3");
  Outcome outcome = AnalyzeWithout({file.string()});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("'start' is the text 'soon'; an integer was expected"),
            std::string::npos)
      << outcome.err;
  Execute(file, "UPDATE NVTX_EVENTS SET start = 9223372036854775807 WHERE rowid = 3");
  outcome = AnalyzeWithout({file.string()});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("'start' is the integer '9223372036854775807'"), std::string::npos)
      << outcome.err;
}

TEST(BareExport, ATableWithoutRowNumbersIsNamed) {
  ScratchFolder scratch;
  const fs::path file = test::UnpackExport("vectors", scratch.path());
  DropTable(file, "NVTX_EVENTS");
  Execute(file,
          "CREATE TABLE NVTX_EVENTS (start INTEGER PRIMARY KEY, end INTEGER, eventType INTEGER, "
          "text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER) "
          "WITHOUT ROWID");
  const Outcome outcome = AnalyzeWithout({file.string()});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("no row numbers"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("NVTX_EVENTS"), std::string::npos) << outcome.err;
}

TEST(BareExport, TablesThatEverythingRestsOnAreMissed) {
  ScratchFolder scratch;
  const fs::path file = test::UnpackExport("vectors", scratch.path());
  const fs::path output = scratch.path() / "vectors_rangewise";
  DropTable(file, "CUPTI_ACTIVITY_KIND_RUNTIME");
  ASSERT_EQ(AnalyzeWithout({file.string()}).exit_code, 0);
  EXPECT_NE(Slurp(output / "analysis.json").find("no table CUPTI_ACTIVITY_KIND_RUNTIME"),
            std::string::npos);
  DropTable(file, "StringIds");
  const Outcome outcome = AnalyzeWithout({file.string()});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("no table StringIds"), std::string::npos) << outcome.err;
  EXPECT_EQ(RunRangewise({"check", file.string()}, kNoNsys).exit_code, 3);
}

class SampleRun : public testing::Test {
 protected:
  void SetUp() override {
    run_ = scratch_.path() / "power-iteration";
    fs::copy(fs::path(RANGEWISE_SOURCE_DIR) / "samples/power-iteration", run_,
             fs::copy_options::recursive);
    official_ = scratch_.path() / "official";
    fs::create_directories(official_);
    for (const Report report : model::kReports) {
      Spill(official_ / model::ReportFileName(report),
            *test::ExpectedTable("power_iteration_2025.3.1", report));
    }
    fs::copy_file(run_ / "trace.sqlite", official_ / "trace.sqlite");
  }
  Outcome AskNsys() {
    return RunRangewise({"analyze", run_.string(), "--nsys", FakeNsysPath().string(), "--quiet"});
  }
  ScratchFolder scratch_;
  fs::path run_;
  fs::path official_;
};

TEST_F(SampleRun, NeedsNoNsysAndHasNoWarning) {
  const Outcome outcome = AnalyzeWithout({run_.string(), "--strict"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err << outcome.out;
  const Json analysis = ReadAnalysis(run_ / "analysis.json");
  EXPECT_EQ(analysis["provenance"]["report_source"], "sqlite");
  EXPECT_EQ(analysis["coverage"]["in_capture_range"]["operations"], 3765);
  EXPECT_EQ(AnalyzeWithout({run_.string(), "--reports", "csv", "--strict", "-o", "-"}).exit_code,
            0);
}

TEST_F(SampleRun, OfficialTablesAreCrossCheckedAndCoverageKept) {
  Spill(run_ / "trace.nsys-rep", "a trace");
  FakeNsys nsys(official_);
  nsys.SetVersion("NVIDIA Nsight Systems version 2025.3.1.90-253135822126v0");
  Outcome outcome = AskNsys();
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  Json analysis = ReadAnalysis(run_ / "analysis.json");
  EXPECT_EQ(analysis["provenance"]["report_source"], "nsys");
  EXPECT_EQ(analysis["warnings"], Json::array());
  EXPECT_EQ(analysis["coverage"]["gpu_operations"], 3778);
  // One nanosecond in one cell.
  const fs::path host = official_ / model::ReportFileName(Report::kPushPop);
  std::string text = Slurp(host);
  const size_t digit = text.find('\n') + 3;
  text[digit] = text[digit] == '1' ? '2' : '1';
  Spill(host, text);
  ASSERT_EQ(AskNsys().exit_code, 0);
  EXPECT_TRUE(Warns(ReadAnalysis(run_ / "analysis.json"), "tables-differ"));
  // The older dialect is not compared.
  nsys.SetVersion("NVIDIA Nsight Systems version 2023.4.1.97-234133557503v0");
  ASSERT_EQ(AskNsys().exit_code, 0);
  EXPECT_TRUE(Warns(ReadAnalysis(run_ / "analysis.json"), "not-cross-checked"));
}

TEST_F(SampleRun, OurTablesMoveOfficialOnesAside) {
  Spill(run_ / "trace.nsys-rep", "a trace");
  {
    FakeNsys nsys(official_);
    ASSERT_EQ(AskNsys().exit_code, 0);
  }
  const std::string record = Slurp(run_ / "stats/source.json");
  ASSERT_EQ(AnalyzeWithout({run_.string(), "--reports", "sqlite", "--strict"}).exit_code, 0);
  EXPECT_EQ(Slurp(run_ / "stats/official/source.json"), record);
  EXPECT_EQ(Slurp(run_ / "stats/official/nsys_cuda_gpu_trace.csv"),
            Slurp(official_ / "nsys_cuda_gpu_trace.csv"));
  EXPECT_EQ(Json::parse(Slurp(run_ / "stats/source.json"))["made_by"], "rangewise");
  // Again: ours replace ours, and what was set aside stays.
  ASSERT_EQ(AnalyzeWithout({run_.string(), "--reports", "sqlite"}).exit_code, 0);
  EXPECT_EQ(Slurp(run_ / "stats/official/source.json"), record);
  // nsys again: its tables are in stats/, and no second set is left beside them.
  FakeNsys nsys(official_);
  ASSERT_EQ(AskNsys().exit_code, 0);
  EXPECT_FALSE(fs::exists(run_ / "stats/official"));
}

TEST_F(SampleRun, ADamagedRecordOfTheTablesIsReplacedWithThem) {
  ASSERT_EQ(AnalyzeWithout({run_.string()}).exit_code, 0);
  Spill(run_ / "stats/source.json", "{");
  const Outcome csv = AnalyzeWithout({run_.string(), "--reports", "csv"});
  EXPECT_EQ(csv.exit_code, 3);
  EXPECT_NE(csv.err.find("delete that file"), std::string::npos) << csv.err;
  EXPECT_EQ(AnalyzeWithout({run_.string(), "--reports", "sqlite"}).exit_code, 0);
  EXPECT_EQ(AnalyzeWithout({run_.string(), "--reports", "csv", "--strict"}).exit_code, 0);
}

TEST_F(SampleRun, AnExportThatDoesNotBelongToTheTraceIsMadeAnew) {
  Spill(run_ / "trace.nsys-rep", "a trace");
  FakeNsys nsys(official_);
  const fs::path log = scratch_.path() / "log";
  nsys.SetLog(log);
  const auto exports = [&] {
    int count = 0;
    for (const auto& call : nsys.Calls()) count += call[0] == "export" ? 1 : 0;
    return count;
  };
  const std::vector<std::string> command = {"analyze", run_.string(), "--reports",
                                            "sqlite",  "--nsys",      FakeNsysPath().string(),
                                            "--quiet", "--strict"};
  // No record ties the export to the trace: a fresh one is made. After that there is one.
  ASSERT_EQ(RunRangewise(command).exit_code, 0);
  EXPECT_EQ(exports(), 1);
  ASSERT_EQ(RunRangewise(command).exit_code, 0);
  EXPECT_EQ(exports(), 1);
  Spill(run_ / "trace.nsys-rep", "another trace");
  ASSERT_EQ(RunRangewise(command).exit_code, 0);
  EXPECT_EQ(exports(), 2);
  // Without nsys a stale export is used and said.
  Spill(run_ / "trace.nsys-rep", "a third trace");
  ASSERT_EQ(AnalyzeWithout({run_.string(), "--reports", "sqlite"}).exit_code, 0);
  EXPECT_TRUE(Warns(ReadAnalysis(run_ / "analysis.json"), "stale-reports"));
}

TEST_F(SampleRun, TheSameBytesAtAnyThreadCount) {
  const std::string one = AnalyzeWithout({run_.string(), "--threads", "1", "-o", "-"}).out;
  ASSERT_FALSE(one.empty());
  for (const char* threads : {"2", "3", "8"}) {
    EXPECT_TRUE(AnalyzeWithout({run_.string(), "--threads", threads, "-o", "-"}).out == one)
        << threads;
  }
}

}  // namespace
}  // namespace rangewise::test_support
