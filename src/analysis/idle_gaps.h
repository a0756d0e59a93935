// Owns idle gaps: per device the time in which none of its operations ran, attributed or not,
// within the capture range and within the iterations.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/gpu_extents.h"
#include "analysis/gpu_ranges.h"
#include "analysis/gpu_shapes.h"
#include "model/gpu_activity.h"
#include "model/range_gpu_work.h"
#include "model/rows.h"

namespace rangewise::analysis {

struct GapWindow {
  std::optional<int64_t> iteration;  // its index; absent: the capture range
  // Below 2^62 in magnitude.
  int64_t begin_ns = 0;
  int64_t end_ns = 0;  // before the beginning: the window is empty
};

// The idle times of the devices that the trace has operations of; of the capture range's the
// largest with their lengths and starts. `order`: the operations by start. Nothing when gaps and
// windows are more than `most` pairs. Leading and trailing idle times count, cut by the window.
// O(operations + pairs) beside statistics.
std::optional<std::vector<model::IdleWindow>> FindIdle(const model::GpuActivity& activity,
                                                       const GpuShapes& shapes,
                                                       std::span<const uint32_t> order,
                                                       std::span<const GapWindow> windows,
                                                       int64_t threshold_ns, uint64_t most,
                                                       int threads);

// Names for the largest gaps of the window of the capture range, the row `capture`, that begins at
// `begin_ns`: the innermost host range of its thread when the gap began, and the call in flight. O(rows) beside sorting.
void NameGaps(const model::GpuActivity& activity, const model::ReportTables& tables,
              const GpuRanges& ranges, uint32_t capture, int64_t begin_ns,
              model::IdleWindow& window);

inline constexpr size_t kMostGaps = 10;

}  // namespace rangewise::analysis
