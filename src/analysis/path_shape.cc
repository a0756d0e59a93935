#include "analysis/path_shape.h"

namespace rangewise::analysis {

// Jumps as in Myers, An applicative random-access stack (1983): where the two jumps above the
// parent pass equally many levels, one passes both.
PathShape::PathShape(std::span<const PathNode> nodes)
    : nodes_(nodes), end_(nodes.size()), jump_(nodes.size(), kRootPath) {
  std::vector<uint32_t> depth(nodes.size(), 1);  // the root has 0
  const auto depth_of = [&](ScopePath path) { return path == kRootPath ? 0 : depth[path]; };
  const auto jump_of = [&](ScopePath path) { return path == kRootPath ? kRootPath : jump_[path]; };
  for (ScopePath path = 0; path < nodes.size(); ++path) {
    end_[path] = path + 1;
    const ScopePath parent = nodes[path].parent;
    if (parent == kRootPath) continue;
    depth[path] = depth[parent] + 1;
    const ScopePath once = jump_of(parent);
    const ScopePath twice = jump_of(once);
    const bool equal = depth_of(parent) - depth_of(once) == depth_of(once) - depth_of(twice);
    jump_[path] = equal ? twice : parent;
  }
  for (size_t path = nodes.size(); path-- > 0;) {
    const ScopePath parent = nodes[path].parent;
    if (parent != kRootPath && end_[parent] < end_[path]) end_[parent] = end_[path];
  }
}

ScopePath PathShape::Common(ScopePath a, ScopePath b) const {
  while (a != kRootPath && !Holds(a, b)) {
    const ScopePath far = jump_[a];
    a = far == kRootPath || Holds(far, b) ? nodes_[a].parent : far;
  }
  return a;
}

}  // namespace rangewise::analysis
