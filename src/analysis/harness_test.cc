#include "analysis/harness.h"

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

TEST(Analyze, NeedsHostRanges) {
  TablesBuilder builder;
  builder.Projected(1, kTop, "capture", 5);
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  ASSERT_FALSE(run.result.ok());
  EXPECT_EQ(run.result.error().code, Code::kNoHostRanges);
}

TEST(Analyze, ListsTopLevelNamesNearestFirstWhenTheCaptureRangeIsMissing) {
  TablesBuilder builder;
  builder.Host(1, kTop, "something else", 10)
      .Host(2, kTop, "captures", 10)
      .Host(3, 2, "capture", 5);
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  ASSERT_FALSE(run.result.ok());
  EXPECT_EQ(run.result.error().code, Code::kCaptureRangeMissing);
  ASSERT_EQ(run.result.error().details.size(), 1u);
  EXPECT_EQ(run.result.error().details[0],
            "top-level ranges, nearest name first: 'captures', 'something else'");
}

TEST(Analyze, ListsAtMostTenTopLevelNames) {
  TablesBuilder builder;
  for (int i = 0; i < 25; ++i) builder.Host(i + 1, kTop, "range " + std::to_string(i), 1);
  const Outcome run = AnalyseTables(builder, HarnessOf("range"));
  ASSERT_FALSE(run.result.ok());
  EXPECT_NE(run.result.error().details[0].find("'range 9' and 15 more"), std::string::npos)
      << run.result.error().details[0];
}

TEST(Analyze, RefusesTwoCaptureRanges) {
  TablesBuilder builder;
  builder.Thread(7, 9)
      .Host(5, kTop, "capture", 10, 0, 500)
      .Thread(7, 8)
      .Host(4, kTop, "capture", 10, 0, 300);
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  ASSERT_FALSE(run.result.ok());
  EXPECT_EQ(run.result.error().code, Code::kCaptureRangeAmbiguous);
  EXPECT_EQ(run.result.error().details[0], "'capture' (process 7, thread 8, range 4)");
  EXPECT_EQ(run.result.error().details[1], "'capture' (process 7, thread 9, range 5)");
}

TEST(Analyze, WithoutAHarnessScopesFromEachTopLevel) {
  TablesBuilder builder;
  builder.Host(1, kTop, "a", 10).Host(2, 1, "iteration 0", 5).Host(3, 2, "b", 2);
  builder.Projected(3, 2, "b", 7);
  const Outcome run = AnalyseTables(builder, Harness{});
  ASSERT_TRUE(run.result.ok());
  EXPECT_EQ(run.HostPaths(), (Strings{"a", "a>iteration 0", "a>iteration 0>b"}));
  EXPECT_EQ(run.ProjectedPaths(), Strings{"a>iteration 0>b|PushPop"});
  EXPECT_TRUE(run.analysis().iterations.empty());
  EXPECT_FALSE(run.analysis().iteration_summary.host_inclusive.has_value());
  EXPECT_EQ(run.Codes(), Strings{});
}

}  // namespace
}  // namespace rangewise::analysis
