// `rangewise verify` where someone would like wrong tables to pass: what only looks documented,
// what is not there or cannot be read, what is too long to be shown.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "model/rows.h"
#include "support/export_files.h"
#include "support/run_program.h"
#include "support/verify_fixture.h"

namespace rangewise::test_support {
namespace {

class HostileVerify : public VerifyFixture {};

TEST_F(HostileVerify, OnlyRangesOfADomainThatWasCreatedTwiceMayStandTwice) {
  const fs::path run = MakeRun("vectors");
  Execute(run / "trace.sqlite",
          "INSERT INTO NVTX_EVENTS(rowid, start, eventType, text, globalTid, domainId) "
          "SELECT 20, start + 1, 75, 'LIB2', globalTid + 1, domainId FROM NVTX_EVENTS "
          "WHERE eventType = 75 LIMIT 1;"
          "INSERT INTO NVTX_EVENTS(rowid, start, end, eventType, text, globalTid, domainId) "
          "VALUES (21, 6, 9, 59, 'nothread', NULL, 0)");
  const fs::path against = scratch_.path() / "theirs";
  PutTables(against, "vectors");
  const fs::path table = against / "nsys_nvtx_pushpop_trace.csv";
  const std::string text = Slurp(table);
  const auto row_with = [&](const std::string& piece) {
    const size_t at = text.find(piece);
    const size_t begin = text.rfind('\n', at) + 1;
    return text.substr(begin, text.find('\n', at) + 1 - begin);
  };
  const std::string of_domain = row_with(",\"LIB:");
  const std::string of_none = row_with(",:");
  std::string renamed = of_domain;
  for (size_t at = 0; (at = renamed.find("LIB:", at)) != std::string::npos; at += 5) {
    renamed.insert(at + 3, "2");
  }
  std::string longer = of_domain;
  longer.insert(longer.find(','), "0");
  const std::string threadless = "6,9,3,0,3,:nothread,,,0,0,21,,:21,:nothread\n";
  const auto exit_code = [&](const std::string& more) {
    Spill(table, text + more);
    return Run({run.string(), "--against", against.string()}).exit_code;
  };
  EXPECT_EQ(exit_code(""), 0);
  EXPECT_EQ(exit_code(of_domain), 0);
  EXPECT_EQ(exit_code(renamed + threadless), 0);
  EXPECT_EQ(exit_code(of_domain + of_domain), 1);
  EXPECT_EQ(exit_code(longer), 1);
  EXPECT_EQ(exit_code(of_none), 1);
  EXPECT_EQ(exit_code(threadless + threadless), 1);
  EXPECT_EQ(exit_code("6,9,3,0,3,:garbage,,,0,0,77,,:77,:garbage\n"), 1);
  Spill(table, text);
  const fs::path projection = against / "nsys_nvtx_gpu_proj_trace.csv";
  Spill(projection, Slurp(projection) + ":nothread,1,2,6,3,PushPop,,,1,0,0,21,,:21\n");
  EXPECT_EQ(exit_code(""), 1);
}

TEST_F(HostileVerify, AViewInPlaceOfATableIsRefusedAndWhatTheExportLacksIsSaid) {
  const fs::path run = MakeRun("vectors");
  const fs::path against = scratch_.path() / "theirs";
  PutTables(against, "vectors");
  Execute(run / "trace.sqlite", "ALTER TABLE TARGET_INFO_GPU RENAME TO aside");
  Spill(against / "nsys_cuda_gpu_trace.csv", "");
  const Json result = RunJson({run.string(), "--against", against.string()}, 0);
  ASSERT_EQ(result.at("warnings").size(), 1u) << result;
  EXPECT_EQ(result.at("warnings").at(0).get<std::string>().rfind("export-table-missing: ", 0), 0u);
  Execute(run / "trace.sqlite", "CREATE VIEW TARGET_INFO_GPU AS SELECT * FROM aside");
  const Outcome outcome = Run({run.string(), "--against", against.string()});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.out;
  EXPECT_NE(outcome.err.find("view 'TARGET_INFO_GPU'"), std::string::npos) << outcome.err;
}

TEST_F(HostileVerify, WhatBearsTheNameOfATableAndCannotBeReadIsAnError) {
  const fs::path run = MakeRun();
  const fs::path against = scratch_.path() / "theirs";
  PutTables(against);
  const fs::path table = against / "nsys_cuda_gpu_trace.csv";
  const fs::path other = against / "x_cuda_gpu_trace.csv";
  fs::remove(table);
  for (const fs::path& link : {table, other}) {
    for (const fs::path& target : {link, fs::path("/nonexistent/file")}) {
      fs::create_symlink(target, link);
      EXPECT_EQ(Run({run.string(), "--against", against.string()}).exit_code, 3) << link << target;
      fs::remove(link);
    }
    fs::create_directory(link);
    EXPECT_EQ(Run({run.string(), "--against", against.string()}).exit_code, 3) << link;
    fs::remove(link);
  }
}

TEST_F(HostileVerify, ATableThatTheRecordNamesAndThatIsGoneIsAnError) {
  const fs::path run = MakeRun();
  PutTables(run / "stats");
  PutRecord(run / "stats", "nsys");
  fs::remove(run / "stats/nsys_cuda_gpu_trace.csv");
  const Outcome outcome = Run({run.string()});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.out;
  EXPECT_NE(outcome.err.find("report-missing"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("nsys_cuda_gpu_trace.csv"), std::string::npos) << outcome.err;
}

TEST_F(HostileVerify, TheExportOfARunFindsTheTablesOfTheRun) {
  const fs::path run = MakeRun();
  PutTables(run / "stats/official");
  const fs::path file = run / "trace.sqlite";
  EXPECT_NE(Run({file.string()}).err.find("unknown-maker"), std::string::npos);
  PutRecord(run / "stats/official", "nsys");
  EXPECT_EQ(RunJson({file.string()}, 0)["tables"], (run / "stats/official").string());
  // What lies beside an export of another name is not its own.
  fs::rename(file, run / "other.sqlite");
  const Outcome outcome = Run({(run / "other.sqlite").string()});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_NE(outcome.err.find((run / "other_rangewise/stats").string()), std::string::npos)
      << outcome.err;
}

TEST_F(HostileVerify, ProjectedNamesAloneTellTheOlderDialect) {
  const fs::path run = MakeRun("vectors");
  const fs::path against = scratch_.path() / "theirs";
  fs::create_directories(against);
  std::string text = *test::ExpectedTable("vectors", Report::kGpuProjection);
  for (size_t at = 0; (at = text.find("\n:", at)) != std::string::npos;) text.erase(at + 1, 1);
  for (size_t at = 0; (at = text.find("LIB:", at)) != std::string::npos;) text.erase(at, 4);
  Spill(against / "nsys_nvtx_gpu_proj_trace.csv", text);
  const Outcome outcome = Run({run.string(), "--against", against.string()});
  EXPECT_EQ(outcome.exit_code, 4) << outcome.out << outcome.err;
  EXPECT_NE(outcome.err.find("no range's name has a domain"), std::string::npos) << outcome.err;
}

TEST_F(HostileVerify, LongValuesAreCutWhereTheyDiffer) {
  const fs::path run = MakeRun();
  const fs::path against = scratch_.path() / "theirs";
  PutTables(against);
  const fs::path table = against / "nsys_cuda_gpu_kern_sum.csv";
  const std::string text = Slurp(table);
  const size_t name = text.find("void ");
  ASSERT_NE(name, std::string::npos);
  // The name is the key, so the row is one that only they have.
  Spill(table, std::string(text).insert(name, std::string(size_t{1} << 22, 'x')));
  Outcome outcome = Run({run.string(), "--against", against.string()});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_LT(outcome.out.size(), 10000u);
  EXPECT_NE(outcome.out.find("--format json has the whole values"), std::string::npos);
  EXPECT_NE(outcome.out.find("\nnext: "), std::string::npos) << outcome.out;
  // A blank at the end of a name.
  Spill(table, text);
  const fs::path ranges = against / "nsys_nvtx_pushpop_trace.csv";
  std::string rows = Slurp(ranges);
  const size_t comma = rows.find(",9946,");
  ASSERT_NE(comma, std::string::npos);
  const size_t begin = rows.rfind(',', comma - 1) + 1;
  const std::string value = rows.substr(begin, comma - begin);
  rows.insert(comma, " ");
  Spill(ranges, rows);
  outcome = Run({run.string(), "--against", against.string()});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.out.find("'" + value + " '"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace rangewise::test_support
