#include "render/units.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace rangewise::render {
namespace {

TEST(Units, DurationsTakeTheUnitOfTheirMagnitude) {
  EXPECT_EQ(Duration(HostNs{0}), "0 ns");
  EXPECT_EQ(Duration(HostNs{999}), "999 ns");
  EXPECT_EQ(Duration(HostNs{1'000}), "1.000 us");
  EXPECT_EQ(Duration(HostNs{9'999}), "9.999 us");
  EXPECT_EQ(Duration(HostNs{99'994}), "99.99 us");
  EXPECT_EQ(Duration(HostNs{99'995}), "100.0 us");
  EXPECT_EQ(Duration(ProjectedNs{700'839}), "700.8 us");
  EXPECT_EQ(Duration(HostNs{999'949}), "999.9 us");
  EXPECT_EQ(Duration(HostNs{999'950}), "1.000 ms");
  EXPECT_EQ(Duration(HostNs{2'500'000}), "2.500 ms");
  EXPECT_EQ(Duration(HostNs{59'999'999'999}), "60.00 s");
  EXPECT_EQ(Duration(HostNs{12'345'000'000'000}), "12,345.0 s");
}

TEST(Units, NegativeAndExtremeDurationsAreKept) {
  EXPECT_EQ(Duration(HostNs{-1'000'000'000}), "-1.000 s");
  EXPECT_EQ(Duration(HostNs{-5}), "-5 ns");
  EXPECT_EQ(Duration(HostNs{std::numeric_limits<int64_t>::max()}), "9,223,372,036.9 s");
  EXPECT_EQ(Duration(HostNs{std::numeric_limits<int64_t>::min()}), "-9,223,372,036.9 s");
}

TEST(Units, MeansKeepAFractionOfANanosecond) {
  EXPECT_EQ(DurationOfNs(0.0), "0 ns");
  EXPECT_EQ(DurationOfNs(-0.0), "0 ns");
  EXPECT_EQ(DurationOfNs(0.5), "0.50 ns");
  EXPECT_EQ(DurationOfNs(-12.25), "-12.25 ns");
  EXPECT_EQ(DurationOfNs(0.001), "0 ns");
  EXPECT_EQ(DurationOfNs(999.0), "999 ns");
  EXPECT_EQ(DurationOfNs(999.7), "1.000 us");
  EXPECT_EQ(DurationOfNs(285'021.5), "285.0 us");
  EXPECT_EQ(DurationOfNs(1e300), "9,200,000,000.0 s");
}

TEST(Units, SizesAreBinary) {
  EXPECT_EQ(Bytes(0), "0 B");
  EXPECT_EQ(Bytes(1'023), "1023 B");
  EXPECT_EQ(Bytes(1'024), "1.000 KiB");
  EXPECT_EQ(Bytes(1'048'576), "1.000 MiB");
  EXPECT_EQ(Bytes(1'048'575), "1.000 MiB");
  EXPECT_EQ(Bytes(1'047'000), "1,022.5 KiB");
  EXPECT_EQ(Bytes(std::numeric_limits<int64_t>::max()), "8,388,608.0 TiB");
}

TEST(Units, CountsHaveTheirNumber) {
  EXPECT_EQ(Counted(1, "launch", "launches"), "1 launch");
  EXPECT_EQ(Counted(0, "launch", "launches"), "0 launches");
  EXPECT_EQ(Counted(1'234'567, "launch", "launches"), "1,234,567 launches");
}

TEST(Units, AFixedUnitIsKept) {
  EXPECT_EQ(DurationIn(int64_t{1'234'567}, TimeUnit::kNs), "1,234,567 ns");
  EXPECT_EQ(DurationIn(int64_t{1'234'567}, TimeUnit::kUs), "1,234.567 us");
  EXPECT_EQ(DurationIn(int64_t{1'234'567}, TimeUnit::kMs), "1.235 ms");
  EXPECT_EQ(DurationIn(int64_t{1'234'567}, TimeUnit::kS), "0.001235 s");
  EXPECT_EQ(DurationIn(int64_t{-1'500}, TimeUnit::kUs), "-1.500 us");
  EXPECT_EQ(DurationIn(int64_t{-1}, TimeUnit::kMs), "0.000 ms");
  EXPECT_EQ(DurationIn(int64_t{1'234'567}, TimeUnit::kAuto), "1.235 ms");
  EXPECT_EQ(DurationIn(INT64_MIN, TimeUnit::kS), "-9,223,372,036.854776 s");
  EXPECT_EQ(DurationIn(1.5, TimeUnit::kNs), "1.50 ns");
  EXPECT_EQ(DurationIn(-0.001, TimeUnit::kNs), "0.00 ns");
  EXPECT_EQ(DurationIn(1'234'567.4, TimeUnit::kUs), "1,234.567 us");
  EXPECT_EQ(DurationIn(0.5, TimeUnit::kAuto), "0.50 ns");
  EXPECT_EQ(DurationIn(89'999'999'999'999.25, TimeUnit::kNs), "89,999,999,999,999.25 ns");
}

TEST(Units, ADeviationOfOneValueIsUnknown) {
  EXPECT_EQ(DeviationIn(0, 1, TimeUnit::kAuto), "unknown (1 value)");
  EXPECT_EQ(DeviationIn(0, 2, TimeUnit::kAuto), "0 ns");
}

// A hundred times such a value is not what a double holds.
TEST(Units, LargeDoublesKeepTheirDigits) {
  EXPECT_EQ(DurationIn(31'000'000'000'000'100.0, TimeUnit::kNs), "31,000,000,000,000,100 ns");
  EXPECT_EQ(DurationIn(9'000'000'000'000'001.0, TimeUnit::kNs), "9,000,000,000,000,001 ns");
  EXPECT_EQ(DurationIn(-9'000'000'000'000'001.0, TimeUnit::kNs), "-9,000,000,000,000,001 ns");
}

}  // namespace
}  // namespace rangewise::render
