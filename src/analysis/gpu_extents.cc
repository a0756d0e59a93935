#include "analysis/gpu_extents.h"

#include <algorithm>

#include "base/interval_union.h"

namespace rangewise::analysis {

std::vector<Extent> ExtentsOf(const model::GpuActivity& activity, const GpuSites& sites) {
  const GpuRanges& ranges = sites.ranges();
  std::vector<Extent> extents(ranges.size());
  for (const model::ActivityOperation& operation : activity.operations) {
    const Extent extent{operation.start_ns, activity.EndNs(operation)};
    sites.EachLeaf(operation.site, [&](const LeafRow& leaf) { extents[leaf.row].Add(extent); });
  }
  // Our own engine's rows are in the order of time, where ranges come after those around them.
  bool children_follow = true;
  for (uint32_t row = 0; row < ranges.size() && children_follow; ++row) {
    children_follow = ranges[row].parent == kNoRow || ranges[row].parent < row;
  }
  if (children_follow) {
    for (uint32_t row = static_cast<uint32_t>(ranges.size()); row-- > 0;) {
      if (ranges[row].parent != kNoRow) extents[ranges[row].parent].Add(extents[row]);
    }
    return extents;
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
        extents[parent].Add(extents[row]);
        --waits_for[parent];
      }
      row = parent;
    }
  }
  return extents;
}

PathInstances::PathInstances(const SitePaths& paths, const GpuRanges& ranges,
                             std::span<const Extent> extents)
    : extents_(extents), begin_(paths.shape().size() + 1, 0) {
  const auto is_instance = [&](uint32_t row) {
    return ranges[row].selected != 0 && !extents[row].empty();
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
    return extents_[a].first_ns < extents_[b].first_ns;
  };
  if (!std::is_sorted(rows.begin(), rows.end(), less)) std::sort(rows.begin(), rows.end(), less);
  IntervalUnion covered;
  for (const uint32_t row : rows) covered.Add(extents_[row].first_ns, extents_[row].last_ns);
  return covered.length_ns();
}

}  // namespace rangewise::analysis
