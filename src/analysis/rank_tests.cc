#include "analysis/rank_tests.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/checked.h"

namespace rangewise::analysis {
namespace {

// The normal distribution's quantile of (1 + kIntervalConfidence) / 2.
constexpr double kNormalQuantile = 1.959963984540054;

// Where counting is not even tried: this many values of U, this many values of both sides.
constexpr int64_t kMostCounted = 500'000;
constexpr int64_t kMostValues = 10'000;

double NormalAtMost(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

double Deviation(int64_t baseline, int64_t candidate, double tie_sum) {
  const auto n = static_cast<double>(baseline);
  const auto m = static_cast<double>(candidate);
  const double total = n + m;
  if (total < 2) return 0;
  return std::sqrt(n * m / 12 * (total + 1 - tie_sum / (total * (total - 1))));
}

// Two-sided, `distance` = |U - mean|. 0.5 is the correction for continuity.
double ApproximateTwoSided(double distance, double deviation) {
  if (distance <= 0.5 || deviation <= 0) return 1;
  return std::min(1.0, std::erfc((distance - 0.5) / deviation / std::numbers::sqrt2));
}

// How many arrangements have U = u, by u: the coefficients of the Gaussian binomial
// prod (1 - q^(large + i)) / (1 - q^i). Factors and quotients wrap modulo 2^128, but each
// coefficient is below 2^128 and so comes out right.
std::vector<UInt128> CountArrangements(int64_t small, int64_t large) {
  const auto top = static_cast<size_t>(small * large);
  std::vector<UInt128> counts(top + 1, 0);
  counts[0] = 1;
  for (int64_t i = 1; i <= small; ++i) {
    const auto factor = static_cast<size_t>(large + i);
    for (size_t u = top; u >= factor; --u) counts[u] -= counts[u - factor];
    const auto divisor = static_cast<size_t>(i);
    for (size_t u = divisor; u <= top; ++u) counts[u] += counts[u - divisor];
  }
  return counts;
}

template <typename Count>
std::vector<double> Shares(const std::vector<Count>& counts) {
  Count all = 0;
  for (const Count count : counts) all += count;
  std::vector<double> at_most;
  at_most.reserve(counts.size());
  Count sum = 0;
  for (const Count count : counts) {
    sum += count;
    at_most.push_back(static_cast<double>(sum) / static_cast<double>(all));
  }
  return at_most;
}

// P(U <= u) by u; empty where counting would take too long.
std::vector<double> CountAtMost(int64_t small, int64_t large) {
  // 2 / p of the most extreme arrangement is their number, which must stay below 2^128.
  const bool fits = SmallestAttainableP(small, large) > 1e-38;
  if (fits && small * large <= kMostCounted) return Shares(CountArrangements(small, large));
  if (small + large > kMostValues) return {};
  const std::vector<uint32_t> untied(static_cast<size_t>(small + large), 1);
  const std::vector<double> by_sum = CountRankSums(untied, static_cast<uint64_t>(small));
  std::vector<double> by_u;
  for (size_t i = 0; i < by_sum.size(); i += 2) by_u.push_back(by_sum[i]);
  return Shares(by_u);
}

// How many values are equal, by value.
std::vector<uint32_t> GroupTies(std::span<const double> baseline,
                                std::span<const double> candidate) {
  std::vector<double> pooled(baseline.begin(), baseline.end());
  pooled.insert(pooled.end(), candidate.begin(), candidate.end());
  std::sort(pooled.begin(), pooled.end());
  std::vector<uint32_t> groups;
  for (size_t first = 0; first < pooled.size();) {
    size_t end = first + 1;
    while (end < pooled.size() && pooled[end] == pooled[first]) ++end;
    groups.push_back(static_cast<uint32_t>(end - first));
    first = end;
  }
  return groups;
}

struct PairCounts {
  int64_t larger = 0;  // pairs in which the candidate is larger
  int64_t equal = 0;
};

PairCounts CountPairs(std::span<const double> baseline, std::span<const double> candidate) {
  PairCounts counts;
  for (const double b : baseline) {
    for (const double c : candidate) {
      counts.larger += c > b ? 1 : 0;
      counts.equal += c == b ? 1 : 0;
    }
  }
  return counts;
}

std::vector<double> PairwiseDifferences(std::span<const double> baseline,
                                        std::span<const double> candidate) {
  std::vector<double> differences;
  differences.reserve(baseline.size() * candidate.size());
  for (const double b : baseline) {
    for (const double c : candidate) differences.push_back(c - b);
  }
  return differences;
}

// Halved before they are added, so that the sum of two large values stays finite.
double Middle(double low, double high) { return low / 2 + high / 2; }

std::vector<double> Logarithms(std::span<const double> values) {
  std::vector<double> logs;
  logs.reserve(values.size());
  for (const double value : values) logs.push_back(std::log(value));
  return logs;
}

}  // namespace

RankDistribution::RankDistribution(int64_t baseline, int64_t candidate)
    : baseline_(baseline), candidate_(candidate) {
  const double uncovered = (1 - kIntervalConfidence) / 2;
  at_most_ = CountAtMost(std::min(baseline, candidate), std::max(baseline, candidate));
  if (at_most_.empty()) {
    const auto mean = static_cast<double>(baseline) * static_cast<double>(candidate) / 2;
    const double deviation = Deviation(baseline, candidate, 0);
    interval_rank_ =
        std::max<int64_t>(0, static_cast<int64_t>(mean + 0.5 - kNormalQuantile * deviation));
    if (interval_rank_ > 0) interval_coverage_ = 1 - 2 * AtMost(interval_rank_ - 1);
    return;
  }
  const auto half = static_cast<size_t>(baseline * candidate / 2);
  for (size_t u = 0; u < half && at_most_[u] <= uncovered; ++u) {
    interval_rank_ = static_cast<int64_t>(u) + 1;
    interval_coverage_ = 1 - 2 * at_most_[u];
  }
}

double RankDistribution::AtMost(int64_t u) const {
  if (exact()) return at_most_[static_cast<size_t>(u)];
  const auto mean = static_cast<double>(baseline_) * static_cast<double>(candidate_) / 2;
  return NormalAtMost((static_cast<double>(u) + 0.5 - mean) / Deviation(baseline_, candidate_, 0));
}

double RankDistribution::TwoSided(int64_t u) const {
  const int64_t top = baseline_ * candidate_;
  const int64_t lower = std::min(u, top - u);
  if (2 * lower == top) return 1;
  if (exact()) return std::min(1.0, 2 * AtMost(lower));
  const double distance = static_cast<double>(top) / 2 - static_cast<double>(lower);
  return ApproximateTwoSided(distance, Deviation(baseline_, candidate_, 0));
}

RankTest TestRanks(std::span<const double> baseline, std::span<const double> candidate,
                   const RankDistribution& distribution, TiedRanks& tied) {
  const auto n = static_cast<int64_t>(baseline.size());
  const auto m = static_cast<int64_t>(candidate.size());
  const PairCounts pairs = CountPairs(baseline, candidate);
  const std::vector<uint32_t> groups = GroupTies(baseline, candidate);
  RankTest test;
  test.u = static_cast<double>(pairs.larger) + static_cast<double>(pairs.equal) / 2;
  test.tied = groups.size() < baseline.size() + candidate.size();
  if (!test.tied) {
    test.exact = distribution.exact();
    test.p = distribution.TwoSided(pairs.larger);
    return test;
  }
  const int64_t doubled = 2 * pairs.larger + pairs.equal;
  // |2U - nm|, which is also how far the sum of doubled midranks is from its mean.
  const int64_t distance = std::max(doubled - n * m, n * m - doubled);
  if (n + m <= kMostValues) {
    if (const std::optional<double> p = tied.TwoSided(groups, distance)) {
      test.p = *p;
      return test;
    }
  }
  test.exact = false;
  test.trusted = false;
  double tie_sum = 0;
  for (const uint32_t group : groups) {
    const auto size = static_cast<double>(group);
    tie_sum += size * size * size - size;
  }
  test.p = ApproximateTwoSided(static_cast<double>(distance) / 2, Deviation(n, m, tie_sum));
  return test;
}

LogRatio EstimateLogRatio(std::span<const double> baseline, std::span<const double> candidate,
                          const RankDistribution& distribution) {
  std::vector<double> differences =
      PairwiseDifferences(Logarithms(baseline), Logarithms(candidate));
  std::sort(differences.begin(), differences.end());
  const size_t count = differences.size();
  LogRatio out;
  out.estimate = Middle(differences[(count - 1) / 2], differences[count / 2]);
  const auto rank = static_cast<size_t>(distribution.interval_rank());
  if (rank > 0) {
    out.interval = model::LogInterval{.low = differences[rank - 1],
                                      .high = differences[count - rank],
                                      .coverage = distribution.interval_coverage()};
  }
  return out;
}

double EstimateShift(std::span<const double> baseline, std::span<const double> candidate) {
  std::vector<double> differences = PairwiseDifferences(baseline, candidate);
  const auto middle = differences.begin() + static_cast<ptrdiff_t>(differences.size() / 2);
  std::nth_element(differences.begin(), middle, differences.end());
  if (differences.size() % 2 == 1) return *middle;
  return Middle(*std::max_element(differences.begin(), middle), *middle);
}

double CliffsDelta(std::span<const double> baseline, std::span<const double> candidate) {
  const PairCounts pairs = CountPairs(baseline, candidate);
  const auto all = static_cast<int64_t>(baseline.size() * candidate.size());
  return static_cast<double>(2 * pairs.larger + pairs.equal - all) / static_cast<double>(all);
}

double SmallestAttainableP(int64_t baseline, int64_t candidate) {
  const int64_t small = std::min(baseline, candidate);
  const int64_t large = std::max(baseline, candidate);
  double arrangements = 1;
  // Each partial product is a binomial coefficient, so that none is rounded below 2^53.
  for (int64_t i = 1; i <= small && std::isfinite(arrangements); ++i) {
    arrangements = arrangements * static_cast<double>(large + i) / static_cast<double>(i);
  }
  return std::min(1.0, 2 / arrangements);
}

int64_t RunsNeeded(double alpha, int64_t family) {
  const double needed = alpha / static_cast<double>(family);
  int64_t runs = kMinimumRuns;
  while (SmallestAttainableP(runs, runs) > needed) ++runs;
  return runs;
}

}  // namespace rangewise::analysis
