#include "analysis/groups.h"

#include <optional>
#include <string_view>

#include "analysis/statistics.h"
#include "base/checked.h"
#include "base/text.h"

namespace rangewise::analysis {
namespace {

using model::HostGroup;
using model::HostRange;
using model::ProjectedGroup;
using model::ProjectedRange;
using model::ReportTables;
using model::Statistics;
using model::Style;

Error TotalOverflow(std::string_view measure, const std::string& of) {
  return {Code::kTotalOverflow,
          Format("the total {} of {} does not fit into 64 bits", measure, of)};
}

// Rows sorted into groups by counting: the group of each key that has rows, and where each group's
// values stand.
class Grouping {
 public:
  // `key_of(row)` is below `keys`, or kRootPath for a row in no group.
  template <typename Row, typename KeyOf>
  Grouping(std::span<const Row> rows, size_t keys, KeyOf key_of) : group_of_key_(keys, 0) {
    for (size_t i = 0; i < rows.size(); ++i) {
      if (const uint32_t key = key_of(i); key != kRootPath) ++group_of_key_[key];
    }
    begin_.push_back(0);
    for (uint32_t key = 0; key < keys; ++key) {
      if (group_of_key_[key] == 0) continue;
      begin_.push_back(begin_.back() + group_of_key_[key]);
      group_of_key_[key] = static_cast<uint32_t>(keys_.size());
      keys_.push_back(key);
    }
    values_.resize(begin_.back());
  }

  size_t size() const { return keys_.size(); }
  uint32_t key(size_t group) const { return keys_[group]; }
  size_t count(size_t group) const { return begin_[group + 1] - begin_[group]; }

  // Gathers `value_of(row)` of all rows, so that Values finds it.
  template <typename Row, typename KeyOf, typename ValueOf>
  void Gather(std::span<const Row> rows, KeyOf key_of, ValueOf value_of) {
    std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (size_t i = 0; i < rows.size(); ++i) {
      const uint32_t key = key_of(i);
      if (key != kRootPath) values_[next[group_of_key_[key]]++] = value_of(rows[i]);
    }
  }
  std::span<int64_t> Values(size_t group) {
    return std::span(values_).subspan(begin_[group], count(group));
  }

  // The sum of `value_of(row)` for each group.
  template <typename Row, typename KeyOf, typename ValueOf>
  std::vector<Int128> Sums(std::span<const Row> rows, KeyOf key_of, ValueOf value_of) const {
    std::vector<Int128> sums(keys_.size(), 0);
    for (size_t i = 0; i < rows.size(); ++i) {
      const uint32_t key = key_of(i);
      if (key != kRootPath) sums[group_of_key_[key]] += value_of(rows[i]);
    }
    return sums;
  }

