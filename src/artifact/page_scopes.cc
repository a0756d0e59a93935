#include "artifact/page_scopes.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>

#include "base/checked.h"
#include "model/page_limits.h"
#include "model/page_names.h"

namespace rangewise::artifact {
namespace {

using model::kRootPath;
using model::ScopePath;

void AddHost(ScopeTree& tree, const model::HostGroup& group) {
  ScopeNumbers& numbers = tree.numbers[group.path];
  numbers.host_inclusive_ns = group.inclusive.total.ns;
  numbers.host_exclusive_ns = group.exclusive.total.ns;
  numbers.instances = group.instances;
}

void AddProjection(ScopeTree& tree, const model::ProjectedGroup& group) {
  ScopeNumbers& numbers = tree.numbers[group.path];
  if (!numbers.projected_ns || group.style == model::Style::kPushPop)
    numbers.projected_ns = group.projected.total.ns;
}

void AddWork(ScopeTree& tree, const std::vector<model::PathGpuWork>& rows) {
  for (const model::PathGpuWork& row : rows) {
    if (row.work.busy) tree.numbers[row.path].gpu_busy_ns = row.work.busy->ns;
    tree.numbers[row.path].busy_share = row.work.BusyShare();
  }
}

// How many paths are above each.
std::vector<uint32_t> Depths(const std::vector<model::PathNode>& paths) {
  constexpr uint32_t kUnknown = UINT32_MAX;
  std::vector<uint32_t> depths(paths.size(), kUnknown);
  std::vector<ScopePath> chain;
  for (ScopePath path = 0; path < paths.size(); ++path) {
    ScopePath at = path;
    for (; at != kRootPath && depths[at] == kUnknown; at = paths[at].parent) chain.push_back(at);
    uint32_t depth = at == kRootPath ? 0 : depths[at] + 1;
    for (; !chain.empty(); chain.pop_back()) depths[chain.back()] = depth++;
  }
  return depths;
}

// The paths, those that are further in before those that hold them.
std::vector<ScopePath> InnermostFirst(const std::vector<uint32_t>& depths) {
  std::vector<ScopePath> order(depths.size());
  std::iota(order.begin(), order.end(), ScopePath{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](ScopePath a, ScopePath b) { return depths[a] > depths[b]; });
  return order;
}

// Bytes of a row beside its name, at most about this.
constexpr size_t kRowBytes = 100;

struct Kept {
  std::vector<ScopePath> rows;     // in the order of paths, parents before children
  std::vector<int64_t> folded_ns;  // by path
  int64_t folded_above_ns = 0;     // of paths that begin at the top
  size_t folded = 0;
};

int64_t Capped(Int128 sum) {
  constexpr Int128 kMost = INT64_MAX;
  return static_cast<int64_t>(std::clamp(sum, -kMost, kMost));
}

Kept KeepLargest(const ScopeTree& tree, size_t most_bytes) {
  const std::vector<model::PathNode>& paths = tree.paths;
  const std::vector<uint32_t> depths = Depths(paths);
  const std::vector<ScopePath> inwards = InnermostFirst(depths);
  // Exclusive time with that of all paths below; a negative one, which overlapping ranges have,
  // counts as none, so that no path weighs less than one below it.
  std::vector<Int128> weights(paths.size(), 0);
  for (const ScopePath path : inwards) {
    weights[path] += std::max<int64_t>(tree.numbers[path].host_exclusive_ns.value_or(0), 0);
    if (paths[path].parent != kRootPath) weights[paths[path].parent] += weights[path];
  }
  std::vector<ScopePath> order(paths.size());
  std::iota(order.begin(), order.end(), ScopePath{0});
  std::sort(order.begin(), order.end(), [&](ScopePath a, ScopePath b) {
    if (weights[a] != weights[b]) return weights[a] > weights[b];
    return depths[a] != depths[b] ? depths[a] < depths[b] : a < b;
  });
  Kept kept;
  size_t bytes = 0;
  for (const ScopePath path : order) {
    format::ScriptJson name;
    name.String(model::ShownName(tree.names.At(paths[path].name)));
    bytes += kRowBytes + name.text().size();
    if (kept.rows.size() == model::kMostScopes || bytes > most_bytes) break;
    kept.rows.push_back(path);
  }
  kept.folded = paths.size() - kept.rows.size();
  std::vector<bool> is_kept(paths.size(), false);
  for (const ScopePath path : kept.rows) is_kept[path] = true;
  std::vector<Int128> folded(paths.size(), 0);
  Int128 above = 0;
  for (const ScopePath path : inwards) {
    if (is_kept[path]) continue;
    const ScopePath parent = paths[path].parent;
    (parent == kRootPath ? above : folded[parent]) +=
        folded[path] + tree.numbers[path].host_exclusive_ns.value_or(0);
  }
  for (const Int128 sum : folded) kept.folded_ns.push_back(Capped(sum));
  kept.folded_above_ns = Capped(above);
  std::sort(kept.rows.begin(), kept.rows.end(), [&](ScopePath a, ScopePath b) {
    return depths[a] != depths[b] ? depths[a] < depths[b] : a < b;
  });
  return kept;
}

bool HasNumbers(const ScopeNumbers& numbers) {
  return numbers.instances || numbers.projected_ns || numbers.gpu_busy_ns || numbers.busy_share;
}

// A path of the document on its level of the tree.
struct Placed {
  ScopePath parent = kRootPath;  // in the ordered tree
  std::string shown;
  bool bare = false;  // without numbers of its own
  std::string_view name;
  ScopePath path = kRootPath;  // in the document
};

ScopeTree Ordered(const ScopeTree& tree) {
  const std::vector<uint32_t> depths = Depths(tree.paths);
  std::vector<std::vector<ScopePath>> levels;
  for (ScopePath path = 0; path < tree.paths.size(); ++path) {
    if (levels.size() <= depths[path]) levels.resize(depths[path] + 1);
    levels[depths[path]].push_back(path);
  }
  ScopeTree ordered{.paths = {}, .names = tree.names, .numbers = {}};
  std::vector<ScopePath> place(tree.paths.size(), kRootPath);  // where those below it go
  for (const std::vector<ScopePath>& level : levels) {
    std::vector<Placed> row;
    for (const ScopePath path : level) {
      const model::PathNode& node = tree.paths[path];
      const std::string_view name = tree.names.At(node.name);
      row.push_back({.parent = node.parent == kRootPath ? kRootPath : place[node.parent],
                     .shown = model::ShownName(name),
                     .bare = !HasNumbers(tree.numbers[path]),
                     .name = name,
                     .path = path});
    }
    std::sort(row.begin(), row.end(), [](const Placed& a, const Placed& b) {
      return std::tie(a.parent, a.shown, a.bare, a.name, a.path) <
             std::tie(b.parent, b.shown, b.bare, b.name, b.path);
    });
    for (size_t i = 0; i < row.size(); ++i) {
      const bool is_first =
          i == 0 || row[i].parent != row[i - 1].parent || row[i].shown != row[i - 1].shown;
      const auto next = static_cast<ScopePath>(ordered.paths.size());
      // What lies below equally named ones is below the first of them.
      place[row[i].path] = is_first ? next : place[row[i - 1].path];
      if (!is_first && row[i].bare) continue;
      ordered.paths.push_back({row[i].parent, tree.paths[row[i].path].name});
      ordered.numbers.push_back(tree.numbers[row[i].path]);
    }
  }
  return ordered;
}

}  // namespace

ScopeTree RawScopes(const model::AnalysisDocument& document) {
  const model::Analysis& analysis = document.analysis;
  ScopeTree tree{.paths = analysis.paths, .names = document.tables.names, .numbers = {}};
  tree.numbers.resize(tree.paths.size());
  for (const model::HostGroup& group : analysis.host_groups) AddHost(tree, group);
  for (const model::ProjectedGroup& group : analysis.projected_groups) AddProjection(tree, group);
  if (analysis.gpu_work) AddWork(tree, analysis.gpu_work->paths);
  return Ordered(tree);
}

ScopeTree GroupedScopes(const model::AnalysisDocument& document) {
  const model::Analysis& analysis = document.analysis;
  const model::GroupedRanges& grouped = *analysis.grouped;
  ScopeTree tree{.paths = grouped.paths, .names = grouped.names, .numbers = {}};
  tree.numbers.resize(tree.paths.size());
  for (const model::GroupedHostRange& row : grouped.host) AddHost(tree, row.group);
  for (const model::GroupedProjectedRange& row : grouped.projected) AddProjection(tree, row.group);
  if (analysis.gpu_work && analysis.gpu_work->grouped_paths)
    AddWork(tree, *analysis.gpu_work->grouped_paths);
  return Ordered(tree);
}

void WriteScopes(format::ScriptJson& json, const ScopeTree& tree, size_t most_bytes) {
  const Kept kept = KeepLargest(tree, most_bytes);
  std::vector<int64_t> row_of(tree.paths.size(), -1);
  for (size_t i = 0; i < kept.rows.size(); ++i) row_of[kept.rows[i]] = static_cast<int64_t>(i);
  const auto column = [&](const char* key, auto write) {
    json.Column(key, kept.rows, [&](ScopePath path) { write(path); });
  };
  const auto integers = [&](const char* key, auto member) {
    column(key, [&](ScopePath path) { json.Integer(tree.numbers[path].*member); });
  };
  json.BeginObject();
  column("name", [&](ScopePath path) {
    json.String(model::ShownName(tree.names.At(tree.paths[path].name)));
  });
  column("parent", [&](ScopePath path) {
    const ScopePath parent = tree.paths[path].parent;
    json.Integer(parent == kRootPath ? int64_t{-1} : row_of[parent]);
  });
  integers("host_inclusive_ns", &ScopeNumbers::host_inclusive_ns);
  integers("host_exclusive_ns", &ScopeNumbers::host_exclusive_ns);
  integers("instances", &ScopeNumbers::instances);
  integers("projected_ns", &ScopeNumbers::projected_ns);
  integers("gpu_busy_ns", &ScopeNumbers::gpu_busy_ns);
  column("busy_share_ratio", [&](ScopePath path) { json.Double(tree.numbers[path].busy_share); });
  column("folded_exclusive_ns", [&](ScopePath path) { json.Integer(kept.folded_ns[path]); });
  json.Key("folded_above_exclusive_ns");
  json.Integer(kept.folded_above_ns);
  json.Key("folded");
  json.Integer(static_cast<int64_t>(kept.folded));
  json.EndObject();
}

}  // namespace rangewise::artifact
