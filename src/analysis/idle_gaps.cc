#include "analysis/idle_gaps.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "analysis/statistics.h"
#include "base/interval_union.h"
#include "base/parallel.h"

namespace rangewise::analysis {
namespace {

using model::DeviceIdle;
using model::IdleGap;
using model::IdleWindow;

constexpr uint32_t kNoOperation = UINT32_MAX;

// Idle from `begin_ns` to `end_ns`; before the first operation and after the last without bound.
struct Gap {
  int64_t begin_ns = std::numeric_limits<int64_t>::min();
  int64_t end_ns = std::numeric_limits<int64_t>::max();
};

// The gaps of one device, ascending, each as the numbers of the operations around it: there are
// about as many as operations.
class GapList {
 public:
  explicit GapList(const model::GpuActivity& activity) : activity_(&activity) {}

  void Reserve(size_t gaps) { gaps_.reserve(gaps); }
  void Add(uint32_t after, uint32_t before) { gaps_.push_back({after, before}); }
  size_t size() const { return gaps_.size(); }
  Gap operator[](size_t i) const { return {BeginNs(gaps_[i]), EndNs(gaps_[i])}; }

  // [first, second): the gaps that reach into a window.
  std::pair<size_t, size_t> Within(const GapWindow& window) const {
    if (window.begin_ns >= window.end_ns) return {0, 0};
    const auto first = std::partition_point(gaps_.begin(), gaps_.end(), [&](const Ends& gap) {
      return EndNs(gap) <= window.begin_ns;
    });
    const auto last = std::partition_point(
        first, gaps_.end(), [&](const Ends& gap) { return BeginNs(gap) < window.end_ns; });
    return {static_cast<size_t>(first - gaps_.begin()), static_cast<size_t>(last - gaps_.begin())};
  }

 private:
  struct Ends {
    uint32_t after = kNoOperation;
    uint32_t before = kNoOperation;
  };
  int64_t BeginNs(const Ends& gap) const {
    if (gap.after == kNoOperation) return std::numeric_limits<int64_t>::min();
    const model::ActivityOperation& operation = activity_->operations[gap.after];
    return std::max(operation.start_ns, activity_->EndNs(operation));
  }
  int64_t EndNs(const Ends& gap) const {
    if (gap.before == kNoOperation) return std::numeric_limits<int64_t>::max();
    return activity_->operations[gap.before].start_ns;
  }

