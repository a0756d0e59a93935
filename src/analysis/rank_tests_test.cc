// The rank statistics against published tables and against going through every arrangement.
#include "analysis/rank_tests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "support/exact_ranks.h"

namespace rangewise::analysis {
namespace {

using test_support::EnumeratedCounts;
using test_support::EnumeratedInterval;
using test_support::EnumeratedP;

// Two-sided critical values of U, n = row and m = column from n up, both from 5 to 12, as printed
// in textbooks (after Mann and Whitney 1947, and Auble 1953).
constexpr int kCritical5Percent[8][8] = {
    {2, 3, 5, 6, 7, 8, 9, 11},        {-1, 5, 6, 8, 10, 11, 13, 14},
    {-1, -1, 8, 10, 12, 14, 16, 18},  {-1, -1, -1, 13, 15, 17, 19, 22},
    {-1, -1, -1, -1, 17, 20, 23, 26}, {-1, -1, -1, -1, -1, 23, 26, 29},
    {-1, -1, -1, -1, -1, -1, 30, 33}, {-1, -1, -1, -1, -1, -1, -1, 37},
};
constexpr int kCritical1Percent[8][8] = {
    {0, 1, 1, 2, 3, 4, 5, 6},         {-1, 2, 3, 4, 5, 6, 7, 9},
    {-1, -1, 4, 6, 7, 9, 10, 12},     {-1, -1, -1, 7, 9, 11, 13, 15},
    {-1, -1, -1, -1, 11, 13, 16, 18}, {-1, -1, -1, -1, -1, 16, 18, 21},
    {-1, -1, -1, -1, -1, -1, 21, 24}, {-1, -1, -1, -1, -1, -1, -1, 27},
};

std::vector<double> Draw(std::mt19937_64& random, int count, uint64_t distinct) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i)
    values.push_back(1000.0 + static_cast<double>(random() % distinct));
  return values;
}

RankTest Tested(const std::vector<double>& baseline, const std::vector<double>& candidate) {
  const auto n = static_cast<int64_t>(baseline.size());
  const auto m = static_cast<int64_t>(candidate.size());
  TiedRanks tied(n, m);
  return TestRanks(baseline, candidate, RankDistribution(n, m), tied);
}

LogRatio Ratio(const std::vector<double>& baseline, const std::vector<double>& candidate) {
  return EstimateLogRatio(baseline, candidate,
                          RankDistribution(static_cast<int64_t>(baseline.size()),
                                           static_cast<int64_t>(candidate.size())));
}

TEST(RankTests, AgreeWithPublishedCriticalValues) {
  for (int n = 5; n <= 12; ++n) {
    for (int m = n; m <= 12; ++m) {
      const RankDistribution distribution(n, m);
      const int five = kCritical5Percent[n - 5][m - 5];
      EXPECT_LE(distribution.TwoSided(five), 0.05) << n << ", " << m;
      EXPECT_GT(distribution.TwoSided(five + 1), 0.05) << n << ", " << m;
      // The interval leaves out as many differences on either side as may be rejected.
      EXPECT_EQ(distribution.interval_rank(), five + 1) << n << ", " << m;
      const int one = kCritical1Percent[n - 5][m - 5];
      EXPECT_LE(distribution.TwoSided(one), 0.01) << n << ", " << m;
      EXPECT_GT(distribution.TwoSided(one + 1), 0.01) << n << ", " << m;
    }
  }
}

TEST(RankTests, CountArrangementsAsEnumerationDoes) {
  for (int n = 1; n <= 8; ++n) {
    for (int m = 1; m <= 12; ++m) {
      const RankDistribution distribution(n, m);
      const std::vector<int64_t> counts = EnumeratedCounts(n, m);
      int64_t all = 0;
      for (const int64_t count : counts) all += count;
      int64_t sum = 0;
      for (size_t u = 0; u < counts.size(); ++u) {
        sum += counts[u];
        EXPECT_EQ(distribution.AtMost(static_cast<int64_t>(u)),
                  static_cast<double>(sum) / static_cast<double>(all));
      }
    }
  }
}

