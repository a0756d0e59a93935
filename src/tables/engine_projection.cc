#include "tables/engine_projection.h"

#include <algorithm>
#include <atomic>
#include <span>
#include <tuple>

#include "base/parallel.h"

namespace rangewise::tables {
namespace {

using model::ApiCall;
using model::OperationGroup;
using model::TraceRange;

// A call, or a correction for calls that share an id: -1 for each range that holds both of two neighbours.
struct Probe {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  uint32_t group = 0;
  int32_t weight = 1;
};

// What is known of the operations below a point of the tree.
struct Work {
  int64_t first_start_ns = INT64_MAX;
  int64_t last_end_ns = INT64_MIN;
  int64_t weight = 0;
  void Add(const Work& other) {
    first_start_ns = std::min(first_start_ns, other.first_start_ns);
    last_end_ns = std::max(last_end_ns, other.last_end_ns);
    weight += other.weight;
  }
};

// The probes of one thread, by start. A range counts each correlation id once. Of several calls with one id, those
// that hold another of them change nothing; the rest, sorted by start, are also sorted by end, those inside a range
// are neighbours, and there is one pair of neighbours fewer than calls: so each pair's hull takes one off.
//
//   range |------------------------------|
//   calls    |--|     |--|    |----|          +3
//   hulls    |-----------|                    -1
//                     |------------|          -1   = 1
std::vector<Probe> ProbesOf(std::span<const ApiCall> calls, const std::vector<OperationGroup>& groups) {
  std::vector<Probe> probes;
  std::vector<Probe> repeated;
  probes.reserve(calls.size());
  for (const ApiCall& call : calls) {
    if (call.group == model::kNoGroup || groups[call.group].operations == 0) continue;
    (groups[call.group].calls == 1 ? probes : repeated).push_back({call.start_ns, call.end_ns, call.group, 1});
  }
  std::sort(repeated.begin(), repeated.end(), [](const Probe& a, const Probe& b) {
    return std::tie(a.group, b.start_ns, a.end_ns) < std::tie(b.group, a.start_ns, b.end_ns);
  });
  for (size_t i = 0; i < repeated.size(); ++i) {
    // Latest start first; one that ends no earlier than a later starter holds it.
    const Probe& call = repeated[i];
    const bool same_group = !probes.empty() && i > 0 && repeated[i - 1].group == call.group;
    if (!same_group) {
      probes.push_back(call);
      continue;
    }
    const Probe last = probes.back();
    if (call.end_ns >= last.end_ns) continue;
    probes.push_back({call.start_ns, last.end_ns, call.group, -1});
    probes.push_back(call);
  }
  const auto by_start = [](const Probe& a, const Probe& b) { return a.start_ns < b.start_ns; };
  if (!std::is_sorted(probes.begin(), probes.end(), by_start)) {
    std::sort(probes.begin(), probes.end(), by_start);
  }
  return probes;
}

class ThreadProjection {
 public:
  ThreadProjection(const RangeSet& set, size_t thread, const model::Trace& trace,
                   std::vector<uint8_t>& group_in_range)
      : ranges_(set.ranges.data() + set.begin[thread], set.begin[thread + 1] - set.begin[thread]),
        base_(static_cast<uint32_t>(set.begin[thread])),
        groups_(trace.groups),
        group_in_range_(group_in_range),
        probes_(ProbesOf(std::span(trace.calls.data() + trace.call_begin[thread],
                                   trace.call_begin[thread + 1] - trace.call_begin[thread]),
                         trace.groups)) {}

  std::vector<Projection> Build(ThreadShape shape) {
    if (ranges_.empty() || probes_.empty()) return {};
    if (StackServes(shape, probes_)) {
      Sweep();
    } else {
      Search();
    }
    return std::move(rows_);
  }

 private:
  Work WorkOf(const Probe& probe) const {
    const OperationGroup& group = groups_[probe.group];
    return {group.first_start_ns, group.last_end_ns, probe.weight};
  }
  // Threads of one process can mark the same group at once.
  void MarkGroup(uint32_t group) {
    std::atomic_ref<uint8_t>(group_in_range_[group]).store(1, std::memory_order_relaxed);
  }
  void Emit(uint32_t range, const Work& work) {
    if (work.weight > 0) {
      rows_.push_back({work.first_start_ns, work.last_end_ns, base_ + range, static_cast<uint32_t>(work.weight)});
    }
  }

