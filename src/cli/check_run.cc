#include "cli/check_run.h"

#include <algorithm>

#include "base/text.h"
#include "base/value.h"
#include "cli/analyze_run.h"
#include "cli/report_source.h"
#include "cli/table_making.h"
#include "format/json.h"
#include "ingest/export_reader.h"
#include "ingest/manifest.h"
#include "tables/stats_folder.h"

namespace rangewise::cli {
namespace {

using model::CheckItem;
using model::CheckList;
using model::CheckState;
using model::Report;

class Checker {
 public:
  Checker(RunFiles files, const CheckRequest& request)
      : files_(std::move(files)), request_(request) {}

  CheckList Run() {
    Manifest();
    Trace();
    Export();
    Nsys();
    if (!files_.bare_export) Stats();
    Analysis();
    Plan();
    return std::move(list_);
  }

 private:
  void Ok(std::string subject, std::string sentence) {
    list_.items.push_back({std::move(subject), CheckState::kOk, std::move(sentence)});
  }
  void Warn(std::string subject, Code code, std::string sentence) {
    list_.items.push_back({std::move(subject), CheckState::kWarning, std::move(sentence), code});
  }
  void Fail(std::string subject, const Error& error) {
    std::string sentence = error.message;
    if (error.where.line > 0)
      sentence += Format(" (line {}, column {})", error.where.line, error.where.column);
    list_.items.push_back(
        {std::move(subject), CheckState::kError, std::move(sentence), error.code});
  }

  void Manifest() {
    if (files_.bare_export) return Ok("manifest", "a bare export has none");
    const auto loaded = ingest::LoadManifest(files_.manifest());
    if (!loaded.ok()) return Fail("manifest", loaded.error());
    const model::Manifest& manifest = loaded->manifest;
    if (!manifest.capture_range_given) {
      Fail(
          "manifest",
          {.code = Code::kManifestWrongType,
           .message = "the key capture_range is not there; `analyze` needs it or --capture-range"});
    } else {
      Ok("manifest",
         Format("capture range {}, {} iterations, {} records",
                manifest.capture_range ? Quoted(*manifest.capture_range) : "none (no harness)",
                manifest.expected_iterations ? Format("{}", *manifest.expected_iterations)
                                             : "an unknown number of",
                manifest.record_count));
    }
    if (!manifest.expected_trace_path) {
      Ok("expected-trace-path", "the manifest names no trace");
    } else if (const auto mismatch = TracePathMismatch(*manifest.expected_trace_path, files_)) {
      Warn("expected-trace-path", Code::kTracePathMismatch, *mismatch);
    } else {
      Ok("expected-trace-path", "names this run's trace");
    }
  }

  void Trace() {
    if (files_.bare_export) return Ok("trace", "a bare export has none");
    const auto size = TraceSize(files_);
    if (!size.ok()) return Fail("trace", size.error());
    if (!*size) {
      return Warn("trace", Code::kTraceMissing,
                  Format("there is no {}; {}", kTraceName, WithoutTrace()));
    }
    Ok("trace", Format("{} has {} bytes", kTraceName, Grouped(static_cast<int64_t>(**size))));
  }

  // What can be analysed all the same, as the plan chooses.
  std::string WithoutTrace() const {
    if (files_.FindExport())
      return Format("tables are computed from {}, which needs none", kExportName);
    return PlanSource(files_, ReportsChoice::kCsv, {}).ok()
               ? "only the tables in stats/ can be analysed"
               : "without it, an export or report tables in stats/ are needed";
  }

  void Export() {
    const auto path = files_.FindExport();
    if (!path) return Ok("export", Format("there is no {}", kExportName));
    if (const Status probed = ingest::ProbeExport(*path); !probed.ok()) {
      // Harmless as long as `analyze` would not read it.
      const auto plan = PlanSource(files_, ReportsChoice::kAuto, SearchFor(request_.nsys));
      if (!plan.ok() || plan->source == model::ReportSource::kSqlite) {
        export_fails_ = true;
        return Fail("export", probed.error());
      }
      return Warn("export", probed.error().code, probed.error().message);
    }
    const auto tie = TieOfExport(files_, *path);
    if (!tie.ok()) return Fail("export", tie.error());
    switch (*tie) {
      case ExportTie::kNothingToTie:
      case ExportTie::kBelongs:
        return Ok("export", Format("{} can be read", path->filename().string()));
      case ExportTie::kUnrecorded:
        return Warn("export", Code::kReusedReports,
                    Format("nothing says that {} was made from the trace beside it", kExportName));
      case ExportTie::kStale:
        return Warn("export", Code::kStaleReports,
                    Format("{} is older than the trace or was made from another one", kExportName));
    }
  }

