#include "cli/page_timeline.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/harness.h"
#include "base/text.h"
#include "cli/run_tables.h"
#include "ingest/export_reader.h"
#include "tables/timeline.h"

namespace rangewise::cli {
namespace {

using model::Timeline;

struct Choice {
  std::string label;
  int64_t iteration = 0;
};

// The slowest, the median (of an even number the lower of the middle two) and the first iteration
// by host time; one that is chosen twice bears both names.
std::vector<Choice> ChosenIterations(const std::vector<model::Iteration>& iterations) {
  std::vector<std::pair<int64_t, int64_t>> by_time;  // host time, index
  for (const model::Iteration& iteration : iterations) {
    if (iteration.host) by_time.emplace_back(iteration.host->inclusive.ns, iteration.index);
  }
  if (by_time.empty()) return {};
  const int64_t first =
      std::min_element(by_time.begin(), by_time.end(), [](const auto& a, const auto& b) {
        return a.second < b.second;
      })->second;
  std::sort(by_time.begin(), by_time.end());
  // Of equally slow ones the first.
  const auto slowest = std::lower_bound(by_time.begin(), by_time.end(),
                                        std::make_pair(by_time.back().first, INT64_MIN));
  std::vector<Choice> choices;
  const auto choose = [&](const char* what, int64_t index) {
    for (Choice& choice : choices) {
      if (choice.iteration != index) continue;
      choice.label += Format(" and {}", what);
      return;
    }
    choices.push_back({what, index});
  };
  choose("slowest", slowest->second);
  choose("median", by_time[(by_time.size() - 1) / 2].second);
  choose("first", first);
  for (Choice& choice : choices) choice.label += Format(" iteration ({})", choice.iteration);
  return choices;
}

// The chosen iterations' ranges, by the rules of the analysis.
Result<std::vector<tables::WishedWindow>> FindRanges(const model::ReportTables& report,
                                                     const model::Harness& harness,
                                                     const std::vector<Choice>& choices) {
  ASSIGN_OR_RETURN(const uint32_t capture, analysis::FindCaptureRange(report, harness));
  ASSIGN_OR_RETURN(const analysis::IterationNames names, analysis::IterationNames::Make(harness));
  ASSIGN_OR_RETURN(const std::vector<analysis::NumberedRow> rows,
                   analysis::FindHostIterations(report, capture, names));
  std::vector<tables::WishedWindow> wishes;
  for (const Choice& choice : choices) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const analysis::NumberedRow& r) {
      return r.index == choice.iteration;
    });
    if (row == rows.end()) continue;
    const model::HostRange& range = report.host[row->row];
    wishes.push_back({.label = choice.label,
                      .iteration = choice.iteration,
                      .range_id = range.range_id,
                      .name = std::string(report.names.At(range.name)),
                      .length_ns = range.inclusive.ns});
  }
  return wishes;
}

Timeline None(std::string_view reason) { return {.reason = std::string(reason)}; }

}  // namespace

Result<Timeline> TimelineOf(const PageRequest& request, const AnalysisSource& source) {
  const model::AnalysisDocument& document = source.file.document;
  const std::vector<Choice> choices = ChosenIterations(document.analysis.iterations);
  if (document.analysis.iterations.empty()) return None("the run has no iterations");
  if (choices.empty()) return None("no iteration has a host range");
  if (!source.is_run) {
    return None(
        "it is drawn from the SQLite export of a run, and the page was made of an analysis alone");
  }
  ASSIGN_OR_RETURN(const RunFiles files,
                   LocateRun(request.analyze.run, request.analyze.output_folder));
  const std::optional<fs::path> exported = files.FindExport();
  if (!exported) return None("the run has no SQLite export that it could be drawn from");
  std::optional<model::ReportTables> read;
  if (!source.has_tables) {
    ASSIGN_OR_RETURN(read, ReadTablesOf(request.analyze));
  }
  ASSIGN_OR_RETURN(const std::vector<tables::WishedWindow> wishes,
                   FindRanges(read ? *read : document.tables, document.harness, choices));
  if (request.analyze.on_step) request.analyze.on_step("timeline");
  Diagnostics said_before;  // by the analysis
  const Result<ingest::LoadedExport> loaded = ingest::LoadExport(
      *exported, {.threads = request.analyze.threads, .gpu_work = true}, said_before);
  if (!loaded.ok()) {
    const Error& error = loaded.error();
    if (error.code == Code::kInterrupted) return error;
    return None(Format("the SQLite export cannot be read ({}: {})", Describe(error.code).word,
                       error.message));
  }
  Timeline timeline{.windows = tables::MakeWindows(loaded->trace, wishes)};
  if (timeline.windows.empty())
    return None("the SQLite export does not hold the iterations of the analysis");
  const bool any_gpu =
      std::any_of(timeline.windows.begin(), timeline.windows.end(),
                  [](const model::TimelineWindow& window) { return !window.gpu.empty(); });
  if (!any_gpu) {
    timeline.gpu_reason = loaded->trace.operations.empty() && loaded->trace.graphs.empty()
                              ? "the export holds no GPU work"
                              : "no GPU work ran in these iterations";
  }
  return timeline;
}

}  // namespace rangewise::cli
