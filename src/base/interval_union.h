// Owns the length of a union of intervals that come by start: how long at least one of them lasted.
// Intervals that only touch leave no gap. Times are below 2^62 in magnitude, so that differences
// fit 64 bits.
#pragma once

#include <cstdint>

namespace rangewise {

class IntervalUnion {
 public:
  // Adds [start_ns, end_ns]; starts never fall. An interval that ends before it starts has no length.
  // `on_gap(begin, end)` is called when nothing covered the time since the last end.
  template <typename OnGap>
  void Add(int64_t start_ns, int64_t end_ns, OnGap on_gap) {
    if (end_ns < start_ns) end_ns = start_ns;
    if (empty_) {
      empty_ = false;
      first_ns_ = start_ns;
      covered_ns_ = start_ns;
    }
    if (start_ns > covered_ns_) on_gap(covered_ns_, start_ns);
    if (end_ns <= covered_ns_) return;
    length_ns_ += end_ns - (start_ns > covered_ns_ ? start_ns : covered_ns_);
    covered_ns_ = end_ns;
  }
  void Add(int64_t start_ns, int64_t end_ns) {
    Add(start_ns, end_ns, [](int64_t, int64_t) {});
  }

  bool empty() const { return empty_; }
  int64_t length_ns() const { return length_ns_; }
  int64_t first_ns() const { return first_ns_; }      // the smallest start; 0 when empty
  int64_t covered_ns() const { return covered_ns_; }  // the largest end so far; 0 when empty

 private:
  bool empty_ = true;
  int64_t first_ns_ = 0;
  int64_t covered_ns_ = 0;
  int64_t length_ns_ = 0;
};

}  // namespace rangewise
