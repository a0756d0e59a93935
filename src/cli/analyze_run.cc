#include "cli/analyze_run.h"

#include <cstdlib>
#include <set>

#include "analysis/analyze.h"
#include "artifact/analysis_json.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "cli/output_file.h"
#include "cli/table_making.h"
#include "ingest/manifest.h"
#include "tables/source_record.h"

namespace rangewise::cli {
namespace {

using model::Report;
using model::ReportSource;

std::optional<std::string> Environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? std::optional<std::string>(value) : std::nullopt;
}

// A manifest with the hash of its file; of a bare export, an empty one.
struct ReadManifest {
  model::Manifest manifest;
  std::optional<Fingerprint> fingerprint;
};

Result<ReadManifest> ReadManifestOf(const RunFiles& files) {
  if (files.bare_export) return ReadManifest{.manifest = {.capture_range_given = true}};
  ASSIGN_OR_RETURN(ingest::LoadedManifest loaded, ingest::LoadManifest(files.manifest()));
  return ReadManifest{std::move(loaded.manifest), loaded.fingerprint};
}

// The shape to look for: the manifest's, overridden by the command line.
Result<model::Harness> ChooseHarness(const model::Manifest& manifest, const AnalyzeRequest& request,
                                     const RunFiles& files) {
  model::Harness harness{.capture_range = manifest.capture_range,
                         .iteration_pattern = manifest.iteration_pattern,
                         .expected_iterations = manifest.expected_iterations};
  if (request.capture_range) {
    harness.capture_range = *request.capture_range == "none" ? std::nullopt : request.capture_range;
  } else if (!manifest.capture_range_given) {
    return Error{
        .code = Code::kManifestWrongType,
        .message =
            "the manifest has no key capture_range; the name of the capture range was expected, or "
            "null for a run without a harness",
        .where = {.file = files.manifest().string()},
        .hint =
            "add `capture_range: NAME` to the manifest, or name the range with --capture-range"};
  }
  if (request.iterations) harness.iteration_pattern = request.iterations;
  return harness;
}

model::Provenance DescribeOrigin(const AnalyzeRequest& request, const RunFiles& files,
                                 const MadeTables& made,
                                 const std::optional<Fingerprint>& manifest) {
  model::Provenance provenance{.nsys_version = made.origin.version_text,
                               .source = made.origin.source};
  std::error_code error;
  if (files.bare_export) {
    provenance.trace_path = files.bare_export->filename().string();
  } else if (fs::exists(files.trace(), error)) {
    provenance.trace_path = kTraceName;
  }
  if (manifest) {
    provenance.manifest_path = kManifestName;
    provenance.inputs[kManifestName] = *manifest;
  }
  provenance.inputs.insert(made.inputs.begin(), made.inputs.end());
  for (const auto& [report, fingerprint] : made.fingerprints) {
    const std::string path = Format("{}/{}", kStatsName, model::ReportFileName(report));
    provenance.reports[std::string(model::ReportName(report))] = path;
    provenance.inputs[path] = fingerprint;
  }
  if (request.capture_range) provenance.options["capture_range"] = *request.capture_range;
  if (request.iterations) provenance.options["iterations"] = *request.iterations;
  for (const model::NameRule& rule : request.group_rules) {
    std::string& group = provenance.options["group"];
    if (!group.empty()) group += '\n';
    group += Format("{}=>{}", rule.pattern, rule.replace);
  }
  if (request.group_numbers) provenance.options["group_numbers"] = "true";
  if (!request.gpu_work) provenance.options["gpu_work"] = "off";
  if (request.kernels != model::kDefaultKernels) {
    provenance.options["kernels"] = Format("{}", request.kernels);
  }
  if (request.gap_threshold_ns != model::kDefaultGapThresholdNs) {
    provenance.options["gap_threshold_ns"] = Format("{}", request.gap_threshold_ns);
  }
  return provenance;
}

// The manifest's rules, then those of the command line.
analysis::AnalyzeOptions AnalysisOptions(const model::Manifest& manifest,
                                         const AnalyzeRequest& request, const MadeTables& made) {
  analysis::AnalyzeOptions options{.threads = request.threads,
                                   .name_rules = manifest.name_rules,
                                   .mask_numbers = request.group_numbers};
  options.name_rules.insert(options.name_rules.end(), request.group_rules.begin(),
                            request.group_rules.end());
  if (made.activity) options.gpu_activity = &*made.activity;
  options.gpu_work = {.kernels = request.kernels,
                      .gap_threshold_ns = request.gap_threshold_ns,
                      .classes = manifest.gpu_classes};
  return options;
}

// Whether anything is to be written into the output folder.
bool WritesOutputFolder(const AnalyzeRequest& request, const RunFiles& files,
                        const SourcePlan& plan) {
  return plan.source != ReportSource::kCsv || !request.json_target ||
         (files.output_elsewhere() && plan.stats != files.stats());
}

// What is missing when there is no manifest, and the names that --capture-range could be given.
void WarnOfNoManifest(const model::ReportTables& tables, Diagnostics& diagnostics) {
  std::set<std::string> names;
  for (const model::HostRange& range : tables.host) {
    if (range.parent_id == model::kNoParent) names.emplace(tables.names.At(range.name));
  }
  const std::vector<std::string> list(names.begin(), names.end());
  diagnostics.Warn(Code::kNoManifest,
                   Format("a bare export says nothing about the run; its top-level ranges are {}",
                          QuotedList(list)));
}

// Results never replace what they are made from: `-o` may name a new file or an earlier result of
// any name, but not the manifest, the trace, the export or anything in stats/.
Status CheckTarget(const AnalyzeRequest& request, const RunFiles& files) {
  return CheckOutput(request.json_target.value_or(""), InputsOf(files),
                     "which the analysis is made from");
}

Status WriteJsonTo(const fs::path& target, const model::AnalysisDocument& document) {
  ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(target));
  artifact::WriteAnalysisJson(document, file);
  RETURN_IF_ERROR(CheckInterrupt());
  return file.Commit();
}

