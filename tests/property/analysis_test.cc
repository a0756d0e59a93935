// The analysis against a slow one written from the rules: paths by walking up for every range, groups in maps of
// lists of names. Forests are random, with parents that are missing or in other threads, loops, reused names and
// ranges that only the projection has. Row order and thread count change nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/analyze.h"
#include "analysis/statistics.h"
#include "base/text.h"

namespace rangewise::analysis {
namespace {

using model::HostRange;
using model::kNoParent;
using model::ProjectedRange;
using model::ReportTables;

using NameList = std::vector<std::string>;

template <typename Ns>
std::string Text(const model::Statistics<Ns>& s) {
  return Format("[total {} min {} max {} median {}/{} {} mean {} deviation {}]", s.total.ns, s.minimum.ns, s.maximum.ns,
                s.median_low.ns, s.median_high.ns, s.median_is_whole, s.mean_ns, s.stddev_ns);
}

std::string Joined(const NameList& list) {
  std::string text;
  for (const std::string& name : list) text += "/" + name;
  return text;
}

// --- what the analysis says, as text --------------------------------------------------------------

std::string TextOf(const ReportTables& tables, const model::Harness& harness, int threads) {
  Diagnostics diagnostics;
  const Result<model::Analysis> result = Analyze(tables, harness, {.threads = threads}, diagnostics);
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
    text += Format("host {} x{} {} {} children {}\n", path(group.path), group.instances, Text(group.inclusive),
                   Text(group.exclusive), group.child_total.ns);
  }
  for (const model::ProjectedGroup& group : result->projected_groups) {
    text += Format("gpu {} {} x{} {} host {} operations {}\n", path(group.path), static_cast<int>(group.style),
                   group.instances, Text(group.projected), group.host_total.ns, group.operations);
  }
  for (const model::Iteration& iteration : result->iterations) {
    text += Format("iteration {}", iteration.index);
    if (iteration.host) {
      text += Format(" host {}/{}/{}", iteration.host->inclusive.ns, iteration.host->exclusive.ns,
                     iteration.host->children.ns);
    }
    if (iteration.projection) {
      text += Format(" gpu {}/{}/{}", iteration.projection->projected.ns, iteration.projection->host_range_total.ns,
                     iteration.projection->operations);
    }
    text += "\n";
  }
  const model::IterationSummary& summary = result->iteration_summary;
  text += Format("summary {} {} {}", summary.iterations, summary.host_iterations, summary.projected_iterations);
  if (summary.host_inclusive) text += " inclusive " + Text(*summary.host_inclusive);
  if (summary.host_exclusive) text += " exclusive " + Text(*summary.host_exclusive);
  if (summary.projected) text += " projected " + Text(*summary.projected);
  text += "\n";
  for (const Warning& warning : diagnostics.warnings()) text += warning.Text() + "\n";
  return text;
}

// --- the same by the rules, slowly ----------------------------------------------------------------

class Reference {
 public:
  Reference(const ReportTables& tables, const std::optional<std::string>& capture, int64_t expected)
      : tables_(tables), expected_(expected) {
    for (const HostRange& row : tables.host) host_[{tables.threads[row.thread], row.range_id}] = &row;
    for (const ProjectedRange& row : tables.projected) {
      projected_[{tables.threads[row.thread], row.range_id}] = &row;
    }
    if (capture) FindHarness(*capture);
  }

  std::string Text() {
    if (error_.empty()) Collect();
    if (!error_.empty()) return "error " + error_;
    std::string text;
    for (const auto& [path, rows] : host_groups_) {
      int64_t children = 0;
      std::vector<int64_t> inclusive;
      std::vector<int64_t> exclusive;
      for (const HostRange* row : rows) {
        inclusive.push_back(row->inclusive.ns);
        exclusive.push_back(row->exclusive.ns);
        children += row->children.ns;
      }
      text += Format("host {} x{} {} {} children {}\n", Joined(path), rows.size(), Stats<HostNs>(inclusive),
                     Stats<HostNs>(exclusive), children);
    }
    for (const auto& [key, rows] : projected_groups_) {
      int64_t host = 0;
      int64_t operations = 0;
      std::vector<int64_t> values;
      for (const ProjectedRange* row : rows) {
        values.push_back(row->projected.ns);
        host += row->original.ns;
        operations += row->operations;
      }
      text += Format("gpu {} {} x{} {} host {} operations {}\n", Joined(key.first), static_cast<int>(key.second),
                     rows.size(), Stats<ProjectedNs>(values), host, operations);
    }
    return text + IterationText() + Warnings();
  }

