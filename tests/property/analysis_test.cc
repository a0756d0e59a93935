// The analysis against a slow one written from the rules: paths by walking up for every range,
// groups in maps of lists of names. Forests are random, with parents that are missing or in other
// threads, loops, reused names and ranges that only the projection has. Row order and thread count
// change nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "analysis/analyze.h"
#include "base/text.h"
#include "support/reference_analysis.h"

namespace rangewise::analysis {
namespace {

using model::HostRange;
using model::kNoParent;
using model::ProjectedRange;
using model::ReportTables;

using testing::Joined;
using testing::NameList;
using testing::ReferenceAnalysis;
using testing::Text;

// --- what the analysis says, as text
// --------------------------------------------------------------

std::string TextOf(const ReportTables& tables, const model::Harness& harness, int threads) {
  Diagnostics diagnostics;
  const Result<model::Analysis> result =
      Analyze(tables, harness, {.threads = threads}, diagnostics);
  if (!result.ok()) return "error " + std::string(Describe(result.error().code).word);
  const auto path = [&](model::ScopePath at) {
    NameList list;
    for (; at != model::kRootPath; at = result->paths[at].parent) {
      list.insert(list.begin(), std::string(tables.names.At(result->paths[at].name)));
    }
    return Joined(list);
  };
  std::string text;
  for (const model::HostGroup& group : result->host_groups) {
    text += Format("host {} x{} {} {} children {}\n", path(group.path), group.instances,
                   Text(group.inclusive), Text(group.exclusive), group.child_total.ns);
  }
  for (const model::ProjectedGroup& group : result->projected_groups) {
    text += Format("gpu {} {} x{} {} host {} operations {}\n", path(group.path),
                   static_cast<int>(group.style), group.instances, Text(group.projected),
                   group.host_total.ns, group.operations);
  }
  for (const model::Iteration& iteration : result->iterations) {
    text += Format("iteration {}", iteration.index);
    if (iteration.host) {
      text += Format(" host {}/{}/{}", iteration.host->inclusive.ns, iteration.host->exclusive.ns,
                     iteration.host->children.ns);
    }
    if (iteration.projection) {
      text += Format(" gpu {}/{}/{}", iteration.projection->projected.ns,
                     iteration.projection->host_range_total.ns, iteration.projection->operations);
    }
    text += "\n";
  }
  const model::IterationSummary& summary = result->iteration_summary;
  text += Format("summary {} {} {}", summary.iterations, summary.host_iterations,
                 summary.projected_iterations);
  if (summary.host_inclusive) text += " inclusive " + Text(*summary.host_inclusive);
  if (summary.host_exclusive) text += " exclusive " + Text(*summary.host_exclusive);
  if (summary.projected) text += " projected " + Text(*summary.projected);
  text += "\n";
  for (const Warning& warning : diagnostics.warnings()) text += warning.Text() + "\n";
  return text;
}

// Cuts each warning down to its code.
std::string WithoutSentences(std::string text) {
  std::string out;
  size_t start = text.find("summary ");
  if (start == std::string::npos) return text;
  start = text.find('\n', start) + 1;
  out = text.substr(0, start);
  while (start < text.size()) {
    const size_t end = text.find('\n', start);
    out += text.substr(start, std::min(text.find(": ", start), end) - start) + "\n";
    start = end + 1;
  }
  return out;
}

// --- random forests
// -------------------------------------------------------------------------------

class Forest {
 public:
  explicit Forest(uint64_t seed) : random_(seed) {
    const size_t threads = 1 + Below(3);
    for (size_t i = 0; i < threads; ++i) {
      tables_.threads.push_back({static_cast<int64_t>(1 + Below(2)), static_cast<int64_t>(10 + i)});
    }
    stride_ = Below(4) == 0 ? 1000003 : 1;
    const size_t count = 1 + Below(40);
    for (size_t i = 0; i < count; ++i) AddHost(static_cast<int64_t>(i));
    for (const HostRange& row : tables_.host) {
      if (Below(4) != 0) AddProjected(row.range_id, row.parent_id, row.name, row.thread);
    }
    const size_t extra = Below(3) == 0 ? Below(12) : 0;
    for (size_t i = 0; i < extra; ++i) {
      const uint32_t thread = static_cast<uint32_t>(Below(tables_.threads.size()));
      const int64_t parent = ParentFor(Below(5) == 0 ? 100 + Below(extra) : i);
      AddProjected(static_cast<int64_t>(100 + i) * stride_, parent, Name(), thread);
      if (Below(3) != 0) tables_.projected.back().style = model::Style::kStartEnd;
      if (Below(4) == 0) tables_.projected.back().has_level = false;
    }
  }

  void Shuffle() {
    std::shuffle(tables_.host.begin(), tables_.host.end(), random_);
    std::shuffle(tables_.projected.begin(), tables_.projected.end(), random_);
  }
  const ReportTables& tables() const { return tables_; }

 private:
  size_t Below(size_t limit) { return random_() % limit; }

