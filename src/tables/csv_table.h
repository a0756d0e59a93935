// Owns what the readers of the four tables share: the search for the header, the words for a field
// that is no integer, the rows that workers append, and the watch for ranges that appear twice.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "format/csv.h"
#include "tables/csv_columns.h"
#include "tables/csv_interning.h"

namespace rangewise::tables {

// What all readers need to know. `workers` has an entry for each thread.
struct ReadContext {
  std::string version_text;
  SharedInterning shared;
  std::deque<WorkerInterning> workers;
};

// A sink that knows its report's columns.
class TableSink : public format::CsvSink {
 public:
  TableSink(model::Report report, std::filesystem::path file, const std::string& version_text,
            std::span<const ColumnSpec> specs)
      : finder_(report, std::move(file), version_text, specs) {}

  Result<bool> IsHeader(std::span<const std::string> cells, uint64_t line) override {
    return finder_.Accept(cells, line);
  }
  Status NoHeader(bool blank) override {
    if (blank) return Ok();  // so nsys leaves a report that does not apply
    return finder_.Missing();
  }
  void Expect(uint64_t) override {}
  void Restart() override { records_ = 0; }

  bool has_header() const { return !finder_.columns().empty(); }
  // Records after the header.
  uint64_t records() const { return records_; }

 protected:
  const FoundColumn& column(size_t spec) const { return finder_.columns()[spec]; }
  void Count(size_t records) { records_ += records; }

  format::CsvFault NoInteger(const format::CsvBatch& batch, size_t record, size_t spec) const {
    const FoundColumn& found = column(spec);
    std::string scratch;
    const std::string_view text = format::CsvValue(batch.Raw(record, found.index), scratch);
    return {record, found.index, Code::kBadInteger,
            Format("the column {} holds {}, {} was expected", Quoted(found.heading), Quoted(text),
                   found.scale > 1 ? "a decimal number within 64 bits of nanoseconds"
                                   : "an integer of 64 bits")};
  }

 private:
  ColumnFinder finder_;
  std::atomic<uint64_t> records_ = 0;
};

// A set of integers that are mostly small and dense, as row ids are, by one bit for each.
class DenseIds {
 public:
  // Adds `id`. False when it was there already, or cannot be told because it is negative or large.
  bool Add(int64_t id) {
    if (id < 0 || id >= kLargest) return false;
    const auto word = static_cast<size_t>(id / 64);
    if (word >= bits_.size()) bits_.resize(std::max(word + 1, bits_.size() * 2));
    const uint64_t bit = uint64_t{1} << (id % 64);
    const bool is_new = (bits_[word] & bit) == 0;
    bits_[word] |= bit;
    return is_new;
  }
  void Clear() { bits_ = {}; }

 private:
  static constexpr int64_t kLargest = int64_t{1} << 27;  // 16 MiB of bits
  std::vector<uint64_t> bits_;
};

// Rows of ranges (HostRange, ProjectedRange) that workers append a batch at a time.
template <typename Range>
class RangeRows {
 public:
  explicit RangeRows(std::vector<Range>& rows) : rows_(rows) {}

  void Append(std::span<const Range> more) {
    const std::lock_guard lock(mutex_);
    // Rare: the expectation was too low. By less than double, to keep the peak low.
    if (rows_.capacity() - rows_.size() < more.size())
      rows_.reserve(rows_.size() + rows_.size() / 4 + more.size());
    rows_.insert(rows_.end(), more.begin(), more.end());
    for (const Range& range : more) ids_differ_ &= ids_.Add(range.range_id);
  }
  void Expect(uint64_t rows) {
    const std::lock_guard lock(mutex_);
    rows_.reserve(rows);
  }
  void Clear() {
    rows_.clear();
    ids_.Clear();
    ids_differ_ = true;
  }
  // Whether all RangeIds were seen to differ; else ranges may still differ by thread.
  bool ids_differ() const { return ids_differ_; }

 private:
  std::mutex mutex_;
  std::vector<Range>& rows_;
  DenseIds ids_;
  bool ids_differ_ = true;
};

}  // namespace rangewise::tables