 private:
  using Key = std::pair<model::ThreadKey, int64_t>;

  template <typename Row>
  Key KeyOf(const Row& row) const {
    return {tables_.threads[row.thread], row.range_id};
  }
  template <typename Row>
  Key ParentOf(const Row& row) const {
    return {tables_.threads[row.thread], row.parent_id};
  }
  template <typename Row>
  std::string NameOf(const Row& row) const {
    return std::string(tables_.names.At(row.name));
  }
  template <typename Ns>
  static std::string Stats(std::vector<int64_t> values) {
    return analysis::Text(*SummariseAs<Ns>(values));
  }

  void FindHarness(const std::string& name) {
    for (const auto& [key, row] : host_) {
      if (NameOf(*row) != name || row->parent_id != kNoParent) continue;
      if (capture_) {
        error_ = "capture-range-ambiguous";
        return;
      }
      capture_ = key;
    }
    if (!capture_) {
      error_ = "capture-range-missing";
      return;
    }
    for (const auto& [key, row] : host_) {
      if (ParentOf(*row) != *capture_) continue;
      if (const auto index = IndexOf(NameOf(*row))) {
        if (!host_iterations_.emplace(*index, row).second) error_ = "duplicate-iteration";
        harness_.insert(key);
      }
    }
    harness_.insert(*capture_);
  }

  static std::optional<int64_t> IndexOf(const std::string& name) {
    if (name.rfind("iteration ", 0) != 0 || name.size() == 10) return std::nullopt;
    if (name.find_first_not_of("0123456789", 10) != std::string::npos) return std::nullopt;
    return std::stoll(name.substr(10));
  }

  NameList HostPath(const Key& start) {
    NameList path;
    std::set<Key> seen;
    Key key = start;
    while (true) {
      if (!seen.insert(key).second) {
        error_ = "range-cycle";
        return path;
      }
      const HostRange* row = host_.at(key);
      path.insert(path.begin(), NameOf(*row));
      const Key parent = ParentOf(*row);
      if (key == capture_ || !host_.contains(parent) || harness_.contains(parent)) return path;
      key = parent;
    }
  }

  NameList ProjectedPath(const Key& start) {
    NameList path;
    std::set<Key> seen;
    Key key = start;
    while (true) {
      if (!seen.insert(key).second) {
        error_ = "range-cycle";
        return path;
      }
      const ProjectedRange* row = projected_.at(key);
      path.insert(path.begin(), NameOf(*row));
      const Key parent = ParentOf(*row);
      if (harness_.contains(parent)) return path;
      if (host_.contains(parent)) {
        const NameList above = HostPath(parent);
        path.insert(path.begin(), above.begin(), above.end());
        return path;
      }
      if (!projected_.contains(parent)) return path;
      key = parent;
    }
  }

  void Collect() {
    for (const auto& [key, row] : host_) {
      if (harness_.contains(key) && key != capture_) continue;
      host_groups_[HostPath(key)].push_back(row);
    }
    if (!error_.empty()) return;
    for (const auto& [index, row] : host_iterations_) {
      if (const auto it = projected_.find(KeyOf(*row)); it != projected_.end()) projected_iterations_[index] = it->second;
    }
    for (const auto& [key, row] : projected_) {
      if (host_.contains(key) || !capture_ || ParentOf(*row) != *capture_) continue;
      const auto index = IndexOf(NameOf(*row));
      if (!index) continue;
      if (host_iterations_.contains(*index) || !projected_iterations_.emplace(*index, row).second) {
        error_ = "duplicate-iteration";
        return;
      }
      harness_.insert(key);
    }
    for (const auto& [key, row] : projected_) {
      if (harness_.contains(key) && key != capture_) continue;
      projected_groups_[{host_.contains(key) ? HostPath(key) : ProjectedPath(key), row->style}].push_back(row);
    }
  }