  model::NameId Name() {
    static constexpr const char* kNames[] = {"a",
                                             "b",
                                             "a.b",
                                             "capture",
                                             "iteration 0",
                                             "iteration 1",
                                             "iteration 02",
                                             "iteration 3",
                                             "iteration x",
                                             "",
                                             "\xC3\xA9"};
    return tables_.names.Intern(kNames[Below(std::size(kNames))]);
  }

  // Mostly an earlier range, at times none, a missing one, or a later one, which can close a loop.
  int64_t ParentFor(size_t ordinal) {
    const size_t kind = Below(40);
    if (ordinal == 0 || kind < 5) return kNoParent;
    if (kind == 5) return 77777;
    if (kind == 6) return static_cast<int64_t>(ordinal + Below(3)) * stride_;
    return static_cast<int64_t>(kind < 20 ? 0 : Below(ordinal)) * stride_;
  }

  void AddHost(int64_t ordinal) {
    HostRange row;
    row.range_id = ordinal * stride_;
    row.parent_id = ParentFor(static_cast<size_t>(ordinal));
    row.name = ordinal == 0 && Below(20) != 0 ? tables_.names.Intern("capture") : Name();
    row.thread =
        ordinal == 0 || Below(4) != 0 ? 0 : static_cast<uint32_t>(Below(tables_.threads.size()));
    row.start = {static_cast<int64_t>(random_() % 50)};
    row.inclusive = {static_cast<int64_t>(random_() >> 24)};
    row.children = {static_cast<int64_t>(random_() >> 24)};
    row.exclusive = {row.inclusive.ns - row.children.ns};
    tables_.host.push_back(row);
  }

  void AddProjected(int64_t id, int64_t parent, model::NameId name, uint32_t thread) {
    ProjectedRange row;
    row.range_id = id;
    row.parent_id = parent;
    row.name = name;
    row.thread = thread & (model::kMostThreads - 1);
    row.projected = {static_cast<int64_t>(random_() >> 24)};
    row.original = {static_cast<int64_t>(random_() >> 24)};
    row.operations = static_cast<int64_t>(random_() % 9);
    tables_.projected.push_back(row);
  }

  std::mt19937_64 random_;
  int64_t stride_ = 1;
  ReportTables tables_;
};

TEST(AnalysisProperty, EqualsTheSlowAnalysisInAnyRowOrderAtAnyThreadCount) {
  std::map<std::string, int> outcomes;
  for (uint64_t seed = 1; seed <= 2500 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Forest forest(seed);
    model::Harness harness;
    if (seed % 5 != 0) harness.capture_range = "capture";
    harness.expected_iterations = static_cast<int64_t>(seed % 4);
    const std::string expected =
        ReferenceAnalysis(forest.tables(), harness.capture_range, *harness.expected_iterations)
            .Text();
    const std::string found = TextOf(forest.tables(), harness, 1);
    EXPECT_EQ(WithoutSentences(found), expected);
    ++outcomes[expected.substr(0, 6) == "error " ? expected : "analysed"];
    for (const int threads : {2, 5}) {
      forest.Shuffle();
      EXPECT_EQ(TextOf(forest.tables(), harness, threads), found);
    }
  }
  // The forests reach every outcome that they are meant to.
  for (const char* outcome :
       {"analysed", "error capture-range-ambiguous", "error capture-range-missing",
        "error duplicate-iteration", "error range-cycle"}) {
    EXPECT_GT(outcomes[outcome], 20) << outcome;
  }
}

TEST(AnalysisProperty, FollowsAChainOfAMillionRanges) {
  constexpr int64_t kDepth = 1'000'000;
  ReportTables tables;
  tables.threads.push_back({1, 1});
  const model::NameId name = tables.names.Intern("deeper");
  for (int64_t id = kDepth; id >= 1; --id) {  // the deepest first
    HostRange row;
    row.range_id = id;
    row.parent_id = id == 1 ? kNoParent : id - 1;
    row.name = name;
    row.inclusive = {id};
    tables.host.push_back(row);
  }
  Diagnostics diagnostics;
  const Result<model::Analysis> result = Analyze(tables, {}, {.threads = 2}, diagnostics);
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(result->host_groups.size(), static_cast<size_t>(kDepth));
  for (uint32_t i = 0; i < kDepth; ++i) {  // a prefix first: one level a group
    ASSERT_EQ(result->host_groups[i].path, i);
    ASSERT_EQ(result->paths[i].parent, i == 0 ? model::kRootPath : i - 1);
    ASSERT_EQ(result->host_groups[i].inclusive.total.ns, i + 1);
  }

  // The same as a loop.
  for (HostRange& row : tables.host) {
    if (row.range_id == 1) row.parent_id = kDepth;
  }
  const Result<model::Analysis> loop = Analyze(tables, {}, {.threads = 2}, diagnostics);
  ASSERT_FALSE(loop.ok());
  EXPECT_EQ(loop.error().code, Code::kRangeCycle);
  EXPECT_EQ(loop.error().details.size(), 11u);
  EXPECT_EQ(loop.error().details.back(), "and 999990 more");
}

}  // namespace
}  // namespace rangewise::analysis
