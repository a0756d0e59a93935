// Owns scope paths: a tree of names in which each path is kept once, the order that paths are shown
// in, and following chains of parents to give each range its path. No step recurses, whatever the
// depth.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/range_index.h"
#include "model/analysis.h"
#include "model/names.h"

namespace rangewise::analysis {

using model::kRootPath;
using model::PathNode;
using model::ScopePath;

// Paths as they are met. A path's number is at least its parent's plus one.
class PathTree {
 public:
  PathTree();
  // The path `name` below `parent`, new or not. Amortised constant time.
  ScopePath Child(ScopePath parent, model::NameId name);
  const std::vector<PathNode>& nodes() const { return nodes_; }

 private:
  size_t SlotOf(ScopePath parent, model::NameId name) const;
  void Grow();
  std::vector<PathNode> nodes_;
  std::vector<uint32_t>
      slots_;  // open addressing, at most half full; kFree or an index into nodes_
};

// The paths of a tree in the order that they are shown in: as lists of names compared bytewise, a
// prefix first; names of one text by their domains.
struct OrderedPaths {
  std::vector<PathNode> nodes;   // in that order
  std::vector<ScopePath> place;  // by number in the tree: the index into `nodes`
};

// O(n) beside sorting the distinct names.
OrderedPaths OrderPaths(const PathTree& tree, const model::NamePool& names);

// The display form of a path: its names joined by '.'.
std::string JoinedPath(std::span<const PathNode> nodes, ScopePath path,
                       const model::NamePool& names);

// Where a range's chain goes on: at the range of number `row`, or it ends below the path `base`.
struct ParentLink {
  uint32_t row = kNoRow;
  ScopePath base = kRootPath;
};

// Values in an array of paths that are not paths. kRootPath stands for a harness range: what lies
// below it starts a path.
inline constexpr ScopePath kUnresolved = UINT32_MAX - 1;
inline constexpr ScopePath kOnChain = UINT32_MAX - 2;

// Gives every range that is kUnresolved in `paths` its path: the name below the path of its parent.
// `parent_of(i)` is a ParentLink, `name_of(i)` a NameId. `on_cycle(span of rows)` is called once
// for each cycle, child before parent; the ranges in it and below them are left with kRootPath.
// O(n).
template <typename ParentOf, typename NameOf, typename OnCycle>
void ResolvePaths(std::span<ScopePath> paths, PathTree& tree, ParentOf parent_of, NameOf name_of,
                  OnCycle on_cycle) {
  std::vector<uint32_t> chain;
  for (uint32_t first = 0; first < paths.size(); ++first) {
    ParentLink link{first, kRootPath};
    while (link.row != kNoRow && paths[link.row] == kUnresolved) {
      paths[link.row] = kOnChain;
      chain.push_back(link.row);
      link = parent_of(link.row);
    }
    if (link.row != kNoRow && paths[link.row] == kOnChain) {
      const auto start = std::find(chain.begin(), chain.end(), link.row);
      on_cycle(std::span<const uint32_t>(start, chain.end()));
      for (const uint32_t row : chain) paths[row] = kRootPath;
      chain.clear();
      continue;
    }
    ScopePath path = link.row != kNoRow ? paths[link.row] : link.base;
    for (; !chain.empty(); chain.pop_back()) {
      path = tree.Child(path, name_of(chain.back()));
      paths[chain.back()] = path;
    }
  }
}

}  // namespace rangewise::analysis
