// Owns questions about the tree of scope paths in the order that they are shown in, where what lies
// below a path follows it at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/scope.h"

namespace rangewise::analysis {

class PathShape {
 public:
  // `nodes` as OrderPaths makes them; they outlive this.
  explicit PathShape(std::span<const PathNode> nodes);

  size_t size() const { return nodes_.size(); }
  ScopePath parent(ScopePath path) const { return nodes_[path].parent; }
  // What lies below `path` is (path, end(path)).
  ScopePath end(ScopePath path) const { return end_[path]; }
  // Whether `path` is `outer` or lies below it.
  bool Holds(ScopePath outer, ScopePath path) const { return path >= outer && path < end_[outer]; }
  // The longest path that holds both; kRootPath: none. O(log depth).
  ScopePath Common(ScopePath a, ScopePath b) const;

  // Of values by path, to each what lies below it, too.
  template <typename T>
  void AddUp(std::span<T> values) const {
    for (size_t path = values.size(); path-- > 0;) {
      if (nodes_[path].parent != kRootPath) values[nodes_[path].parent] += values[path];
    }
  }

 private:
  std::span<const PathNode> nodes_;
  std::vector<ScopePath> end_;
  std::vector<ScopePath> jump_;  // an ancestor, such that a few jumps pass many levels
};

}  // namespace rangewise::analysis
