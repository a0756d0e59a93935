// Owns making the view of `rangewise gpu`: from an analysis.json, from standard input, or from a run,
// which is analysed first when it has no analysis with GPU work.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/range_filter.h"
#include "base/result.h"
#include "cli/analyze_run.h"
#include "model/gpu_view.h"

namespace rangewise::cli {

struct GpuRequest {
  AnalyzeRequest analyze;  // `run` can be an analysis.json or "-"; its rules are for the view only
  analysis::RangeFilters filters;
  std::vector<std::string> filters_in_words;
  model::GpuBy by = model::GpuBy::kOverview;
  model::GpuSortKey sort = model::GpuSortKey::kBusy;
  size_t top = 10;  // 0: all
};

// Rules and filters are applied in memory, for which the export is read again: kUsage for a lone
// analysis.json, kExportMissing for a run without one.
Result<model::GpuView> MakeGpuView(const GpuRequest& request);

}  // namespace rangewise::cli
