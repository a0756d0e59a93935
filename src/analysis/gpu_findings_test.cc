#include "analysis/gpu_findings.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/analyze.h"
#include "analysis/thresholds.h"
#include "base/text.h"
#include "support/activity_builder.h"
#include "support/tables_builder.h"

namespace rangewise::analysis {
namespace {

using model::CallClass;
using model::Finding;
using testing::ActivityBuilder;
using testing::TablesBuilder;

// A capture range of 1,000,000 ns with iterations of 100,000 ns and a range `wait` in each.
struct Recording {
  explicit Recording(int64_t iterations) : count(iterations) {
    tables.Host(1, model::kNoParent, "capture", 1'000'000, 0, 0);
    for (int64_t i = 0; i < count; ++i) {
      tables.Host(10 + i, 1, "iteration " + std::to_string(i), 100'000, 0, 100'000 * i);
      tables.Host(100 + i, 10 + i, "wait", 50'000, 0, 100'000 * i + 10'000);
    }
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  // In each iteration two kernels, `busy` ns of 1,000 in all.
  Recording& Busy(int64_t busy) {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t start = 100'000 * i;
      gpu.Kernel("k", start, start + busy - 10, ActivityBuilder::In(10 + i));
      gpu.Kernel("k", start + 990, start + 1000, ActivityBuilder::In(10 + i));
    }
    return *this;
  }
  // Calls of the class in `wait`, of so many ns altogether.
  Recording& Calls(CallClass call_class, int64_t ns) {
    gpu.Call(call_class, ns / 2, ActivityBuilder::In(100));
    gpu.Call(call_class, ns - ns / 2, ActivityBuilder::In(100));
    return *this;
  }
  std::vector<Finding> Find(const char* capture = "capture") {
    const model::GpuActivity activity = gpu.Build();
    model::Harness harness;
    if (capture != nullptr) harness.capture_range = capture;
    Diagnostics diagnostics;
    Result<model::Analysis> made =
        Analyze(tables.tables(), harness, {.threads = 1, .gpu_activity = &activity}, diagnostics);
    EXPECT_TRUE(made.ok());
    return made->findings;
  }

  int64_t count;
  TablesBuilder tables;
  ActivityBuilder gpu{tables.tables().names};
};

const Finding* Of(const std::vector<Finding>& findings, Code code) {
  for (const Finding& finding : findings) {
    if (finding.code == code) return &finding;
  }
  return nullptr;
}

TEST(GpuFindings, IdleIterationsAreThoseWithAMedianBelowTheThreshold) {
  const std::vector<Finding> idle = Recording(4).Busy(499).Find();
  const Finding* finding = Of(idle, Code::kGpuIdleInIterations);
  ASSERT_NE(finding, nullptr);
  EXPECT_TRUE(finding->computed);
  EXPECT_EQ(finding->clock, model::FindingClock::kProjected);
  EXPECT_EQ(finding->iterations, (std::vector<int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(finding->sentence,
            "in the median iteration the GPU was busy for 49.9 % of the time from the start of its "
            "first to the end of its last operation (49.9 to 49.9 % over 4 iterations)");
  EXPECT_EQ(Of(Recording(4).Busy(500).Find(), Code::kGpuIdleInIterations), nullptr);

  const std::vector<Finding> few = Recording(2).Busy(100).Find();
  ASSERT_NE(Of(few, Code::kGpuIdleInIterations), nullptr);
  EXPECT_FALSE(Of(few, Code::kGpuIdleInIterations)->computed);
  EXPECT_EQ(Of(few, Code::kGpuIdleInIterations)->sentence,
            "2 iterations have a busy share; at least 3 are needed");
}

TEST(GpuFindings, WaitsAreAShareOfTheHostTimeOfTheCaptureRange) {
  Recording run(3);
  const std::vector<Finding> waits =
      run.Calls(CallClass::kSynchronising, 300'001).Calls(CallClass::kMemory, 600'000).Find();
  const Finding* finding = Of(waits, Code::kHostWaitsInSynchronisation);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->sentence,
            "30.0 % of the host time of the capture range (300,001 of 1,000,000 ns) passed in 2 CUDA "
            "calls that wait for the GPU");
  EXPECT_EQ(finding->clock, model::FindingClock::kHost);
  // The three `wait` take 150,000 ns, less than their calls: no share can be told of them.
  EXPECT_EQ(finding->paths, (std::vector<std::vector<std::string>>{{"capture"}}));
  EXPECT_EQ(finding->rows_total, 1);
  EXPECT_EQ(Of(waits, Code::kLaunchCallsDominate), nullptr);
  EXPECT_EQ(Of(Recording(3).Calls(CallClass::kSynchronising, 300'000).Find(),
               Code::kHostWaitsInSynchronisation),
            nullptr);
}

TEST(GpuFindings, LaunchesDominateFromHalfOfTheHostTimeOn) {
  const std::vector<Finding> launches = Recording(1).Calls(CallClass::kLaunching, 500'001).Find();
  ASSERT_NE(Of(launches, Code::kLaunchCallsDominate), nullptr);
  EXPECT_EQ(Of(launches, Code::kHostWaitsInSynchronisation), nullptr);
  EXPECT_EQ(Of(Recording(1).Calls(CallClass::kLaunching, 500'000).Find(), Code::kLaunchCallsDominate),
            nullptr);

  const std::vector<Finding> bare = Recording(1).Calls(CallClass::kLaunching, 500'001).Find(nullptr);
  ASSERT_NE(Of(bare, Code::kLaunchCallsDominate), nullptr);
  EXPECT_TRUE(Of(bare, Code::kLaunchCallsDominate)
                  ->sentence.starts_with("50.0 % of the host time of the top-level ranges"));
}

TEST(GpuFindings, AbstainWithoutCalls) {
  Recording run(3);
  run.gpu.activity().no_calls = "the export has no table of CUDA calls";
  const std::vector<Finding> findings = run.Find();
  for (const Code code : {Code::kHostWaitsInSynchronisation, Code::kLaunchCallsDominate}) {
    ASSERT_NE(Of(findings, code), nullptr);
    EXPECT_FALSE(Of(findings, code)->computed);
    EXPECT_EQ(Of(findings, code)->sentence, "the export has no table of CUDA calls");
  }
}

TEST(GpuFindings, AreExplainedWithTheirThresholds) {
  const auto says = [](Code code, std::string_view text) {
    return Describe(code).explanation.find(text) != std::string_view::npos;
  };
  EXPECT_TRUE(says(Code::kHostWaitsInSynchronisation,
                   Format("more than {} %", 100 * kThresholds.waits_host_share)));
  EXPECT_TRUE(says(Code::kLaunchCallsDominate,
                   Format("more than {} %", 100 * kThresholds.launches_host_share)));
  EXPECT_TRUE(says(Code::kGpuIdleInIterations, Format("below {}", kThresholds.idle_busy_share)));
  EXPECT_TRUE(
      says(Code::kGpuIdleInIterations, Format("from {} iterations", kThresholds.idle_fewest)));
}

}  // namespace
}  // namespace rangewise::analysis
