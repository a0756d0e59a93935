#include "analysis/gap_filling.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/gpu_work_bench.h"

namespace rangewise::analysis {
namespace {

using testing::ActivityBuilder;
using testing::GpuWorkBench;

constexpr int64_t kTop = model::kNoParent;

// A gap that begins in a copy, and is filled by what comes after it.
TEST(GapFilling, GapsAreFilledByTheRangeWithMostOfTheirTime) {
  GpuWorkBench bench;
  bench.capture = "capture";
  bench.tables.Host(1, kTop, "capture", 1000, 0, 0)
      .Host(2, 1, "Copy", 110, 0, 0)
      .Host(3, 1, "IO", 300, 0, 120)
      .Host(4, 3, "read", 90, 0, 200)
      .Host(5, 3, "read", 90, 0, 300)
      .Host(6, 1, "IO", 100, 0, 600)
      .Thread(700, 701)
      .Host(7, kTop, "elsewhere", 900, 0, 50);
  bench.gpu.Kernel("k", 0, 100, ActivityBuilder::In(2)).Kernel("k", 700, 800, ActivityBuilder::In(6));
  ASSERT_TRUE(bench.Run().ok());
  ASSERT_TRUE(bench.work().gaps.capture.has_value());
  EXPECT_EQ(bench.work().gaps.capture->start_ns, 0);
  const auto& largest = bench.work().gaps.capture->devices.at(0).largest;
  const auto text = [&](const std::vector<model::NameId>& range) {
    std::string names;
    for (const model::NameId name : range) names += "/" + std::string(bench.names.At(name));
    return names;
  };
  ASSERT_EQ(largest.size(), 2u);
  EXPECT_EQ(largest[0].length.ns, 600);
  EXPECT_EQ(text(largest[0].host_range), "/capture/Copy");
  // Of 100-700: Copy 10, IO 120-200, 290-300, 390-420 and 600-700, read 2 x 90, the capture itself 10 + 180.
  ASSERT_TRUE(largest[0].filling.has_value());
  EXPECT_EQ(text(largest[0].filling->range), "/capture/IO");
  EXPECT_EQ(largest[0].filling->time.ns, 220);
  EXPECT_DOUBLE_EQ(*largest[0].FillingShare(), 220 / 600.0);
  EXPECT_EQ(text(largest[1].filling->range), "/capture");
  EXPECT_EQ(largest[1].filling->time.ns, 200);
}

TEST(GapFilling, OverlappingRangesAndTiesAreDecidedByTheRanges) {
  GpuWorkBench bench;
  bench.capture = "capture";
  // `a` and `b` overlap: the shorter one is innermost where both are. They have 60 ns each.
  bench.tables.Host(1, kTop, "capture", 200, 0, 0).Host(2, 1, "b", 80, 0, 20).Host(3, 1, "a", 60, 0, 80);
  bench.gpu.Kernel("k", 0, 20, ActivityBuilder::In(2)).Kernel("k", 140, 200, ActivityBuilder::In(3));
  ASSERT_TRUE(bench.Run().ok());
  const model::IdleGap& gap = bench.work().gaps.capture->devices.at(0).largest.at(0);
  ASSERT_EQ(gap.length.ns, 120);
  ASSERT_TRUE(gap.filling.has_value());
  EXPECT_EQ(bench.names.At(gap.filling->range.back()), "a");
  EXPECT_EQ(gap.filling->time.ns, 60);
}

TEST(GapFilling, IsNotKnownWhereItWouldTakeTooLong) {
  GpuWorkBench bench;
  bench.capture = "capture";
  bench.tables.Host(1, kTop, "capture", 1000, 0, 0);
  for (int64_t i = 0; i < 50; ++i) bench.tables.Host(2 + i, 1, "x", 5, 0, 100 + 10 * i);
  bench.gpu.Kernel("k", 0, 100, ActivityBuilder::In(1)).Kernel("k", 900, 1000, ActivityBuilder::In(1));
  bench.options.most_pairs = 90;  // 100 stretches
  ASSERT_TRUE(bench.Run().ok());
  const auto& gaps = bench.work().gaps.capture->devices.at(0).largest;
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_FALSE(gaps[0].filling.has_value());
  EXPECT_NE(bench.work().null_reasons.at("gap_filling"), "");
}

}  // namespace
}  // namespace rangewise::analysis
