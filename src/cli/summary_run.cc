#include "cli/summary_run.h"

#include <utility>

#include "analysis/analyze.h"
#include "analysis/range_tree.h"
#include "analysis/row_selection.h"
#include "cli/analysis_source.h"
#include "cli/run_tables.h"

namespace rangewise::cli {
namespace {

bool HasRules(const SummaryRequest& request) {
  return !request.analyze.group_rules.empty() || request.analyze.group_numbers;
}

// Makes the groups again from the rows that pass the filters, by the rules of the manifest and of
// the request. Everything else stays that of the whole run.
Status Regroup(const SummaryRequest& request, AnalysisSource& source) {
  model::AnalysisDocument& document = source.file.document;
  if (!source.has_tables) {
    ASSIGN_OR_RETURN(document.tables, ReadTablesOf(request.analyze));
  }
  analysis::AnalyzeOptions options = RulesOf(request.analyze, document);
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
  AddRuleWarnings(diagnostics, document);
  return Ok();
}

}  // namespace

Result<model::Summary> MakeSummary(const SummaryRequest& request) {
  const bool needs_tables = HasRules(request) || !request.filters.empty();
  ASSIGN_OR_RETURN(AnalysisSource source,
                   ReadAnalysisSource(request.analyze, {.run = needs_tables, .piped = request.piped}));
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