  void Nsys() {
    const auto found = ingest::FindNsys(SearchFor(request_.nsys));
    if (!found.ok()) return Fail("nsys", found.error());
    if (!*found)
      return Warn("nsys", Code::kNsysNotFound, "no nsys on PATH nor in /opt/nvidia/nsight-systems");
    const ingest::NsysTool& nsys = **found;
    if (!nsys.version) {
      Warn("nsys", Code::kNsysVersionUnknown,
           Format("{} does not say its version", Quoted(nsys.path.string())));
    } else if (!nsys.version->validated()) {
      Warn("nsys", Code::kNsysVersionUnvalidated,
           Format("{} is outside 2023.2 to 2026.3", Quoted(nsys.version_text)));
    } else {
      Ok("nsys", nsys.version_text);
    }
    const auto known = ingest::KnownReports(nsys);
    if (!known.ok()) return Fail("nsys-reports", known.error());
    std::vector<std::string> unknown;
    for (const Report report : model::kReports) {
      const std::string name(model::ReportName(report));
      if (std::find(known->begin(), known->end(), name) == known->end()) unknown.push_back(name);
    }
    if (unknown.empty()) return Ok("nsys-reports", "knows the four reports");
    Fail("nsys-reports", {.code = Code::kReportNotMade,
                          .message = Format("this nsys does not know {}", QuotedList(unknown))});
  }

  void Stats() {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(files_.stats(), error);
    if (fs::exists(status) && !fs::is_directory(files_.stats(), error)) {
      return Fail("stats", {.code = Code::kOutputNotWritable,
                            .message = "stats is no folder; move it away, since analyze puts the "
                                       "tables into a folder of that name"});
    }
    // With the same eyes as `analyze`: the tables it would read, and what ties them to the trace.
    const auto plan = PlanSource(files_, ReportsChoice::kCsv, {});
    if (!plan.ok()) return Ok("stats", "no report tables are in stats/");
    const auto source = OriginOfTables(*plan);
    if (!source.ok()) return Fail("stats", source.error());
    for (const auto& [report, path] : plan->tables) {
      const auto fingerprint = FingerprintFile(path);
      if (!fingerprint.ok()) return Fail("stats", fingerprint.error());
      tables_[report] = *fingerprint;
    }
    Diagnostics diagnostics;
    if (const Status judged = JudgeTables(*source, files_, tables_, diagnostics); !judged.ok()) {
      return Fail("stats", judged.error());
    }
    for (const Warning& warning : diagnostics.warnings())
      Warn("stats", warning.code, warning.sentence);
    if (diagnostics.warnings().empty()) {
      Ok("stats", Format("{} tables, made by {} ({})", tables_.size(), source->record->made_by,
                         source->record->nsys_version));
    }
  }

  // Whether analysis.json was made from the manifest and tables that are there now.
  void Analysis() {
    std::error_code error;
    if (!fs::exists(files_.analysis(), error))
      return Ok("analysis", "there is no analysis.json yet");
    if (HoldsOnlyAnalysis(files_))
      return Ok("analysis", "analysis.json is here, and what it was made from is not");
    const auto inputs = RecordedInputs();
    if (!inputs.ok()) return Fail("analysis", inputs.error());
    for (const auto& [name, recorded] : *inputs) {
      const fs::path path = name == kManifestName ? files_.manifest()
                                                  : files_.output / fs::path(name).relative_path();
      const auto now = CurrentFingerprint(name, path);
      if (!now || *now != recorded) {
        return Warn("analysis", Code::kStaleReports,
                    Format("analysis.json was made from another {}", name));
      }
    }
    Ok("analysis", "analysis.json belongs to this manifest and these tables");
  }

