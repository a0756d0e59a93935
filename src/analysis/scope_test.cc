#include "analysis/scope.h"

#include <gtest/gtest.h>

#include <algorithm>
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

TEST(Analyze, GroupsByThePathAsAList) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 100)
      .Host(2, 1, "a.b", 1)
      .Host(3, 1, "a", 2)
      .Host(4, 3, "b", 3)
      .Host(5, 1, "a", 4)
      .Host(6, kTop, "a", 8);
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  EXPECT_EQ(run.HostPaths(), (Strings{"a", "a>b", "a.b", "capture"}));
  EXPECT_EQ(run.Host("a").instances, 3);
  EXPECT_EQ(run.Host("a").inclusive.total.ns, 14);
}

TEST(Analyze, SortsPathsByteByByteWithAPrefixFirst) {
  TablesBuilder builder;
  const Strings names = {"a\xC3\xA9",     "a", "a!", "B", std::string("a\0z", 3), "longer name 2",
                         "longer name 10"};
  int64_t id = 1;
  for (const std::string& name : names) {
    builder.Host(id, kTop, name, 1).Host(id + 1, id, "z", 1).Host(id + 2, id, "child", 1);
    id += 3;
  }
  const Outcome run = AnalyseTables(builder, Harness{});
  Strings sorted = names;
  std::sort(sorted.begin(), sorted.end());
  Strings expected;
  for (const std::string& name : sorted) {
    expected.push_back(name);
    expected.push_back(name + ">child");
    expected.push_back(name + ">z");
  }
  EXPECT_EQ(run.HostPaths(), expected);
}

TEST(Analyze, EndsAChainAtAMissingParentAndNeverLooksInAnotherThread) {
  TablesBuilder builder;
  builder.Thread(1, 1).Host(1, kTop, "capture", 100).Host(2, 1, "outer", 50);
  builder.Thread(1, 2).Host(3, 2, "stray", 5).Host(4, 3, "below", 1).Host(5, 999, "lost", 1);
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  ASSERT_TRUE(run.result.ok());
  EXPECT_EQ(run.HostPaths(), (Strings{"capture", "lost", "outer", "stray", "stray>below"}));
}

TEST(Analyze, TellsRangesOfOneIdInTwoThreadsApart) {
  TablesBuilder builder;
  builder.Thread(1, 1).Host(1, kTop, "capture", 100).Host(2, 1, "left", 50).Host(3, 2, "leaf", 1);
  builder.Thread(1, 2).Host(1, kTop, "other", 100).Host(2, 1, "right", 50).Host(3, 2, "leaf", 2);
  builder.Projected(3, kTop, "leaf", 7);
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  ASSERT_TRUE(run.result.ok());
  EXPECT_EQ(run.HostPaths(),
            (Strings{"capture", "left", "left>leaf", "other", "other>right", "other>right>leaf"}));
  EXPECT_EQ(run.ProjectedPaths(), Strings{"other>right>leaf|PushPop"});
}

TEST(Analyze, FindsParentsOfSparseAndExtremeIds) {
  TablesBuilder builder;
  builder.Host(INT64_MAX, kTop, "capture", 100)
      .Host(INT64_MIN + 1, INT64_MAX, "outer", 50)
      .Host(0, INT64_MIN + 1, "inner", 5);
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  ASSERT_TRUE(run.result.ok());
  EXPECT_EQ(run.HostPaths(), (Strings{"capture", "outer", "outer>inner"}));
}

TEST(Analyze, RefusesTwoRowsOfOneRange) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 100).Host(2, 1, "a", 50).Host(2, 1, "b", 50);
  EXPECT_EQ(AnalyseTables(builder, HarnessOf("capture")).result.error().code,
            Code::kDuplicateRange);

  for (const int64_t id : {1, 77}) {  // known to the host table, and not
    TablesBuilder projected;
    projected.Host(1, kTop, "capture", 100).Projected(id, kTop, "x", 1).Projected(id, kTop, "x", 1);
    EXPECT_EQ(AnalyseTables(projected, HarnessOf("capture")).result.error().code,
              Code::kDuplicateRange);
  }
}

TEST(Analyze, ListsTheRangesInALoop) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 100)
      .Host(9, 5, "leads in", 1)
      .Host(5, 7, "c", 1)
      .Host(3, 5, "a", 1)
      .Host(7, 3, "b", 1)
      .Host(20, 20, "its own parent", 1);
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  ASSERT_FALSE(run.result.ok());
  EXPECT_EQ(run.result.error().code, Code::kRangeCycle);
  EXPECT_EQ(run.result.error().details,
            (Strings{"'a' (process 1, thread 1, range 3)", "'c' (process 1, thread 1, range 5)",
                     "'b' (process 1, thread 1, range 7)"}));
}

TEST(Analyze, RefusesALoopThatOnlyTheProjectionHas) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 100);
  builder.Projected(8, 9, "x", 1).StartEnd().Projected(9, 8, "y", 1).StartEnd();
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  ASSERT_FALSE(run.result.ok());
  EXPECT_EQ(run.result.error().code, Code::kRangeCycle);
  EXPECT_EQ(run.result.error().details.size(), 2u);
}

TEST(Analyze, WarnsWhenTheCaptureRangesNameIsUsedBelowIt) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 100).Host(2, 1, "iteration 0", 50).Host(3, 2, "capture", 5);
  builder.Host(4, 1, "x", 5).Host(5, 4, "capture", 5);
  builder.Projected(1, kTop, "capture", 9).Projected(2, 1, "iteration 0", 3);
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  EXPECT_EQ(run.HostPaths(), (Strings{"capture", "x", "x>capture"}));
  EXPECT_EQ(run.Host("capture").instances, 2);
  EXPECT_EQ(run.Codes(), (Strings{"single-iteration", "capture-name-reused"}));
  EXPECT_EQ(run.Sentence(Code::kCaptureNameReused),
            "1 more range has the capture range's name and scope, so the totals of its group count "
            "time twice; the "
            "earliest is 'capture' (process 1, thread 1, range 3)");
}

TEST(Analyze, KeepsNegativeDurationsAndWarns) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 100).Host(3, 1, "late", -7).Host(2, 1, "early", -5);
  builder.Projected(1, kTop, "capture", 9);
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  EXPECT_EQ(run.Host("late").inclusive.total.ns, -7);
  EXPECT_EQ(run.Codes(), Strings{"negative-duration"});
  EXPECT_EQ(run.Sentence(Code::kNegativeDuration),
            "2 host ranges end before they start; the earliest is 'early' (process 1, thread 1, "
            "range 2)");
}

}  // namespace
}  // namespace rangewise::analysis
