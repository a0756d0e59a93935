// Owns which ranges hold each API call, and through the calls each group of operations. Where the push/pop ranges
// of a thread nest, a sweep finds the innermost one and its parents are the rest; elsewhere every range that holds
// the call is listed. (docs/gpu-work.md, "Which ranges")
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "model/gpu_activity.h"
#include "model/trace.h"
#include "tables/engine_tree.h"

namespace rangewise::tables {

// Places calls and groups; the sites are those of `activity`, which gains leaf sets and the outermost calls' times.
struct Attribution {
  std::vector<model::Site> group_sites;      // kNoCall: no call was recorded; kOutsideRanges
  std::vector<int64_t> group_launch_end_ns;  // end of the group's earliest call; meaningless without one
};

// `set` is that of the projection. kOutOfMemory when ranges that do not nest hold too many calls to list.
Result<Attribution> Attribute(const RangeSet& set, const RangeForest& forest, const model::Trace& trace,
                              model::GpuActivity& activity);

}  // namespace rangewise::tables
