// Owns the scope paths after names were grouped: which raw paths become one, and the groups of the
// same rows by the paths that result.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/name_rules.h"
#include "analysis/scope.h"
#include "base/result.h"
#include "model/analysis.h"
#include "model/rows.h"

namespace rangewise::analysis {

// Paths of which each stands for one raw path or more.
struct CollapsedPaths {
  model::NamePool names;
  std::vector<PathNode> nodes;   // of `names`, in the order that they are shown in
  std::vector<ScopePath> place;  // by raw path, in the order of `raw`: the index into `nodes`
};

// Each path of `raw` with `rename(name)`, a Result<std::string>, in place of each of its names. A
// parent stands before its children in `raw`. O(paths) beside one call per distinct name.
template <typename Rename>
Result<CollapsedPaths> Collapse(std::span<const PathNode> raw, const model::NamePool& names,
                                Rename rename) {
  CollapsedPaths out;
  PathTree tree;
  std::vector<model::NameId> renamed(names.size(), model::kNoName);
  std::vector<ScopePath> in_tree(raw.size());
  for (size_t i = 0; i < raw.size(); ++i) {
    model::NameId& name = renamed[static_cast<uint32_t>(raw[i].name)];
    if (name == model::kNoName) {
      ASSIGN_OR_RETURN(const std::string text, rename(names.At(raw[i].name)));
      name = out.names.Intern(text);
    }
    in_tree[i] = tree.Child(raw[i].parent == kRootPath ? kRootPath : in_tree[raw[i].parent], name);
  }
  OrderedPaths ordered = OrderPaths(tree, out.names);
  out.nodes = std::move(ordered.nodes);
  out.place.resize(raw.size());
  for (size_t i = 0; i < raw.size(); ++i) out.place[i] = ordered.place[in_tree[i]];
  return out;
}

// Groups of the rows of `tables` by collapsed path. `host` and `projection` hold each row's path by
// its number in the tree that `ordered` puts in order; the raw groups are those of `analysis`,
// whose paths are in place. Errors: kTotalOverflow.
Result<model::GroupedRanges> GroupCollapsed(const model::ReportTables& tables,
                                            std::span<const ScopePath> host,
                                            std::span<const ScopePath> projection,
                                            std::span<const ScopePath> place,
                                            CollapsedPaths collapsed,
                                            const model::Analysis& analysis);

}  // namespace rangewise::analysis
