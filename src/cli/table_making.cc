#include "cli/table_making.h"

#include "base/files.h"
#include "base/text.h"
#include "cli/export_traits.h"
#include "ingest/export_reader.h"
#include "tables/engine_tables.h"
#include "tables/report_csv.h"
#include "tables/stats_folder.h"
#include "tables/table_diff.h"

namespace rangewise::cli {
namespace {

using model::Report;
using model::ReportSource;

fs::file_time_type LastWrite(const fs::path& path) {
  std::error_code error;
  return fs::last_write_time(path, error);
}

// Writes through to a file and knows what went into it.
class TableFile : public Output {
 public:
  static Result<TableFile> Create(const fs::path& path) {
    ASSIGN_OR_RETURN(FileOutput file, FileOutput::Create(path));
    return TableFile(std::move(file));
  }
  void Write(std::string_view bytes) override {
    file_.Write(bytes);
    hasher_.Update(bytes);
    size_ += bytes.size();
  }
  Result<Fingerprint> Close() {
    RETURN_IF_ERROR(file_.Close());
    return Fingerprint{size_, hasher_.Hex()};
  }

 private:
  explicit TableFile(FileOutput file) : file_(std::move(file)) {}
  FileOutput file_;
  Hasher128 hasher_;
  uint64_t size_ = 0;
};

struct NativeTables {
  model::ExportTraits traits;
  tables::ComputedTables computed;
  model::ExportInfo info;
  std::map<Report, Fingerprint> fingerprints;
};

// Computes the four tables from the export at `sqlite` into files of `folder`.
Result<NativeTables> ComputeInto(const fs::path& folder, const fs::path& sqlite,
                                 const MakingOptions& options, Diagnostics& diagnostics) {
  if (options.on_step) options.on_step("read the export");
  ASSIGN_OR_RETURN(ingest::LoadedExport loaded,
                   ingest::LoadExport(
                       sqlite, {.threads = options.threads, .gpu_work = options.gpu_work}, diagnostics));
  ASSIGN_OR_RETURN(const model::ExportTraits traits, TraitsOfExport(loaded.trace, sqlite));
  std::map<Report, TableFile> files;
  for (const Report report : model::kReports) {
    ASSIGN_OR_RETURN(TableFile file, TableFile::Create(folder / model::ReportFileName(report)));
    files.emplace(report, std::move(file));
  }
  const tables::TableOutputs outputs{.push_pop = &files.at(Report::kPushPop),
                                     .projection = &files.at(Report::kGpuProjection),
                                     .kernel_summary = &files.at(Report::kKernelSummary),
                                     .gpu_trace = &files.at(Report::kGpuTrace)};
  ASSIGN_OR_RETURN(tables::ComputedTables computed,
                   tables::ComputeTables(std::move(loaded.trace), outputs,
                                         {.threads = options.threads,
                                          .capture_range = options.capture_range,
                                          .gpu_work = options.gpu_work,
                                          .on_step = options.on_step},
                                         diagnostics));
  NativeTables native{
      .traits = traits, .computed = std::move(computed), .info = std::move(loaded.info)};
  for (auto& [report, file] : files) {
    ASSIGN_OR_RETURN(native.fingerprints[report], file.Close());
  }
  return native;
}

Result<tables::ReadResult> ReadTables(const TableOrigin& origin,
                                      const std::map<Report, fs::path>& files,
                                      const MakingOptions& options, Diagnostics& diagnostics) {
  if (options.on_step) options.on_step("read the tables");
  return tables::ReadReportTables({.files = files,
                                   .version = origin.version,
                                   .version_text = origin.version_text.value_or("unknown"),
                                   .threads = options.threads},
                                  diagnostics);
}

// What the engine learnt of GPU work, or why nothing.
void TakeActivity(tables::ComputedTables& computed, MadeTables& result) {
  result.activity = std::move(computed.activity);
  result.no_activity = std::move(computed.no_activity);
}

// Computes the tables from the export that nsys left, compares them with nsys's own, and keeps what
// only the export shows. The official tables stay those that are analysed, so nothing here but an
// interrupt is an error.
Status CrossCheck(const fs::path& scratch, const RunFiles& files, const MakingOptions& options,
                  MadeTables& result, Diagnostics& diagnostics) {
  if (options.on_step) options.on_step("cross-check");
  const fs::path folder = scratch / "cross-check";
  RETURN_IF_ERROR(MakeDirectories(folder));
  Diagnostics of_engine;
  Result<NativeTables> native = ComputeInto(folder, files.new_export(), options, of_engine);
  if (!native.ok()) {
    if (native.error().code == Code::kInterrupted) return std::move(native).error();
    result.no_activity = Format("the export cannot be read: {}", native.error().message);
    diagnostics.Warn(Code::kNotCrossChecked,
                     Format("the export cannot be read: {}", native.error().message));
    return Ok();
  }
  result.coverage = native->computed.coverage;
  TakeActivity(native->computed, result);
  result.session_start = native->info.session_start;
  for (const Warning& warning : of_engine.warnings()) {
    // What the tables show too was said when they were read.
    if (!diagnostics.Has(warning.code)) diagnostics.Warn(warning.code, warning.sentence);
  }
  if (!result.origin.version || !result.origin.version->names_carry_domains()) {
    diagnostics.Warn(
        Code::kNotCrossChecked,
        "tables of nsys before 2024.4, or of an unknown version, speak another dialect");
    return Ok();
  }
  if (native->fingerprints == result.fingerprints) return Ok();
  const auto difference = tables::FirstUndocumentedDifference(
      tables::FindTables(files.stats()), tables::FindTables(folder), native->traits);
  if (!difference.ok()) {
    diagnostics.Warn(Code::kNotCrossChecked, difference.error().message);
  } else if (*difference) {
    diagnostics.Warn(Code::kTablesDiffer, **difference);
  }
  return Ok();
}

Result<MadeTables> AskNsys(const SourcePlan& plan, const RunFiles& files,
                           const MakingOptions& options, Diagnostics& diagnostics) {
  const ingest::NsysTool& nsys = *plan.nsys;
  ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Create(files.output));
  const fs::path fresh = folder.path() / kStatsName;
  RETURN_IF_ERROR(MakeDirectories(fresh));