  // Ranges that nest: a stack of open ranges; each hands its work to the one below when it ends.
  void Sweep() {
    struct Open {
      uint32_t range;
      int64_t end_ns;
      Work work;
    };
    std::vector<Open> stack;
    const auto close = [&] {
      const Open top = stack.back();
      stack.pop_back();
      Emit(top.range, top.work);
      if (!stack.empty()) stack.back().work.Add(top.work);
    };
    size_t next = 0;
    const auto add_probes_before = [&](int64_t limit_ns, bool all) {
      for (; next < probes_.size() && (all || probes_[next].start_ns < limit_ns); ++next) {
        const Probe& probe = probes_[next];
        while (!stack.empty() && stack.back().end_ns < probe.start_ns) close();
        if (stack.empty()) continue;
        // A call can outlast the innermost range; ends fall from the bottom of the stack to its top.
        size_t depth = stack.size();
        if (stack.back().end_ns < probe.end_ns) {
          depth = static_cast<size_t>(
              std::partition_point(stack.begin(), stack.end(),
                                   [&](const Open& open) { return open.end_ns >= probe.end_ns; }) -
              stack.begin());
        }
        if (depth == 0) continue;
        stack[depth - 1].work.Add(WorkOf(probe));
        if (probe.weight > 0) MarkGroup(probe.group);
      }
    };
    for (uint32_t i = 0; i < ranges_.size(); ++i) {
      const TraceRange& range = ranges_[i];
      add_probes_before(range.start_ns, false);
      // Ranges that end at this tick and do not hold the new one are over: they only touch.
      while (!stack.empty() &&
             (stack.back().end_ns < range.start_ns || stack.back().end_ns < range.end_ns)) {
        close();
      }
      stack.push_back({i, range.end_ns, {}});
    }
    add_probes_before(0, true);
    while (!stack.empty()) close();
  }

  // Any ranges: those inside range R are the probes that start no earlier and end no later. Ranges and probes come
  // by start, latest first; a binary indexed tree over the probes' ends sums up those that end in time.
  void Search() {
    std::vector<int64_t> ends;
    ends.reserve(probes_.size());
    for (const Probe& probe : probes_) ends.push_back(probe.end_ns);
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    std::vector<Work> sums(ends.size() + 1);
    size_t next = probes_.size();
    for (size_t i = ranges_.size(); i > 0; --i) {
      const TraceRange& range = ranges_[i - 1];
      for (; next > 0 && probes_[next - 1].start_ns >= range.start_ns; --next) {
        const Probe& probe = probes_[next - 1];
        const Work work = WorkOf(probe);
        const auto place = std::lower_bound(ends.begin(), ends.end(), probe.end_ns);
        for (size_t at = static_cast<size_t>(place - ends.begin()) + 1; at < sums.size(); at += at & (~at + 1)) {
          sums[at].Add(work);
        }
      }
      Work total;
      const auto place = std::upper_bound(ends.begin(), ends.end(), range.end_ns);
      for (size_t at = static_cast<size_t>(place - ends.begin()); at > 0; at &= at - 1) total.Add(sums[at]);
      Emit(static_cast<uint32_t>(i - 1), total);
    }
    // Which calls lie in any range: the farthest end of the ranges that start no later.
    int64_t farthest = INT64_MIN;
    size_t range = 0;
    for (const Probe& probe : probes_) {
      for (; range < ranges_.size() && ranges_[range].start_ns <= probe.start_ns; ++range) {
        farthest = std::max(farthest, ranges_[range].end_ns);
      }
      if (range > 0 && probe.weight > 0 && farthest >= probe.end_ns) MarkGroup(probe.group);
    }
  }

  std::span<const TraceRange> ranges_;
  uint32_t base_;
  const std::vector<OperationGroup>& groups_;
  std::vector<uint8_t>& group_in_range_;
  std::vector<Probe> probes_;
  std::vector<Projection> rows_;
};

void SortByRowId(const RangeSet& set, std::vector<Projection>& rows) {
  const auto row_id = [&](const Projection& row) { return set.ranges[row.range].row_id; };
  if (rows.empty()) return;
  int64_t lowest = INT64_MAX;
  int64_t highest = INT64_MIN;
  for (const Projection& row : rows) {
    lowest = std::min(lowest, row_id(row));
    highest = std::max(highest, row_id(row));
  }
  const uint64_t distance = static_cast<uint64_t>(highest) - static_cast<uint64_t>(lowest);
  if (distance >= 8 * uint64_t{rows.size()} + 1024) {
    std::sort(rows.begin(), rows.end(),
              [&](const Projection& a, const Projection& b) { return row_id(a) < row_id(b); });
    return;
  }
  // Row ids lie close together: put each in its place.
  std::vector<uint32_t> places(static_cast<size_t>(distance) + 1, kNoRange);
  for (uint32_t i = 0; i < rows.size(); ++i) {
    places[static_cast<size_t>(static_cast<uint64_t>(row_id(rows[i])) - static_cast<uint64_t>(lowest))] = i;
  }
  std::vector<Projection> sorted;
  sorted.reserve(rows.size());
  for (const uint32_t place : places) {
    if (place != kNoRange) sorted.push_back(rows[place]);
  }
  rows = std::move(sorted);
}

}  // namespace

ProjectionResult Project(const RangeSet& set, const RangeForest& forest, const model::Trace& trace, int threads) {
  ProjectionResult result;
  result.group_in_range.resize(trace.groups.size());
  std::vector<std::vector<Projection>> parts(set.threads());
  ParallelFor(threads, set.threads(), [&](int, size_t thread) {
    parts[thread] = ThreadProjection(set, thread, trace, result.group_in_range).Build(forest.shapes[thread]);
  });
  size_t total = 0;
  for (const auto& part : parts) total += part.size();
  if (parts.size() == 1) {
    result.rows = std::move(parts[0]);
  } else {
    result.rows.reserve(total);
    for (auto& part : parts) {
      result.rows.insert(result.rows.end(), part.begin(), part.end());
      part = {};
    }
  }
  SortByRowId(set, result.rows);
  return result;
}

}  // namespace rangewise::tables
