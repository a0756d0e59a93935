#include "analysis/mann_kendall.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace rangewise::analysis {
namespace {

// Sorts `values` and counts the pairs of which the later is smaller. Bottom-up, no recursion.
int64_t SortCountingInversions(std::vector<int64_t>& values) {
  std::vector<int64_t> merged(values.size());
  int64_t inversions = 0;
  for (size_t width = 1; width < values.size(); width *= 2) {
    for (size_t begin = 0; begin < values.size(); begin += 2 * width) {
      const size_t middle = std::min(begin + width, values.size());
      const size_t end = std::min(begin + 2 * width, values.size());
      size_t left = begin;
      size_t right = middle;
      for (size_t out = begin; out < end; ++out) {
        if (left < middle && (right == end || values[left] <= values[right])) {
          merged[out] = values[left++];
        } else {
          inversions += static_cast<int64_t>(middle - left);
          merged[out] = values[right++];
        }
      }
    }
    values.swap(merged);
  }
  return inversions;
}

// The probability that a random order of `n` distinct values has at most `most` inversions. The
// n-th value adds 0 ... n-1 of them, each equally likely.
double ProbabilityOfInversions(size_t n, int64_t most) {
  std::vector<double> probability(static_cast<size_t>(most) + 1, 0.0);
  std::vector<double> next(probability.size());
  probability[0] = 1;
  for (size_t i = 2; i <= n; ++i) {
    for (size_t k = 0; k < next.size(); ++k) {
      double sum = 0;
      for (size_t added = 0; added < i && added <= k; ++added) sum += probability[k - added];
      next[k] = sum / static_cast<double>(i);
    }
    probability.swap(next);
  }
  double sum = 0;
  for (const double p : probability) sum += p;
  return sum;
}

}  // namespace

RankTrend MannKendall(std::span<const int64_t> values) {
  std::vector<int64_t> sorted(values.begin(), values.end());
  const int64_t falling = SortCountingInversions(sorted);
  const auto n = static_cast<double>(sorted.size());
  double variance = n * (n - 1) * (2 * n + 5);
  int64_t tied = 0;
  for (size_t i = 0; i < sorted.size();) {
    size_t end = i + 1;
    while (end < sorted.size() && sorted[end] == sorted[i]) ++end;
    const auto same = static_cast<int64_t>(end - i);
    tied += same * (same - 1) / 2;
    const auto t = static_cast<double>(same);
    variance -= t * (t - 1) * (2 * t + 5);
    i = end;
  }
  variance /= 18;
  const auto count = static_cast<int64_t>(sorted.size());
  const int64_t pairs = count * (count - 1) / 2;
  if (pairs == tied) return {};  // no two differ

  RankTrend trend;
  const int64_t rising = pairs - tied - falling;
  const int64_t s = rising - falling;
  trend.tau = static_cast<double>(s) /
              std::sqrt(static_cast<double>(pairs) * static_cast<double>(pairs - tied));
  trend.exact = tied == 0 && sorted.size() <= kMostExact;
  if (s == 0) return trend;
  if (trend.exact) {
    trend.p = 2 * ProbabilityOfInversions(sorted.size(), std::min(rising, falling));
  } else {
    const double z = (std::abs(static_cast<double>(s)) - 1) / std::sqrt(variance);
    trend.p = std::erfc(z / std::sqrt(2.0));
  }
  trend.p = std::min(trend.p, 1.0);
  return trend;
}

}  // namespace rangewise::analysis
