#include "analysis/range_tree.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/checked.h"

namespace rangewise::analysis {

namespace {

using model::kRootPath;
using model::RangeTree;
using model::ScopePath;
using model::TreeRow;

constexpr uint32_t kTop = 0;  // the node above all others

struct Node {
  ScopePath path = kRootPath;
  std::string_view name;
  uint32_t parent = kTop;
  Int128 self = 0;
  Int128 below = 0;  // with self
  int64_t instances = 0;
  size_t paths = 0;  // that have ranges of their own, here and below
  bool has_row = false;
  bool is_iterations = false;
  std::vector<uint32_t> children;
};

int64_t Capped(Int128 value) {
  if (const auto narrow = Narrow(value)) return *narrow;
  return value < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

// Nodes by the texts of their paths; parents stand before their children.
class Tree {
 public:
  explicit Tree(const model::ShownRanges& ranges)
      : ranges_(ranges), of_path_(ranges.paths.size(), kTop) {
    nodes_.emplace_back();
  }

  // O(steps up to a path that was met before).
  Node& At(ScopePath path) {
    std::vector<ScopePath> steps;
    ScopePath at = path;
    for (; at != kRootPath && of_path_[at] == kTop; at = ranges_.paths[at].parent) {
      steps.push_back(at);
    }
    uint32_t node = at == kRootPath ? kTop : of_path_[at];
    for (size_t i = steps.size(); i > 0; --i) {
      node = Child(node, steps[i - 1]);
      of_path_[steps[i - 1]] = node;
    }
    return nodes_[node];
  }
  std::vector<Node>& nodes() { return nodes_; }

 private:
  struct Key {
    uint32_t parent;
    std::string_view name;
    bool operator==(const Key&) const = default;
  };
  struct HashKey {
    size_t operator()(const Key& key) const {
      return std::hash<std::string_view>()(key.name) * 31 + key.parent;
    }
  };

  uint32_t Child(uint32_t parent, ScopePath path) {
    const std::string_view name = ranges_.names.At(ranges_.paths[path].name);
    const auto [entry, is_new] =
        known_.try_emplace({parent, name}, static_cast<uint32_t>(nodes_.size()));
    if (is_new) {
      Node& node = nodes_.emplace_back();
      node.path = path;
      node.name = name;
      node.parent = parent;
    }
    return entry->second;
  }

  const model::ShownRanges& ranges_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> of_path_;  // by path; kTop: not met yet
  std::unordered_map<Key, uint32_t, HashKey> known_;
};

void SumUp(std::vector<Node>& nodes) {
  for (size_t i = nodes.size(); i-- > 0;) {
    Node& node = nodes[i];
    node.below += node.self;
    if (node.has_row && !node.is_iterations) ++node.paths;
    if (i == kTop) break;
    nodes[node.parent].below += node.below;
    nodes[node.parent].paths += node.paths;
    nodes[node.parent].children.push_back(static_cast<uint32_t>(i));
  }
  for (Node& node : nodes) {
    std::sort(node.children.begin(), node.children.end(), [&](uint32_t a, uint32_t b) {
      return nodes[a].below != nodes[b].below ? nodes[a].below > nodes[b].below
                                              : nodes[a].name < nodes[b].name;
    });
  }
}

double Share(Int128 part, Int128 whole) {
  if (part <= 0 || whole <= 0) return 0;
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

RangeTree MakeRangeTree(const model::AnalysisDocument& document, double min_share,
                        bool with_iterations) {
  const model::ShownRanges ranges(document);
  Tree tree(ranges);
  for (size_t i = 0; i < ranges.host_count(); ++i) {
    const model::HostGroup& group = ranges.Host(i);
    Node& node = tree.At(group.path);
    node.self += group.exclusive.total.ns;
    node.instances = Capped(Int128{node.instances} + group.instances);
    node.has_row = true;
  }
  std::vector<Node>& nodes = tree.nodes();
  const model::IterationSummary& iterations = document.analysis.iteration_summary;
  if (with_iterations && iterations.host_exclusive) {
    Node& node = nodes.emplace_back();
    node.self = iterations.host_exclusive->total.ns;
    node.instances = iterations.host_iterations;
    node.has_row = true;
    node.is_iterations = true;
  }
  SumUp(nodes);

  const Int128 total = nodes[kTop].below;
  RangeTree out{.total_self = {Capped(total)}, .min_share = min_share};
  // What is still to be shown, the next one last: a node, or what was folded below one.
  struct Pending {
    uint32_t node;
    uint32_t depth;
    bool folded;
  };
  const auto is_shown = [&](uint32_t child) {
    return Share(nodes[child].below, total) >= min_share;
  };
  std::vector<Pending> pending;
  const auto push_children = [&](uint32_t parent, uint32_t depth) {
    const std::vector<uint32_t>& children = nodes[parent].children;
    if (!std::all_of(children.begin(), children.end(), is_shown)) {
      pending.push_back({parent, depth, true});
    }
    for (size_t i = children.size(); i > 0; --i) {
      if (is_shown(children[i - 1])) pending.push_back({children[i - 1], depth, false});
    }
  };
  push_children(kTop, 0);
  while (!pending.empty()) {
    const Pending next = pending.back();
    pending.pop_back();
    TreeRow row{.depth = next.depth};
    if (next.folded) {
      Int128 below = 0;
      for (const uint32_t child : nodes[next.node].children) {
        if (is_shown(child)) continue;
        below += nodes[child].below;
        row.folded += std::max<size_t>(nodes[child].paths, 1);
      }
      row.has_row = false;
      row.self_and_below = {Capped(below)};
      row.share = Share(below, total);
    } else {
      const Node& node = nodes[next.node];
      row.path = node.path;
      row.instances = node.instances;
      row.self = {Capped(node.self)};
      row.self_and_below = {Capped(node.below)};
      row.share = Share(node.below, total);
      row.is_iterations = node.is_iterations;
      row.has_row = node.has_row;
      push_children(next.node, next.depth + 1);
    }
    out.rows.push_back(row);
  }
  return out;
}

}  // namespace rangewise::analysis
