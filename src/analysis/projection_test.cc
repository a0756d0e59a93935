#include "analysis/projection.h"

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

TEST(Analyze, TakesTheScopeOfAProjectedRangeFromTheHostTable) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 100).Host(2, 1, "outer", 50).Host(3, 2, "inner", 5);
  // The projection's own parents and name say otherwise.
  builder.Projected(1, kTop, "capture", 9).Projected(3, 1, "renamed", 4).WithoutLevel();
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  EXPECT_EQ(run.ProjectedPaths(), (Strings{"capture|PushPop", "outer>inner|PushPop"}));
  EXPECT_EQ(run.Codes(), Strings{"orphaned-gpu-ranges"});
}

TEST(Analyze, PlacesRangesThatOnlyTheProjectionKnowsByTheirOwnParents) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 100).Host(2, 1, "iteration 0", 50).Host(3, 2, "outer", 20);
  builder.Projected(1, kTop, "capture", 9)
      .Projected(2, 1, "iteration 0", 8)
      .Projected(12, 11, "async inner", 4)
      .StartEnd()
      .Projected(11, 3, "async outer", 5)
      .StartEnd()
      .Projected(13, 1, "in capture", 5)
      .StartEnd()
      .Projected(14, 2, "in iteration", 5)
      .StartEnd()
      .Projected(15, kTop, "alone", 5)
      .StartEnd()
      .Projected(16, 404, "parent gone", 5)
      .StartEnd();
  builder.Thread(1, 2).Projected(17, 3, "elsewhere", 5).StartEnd();
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  ASSERT_TRUE(run.result.ok());
  EXPECT_EQ(run.ProjectedPaths(),
            (Strings{"alone|StartEnd", "capture|PushPop", "elsewhere|StartEnd",
                     "in capture|StartEnd", "in iteration|StartEnd", "outer>async outer|StartEnd",
                     "outer>async outer>async inner|StartEnd", "parent gone|StartEnd"}));
  EXPECT_EQ(run.Codes(), Strings{"single-iteration"});
}

TEST(Analyze, SortsProjectedGroupsByPathThenStyle) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 100).Host(2, 1, "work", 50);
  builder.Projected(1, kTop, "capture", 9)
      .Projected(8, 1, "work", 4, 30, 2)
      .StartEnd()
      .Projected(2, 1, "work", 3);
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  EXPECT_EQ(run.ProjectedPaths(), (Strings{"capture|PushPop", "work|PushPop", "work|StartEnd"}));
  EXPECT_EQ(run.analysis().projected_groups[2].host_total.ns, 30);
  EXPECT_EQ(run.analysis().projected_groups[2].operations, 2);
}

TEST(Analyze, WarnsOfOrphanedGpuRanges) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 100);
  builder.Projected(1, kTop, "capture", 9)
      .Projected(6, kTop, "twin", 4)
      .WithoutLevel()
      .Projected(5, kTop, "twin", 4)
      .WithoutLevel()
      .Projected(7, kTop, "async", 4)
      .StartEnd();
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  EXPECT_EQ(run.Codes(), Strings{"orphaned-gpu-ranges"});
  EXPECT_EQ(run.Sentence(Code::kOrphanedGpuRanges),
            "2 push/pop ranges of the GPU projection are not in the host table or without a level, "
            "for example 'twin' "
            "(process 1, thread 1, range 5)");
}

TEST(Analyze, WarnsWhenOnlyTheCaptureRangeIsNotProjected) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 100).Host(2, 1, "a", 5).Projected(2, 1, "a", 3);
  EXPECT_EQ(AnalyseTables(builder, HarnessOf("capture")).Codes(),
            Strings{"missing-gpu-capture-range"});
}

}  // namespace
}  // namespace rangewise::analysis