  // The inputs that analysis.json names; only names of ours are looked at, no path from the file is
  // opened.
  Result<std::map<std::string, Fingerprint>> RecordedInputs() {
    ASSIGN_OR_RETURN(const std::string text, ReadFile(files_.analysis()));
    ASSIGN_OR_RETURN(const Value document, format::ParseJson(text, files_.analysis().string()));
    std::map<std::string, Fingerprint> inputs;
    const Value* node = &document;
    for (const char* key : {"provenance", "inputs", "files"}) {
      const auto* map = std::get_if<ValueMap>(&node->data);
      const auto entry = map != nullptr ? map->find(key) : ValueMap::const_iterator();
      if (map == nullptr || entry == map->end()) {
        return Error{.code = Code::kReadFailed,
                     .message = "analysis.json does not say what it was made from",
                     .where = {.file = files_.analysis().string()}};
      }
      node = &entry->second;
    }
    std::vector<std::string> names = {kManifestName};
    for (const Report report : model::kReports)
      names.push_back(Format("{}/{}", kStatsName, model::ReportFileName(report)));
    const auto* files = std::get_if<ValueMap>(&node->data);
    for (const std::string& name : names) {
      if (files == nullptr) break;
      const auto entry = files->find(name);
      if (entry == files->end()) continue;
      const auto* fields = std::get_if<ValueMap>(&entry->second.data);
      if (fields == nullptr || !fields->contains("size_bytes") || !fields->contains("xxh3_128"))
        continue;
      const auto* size = std::get_if<Integer>(&fields->at("size_bytes").data);
      const auto* hash = std::get_if<std::string>(&fields->at("xxh3_128").data);
      if (size == nullptr || hash == nullptr) continue;
      inputs[name] = {static_cast<uint64_t>(ParseInt64(size->digits).value_or(0)), *hash};
    }
    return inputs;
  }

  std::optional<Fingerprint> CurrentFingerprint(const std::string& name,
                                                const fs::path& path) const {
    for (const auto& [report, fingerprint] : tables_) {
      if (name == Format("{}/{}", kStatsName, model::ReportFileName(report))) return fingerprint;
    }
    const auto fingerprint = FingerprintFile(path);
    return fingerprint.ok() ? std::optional(*fingerprint) : std::nullopt;
  }

  void Plan() {
    if (HoldsOnlyAnalysis(files_)) {
      Error error = OnlyAnalysis(files_, Code::kNoReportSource);
      error.message += "; " + error.hint;
      return Fail("plan", error);
    }
    const auto plan = PlanSource(files_, ReportsChoice::kAuto, SearchFor(request_.nsys));
    if (!plan.ok()) return Fail("plan", plan.error());
    if (plan->source == model::ReportSource::kNsys) {
      return Ok("plan",
                Format("analyze would ask {} for the tables", Quoted(plan->nsys->version_text)));
    }
    if (plan->source == model::ReportSource::kSqlite) {
      if (export_fails_ && !plan->nsys) {
        return Fail("plan", {.code = Code::kNoReportSource,
                             .message = Format("analyze would compute the tables from {}, which it "
                                               "cannot read",
                                               Quoted(plan->sqlite->filename().string()))});
      }
      return Ok("plan", plan->nsys ? "analyze would export the trace and compute the tables"
                                   : Format("analyze would compute the tables from {}",
                                            Quoted(plan->sqlite->filename().string())));
    }
    Warn("plan", Code::kReportsFromCsv,
         Format("analyze would take the tables in stats/: {}", plan->why));
  }

  RunFiles files_;
  const CheckRequest& request_;
  CheckList list_;
  bool export_fails_ = false;
  std::map<Report, Fingerprint> tables_;
};

}  // namespace

Result<CheckList> CheckRun(const CheckRequest& request) {
  ASSIGN_OR_RETURN(RunFiles files, LocateRun(request.run, request.output_folder));
  return Checker(std::move(files), request).Run();
}

}  // namespace rangewise::cli
