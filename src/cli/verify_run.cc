#include "cli/verify_run.h"

#include <map>

#include "base/files.h"
#include "base/text.h"
#include "cli/analyze_run.h"
#include "cli/export_traits.h"
#include "cli/official_tables.h"
#include "cli/report_source.h"
#include "ingest/export_reader.h"
#include "tables/engine_tables.h"
#include "tables/stats_folder.h"
#include "tables/table_diff.h"

namespace rangewise::cli {
namespace {

using model::Report;

// Where our tables are made. In the output folder while no one else writes there, since whoever
// holds its lock clears it of what seems left over; else in the system's folder for such things.
struct Workplace {
  std::optional<FolderLock> lock;
  std::optional<TemporaryFolder> folder;
};

Result<Workplace> MakeWorkplace(const fs::path& output) {
  Workplace place;
  std::error_code error;
  if (fs::is_directory(output, error)) {
    auto lock = FolderLock::Acquire(output, false);
    if (lock.ok()) place.lock.emplace(std::move(*lock));
  }
  if (place.lock) {
    auto folder = TemporaryFolder::Create(output);
    if (folder.ok()) {
      place.folder.emplace(std::move(*folder));
      return place;
    }
  }
  const fs::path system = fs::temp_directory_path(error);
  ASSIGN_OR_RETURN(TemporaryFolder folder, TemporaryFolder::Create(error ? "/tmp" : system));
  place.folder.emplace(std::move(folder));
  return place;
}

struct OurTables {
  std::map<Report, fs::path> files;
  model::ExportTraits traits;
};

// Warns of what the export lacks or holds that is no trace's; what there is to say of the trace is
// said by `analyze`.
Result<OurTables> ComputeOurs(const fs::path& sqlite, const fs::path& folder, int threads,
                              Diagnostics& diagnostics) {
  ASSIGN_OR_RETURN(ingest::LoadedExport loaded,
                   ingest::LoadExport(sqlite, {.threads = threads}, diagnostics));
  OurTables ours;
  ASSIGN_OR_RETURN(ours.traits, TraitsOfExport(loaded.trace, sqlite));
  RETURN_IF_ERROR(MakeDirectories(folder));
  std::map<Report, FileOutput> outputs;
  for (const Report report : model::kReports) {
    ours.files[report] = folder / model::ReportFileName(report);
    ASSIGN_OR_RETURN(FileOutput file, FileOutput::Create(ours.files[report]));
    outputs.emplace(report, std::move(file));
  }
  Diagnostics unused;
  const auto computed = tables::ComputeTables(
      std::move(loaded.trace),
      {.push_pop = &outputs.at(Report::kPushPop),
       .projection = &outputs.at(Report::kGpuProjection),
       .kernel_summary = &outputs.at(Report::kKernelSummary),
       .gpu_trace = &outputs.at(Report::kGpuTrace)},
      {.threads = threads, .capture_range = std::nullopt, .on_step = {}}, unused);
  if (!computed.ok()) return computed.error();
  for (auto& [report, file] : outputs) RETURN_IF_ERROR(file.Close());
  return ours;
}

// Of tables that nsys made of the trace just now: whether the export is of that trace.
Status JudgeExport(const RunFiles& files, const fs::path& sqlite, Diagnostics& diagnostics) {
  RunFiles beside = files;  // of an export that was named by itself, the trace beside it
  beside.bare_export.reset();
  ASSIGN_OR_RETURN(const ExportTie tie, TieOfExport(beside, sqlite));
  if (tie == ExportTie::kStale) {
    diagnostics.Warn(
        Code::kStaleReports,
        Format("{} is older than the trace or was made from another one", kExportName));
  }
  return Ok();
}

// What says that tables and export do not belong together. kReportMissing for a table that the
// record names and that is gone.
Status JudgeTie(const RunFiles& files, const OfficialTables& official, const fs::path& sqlite,
                Diagnostics& diagnostics) {
  if (official.made_export) {
    return *official.made_export == sqlite ? Ok() : JudgeExport(files, sqlite, diagnostics);
  }
  if (!official.record) return Ok();
  for (const auto& [report, fingerprint] : official.record->tables) {
    if (official.files.find(report) != official.files.end()) continue;
    return Error{
        .code = Code::kReportMissing,
        .message = Format("{} names this table, and it is not there", tables::kSourceFileName),
        .where = {.file = (official.folder / model::ReportFileName(report)).string()},
        .hint = "put it back, or have the tables made anew"};
  }
  std::map<Report, Fingerprint> fingerprints;
  for (const auto& [report, path] : official.files) {
    ASSIGN_OR_RETURN(fingerprints[report], FingerprintFile(path));
  }
  if (const auto mismatch = tables::Mismatch(*official.record, fingerprints)) {
    diagnostics.Warn(Code::kStaleReports, *mismatch);
  }
  if (official.record->sqlite_export) {
    ASSIGN_OR_RETURN(const Fingerprint now, FingerprintFile(sqlite));
    if (now != official.record->sqlite_export->fingerprint) {
      diagnostics.Warn(Code::kStaleReports,
                       "the tables were made beside another export than the one that is here");
    }
  }
  return Ok();
}

Result<fs::path> ChooseExport(const RunFiles& files, const OfficialTables& official) {
  if (const std::optional<fs::path> sqlite = files.FindExport()) return *sqlite;
  if (official.made_export) return *official.made_export;
  return Error{.code = Code::kExportMissing,
               .message = Format("the run has no {}", kExportName),
               .where = {.file = files.run.string()}};
}

}  // namespace

Result<model::Verification> VerifyRun(const VerifyRequest& request) {
  ASSIGN_OR_RETURN(const RunFiles files, LocateRun(request.run, request.output_folder));
  if (HoldsOnlyAnalysis(files)) return OnlyAnalysis(files, Code::kExportMissing);
  ASSIGN_OR_RETURN(const Workplace workplace, MakeWorkplace(files.output));
  const fs::path& folder = workplace.folder->path();
  const OfficialRequest official_request{.against = request.against,
                                         .nsys_named = request.nsys.has_value(),
                                         .search = SearchFor(request.nsys),
                                         .progress = request.progress};
  ASSIGN_OR_RETURN(const OfficialTables official,
                   FindOfficialTables(files, official_request, folder / "theirs"));
  ASSIGN_OR_RETURN(const fs::path sqlite, ChooseExport(files, official));
  model::Verification verification{
      .export_path = official.made_export == sqlite ? "an export made now" : sqlite.string(),
      .tables_path = official.folder.string(),
      .nsys_version = official.version_text};
  Diagnostics diagnostics;
  RETURN_IF_ERROR(JudgeTie(files, official, sqlite, diagnostics));
  ASSIGN_OR_RETURN(const OurTables ours,
                   ComputeOurs(sqlite, folder / "ours", request.threads, diagnostics));
  verification.warnings = diagnostics.warnings();
  for (const Report report : model::kReports) {
    const auto theirs = official.files.find(report);
    if (theirs == official.files.end()) {
      verification.reports.push_back({.report = report, .compared = false});
      continue;
    }
    ASSIGN_OR_RETURN(model::TableDiff diff,
                     tables::CompareTables(report, theirs->second, ours.files.at(report),
                                           ours.traits, {.threads = request.threads}));
    verification.reports.push_back(std::move(diff));
  }
  if (official.files.empty()) {
    return Error{.code = Code::kOfficialTablesMissing,
                 .message = "no report was compared: nsys's side has no table",
                 .where = {.file = official.folder.string()}};
  }
  return verification;
}

}  // namespace rangewise::cli
