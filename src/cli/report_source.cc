#include "cli/report_source.h"

#include "base/text.h"
#include "tables/stats_folder.h"

namespace rangewise::cli {
namespace {

using model::Report;
using model::ReportSource;

Error TraceMissing(const RunFiles& files) {
  return Error{.code = Code::kTraceMissing,
               .message = Format("the run directory has no {}", kTraceName),
               .where = {.file = files.run.string()},
               .hint = files.FindExport()
                           ? Format("leave --reports out: the tables are computed from {}, which "
                                    "needs no trace",
                                    kExportName)
                           : ""};
}

// The folder whose CSVs are read: the run directory's, which is the input; else that of the output
// folder, where an earlier analysis put what it made.
fs::path StatsToRead(const RunFiles& files) {
  const fs::path of_run = files.run / kStatsName;
  return tables::FindTables(of_run).empty() ? files.stats() : of_run;
}

SourcePlan CsvPlan(const RunFiles& files) {
  SourcePlan plan{.source = ReportSource::kCsv, .stats = StatsToRead(files)};
  plan.tables = tables::FindTables(plan.stats);
  return plan;
}

Result<SourcePlan> PlanNsys(const RunFiles& files, const ingest::NsysSearch& search) {
  if (files.bare_export) {
    return Error{.code = Code::kUsage,
                 .message = "a bare export has no trace that nsys could be asked about",
                 .hint = "leave --reports out, or name a run directory"};
  }
  ASSIGN_OR_RETURN(std::optional<ingest::NsysTool> nsys, ingest::FindNsys(search));
  if (!nsys) {
    return Error{.code = Code::kNsysNotFound,
                 .message = Format("no nsys on PATH nor in {}/*/bin", search.install_root.string()),
                 .hint =
                     "install Nsight Systems or name its nsys with --nsys; --reports sqlite and "
                     "--reports csv need none"};
  }
  ASSIGN_OR_RETURN(const std::optional<uint64_t> trace, TraceSize(files));
  if (!trace) return TraceMissing(files);
  return SourcePlan{.source = ReportSource::kNsys, .nsys = std::move(nsys)};
}

// An export that is there and not known to be stale, else a fresh one from nsys, else the stale
// one.
Result<SourcePlan> PlanSqlite(const RunFiles& files, const ingest::NsysSearch& search) {
  SourcePlan plan{.source = ReportSource::kSqlite, .sqlite = files.FindExport()};
  if (files.bare_export) return plan;
  ExportTie tie = ExportTie::kStale;
  if (plan.sqlite) {
    ASSIGN_OR_RETURN(tie, TieOfExport(files, *plan.sqlite));
  }
  if (tie == ExportTie::kBelongs || tie == ExportTie::kNothingToTie) return plan;
  ASSIGN_OR_RETURN(std::optional<ingest::NsysTool> nsys, ingest::FindNsys(search));
  ASSIGN_OR_RETURN(const std::optional<uint64_t> trace, TraceSize(files));
  if (nsys && trace) return SourcePlan{.source = ReportSource::kSqlite, .nsys = std::move(nsys)};
  if (plan.sqlite) return plan;
  return Error{.code = Code::kNoReportSource,
               .message = Format("there is no {}, and {} to make one", kExportName,
                                 trace ? "no nsys was found" : "no trace"),
               .where = {.file = files.run.string()}};
}

Result<SourcePlan> PlanCsv(const RunFiles& files) {
  if (files.bare_export) {
    return Error{.code = Code::kUsage,
                 .message = "a bare export holds no CSV tables",
                 .hint = "leave --reports out, or name a run directory"};
  }
  SourcePlan plan = CsvPlan(files);
  if (plan.tables.empty()) {
    return Error{.code = Code::kNoReportSource,
                 .message = "there are no report tables named nsys_<report>.csv",
                 .where = {.file = plan.stats.string()}};
  }
  return plan;
}

Result<SourcePlan> PlanAuto(const RunFiles& files, const ingest::NsysSearch& search) {
  if (files.bare_export) return PlanSqlite(files, search);
  ASSIGN_OR_RETURN(std::optional<ingest::NsysTool> nsys, ingest::FindNsys(search));
  ASSIGN_OR_RETURN(const std::optional<uint64_t> trace, TraceSize(files));
  if (nsys && trace) return SourcePlan{.source = ReportSource::kNsys, .nsys = std::move(nsys)};
  if (files.FindExport()) return PlanSqlite(files, search);
  SourcePlan plan = CsvPlan(files);
  plan.by_default = true;
  plan.why = !nsys && !trace
                 ? Format("no nsys, no {} and no {} were found", kTraceName, kExportName)
             : nsys ? Format("no {} and no {} were found", kTraceName, kExportName)
                    : Format("no nsys and no {} were found", kExportName);
  if (plan.tables.empty()) {
    return Error{.code = Code::kNoReportSource,
                 .message = Format("{}, and there are no report tables in stats/", plan.why),
                 .where = {.file = files.run.string()}};
  }
  return plan;
}

}  // namespace

Result<bool> FileDiffers(const fs::path& path, const Fingerprint& recorded) {
  std::error_code error;
  if (fs::file_size(path, error) != recorded.size_bytes) return true;
  ASSIGN_OR_RETURN(const Fingerprint now, FingerprintFile(path));
  return now != recorded;
}

Result<std::optional<std::string>> InputDiffers(const tables::SourceRecord& record,
                                                const RunFiles& files) {
  if (!record.input) return std::optional<std::string>();
  // Only names of ours are looked at: no path from a file is opened.
  const char* name = record.input->name == kExportName ? kExportName : kTraceName;
  const fs::path path =
      name == kExportName ? files.FindExport().value_or(files.run / kExportName) : files.trace();
  std::error_code error;
  if (!fs::exists(path, error)) return std::optional<std::string>();
  ASSIGN_OR_RETURN(const bool differs, FileDiffers(path, record.input->fingerprint));
  if (!differs) return std::optional<std::string>();
  return std::optional(
      Format("the tables were made from another {} than the one that is here", name));
}

Result<SourcePlan> PlanSource(const RunFiles& files, ReportsChoice choice,
                              const ingest::NsysSearch& search) {
  switch (choice) {
    case ReportsChoice::kNsys:
      return PlanNsys(files, search);
    case ReportsChoice::kSqlite:
      return PlanSqlite(files, search);
    case ReportsChoice::kCsv:
      return PlanCsv(files);
    case ReportsChoice::kAuto:
      break;
  }
  return PlanAuto(files, search);
}

Result<ExportTie> TieOfExport(const RunFiles& files, const fs::path& path) {
  std::error_code error;
  if (files.bare_export || !fs::exists(files.trace(), error)) return ExportTie::kNothingToTie;
  const auto loaded = tables::LoadSourceRecord(path.parent_path() / kStatsName);
  const std::optional<tables::SourceRecord> record = loaded.ok() ? *loaded : std::nullopt;
  if (record && record->sqlite_export && record->input && record->input->name == kTraceName) {
    ASSIGN_OR_RETURN(const bool other_trace,
                     FileDiffers(files.trace(), record->input->fingerprint));
    ASSIGN_OR_RETURN(const bool other_export,
                     FileDiffers(path, record->sqlite_export->fingerprint));
    return other_trace || other_export ? ExportTie::kStale : ExportTie::kBelongs;
  }
  const auto exported = fs::last_write_time(path, error);
  return exported < fs::last_write_time(files.trace(), error) ? ExportTie::kStale
                                                              : ExportTie::kUnrecorded;
}

Status JudgeTables(const TableOrigin& origin, const RunFiles& files,
                   const std::map<Report, Fingerprint>& fingerprints, Diagnostics& diagnostics) {
  if (origin.source != ReportSource::kCsv) return Ok();
  if (!origin.record) {
    diagnostics.Warn(
        Code::kReusedReports,
        Format("stats/ has no {}: nothing says which trace or nsys its tables come from",
               tables::kSourceFileName));
    return Ok();
  }
  if (const auto mismatch = tables::Mismatch(*origin.record, fingerprints)) {
    diagnostics.Warn(Code::kStaleReports, *mismatch);
  }
  ASSIGN_OR_RETURN(const std::optional<std::string> differs, InputDiffers(*origin.record, files));
  if (differs) diagnostics.Warn(Code::kStaleReports, *differs);
  return Ok();
}

void JudgeVersion(const TableOrigin& origin, Diagnostics& diagnostics) {
  if (!origin.version) {
    diagnostics.Warn(
        Code::kNsysVersionUnknown,
        origin.version_text ? Format("{} names no version", Quoted(*origin.version_text))
        : origin.source == ReportSource::kSqlite ? "the export does not say which nsys made it"
                                                 : "nothing says which nsys made the tables");
  } else if (!origin.version->validated()) {
    diagnostics.Warn(Code::kNsysVersionUnvalidated,
                     Format("{} is outside 2023.2 to 2026.3", Quoted(*origin.version_text)));
  }
}

}  // namespace rangewise::cli
