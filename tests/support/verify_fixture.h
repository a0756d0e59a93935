// Owns the run directories and tables on which tests of `rangewise verify` stand.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/rows.h"
#include "support/export_files.h"
#include "support/run_program.h"
#include "tables/source_record.h"

namespace rangewise::test_support {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using model::Report;

inline constexpr const char* kVerifiedExport = "power_iteration_2025.3.1";

class VerifyFixture : public testing::Test {
 protected:
  // A run directory that holds the export and nothing else.
  fs::path MakeRun(const std::string& name = kVerifiedExport) {
    const fs::path run = scratch_.path() / "run";
    fs::create_directories(run);
    fs::rename(test::UnpackExport(name, scratch_.path()), run / "trace.sqlite");
    return run;
  }
  // The tables that nsys gives, in `folder`; an empty file for a report that does not apply.
  void PutTables(const fs::path& folder, const std::string& name = kVerifiedExport) {
    fs::create_directories(folder);
    for (const Report report : model::kReports) {
      Spill(folder / model::ReportFileName(report), test::ExpectedTable(name, report).value_or(""));
    }
  }
  void PutRecord(const fs::path& folder, const std::string& made_by,
                 const std::string& version = "NVIDIA Nsight Systems version 2025.3.1.90") {
    tables::SourceRecord record{.made_by = made_by, .nsys_version = version};
    for (const Report report : model::kReports) {
      record.tables[report] = *FingerprintFile(folder / model::ReportFileName(report));
    }
    Spill(folder / "source.json", tables::FormatSourceRecord(record));
  }
  Outcome Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "verify");
    return RunRangewise(std::move(arguments), environment_);
  }
  Json RunJson(std::vector<std::string> arguments, int exit_code) {
    arguments.insert(arguments.end(), {"--format", "json"});
    const Outcome outcome = Run(std::move(arguments));
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err << outcome.out;
    return Json::parse(outcome.out, nullptr, false);
  }
  static const Json& ReportOf(const Json& result, const std::string& name) {
    for (const Json& report : result.at("reports")) {
      if (report.at("report") == name) return report;
    }
    ADD_FAILURE() << name;
    return result;
  }

  static void Execute(const fs::path& file, const std::string& sql) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
    sqlite3_close(database);
  }

  // No nsys is found by itself.
  Environment environment_{.set = {{"PATH", "/nonexistent"}, {"RANGEWISE_NSYS", ""}},
                           .working_folder = {}};
  ScratchFolder scratch_;
};

}  // namespace rangewise::test_support