TEST(RankTests, PIsTheShareOfArrangementsWithAndWithoutTies) {
  std::mt19937_64 random(20261101);
  for (int n = 5; n <= 12; ++n) {
    for (int m = n; m <= 12; ++m) {
      // Few distinct values tie often, a million hardly ever.
      for (const uint64_t distinct : {uint64_t{2}, uint64_t{6}, uint64_t{25}, uint64_t{1000000}}) {
        if (n + m > 21 && distinct == 25) continue;
        const std::vector<double> a = Draw(random, n, distinct);
        std::vector<double> b = Draw(random, m, distinct);
        for (double& value : b) value += static_cast<double>(random() % 3 * distinct / 4);
        const RankTest test = Tested(a, b);
        EXPECT_TRUE(test.exact);
        EXPECT_DOUBLE_EQ(test.p, EnumeratedP(a, b)) << n << ", " << m << ", " << distinct;
        EXPECT_EQ(Tested(b, a).p, test.p);
        EXPECT_EQ(Tested(b, a).u, n * m - test.u);
      }
    }
  }
}

TEST(RankTests, WorkedExamples) {
  // Complete separation of 5 and 5: 2 of 252 arrangements.
  EXPECT_DOUBLE_EQ(Tested({1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}).p, 2.0 / 252);
  EXPECT_EQ(Tested({1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}).u, 25);
  // All equal: every arrangement is as far out.
  const RankTest equal = Tested({7, 7, 7, 7, 7}, {7, 7, 7, 7, 7});
  EXPECT_EQ(equal.p, 1);
  EXPECT_TRUE(equal.tied);
  EXPECT_EQ(equal.u, 12.5);
  EXPECT_EQ(Tested({1}, {2}).p, 1);
}

TEST(RankTests, TheIntervalInvertsTheTest) {
  std::mt19937_64 random(20261102);
  for (int n = 5; n <= 12; ++n) {
    for (int m = 5; m <= 12; ++m) {
      if (n + m > 20 && n != m) continue;
      const std::vector<int64_t> counts = EnumeratedCounts(n, m);
      for (const uint64_t distinct : {uint64_t{7}, uint64_t{1000000}}) {
        const std::vector<double> a = Draw(random, n, distinct);
        const std::vector<double> b = Draw(random, m, distinct);
        std::vector<double> log_a;
        std::vector<double> log_b;
        for (const double value : a) log_a.push_back(std::log(value));
        for (const double value : b) log_b.push_back(std::log(value));
        const LogRatio ratio = Ratio(a, b);
        ASSERT_TRUE(ratio.interval.has_value());
        EXPECT_LE(ratio.interval->low, ratio.estimate);
        EXPECT_GE(ratio.interval->high, ratio.estimate);
        const auto [low, high] = EnumeratedInterval(log_a, log_b, 0.05, counts);
        EXPECT_DOUBLE_EQ(ratio.interval->low, low) << n << ", " << m << ", " << distinct;
        EXPECT_DOUBLE_EQ(ratio.interval->high, high) << n << ", " << m << ", " << distinct;
        EXPECT_GE(ratio.interval->coverage, 0.95);
        EXPECT_LT(ratio.interval->coverage, 1);
        // An interval without 0 and a p of at most 0.05 are one statement where nothing is tied.
        const RankTest test = Tested(a, b);
        if (!test.tied) {
          const bool apart = ratio.interval->low > 0 || ratio.interval->high < 0;
          EXPECT_EQ(apart, test.p <= 0.05);
        }
      }
    }
  }
}

