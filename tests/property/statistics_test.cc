// Statistics against exact rational arithmetic: a double is right when the exact value lies between
// the midpoints to its neighbours, or on one of them with an even significand. The check shares no
// code with what it checks.
#include "analysis/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace rangewise::analysis {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

cpp_rational Exact(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  const cpp_int significand = static_cast<int64_t>(std::ldexp(fraction, 53));
  exponent -= 53;
  const cpp_int power = cpp_int(1) << std::abs(exponent);
  return exponent >= 0 ? cpp_rational(significand * power) : cpp_rational(significand, power);
}

bool HasEvenSignificand(double value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits % 2 == 0;
}

// Whether `value` is the double nearest to x, where compare(m) is the sign of x - m for a rational
// m.
template <typename Compare>
::testing::AssertionResult IsNearest(double value, Compare compare) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const cpp_rational here = Exact(value);
  const cpp_rational low = (Exact(std::nextafter(value, -kInfinity)) + here) / 2;
  const cpp_rational high = (Exact(std::nextafter(value, kInfinity)) + here) / 2;
  const int above_low = compare(low);
  const int above_high = compare(high);
  const bool even = HasEvenSignificand(value);
  if (above_low < 0 || (above_low == 0 && !even))
    return ::testing::AssertionFailure() << value << " is too high";
  if (above_high > 0 || (above_high == 0 && !even))
    return ::testing::AssertionFailure() << value << " is too low";
  return ::testing::AssertionSuccess();
}

int Sign(const cpp_rational& value) { return value < 0 ? -1 : value > 0 ? 1 : 0; }

void Check(std::vector<int64_t> values, std::mt19937_64& random) {
  const auto n = static_cast<int64_t>(values.size());
  cpp_int total = 0;
  cpp_int squares = 0;
  for (const int64_t value : values) {
    total += value;
    squares += cpp_int(value) * value;
  }
  std::vector<int64_t> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  std::shuffle(values.begin(), values.end(), random);

  const std::optional<PlainStatistics> out = Summarise(values);
  if (total > std::numeric_limits<int64_t>::max() || total < std::numeric_limits<int64_t>::min()) {
    EXPECT_FALSE(out.has_value());
    return;
  }
  ASSERT_TRUE(out.has_value());
  EXPECT_EQ(cpp_int(out->total), total);
  EXPECT_EQ(out->minimum, sorted.front());
  EXPECT_EQ(out->maximum, sorted.back());
  EXPECT_EQ(out->median_high, sorted[static_cast<size_t>(n / 2)]);
  EXPECT_EQ(out->median_low, sorted[static_cast<size_t>((n - 1) / 2)]);
  EXPECT_EQ(out->median_is_whole, n % 2 == 1);

  model::Statistics<HostNs> middle;
  middle.median_low = {out->median_low};
  middle.median_high = {out->median_high};
  const cpp_rational median(cpp_int(out->median_low) + out->median_high, 2);
  EXPECT_TRUE(
      IsNearest(model::MedianNs(middle), [&](const cpp_rational& m) { return Sign(median - m); }));

  const cpp_rational mean(total, cpp_int(n));
  EXPECT_TRUE(IsNearest(out->mean, [&](const cpp_rational& m) { return Sign(mean - m); }));
  if (n == 1) {
    EXPECT_EQ(out->deviation, 0.0);
    return;
  }
  const cpp_rational variance(squares * n - total * total, cpp_int(n) * (n - 1));
  if (variance == 0) {
    EXPECT_EQ(out->deviation, 0.0);
    return;
  }
  EXPECT_GT(out->deviation, 0.0);
  // The root is above m exactly when the variance is above m squared; every m here is positive.
  EXPECT_TRUE(
      IsNearest(out->deviation, [&](const cpp_rational& m) { return Sign(variance - m * m); }));
}

// The percentiles and the median absolute deviation of `values`, by their definitions.
void CheckOrderStatistics(std::vector<int64_t> values, std::mt19937_64& random) {
  std::vector<cpp_rational> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  std::shuffle(values.begin(), values.end(), random);
  const std::optional<PlainStatistics> out = Summarise(values);
  if (!out) return;
  const auto middle_of = [](const std::vector<cpp_rational>& list) -> cpp_rational {
    return (list[(list.size() - 1) / 2] + list[list.size() / 2]) / 2;
  };
  const auto percentile = [&](int percent) -> cpp_rational {
    const cpp_rational place = cpp_rational(percent * (cpp_int(sorted.size()) - 1), 100);
    const auto rank = static_cast<size_t>(cpp_int(numerator(place) / denominator(place)));
    if (rank + 1 == sorted.size()) return sorted[rank];
    return sorted[rank] + (place - rank) * (sorted[rank + 1] - sorted[rank]);
  };
  const auto nearest = [](double value, const cpp_rational& exact) {
    if (exact == 0) {
      return value == 0 ? ::testing::AssertionSuccess() : ::testing::AssertionFailure() << value;
    }
    return IsNearest(value, [&](const cpp_rational& m) { return Sign(exact - m); });
  };
  EXPECT_TRUE(nearest(out->p90, percentile(90)));
  EXPECT_TRUE(nearest(out->p95, percentile(95)));
  EXPECT_TRUE(nearest(out->p99, percentile(99)));

  const cpp_rational median = middle_of(sorted);
  std::vector<cpp_rational> deviations;
  for (const cpp_rational& value : sorted) deviations.push_back(abs(value - median));
  std::sort(deviations.begin(), deviations.end());
  EXPECT_TRUE(nearest(out->mad, middle_of(deviations)));
}

