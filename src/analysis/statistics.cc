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
  } else {
    out.deviation = Deviation(values, out.minimum);
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    out.median_high = *middle;
    out.median_low = values.size() % 2 == 0 ? *std::max_element(values.begin(), middle) : *middle;
  }
  out.median_is_whole = values.size() % 2 == 1;
  return out;
}

}  // namespace rangewise::analysis