  std::string IterationText() const {
    std::set<int64_t> indexes;
    for (const auto& [index, row] : host_iterations_) indexes.insert(index);
    for (const auto& [index, row] : projected_iterations_) indexes.insert(index);
    std::string text;
    std::vector<int64_t> inclusive;
    std::vector<int64_t> exclusive;
    std::vector<int64_t> projected;
    for (const int64_t index : indexes) {
      text += Format("iteration {}", index);
      if (const auto it = host_iterations_.find(index); it != host_iterations_.end()) {
        const HostRange& row = *it->second;
        text += Format(" host {}/{}/{}", row.inclusive.ns, row.exclusive.ns, row.children.ns);
        inclusive.push_back(row.inclusive.ns);
        exclusive.push_back(row.exclusive.ns);
      }
      if (const auto it = projected_iterations_.find(index); it != projected_iterations_.end()) {
        const ProjectedRange& row = *it->second;
        text += Format(" gpu {}/{}/{}", row.projected.ns, row.original.ns, row.operations);
        projected.push_back(row.projected.ns);
      }
      text += "\n";
    }
    text += Format("summary {} {} {}", indexes.size(), inclusive.size(), projected.size());
    if (!inclusive.empty()) text += " inclusive " + Stats<HostNs>(inclusive);
    if (!exclusive.empty()) text += " exclusive " + Stats<HostNs>(exclusive);
    if (!projected.empty()) text += " projected " + Stats<ProjectedNs>(projected);
    return text + "\n";
  }

  // Only which warnings there are, with their lists of indexes where short: the sentences have tests of their own.
  std::string Warnings() const {
    std::set<int64_t> table;
    size_t without_host = 0;
    size_t without_projection = 0;
    for (const auto& [index, row] : host_iterations_) {
      table.insert(index);
      without_projection += projected_iterations_.contains(index) ? 0 : 1;
    }
    for (const auto& [index, row] : projected_iterations_) {
      table.insert(index);
      without_host += host_iterations_.contains(index) ? 0 : 1;
    }
    bool missing = false;
    for (int64_t i = 0; i < expected_; ++i) missing = missing || !table.contains(i);
    std::string text;
    if (missing) text += "missing-iterations\n";
    if (!table.empty() && *table.rbegin() >= expected_) text += "unexpected-iterations\n";
    if (without_host > 0) text += "missing-host-iterations\n";
    if (without_projection > 0 || projected_.empty()) text += "missing-gpu-projection\n";
    if (table.size() == 1) text += "single-iteration\n";
    if (capture_ && !projected_.contains(*capture_)) text += "missing-gpu-capture-range\n";
    if (capture_ && host_groups_.at({NameOf(*host_.at(*capture_))}).size() > 1) text += "capture-name-reused\n";
    bool orphans = false;
    for (const auto& [key, row] : projected_) {
      orphans = orphans || (row->style == model::Style::kPushPop && (!row->has_level || !host_.contains(key)));
    }
    if (orphans) text += "orphaned-gpu-ranges\n";
    return text;
  }

  const ReportTables& tables_;
  int64_t expected_;
  std::map<Key, const HostRange*> host_;
  std::map<Key, const ProjectedRange*> projected_;
  std::optional<Key> capture_;
  std::set<Key> harness_;
  std::map<int64_t, const HostRange*> host_iterations_;
  std::map<int64_t, const ProjectedRange*> projected_iterations_;
  std::map<NameList, std::vector<const HostRange*>> host_groups_;
  std::map<std::pair<NameList, model::Style>, std::vector<const ProjectedRange*>> projected_groups_;
  std::string error_;
};

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

// --- random forests -------------------------------------------------------------------------------

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
      AddProjected(static_cast<int64_t>(100 + i) * stride_, ParentFor(Below(5) == 0 ? 100 + Below(extra) : i),
                   Name(), thread);
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
    static constexpr const char* kNames[] = {"a", "b", "a.b", "capture", "iteration 0", "iteration 1", "iteration 02",
                                             "iteration 3", "iteration x", "", "\xC3\xA9"};
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
    row.thread = ordinal == 0 || Below(4) != 0 ? 0 : static_cast<uint32_t>(Below(tables_.threads.size()));
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
    row.thread = thread;
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
  for (uint64_t seed = 1; seed <= 6000 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Forest forest(seed);
    model::Harness harness;
    if (seed % 5 != 0) harness.capture_range = "capture";
    harness.expected_iterations = static_cast<int64_t>(seed % 4);
    const std::string expected = Reference(forest.tables(), harness.capture_range, *harness.expected_iterations).Text();
    const std::string found = TextOf(forest.tables(), harness, 1);
    EXPECT_EQ(WithoutSentences(found), expected);
    ++outcomes[expected.substr(0, 6) == "error " ? expected : "analysed"];
    for (const int threads : {2, 5}) {
      forest.Shuffle();
      EXPECT_EQ(TextOf(forest.tables(), harness, threads), found);
    }
  }
  // The forests reach every outcome that they are meant to.
  for (const char* outcome : {"analysed", "error capture-range-ambiguous", "error capture-range-missing",
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
