#include "analysis/scope.h"

#include <algorithm>
#include <bit>

namespace rangewise::analysis {
namespace {

using model::NameId;
using model::NamePool;

constexpr uint32_t kFree = UINT32_MAX;
constexpr size_t kFirstSlots = 64;

// A name with its first eight bytes in front, which decide most comparisons without following the
// name.
struct SortedName {
  uint64_t head;
  uint32_t id;
};

uint64_t Head(std::string_view name) {
  uint64_t head = 0;
  for (size_t i = 0; i < sizeof head; ++i) {
    head = head << 8 | (i < name.size() ? static_cast<unsigned char>(name[i]) : 0);
  }
  return head;
}

// For each NameId that occurs in `nodes`, its place in bytewise order among them (then by domain); others are left
// at 0.
std::vector<uint32_t> NameRanks(std::span<const PathNode> nodes, const NamePool& names,
                                size_t& count) {
  std::vector<uint32_t> ranks(names.size(), 0);
  std::vector<SortedName> sorted;
  for (const PathNode& node : nodes) {
    const auto id = static_cast<uint32_t>(node.name);
    if (ranks[id] != 0) continue;
    ranks[id] = 1;
    sorted.push_back({Head(names.At(node.name)), id});
  }
  std::sort(sorted.begin(), sorted.end(), [&](const SortedName& a, const SortedName& b) {
    if (a.head != b.head) return a.head < b.head;
    const int order = names.At(NameId{a.id}).compare(names.At(NameId{b.id}));
    return order != 0 ? order < 0 : names.DomainAt(NameId{a.id}) < names.DomainAt(NameId{b.id});
  });
  for (uint32_t rank = 0; rank < sorted.size(); ++rank) ranks[sorted[rank].id] = rank;
  count = sorted.size();
  return ranks;
}

// Counting sort: `items` stably by key_of(item), which is below `keys`.
template <typename KeyOf>
std::vector<uint32_t> SortedByKey(std::span<const uint32_t> items, size_t keys, KeyOf key_of) {
  std::vector<uint32_t> next(keys + 1, 0);
  for (const uint32_t item : items) ++next[key_of(item) + 1];
  for (size_t i = 1; i <= keys; ++i) next[i] += next[i - 1];
  std::vector<uint32_t> sorted(items.size());
  for (const uint32_t item : items) sorted[next[key_of(item)]++] = item;
  return sorted;
}

}  // namespace

PathTree::PathTree() : slots_(kFirstSlots, kFree) {}

size_t PathTree::SlotOf(ScopePath parent, NameId name) const {
  // Both halves are small numbers of ours; a multiplication spreads them, and its high half mixes
  // best.
  const uint64_t key = uint64_t{parent} << 32 | static_cast<uint32_t>(name);
  uint64_t hash = (key ^ key >> 29) * 0x9E3779B97F4A7C15u;
  hash ^= hash >> 32;
  const size_t mask = slots_.size() - 1;
  size_t slot = static_cast<size_t>(hash) & mask;
  while (slots_[slot] != kFree &&
         (nodes_[slots_[slot]].parent != parent || nodes_[slots_[slot]].name != name)) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

ScopePath PathTree::Child(ScopePath parent, NameId name) {
  size_t slot = SlotOf(parent, name);
  if (slots_[slot] != kFree) return slots_[slot];
  if (2 * (nodes_.size() + 1) > slots_.size()) {
    Grow();
    slot = SlotOf(parent, name);
  }
  const auto path = static_cast<ScopePath>(nodes_.size());
  slots_[slot] = path;
  nodes_.push_back({parent, name});
  return path;
}

void PathTree::Grow() {
  slots_.assign(slots_.size() * 2, kFree);
  for (uint32_t i = 0; i < nodes_.size(); ++i) slots_[SlotOf(nodes_[i].parent, nodes_[i].name)] = i;
}

OrderedPaths OrderPaths(const PathTree& tree, const NamePool& names) {
  const std::vector<PathNode>& nodes = tree.nodes();
  const size_t count = nodes.size();
  size_t name_count = 0;
  const std::vector<uint32_t> ranks = NameRanks(nodes, names, name_count);
  std::vector<uint32_t> all(count);
  for (uint32_t i = 0; i < count; ++i) all[i] = i;

  // Siblings side by side in the order of their names, parents by number; the root's children come
  // last.
  const std::vector<uint32_t> by_name = SortedByKey(
      all, name_count, [&](uint32_t i) { return ranks[static_cast<uint32_t>(nodes[i].name)]; });
  const auto parent_key = [&](uint32_t i) {
    return nodes[i].parent == kRootPath ? count : nodes[i].parent;
  };
  const std::vector<uint32_t> siblings = SortedByKey(by_name, count + 1, parent_key);
  std::vector<uint32_t> first_child(count + 2, 0);
  for (uint32_t i = 0; i < count; ++i) ++first_child[parent_key(i) + 1];
  for (size_t i = 1; i < first_child.size(); ++i) first_child[i] += first_child[i - 1];

  // Depth first, with a stack of our own: children are pushed last to first.
  OrderedPaths ordered;
  ordered.nodes.reserve(count);
  ordered.place.resize(count);
  std::vector<uint32_t> stack;
  const auto push_children = [&](size_t parent) {
    for (uint32_t i = first_child[parent + 1]; i > first_child[parent]; --i)
      stack.push_back(siblings[i - 1]);
  };
  push_children(count);
  while (!stack.empty()) {
    const uint32_t path = stack.back();
    stack.pop_back();
    const ScopePath parent = nodes[path].parent;
    ordered.place[path] = static_cast<ScopePath>(ordered.nodes.size());
    ordered.nodes.push_back(
        {parent == kRootPath ? kRootPath : ordered.place[parent], nodes[path].name});
    push_children(path);
  }
  return ordered;
}

std::string JoinedPath(std::span<const PathNode> nodes, ScopePath path, const NamePool& names) {
  std::vector<NameId> list;
  for (; path != kRootPath; path = nodes[path].parent) list.push_back(nodes[path].name);
  std::string joined;
  for (auto name = list.rbegin(); name != list.rend(); ++name) {
    if (name != list.rbegin()) joined += '.';
    joined += names.At(*name);
  }
  return joined;
}

}  // namespace rangewise::analysis
