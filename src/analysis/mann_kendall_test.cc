#include "analysis/mann_kendall.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace rangewise::analysis {
namespace {

RankTrend Of(std::vector<int64_t> values) { return MannKendall(values); }

int64_t SlowS(const std::vector<int64_t>& values) {
  int64_t s = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t j = i + 1; j < values.size(); ++j) {
      s += values[j] > values[i] ? 1 : values[j] < values[i] ? -1 : 0;
    }
  }
  return s;
}

TEST(MannKendall, IsExactForFewDistinctValues) {
  const RankTrend rising = Of({1, 2, 3, 4, 5});
  EXPECT_TRUE(rising.exact);
  EXPECT_EQ(rising.tau, 1.0);
  EXPECT_NEAR(rising.p, 2.0 / 120, 1e-15);
  const RankTrend falling = Of({5, 4, 3, 2, 1});
  EXPECT_EQ(falling.tau, -1.0);
  EXPECT_EQ(falling.p, rising.p);
  // Kendall's table: of 4 values, S = 4 either way has p = 2 * 4 / 24.
  EXPECT_NEAR(Of({1, 2, 4, 3}).p, 8.0 / 24, 1e-15);
  EXPECT_EQ(Of({2, 4, 1, 3}).p, 1.0);  // S is 0
}

TEST(MannKendall, CountsAllOrders) {
  // p against every order of seven values.
  std::vector<int64_t> order = {1, 2, 3, 4, 5, 6, 7};
  std::vector<int64_t> with_s(22, 0);  // orders by the absolute value of S
  do {
    ++with_s[static_cast<size_t>(std::abs(SlowS(order)))];
  } while (std::next_permutation(order.begin(), order.end()));
  std::mt19937_64 random(20260702);
  for (int round = 0; round < 200; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    double at_least = 0;
    for (auto s = static_cast<size_t>(std::abs(SlowS(order))); s < with_s.size(); ++s) {
      at_least += static_cast<double>(with_s[s]);
    }
    EXPECT_NEAR(Of(order).p, at_least / 5040, 1e-12);
  }
}

TEST(MannKendall, CorrectsForTies) {
  // By hand: S = 9, of 15 pairs 2 tied; the variance is (6*5*17 - 2 * 2*1*9) / 18.
  const RankTrend tied = Of({1, 1, 2, 4, 3, 3});
  EXPECT_FALSE(tied.exact);
  EXPECT_NEAR(tied.tau, 9 / std::sqrt(15.0 * 13), 1e-15);
  EXPECT_NEAR(tied.p, std::erfc(8 / std::sqrt((510.0 - 36) / 18) / std::sqrt(2.0)), 1e-15);
}

TEST(MannKendall, FindsNothingWhereNothingDiffers) {
  EXPECT_EQ(Of({}).p, 1.0);
  EXPECT_EQ(Of({4}).p, 1.0);
  const RankTrend equal = Of({4, 4, 4, 4});
  EXPECT_EQ(equal.p, 1.0);
  EXPECT_EQ(equal.tau, 0.0);
}

TEST(MannKendall, CountsPairsAsTwoLoopsDo) {
  std::mt19937_64 random(20260703);
  for (int round = 0; round < 300 && !HasFailure(); ++round) {
    std::vector<int64_t> values(2 + random() % 90);
    for (int64_t& value : values) value = static_cast<int64_t>(random() % 40);
    int64_t tied = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      tied +=
          std::count(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(i), values[i]);
    }
    const auto n = static_cast<int64_t>(values.size());
    const auto pairs = static_cast<double>(n * (n - 1) / 2);
    const double tau =
        static_cast<double>(SlowS(values)) / std::sqrt(pairs * (pairs - static_cast<double>(tied)));
    EXPECT_DOUBLE_EQ(Of(values).tau, pairs == static_cast<double>(tied) ? 0.0 : tau);
  }
}

// The approximation meets the exact distribution where one takes over from the other.
TEST(MannKendall, ApproximatesWhatItCountsExactly) {
  std::vector<int64_t> values(kMostExact + 1);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<int64_t>(i * 37 % values.size()) + static_cast<int64_t>(i) / 3;
  }
  for (size_t i = 0; i < values.size(); ++i) values[i] = values[i] * 100 + static_cast<int64_t>(i);
  const RankTrend approximate = Of(values);
  ASSERT_FALSE(approximate.exact);
  values.pop_back();
  const RankTrend exact = Of(values);
  ASSERT_TRUE(exact.exact);
  EXPECT_NEAR(approximate.p, exact.p, 0.03);
}

}  // namespace
}  // namespace rangewise::analysis
