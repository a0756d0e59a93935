#include "cli/summary_run.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

#include "analysis/analyze.h"
#include "analysis/range_tree.h"
#include "analysis/row_selection.h"
#include "artifact/analysis_reader.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/current_analysis.h"
#include "cli/table_making.h"
#include "tables/stats_folder.h"

namespace rangewise::cli {
namespace {

// What a summary is made from: the analysis, and the tables where they were read already.
struct Source {
  model::AnalysisFile file;
  std::optional<std::string> path;
  bool has_tables = false;  // file.document.tables holds the rows, too
};

bool HasRules(const SummaryRequest& request) {
  return !request.analyze.group_rules.empty() || request.analyze.group_numbers;
}

Result<Source> FromStandardInput() {
  DescriptorInput input(STDIN_FILENO);
  ASSIGN_OR_RETURN(model::AnalysisFile file,
                   artifact::ReadAnalysis(
                       [&](char* buffer, size_t capacity) { return input.Read(buffer, capacity); },
                       "standard input"));
  return Source{.file = std::move(file)};
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

Result<Source> FromRun(const AnalyzeRequest& request) {
  ASSIGN_OR_RETURN(const RunFiles files, LocateRun(request.run, request.output_folder));
  ASSIGN_OR_RETURN(std::optional<model::AnalysisFile> current,
                   ReadCurrentAnalysis(files, request.capture_range, request.iterations));
  if (current) {
    return Source{.file = *std::move(current), .path = files.analysis().string()};
  }
  AnalyzeRequest fresh = request;
  fresh.group_rules.clear();
  fresh.group_numbers = false;
  StringOutput unused;
  ASSIGN_OR_RETURN(AnalyzedRun analyzed, AnalyzeRun(fresh, unused));
  return Source{.file = {.document = std::move(analyzed.document),
                         .tool_version = RANGEWISE_VERSION,
                         .has_report_source = true,
                         .has_findings = true},
                .path = analyzed.json_path.string(),
                .has_tables = true};
}

// The tables that the analysis belongs to, from stats/.
Result<model::ReportTables> ReadTablesOf(const AnalyzeRequest& request) {
  ASSIGN_OR_RETURN(const RunFiles files, LocateRun(request.run, request.output_folder));
  const SourcePlan plan{.source = model::ReportSource::kCsv,
                        .tables = tables::FindTables(files.stats()),
                        .stats = files.stats()};
  Diagnostics said_before;  // by the analysis
  ASSIGN_OR_RETURN(
      MadeTables made,
      MakeTables(plan, files,
                 {.threads = request.threads, .may_write = false, .on_step = request.on_step},
                 said_before));
  return std::move(made.tables);
}

// The rules that names are grouped by: the manifest's, those of the analysis that is there, and
// those of the request.
analysis::AnalyzeOptions RulesOf(const SummaryRequest& request,
                                 const model::AnalysisDocument& document) {
  const std::map<std::string, std::string>& made_with = document.provenance.options;
  analysis::AnalyzeOptions options{
      .threads = request.analyze.threads,
      .name_rules = document.manifest.name_rules,
      .mask_numbers = request.analyze.group_numbers || made_with.contains("group_numbers")};
  if (const auto group = made_with.find("group"); group != made_with.end()) {
    std::istringstream lines(group->second);
    for (std::string line; std::getline(lines, line);) {
      if (auto rule = ParseGroupRule(line)) options.name_rules.push_back(*std::move(rule));
    }
  }
  options.name_rules.insert(options.name_rules.end(), request.analyze.group_rules.begin(),
                            request.analyze.group_rules.end());
  return options;
}

// Makes the groups again from the rows that pass the filters, by the rules of the manifest and of
// the request. Everything else stays that of the whole run.
Status Regroup(const SummaryRequest& request, Source& source) {
  model::AnalysisDocument& document = source.file.document;
  if (!source.has_tables) {
    ASSIGN_OR_RETURN(document.tables, ReadTablesOf(request.analyze));
  }
  analysis::AnalyzeOptions options = RulesOf(request, document);
  analysis::RangeSelection selection;
  if (!request.filters.empty()) {
    ASSIGN_OR_RETURN(selection, analysis::SelectRanges(document.tables, request.filters));
    options.selection = &selection;
  }
  Diagnostics diagnostics;
  ASSIGN_OR_RETURN(model::Analysis regrouped,
                   analysis::Analyze(document.tables, document.harness, options, diagnostics));
  regrouped.findings = std::move(document.analysis.findings);
  document.analysis = std::move(regrouped);
  for (const Warning& warning : diagnostics.warnings()) {
    const bool is_new = std::find(document.warnings.begin(), document.warnings.end(), warning) ==
                        document.warnings.end();
    if (warning.code == Code::kRuleMatchesNothing && is_new) document.warnings.push_back(warning);
  }
  return Ok();
}

}  // namespace

Result<model::Summary> MakeSummary(const SummaryRequest& request) {
  const std::string& run = request.analyze.run;
  std::error_code error;
  bool is_analysis = run == "-";
  if (!is_analysis && fs::is_regular_file(run, error)) {
    ASSIGN_OR_RETURN(const bool is_database, IsDatabase(run));
    is_analysis = !is_database;
  }
  const bool needs_tables = HasRules(request) || !request.filters.empty();
  if (is_analysis && needs_tables) {
    return Error{.code = Code::kUsage,
                 .message =
                     "rules and filters need the tables of the run, and an analysis.json "
                     "alone has none",
                 .where = {.file = run},
                 .hint = "name the run directory instead"};
  }
  Source source;
  if (run == "-") {
    ASSIGN_OR_RETURN(source, FromStandardInput());
  } else if (is_analysis) {
    ASSIGN_OR_RETURN(source.file, artifact::ReadAnalysisFile(run));
    source.path = run;
  } else {
    ASSIGN_OR_RETURN(source, FromRun(request.analyze));
  }
  if (needs_tables) RETURN_IF_ERROR(Regroup(request, source));

  model::Summary summary{.file = std::move(source.file),
                         .analysis_path = std::move(source.path),
                         .filters = request.filters_in_words,
                         .sort = request.sort};
  analysis::SelectRows(summary, request.top);
  if (request.tree) {
    summary.tree =
        analysis::MakeRangeTree(summary.file.document, request.min_share, request.filters.empty());
  }
  return summary;
}

}  // namespace rangewise::cli
