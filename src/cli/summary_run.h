// Owns making a summary: from an analysis.json, from a pipe, or from a run, which is
// analysed first when it has no analysis that belongs to it.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "analysis/range_filter.h"
#include "base/result.h"
#include "cli/analyze_run.h"
#include "cli/piped_document.h"
#include "model/summary.h"

namespace rangewise::cli {

struct SummaryRequest {
  AnalyzeRequest analyze;  // `run` can be an analysis.json or a pipe; its rules are for the summary only
  PipedDocument* piped = nullptr;  // that pipe, where it is open already
  analysis::RangeFilters filters;
  std::vector<std::string> filters_in_words;
  std::optional<model::SortKey> sort;
  size_t top = 10;  // 0: all
  bool tree = false;
  double min_share = 0.01;
};

// An analysis.json is written only where the run has none that belongs to it. Rules and filters are
// applied in memory: they need the tables, and are kUsage for a lone analysis.json.
Result<model::Summary> MakeSummary(const SummaryRequest& request);

}  // namespace rangewise::cli