// The JSON to its target, and the target's path (empty for standard output).
Result<fs::path> WriteJson(const AnalyzeRequest& request, const RunFiles& files,
                           const model::AnalysisDocument& document, Output& standard_output) {
  if (request.json_target == "-") {
    artifact::WriteAnalysisJson(document, standard_output);
    RETURN_IF_ERROR(CheckInterrupt());
    return fs::path();
  }
  if (request.json_target) {
    Status written = WriteJsonTo(*request.json_target, document);
    if (!written.ok()) return AboutOutput(std::move(written).error());
    return fs::path(*request.json_target);
  }
  std::error_code error;
  if (!fs::is_symlink(fs::symlink_status(files.analysis(), error))) {
    RETURN_IF_ERROR(WriteJsonTo(files.analysis(), document));
    return files.analysis();
  }
  // Nobody named a file: a link that came with the run must not choose one outside of it. The link
  // itself is replaced.
  ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Create(files.output));
  const fs::path fresh = folder.path() / files.analysis().filename();
  RETURN_IF_ERROR(WriteJsonTo(fresh, document));
  RETURN_IF_ERROR(RenameFile(fresh, files.analysis()));
  return files.analysis();
}

}  // namespace

std::optional<model::NameRule> ParseGroupRule(std::string_view text) {
  const size_t arrow = text.find("=>");
  if (arrow == std::string_view::npos) return std::nullopt;
  return model::NameRule{.pattern = std::string(text.substr(0, arrow)),
                         .replace = std::string(text.substr(arrow + 2))};
}

ingest::NsysSearch SearchFor(const std::optional<std::string>& named) {
  return {.named = named, .environment = Environment("RANGEWISE_NSYS")};
}

Result<AnalyzedRun> AnalyzeRun(const AnalyzeRequest& request, Output& standard_output) {
  ASSIGN_OR_RETURN(RunFiles files, LocateRun(request.run, request.output_folder));
  if (HoldsOnlyAnalysis(files)) return OnlyAnalysis(files, Code::kManifestMissing);
  RETURN_IF_ERROR(CheckTarget(request, files));
  ASSIGN_OR_RETURN(ReadManifest manifest, ReadManifestOf(files));
  ASSIGN_OR_RETURN(model::Harness harness, ChooseHarness(manifest.manifest, request, files));
  ASSIGN_OR_RETURN(const SourcePlan plan,
                   PlanSource(files, request.reports, SearchFor(request.nsys)));

  const bool may_write = WritesOutputFolder(request, files, plan);
  std::optional<FolderLock> lock;
  if (may_write) {
    RETURN_IF_ERROR(MakeDirectories(files.output));
    ASSIGN_OR_RETURN(FolderLock held, FolderLock::Acquire(files.output, request.wait));
    lock.emplace(std::move(held));
  }

  Diagnostics diagnostics;
  if (plan.by_default) {
    diagnostics.Warn(Code::kReportsFromCsv,
                     Format("{}; the tables in stats/ were used as they are", plan.why));
  }
  ASSIGN_OR_RETURN(MadeTables made, MakeTables(plan, files,
                                               {.capture_range = harness.capture_range,
                                                .threads = request.threads,
                                                .may_write = may_write,
                                                .gpu_work = request.gpu_work,
                                                .progress = request.progress,
                                                .on_step = request.on_step},
                                               diagnostics));
  JudgeVersion(made.origin, diagnostics);
  if (files.bare_export) WarnOfNoManifest(made.tables, diagnostics);
  if (manifest.manifest.expected_trace_path) {
    if (const auto mismatch = TracePathMismatch(*manifest.manifest.expected_trace_path, files)) {
      diagnostics.Warn(Code::kTracePathMismatch, *mismatch);
    }
  }
  if (!manifest.manifest.started_at) manifest.manifest.started_at = made.session_start;

  if (request.on_step) request.on_step("analyse");
  ASSIGN_OR_RETURN(
      model::Analysis analysis,
      analysis::Analyze(made.tables, harness, AnalysisOptions(manifest.manifest, request, made),
                        diagnostics));
  if (!made.activity) {
    analysis.no_gpu_work = request.gpu_work ? made.no_activity : "it was turned off by --gpu-work off";
  }
  made.activity.reset();
  RETURN_IF_ERROR(CheckInterrupt());

  AnalyzedRun result{
      .files = files,
      .document = {.manifest = std::move(manifest.manifest),
                   .harness = std::move(harness),
                   .provenance = DescribeOrigin(request, files, made, manifest.fingerprint),
                   .warnings = diagnostics.warnings(),
                   .coverage = made.coverage,
                   .tables = std::move(made.tables),
                   .analysis = std::move(analysis)}};
  if (request.on_step) request.on_step("write the analysis");
  ASSIGN_OR_RETURN(result.json_path, WriteJson(request, files, result.document, standard_output));
  return result;
}

}  // namespace rangewise::cli