TEST(RankTests, TheRatioIsTheMedianOfAllPairs) {
  // Ratios 2, 3, 4, 1, 1.5, 2: the middle two are 2 and 2.
  EXPECT_DOUBLE_EQ(std::exp(Ratio({1, 2}, {2, 3, 4}).estimate), 2);
  EXPECT_FALSE(Ratio({1, 2}, {2, 3, 4}).interval.has_value());
  EXPECT_EQ(EstimateShift(std::vector<double>{1, 2}, std::vector<double>{2, 3, 4}), 1.5);
  EXPECT_EQ(EstimateShift(std::vector<double>{10}, std::vector<double>{4}), -6);
}

TEST(RankTests, ExchangingTheSidesNegatesEveryEstimateExactly) {
  std::mt19937_64 random(20261103);
  for (int round = 0; round < 500; ++round) {
    const std::vector<double> a = Draw(random, 5 + static_cast<int>(random() % 8), 1000000);
    const std::vector<double> b = Draw(random, 5 + static_cast<int>(random() % 8), 1000000);
    const LogRatio there = Ratio(a, b);
    const LogRatio back = Ratio(b, a);
    EXPECT_EQ(there.estimate, -back.estimate);
    EXPECT_EQ(there.interval->low, -back.interval->high);
    EXPECT_EQ(there.interval->high, -back.interval->low);
    EXPECT_EQ(there.interval->coverage, back.interval->coverage);
    EXPECT_EQ(EstimateShift(a, b), -EstimateShift(b, a));
    EXPECT_EQ(CliffsDelta(a, b), -CliffsDelta(b, a));
  }
}

// 2 * C(n - group, chosen) / C(n, chosen) and the like, as a product of small ratios.
double ShareOf(int among, int of, int chosen) {
  double share = 1;
  for (int i = 0; i < chosen; ++i) share *= static_cast<double>(among - i) / (of - i);
  return share;
}

TEST(RankTests, HeavyTiesAreCountedHoweverManyRuns) {
  // All are equal but three of the candidate's five: as extreme are the choices of five that hold
  // these three, and those that hold none of them lie nearer to the mean.
  for (const int runs : {36, 40, 60, 200, 1000}) {
    const std::vector<double> same(static_cast<size_t>(runs), 1e6);
    const RankTest test = Tested(same, {2e6, 2e6, 2e6, 1e6, 1e6});
    EXPECT_TRUE(test.exact);
    EXPECT_TRUE(test.trusted);
    // C(n - 3, 2) / C(n, 5), with n values in all.
    const double n = runs + 5;
    EXPECT_NEAR(test.p, 60.0 / (n * (n - 1) * (n - 2)), 1e-12) << runs;
    EXPECT_EQ(Tested({2e6, 2e6, 2e6, 1e6, 1e6}, same).p, test.p);
  }
  // One of twenty that are equal is enough to be as extreme as can be.
  EXPECT_NEAR(Tested(std::vector<double>(100, 1), std::vector<double>(20, 2)).p,
              ShareOf(20, 120, 20), 1e-30);
}

TEST(RankTests, TiesInPairsAreCountedAsWithoutThem) {
  // Every value of one side equals one of the other: U is at its mean, whatever the size.
  for (const int n : {20, 50, 80}) {
    std::vector<double> values;
    for (int i = 0; i < n; ++i) values.push_back(i);
    const RankTest test = Tested(values, values);
    EXPECT_TRUE(test.exact);
    EXPECT_NEAR(test.p, 1, 1e-12);
  }
}

TEST(RankTests, WhatCannotBeCountedIsNotTrustedWithTies) {
  std::vector<double> low;
  std::vector<double> high;
  for (int i = 0; i < 300; ++i) {
    low.push_back(i / 2);
    high.push_back(200 + i / 2);
  }
  const RankTest test = Tested(low, high);
  EXPECT_TRUE(test.tied);
  EXPECT_FALSE(test.exact);
  EXPECT_FALSE(test.trusted);
  for (size_t i = 0; i < 300; ++i) low[i] = static_cast<double>(i);
  for (size_t i = 0; i < 300; ++i) high[i] = 1000 + static_cast<double>(i);
  const RankTest untied = Tested(low, high);
  EXPECT_FALSE(untied.exact);
  EXPECT_TRUE(untied.trusted);
}

