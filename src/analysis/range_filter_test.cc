#include "analysis/range_filter.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analysis/analyze.h"
#include "support/analysis_outcome.h"
#include "support/tables_builder.h"

namespace rangewise::analysis {
namespace {

using testing::TablesBuilder;

// Two threads of process 7, the first its main thread, and one of process 9.
//   7/7: step 0 [0, 100] with load [10, 40]; step 1/2 [200, 300]; load [320, 340]
//   7/8: worker [20, 260]
//   9/9: other [0, 1000]
TablesBuilder& Fill(TablesBuilder& tables) {
  tables.Thread(7, 7)
      .Host(1, model::kNoParent, "step", 100, 30, 0)
      .Host(2, 1, "load", 30, 0, 10)
      .Host(3, model::kNoParent, "step/2", 100, 0, 200)
      .Host(4, model::kNoParent, "load", 20, 0, 320);
  tables.Thread(7, 8).Host(5, model::kNoParent, "worker", 240, 0, 20);
  tables.Thread(9, 9).Host(6, model::kNoParent, "other", 1000, 0, 0);
  return tables;
}

// The RangeIds that are kept.
std::vector<int64_t> Kept(const RangeFilters& filters) {
  TablesBuilder builder;
  const model::ReportTables& tables = Fill(builder).tables();
  const auto selection = SelectRanges(tables, filters);
  if (!selection.ok()) {
    ADD_FAILURE() << selection.error().message;
    return {};
  }
  std::vector<int64_t> ids;
  for (size_t i = 0; i < tables.host.size(); ++i) {
    if (selection->host[i]) ids.push_back(tables.host[i].range_id);
  }
  return ids;
}

Error Failure(const RangeFilters& filters) {
  TablesBuilder builder;
  const auto selection = SelectRanges(Fill(builder).tables(), filters);
  return selection.ok() ? Error{} : selection.error();
}

using Ids = std::vector<int64_t>;

TEST(RangeFilter, WithoutFiltersEveryRangeIsKept) {
  EXPECT_TRUE(RangeFilters{}.empty());
  EXPECT_EQ(Kept({}), (Ids{1, 2, 3, 4, 5, 6}));
}

TEST(RangeFilter, ATimeKeepsWhatOverlapsItWhole) {
  EXPECT_EQ(Kept({.time = TimeWindow{100, 150}}), (Ids{1, 5, 6}));  // 1 ends at 100
  EXPECT_EQ(Kept({.time = TimeWindow{101, 150}}), (Ids{5, 6}));
  EXPECT_EQ(Kept({.time = TimeWindow{{}, 20}}), (Ids{1, 2, 6}));  // 5 starts at 20
  EXPECT_EQ(Kept({.time = TimeWindow{{}, 21}}), (Ids{1, 2, 5, 6}));
  EXPECT_EQ(Kept({.time = TimeWindow{320, {}}}), (Ids{4, 6}));
}

TEST(RangeFilter, ANameKeepsItsWindowOnItsProcessOrThread) {
  // Of the main thread: the whole process.
  EXPECT_EQ(Kept({.nvtx = "step"}), (Ids{1, 2, 5}));
  EXPECT_EQ(Kept({.nvtx = "load"}), (Ids{1, 2, 5}));
  EXPECT_EQ(Kept({.nvtx = "load/0"}), (Ids{1, 2, 5}));
  EXPECT_EQ(Kept({.nvtx = "load/1"}), (Ids{4}));
  // Of another thread: that thread alone.
  EXPECT_EQ(Kept({.nvtx = "worker"}), (Ids{5}));
}

TEST(RangeFilter, ANamedRangeWithoutLengthIsKeptItself) {
  TablesBuilder builder;
  const model::ReportTables& tables =
      builder.Host(1, model::kNoParent, "outer", 100, 0, 0).Host(2, 1, "zero", 0, 0, 50).tables();
  const auto selection = SelectRanges(tables, {.nvtx = "zero"});
  ASSERT_TRUE(selection.ok()) << selection.error().message;
  EXPECT_TRUE(selection->host[1]);
  const auto outside = SelectRanges(tables, {.nvtx = "zero", .time = TimeWindow{60, 70}});
  ASSERT_TRUE(outside.ok()) << outside.error().message;
  EXPECT_TRUE(outside->host[0]);
  EXPECT_FALSE(outside->host[1]);
}

TEST(RangeFilter, ANameThatExistsWholeWinsOverAnIndex) {
  EXPECT_EQ(Kept({.nvtx = "step/2"}), (Ids{3, 5}));
  EXPECT_EQ(Kept({.nvtx = "step/2/0"}), (Ids{3, 5}));
}

TEST(RangeFilter, ANameCanSayItsDomain) {
  TablesBuilder builder;
  builder.Host(1, model::kNoParent, "x", 10, 0, 0);
  model::ReportTables& tables = builder.tables();
  model::HostRange row = tables.host[0];
  row.name = tables.names.Intern("lib:mul", 3);
  row.range_id = 2;
  row.start = {100};
  tables.host.push_back(row);
  for (const char* name : {"mul@lib", "mul@lib/0", "lib:mul"}) {
    const auto selection = SelectRanges(tables, {.nvtx = name});
    ASSERT_TRUE(selection.ok()) << name;
    EXPECT_EQ(selection->host, (std::vector<bool>{false, true})) << name;
  }
  EXPECT_FALSE(SelectRanges(tables, {.nvtx = "mul"}).ok());
  const auto of_domain = SelectRanges(tables, {.domains = {"lib"}});
  ASSERT_TRUE(of_domain.ok());
  EXPECT_EQ(of_domain->host, (std::vector<bool>{false, true}));
}

TEST(RangeFilter, ThreadsProcessesAndExcludedNames) {
  EXPECT_EQ(Kept({.threads = {8}}), (Ids{5}));
  EXPECT_EQ(Kept({.threads = {8, 9}}), (Ids{5, 6}));
  EXPECT_EQ(Kept({.processes = {9}}), (Ids{6}));
  EXPECT_EQ(Kept({.threads = {7}, .processes = {7}, .exclude = {"step.*"}}), (Ids{2, 4}));
  EXPECT_EQ(Kept({.exclude = {"step", "l.*d", "worker"}}), (Ids{3, 6}));
}

TEST(RangeFilter, AProjectedRangeIsKeptWithItsHostRange) {
  TablesBuilder builder;
  Fill(builder);
  builder.Thread(7, 7).Projected(2, 1, "load", 5).Projected(77, model::kNoParent, "async", 5);
  builder.StartEnd();
  const model::ReportTables& tables = builder.tables();
  const auto by_time = SelectRanges(tables, {.time = TimeWindow{0, 20}});
  ASSERT_TRUE(by_time.ok());
  EXPECT_EQ(by_time->projected, (std::vector<bool>{true, false}));
  const auto by_thread = SelectRanges(tables, {.threads = {7}});
  ASSERT_TRUE(by_thread.ok());
  EXPECT_EQ(by_thread->projected, (std::vector<bool>{true, true}));
}

TEST(RangeFilter, NothingSelectedShowsWhatIsNear) {
  const Error name = Failure({.nvtx = "lod"});
  EXPECT_EQ(name.code, Code::kNothingSelected);
  EXPECT_EQ(name.message, "--filter-nvtx: no push/pop range is named 'lod'");
  ASSERT_EQ(name.details.size(), 1U);
  EXPECT_EQ(name.details[0].find("the nearest names are 'load', "), 0U) << name.details[0];
  EXPECT_EQ(Failure({.nvtx = "load/2"}).message,
            "--filter-nvtx: there are 2 ranges named 'load', so the index is 0 to 1 and not 2");
  EXPECT_EQ(Failure({.nvtx = "worker/99999999999999999999"}).message,
            "--filter-nvtx: there is 1 range named 'worker', so the index is 0 and not "
            "99999999999999999999");
  const Error thread = Failure({.threads = {10}});
  EXPECT_EQ(thread.code, Code::kNothingSelected);
  EXPECT_EQ(thread.details, std::vector<std::string>{"the threads are '7', '8', '9'"});
  EXPECT_EQ(Failure({.domains = {"x"}}).details,
            std::vector<std::string>{"tables of nsys before 2024.4 do not tell domains"});
  EXPECT_EQ(Failure({.exclude = {".*"}}).code, Code::kNothingSelected);
  EXPECT_EQ(Failure({.exclude = {"("}}).code, Code::kBadPattern);
}

TEST(RangeFilter, TimesHaveUnits) {
  const auto window = ParseTimeWindow("1us/2s");
  ASSERT_TRUE(window.has_value());
  EXPECT_EQ(window->from, 1'000);
  EXPECT_EQ(window->to, 2'000'000'000);
  EXPECT_EQ(ParseTimeWindow("5/")->to, std::nullopt);
  EXPECT_EQ(ParseTimeWindow("/7ms")->to, 7'000'000);
  for (const char* bad : {"", "/", "5", "2/1", "2/2", "a/b", "1/2/3", "1m/2", "1.5s/2s",
                          "9223372036854775807s/"}) {
    EXPECT_FALSE(ParseTimeWindow(bad).has_value()) << bad;
  }
}

TEST(RangeFilter, OnlyKeptRangesAreInGroups) {
  TablesBuilder builder;
  const model::ReportTables& tables = Fill(builder).tables();
  const auto selection = SelectRanges(tables, {.exclude = {"load"}});
  ASSERT_TRUE(selection.ok());
  Diagnostics diagnostics;
  const auto analysis =
      Analyze(tables, {}, {.threads = 1, .mask_numbers = true, .selection = &*selection},
              diagnostics);
  ASSERT_TRUE(analysis.ok()) << analysis.error().message;
  std::vector<std::string> names;
  for (const model::HostGroup& group : analysis->host_groups) {
    names.emplace_back(tables.names.At(analysis->paths[group.path].name));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"other", "step", "step/2", "worker"}));
  EXPECT_EQ(analysis->grouped->host.size(), 4U);
  EXPECT_TRUE(analysis->findings.empty());
}

}  // namespace
}  // namespace rangewise::analysis
