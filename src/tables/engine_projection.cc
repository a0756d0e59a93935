#include "tables/engine_projection.h"

#include <algorithm>
#include <atomic>
#include <bit>
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

int32_t WeightOf(const Probe& probe) { return probe.weight; }
int32_t WeightOf(const ApiCall&) { return 1; }

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

// Of calls, those that launched nothing are passed over; probes are made of the others.
bool Launched(const ApiCall& call, const std::vector<OperationGroup>& groups) {
  return call.group != model::kNoGroup && groups[call.group].operations > 0;
}
bool Launched(const Probe&, const std::vector<OperationGroup>&) { return true; }

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
    if (!Launched(call, groups)) continue;
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
  // `rows` are those of the thread's ranges, in their order, without operations.
  // `shared_ids`: some calls of the trace share their id.
  ThreadProjection(const RangeSet& set, size_t thread, const model::Trace& trace, bool shared_ids,
                   std::span<Projection> rows, std::vector<uint8_t>& group_in_range)
      : ranges_(set.ranges.data() + set.begin[thread], set.begin[thread + 1] - set.begin[thread]),
        base_(static_cast<uint32_t>(set.begin[thread])),
        calls_(trace.calls.data() + trace.call_begin[thread], trace.call_begin[thread + 1] - trace.call_begin[thread]),
        groups_(trace.groups),
        shared_ids_(shared_ids),
        group_in_range_(group_in_range),
        rows_(rows) {}

  // Fills the rows of ranges that have operations.
  void Build(ThreadShape shape) {
    if (ranges_.empty() || calls_.empty()) return;
    // Mostly the calls are their probes as they stand, and a list of probes would be as large as they.
    const bool by_start = std::is_sorted(calls_.begin(), calls_.end(), [](const ApiCall& a, const ApiCall& b) {
      return a.start_ns < b.start_ns;
    });
    if (by_start && !shared_ids_) {
      BuildFrom<ApiCall>(shape, calls_);
    } else {
      const std::vector<Probe> probes = ProbesOf(calls_, groups_);
      BuildFrom<Probe>(shape, probes);
    }
  }

 private:
  template <typename AnyProbe>
  void BuildFrom(ThreadShape shape, std::span<const AnyProbe> probes) {
    if (StackServes(shape, probes, [this](const AnyProbe& probe) { return Launched(probe, groups_); })) {
      Sweep(probes);
    } else {
      Search(probes);
    }
  }
  template <typename AnyProbe>
  Work WorkOf(const AnyProbe& probe) const {
    const OperationGroup& group = groups_[probe.group];
    return {group.first_start_ns, group.last_end_ns, WeightOf(probe)};
  }
  // Threads of one process can mark the same group at once.
  void MarkGroup(uint32_t group) {
    std::atomic_ref<uint8_t>(group_in_range_[group]).store(1, std::memory_order_relaxed);
  }
  void Emit(uint32_t range, const Work& work) {
    if (work.weight > 0) {
      rows_[range] = {work.first_start_ns, work.last_end_ns, base_ + range, static_cast<uint32_t>(work.weight)};
    }
  }

  // Groups stand in the order of operations, in which threads take turns: those of one thread lie far apart.
  template <typename AnyProbe>
  void FetchAhead(std::span<const AnyProbe> probes, size_t at) const {
    constexpr size_t kAhead = 12;
    if (at + kAhead >= probes.size()) return;
    const uint32_t group = probes[at + kAhead].group;
    if (group != model::kNoGroup) __builtin_prefetch(&groups_[group]);
  }

  // Ranges that nest: a stack of open ranges; each hands its work to the one below when it ends.
  template <typename AnyProbe>
  void Sweep(std::span<const AnyProbe> probes) {
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
      for (; next < probes.size() && (all || probes[next].start_ns < limit_ns); ++next) {
        const AnyProbe& probe = probes[next];
        FetchAhead(probes, next);
        if (!Launched(probe, groups_)) continue;
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
        if (WeightOf(probe) > 0) MarkGroup(probe.group);
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
  template <typename AnyProbe>
  void Search(std::span<const AnyProbe> probes) {
    std::vector<int64_t> ends;
    ends.reserve(probes.size());
    for (const AnyProbe& probe : probes) {
      if (Launched(probe, groups_)) ends.push_back(probe.end_ns);
    }
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    std::vector<Work> sums(ends.size() + 1);
    size_t next = probes.size();
    for (size_t i = ranges_.size(); i > 0; --i) {
      const TraceRange& range = ranges_[i - 1];
      for (; next > 0 && probes[next - 1].start_ns >= range.start_ns; --next) {
        const AnyProbe& probe = probes[next - 1];
        if (!Launched(probe, groups_)) continue;
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
    for (const AnyProbe& probe : probes) {
      if (!Launched(probe, groups_)) continue;
      for (; range < ranges_.size() && ranges_[range].start_ns <= probe.start_ns; ++range) {
        farthest = std::max(farthest, ranges_[range].end_ns);
      }
      if (range > 0 && WeightOf(probe) > 0 && farthest >= probe.end_ns) MarkGroup(probe.group);
    }
  }

  std::span<const TraceRange> ranges_;
  uint32_t base_;
  std::span<const ApiCall> calls_;
  const std::vector<OperationGroup>& groups_;
  bool shared_ids_;
  std::vector<uint8_t>& group_in_range_;
  std::span<Projection> rows_;
};

// The order of `rows` by row id; empty: as they stand, which is usual of one thread.
std::vector<uint32_t> RowIdOrder(const RangeSet& set, const std::vector<Projection>& rows) {
  const auto row_id = [&](size_t row) { return set.ranges[rows[row].range].row_id; };
  std::vector<uint32_t> order;
  int64_t lowest = INT64_MAX;
  int64_t highest = INT64_MIN;
  bool sorted = true;
  for (size_t i = 0; i < rows.size(); ++i) {
    const int64_t id = row_id(i);
    sorted = sorted && id > highest;
    lowest = std::min(lowest, id);
    highest = std::max(highest, id);
  }
  if (sorted) return order;
  order.resize(rows.size());
  // Row ids mostly lie close together: a bitmap of them tells how many are smaller than one.
  const uint64_t distance = static_cast<uint64_t>(highest) - static_cast<uint64_t>(lowest);
  if (distance / 64 >= rows.size() + 1024) {
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return row_id(a) < row_id(b); });
    return order;
  }
  struct Word {
    uint64_t ids = 0;
    uint64_t before = 0;  // ids in earlier words
  };
  std::vector<Word> words(static_cast<size_t>(distance / 64) + 1);
  const auto place = [&](size_t row) { return static_cast<uint64_t>(row_id(row)) - static_cast<uint64_t>(lowest); };
  for (size_t i = 0; i < rows.size(); ++i) words[place(i) / 64].ids |= uint64_t{1} << place(i) % 64;
  uint64_t before = 0;
  for (Word& word : words) {
    word.before = before;
    before += static_cast<uint64_t>(std::popcount(word.ids));
  }
  for (uint32_t i = 0; i < rows.size(); ++i) {
    const Word& word = words[place(i) / 64];
    const uint64_t smaller = word.ids & ((uint64_t{1} << place(i) % 64) - 1);
    order[word.before + static_cast<uint64_t>(std::popcount(smaller))] = i;
  }
  return order;
}

}  // namespace

ProjectionResult Project(const RangeSet& set, const RangeForest& forest, const model::Trace& trace, int threads) {
  ProjectionResult result;
  result.group_in_range.resize(trace.groups.size());
  // One array with a place for each range: lists of threads would be there twice once they are put together.
  result.rows.resize(set.ranges.size());
  const bool shared_ids = std::any_of(trace.groups.begin(), trace.groups.end(),
                                      [](const OperationGroup& group) { return group.calls > 1; });
  ParallelFor(threads, set.threads(), [&](int, size_t thread) {
    const std::span<Projection> rows(result.rows.data() + set.begin[thread], set.begin[thread + 1] - set.begin[thread]);
    ThreadProjection(set, thread, trace, shared_ids, rows, result.group_in_range).Build(forest.shapes[thread]);
  });
  std::erase_if(result.rows, [](const Projection& row) { return row.operations == 0; });
  result.order = RowIdOrder(set, result.rows);
  return result;
}

}  // namespace rangewise::tables
