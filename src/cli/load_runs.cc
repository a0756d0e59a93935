#include "cli/load_runs.h"

#include <utility>

#include "analysis/run_summary.h"
#include "artifact/analysis_reader.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/parallel.h"
#include "cli/analyze_run.h"
#include "cli/comparison_forms.h"

namespace rangewise::cli {
namespace {

Result<model::RunSummary> AnalyseNow(const RunPlace& place, const LoadOptions& options) {
  if (options.on_analyse) options.on_analyse(place.label);
  StringOutput unused;
  ASSIGN_OR_RETURN(const AnalyzedRun analyzed, AnalyzeRun({.run = place.run.string(),
                                                           .nsys = options.nsys,
                                                           .threads = options.threads,
                                                           .progress = options.progress},
                                                          unused));
  ASSIGN_OR_RETURN(const Fingerprint fingerprint, FingerprintFile(analyzed.json_path));
  return analysis::SummariseRun(analyzed.document, place.label, fingerprint.xxh3_128);
}

Result<model::RunSummary> ReadRun(const RunPlace& place) {
  ASSIGN_OR_RETURN(const Fingerprint fingerprint, FingerprintFile(place.analysis));
  const Result<model::AnalysisFile> file = artifact::ReadAnalysisFile(place.analysis);
  if (!file.ok()) {
    if (!IsComparisonFile(place.analysis.string())) return file.error();
    return ComparisonIsNoAnalysis(place.analysis.string());
  }
  model::RunSummary run = analysis::SummariseRun(file->document, place.label, fingerprint.xxh3_128);
  if (!file->has_report_source) run.report_source.reset();
  return run;
}

}  // namespace

Result<std::vector<model::RunSummary>> LoadRuns(std::span<const RunPlace> places,
                                                const LoadOptions& options) {
  std::vector<std::optional<Result<model::RunSummary>>> loaded(places.size());
  ParallelFor(ThreadCount(options.threads), places.size(), [&](int, size_t i) {
    if (!places[i].analysis.empty()) loaded[i].emplace(ReadRun(places[i]));
  });
  std::vector<model::RunSummary> runs;
  for (size_t i = 0; i < places.size(); ++i) {
    RETURN_IF_ERROR(CheckInterrupt());
    Result<model::RunSummary> run =
        loaded[i] ? std::move(*loaded[i]) : AnalyseNow(places[i], options);
    if (!run.ok()) return std::move(run).error();
    runs.push_back(std::move(run).value());
  }
  return runs;
}

}  // namespace rangewise::cli
