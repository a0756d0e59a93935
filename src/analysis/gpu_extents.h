// Owns from when to when the GPU work of each range lay: the first start to the last end of the
// operations launched in it, and how much of the time axis the instances of a path cover.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "analysis/gpu_sites.h"
#include "model/gpu_activity.h"

namespace rangewise::analysis {

struct Extent {
  int64_t first_ns = std::numeric_limits<int64_t>::max();
  int64_t last_ns = std::numeric_limits<int64_t>::min();

  bool empty() const { return first_ns == std::numeric_limits<int64_t>::max(); }
  int64_t length_ns() const { return last_ns > first_ns ? last_ns - first_ns : 0; }
};

// By row of the ranges, as the numbers of two operations: there are millions of rows.
class RangeExtents {
 public:
  // O(operations + rows). The activity outlives this.
  RangeExtents(const model::GpuActivity& activity, const GpuSites& sites);
  // Nothing was launched in the row.
  bool IsEmpty(uint32_t row) const { return ends_[row].first == kNone; }
  int64_t FirstNs(uint32_t row) const { return activity_.operations[ends_[row].first].start_ns; }
  Extent Of(uint32_t row) const {
    if (IsEmpty(row)) return {};
    return {FirstNs(row), activity_.EndNs(activity_.operations[ends_[row].last])};
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Ends {
    uint32_t first = kNone;  // an operation of the smallest start
    uint32_t last = kNone;   // one of the largest end
  };
  void Add(const Ends& from, Ends& to) const;

  const model::GpuActivity& activity_;
  std::vector<Ends> ends_;
};

// The instances of each path that launched anything.
class PathInstances {
 public:
  // `extents` outlive this.
  PathInstances(const SitePaths& paths, const GpuRanges& ranges, const RangeExtents& extents);
  // The length of the union of the extents. Different paths at the same time.
  int64_t CoveredNs(ScopePath path);

 private:
  const RangeExtents& extents_;
  std::vector<uint32_t> begin_;  // by path, and the end
  std::vector<uint32_t> rows_;
};

}  // namespace rangewise::analysis