  tables::SourceRecord record{.made_by = tables::kMadeByNsys, .nsys_version = nsys.version_text};
  const auto written_before = LastWrite(files.trace());
  ASSIGN_OR_RETURN(const Fingerprint trace, FingerprintFile(files.trace()));
  record.input = tables::InputRecord{kTraceName, trace};
  if (options.on_step) options.on_step("nsys stats");
  ASSIGN_OR_RETURN(const ingest::StatsOutput made,
                   ingest::RunNsysStats(nsys, files.trace(), folder.path(), options.progress));
  if (LastWrite(files.trace()) != written_before) {
    return Error{.code = Code::kTraceChanged,
                 .message = "the trace was written to while nsys read it",
                 .where = {.file = files.trace().string()}};
  }
  if (made.sqlite) {
    ASSIGN_OR_RETURN(const Fingerprint exported, FingerprintFile(*made.sqlite));
    record.sqlite_export = tables::InputRecord{kExportName, exported};
  }
  for (const auto& [report, path] : made.tables) {
    ASSIGN_OR_RETURN(record.tables[report], FingerprintFile(path));
    RETURN_IF_ERROR(RenameFile(path, fresh / model::ReportFileName(report)));
  }
  RETURN_IF_ERROR(
      tables::ReplaceStatsFolder(fresh, record, files.stats(), tables::OldTables::kDrop));
  if (made.sqlite) RETURN_IF_ERROR(RenameFile(*made.sqlite, files.new_export()));

  MadeTables result{.origin = {.source = ReportSource::kNsys,
                               .version_text = nsys.version_text,
                               .version = nsys.version}};
  ASSIGN_OR_RETURN(
      tables::ReadResult read,
      ReadTables(result.origin, tables::FindTables(files.stats()), options, diagnostics));
  result.tables = std::move(read.tables);
  result.fingerprints = std::move(read.fingerprints);
  if (made.sqlite) {
    RETURN_IF_ERROR(CrossCheck(folder.path(), files, options, result, diagnostics));
  } else {
    result.no_activity = "nsys left no export";
    diagnostics.Warn(Code::kNotCrossChecked, "nsys left no export");
  }
  return result;
}

// There is no analysis to carry the warnings, so the error does.
Error NoHostRows(const std::string& why, const fs::path& sqlite, const Diagnostics& diagnostics) {
  Error error{.code = Code::kNoNvtxData,
              .message = Format("{}; the tables that apply were written", why),
              .where = {.file = sqlite.string()}};
  for (const Warning& warning : diagnostics.warnings()) {
    error.details.push_back("warning: " + warning.Text());
  }
  if (diagnostics.Has(Code::kIdenticalRanges)) {
    error.hint = std::string(Describe(Code::kIdenticalRanges).action);
  } else if (diagnostics.Has(Code::kThreadlessRanges)) {
    error.hint = std::string(Describe(Code::kThreadlessRanges).action);
  }
  return error;
}

Result<MadeTables> RunEngine(const SourcePlan& plan, const RunFiles& files,
                             const MakingOptions& options, Diagnostics& diagnostics) {
  ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Create(files.output));
  const fs::path fresh = folder.path() / kStatsName;
  RETURN_IF_ERROR(MakeDirectories(fresh));
  tables::SourceRecord record{.made_by = tables::kMadeByUs};

