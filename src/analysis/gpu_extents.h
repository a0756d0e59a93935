// Owns from when to when the GPU work of each range lay: the first start to the last end of the
// operations launched in it, and how much of the time axis the instances of a path cover.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "analysis/gpu_sites.h"
#include "model/gpu_activity.h"

namespace rangewise::analysis {

struct Extent {
  int64_t first_ns = std::numeric_limits<int64_t>::max();
  int64_t last_ns = std::numeric_limits<int64_t>::min();

  bool empty() const { return first_ns == std::numeric_limits<int64_t>::max(); }
  int64_t length_ns() const { return last_ns > first_ns ? last_ns - first_ns : 0; }
  void Add(const Extent& other) {
    if (other.first_ns < first_ns) first_ns = other.first_ns;
    if (other.last_ns > last_ns) last_ns = other.last_ns;
  }
};

// By row of the ranges; empty where nothing was launched. O(operations + rows).
std::vector<Extent> ExtentsOf(const model::GpuActivity& activity, const GpuSites& sites);

// The instances of each path that launched anything.
class PathInstances {
 public:
  // `extents` outlive this.
  PathInstances(const SitePaths& paths, const GpuRanges& ranges, std::span<const Extent> extents);
  // The length of the union of the extents. Different paths at the same time.
  int64_t CoveredNs(ScopePath path);

 private:
  std::span<const Extent> extents_;
  std::vector<uint32_t> begin_;  // by path, and the end
  std::vector<uint32_t> rows_;
};

}  // namespace rangewise::analysis
