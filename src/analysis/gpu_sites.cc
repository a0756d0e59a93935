#include "analysis/gpu_sites.h"

#include <algorithm>

namespace rangewise::analysis {
namespace {

// Sorts by index; of one index the entries become one, own if any was.
void SortDistinct(std::vector<Place>& places) {
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return a.index != b.index ? a.index < b.index : a.own > b.own;
  });
  places.erase(std::unique(places.begin(), places.end(),
                           [](const Place& a, const Place& b) { return a.index == b.index; }),
               places.end());
}

}  // namespace

GpuSites::GpuSites(const model::GpuActivity& activity, const GpuRanges& ranges)
    : ranges_(ranges), first_range_id_(activity.first_range_id), leaf_sets_(activity.leaf_sets()) {
  leaf_begin_.assign(1, 0);
  iteration_begin_.assign(1, 0);
  std::vector<Place> iterations;
  for (size_t set = 0; set < leaf_sets_; ++set) {
    iterations.clear();
    for (size_t i = activity.leaf_set_begin[set]; i < activity.leaf_set_begin[set + 1]; ++i) {
      const uint32_t row = ranges.Find(activity.leaves[i].range_id);
      if (row == kNoRow) continue;
      const bool own = activity.leaves[i].own;
      leaves_.push_back({row, own});
      const GpuRange& range = ranges[row];
      if (range.iteration == kNoIteration) continue;
      iterations.push_back({range.iteration, own && range.path == kRootPath});
    }
    SortDistinct(iterations);
    iterations_.insert(iterations_.end(), iterations.begin(), iterations.end());
    leaf_begin_.push_back(leaves_.size());
    iteration_begin_.push_back(iterations_.size());
  }
}

SitePaths::SitePaths(const GpuSites& sites, const PathShape& shape,
                     std::span<const ScopePath> place)
    : sites_(sites), shape_(shape), place_(place) {
  std::vector<Place> paths;
  for (size_t set = 0; set < sites.leaf_sets(); ++set) {
    paths.clear();
    sites.EachLeaf(model::GpuActivity::kLeafSets + static_cast<model::Site>(set),
                   [&](const LeafRow& leaf) {
                     const ScopePath path = PathOf(leaf.row);
                     if (path != kRootPath) paths.push_back({path, leaf.own});
                   });
    SortDistinct(paths);
    AddSet(paths);
  }
}

// In the order of the tree the paths that hold one another stand side by side: what holds the next
// one is no tip. Two neighbouring tips share what holds both, which their terms count once too often.
void SitePaths::AddSet(std::vector<Place>& paths) {
  const Place* last_tip = nullptr;
  for (size_t i = 0; i < paths.size(); ++i) {
    const bool is_tip = i + 1 == paths.size() || !shape_.Holds(paths[i].index, paths[i + 1].index);
    if (is_tip || paths[i].own) paths_.push_back(paths[i]);
    if (!is_tip) continue;
    terms_.push_back({paths[i].index, 1});
    if (last_tip != nullptr) {
      const ScopePath common = shape_.Common(last_tip->index, paths[i].index);
      if (common != kRootPath) terms_.push_back({common, -1});
    }
    last_tip = &paths[i];
  }
  path_begin_.push_back(paths_.size());
  term_begin_.push_back(terms_.size());
}

std::optional<std::pair<ScopePath, ScopePath>> SitePaths::Overlap(model::Site site,
                                                                  ScopePath ignored) const {
  if (site < model::GpuActivity::kLeafSets || site >= model::kOutsideRanges) return std::nullopt;
  std::optional<std::pair<ScopePath, ScopePath>> found;
  std::optional<Place> first;
  bool ignored_owns = false;
  // Of a chain that ends in its own path, only the end is among these.
  EachPath(site, [&](const Place& place) {
    if (place.index == ignored) {
      ignored_owns = place.own;
    } else if (!first) {
      first = place;
    } else if (!found) {
      found.emplace(first->index, place.index);
    }
  });
  // A range of the ignored path's name lies in one whose path does not hold it.
  if (!found && first && !first->own && ignored_owns) {
    found.emplace(std::min(first->index, ignored), std::max(first->index, ignored));
  }
  return found;
}

}  // namespace rangewise::analysis