  std::optional<fs::path> new_export;
  if (plan.nsys) {
    new_export = folder.path() / kExportName;
    const auto written_before = LastWrite(files.trace());
    ASSIGN_OR_RETURN(const Fingerprint trace, FingerprintFile(files.trace()));
    record.input = tables::InputRecord{kTraceName, trace};
    if (options.on_step) options.on_step("nsys export");
    RETURN_IF_ERROR(
        ingest::RunNsysExport(*plan.nsys, files.trace(), *new_export, options.progress));
    if (LastWrite(files.trace()) != written_before) {
      return Error{.code = Code::kTraceChanged,
                   .message = "the trace was written to while nsys read it",
                   .where = {.file = files.trace().string()}};
    }
  }
  const fs::path sqlite = new_export.value_or(plan.sqlite.value_or(fs::path()));
  ASSIGN_OR_RETURN(NativeTables native, ComputeInto(fresh, sqlite, options, diagnostics));
  if (options.on_step) options.on_step("hash the export");
  ASSIGN_OR_RETURN(const Fingerprint exported, FingerprintFile(sqlite));

  const std::string export_name = new_export ? kExportName : sqlite.filename().string();
  if (!new_export) {
    ASSIGN_OR_RETURN(const ExportTie tie, TieOfExport(files, sqlite));
    if (tie == ExportTie::kUnrecorded) {
      diagnostics.Warn(
          Code::kReusedReports,
          Format("nothing says that {} was made from the trace beside it", kExportName));
    } else if (tie == ExportTie::kStale) {
      diagnostics.Warn(
          Code::kStaleReports,
          Format("{} is older than the trace or was made from another one", kExportName));
    } else if (tie == ExportTie::kBelongs) {
      // It could be read a moment ago, or the export would not be known to belong.
      ASSIGN_OR_RETURN(const auto old, tables::LoadSourceRecord(sqlite.parent_path() / kStatsName));
      record.input = old->input;
    }
  }
  record.nsys_version = native.info.product_version;
  record.sqlite_export = tables::InputRecord{export_name, exported};
  if (!record.input) record.input = record.sqlite_export;
  record.tables = native.fingerprints;

  RETURN_IF_ERROR(
      tables::ReplaceStatsFolder(fresh, record, files.stats(), tables::OldTables::kMoveAside));
  if (new_export) RETURN_IF_ERROR(RenameFile(*new_export, files.new_export()));

  MadeTables result{.origin = {.source = ReportSource::kSqlite},
                    .tables = std::move(native.computed.tables),
                    .fingerprints = std::move(native.fingerprints),
                    .coverage = native.computed.coverage,
                    .session_start = native.info.session_start};
  if (!native.info.product_version.empty()) {
    result.origin.version_text = native.info.product_version;
    result.origin.version = model::ParseNsysVersion(native.info.product_version);
  }
  TakeActivity(native.computed, result);
  result.inputs[export_name] = exported;
  if (result.tables.host.empty()) {
    return NoHostRows(native.computed.empty[Report::kPushPop], sqlite, diagnostics);
  }
  return result;
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
  RETURN_IF_ERROR(
      tables::ReplaceStatsFolder(fresh, record, files.stats(), tables::OldTables::kDrop));
  return tables::FindTables(files.stats());
}

Result<MadeTables> TakeTables(const SourcePlan& plan, const RunFiles& files,
                              const MakingOptions& options, Diagnostics& diagnostics) {
  MadeTables result;
  ASSIGN_OR_RETURN(result.origin, OriginOfTables(plan));
  std::map<Report, fs::path> tables = plan.tables;
  if (options.may_write && plan.stats != files.stats()) {
    ASSIGN_OR_RETURN(tables, CopyTables(plan, files, result.origin.record));
  }
  Diagnostics table_warnings;
  ASSIGN_OR_RETURN(tables::ReadResult read,
                   ReadTables(result.origin, tables, options, table_warnings));
  RETURN_IF_ERROR(JudgeTables(result.origin, files, read.fingerprints, diagnostics));
  diagnostics.Append(table_warnings);
  result.tables = std::move(read.tables);
  result.fingerprints = std::move(read.fingerprints);
  result.no_activity = "the tables were read as they are; GPU work per range needs the SQLite export";
  return result;
}

}  // namespace

Result<TableOrigin> OriginOfTables(const SourcePlan& plan) {
  TableOrigin origin{.source = ReportSource::kCsv};
  ASSIGN_OR_RETURN(origin.record, tables::LoadSourceRecord(plan.stats));
  if (origin.record && !origin.record->nsys_version.empty()) {
    origin.version_text = origin.record->nsys_version;
    origin.version = model::ParseNsysVersion(origin.record->nsys_version);
  }
  return origin;
}

Result<MadeTables> MakeTables(const SourcePlan& plan, const RunFiles& files,
                              const MakingOptions& options, Diagnostics& diagnostics) {
  switch (plan.source) {
    case ReportSource::kNsys:
      return AskNsys(plan, files, options, diagnostics);
    case ReportSource::kSqlite:
      return RunEngine(plan, files, options, diagnostics);
    case ReportSource::kCsv:
      break;
  }
  return TakeTables(plan, files, options, diagnostics);
}

}  // namespace rangewise::cli
