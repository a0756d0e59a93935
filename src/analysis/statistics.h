// Owns the statistics of one group: exact integers where the result is one, and otherwise the
// double nearest to the exact rational result. The same values give the same statistics in any
// order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "model/analysis.h"

namespace rangewise::analysis {

// What Statistics<Ns> holds, without the clock.
struct PlainStatistics {
  int64_t total = 0;
  int64_t minimum = 0;
  int64_t maximum = 0;
  int64_t median_low = 0;
  int64_t median_high = 0;
  bool median_is_whole = true;
  double mean = 0;
  double deviation = 0;
  double p90 = 0;
  double p95 = 0;
  double p99 = 0;
  double mad = 0;
};

// Statistics of `values`: not empty, fewer than 2^32. Leaves other numbers in their place. Nothing
// when the total needs more than 64 bits. O(n): ranks are selected, not sorted. The variance is
// taken as (n * sum(d^2) - sum(d)^2) / (n * (n - 1)) with d counted from the minimum, in integers:
// it does not change with the point that d is counted from.
std::optional<PlainStatistics> Summarise(std::span<int64_t> values);

// As Summarise, for values of the clock that Ns belongs to.
template <typename Ns>
std::optional<model::Statistics<Ns>> SummariseAs(std::span<int64_t> values) {
  const std::optional<PlainStatistics> plain = Summarise(values);
  if (!plain) return std::nullopt;
  model::Statistics<Ns> out;
  out.total = Ns{plain->total};
  out.minimum = Ns{plain->minimum};
  out.maximum = Ns{plain->maximum};
  out.mean_ns = plain->mean;
  out.stddev_ns = plain->deviation;
  out.median_low = Ns{plain->median_low};
  out.median_high = Ns{plain->median_high};
  out.median_is_whole = plain->median_is_whole;
  out.p90_ns = plain->p90;
  out.p95_ns = plain->p95;
  out.p99_ns = plain->p99;
  out.mad_ns = plain->mad;
  return out;
}

}  // namespace rangewise::analysis