 private:
  std::vector<uint32_t> group_of_key_;
  std::vector<uint32_t> keys_;   // by group, ascending
  std::vector<uint32_t> begin_;  // by group, and the end
  std::vector<int64_t> values_;
};

// Statistics of what was gathered last, handed to `store(group, statistics)`. The first group whose
// total does not fit, or nothing.
template <typename Ns, typename Store>
std::optional<size_t> SummariseGroups(Grouping& grouping, Store store) {
  for (size_t group = 0; group < grouping.size(); ++group) {
    const std::optional<Statistics<Ns>> statistics = SummariseAs<Ns>(grouping.Values(group));
    if (!statistics) return group;
    store(group, *statistics);
  }
  return std::nullopt;
}

// Hands each sum to `store(group, sum)`. The first group whose sum does not fit, or nothing.
template <typename Store>
std::optional<size_t> StoreSums(const std::vector<Int128>& sums, Store store) {
  for (size_t group = 0; group < sums.size(); ++group) {
    const std::optional<int64_t> sum = Narrow(sums[group]);
    if (!sum) return group;
    store(group, *sum);
  }
  return std::nullopt;
}

template <typename Ns>
Status SummariseInto(std::optional<Statistics<Ns>>& out, std::vector<int64_t> values,
                     std::string_view measure) {
  if (values.empty()) return Ok();
  out = SummariseAs<Ns>(values);
  if (!out) return TotalOverflow(measure, "all iterations");
  return Ok();
}

}  // namespace

Status GroupHostRows(const ReportTables& tables, std::span<const ScopePath> paths,
                     const OrderedPaths& ordered, const model::NamePool& names,
                     std::vector<HostGroup>& groups) {
  const std::span<const HostRange> rows(tables.host);
  const auto key_of = [&](size_t row) {
    return paths[row] == kRootPath ? kRootPath : ordered.place[paths[row]];
  };
  Grouping grouping(rows, ordered.nodes.size(), key_of);
  groups.resize(grouping.size());
  for (size_t i = 0; i < groups.size(); ++i) {
    groups[i].path = grouping.key(i);
    groups[i].instances = static_cast<int64_t>(grouping.count(i));
  }
  const auto overflow = [&](std::string_view measure, size_t group) {
    return TotalOverflow(measure, Quoted(JoinedPath(ordered.nodes, groups[group].path, names)));
  };

  grouping.Gather(rows, key_of, [](const HostRange& row) { return row.inclusive.ns; });
  const auto store_inclusive = [&](size_t i, const Statistics<HostNs>& s) {
    groups[i].inclusive = s;
  };
  if (const auto group = SummariseGroups<HostNs>(grouping, store_inclusive)) {
    return overflow("duration", *group);
  }
  grouping.Gather(rows, key_of, [](const HostRange& row) { return row.exclusive.ns; });
  const auto store_exclusive = [&](size_t i, const Statistics<HostNs>& s) {
    groups[i].exclusive = s;
  };
  if (const auto group = SummariseGroups<HostNs>(grouping, store_exclusive)) {
    return overflow("exclusive duration", *group);
  }
  const auto children =
      grouping.Sums(rows, key_of, [](const HostRange& row) { return row.children.ns; });
  const auto store_children = [&](size_t i, int64_t sum) { groups[i].child_total = HostNs{sum}; };
  if (const auto group = StoreSums(children, store_children))
    return overflow("child duration", *group);
  return Ok();
}

Status GroupProjectedRows(const ReportTables& tables, std::span<const ScopePath> paths,
                          const OrderedPaths& ordered, const model::NamePool& names,
                          std::vector<ProjectedGroup>& groups) {
  // A key is a path and a style; the order of Style is that of the styles' names.
  const std::span<const ProjectedRange> rows(tables.projected);
  const auto key_of = [&](size_t row) {
    if (paths[row] == kRootPath) return kRootPath;
    return 2 * ordered.place[paths[row]] + static_cast<uint32_t>(rows[row].style);
  };
  Grouping grouping(rows, 2 * ordered.nodes.size(), key_of);
  groups.resize(grouping.size());
  for (size_t i = 0; i < groups.size(); ++i) {
    groups[i].path = grouping.key(i) / 2;
    groups[i].style = static_cast<Style>(grouping.key(i) % 2);
    groups[i].instances = static_cast<int64_t>(grouping.count(i));
  }
  const auto overflow = [&](std::string_view measure, size_t group) {
    return TotalOverflow(measure, Quoted(JoinedPath(ordered.nodes, groups[group].path, names)));
  };

  grouping.Gather(rows, key_of, [](const ProjectedRange& row) { return row.projected.ns; });
  const auto store_projected = [&](size_t i, const Statistics<ProjectedNs>& s) {
    groups[i].projected = s;
  };
  if (const auto group = SummariseGroups<ProjectedNs>(grouping, store_projected)) {
    return overflow("projected duration", *group);
  }
  const auto host =
      grouping.Sums(rows, key_of, [](const ProjectedRange& row) { return row.original.ns; });
  const auto store_host = [&](size_t i, int64_t sum) { groups[i].host_total = HostNs{sum}; };
  if (const auto group = StoreSums(host, store_host)) return overflow("host duration", *group);
  const auto operations =
      grouping.Sums(rows, key_of, [](const ProjectedRange& row) { return row.operations; });
  const auto store_operations = [&](size_t i, int64_t sum) { groups[i].operations = sum; };
  if (const auto group = StoreSums(operations, store_operations)) {
    return overflow("number of GPU operations", *group);
  }
  return Ok();
}

Result<model::IterationSummary> SummariseIterations(std::span<const model::Iteration> iterations) {
  model::IterationSummary summary;
  std::vector<int64_t> inclusive;
  std::vector<int64_t> exclusive;
  std::vector<int64_t> projected;
  for (const model::Iteration& iteration : iterations) {
    if (iteration.host) {
      inclusive.push_back(iteration.host->inclusive.ns);
      exclusive.push_back(iteration.host->exclusive.ns);
    }
    if (iteration.projection) projected.push_back(iteration.projection->projected.ns);
  }
  summary.iterations = static_cast<int64_t>(iterations.size());
  summary.host_iterations = static_cast<int64_t>(inclusive.size());
  summary.projected_iterations = static_cast<int64_t>(projected.size());
  RETURN_IF_ERROR(SummariseInto(summary.host_inclusive, std::move(inclusive), "duration"));
  RETURN_IF_ERROR(
      SummariseInto(summary.host_exclusive, std::move(exclusive), "exclusive duration"));
  RETURN_IF_ERROR(SummariseInto(summary.projected, std::move(projected), "projected duration"));
  return summary;
}

}  // namespace rangewise::analysis
