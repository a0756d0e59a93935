// Owns the operations of a path or iteration in the order of their starts, though they were sorted
// by the smallest ranges that they lie in.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/gpu_sites.h"
#include "model/gpu_activity.h"

namespace rangewise::analysis {

// The numbers of the operations by start. An operation's index in it is its rank.
std::vector<uint32_t> StartOrder(const model::GpuActivity& activity);

// A rank, and whether the operation is its range's own.
class RankEntry {
 public:
  RankEntry() = default;
  RankEntry(uint32_t rank, bool own) : code_(rank << 1 | (own ? 1u : 0u)) {}
  uint32_t rank() const { return code_ >> 1; }
  bool own() const { return (code_ & 1u) != 0; }

 private:
  uint32_t code_ = 0;
};
inline constexpr size_t kMostRanks = size_t{1} << 31;

// Ranks sorted by place: a path or an iteration.
class RankLists {
 public:
  // `each(site, visit)` calls visit(Place) for the places of a site, each below `places`. Ranks are
  // below kMostRanks.
  template <typename Each>
  RankLists(const model::GpuActivity& activity, std::span<const uint32_t> order, size_t places,
            Each each)
      : begin_(places + 1, 0) {
    for (const model::ActivityOperation& operation : activity.operations) {
      each(operation.site, [&](const Place& place) { ++begin_[place.index + 1]; });
    }
    for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    entries_.resize(begin_.back());
    std::vector<size_t> next(begin_.begin(), begin_.end() - 1);
    for (uint32_t rank = 0; rank < order.size(); ++rank) {
      each(activity.operations[order[rank]].site, [&](const Place& place) {
        entries_[next[place.index]++] = {rank, place.own};
      });
    }
  }

  // Of the places [first, last), place by place; ascending within each.
  std::span<const RankEntry> Of(size_t first, size_t last) const {
    return std::span(entries_).subspan(begin_[first], begin_[last] - begin_[first]);
  }

 private:
  std::vector<size_t> begin_;  // by place, and the end
  std::vector<RankEntry> entries_;
};

// Ranks of several lists as one ascending list without repetition; scratch of one worker.
class RankUnion {
 public:
  // Calls visit(rank) for the ranks of `entries`, in order, once each. O(entries) where they are
  // dense, else O(entries log entries).
  template <typename Visit>
  void Each(std::span<const RankEntry> entries, Visit visit) {
    if (entries.empty()) return;
    uint32_t lowest = UINT32_MAX;
    uint32_t highest = 0;
    for (const RankEntry& entry : entries) {
      if (entry.rank() < lowest) lowest = entry.rank();
      if (entry.rank() > highest) highest = entry.rank();
    }
    const size_t words = (highest - lowest) / 64 + size_t{1};
    if (words > 2 * entries.size()) return EachSorted(entries, visit);
    bits_.assign(words, 0);
    for (const RankEntry& entry : entries) Mark(entry.rank() - lowest);
    EachMarked(lowest, visit);
  }

  // The same for the ranks of `entries` and all below `ranks` for which also(rank) holds.
  template <typename Also, typename Visit>
  void EachAnd(std::span<const RankEntry> entries, uint32_t ranks, Also also, Visit visit) {
    bits_.assign(ranks / 64 + size_t{1}, 0);
    for (const RankEntry& entry : entries) Mark(entry.rank());
    for (uint32_t rank = 0; rank < ranks; ++rank) {
      if (also(rank)) Mark(rank);
    }
    EachMarked(0, visit);
  }

 private:
  void Mark(uint32_t bit) { bits_[bit / 64] |= uint64_t{1} << (bit % 64); }

  template <typename Visit>
  void EachMarked(uint32_t lowest, Visit visit) const {
    for (size_t word = 0; word < bits_.size(); ++word) {
      for (uint64_t bits = bits_[word]; bits != 0; bits &= bits - 1) {
        visit(lowest + static_cast<uint32_t>(word * 64) +
              static_cast<uint32_t>(std::countr_zero(bits)));
      }
    }
  }

  template <typename Visit>
  void EachSorted(std::span<const RankEntry> entries, Visit visit) {
    sorted_.clear();
    for (const RankEntry& entry : entries) sorted_.push_back(entry.rank());
    std::sort(sorted_.begin(), sorted_.end());
    sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
    for (const uint32_t rank : sorted_) visit(rank);
  }

  std::vector<uint64_t> bits_;
  std::vector<uint32_t> sorted_;
};

}  // namespace rangewise::analysis
