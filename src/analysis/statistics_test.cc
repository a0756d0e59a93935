#include "analysis/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace rangewise::analysis {
namespace {

PlainStatistics Of(std::vector<int64_t> values) {
  const std::optional<PlainStatistics> statistics = Summarise(values);
  EXPECT_TRUE(statistics.has_value());
  return statistics.value_or(PlainStatistics{});
}

TEST(Statistics, OfOneValue) {
  const PlainStatistics one = Of({-42});
  EXPECT_EQ(one.total, -42);
  EXPECT_EQ(one.minimum, -42);
  EXPECT_EQ(one.maximum, -42);
  EXPECT_EQ(one.mean, -42.0);
  EXPECT_EQ(one.deviation, 0.0);
  EXPECT_FALSE(std::signbit(one.deviation));
  EXPECT_EQ(one.median_low, -42);
  EXPECT_TRUE(one.median_is_whole);
}

TEST(Statistics, OfAnEvenCountHasTwoMiddleValues) {
  const PlainStatistics four = Of({9, 1, 4, 2});
  EXPECT_EQ(four.median_low, 2);
  EXPECT_EQ(four.median_high, 4);
  EXPECT_FALSE(four.median_is_whole);
  EXPECT_EQ(four.mean, 4.0);
  EXPECT_EQ(four.deviation, std::sqrt(38.0 / 3));
}

TEST(Statistics, OfEqualValuesOfEvenCountIsNotWholeAllTheSame) {
  const PlainStatistics equal = Of({5, 5});
  EXPECT_EQ(equal.median_low, 5);
  EXPECT_EQ(equal.median_high, 5);
  EXPECT_FALSE(equal.median_is_whole);
  EXPECT_EQ(equal.deviation, 0.0);
}

TEST(Statistics, RoundsTheMeanOnceWithTiesToEven) {
  EXPECT_EQ(Of({9007199254740993}).mean, 9007199254740992.0);  // 2^53 + 1: a tie
  EXPECT_EQ(Of({9007199254740995}).mean, 9007199254740996.0);
  EXPECT_EQ(Of({9007199254740993, 9007199254740994, 9007199254740993}).mean,
            9007199254740994.0);  // + 1/3
  EXPECT_EQ(Of({1, 1, 2}).mean, 4.0 / 3);
}

TEST(Statistics, HoldsTheWidestSpread) {
  const PlainStatistics wide = Of({INT64_MIN, INT64_MAX});
  EXPECT_EQ(wide.total, -1);
  EXPECT_EQ(wide.mean, -0.5);
  EXPECT_EQ(wide.deviation, 0x1.6a09e667f3bcdp+63);  // (2^64 - 1) / sqrt(2)
}

TEST(Statistics, TellsATotalBeyond64Bits) {
  std::vector<int64_t> values = {INT64_MAX, 1};
  EXPECT_FALSE(Summarise(values).has_value());
  values = {INT64_MIN, -1};
  EXPECT_FALSE(Summarise(values).has_value());
  values = {INT64_MAX, 1, -1};
  EXPECT_TRUE(Summarise(values).has_value());
}

TEST(Statistics, InterpolatesPercentilesByTypeSeven) {
  // NumPy's percentile([15, 20, 35, 40, 50], [90, 95, 99]).
  const PlainStatistics five = Of({50, 15, 40, 20, 35});
  EXPECT_EQ(five.p90, 46.0);
  EXPECT_EQ(five.p95, 48.0);
  EXPECT_EQ(five.p99, 49.6);
  std::vector<int64_t> hundred_and_one;
  for (int64_t i = 100; i >= 0; --i) hundred_and_one.push_back(i);
  const PlainStatistics ranks = Of(hundred_and_one);
  EXPECT_EQ(ranks.p90, 90.0);
  EXPECT_EQ(ranks.p95, 95.0);
  EXPECT_EQ(ranks.p99, 99.0);
  EXPECT_EQ(Of({7}).p99, 7.0);
  EXPECT_EQ(Of({7, 7, 7}).p90, 7.0);
}

TEST(Statistics, TakesTheMedianOfDeviationsFromTheMedian) {
  EXPECT_EQ(Of({1, 1, 2, 2, 4, 6, 9}).mad, 1.0);
  EXPECT_EQ(Of({1, 4}).mad, 1.5);          // the median is 2.5
  EXPECT_EQ(Of({1, 2, 5, 100}).mad, 2.0);  // deviations 1.5, 1.5, 2.5, 96.5 from 3.5
  EXPECT_EQ(Of({3, 3, 3, 90}).mad, 0.0);
  EXPECT_EQ(Of({3}).mad, 0.0);
  EXPECT_EQ(Of({INT64_MIN, INT64_MAX}).mad, 0x1p63);
}

TEST(Statistics, GiveNoVariationAroundAMeanOfZero) {
  model::Statistics<HostNs> statistics;
  statistics.stddev_ns = 3;
  EXPECT_FALSE(model::CvRatio(statistics).has_value());
  statistics.mean_ns = 12;
  EXPECT_EQ(model::CvRatio(statistics), 0.25);
  statistics.mean_ns = -12;
  EXPECT_EQ(model::CvRatio(statistics), -0.25);
}

TEST(Statistics, MedianOfLargeValuesDoesNotOverflow) {
  model::Statistics<HostNs> statistics;
  statistics.median_low = {INT64_MAX - 2};
  statistics.median_high = {INT64_MAX};
  EXPECT_EQ(model::MedianNs(statistics), 0x1p63);
  statistics.median_low = {-3};
  statistics.median_high = {0};
  EXPECT_EQ(model::MedianNs(statistics), -1.5);
}

}  // namespace
}  // namespace rangewise::analysis
