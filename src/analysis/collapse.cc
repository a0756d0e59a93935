#include "analysis/collapse.h"

#include <utility>

#include "analysis/groups.h"

namespace rangewise::analysis {
namespace {

// Gives each of `grouped` the raw groups that it stands for. Both are in order, but what becomes
// one need not lie together. `key_of(group)` is below `keys`.
template <typename Grouped, typename Raw, typename GroupedKey, typename RawKey>
void AddCollapsed(std::vector<Grouped>& grouped, const std::vector<Raw>& raw, size_t keys,
                  GroupedKey grouped_key, RawKey raw_key) {
  std::vector<uint32_t> group_of_key(keys, 0);
  for (size_t i = 0; i < grouped.size(); ++i) {
    group_of_key[grouped_key(grouped[i].group)] = static_cast<uint32_t>(i);
  }
  for (const Raw& row : raw) {
    model::Collapsed& collapsed = grouped[group_of_key[raw_key(row)]].raw;
    ++collapsed.distinct_names;
    if (collapsed.examples.size() < model::kMostExamples) collapsed.examples.push_back(row.path);
  }
}

}  // namespace

Result<model::GroupedRanges> GroupCollapsed(const model::ReportTables& tables,
                                            std::span<const ScopePath> host,
                                            std::span<const ScopePath> projection,
                                            std::span<const ScopePath> place,
                                            CollapsedPaths collapsed,
                                            const model::Analysis& analysis) {
  OrderedPaths ordered;
  ordered.nodes = std::move(collapsed.nodes);
  ordered.place.reserve(place.size());
  for (const ScopePath raw : place) ordered.place.push_back(collapsed.place[raw]);

  std::vector<model::HostGroup> host_groups;
  std::vector<model::ProjectedGroup> projected_groups;
  RETURN_IF_ERROR(GroupHostRows(tables, host, ordered, collapsed.names, host_groups));
  RETURN_IF_ERROR(
      GroupProjectedRows(tables, projection, ordered, collapsed.names, projected_groups));

  model::GroupedRanges grouped;
  for (model::HostGroup& group : host_groups) grouped.host.push_back({group, {}});
  for (model::ProjectedGroup& group : projected_groups) grouped.projected.push_back({group, {}});
  const size_t paths = ordered.nodes.size();
  AddCollapsed(
      grouped.host, analysis.host_groups, paths,
      [](const model::HostGroup& group) { return group.path; },
      [&](const model::HostGroup& group) { return collapsed.place[group.path]; });
  const auto key = [](ScopePath path, model::Style style) {
    return 2 * size_t{path} + static_cast<size_t>(style);
  };
  AddCollapsed(
      grouped.projected, analysis.projected_groups, 2 * paths,
      [&](const model::ProjectedGroup& group) { return key(group.path, group.style); },
      [&](const model::ProjectedGroup& group) {
        return key(collapsed.place[group.path], group.style);
      });
  grouped.names = std::move(collapsed.names);
  grouped.paths = std::move(ordered.nodes);
  return grouped;
}

}  // namespace rangewise::analysis
