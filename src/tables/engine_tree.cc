#include "tables/engine_tree.h"

#include <algorithm>
#include <span>
#include <tuple>

#include "base/parallel.h"

namespace rangewise::tables {
namespace {

using model::TraceRange;

int64_t Duration(const TraceRange& range) { return range.end_ns - range.start_ns; }

bool SameInterval(const TraceRange& a, const TraceRange& b) {
  return a.start_ns == b.start_ns && a.end_ns == b.end_ns;
}

// Whether `a` is the better parent for a range that both contain.
bool Tighter(const TraceRange& a, const TraceRange& b) {
  const int64_t a_duration = Duration(a);
  const int64_t b_duration = Duration(b);
  return a_duration != b_duration ? a_duration < b_duration : a.row_id < b.row_id;
}

// One thread's part of the forest. Indexes handed in and out are those of the whole set.
class ThreadForest {
 public:
  ThreadForest(std::span<const TraceRange> ranges, uint32_t base, RangeForest& forest)
      : ranges_(ranges), base_(base), forest_(forest) {}

  ThreadShape Build() {
    const bool reversed = std::any_of(ranges_.begin(), ranges_.end(),
                                      [](const TraceRange& range) { return range.end_ns < range.start_ns; });
    if (!reversed && Sweep()) return shape_;
    Search();
    return ThreadShape::kOverlapping;
  }

 private:
  // Ranges [first, last) have one interval; `container` (in this thread, or kNoRange) is their best container.
  void SetParents(size_t first, size_t last, uint32_t container) {
    const size_t at = base_ + first;
    if (last - first == 1) {
      forest_.parent[at] = container == kNoRange ? kNoRange : base_ + container;
      const uint32_t above = container == kNoRange ? kNoLevel : forest_.level[base_ + container];
      forest_.level[at] = container == kNoRange ? 0 : above == kNoLevel ? kNoLevel : above + 1;
      return;
    }
    // Each of several identical ranges contains the others at its own duration, so the parent is another of
    // them: the one with the smallest row id, which stands first.
    for (size_t i = first; i < last; ++i) {
      forest_.parent[base_ + i] = static_cast<uint32_t>(base_ + (i == first ? first + 1 : first));
      forest_.level[base_ + i] = kNoLevel;
    }
  }

  size_t GroupEnd(size_t first) const {
    size_t last = first + 1;
    while (last < ranges_.size() && SameInterval(ranges_[first], ranges_[last])) ++last;
    return last;
  }

  // A stack of candidates, ends falling from bottom to top, and the tighter the higher. For ranges that nest
  // this is the plain stack of open ranges:
  //
  //   a |-------------------|         when c begins, b is gone (its end lies before c's start)
  //   b   |----|                      and a is on top: a is c's parent
  //   c           |---|
  //
  // Where ranges overlap, a candidate leaves for good once a tighter one reaches at least as far, since that
  // one then contains whatever it contains:
  //
  //   a |------------|                b reaches farther; a is tighter: both stay, a above b
  //   b      |---------------|        d lies in both: the topmost that reaches its end, a, is its parent
  //   d        |--|                   e lies in b only: below a
  //   e          |------|
  //
  // Gives up (false) when putting candidates below others gets costly.
  bool Sweep() {
    std::vector<uint32_t> stack;
    size_t moves = 0;
    const size_t most_moves = 1024 + 16 * ranges_.size();
    for (size_t first = 0; first < ranges_.size();) {
      const TraceRange& range = ranges_[first];
      while (!stack.empty() && ranges_[stack.back()].end_ns < range.start_ns) stack.pop_back();
      size_t place = stack.size();
      if (place > 0 && ranges_[stack.back()].end_ns < range.end_ns) {
        place = static_cast<size_t>(std::partition_point(stack.begin(), stack.end(), [&](uint32_t other) {
                                      return ranges_[other].end_ns >= range.end_ns;
                                    }) - stack.begin());
        const bool touching = ranges_[stack[place]].end_ns == range.start_ns;
        shape_ = std::max(shape_, touching ? ThreadShape::kTouching : ThreadShape::kOverlapping);
      }
      const size_t last = GroupEnd(first);
      SetParents(first, last, place == 0 ? kNoRange : stack[place - 1]);
      size_t kept = place;
      while (kept < stack.size() && Tighter(range, ranges_[stack[kept]])) ++kept;
      moves += stack.size() - kept;
      if (moves > most_moves) return false;
      if (kept == place) {
        stack.insert(stack.begin() + static_cast<std::ptrdiff_t>(place), static_cast<uint32_t>(first));
      } else {
        stack[place] = static_cast<uint32_t>(first);
        stack.erase(stack.begin() + static_cast<std::ptrdiff_t>(place + 1),
                    stack.begin() + static_cast<std::ptrdiff_t>(kept));
      }
      first = last;
    }
    return true;
  }

