// Owns where CUDA calls were made: of each site the ranges that hold it, their scope paths in one
// tree, and their iterations.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/gpu_ranges.h"
#include "analysis/path_shape.h"
#include "model/gpu_activity.h"

namespace rangewise::analysis {

// A leaf's row, and whether no smaller range holds the call.
struct LeafRow {
  uint32_t row = 0;
  bool own = true;
};

// An index with a mark that it is its range's own.
struct Place {
  uint32_t index = 0;
  bool own = true;
};

class GpuSites {
 public:
  // Both outlive this.
  GpuSites(const model::GpuActivity& activity, const GpuRanges& ranges);

  const GpuRanges& ranges() const { return ranges_; }
  size_t leaf_sets() const { return leaf_sets_; }

  // Calls visit(LeafRow) for each leaf that a table knows.
  template <typename Visit>
  void EachLeaf(model::Site site, Visit visit) const {
    if (IsNone(site)) return;
    if (site < model::GpuActivity::kLeafSets) {
      const uint32_t row = ranges_.Find(first_range_id_ + static_cast<int64_t>(site));
      if (row != kNoRow) visit(LeafRow{row, true});
      return;
    }
    const size_t set = site - model::GpuActivity::kLeafSets;
    for (size_t i = leaf_begin_[set]; i < leaf_begin_[set + 1]; ++i) visit(leaves_[i]);
  }

  // Calls visit(Place) once for each iteration that the site lies in.
  template <typename Visit>
  void EachIteration(model::Site site, Visit visit) const {
    if (IsNone(site)) return;
    if (site < model::GpuActivity::kLeafSets) {
      EachLeaf(site, [&](const LeafRow& leaf) {
        const GpuRange& range = ranges_[leaf.row];
        if (range.iteration == kNoIteration) return;
        visit(Place{range.iteration, range.path == kRootPath});
      });
      return;
    }
    const size_t set = site - model::GpuActivity::kLeafSets;
    for (size_t i = iteration_begin_[set]; i < iteration_begin_[set + 1]; ++i)
      visit(iterations_[i]);
  }

  bool InCapture(model::Site site) const {
    bool inside = false;
    EachLeaf(site, [&](const LeafRow& leaf) { inside |= ranges_[leaf.row].in_capture != 0; });
    return inside;
  }

 private:
  static bool IsNone(model::Site site) { return site >= model::kOutsideRanges; }

  const GpuRanges& ranges_;
  int64_t first_range_id_;
  size_t leaf_sets_;
  // By leaf set, and the end.
  std::vector<size_t> leaf_begin_;
  std::vector<LeafRow> leaves_;
  std::vector<size_t> iteration_begin_;
  std::vector<Place> iterations_;
};

// The paths of the sites in one tree.
class SitePaths {
 public:
  // `place`: by raw path, the path in the tree; empty: the raw paths are the tree's. All outlive
  // this.
  SitePaths(const GpuSites& sites, const PathShape& shape, std::span<const ScopePath> place);

  const PathShape& shape() const { return shape_; }
  ScopePath PathOf(uint32_t row) const {
    const ScopePath path = sites_.ranges()[row].path;
    return path == kRootPath || place_.empty() ? path : place_[path];
  }

  // Calls visit(Place) for distinct paths: those below which no other of the site lies, and those
  // that the site is own to. They and what is above them are all paths of the site.
  template <typename Visit>
  void EachPath(model::Site site, Visit visit) const {
    if (site < model::GpuActivity::kLeafSets) {
      sites_.EachLeaf(site, [&](const LeafRow& leaf) {
        const ScopePath path = PathOf(leaf.row);
        if (path != kRootPath) visit(Place{path, true});
      });
    } else if (site < model::kOutsideRanges) {
      const size_t set = site - model::GpuActivity::kLeafSets;
      for (size_t i = path_begin_[set]; i < path_begin_[set + 1]; ++i) visit(paths_[i]);
    }
  }

  // Calls visit(path, sign) such that adding up the signs from below counts the site once for each
  // of its paths.
  template <typename Visit>
  void EachTerm(model::Site site, Visit visit) const {
    if (site < model::GpuActivity::kLeafSets) {
      EachPath(site, [&](const Place& place) { visit(place.index, 1); });
    } else if (site < model::kOutsideRanges) {
      const size_t set = site - model::GpuActivity::kLeafSets;
      for (size_t i = term_begin_[set]; i < term_begin_[set + 1]; ++i) {
        visit(terms_[i].path, terms_[i].sign);
      }
    }
  }

  // The first two paths of the site where they form no chain that ends in its own path, so that
  // totals do not add up. `ignored` (the capture range's) counts only where it owns the site.
  std::optional<std::pair<ScopePath, ScopePath>> Overlap(model::Site site, ScopePath ignored) const;

 private:
  struct Term {
    ScopePath path = kRootPath;
    int sign = 1;
  };
  void AddSet(std::vector<Place>& paths);

  const GpuSites& sites_;
  const PathShape& shape_;
  std::span<const ScopePath> place_;
  // By leaf set, and the end.
  std::vector<size_t> path_begin_{0};
  std::vector<Place> paths_;  // ascending
  std::vector<size_t> term_begin_{0};
  std::vector<Term> terms_;
};

}  // namespace rangewise::analysis
