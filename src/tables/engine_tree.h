// Owns the hierarchy of ranges that the reports show: containment in time on one thread, exact in integers
// (docs/reports.md, "Parents"). One sweep per thread, n log n at worst, nothing recursive.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/trace.h"

namespace rangewise::tables {

inline constexpr uint32_t kNoRange = UINT32_MAX;
inline constexpr uint32_t kNoLevel = UINT32_MAX;

// A set of ranges with all ends closed, by thread and within a thread in sweep order: start ascending, end
// descending, row id ascending. A range's containers stand before it.
struct RangeSet {
  std::vector<model::TraceRange> ranges;
  std::vector<size_t> begin;  // threads + 1
  size_t threads() const { return begin.empty() ? 0 : begin.size() - 1; }
};

// How the ranges of a thread lie to each other.
enum class ThreadShape : uint8_t {
  kNested,    // any two are disjoint or one holds the other
  kTouching,  // as kNested, but some begin at the very tick at which another ends
  kOverlapping,
};

// Whether a stack of open ranges can place the calls of a thread: its ranges nest; no call ends before it starts, which
// breaks the order of time; and none without length lies at the tick where one range ends and the next begins, since
// it lies in both. `calls` have start_ns and end_ns; those for which counts(call) does not hold do not matter.
template <typename Calls, typename Counts>
bool StackServes(ThreadShape shape, const Calls& calls, const Counts& counts) {
  return shape != ThreadShape::kOverlapping && std::none_of(calls.begin(), calls.end(), [&](const auto& call) {
    const bool unordered =
        call.end_ns < call.start_ns || (shape == ThreadShape::kTouching && call.end_ns == call.start_ns);
    return unordered && counts(call);
  });
}
template <typename Calls>
bool StackServes(ThreadShape shape, const Calls& calls) {
  return StackServes(shape, calls, [](const auto&) { return true; });
}

// Per range of a RangeSet, 8 bytes.
struct RangeForest {
  // The container of smallest duration, ties to the smallest row id; of ranges with one and the same interval,
  // one of the others. kNoRange: no container.
  std::vector<uint32_t> parent;
  // Distance from the root; kNoLevel where the chain of parents ends in a loop of identical ranges.
  std::vector<uint32_t> level;
  std::vector<ThreadShape> shapes;  // per thread
};

// Ends open ranges at `horizon_ns` and brings each thread's ranges into sweep order.
void CloseAndSort(RangeSet& set, int64_t horizon_ns, int threads);

RangeForest BuildForest(const RangeSet& set, int threads);

}  // namespace rangewise::tables
