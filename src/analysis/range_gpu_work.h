// Owns GPU work per range: what was launched, how long devices were busy, how long the host was in
// CUDA calls and how operations overlapped, by scope path and by iteration; docs/gpu-work.md says
// by which rules. Pure, and independent of row order and thread count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/gpu_ranges.h"
#include "base/diagnostics.h"
#include "base/result.h"
#include "model/gpu_activity.h"
#include "model/range_gpu_work.h"
#include "model/run.h"

namespace rangewise::analysis {

// More pairs of an operation and a path, a grouped path or an iteration that it lies in, of a gap and a
// window, or of a gap and a stretch of time in one range are not followed.
inline constexpr uint64_t kMostPairs = uint64_t{1} << 30;

struct GpuWorkOptions {
  size_t kernels = model::kDefaultKernels;  // the largest of each range; 0: all
  int64_t gap_threshold_ns = model::kDefaultGapThresholdNs;
  std::vector<model::GpuClassRule> classes = {};  // the first that matches
  uint64_t most_pairs = kMostPairs;               // fewer in tests
};

// Paths in the order that they are shown in.
struct GpuWorkPaths {
  std::span<const PathNode> raw;
  std::span<const PathNode> grouped;         // without name rules empty
  std::span<const ScopePath> grouped_place;  // by raw path
};

struct GpuWorkOutcome {
  std::optional<model::RangeGpuWork> work;
  std::string reason;  // why there is none
};

// Errors: kBadPattern. Sums beyond 64 bits are a reason. Warns of kOverlappingRanges.
Result<GpuWorkOutcome> MakeRangeGpuWork(const model::GpuActivity& activity,
                                        const RangeSource& source, const GpuWorkPaths& paths,
                                        const GpuWorkOptions& options, int threads,
                                        Diagnostics& diagnostics);

}  // namespace rangewise::analysis
