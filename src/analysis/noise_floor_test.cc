#include "analysis/noise_floor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace rangewise::analysis {
namespace {

TEST(NoiseFloor, NeedsTenValuesAboveZero) {
  EXPECT_FALSE(MeasureNoise(std::vector<double>(9, 5.0)).has_value());
  std::vector<double> values(10, 5.0);
  ASSERT_TRUE(MeasureNoise(values).has_value());
  EXPECT_EQ(MeasureNoise(values)->log_ratio, 0);
  values[3] = 0;
  EXPECT_FALSE(MeasureNoise(values).has_value());
  values[3] = -1;
  EXPECT_FALSE(MeasureNoise(values).has_value());
}

TEST(NoiseFloor, GoesThroughAllHalvesOnce) {
  std::vector<double> values;
  for (int i = 0; i < 10; ++i) values.push_back(100 + i);
  EXPECT_EQ(MeasureNoise(values)->splits, 126);  // C(10, 5) / 2
  EXPECT_TRUE(MeasureNoise(values)->all_splits);
  values.push_back(200);
  EXPECT_EQ(MeasureNoise(values)->splits, 462);  // C(11, 5)
  values.push_back(201);
  EXPECT_EQ(MeasureNoise(values)->splits, 462);  // C(12, 6) / 2
  values.push_back(202);
  EXPECT_EQ(MeasureNoise(values)->splits, 1000);
  EXPECT_FALSE(MeasureNoise(values)->all_splits);
  EXPECT_EQ(MeasureNoise(values)->log_ratio, MeasureNoise(values)->log_ratio);
}

TEST(NoiseFloor, IsThePercentileOfTheHalvesDistances) {
  // Five runs at 100 and five at 110. A half with k of its five at 110 faces one with 5 - k. Of the
  // 25 pairs, k * k are 110 against 100 and (5 - k)^2 are 100 against 110, the rest are equal:
  // their median is log 1.1 where k is 0 or 5, (k = 4: 16 of 25 differ) also where it is 1 or 4,
  // else 0. By the 126 splits: 1 + 25 are log 1.1 apart, 100 are not.
  std::vector<double> values = {100, 100, 100, 100, 100, 110, 110, 110, 110, 110};
  EXPECT_DOUBLE_EQ(MeasureNoise(values)->log_ratio, std::log(110.0) - std::log(100.0));
  // All splits: the order of the values does not count.
  std::swap(values[1], values[8]);
  EXPECT_DOUBLE_EQ(MeasureNoise(values)->log_ratio, std::log(110.0) - std::log(100.0));
  // One run apart from nine moves no median.
  values.assign(10, 100);
  values[9] = 1000;
  EXPECT_EQ(MeasureNoise(values)->log_ratio, 0);
}

TEST(NoiseFloor, DrawnHalvesComeNearToAllHalves) {
  // 12 values are split in all ways; with 13 nearly the same cohort is drawn from.
  std::vector<double> values;
  for (int i = 0; i < 12; ++i) values.push_back(1000 + 7 * ((i * 5) % 12));
  const double all = MeasureNoise(values)->log_ratio;
  values.push_back(1000 + 7 * 5.5);
  const double drawn = MeasureNoise(values)->log_ratio;
  EXPECT_NEAR(drawn / all, 1, 0.15);
}

}  // namespace
}  // namespace rangewise::analysis
