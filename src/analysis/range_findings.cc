#include "analysis/range_findings.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "analysis/thresholds.h"
#include "base/text.h"

namespace rangewise::analysis {
namespace {

using model::Finding;
using model::FindingClock;
using model::FindingSeverity;

constexpr uint32_t kOutside = UINT32_MAX;
constexpr uint32_t kUnknown = UINT32_MAX - 1;

std::vector<std::string> NamesOf(std::span<const PathNode> nodes, ScopePath path,
                                 const model::NamePool& names) {
  std::vector<std::string> list;
  for (; path != kRootPath; path = nodes[path].parent)
    list.emplace_back(names.At(nodes[path].name));
  std::reverse(list.begin(), list.end());
  return list;
}

// The path among `masked` of a path among the raw ones.
ScopePath MaskedPlace(const FindingSource& source, const CollapsedPaths& masked, ScopePath raw) {
  return masked.place[source.grouped_place.empty() ? raw : source.grouped_place[raw]];
}

// A path with the number that it is listed by.
struct CountedPath {
  ScopePath path;
  int64_t count;
};

// The first few, by count and then by path; `all` is in path order.
std::vector<CountedPath> Largest(std::vector<CountedPath> all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const CountedPath& a, const CountedPath& b) { return a.count > b.count; });
  all.resize(std::min(all.size(), kThresholds.most_paths));
  return all;
}

// By host row: the number of the iteration that it lies in, or kOutside. Parents form no cycle.
std::vector<uint32_t> IterationsOfRows(const HostScopes& host) {
  std::vector<uint32_t> iteration_of(host.parents.size(), kUnknown);
  for (uint32_t i = 0; i < host.iterations.size(); ++i) {
    iteration_of[host.iterations[i].row] = i;
  }
  for (uint32_t first = 0; first < iteration_of.size(); ++first) {
    uint32_t row = first;
    while (row != kNoRow && iteration_of[row] == kUnknown) row = host.parents[row];
    const uint32_t found = row == kNoRow ? kOutside : iteration_of[row];
    for (row = first; row != kNoRow && iteration_of[row] == kUnknown; row = host.parents[row]) {
      iteration_of[row] = found;
    }
  }
  return iteration_of;
}

// The rows that lie in each iteration, iteration by iteration; the iterations' own are not among
// them.
struct RowsByIteration {
  std::vector<uint32_t> rows;
  std::vector<size_t> begin;  // by iteration, and the end
};

RowsByIteration SortByIteration(const HostScopes& host) {
  const std::vector<uint32_t> iteration_of = IterationsOfRows(host);
  const auto is_member = [&](size_t row) {
    return iteration_of[row] != kOutside && host.paths[row] != kRootPath;
  };
  RowsByIteration sorted;
  sorted.begin.assign(host.iterations.size() + 1, 0);
  for (size_t row = 0; row < iteration_of.size(); ++row) {
    if (is_member(row)) ++sorted.begin[iteration_of[row] + 1];
  }
  for (size_t i = 1; i < sorted.begin.size(); ++i) sorted.begin[i] += sorted.begin[i - 1];
  sorted.rows.resize(sorted.begin.back());
  std::vector<size_t> next(sorted.begin.begin(), sorted.begin.end() - 1);
  for (size_t row = 0; row < iteration_of.size(); ++row) {
    if (is_member(row)) sorted.rows[next[iteration_of[row]]++] = static_cast<uint32_t>(row);
  }
  return sorted;
}

}  // namespace

std::optional<Finding> FindOverheadScale(const FindingSource& source) {
  std::vector<int64_t> by_path(source.analysis.paths.size(), 0);
  int64_t count = 0;
  for (size_t row = 0; row < source.tables.host.size(); ++row) {
    const int64_t ns = source.tables.host[row].inclusive.ns;
    if (ns < 0 || ns >= kThresholds.overhead_ns) continue;
    ++count;
    const ScopePath path = source.host.paths[row];
    if (path != kRootPath) ++by_path[source.place[path]];
  }
  const auto total = static_cast<int64_t>(source.tables.host.size());
  const double share = static_cast<double>(count) / static_cast<double>(total);
  if (share <= kThresholds.overhead_share) return std::nullopt;

  std::vector<CountedPath> paths;
  for (uint32_t path = 0; path < by_path.size(); ++path) {
    if (by_path[path] > 0) paths.push_back({path, by_path[path]});
  }
  Finding finding{
      .code = Code::kOverheadScaleRanges,
      .severity = FindingSeverity::kNotice,
      .clock = FindingClock::kHost,
      .sentence =
          Format("{} of {} host ranges ({:.1f} %) last less than {} ns, which is about what "
                 "recording a range takes",
                 Grouped(count), Grouped(total), 100 * share, Grouped(kThresholds.overhead_ns)),
      .numbers = {{"ranges_count", total},
                  {"short_ranges_count", count},
                  {"short_share_ratio", share},
                  {"threshold_ns", kThresholds.overhead_ns}}};
  finding.rows_total = static_cast<int64_t>(paths.size());
  for (const CountedPath& path : Largest(std::move(paths))) {
    finding.paths.push_back(NamesOf(source.analysis.paths, path.path, source.tables.names));
  }
  return finding;
}

