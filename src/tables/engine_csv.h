// Owns how a report's values become bytes of CSV (docs/reports.md, "From rows to bytes"): fields quoted only where
// a comma, quote or line break asks for it, integers plain, reals shortest, one line feed per row.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "model/trace.h"
#include "tables/engine_tree.h"

namespace rangewise::tables {

// Appends rows to a string by a bare pointer; room is asked for once per row.
class RowWriter {
 public:
  explicit RowWriter(std::string& buffer) : buffer_(buffer), at_(buffer.data() + buffer.size()) {
    end_ = at_;
  }
  RowWriter(const RowWriter&) = delete;
  RowWriter& operator=(const RowWriter&) = delete;
  ~RowWriter() { buffer_.resize(static_cast<size_t>(at_ - buffer_.data())); }

  // Makes room for `bytes` more. An integer takes at most kIntegerBytes.
  void Room(size_t bytes) {
    if (static_cast<size_t>(end_ - at_) < bytes) Grow(bytes);
  }
  static constexpr size_t kIntegerBytes = 20;

  void Char(char c) { *at_++ = c; }
  void Integer(int64_t value) { at_ = std::to_chars(at_, at_ + kIntegerBytes, value).ptr; }
  // An integer column: nothing for NULL.
  void Nullable(int64_t value) {
    if (value != model::kNullInteger) Integer(value);
  }
  void Bytes(std::string_view bytes) {
    // Not memcpy, which may not get the null pointer of an empty view.
    at_ = std::copy(bytes.begin(), bytes.end(), at_);
  }
  void Fill(size_t count, char c) {
    std::memset(at_, c, count);
    at_ += count;
  }
  size_t size() const { return static_cast<size_t>(at_ - buffer_.data()); }

 private:
  void Grow(size_t bytes);
  std::string& buffer_;
  char* at_;
  char* end_;
};

// Whether a field must stand in quotes.
bool NeedsQuotes(std::string_view field);

// `field` as it stands in a row, quoted where it must be.
std::string CsvField(std::string_view field);

// Which of a pool's names need quotes, by NameId.
std::vector<bool> QuotedNames(const model::NamePool& names);

// `value` rounded to one decimal, ties away from zero, judged on its shortest decimal form; as it is printed.
std::string RoundedToTenth(double value);

// The column RangeStack of one range after another: a colon and the row id for each ancestor from the root to the
// range. Built from the last stack of the same thread, so that ranges in order of time cost what they print.
class StackText {
 public:
  StackText(const RangeSet& set, const RangeForest& forest);
  // The stack of range `index`, which must have a level. Valid until the next call.
  std::string_view Of(uint32_t index);

 private:
  // Threads share few slots; a collision costs time only.
  static constexpr size_t kSlots = 64;
  struct Slot {
    std::vector<uint32_t> chain;  // from the root
    std::vector<size_t> ends;     // where each one's piece ends in `text`
    std::string text;
    void Append(uint32_t index, int64_t row_id);
  };
  const RangeSet& set_;
  const RangeForest& forest_;
  std::vector<Slot> slots_;
  std::vector<uint32_t> missing_;
};

}  // namespace rangewise::tables
