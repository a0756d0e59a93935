// Owns finding a row by what identifies its range: thread and RangeId. A RangeId is a row number of
// NVIDIA's event table, so ids are usually distinct over all threads and not much sparser than the
// rows: then a bitmap of the ids with running counts finds the row in constant time at about 4.5
// bytes a row. Ids that are sparse, or that several threads share, are sorted and found by
// bisection at 4 bytes a row.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/rows.h"

namespace rangewise::analysis {

inline constexpr uint32_t kNoRow = UINT32_MAX;

// `Row` has `range_id` and `thread`. The rows must outlive the index; there are fewer than 2^32.
template <typename Row>
class RangeIndex {
 public:
  // Of all rows.
  explicit RangeIndex(std::span<const Row> rows) : rows_(rows) {
    Build(rows.size(), [](size_t i) { return static_cast<uint32_t>(i); });
  }
  // Of the rows numbered in `members`.
  RangeIndex(std::span<const Row> rows, std::span<const uint32_t> members) : rows_(rows) {
    Build(members.size(), [members](size_t i) { return members[i]; });
  }

  // The number of the row, or kNoRow. Of rows with one key, which are an error elsewhere, any.
  uint32_t Find(uint32_t thread, int64_t range_id) const {
    if (words_.empty()) return FindSorted(thread, range_id);
    const uint32_t row = FindOnAnyThread(range_id);
    return row != kNoRow && rows_[row].thread == thread ? row : kNoRow;
  }

  // The same by RangeId alone; of several threads' rows any.
  uint32_t FindOnAnyThread(int64_t range_id) const {
    if (words_.empty()) {
      const auto at = std::lower_bound(
          order_.begin(), order_.end(), range_id,
          [this](uint32_t row, int64_t wanted) { return rows_[row].range_id < wanted; });
      return at == order_.end() || rows_[*at].range_id != range_id ? kNoRow : *at;
    }
    const uint64_t offset = static_cast<uint64_t>(range_id) - static_cast<uint64_t>(lowest_);
    if (offset / 64 >= words_.size()) return kNoRow;
    const Word& word = words_[offset / 64];
    const uint64_t bit = uint64_t{1} << (offset % 64);
    if ((word.ids & bit) == 0) return kNoRow;
    return order_[word.before + std::popcount(word.ids & (bit - 1))];
  }

  // A row whose key another row has too; of several such keys the smallest.
  std::optional<uint32_t> FindDuplicate(std::span<const model::ThreadKey> threads) const {
    std::optional<uint32_t> found;
    if (!words_.empty()) return found;
    for (size_t i = 1; i < order_.size(); ++i) {
      const Row& row = rows_[order_[i]];
      if (Less(rows_[order_[i - 1]], row)) continue;
      const bool smaller = !found || row.range_id < rows_[*found].range_id ||
                           (row.range_id == rows_[*found].range_id &&
                            threads[row.thread] < threads[rows_[*found].thread]);
      if (smaller) found = order_[i];
    }
    return found;
  }

 private:
  struct Word {
    uint64_t ids = 0;     // bit i: the id lowest_ + 64 * (number of the word) + i is there
    uint32_t before = 0;  // ids in earlier words
  };

  static bool Less(const Row& a, const Row& b) {
    return a.range_id != b.range_id ? a.range_id < b.range_id : a.thread < b.thread;
  }

  template <typename RowAt>
  void Build(size_t count, RowAt row_at) {
    if (count == 0) return;
    order_.resize(count);
    if (BuildWords(count, row_at)) return;
    words_ = {};
    for (size_t i = 0; i < count; ++i) order_[i] = row_at(i);
    std::sort(order_.begin(), order_.end(),
              [this](uint32_t a, uint32_t b) { return Less(rows_[a], rows_[b]); });
  }

  template <typename RowAt>
  bool BuildWords(size_t count, RowAt row_at) {
    lowest_ = rows_[row_at(0)].range_id;
    int64_t highest = lowest_;
    for (size_t i = 0; i < count; ++i) {
      lowest_ = std::min(lowest_, rows_[row_at(i)].range_id);
      highest = std::max(highest, rows_[row_at(i)].range_id);
    }
    // At 32 ids a row the words take 8 bytes a row; beyond that, sorting takes less.
    const uint64_t words = (static_cast<uint64_t>(highest) - static_cast<uint64_t>(lowest_)) / 64;
    if (words > count / 2 + 16) return false;
    words_.resize(words + 1);
    for (size_t i = 0; i < count; ++i) {
      const uint64_t offset = Offset(row_at(i));
      const uint64_t bit = uint64_t{1} << (offset % 64);
      if ((words_[offset / 64].ids & bit) != 0) return false;
      words_[offset / 64].ids |= bit;
    }
    uint32_t before = 0;
    for (Word& word : words_) {
      word.before = before;
      before += static_cast<uint32_t>(std::popcount(word.ids));
    }
    for (size_t i = 0; i < count; ++i) {
      const uint64_t offset = Offset(row_at(i));
      const Word& word = words_[offset / 64];
      const uint64_t below = (uint64_t{1} << (offset % 64)) - 1;
      order_[word.before + std::popcount(word.ids & below)] = row_at(i);
    }
    return true;
  }

  uint64_t Offset(uint32_t row) const {
    return static_cast<uint64_t>(rows_[row].range_id) - static_cast<uint64_t>(lowest_);
  }

  uint32_t FindSorted(uint32_t thread, int64_t range_id) const {
    Row wanted;
    wanted.range_id = range_id;
    wanted.thread = thread & (model::kMostThreads - 1);
    const auto at =
        std::lower_bound(order_.begin(), order_.end(), wanted,
                         [this](uint32_t row, const Row& key) { return Less(rows_[row], key); });
    if (at == order_.end() || Less(wanted, rows_[*at])) return kNoRow;
    return *at;
  }

  std::span<const Row> rows_;
  int64_t lowest_ = 0;
  std::vector<Word> words_;      // empty: order_ is sorted by key
  std::vector<uint32_t> order_;  // row numbers by ascending key
};

}  // namespace rangewise::analysis
