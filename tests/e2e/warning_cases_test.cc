// Every warning has a case that raises it and a near one that does not; a warning without is named.
// Findings have theirs in src/analysis/findings_test.cc.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/analyze.h"
#include "base/codes.h"
#include "base/files.h"
#include "ingest/export_reader.h"
#include "support/activity_builder.h"
#include "support/export_files.h"
#include "support/fake_nsys.h"
#include "support/raw_trace.h"
#include "support/run_program.h"
#include "support/tables_builder.h"
#include "tables/engine_tables.h"

namespace rangewise::test_support {
namespace {

namespace fs = std::filesystem;
using model::kNoParent;
using test::GlobalPid;
using test::GlobalTid;
using test::RawTrace;
using testing::TablesBuilder;

using Words = std::set<std::string>;

Words WordsOf(const Diagnostics& diagnostics) {
  Words words;
  for (const Warning& warning : diagnostics.warnings()) words.emplace(warning.Word());
  return words;
}

// A run as it should be: two iterations, both projected. `change` adds to it; `without` is the
// RangeId of a row that is left out of one table.
struct HarnessRun {
  int64_t expected = 2;
  int64_t without_host = 0;
  int64_t without_projection = 0;
  std::vector<model::NameRule> rules = {};
  std::function<void(TablesBuilder&)> change = [](TablesBuilder&) {};
};

Words Analysed(const HarnessRun& run) {
  TablesBuilder tables;
  const auto add = [&](int64_t id, int64_t parent, const char* name) {
    if (id != run.without_host) tables.Host(id, parent, name, 1000);
    if (id != run.without_projection) tables.Projected(id, parent, name, 500);
  };
  add(1, kNoParent, "capture");
  add(2, 1, "iteration 0");
  if (run.expected > 1) add(3, 1, "iteration 1");
  if (run.expected == -1) add(3, 1, "iteration 1");
  run.change(tables);
  Diagnostics diagnostics;
  const auto analysis = analysis::Analyze(
      tables.tables(),
      {.capture_range = "capture", .expected_iterations = run.expected == -1 ? 1 : run.expected},
      {.threads = 1, .name_rules = run.rules}, diagnostics);
  EXPECT_TRUE(analysis.ok()) << (analysis.ok() ? "" : analysis.error().message);
  return WordsOf(diagnostics);
}

// What an analysis warns of when the call of a kernel lies in `leaves`: `b` and `c` lie in `a`.
Words AnalysedWithCallIn(const std::vector<model::SiteLeaf>& leaves) {
  TablesBuilder tables;
  tables.Host(1, kNoParent, "a", 1000).Host(2, 1, "b", 10).Host(3, 1, "c", 10);
  testing::ActivityBuilder gpu(tables.tables().names);
  const model::Site site = gpu.InAll(leaves);
  const model::GpuActivity activity = gpu.Kernel("k", 0, 1, site).Build();
  Diagnostics diagnostics;
  const auto analysis = analysis::Analyze(tables.tables(), {},
                                          {.threads = 1, .gpu_activity = &activity}, diagnostics);
  EXPECT_TRUE(analysis.ok());
  return WordsOf(diagnostics);
}

// A trace as it should be: a range, in it a call that launches a kernel and one that copies.
RawTrace PlainTrace() {
  RawTrace raw;
  raw.events.push_back({.row_id = 1, .start = 0, .end = 100, .text = "a", .global_tid = GlobalTid(1, 1)});
  for (int64_t i = 1; i <= 10; ++i) {
    raw.calls.push_back({.start = i, .end = i + 1, .global_tid = GlobalTid(1, 1), .correlation = i});
    raw.operations.push_back(
        {.start = 100 + i, .end = 101 + i, .correlation = i, .global_pid = GlobalPid(1)});
  }
  raw.operations.back().kind = model::OperationKind::kCopy;
  return raw;
}

Words Computed(model::Trace trace) {
  Diagnostics diagnostics;
  StringOutput out;
  const auto computed =
      tables::ComputeTables(std::move(trace), {&out, &out, &out, &out}, {.threads = 1}, diagnostics);
  EXPECT_TRUE(computed.ok());
  return WordsOf(diagnostics);
}

Words ComputedFrom(const std::function<void(RawTrace&)>& change) {
  RawTrace raw = PlainTrace();
  change(raw);
  return Computed(test::ToTrace(raw));
}

void AddRange(RawTrace& raw, int64_t start, std::optional<int64_t> end, const char* text = "b") {
  raw.events.push_back({.row_id = static_cast<int64_t>(raw.events.size()) + 1,
                        .start = start,
                        .end = end,
                        .text = text,
                        .global_tid = GlobalTid(1, 1)});
}

// What reading the sample's export warns of after `sql`.
Words LoadedAfter(const std::string& sql) {
  ScratchFolder scratch;
  const fs::path path = scratch.path() / "trace.sqlite";
  RawTrace raw = PlainTrace();
  test::WriteExport(raw, path, sql);
  Diagnostics diagnostics;
  const auto loaded = ingest::LoadExport(path, {.threads = 1}, diagnostics);
  EXPECT_TRUE(loaded.ok()) << (loaded.ok() ? "" : loaded.error().message);
  return WordsOf(diagnostics);
}

// What `rangewise analyze` says in its result.
Words AnalyzedBy(std::vector<std::string> arguments, const Environment& environment = {}) {
  arguments.insert(arguments.begin(), "analyze");
  arguments.insert(arguments.end(), {"-o", "-"});
  const Outcome outcome = RunRangewise(std::move(arguments), environment);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  Words words;
  if (outcome.exit_code != 0) return words;
  const nlohmann::json analysis = nlohmann::json::parse(outcome.out);
  for (const auto& warning : analysis["warnings"]) {
    const auto text = warning.get<std::string>();
    words.insert(text.substr(0, text.find(':')));
  }
  return words;
}

const Environment kNoNsys = {.set = {{"PATH", "/nonexistent"}}};

// The sample power-iteration with a trace and official tables, of which `change` makes something
// else before nsys, which prints `version`, is asked.
Words AskedNsys(const std::string& version,
                const std::function<void(const fs::path& official, fs::path& run)>& change) {
  ScratchFolder scratch;
  fs::path run = scratch.path() / "power-iteration";
  fs::copy(fs::path(RANGEWISE_SOURCE_DIR) / "samples/power-iteration", run,
           fs::copy_options::recursive);
  Spill(run / "trace.nsys-rep", "a trace");
  const fs::path official = scratch.path() / "official";
  fs::create_directories(official);
  for (const model::Report report : model::kReports) {
    Spill(official / model::ReportFileName(report),
          *test::ExpectedTable("power_iteration_2025.3.1", report));
  }
  fs::copy_file(run / "trace.sqlite", official / "trace.sqlite");
  change(official, run);
  FakeNsys nsys(official);
  nsys.SetVersion(version);
  return AnalyzedBy({run.string(), "--nsys", FakeNsysPath().string()});
}

constexpr const char* kValidated = "NVIDIA Nsight Systems version 2025.3.1.90-253135822126v0";
const auto kUnchanged = [](const fs::path&, fs::path&) {};

// The sample smoke-local with its tables, read as they are after `change`.
Words TakenTables(const std::function<void(const fs::path& run)>& change) {
  ScratchFolder scratch;
  const fs::path run = MakeSmokeRun(scratch.path(), true);
  change(run);
  return AnalyzedBy({run.string(), "--reports", "csv"}, kNoNsys);
}

// A run whose tables nsys made, read as they are after `change`.
Words TakenAfterNsys(const std::function<void(const fs::path& run)>& change) {
  ScratchFolder scratch;
  const fs::path run = MakeSmokeRun(scratch.path(), false);
  {
    FakeNsys nsys(SmokeTables());
    nsys.SetVersion(kValidated);
    AnalyzedBy({run.string(), "--nsys", FakeNsysPath().string()});
  }
  change(run);
  return AnalyzedBy({run.string(), "--reports", "csv"}, kNoNsys);
}

struct Case {
  Code code;
  std::function<Words()> raises;
  std::function<Words()> near;
};

std::vector<Case> Cases() {
  const auto host = [](int64_t parent, const char* name, int64_t ns) {
    return [=](TablesBuilder& tables) { tables.Host(9, parent, name, ns); };
  };
  return {
      {Code::kCaptureNameReused, [=] { return Analysed({.change = host(1, "capture", 5)}); },
       [=] { return Analysed({.change = host(2, "other.capture", 5)}); }},
      {Code::kMissingGpuCaptureRange, [] { return Analysed({.without_projection = 1}); },
       [] { return Analysed({}); }},
      {Code::kMissingGpuProjection, [] { return Analysed({.without_projection = 3}); },
       [=] { return Analysed({.change = host(2, "only on the host", 5)}); }},
      {Code::kMissingHostIterations, [] { return Analysed({.without_host = 3}); },
       [] { return Analysed({}); }},
      {Code::kMissingIterations, [] { return Analysed({.expected = 3}); },
       [] { return Analysed({.expected = 2}); }},
      {Code::kUnexpectedIterations, [] { return Analysed({.expected = -1}); },
       [=] { return Analysed({.change = host(2, "iteration 7", 5)}); }},
      {Code::kNegativeDuration, [=] { return Analysed({.change = host(2, "x", -1)}); },
       [=] { return Analysed({.change = host(2, "x", 0)}); }},
      {Code::kOrphanedGpuRanges,
       [] {
         return Analysed({.change = [](TablesBuilder& tables) { tables.Projected(9, 2, "x", 1); }});
       },
       [] {
         return Analysed({.change = [](TablesBuilder& tables) {
           tables.Projected(9, 2, "x", 1);
           tables.StartEnd();
         }});
       }},
      {Code::kOverlappingRanges, [] { return AnalysedWithCallIn({{2, true}, {3, false}}); },
       [] { return AnalysedWithCallIn({{2, true}, {1, false}}); }},
      {Code::kRuleMatchesNothing, [] { return Analysed({.rules = {{"captures", "x"}}}); },
       [] { return Analysed({.rules = {{"capture", "x"}}}); }},
      {Code::kSingleIteration, [] { return Analysed({.expected = 1}); },
       [] { return Analysed({.expected = 2}); }},

      {Code::kCrossThreadRanges,
       [] {
         return ComputedFrom([](RawTrace& raw) {
           AddRange(raw, 10, 20);
           raw.events.back().type = 60;
           raw.events.back().end_global_tid = GlobalTid(1, 2);
         });
       },
       [] {
         return ComputedFrom([](RawTrace& raw) {
           AddRange(raw, 10, 20);
           raw.events.back().type = 60;
         });
       }},
      {Code::kIdenticalRanges,
       [] { return ComputedFrom([](RawTrace& raw) { AddRange(raw, 0, 100); }); },
       [] { return ComputedFrom([](RawTrace& raw) { AddRange(raw, 0, 99); }); }},
      {Code::kOpenRanges,
       [] { return ComputedFrom([](RawTrace& raw) { AddRange(raw, 10, std::nullopt); }); },
       [] { return ComputedFrom([](RawTrace& raw) { AddRange(raw, 10, 100); }); }},
      {Code::kInvalidUtf8,
       [] { return ComputedFrom([](RawTrace& raw) { AddRange(raw, 10, 20, "\xc3"); }); },
       [] { return ComputedFrom([](RawTrace& raw) { AddRange(raw, 10, 20, "\xc3\xa4"); }); }},
      {Code::kDomainCreatedTwice,
       [] {
         model::Trace trace = test::ToTrace(PlainTrace());
         trace.findings.doubled_domains = 1;
         return Computed(std::move(trace));
       },
       [] { return Computed(test::ToTrace(PlainTrace())); }},
      {Code::kCopyKindMissing,
       [] { return ComputedFrom([](RawTrace& raw) { raw.operations.back().source_kind = 99; }); },
       [] { return ComputedFrom([](RawTrace&) {}); }},
      {Code::kUnattributedGpuWork,
       [] {
         return ComputedFrom([](RawTrace& raw) {
           for (size_t i : {8U, 9U}) raw.calls[i].start = raw.calls[i].end = 200;
         });
       },
       [] {
         return ComputedFrom(
             [](RawTrace& raw) { raw.calls[9].start = raw.calls[9].end = 200; });
       }},
      {Code::kCudaGraphLaunches,
       [] {
         model::Trace trace = test::ToTrace(PlainTrace());
         trace.findings.graph_launches = 1;
         return Computed(std::move(trace));
       },
       [] { return Computed(test::ToTrace(PlainTrace())); }},
      {Code::kNegativeBytes,
       [] { return LoadedAfter("UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET bytes = -1"); },
       [] { return LoadedAfter("UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET bytes = 0"); }},
      {Code::kThreadlessRanges,
       [] { return LoadedAfter("UPDATE NVTX_EVENTS SET globalTid = NULL"); },
       [] { return LoadedAfter(""); }},
      {Code::kExportTableMissing,
       [] { return LoadedAfter("DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME"); },
       [] {
         Diagnostics diagnostics;
         const auto loaded = ingest::LoadExport(
             fs::path(RANGEWISE_SOURCE_DIR) / "samples/power-iteration/trace.sqlite",
             {.threads = 1}, diagnostics);
         EXPECT_TRUE(loaded.ok());
         return WordsOf(diagnostics);
       }},

      {Code::kMissingGpuTables,
       [] {
         return TakenTables([](const fs::path& run) {
           fs::remove(run / "stats" / model::ReportFileName(model::Report::kKernelSummary));
         });
       },
       [] { return TakenTables([](const fs::path&) {}); }},
      {Code::kNoManifest,
       [] {
         ScratchFolder scratch;
         return AnalyzedBy({std::string(RANGEWISE_SOURCE_DIR) +
                                "/samples/power-iteration/trace.sqlite",
                            "--output-dir", scratch.path().string()},
                           kNoNsys);
       },
       [] {
         ScratchFolder scratch;
         return AnalyzedBy({std::string(RANGEWISE_SOURCE_DIR) + "/samples/power-iteration",
                            "--output-dir", scratch.path().string()},
                           kNoNsys);
       }},
      {Code::kNotCrossChecked,
       [] {
         return AskedNsys(kValidated, [](const fs::path& official, fs::path&) {
           fs::remove(official / "trace.sqlite");
         });
       },
       [] { return AskedNsys(kValidated, kUnchanged); }},
      {Code::kTablesDiffer,
       [] {
         return AskedNsys(kValidated, [](const fs::path& official, fs::path&) {
           const fs::path table = official / model::ReportFileName(model::Report::kPushPop);
           std::string text = Slurp(table);
           char& digit = text[text.find('\n') + 3];
           digit = digit == '1' ? '2' : '1';
           Spill(table, text);
         });
       },
       [] { return AskedNsys(kValidated, kUnchanged); }},
      {Code::kNsysVersionUnknown, [] { return AskedNsys("of some tool", kUnchanged); },
       [] { return AskedNsys(kValidated, kUnchanged); }},
      {Code::kNsysVersionUnvalidated,
       [] { return AskedNsys("NVIDIA Nsight Systems version 2099.1.1.1-1v0", kUnchanged); },
       [] { return AskedNsys("NVIDIA Nsight Systems version 2026.3.1.1-1v0", kUnchanged); }},
      {Code::kTracePathMismatch,
       [] {
         return AskedNsys(kValidated, [](const fs::path&, fs::path& run) {
           const fs::path renamed = run.parent_path() / "another";
           fs::rename(run, renamed);
           run = renamed;
         });
       },
       [] { return AskedNsys(kValidated, kUnchanged); }},
      {Code::kReportsFromCsv,
       [] {
         ScratchFolder scratch;
         return AnalyzedBy({MakeSmokeRun(scratch.path(), true).string()}, kNoNsys);
       },
       [] { return TakenTables([](const fs::path&) {}); }},
      {Code::kReusedReports, [] { return TakenTables([](const fs::path&) {}); },
       [] { return TakenAfterNsys([](const fs::path&) {}); }},
      {Code::kStaleReports,
       [] {
         return TakenAfterNsys(
             [](const fs::path& run) { Spill(run / "trace.nsys-rep", "another trace"); });
       },
       [] { return TakenAfterNsys([](const fs::path&) {}); }},
  };
}

TEST(WarningCases, EachIsRaisedAndNearlyRaised) {
  for (const Case& entry : Cases()) {
    const std::string word(Describe(entry.code).word);
    EXPECT_TRUE(entry.raises().contains(word)) << word;
    EXPECT_FALSE(entry.near().contains(word)) << word;
  }
}

TEST(WarningCases, NoWarningIsWithoutACase) {
  std::set<Code> have;
  for (const Case& entry : Cases()) have.insert(entry.code);
  for (const CodeInfo& info : AllCodes()) {
    if (info.severity != Severity::kWarning) continue;
    EXPECT_TRUE(have.contains(info.code)) << info.word << " has no case here";
  }
}

}  // namespace
}  // namespace rangewise::test_support
