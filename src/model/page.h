// Owns what `rangewise report` shows of a run: its analysis, which of its rows in which order, and
// the timeline. The page's text and its data are written from this one value.
#pragma once

#include "model/summary.h"
#include "model/timeline.h"

namespace rangewise::model {

struct RunPage {
  Summary summary;  // the analysis and where it is; the rows that are shown are those below
  // Largest first: host ranges by exclusive time, projections by their total, GPU work by busy
  // time.
  RowSelection host;
  RowSelection grouped_host;  // of GroupedRanges::host
  RowSelection projected;
  RowSelection grouped_projected;
  RowSelection gpu_paths;  // of RangeGpuWork::paths
  RowSelection grouped_gpu_paths;
  // All, or the first ones with the last one and those that a finding names; ascending.
  RowSelection iterations;
  Timeline timeline;

  const AnalysisDocument& document() const { return summary.file.document; }
};

}  // namespace rangewise::model
