#include "cli/gpu_run.h"

#include <string_view>
#include <utility>

#include "analysis/analyze.h"
#include "analysis/gpu_selection.h"
#include "base/files.h"
#include "cli/analysis_source.h"
#include "ingest/export_reader.h"
#include "tables/engine_tables.h"

namespace rangewise::cli {
namespace {

// The engine writes the tables as it computes them; here only the rows are wanted.
class DiscardingOutput : public Output {
 public:
  void Write(std::string_view /*bytes*/) override {}
};

bool NeedsExport(const GpuRequest& request) {
  return !request.analyze.group_rules.empty() || request.analyze.group_numbers ||
         !request.filters.empty();
}

// What is known of GPU work is found out again from the export, for the ranges that pass the
// filters and by the rules of the request. Findings and warnings stay those of the whole run.
Status AnalyseExport(const GpuRequest& request, AnalysisSource& source) {
  ASSIGN_OR_RETURN(const RunFiles files,
                   LocateRun(request.analyze.run, request.analyze.output_folder));
  const std::optional<fs::path> exported = files.FindExport();
  if (!exported) {
    return Error{.code = Code::kExportMissing,
                 .message = "rules and filters of GPU work need the SQLite export, which is not there",
                 .where = {.file = request.analyze.run}};
  }
  model::AnalysisDocument& document = source.file.document;
  const int threads = request.analyze.threads;
  Diagnostics said_before;  // by the analysis
  if (request.analyze.on_step) request.analyze.on_step("read the export");
  ASSIGN_OR_RETURN(ingest::LoadedExport loaded,
                   ingest::LoadExport(*exported, {.threads = threads, .gpu_work = true},
                                      said_before));
  DiscardingOutput unread;
  ASSIGN_OR_RETURN(tables::ComputedTables computed,
                   tables::ComputeTables(std::move(loaded.trace),
                                         {.push_pop = &unread,
                                          .projection = &unread,
                                          .kernel_summary = &unread,
                                          .gpu_trace = &unread},
                                         {.threads = threads,
                                          .capture_range = document.harness.capture_range,
                                          .gpu_work = true,
                                          .on_step = request.analyze.on_step},
                                         said_before));
  AnalyzeRequest made_with = request.analyze;
  KeepOptions(document.provenance.options, made_with);
  analysis::AnalyzeOptions options = RulesOf(request.analyze, document);
  options.gpu_work.kernels = made_with.kernels;
  options.gpu_work.gap_threshold_ns = made_with.gap_threshold_ns;
  options.gpu_work.classes = document.manifest.gpu_classes;
  if (computed.activity) options.gpu_activity = &*computed.activity;
  analysis::RangeSelection selection;
  if (!request.filters.empty()) {
    ASSIGN_OR_RETURN(selection, analysis::SelectRanges(computed.tables, request.filters));
    options.selection = &selection;
  }
  if (request.analyze.on_step) request.analyze.on_step("analyse");
  Diagnostics diagnostics;
  ASSIGN_OR_RETURN(model::Analysis analysis,
                   analysis::Analyze(computed.tables, document.harness, options, diagnostics));
  if (!computed.activity) analysis.no_gpu_work = computed.no_activity;
  analysis.findings = std::move(document.analysis.findings);
  document.analysis = std::move(analysis);
  document.tables = std::move(computed.tables);
  AddRuleWarnings(diagnostics, document);
  return Ok();
}

}  // namespace

Result<model::GpuView> MakeGpuView(const GpuRequest& request) {
  const bool needs_export = NeedsExport(request);
  ASSIGN_OR_RETURN(AnalysisSource source,
                   ReadAnalysisSource(request.analyze, {.run = needs_export, .gpu_work = true}));
  if (needs_export) RETURN_IF_ERROR(AnalyseExport(request, source));
  model::GpuView view{.file = std::move(source.file),
                      .analysis_path = std::move(source.path),
                      .filters = request.filters_in_words,
                      .by = request.by,
                      .sort = request.sort};
  analysis::SelectGpuRows(view, request.top);
  return view;
}

}  // namespace rangewise::cli
