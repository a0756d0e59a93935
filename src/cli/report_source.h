// Owns the choice of where report tables come from, and getting them: asking nsys and putting what
// it made into place, or taking the CSVs that are there and saying what ties them to the trace.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "base/result.h"
#include "cli/run_files.h"
#include "ingest/nsys.h"
#include "model/nsys_version.h"
#include "model/provenance.h"
#include "model/rows.h"
#include "tables/source_record.h"

namespace rangewise::cli {

enum class ReportsChoice { kAuto, kNsys, kCsv };

// What `analyze` would do now.
struct SourcePlan {
  model::ReportSource source = model::ReportSource::kCsv;
  std::optional<ingest::NsysTool> nsys;      // when source is nsys
  std::map<model::Report, fs::path> tables;  // when source is CSV: those found
  fs::path stats;                            // when source is CSV: the folder they are in
  bool by_default = false;  // CSV chosen by `auto` since nsys or the trace is missing
  std::string why;          // one clause: "no nsys was found"
};

// kNsysNotFound, kNsysNotRunnable, kTraceMissing, kNoReportSource.
Result<SourcePlan> PlanSource(const RunFiles& files, ReportsChoice choice,
                              const ingest::NsysSearch& search);

// The tables, ready to be read.
struct TableSource {
  model::ReportSource source = model::ReportSource::kCsv;
  std::map<model::Report, fs::path> files;
  std::optional<std::string> version_text;
  std::optional<model::NsysVersion> version;
  std::optional<tables::SourceRecord> record;  // of CSVs that were there
};

// Runs `nsys stats` into a temporary folder in the output folder and puts export and tables into
// place when all are there. The caller holds the output folder's lock.
Result<TableSource> MakeTables(const SourcePlan& plan, const RunFiles& files,
                               const ingest::ProgressSink& progress);

// The CSVs of the plan. When they lie in the run directory and the output folder is elsewhere, they
// are copied there. `may_write`: false leaves them where they are.
Result<TableSource> TakeTables(const SourcePlan& plan, const RunFiles& files, bool may_write);

// Warns of everything that loosens the tie between CSVs that were there and the trace:
// kReusedReports, kStaleReports. `fingerprints` are those of the tables as they were read.
Status JudgeTables(const TableSource& source, const RunFiles& files,
                   const std::map<model::Report, Fingerprint>& fingerprints,
                   Diagnostics& diagnostics);

// kNsysVersionUnknown, kNsysVersionUnvalidated.
void JudgeVersion(const TableSource& source, Diagnostics& diagnostics);

}  // namespace rangewise::cli
