#include "analysis/gpu_extents.h"

#include <algorithm>

#include "base/interval_union.h"

namespace rangewise::analysis {

void RangeExtents::Add(const Ends& from, Ends& to) const {
  if (from.first == kNone) return;
  const std::vector<model::ActivityOperation>& operations = activity_.operations;
  if (to.first == kNone) {
    to = from;
    return;
  }
  if (operations[from.first].start_ns < operations[to.first].start_ns) to.first = from.first;
  if (activity_.EndNs(operations[from.last]) > activity_.EndNs(operations[to.last]))
    to.last = from.last;
}

RangeExtents::RangeExtents(const model::GpuActivity& activity, const GpuSites& sites)
    : activity_(activity), ends_(sites.ranges().size()) {
  const GpuRanges& ranges = sites.ranges();
  for (uint32_t number = 0; number < activity.operations.size(); ++number) {
    sites.EachLeaf(activity.operations[number].site, [&](const LeafRow& leaf) {
      Add({number, number}, ends_[leaf.row]);
    });
  }
  // Our own engine's rows are in the order of time, where ranges come after those around them.
  bool children_follow = true;
  for (uint32_t row = 0; row < ranges.size() && children_follow; ++row) {
    children_follow = ranges[row].parent == kNoRow || ranges[row].parent < row;
  }
  if (children_follow) {
    for (uint32_t row = static_cast<uint32_t>(ranges.size()); row-- > 0;) {
      if (ranges[row].parent != kNoRow) Add(ends_[row], ends_[ranges[row].parent]);
    }
    return;
  }
  // To each parent once all of its children are complete.
  std::vector<uint32_t> waits_for(ranges.size(), 0);
  for (uint32_t row = 0; row < ranges.size(); ++row) {
    if (ranges[row].parent != kNoRow) ++waits_for[ranges[row].parent];
  }
  constexpr uint32_t kPassedOn = UINT32_MAX;
  for (uint32_t first = 0; first < ranges.size(); ++first) {
    for (uint32_t row = first; row != kNoRow && waits_for[row] == 0;) {
      waits_for[row] = kPassedOn;
      const uint32_t parent = ranges[row].parent;
      if (parent != kNoRow) {
        Add(ends_[row], ends_[parent]);
        --waits_for[parent];
      }
      row = parent;
    }
  }
}

PathInstances::PathInstances(const SitePaths& paths, const GpuRanges& ranges,
                             const RangeExtents& extents)
    : extents_(extents), begin_(paths.shape().size() + 1, 0) {
  const auto is_instance = [&](uint32_t row) {
    return ranges[row].selected != 0 && !extents.IsEmpty(row);
  };
  for (uint32_t row = 0; row < ranges.size(); ++row) {
    if (is_instance(row)) ++begin_[paths.PathOf(row) + 1];
  }
  for (size_t path = 1; path < begin_.size(); ++path) begin_[path] += begin_[path - 1];
  rows_.resize(begin_.back());
  std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (uint32_t row = 0; row < ranges.size(); ++row) {
    if (is_instance(row)) rows_[next[paths.PathOf(row)]++] = row;
  }
}

int64_t PathInstances::CoveredNs(ScopePath path) {
  const std::span<uint32_t> rows =
      std::span(rows_).subspan(begin_[path], begin_[path + 1] - begin_[path]);
  const auto less = [&](uint32_t a, uint32_t b) {
    return extents_.FirstNs(a) < extents_.FirstNs(b);
  };
  if (!std::is_sorted(rows.begin(), rows.end(), less)) std::sort(rows.begin(), rows.end(), less);
  IntervalUnion covered;
  for (const uint32_t row : rows) {
    const Extent extent = extents_.Of(row);
    covered.Add(extent.first_ns, extent.last_ns);
  }
  return covered.length_ns();
}

}  // namespace rangewise::analysis