  // For any set of ranges: in sweep order whatever starts in time has been seen, so the parent is the tightest
  // of those seen whose end reaches far enough. A binary indexed tree over the ends, latest first, answers that
  // in log n.
  void Search() {
    std::vector<int64_t> ends;
    ends.reserve(ranges_.size());
    for (const TraceRange& range : ranges_) ends.push_back(range.end_ns);
    std::sort(ends.begin(), ends.end(), std::greater<>());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    std::vector<uint32_t> tightest(ends.size() + 1, kNoRange);
    for (size_t first = 0; first < ranges_.size();) {
      const TraceRange& range = ranges_[first];
      const auto place = std::lower_bound(ends.begin(), ends.end(), range.end_ns, std::greater<>());
      const size_t rank = static_cast<size_t>(place - ends.begin()) + 1;
      uint32_t container = kNoRange;
      for (size_t i = rank; i > 0; i &= i - 1) {
        const uint32_t other = tightest[i];
        if (other != kNoRange && (container == kNoRange || Tighter(ranges_[other], ranges_[container]))) {
          container = other;
        }
      }
      const size_t last = GroupEnd(first);
      SetParents(first, last, container);
      for (size_t i = rank; i < tightest.size(); i += i & (~i + 1)) {
        if (tightest[i] == kNoRange || Tighter(range, ranges_[tightest[i]])) {
          tightest[i] = static_cast<uint32_t>(first);
        }
      }
      first = last;
    }
  }

  std::span<const TraceRange> ranges_;
  uint32_t base_;
  RangeForest& forest_;
  ThreadShape shape_ = ThreadShape::kNested;
};

}  // namespace

void CloseAndSort(RangeSet& set, int64_t horizon_ns, int threads) {
  const auto before = [](const TraceRange& a, const TraceRange& b) {
    return std::tie(a.start_ns, b.end_ns, a.row_id) < std::tie(b.start_ns, a.end_ns, b.row_id);
  };
  ParallelFor(threads, set.threads(), [&](int, size_t thread) {
    const auto begin = set.ranges.begin() + static_cast<std::ptrdiff_t>(set.begin[thread]);
    const auto end = set.ranges.begin() + static_cast<std::ptrdiff_t>(set.begin[thread + 1]);
    for (auto range = begin; range != end; ++range) {
      if (range->open != 0) range->end_ns = horizon_ns;
    }
    if (!std::is_sorted(begin, end, before)) std::sort(begin, end, before);
  });
}

RangeForest BuildForest(const RangeSet& set, int threads) {
  RangeForest forest;
  forest.parent.resize(set.ranges.size());
  forest.level.resize(set.ranges.size());
  forest.shapes.resize(set.threads());
  ParallelFor(threads, set.threads(), [&](int, size_t thread) {
    const std::span<const TraceRange> ranges(set.ranges.data() + set.begin[thread],
                                             set.begin[thread + 1] - set.begin[thread]);
    forest.shapes[thread] = ThreadForest(ranges, static_cast<uint32_t>(set.begin[thread]), forest).Build();
  });
  return forest;
}

}  // namespace rangewise::tables
