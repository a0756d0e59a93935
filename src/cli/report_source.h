// Owns the choice of where report tables come from: nsys, our own engine over the SQLite export, or
// the CSVs that are there. It plans and judges; making the tables is table_making's part.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/diagnostics.h"
#include "base/result.h"
#include "cli/run_files.h"
#include "ingest/nsys.h"
#include "model/nsys_version.h"
#include "model/provenance.h"
#include "model/rows.h"
#include "tables/source_record.h"

namespace rangewise::cli {

enum class ReportsChoice { kAuto, kNsys, kSqlite, kCsv };

// What `analyze` would do now.
struct SourcePlan {
  model::ReportSource source = model::ReportSource::kCsv;
  std::optional<ingest::NsysTool>
      nsys;                        // source nsys; or source sqlite: makes a fresh export first
  std::optional<fs::path> sqlite;  // source sqlite without nsys: the export to read
  std::map<model::Report, fs::path> tables;  // source csv: those found
  fs::path stats;                            // source csv: the folder they are in
  bool by_default = false;                   // csv chosen by `auto` since nothing better is there
  std::string why;                           // one clause: "no nsys was found"
};

// kNsysNotFound, kNsysNotRunnable, kTraceMissing, kNoReportSource.
Result<SourcePlan> PlanSource(const RunFiles& files, ReportsChoice choice,
                              const ingest::NsysSearch& search);

// Whether the file at `path` is not the one that was recorded, or is not there: by size first, then
// by hash.
Result<bool> FileDiffers(const fs::path& path, const Fingerprint& recorded);

// One sentence when the input that the record names is here and is another; nothing otherwise.
Result<std::optional<std::string>> InputDiffers(const tables::SourceRecord& record,
                                                const RunFiles& files);

// Whether the export at `path` belongs to the trace of the run.
enum class ExportTie {
  kNothingToTie,  // there is no trace: the export is the input
  kBelongs,       // stats/source.json names both as they are
  kUnrecorded,    // no record says so
  kStale,  // the record names others, or there is none and the export is older than the trace
};
Result<ExportTie> TieOfExport(const RunFiles& files, const fs::path& path);

// What the tables in a stats folder rest on.
struct TableOrigin {
  model::ReportSource source = model::ReportSource::kCsv;
  std::optional<std::string> version_text;
  std::optional<model::NsysVersion> version;
  std::optional<tables::SourceRecord> record;  // of CSVs that were there
};

// Warns of everything that loosens the tie between CSVs that were there and the trace:
// kReusedReports, kStaleReports. `fingerprints` are those of the tables as they were read.
Status JudgeTables(const TableOrigin& origin, const RunFiles& files,
                   const std::map<model::Report, Fingerprint>& fingerprints,
                   Diagnostics& diagnostics);

// kNsysVersionUnknown, kNsysVersionUnvalidated.
void JudgeVersion(const TableOrigin& origin, Diagnostics& diagnostics);

}  // namespace rangewise::cli
