#include "analysis/iterations.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/analysis_outcome.h"
#include "support/tables_builder.h"

namespace rangewise::analysis {
namespace {

using model::Harness;
using testing::AnalyseTables;
using testing::HarnessOf;
using testing::Outcome;
using testing::TablesBuilder;

constexpr int64_t kTop = model::kNoParent;
using Strings = std::vector<std::string>;

TEST(Analyze, TakesOnlyDirectChildrenOnTheCapturesThreadAsIterations) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 100)
      .Host(2, 1, "iteration 0", 10)
      .Host(3, 2, "iteration 7", 5)
      .Host(4, 1, "iteration 1b", 5)
      .Host(5, 1, "my iteration 2", 5)
      .Host(6, 1, "iteration ", 5)
      .Host(7, kTop, "iteration 8", 5)
      .Thread(1, 2)
      .Host(8, 1, "iteration 9", 5);
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  ASSERT_TRUE(run.result.ok());
  ASSERT_EQ(run.analysis().iterations.size(), 1u);
  EXPECT_EQ(run.analysis().iterations[0].index, 0);
  EXPECT_EQ(run.HostPaths(), (Strings{"capture", "iteration ", "iteration 1b", "iteration 7",
                                      "iteration 8", "iteration 9", "my iteration 2"}));
}

TEST(Analyze, RefusesTwoIterationsOfOneIndex) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 100)
      .Host(3, 1, "iteration 007", 10)
      .Host(2, 1, "iteration 7", 10);
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  ASSERT_FALSE(run.result.ok());
  EXPECT_EQ(run.result.error().code, Code::kDuplicateIteration);
  EXPECT_EQ(run.result.error().message, "two ranges of the capture are iteration 7");
  EXPECT_EQ(run.result.error().details,
            (Strings{"'iteration 7' (process 1, thread 1, range 2)",
                     "'iteration 007' (process 1, thread 1, range 3)"}));
}

TEST(Analyze, RefusesAnIndexBeyond64Bits) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 100).Host(2, 1, "iteration 9223372036854775808", 10);
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  ASSERT_FALSE(run.result.ok());
  EXPECT_EQ(run.result.error().code, Code::kIterationIndexTooLarge);
}

TEST(Analyze, TakesTheLargestIndex) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 100).Host(2, 1, "iteration 9223372036854775807", 10);
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  ASSERT_TRUE(run.result.ok());
  EXPECT_EQ(run.analysis().iterations.at(0).index, INT64_MAX);
}

TEST(Analyze, MissesIterationsExactlyWithoutListingThem) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 100).Host(2, 1, "iteration 1", 10).Host(3, 1, "iteration 3", 10);
  builder.Projected(1, kTop, "capture", 9)
      .Projected(2, 1, "iteration 1", 3)
      .Projected(3, 1, "iteration 3", 3);
  const Outcome run = AnalyseTables(builder, HarnessOf("capture", 1'000'000'000'000));
  ASSERT_TRUE(run.result.ok());
  EXPECT_EQ(run.Codes(), Strings{"missing-iterations"});
  EXPECT_EQ(run.Sentence(Code::kMissingIterations),
            "999999999998 of 1000000000000 expected iterations were not found: 0, 2, 4, 5, 6, 7, "
            "8, 9, 10, 11 and "
            "999999999988 more");
}

TEST(Analyze, NamesUnexpectedIterations) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 100).Host(2, 1, "iteration 0", 10).Host(3, 1, "iteration 5", 10);
  builder.Projected(1, kTop, "capture", 9)
      .Projected(2, 1, "iteration 0", 3)
      .Projected(3, 1, "iteration 5", 3);
  const Outcome run = AnalyseTables(builder, HarnessOf("capture", 1));
  EXPECT_EQ(run.Codes(), Strings{"unexpected-iterations"});
  EXPECT_EQ(run.Sentence(Code::kUnexpectedIterations), "1 iteration beyond the 1 expected: 5");
}

TEST(Analyze, UnitesHostAndProjectedIterations) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 100).Host(2, 1, "iteration 0", 10).Host(3, 1, "iteration 2", 20);
  builder.Projected(1, kTop, "capture", 9)
      .Projected(3, 1, "iteration 2", 3)
      .Projected(9, 1, "iteration 1", 4)
      .StartEnd()
      .Projected(10, 9, "work", 2);
  const Outcome run = AnalyseTables(builder, HarnessOf("capture", 3));
  ASSERT_TRUE(run.result.ok());
  const auto& iterations = run.analysis().iterations;
  ASSERT_EQ(iterations.size(), 3u);
  EXPECT_TRUE(iterations[0].host.has_value());
  EXPECT_FALSE(iterations[0].projection.has_value());
  EXPECT_FALSE(iterations[1].host.has_value());
  EXPECT_EQ(iterations[1].projection->projected.ns, 4);
  EXPECT_TRUE(iterations[2].host.has_value());
  EXPECT_TRUE(iterations[2].projection.has_value());
  EXPECT_EQ(run.Codes(),
            (Strings{"missing-host-iterations", "missing-gpu-projection", "orphaned-gpu-ranges"}));
  EXPECT_EQ(run.Sentence(Code::kMissingHostIterations),
            "1 iteration is in the GPU projection and not in the host table: 1");
  EXPECT_EQ(run.Sentence(Code::kMissingGpuProjection), "1 iteration has no GPU projection: 0");
  EXPECT_EQ(run.ProjectedPaths(), (Strings{"capture|PushPop", "work|PushPop"}));
  EXPECT_EQ(run.analysis().iteration_summary.projected_iterations, 2);
  EXPECT_EQ(run.analysis().iteration_summary.projected->total.ns, 7);
}