  const model::GpuActivity* activity_;
  std::vector<Ends> gaps_;
};

// Calls add(device, after, before) for each gap, by start.
template <typename Add>
void EachGap(const model::GpuActivity& activity, const GpuShapes& shapes,
             std::span<const uint32_t> order, Add add) {
  std::vector<IntervalUnion> busy(shapes.devices.size());
  std::vector<uint32_t> latest(shapes.devices.size(), kNoOperation);  // the one that ended last
  for (const uint32_t number : order) {
    const model::ActivityOperation& operation = activity.operations[number];
    const uint32_t device = shapes.shapes[operation.shape].device;
    const bool first = busy[device].empty();
    if (first) add(device, kNoOperation, number);
    const int64_t covered_ns = busy[device].covered_ns();
    busy[device].Add(operation.start_ns, activity.EndNs(operation),
                     [&](int64_t, int64_t) { add(device, latest[device], number); });
    if (first || busy[device].covered_ns() != covered_ns) latest[device] = number;
  }
  for (uint32_t device = 0; device < busy.size(); ++device) {
    if (!busy[device].empty()) add(device, latest[device], kNoOperation);
  }
}

// By device.
std::vector<GapList> GapsOf(const model::GpuActivity& activity, const GpuShapes& shapes,
                            std::span<const uint32_t> order) {
  std::vector<size_t> counts(shapes.devices.size(), 0);
  EachGap(activity, shapes, order, [&](uint32_t device, uint32_t, uint32_t) { ++counts[device]; });
  std::vector<GapList> gaps(shapes.devices.size(), GapList(activity));
  for (size_t device = 0; device < gaps.size(); ++device) gaps[device].Reserve(counts[device]);
  EachGap(activity, shapes, order, [&](uint32_t device, uint32_t after, uint32_t before) {
    gaps[device].Add(after, before);
  });
  return gaps;
}

// Of one device in one window. `lengths` is scratch.
DeviceIdle IdleIn(const GapList& gaps, const GapWindow& window, int64_t threshold_ns,
                  std::vector<int64_t>& lengths) {
  DeviceIdle idle;
  const auto [first, last] = gaps.Within(window);
  lengths.clear();
  lengths.reserve(last - first);
  std::vector<IdleGap> largest;
  const auto larger = [](const IdleGap& a, const IdleGap& b) {
    return a.length != b.length ? a.length > b.length : a.start_ns < b.start_ns;
  };
  for (size_t i = first; i < last; ++i) {
    const Gap gap = gaps[i];
    const int64_t begin = std::max(gap.begin_ns, window.begin_ns);
    const int64_t length = std::min(gap.end_ns, window.end_ns) - begin;
    lengths.push_back(length);
    idle.idle.ns += length;
    if (length >= threshold_ns) {
      idle.idle_in_long_gaps.ns += length;
      ++idle.long_gaps;
    }
    if (window.iteration) continue;
    // Found by start, so that of equal lengths the earlier one is in the list before the later.
    if (largest.size() == kMostGaps && length <= largest.back().length.ns) continue;
    const IdleGap found{.start_ns = begin - window.begin_ns,
                        .length = {length},
                        .host_range = {},
                        .call = {}};
    largest.insert(std::upper_bound(largest.begin(), largest.end(), found, larger), found);
    if (largest.size() > kMostGaps) largest.pop_back();
  }
  idle.gaps = static_cast<int64_t>(lengths.size());
  idle.largest = std::move(largest);
  if (!lengths.empty()) idle.gap_lengths = SummariseAs<GpuNs>(lengths);
  return idle;
}

// The capture thread's innermost range at each of `times`, which ascend: of those that hold it the
// shortest, then the one that began last.
std::vector<uint32_t> InnermostAt(const model::ReportTables& tables, uint32_t thread,
                                  std::span<const int64_t> times) {
  std::vector<uint32_t> innermost(times.size(), kNoRow);
  const auto smaller = [&](const model::HostRange& a, const model::HostRange& b) {
    if (a.inclusive != b.inclusive) return a.inclusive < b.inclusive;
    return a.start != b.start ? a.start > b.start : a.range_id > b.range_id;
  };
  for (uint32_t i = 0; i < tables.host.size(); ++i) {
    const model::HostRange& row = tables.host[i];
    if (row.thread != thread || row.inclusive.ns < 0) continue;
    auto at = std::lower_bound(times.begin(), times.end(), row.start.ns);
    // Differences without sign: times of tables made elsewhere may be of any size.
    const auto since = [&](int64_t time) {
      return static_cast<uint64_t>(time) - static_cast<uint64_t>(row.start.ns);
    };
    const auto length = static_cast<uint64_t>(row.inclusive.ns);
    for (; at != times.end() && since(*at) <= length; ++at) {
      uint32_t& best = innermost[static_cast<size_t>(at - times.begin())];
      if (best == kNoRow || smaller(row, tables.host[best])) best = i;
    }
  }
  return innermost;
}

}  // namespace

std::optional<std::vector<IdleWindow>> FindIdle(const model::GpuActivity& activity,
                                                const GpuShapes& shapes,
                                                std::span<const uint32_t> order,
                                                std::span<const GapWindow> windows,
                                                int64_t threshold_ns, uint64_t most, int threads) {
  const std::vector<GapList> gaps = GapsOf(activity, shapes, order);
  uint64_t pairs = 0;
  for (const GapWindow& window : windows) {
    for (const GapList& device : gaps) {
      const auto [first, last] = device.Within(window);
      pairs += 1 + (last - first);
    }
    if (pairs > most) return std::nullopt;
  }
  std::vector<IdleWindow> found(windows.size());
  const int workers = ThreadCount(threads);
  std::vector<std::vector<int64_t>> lengths(static_cast<size_t>(workers));
  ParallelFor(workers, windows.size(), [&](int worker, size_t i) {
    const GapWindow& window = windows[i];
    found[i].iteration = window.iteration;
    found[i].start_ns = window.begin_ns;
    found[i].length_ns = std::max<int64_t>(window.end_ns - window.begin_ns, 0);
    for (size_t device = 0; device < gaps.size(); ++device) {
      if (gaps[device].size() == 0) continue;
      found[i].devices.push_back(
          IdleIn(gaps[device], window, threshold_ns, lengths[static_cast<size_t>(worker)]));
      found[i].devices.back().device = shapes.devices[device];
    }
  });
  return found;
}

void NameGaps(const model::GpuActivity& activity, const model::ReportTables& tables,
              const GpuRanges& ranges, uint32_t capture, int64_t begin_ns, IdleWindow& window) {
  const model::HostRange& range = tables.host[capture];
  std::vector<int64_t> times;
  for (const DeviceIdle& device : window.devices) {
    for (const IdleGap& gap : device.largest) times.push_back(begin_ns + gap.start_ns);
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  const std::vector<uint32_t> innermost = InnermostAt(tables, range.thread, times);
  for (DeviceIdle& device : window.devices) {
    for (IdleGap& gap : device.largest) {
      const int64_t begin = begin_ns + gap.start_ns;
      const auto at = std::lower_bound(times.begin(), times.end(), begin);
      for (uint32_t row = innermost[static_cast<size_t>(at - times.begin())]; row != kNoRow;
           row = ranges[row].parent) {
        gap.host_range.push_back(tables.host[row].name);
      }
      std::reverse(gap.host_range.begin(), gap.host_range.end());
      for (const model::GapCall& call : activity.gap_calls) {
        if (call.capture_range_id == range.range_id && call.device == device.device &&
            call.gap_start_ns == begin) {
          gap.call = call.call;
        }
      }
    }
  }
}

}  // namespace rangewise::analysis