// `count` values of up to `bits` bits around `offset`, of both signs when `is_signed`.
std::vector<int64_t> Values(std::mt19937_64& random, size_t count, int bits, int64_t offset,
                            bool is_signed) {
  std::vector<int64_t> values(count);
  for (int64_t& value : values) {
    value = static_cast<int64_t>(random() >> (64 - bits));
    if (is_signed && random() % 2 == 0) value = -value;
    value += offset;
  }
  return values;
}

TEST(StatisticsProperty, EqualExactArithmeticOnSmallGroups) {
  std::mt19937_64 random(20260601);
  for (int round = 0; round < 4000 && !HasFailure(); ++round) {
    const size_t count = 1 + random() % 12;
    const int bits = 1 + static_cast<int>(random() % 62);
    const int64_t offset = random() % 3 == 0 ? static_cast<int64_t>(random() >> 3) : 0;
    SCOPED_TRACE(round);
    Check(Values(random, count, bits, offset, random() % 2 == 0), random);
  }
}

TEST(StatisticsProperty, EqualExactArithmeticOnLargeGroups) {
  std::mt19937_64 random(20260602);
  for (const size_t count :
       {size_t{100}, size_t{999}, size_t{1000}, size_t{4096}, size_t{9999}, size_t{10000}}) {
    for (const int bits : {1, 20, 31, 48, 62}) {
      SCOPED_TRACE(count);
      Check(Values(random, count, bits, 0, false), random);
      Check(Values(random, count, bits, 0, true), random);
      std::vector<int64_t> balanced = Values(random, count / 2, bits, 0, false);
      for (size_t i = 0, half = balanced.size(); i < half; ++i)
        balanced.push_back(-balanced[i] + 1);
      Check(balanced, random);
    }
  }
}

TEST(StatisticsProperty, GiveExactPercentilesAndMedianDeviations) {
  // Sizes on both sides of where values are sorted as a whole, and around the ranks of percentiles.
  std::mt19937_64 random(20260605);
  for (int round = 0; round < 300 && !HasFailure(); ++round) {
    const size_t count = 1 + random() % (round % 20 == 0 ? 1200 : 120);
    const int bits = 1 + static_cast<int>(random() % 62);
    SCOPED_TRACE(round);
    CheckOrderStatistics(Values(random, count, bits, 0, random() % 2 == 0), random);
  }
  CheckOrderStatistics({INT64_MIN, INT64_MAX}, random);
  CheckOrderStatistics({INT64_MIN, INT64_MAX, 0}, random);
  CheckOrderStatistics({INT64_MIN, INT64_MIN + 1, INT64_MAX - 1, INT64_MAX}, random);
}

TEST(StatisticsProperty, RoundTiesOfTheDeviationToEven) {
  // Two values d apart deviate by d / sqrt(2); three at -d, 0, d by d. So d of 54 bits and more
  // gives exact ties.
  std::mt19937_64 random(20260603);
  for (int round = 0; round < 500 && !HasFailure(); ++round) {
    const int64_t d = static_cast<int64_t>((uint64_t{1} << 53) | (random() >> 11)) | 1;
    Check({-d, 0, d}, random);
    Check({-2 * d, 0, 2 * d}, random);
    Check({-d - 1, 0, d + 1}, random);
    Check({d, d, d, d + 1}, random);
  }
}

TEST(StatisticsProperty, TellATotalThatDoesNotFit) {
  std::mt19937_64 random(20260604);
  std::vector<int64_t> values(10000, int64_t{1} << 62);
  EXPECT_FALSE(Summarise(values).has_value());
  Check(values, random);
  Check({int64_t{1} << 62, (int64_t{1} << 62) - 1}, random);
  Check({INT64_MIN, INT64_MAX, 1, INT64_MAX, INT64_MIN}, random);
}

}  // namespace
}  // namespace rangewise::analysis
