#include "support/exact_ranks.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace rangewise::test_support {
namespace {

// Calls visit(mask) for each way to choose k of n.
template <typename Visit>
void ForEachChoice(int n, int k, Visit visit) {
  uint32_t mask = (uint32_t{1} << k) - 1;
  while (mask < (uint32_t{1} << n)) {
    visit(mask);
    const uint32_t lowest = mask & (~mask + 1);  // the next larger number with as many bits
    const uint32_t ripple = mask + lowest;
    mask = ripple | (((mask ^ ripple) >> 2) / lowest);
  }
}

// Twice U of the values in `mask` against the others: (wins - losses of each) summed over pairs, in
// which pairs within the mask cancel, counted from the middle.
int64_t DoubledDistance(std::span<const int64_t> balance, uint32_t mask) {
  int64_t sum = 0;
  for (; mask != 0; mask &= mask - 1) sum += balance[static_cast<size_t>(__builtin_ctz(mask))];
  return std::abs(sum);
}

}  // namespace

double EnumeratedP(std::span<const double> baseline, std::span<const double> candidate) {
  std::vector<double> pooled(baseline.begin(), baseline.end());
  pooled.insert(pooled.end(), candidate.begin(), candidate.end());
  std::vector<int64_t> balance(pooled.size(), 0);
  for (size_t i = 0; i < pooled.size(); ++i) {
    for (const double other : pooled) {
      balance[i] += (pooled[i] > other ? 1 : 0) - (pooled[i] < other ? 1 : 0);
    }
  }
  const int n = static_cast<int>(baseline.size());
  const int64_t seen = DoubledDistance(balance, (uint32_t{1} << n) - 1);
  int64_t all = 0;
  int64_t as_far = 0;
  ForEachChoice(static_cast<int>(pooled.size()), n, [&](uint32_t mask) {
    ++all;
    if (DoubledDistance(balance, mask) >= seen) ++as_far;
  });
  return static_cast<double>(as_far) / static_cast<double>(all);
}

std::vector<int64_t> EnumeratedCounts(int n, int m) {
  std::vector<int64_t> counts(static_cast<size_t>(n * m + 1), 0);
  ForEachChoice(n + m, n, [&](uint32_t mask) {
    // Positions from the smallest value up; each baseline value loses to the candidates above it.
    int u = 0;
    int baselines_below = 0;
    for (int place = 0; place < n + m; ++place) {
      if ((mask >> place) & 1) {
        ++baselines_below;
      } else {
        u += baselines_below;
      }
    }
    ++counts[static_cast<size_t>(u)];
  });
  return counts;
}

std::pair<double, double> EnumeratedInterval(std::span<const double> baseline,
                                             std::span<const double> candidate, double alpha,
                                             std::span<const int64_t> counts) {
  const auto all = static_cast<double>(std::accumulate(counts.begin(), counts.end(), int64_t{0}));
  std::vector<double> edges;
  for (const double b : baseline) {
    for (const double c : candidate) edges.push_back(c - b);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());

  std::pair<double, double> interval{edges.back(), edges.front()};
  for (size_t i = 0; i + 1 < edges.size(); ++i) {
    const double shift = edges[i] / 2 + edges[i + 1] / 2;
    int64_t u = 0;
    for (const double b : baseline) {
      for (const double c : candidate) u += c - b > shift ? 1 : 0;
    }
    double at_most = 0;
    double at_least = 0;
    for (int64_t i_u = 0; i_u < static_cast<int64_t>(counts.size()); ++i_u) {
      const double share = static_cast<double>(counts[static_cast<size_t>(i_u)]) / all;
      if (i_u <= u) at_most += share;
      if (i_u >= u) at_least += share;
    }
    if (at_most <= alpha / 2 || at_least <= alpha / 2) continue;
    interval.first = std::min(interval.first, edges[i]);
    interval.second = std::max(interval.second, edges[i + 1]);
  }
  return interval;
}

}  // namespace rangewise::test_support
