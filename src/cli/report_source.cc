#include "cli/report_source.h"

#include "base/files.h"
#include "base/text.h"
#include "tables/stats_folder.h"

namespace rangewise::cli {
namespace {

using model::Report;
using model::ReportSource;

Error TraceMissing(const RunFiles& files) {
  return Error{.code = Code::kTraceMissing,
               .message = Format("the run directory has no {}", kTraceName),
               .where = {.file = files.run.string()}};
}

// The folder whose CSVs are read: the output folder's own, else the run directory's.
fs::path StatsToRead(const RunFiles& files) {
  if (files.output_elsewhere() && !tables::FindTables(files.stats()).empty()) return files.stats();
  return files.run / kStatsName;
}

SourcePlan CsvPlan(const RunFiles& files) {
  SourcePlan plan{.source = ReportSource::kCsv, .stats = StatsToRead(files)};
  plan.tables = tables::FindTables(plan.stats);
  return plan;
}

Result<SourcePlan> PlanNsys(const RunFiles& files, const ingest::NsysSearch& search) {
  ASSIGN_OR_RETURN(std::optional<ingest::NsysTool> nsys, ingest::FindNsys(search));
  if (!nsys) {
    return Error{.code = Code::kNsysNotFound,
                 .message = Format("no nsys on PATH nor in {}/*/bin", search.install_root.string()),
                 .hint =
                     "install Nsight Systems or name its nsys with --nsys; --reports csv uses the "
                     "tables in stats/"};
  }
  ASSIGN_OR_RETURN(const std::optional<uint64_t> trace, TraceSize(files));
  if (!trace) return TraceMissing(files);
  return SourcePlan{.source = ReportSource::kNsys, .nsys = std::move(nsys)};
}

Result<SourcePlan> PlanCsv(const RunFiles& files) {
  SourcePlan plan = CsvPlan(files);
  if (plan.tables.empty()) {
    return Error{.code = Code::kNoReportSource,
                 .message = Format("there are no report tables named nsys_<report>.csv"),
                 .where = {.file = plan.stats.string()}};
  }
  return plan;
}

Result<SourcePlan> PlanAuto(const RunFiles& files, const ingest::NsysSearch& search) {
  ASSIGN_OR_RETURN(std::optional<ingest::NsysTool> nsys, ingest::FindNsys(search));
  ASSIGN_OR_RETURN(const std::optional<uint64_t> trace, TraceSize(files));
  if (nsys && trace) return SourcePlan{.source = ReportSource::kNsys, .nsys = std::move(nsys)};
  SourcePlan plan = CsvPlan(files);
  plan.by_default = true;
  plan.why = !nsys && !trace ? Format("no nsys and no {} were found", kTraceName)
             : nsys          ? Format("no {} was found", kTraceName)
                             : "no nsys was found";
  if (plan.tables.empty()) {
    return Error{.code = Code::kNoReportSource,
                 .message = Format("{}, and there are no report tables in stats/", plan.why),
                 .where = {.file = files.run.string()}};
  }
  return plan;
}

fs::file_time_type LastWrite(const fs::path& path) {
  std::error_code error;
  return fs::last_write_time(path, error);
}

// One sentence when the trace is not the input that the record names; nothing when it is or is not
// there.
Result<std::optional<std::string>> TraceDiffers(const tables::SourceRecord& record,
                                                const RunFiles& files) {
  if (!record.input) return std::optional<std::string>();
  const fs::path path = files.run / (record.input->name == kExportName ? kExportName : kTraceName);
  std::error_code error;
  if (!fs::exists(path, error)) return std::optional<std::string>();
  const std::string sentence = Format(
      "the tables were made from another {} than the one that is here", path.filename().string());
  if (fs::file_size(path, error) != record.input->fingerprint.size_bytes)
    return std::optional(sentence);
  ASSIGN_OR_RETURN(const Fingerprint now, FingerprintFile(path));
  if (now != record.input->fingerprint) return std::optional(sentence);
  return std::optional<std::string>();
}

// Copies the tables (and their record) into the output folder's stats/.
Result<std::map<Report, fs::path>> CopyTables(const SourcePlan& plan, const RunFiles& files,
                                              const std::optional<tables::SourceRecord>& record) {
  ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Create(files.output));
  const fs::path fresh = folder.path() / kStatsName;
  RETURN_IF_ERROR(MakeDirectories(fresh));
  for (const auto& [report, path] : plan.tables) {
    std::error_code error;
    const fs::path target = fresh / model::ReportFileName(report);
    fs::copy_file(path, target, error);
    if (error) return WriteError(target, error.value());
  }
  RETURN_IF_ERROR(tables::ReplaceStatsFolder(fresh, record, files.stats()));
  return tables::FindTables(files.stats());
}

}  // namespace

