// Owns a slow analysis written from the rules, for tests: paths by walking up from every range,
// groups in maps of lists of names. It shares the statistics of a group with what it checks, which
// have a test of their own, and nothing else. The result is text, as is the form that tests bring a
// model::Analysis into.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/statistics.h"
#include "base/text.h"
#include "model/rows.h"

namespace rangewise::testing {

using model::HostRange;
using model::kNoParent;
using model::ProjectedRange;
using model::ReportTables;

using NameList = std::vector<std::string>;

template <typename Ns>
std::string Text(const model::Statistics<Ns>& s) {
  return Format("[total {} min {} max {} median {}/{} {} mean {} deviation {} p {} {} {} mad {}]",
                s.total.ns, s.minimum.ns, s.maximum.ns, s.median_low.ns, s.median_high.ns,
                s.median_is_whole, s.mean_ns, s.stddev_ns, *s.p90_ns, *s.p95_ns, *s.p99_ns,
                *s.mad_ns);
}

inline std::string Joined(const NameList& list) {
  std::string text;
  for (const std::string& name : list) text += "/" + name;
  return text;
}

// Of a harness with the range `capture`, or none, that expects iterations 0 ... expected - 1.
class ReferenceAnalysis {
 public:
  ReferenceAnalysis(const ReportTables& tables, const std::optional<std::string>& capture,
                    int64_t expected)
      : tables_(tables), expected_(expected) {
    for (const HostRange& row : tables.host)
      host_[{tables.threads[row.thread], row.range_id}] = &row;
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
      text += Format("host {} x{} {} {} children {}\n", Joined(path), rows.size(),
                     Stats<HostNs>(inclusive), Stats<HostNs>(exclusive), children);
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
      text += Format("gpu {} {} x{} {} host {} operations {}\n", Joined(key.first),
                     static_cast<int>(key.second), rows.size(), Stats<ProjectedNs>(values), host,
                     operations);
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
    return testing::Text(*analysis::SummariseAs<Ns>(values));
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
      if (const auto it = projected_.find(KeyOf(*row)); it != projected_.end())
        projected_iterations_[index] = it->second;
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
      projected_groups_[{host_.contains(key) ? HostPath(key) : ProjectedPath(key), row->style}]
          .push_back(row);
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

  // Only which warnings there are, with their lists of indexes where short: the sentences have
  // tests of their own.
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
    // Without a harness nothing is expected.
    for (int64_t i = 0; capture_ && i < expected_; ++i) missing = missing || !table.contains(i);
    std::string text;
    if (missing) text += "missing-iterations\n";
    if (!table.empty() && *table.rbegin() >= expected_) text += "unexpected-iterations\n";
    if (without_host > 0) text += "missing-host-iterations\n";
    if (without_projection > 0 || projected_.empty()) text += "missing-gpu-projection\n";
    if (table.size() == 1) text += "single-iteration\n";
    if (capture_ && !projected_.contains(*capture_)) text += "missing-gpu-capture-range\n";
    if (capture_ && host_groups_.at({NameOf(*host_.at(*capture_))}).size() > 1)
      text += "capture-name-reused\n";
    bool orphans = false;
    for (const auto& [key, row] : projected_) {
      orphans = orphans ||
                (row->style == model::Style::kPushPop && (!row->has_level || !host_.contains(key)));
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

}  // namespace rangewise::testing
