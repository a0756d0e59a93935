#include "analysis/statistics.h"

#include <algorithm>

#include "base/checked.h"
#include "base/wide.h"

namespace rangewise::analysis {
namespace {

// The sample standard deviation. `n` below 2^32 keeps the sums within bounds: d is below 2^64, so
// the sum of d is below 2^96, that of d^2 below 2^160, and both products below 2^192.
double Deviation(std::span<const int64_t> values, int64_t minimum) {
  const uint64_t n = values.size();
  UInt128 sum = 0;
  UInt256 squares;
  for (const int64_t value : values) {
    const uint64_t d = static_cast<uint64_t>(value) - static_cast<uint64_t>(minimum);
    const UInt128 square = UInt128{d} * d;
    sum += d;
    squares.low += square;
    squares.high += squares.low < square ? 1 : 0;
  }
  UInt256 scaled = Multiply(squares.low, n);
  scaled.high += squares.high * n;
  return NearestRoot(Subtract(scaled, Multiply(sum, sum)), n * (n - 1));
}

// Beyond so few values, selecting a handful of ranks costs less than sorting.
constexpr size_t kMostSorted = 48;

// The values at some ranks, asked for in ascending order: each request moves only what lies at and
// above its rank.
class Ranks {
 public:
  explicit Ranks(std::span<int64_t> values) : values_(values) {
    is_sorted_ = values.size() <= kMostSorted;
    if (is_sorted_) std::sort(values.begin(), values.end());
  }

  int64_t At(size_t rank) {
    if (!is_sorted_ && rank >= open_) {
      std::nth_element(values_.begin() + Offset(open_), values_.begin() + Offset(rank),
                       values_.end());
      open_ = rank + 1;
    }
    return values_[rank];
  }
  // The value after the rank that was asked for last.
  int64_t Next(size_t rank) const {
    if (is_sorted_ || rank + 1 < open_) return values_[rank + 1];
    return *std::min_element(values_.begin() + Offset(rank + 1), values_.end());
  }
  // The value before the rank that was asked for first.
  int64_t Before(size_t rank) const {
    if (is_sorted_) return values_[rank - 1];
    return *std::max_element(values_.begin(), values_.begin() + Offset(rank));
  }

 private:
  static std::ptrdiff_t Offset(size_t rank) { return static_cast<std::ptrdiff_t>(rank); }
  std::span<int64_t> values_;
  bool is_sorted_ = false;
  size_t open_ = 0;  // ranks from here on are not in their place yet
};

double Percentile(Ranks& ranks, size_t count, uint64_t percent) {
  const uint64_t place = (count - 1) * percent;
  const size_t rank = place / 100;
  const uint64_t beyond = place % 100;
  const Int128 low = ranks.At(rank);
  if (beyond == 0) return NearestQuotient(low, 1);
  return NearestQuotient(low * 100 + (ranks.Next(rank) - low) * static_cast<Int128>(beyond), 100);
}

// The median of the absolute deviations from the median, which lies between `low` and `high`, the
// middle two. No value lies between those: a deviation is the distance to the nearer of them plus
// half of their gap, so distances of 64 bits tell the order, also around a median of a half.
double MedianDeviation(std::span<int64_t> values, int64_t low, int64_t high) {
  // Signed and unsigned integers of one size may alias.
  const std::span<uint64_t> distances(reinterpret_cast<uint64_t*>(values.data()), values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const int64_t value = values[i];
    distances[i] = value >= high ? static_cast<uint64_t>(value) - static_cast<uint64_t>(high)
                                 : static_cast<uint64_t>(low) - static_cast<uint64_t>(value);
  }
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  if (distances.size() % 2 == 1) return NearestQuotient(Int128{*middle}, 1);
  const uint64_t below = *std::max_element(distances.begin(), middle);
  const uint64_t gap = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  return NearestQuotient(Int128{below} + *middle + gap, 2);
}

}  // namespace

std::optional<PlainStatistics> Summarise(std::span<int64_t> values) {
  PlainStatistics out;
  out.minimum = values[0];
  out.maximum = values[0];
  Int128 sum = 0;
  for (const int64_t value : values) {
    out.minimum = std::min(out.minimum, value);
    out.maximum = std::max(out.maximum, value);
    sum += value;
  }
  const std::optional<int64_t> total = Narrow(sum);
  if (!total) return std::nullopt;
  out.total = *total;
  out.mean = NearestQuotient(sum, values.size());
  if (out.minimum == out.maximum) {
    out.median_low = out.median_high = out.minimum;
    out.p90 = out.p95 = out.p99 = NearestQuotient(out.minimum, 1);
  } else {
    out.deviation = Deviation(values, out.minimum);
    Ranks ranks(values);
    const size_t middle = values.size() / 2;
    out.median_high = ranks.At(middle);
    out.median_low = values.size() % 2 == 0 ? ranks.Before(middle) : out.median_high;
    out.p90 = Percentile(ranks, values.size(), 90);
    out.p95 = Percentile(ranks, values.size(), 95);
    out.p99 = Percentile(ranks, values.size(), 99);
    out.mad = MedianDeviation(values, out.median_low, out.median_high);
  }
  out.median_is_whole = values.size() % 2 == 1;
  return out;
}

}  // namespace rangewise::analysis
