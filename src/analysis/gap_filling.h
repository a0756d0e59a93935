// Owns what the host did during the largest idle gaps: for each the range that was the innermost one
// of the capture range's thread for most of the time.
#pragma once

#include <cstdint>

#include "analysis/gpu_ranges.h"
#include "model/range_gpu_work.h"
#include "model/rows.h"

namespace rangewise::analysis {

// Sets `filling` of the largest gaps of the window, which begins at `begin_ns`, from the host rows of
// `thread`. At each moment the innermost range is the shortest that holds it, then the one that began
// last. Times of ranges whose names, and those of the ranges around them, are the same are added
// up; of equal sums the first by these names is taken. False, and nothing set, when more than `most`
// pairs of a gap and a stretch of time in one range would be followed. O(rows log rows + pairs).
bool FillGaps(const model::ReportTables& tables, const GpuRanges& ranges, uint32_t thread,
              int64_t begin_ns, uint64_t most, model::IdleWindow& window);

}  // namespace rangewise::analysis