TEST(RankTests, CountsOfDoublesAgreeWithThoseOfIntegers) {
  // 64 against 64 are counted in integers; the same as rank sums of values that are tied nowhere.
  const RankDistribution exact(64, 64);
  const std::vector<double> sums = CountRankSums(std::vector<uint32_t>(128, 1), 64);
  ASSERT_EQ(sums.size(), 2u * 64 * 64 + 1);
  double all = 0;
  for (const double count : sums) all += count;
  double sum = 0;
  for (int u = 0; u <= 64 * 32; ++u) {
    sum += sums[static_cast<size_t>(2 * u)];
    ASSERT_NEAR(sum / all / exact.AtMost(u), 1, 1e-12) << u;
  }
}

TEST(RankTests, TheApproximationIsCloseWhereBothExist) {
  const RankDistribution exact(85, 85);
  const RankDistribution approximate(300, 301);
  ASSERT_TRUE(exact.exact());
  ASSERT_FALSE(approximate.exact());
  EXPECT_NEAR(approximate.interval_coverage(), 0.95, 0.005);
  // The same distance from the mean in units of the deviation.
  const double ratio = std::sqrt((300.0 * 301 * 602) / (85.0 * 85 * 171));
  for (const int distance : {200, 400, 640, 800, 1100}) {
    const auto u = static_cast<int64_t>(300 * 301 / 2 - std::lround(distance * ratio));
    EXPECT_NEAR(approximate.TwoSided(u), exact.TwoSided(85 * 85 / 2 - distance), 0.004) << distance;
  }
}

TEST(RankTests, CliffsDeltaCountsPairs) {
  EXPECT_EQ(CliffsDelta(std::vector<double>{1, 2}, std::vector<double>{3, 4}), 1);
  EXPECT_EQ(CliffsDelta(std::vector<double>{3, 4}, std::vector<double>{1, 2}), -1);
  EXPECT_EQ(CliffsDelta(std::vector<double>{1, 3}, std::vector<double>{1, 3}), 0);
  EXPECT_EQ(CliffsDelta(std::vector<double>{1, 2}, std::vector<double>{2, 3}), 0.75);
}

TEST(RankTests, SayHowManyRunsAreNeeded) {
  EXPECT_DOUBLE_EQ(SmallestAttainableP(3, 3), 0.1);
  EXPECT_DOUBLE_EQ(SmallestAttainableP(4, 4), 2.0 / 70);
  EXPECT_DOUBLE_EQ(SmallestAttainableP(5, 6), 2.0 / 462);
  EXPECT_DOUBLE_EQ(SmallestAttainableP(6, 5), 2.0 / 462);
  EXPECT_EQ(SmallestAttainableP(1, 1), 1);
  EXPECT_EQ(SmallestAttainableP(1000, 1000), 0);
  for (int n = 5; n <= 12; ++n) {
    for (int m = 5; m <= 12; ++m) {
      EXPECT_DOUBLE_EQ(SmallestAttainableP(n, m), RankDistribution(n, m).TwoSided(0));
    }
  }
  EXPECT_EQ(RunsNeeded(0.05, 1), 5);
  EXPECT_EQ(RunsNeeded(0.05, 6), 5);
  EXPECT_EQ(RunsNeeded(0.05, 7), 6);
  EXPECT_EQ(RunsNeeded(0.05, 100), 8);
  EXPECT_EQ(RunsNeeded(0.05, 1000), 9);
  EXPECT_EQ(RunsNeeded(1e-300, 1000000000), RunsNeeded(1e-309, 1));
}

}  // namespace
}  // namespace rangewise::analysis
