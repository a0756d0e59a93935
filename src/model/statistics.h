// Owns what is said of the instances of one group: totals, extremes, means and percentiles of one
// clock.
#pragma once

#include <cstdint>
#include <optional>

#include "base/time.h"
#include "base/wide.h"

namespace rangewise::model {

// Statistics over instances, of one clock. `Ns` is HostNs or ProjectedNs. Every double is the one
// nearest to the exact result; of an even count the median is the mean of the middle two.
// Percentiles are Hyndman and Fan's type 7: linear between the values around rank 1 + (n - 1) p.
template <typename Ns>
struct Statistics {
  Ns total;
  Ns minimum;
  Ns maximum;
  double mean_ns = 0;
  double stddev_ns = 0;         // sample (n - 1); 0.0 for one value
  Ns median_low;                // the middle value, or the lower of the middle two
  Ns median_high;               // equal to median_low for an odd count
  bool median_is_whole = true;  // odd count: the median is an integer, median_low
  // Absent only where an older analysis.json was read.
  std::optional<double> p90_ns;
  std::optional<double> p95_ns;
  std::optional<double> p99_ns;
  std::optional<double> mad_ns;  // median of the absolute deviations from the median, not scaled
};

// The median of an even count, whose median_is_whole is false: the double nearest to the mean of
// the middle two.
template <typename Ns>
double MedianNs(const Statistics<Ns>& statistics) {
  return NearestQuotient(Int128{statistics.median_low.ns} + statistics.median_high.ns, 2);
}

// The coefficient of variation, stddev_ns / mean_ns; nothing where the mean is 0.
template <typename Ns>
std::optional<double> CvRatio(const Statistics<Ns>& statistics) {
  if (statistics.mean_ns == 0) return std::nullopt;
  return statistics.stddev_ns / statistics.mean_ns;
}

}  // namespace rangewise::model
