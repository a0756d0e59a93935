#include "cli/analysis_source.h"

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "artifact/analysis_reader.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/comparison_forms.h"
#include "cli/current_analysis.h"

namespace rangewise::cli {
namespace {

Result<AnalysisSource> FromPipe(PipedDocument& piped) {
  AnalysisSource source;
  ASSIGN_OR_RETURN(source.file,
                   artifact::ReadAnalysis(
                       [&](char* buffer, size_t capacity) { return piped.Read(buffer, capacity); },
                       piped.name()));
  return source;
}

Result<AnalysisSource> FromFile(const fs::path& path) {
  Result<model::AnalysisFile> file = artifact::ReadAnalysisFile(path);
  if (!file.ok()) {
    if (IsComparisonFile(path.string())) return ComparisonIsNoAnalysis(path.string());
    return std::move(file).error();
  }
  return AnalysisSource{.file = std::move(file).value(), .path = path.string()};
}

// Whether a file is an SQLite database and not JSON.
Result<bool> IsDatabase(const fs::path& path) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
  if (file.size() < kMagic.size()) return false;
  std::string head(kMagic.size(), '\0');
  RETURN_IF_ERROR(file.ReadAt(0, head.data(), head.size()));
  return head == kMagic;
}

// The rules of --group that an analysis was made with.
std::vector<model::NameRule> RulesMadeWith(const std::map<std::string, std::string>& made_with) {
  std::vector<model::NameRule> rules;
  const auto group = made_with.find("group");
  if (group == made_with.end()) return rules;
  std::istringstream lines(group->second);
  for (std::string line; std::getline(lines, line);) {
    if (auto rule = ParseGroupRule(line)) rules.push_back(*std::move(rule));
  }
  return rules;
}

Result<AnalysisSource> FromRun(const AnalyzeRequest& request, const RunFiles& files,
                               bool needs_gpu_work) {
  ASSIGN_OR_RETURN(std::optional<model::AnalysisFile> current,
                   ReadCurrentAnalysis(files, request.capture_range, request.iterations));
  AnalyzeRequest fresh = request;
  fresh.group_rules.clear();
  fresh.group_numbers = false;
  if (current) {
    const bool lacks = needs_gpu_work && !current->document.analysis.gpu_work;
    if (!lacks || !files.FindExport()) {
      return AnalysisSource{.file = *std::move(current),
                            .path = files.analysis().string(),
                            .is_run = true};
    }
    KeepOptions(current->document.provenance.options, fresh);
  }
  StringOutput unused;
  ASSIGN_OR_RETURN(AnalyzedRun analyzed, AnalyzeRun(fresh, unused));
  return AnalysisSource{.file = {.document = std::move(analyzed.document),
                                 .tool_version = RANGEWISE_VERSION,
                                 .has_report_source = true,
                                 .has_findings = true},
                        .path = analyzed.json_path.string(),
                        .has_tables = true,
                        .is_run = true};
}

// An analysis.json was made with its options, and has no tables.
Status CheckLoneAnalysis(const AnalyzeRequest& request, const SourceNeeds& needs,
                         const char* hint = "name the run directory instead") {
  Error error{.code = Code::kUsage, .where = {.file = request.run}, .hint = hint};
  if (needs.run) {
    error.message =
        "rules and filters need the tables of the run, and an analysis.json alone has none";
    return error;
  }
  const char* option = request.capture_range   ? "--capture-range"
                       : request.iterations    ? "--iterations"
                       : request.output_folder ? "--output-dir"
                                               : nullptr;
  if (option == nullptr) return Ok();
  error.message =
      Format("{} has no use with an analysis.json, which is shown as it was made", option);
  return error;
}

}  // namespace

void KeepOptions(const std::map<std::string, std::string>& made_with, AnalyzeRequest& request) {
  const auto text = [&](const char* key) -> std::optional<std::string> {
    const auto option = made_with.find(key);
    return option == made_with.end() ? std::nullopt : std::optional(option->second);
  };
  if (!request.capture_range) request.capture_range = text("capture_range");
  if (!request.iterations) request.iterations = text("iterations");
  request.group_rules = RulesMadeWith(made_with);
  request.group_numbers = made_with.contains("group_numbers");
  if (const auto kernels = ParseInt64(text("kernels").value_or("")); kernels && *kernels >= 0) {
    request.kernels = static_cast<size_t>(*kernels);
  }
  if (const auto threshold = ParseInt64(text("gap_threshold_ns").value_or(""));
      threshold && *threshold >= 0) {
    request.gap_threshold_ns = *threshold;
  }
}

Result<AnalysisSource> ReadAnalysisSource(const AnalyzeRequest& request, const SourceNeeds& needs) {
  const std::string& run = request.run;
  std::error_code error;
  const bool is_pipe = needs.piped != nullptr || PipedDocument::IsNamedBy(run);
  bool is_analysis = is_pipe;
  if (!is_pipe && fs::is_regular_file(run, error)) {
    ASSIGN_OR_RETURN(const bool is_database, IsDatabase(run));
    is_analysis = !is_database;
  }
  if (!is_analysis) {
    ASSIGN_OR_RETURN(const RunFiles files, LocateRun(run, request.output_folder));
    if (!HoldsOnlyAnalysis(files)) return FromRun(request, files, needs.gpu_work);
    RETURN_IF_ERROR(CheckLoneAnalysis(request, needs, "add the trace, its export or its tables"));
    return FromFile(files.run / kAnalysisName);
  }
  RETURN_IF_ERROR(CheckLoneAnalysis(request, needs));
  if (needs.piped != nullptr) return FromPipe(*needs.piped);
  if (is_pipe) {
    ASSIGN_OR_RETURN(const std::unique_ptr<PipedDocument> piped, PipedDocument::Open(run));
    if (IsComparison(*piped)) return ComparisonIsNoAnalysis(piped->name());
    return FromPipe(*piped);
  }
  return FromFile(run);
}

analysis::AnalyzeOptions RulesOf(const AnalyzeRequest& request,
                                 const model::AnalysisDocument& document) {
  const std::map<std::string, std::string>& made_with = document.provenance.options;
  analysis::AnalyzeOptions options{
      .threads = request.threads,
      .name_rules = document.manifest.name_rules,
      .mask_numbers = request.group_numbers || made_with.contains("group_numbers")};
  for (const auto& rules : {RulesMadeWith(made_with), request.group_rules}) {
    options.name_rules.insert(options.name_rules.end(), rules.begin(), rules.end());
  }
  return options;
}

void AddRuleWarnings(const Diagnostics& diagnostics, model::AnalysisDocument& document) {
  for (const Warning& warning : diagnostics.warnings()) {
    const bool is_new = std::find(document.warnings.begin(), document.warnings.end(), warning) ==
                        document.warnings.end();
    if (warning.code == Code::kRuleMatchesNothing && is_new) document.warnings.push_back(warning);
  }
}

}  // namespace rangewise::cli