Result<SourcePlan> PlanSource(const RunFiles& files, ReportsChoice choice,
                              const ingest::NsysSearch& search) {
  switch (choice) {
    case ReportsChoice::kNsys:
      return PlanNsys(files, search);
    case ReportsChoice::kCsv:
      return PlanCsv(files);
    case ReportsChoice::kAuto:
      break;
  }
  return PlanAuto(files, search);
}

Result<TableSource> MakeTables(const SourcePlan& plan, const RunFiles& files,
                               const ingest::ProgressSink& progress) {
  const ingest::NsysTool& nsys = *plan.nsys;
  ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Create(files.output));
  const fs::path fresh = folder.path() / kStatsName;
  RETURN_IF_ERROR(MakeDirectories(fresh));

  tables::SourceRecord record{.made_by = "nsys", .nsys_version = nsys.version_text};
  const auto written_before = LastWrite(files.trace());
  ASSIGN_OR_RETURN(const Fingerprint trace, FingerprintFile(files.trace()));
  record.input = tables::InputRecord{kTraceName, trace};
  ASSIGN_OR_RETURN(const ingest::StatsOutput made,
                   ingest::RunNsysStats(nsys, files.trace(), folder.path(), progress));
  ASSIGN_OR_RETURN(const Fingerprint exported, FingerprintFile(made.sqlite));
  record.sqlite_export = tables::InputRecord{kExportName, exported};
  for (const auto& [report, path] : made.tables) {
    ASSIGN_OR_RETURN(record.tables[report], FingerprintFile(path));
    RETURN_IF_ERROR(RenameFile(path, fresh / model::ReportFileName(report)));
  }
  if (LastWrite(files.trace()) != written_before) {
    return Error{.code = Code::kTraceChanged,
                 .message = "the trace was written to while nsys read it",
                 .where = {.file = files.trace().string()}};
  }
  RETURN_IF_ERROR(tables::ReplaceStatsFolder(fresh, record, files.stats()));
  RETURN_IF_ERROR(RenameFile(made.sqlite, files.sqlite_export()));
  return TableSource{.source = ReportSource::kNsys,
                     .files = tables::FindTables(files.stats()),
                     .version_text = nsys.version_text,
                     .version = nsys.version};
}

Result<TableSource> TakeTables(const SourcePlan& plan, const RunFiles& files, bool may_write) {
  TableSource source{.source = ReportSource::kCsv, .files = plan.tables};
  ASSIGN_OR_RETURN(source.record, tables::LoadSourceRecord(plan.stats));
  if (source.record) {
    source.version_text = source.record->nsys_version;
    source.version = model::ParseNsysVersion(source.record->nsys_version);
  }
  if (may_write && plan.stats != files.stats()) {
    ASSIGN_OR_RETURN(source.files, CopyTables(plan, files, source.record));
  }
  return source;
}

Status JudgeTables(const TableSource& source, const RunFiles& files,
                   const std::map<Report, Fingerprint>& fingerprints, Diagnostics& diagnostics) {
  if (source.source != ReportSource::kCsv) return Ok();
  if (!source.record) {
    diagnostics.Warn(
        Code::kReusedReports,
        Format("stats/ has no {}: nothing says which trace or nsys its tables come from",
               tables::kSourceFileName));
    return Ok();
  }
  if (const auto mismatch = tables::Mismatch(*source.record, fingerprints)) {
    diagnostics.Warn(Code::kStaleReports, *mismatch);
  }
  ASSIGN_OR_RETURN(const std::optional<std::string> differs, TraceDiffers(*source.record, files));
  if (differs) diagnostics.Warn(Code::kStaleReports, *differs);
  return Ok();
}

void JudgeVersion(const TableSource& source, Diagnostics& diagnostics) {
  if (!source.version) {
    diagnostics.Warn(Code::kNsysVersionUnknown,
                     source.version_text
                         ? Format("{} names no version", Quoted(*source.version_text))
                         : "nothing says which nsys made the tables");
  } else if (!source.version->validated()) {
    diagnostics.Warn(Code::kNsysVersionUnvalidated,
                     Format("{} is outside 2023.2 to 2026.3", Quoted(*source.version_text)));
  }
}

}  // namespace rangewise::cli