TEST(Analyze, RefusesAProjectedIterationOfAHostIterationsIndex) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 100).Host(2, 1, "iteration 0", 10);
  builder.Projected(9, 1, "iteration 0", 4).StartEnd();
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  ASSERT_FALSE(run.result.ok());
  EXPECT_EQ(run.result.error().code, Code::kDuplicateIteration);
}

TEST(Analyze, SaysOnceThatACaptureHasNoGpuWork) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 100).Host(2, 1, "iteration 0", 10).Host(3, 1, "iteration 1", 20);
  const Outcome run = AnalyseTables(builder, HarnessOf("capture", 2));
  ASSERT_TRUE(run.result.ok());
  EXPECT_EQ(run.Codes(), (Strings{"missing-gpu-projection", "missing-gpu-capture-range"}));
  EXPECT_TRUE(run.analysis().projected_groups.empty());
  EXPECT_FALSE(run.analysis().iteration_summary.projected.has_value());
}

TEST(Analyze, WarnsOfASingleIteration) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 100).Host(2, 1, "iteration 0", 10);
  builder.Projected(1, kTop, "capture", 9).Projected(2, 1, "iteration 0", 3);
  EXPECT_EQ(AnalyseTables(builder, HarnessOf("capture", 1)).Codes(), Strings{"single-iteration"});
}

TEST(Analyze, TakesIndexesFromThePatternsFirstGroupAndComparesByCount) {
  TablesBuilder builder;
  builder.Host(1, kTop, "Loop", 100)
      .Host(2, 1, "Step 10 to 20", 10)
      .Host(3, 1, "Step 20 to 30", 10)
      .Host(4, 1, "a Step 20 to 30", 10);
  builder.Projected(1, kTop, "Loop", 9).Projected(2, 1, "x", 3).Projected(3, 1, "x", 3);
  Harness harness = HarnessOf("Loop", 2);
  harness.iteration_pattern = R"(Step (\d+) to \d+)";
  const Outcome run = AnalyseTables(builder, harness);
  ASSERT_TRUE(run.result.ok());
  ASSERT_EQ(run.analysis().iterations.size(), 2u);
  EXPECT_EQ(run.analysis().iterations[0].index, 10);
  EXPECT_EQ(run.analysis().iterations[1].index, 20);
  EXPECT_EQ(run.Codes(), Strings{});

  harness.expected_iterations = 3;
  EXPECT_EQ(AnalyseTables(builder, harness).Sentence(Code::kMissingIterations),
            "2 iterations found, and 3 expected");
  harness.expected_iterations = 1;
  EXPECT_EQ(AnalyseTables(builder, harness).Sentence(Code::kUnexpectedIterations),
            "2 iterations found, and 1 expected");
}

TEST(Analyze, NamesThePatternThatMatchesNothing) {
  TablesBuilder builder;
  builder.Host(1, kTop, "Loop", 100).Host(2, 1, "Step 1", 10);
  Harness harness = HarnessOf("Loop");
  harness.iteration_pattern = "step .*";
  const std::string sentence =
      "no range directly within the capture range has a name that the iteration pattern 'step .*' "
      "matches as a whole";
  EXPECT_EQ(AnalyseTables(builder, harness).Sentence(Code::kMissingIterations), sentence);
  harness.expected_iterations = 1;
  const Outcome run = AnalyseTables(builder, harness);
  EXPECT_EQ(run.Sentence(Code::kMissingIterations), sentence + ", and 1 iteration is expected");
  harness.iteration_pattern = "Step .*";
  EXPECT_EQ(AnalyseTables(builder, harness).Codes(),
            (Strings{"missing-gpu-projection", "single-iteration", "missing-gpu-capture-range"}));
}

TEST(Analyze, NumbersInTimeOrderWhenThePatternHasNoGroup) {
  TablesBuilder builder;
  builder.Host(1, kTop, "Loop", 100, 0, 0)
      .Host(2, 1, "step", 30, 0, 300)
      .Host(3, 1, "step", 10, 0, 100)
      .Host(4, 1, "step", 20, 0, 200);
  Harness harness = HarnessOf("Loop", 3);
  harness.iteration_pattern = "s..p";
  const Outcome run = AnalyseTables(builder, harness);
  ASSERT_TRUE(run.result.ok());
  ASSERT_EQ(run.analysis().iterations.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(run.analysis().iterations[i].index, i);
    EXPECT_EQ(run.analysis().iterations[i].host->inclusive.ns, 10 * (i + 1));
  }
}

TEST(Analyze, RefusesPatternsThatDoNotServe) {
  TablesBuilder builder;
  builder.Host(1, kTop, "Loop", 100)
      .Host(2, 1, "Step x", 10)
      .Host(3, 1, "Step 99999999999999999999", 10);
  Harness harness = HarnessOf("Loop");
  harness.iteration_pattern = "Step (";
  EXPECT_EQ(AnalyseTables(builder, harness).result.error().code, Code::kBadPattern);
  // The first star is an escaped one.
  harness.iteration_pattern = R"(\*Step (*))";
  EXPECT_EQ(AnalyseTables(builder, harness).result.error().details,
            Strings{"the piece at fault is '*', at byte 9 of the pattern"});
  harness.iteration_pattern = "Step ([a-z])";
  const Outcome run = AnalyseTables(builder, harness);
  ASSERT_FALSE(run.result.ok());
  EXPECT_EQ(run.result.error().code, Code::kBadPattern);
  EXPECT_NE(run.result.error().message.find("caught 'x' in the range 'Step x'"), std::string::npos);
  harness.iteration_pattern = R"(Step (\d+))";
  EXPECT_EQ(AnalyseTables(builder, harness).result.error().code, Code::kIterationIndexTooLarge);
}

}  // namespace
}  // namespace rangewise::analysis