std::optional<Finding> FindManyNames(const FindingSource& source, const CollapsedPaths& masked) {
  const model::Analysis& analysis = source.analysis;
  const size_t groups =
      analysis.grouped ? analysis.grouped->host.size() : analysis.host_groups.size();
  if (groups < kThresholds.many_fewest) return std::nullopt;
  // Of each masked path: how many groups fall into it, and the first raw path of the first.
  std::vector<int64_t> members(masked.nodes.size(), 0);
  std::vector<ScopePath> example(masked.nodes.size(), kRootPath);
  const auto add = [&](ScopePath group, ScopePath raw) {
    const ScopePath path = masked.place[group];
    if (++members[path] == 1) example[path] = raw;
  };
  if (analysis.grouped) {
    for (const auto& row : analysis.grouped->host) add(row.group.path, row.raw.examples.front());
  } else {
    for (const model::HostGroup& group : analysis.host_groups) add(group.path, group.path);
  }
  int64_t left = 0;
  std::vector<CountedPath> collapsing;
  for (uint32_t path = 0; path < members.size(); ++path) {
    left += members[path] > 0 ? 1 : 0;
    if (members[path] > 1) collapsing.push_back({path, members[path]});
  }
  const double ratio = static_cast<double>(left) / static_cast<double>(groups);
  if (ratio > kThresholds.many_most_left) return std::nullopt;

  Finding finding{
      .code = Code::kManyNames,
      .severity = FindingSeverity::kInfo,
      .sentence = Format("{} rows of host ranges become {} when numbers in names are masked; "
                         "--group-numbers does that, or the name rule pattern: '[0-9]+', replace: "
                         "'#' in the manifest",
                         Grouped(static_cast<int64_t>(groups)), Grouped(left)),
      .numbers = {{"masked_rows_count", left},
                  {"rows_count", static_cast<int64_t>(groups)},
                  {"rows_left_ratio", ratio}}};
  finding.rows_total = static_cast<int64_t>(collapsing.size());
  for (const CountedPath& path : Largest(std::move(collapsing))) {
    finding.paths.push_back(NamesOf(analysis.paths, example[path.path], source.tables.names));
  }
  return finding;
}

std::optional<Finding> FindIncompleteLast(const FindingSource& source,
                                          const CollapsedPaths& masked) {
  const std::vector<NumberedRow>& iterations = source.host.iterations;
  Finding finding{.code = Code::kIncompleteLastIteration,
                  .severity = FindingSeverity::kInfo,
                  .clock = FindingClock::kHost,
                  .computed = false,
                  .sentence = "no iteration has a host time"};
  if (iterations.size() < kThresholds.incomplete_fewest) {
    if (!iterations.empty()) {
      finding.sentence = Format("{} {} a host time; at least {} are needed", iterations.size(),
                                iterations.size() == 1 ? "iteration has" : "iterations have",
                                kThresholds.incomplete_fewest);
    }
    return finding;
  }

  // In how many iterations each path occurs, and the last one that it was seen in.
  const RowsByIteration members = SortByIteration(source.host);
  std::vector<uint32_t> seen_in(masked.nodes.size(), kOutside);
  std::vector<uint32_t> occurs(masked.nodes.size(), 0);
  for (uint32_t i = 0; i < iterations.size(); ++i) {
    for (size_t at = members.begin[i]; at < members.begin[i + 1]; ++at) {
      const ScopePath raw = source.place[source.host.paths[members.rows[at]]];
      const ScopePath path = MaskedPlace(source, masked, raw);
      if (seen_in[path] == i) continue;
      seen_in[path] = i;
      ++occurs[path];
    }
  }
  const auto last = static_cast<uint32_t>(iterations.size() - 1);
  const auto is_missing = [&](ScopePath path) {
    return occurs[path] == last && seen_in[path] != last;
  };
  std::vector<ScopePath> missing;  // what lies below a missing path is missing with it
  for (uint32_t path = 0; path < masked.nodes.size(); ++path) {
    const ScopePath parent = masked.nodes[path].parent;
    if (is_missing(path) && (parent == kRootPath || !is_missing(parent))) missing.push_back(path);
  }
  if (missing.empty()) return std::nullopt;

  std::vector<std::string> joined;
  for (const ScopePath path : missing) {
    if (finding.paths.size() == kThresholds.most_paths) break;
    finding.paths.push_back(NamesOf(masked.nodes, path, masked.names));
    joined.push_back(JoinedPath(masked.nodes, path, masked.names));
  }
  const int64_t index = iterations.back().index;
  finding.computed = true;
  finding.severity = FindingSeverity::kWarning;
  finding.sentence = Format(
      "iteration {}, the last, lacks what each of the other {} has: {}{}", index, last,
      QuotedList(joined, kThresholds.most_paths),
      missing.size() > joined.size() ? Format(" and {} more", missing.size() - joined.size()) : "");
  finding.numbers = {{"last_index", index},
                     {"missing_paths_count", static_cast<int64_t>(missing.size())},
                     {"other_iterations_count", int64_t{last}}};
  finding.iterations = {index};
  finding.rows_total = 1 + static_cast<int64_t>(missing.size());
  return finding;
}

}  // namespace rangewise::analysis
