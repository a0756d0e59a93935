#include "tables/engine_csv.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"

namespace rangewise::tables {

void RowWriter::Grow(size_t bytes) {
  const size_t used = size();
  // Doubling, with at least a page, so that the zeroing that resize does stays small beside the rows.
  buffer_.resize(std::max(used + bytes, std::max<size_t>(4096, 2 * buffer_.size())));
  at_ = buffer_.data() + used;
  end_ = buffer_.data() + buffer_.size();
}

bool NeedsQuotes(std::string_view field) { return field.find_first_of(",\"\n\r") != std::string_view::npos; }

std::string CsvField(std::string_view field) {
  if (!NeedsQuotes(field)) return std::string(field);
  std::string quoted = "\"";
  for (const char c : field) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::vector<bool> QuotedNames(const model::NamePool& names) {
  std::vector<bool> quoted(names.size());
  for (uint32_t i = 0; i < names.size(); ++i) quoted[i] = NeedsQuotes(names.At(model::NameId{i}));
  return quoted;
}

std::string RoundedToTenth(double value) {
  // From 2^52 on a double has no tenths.
  if (!(std::fabs(value) < 4503599627370496.0)) return ShortestDecimal(value);
  std::array<char, 400> buffer;
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::fabs(value),
                                     std::chars_format::fixed);
  std::string digits(buffer.data(), written.ptr);
  size_t point = digits.find('.');
  if (point == std::string::npos) {
    point = digits.size();
    digits += ".0";
  }
  const bool up = point + 2 < digits.size() && digits[point + 2] >= '5';
  digits.resize(point + 2);
  if (up) {
    size_t at = digits.size();
    while (at > 0) {
      --at;
      if (digits[at] == '.') continue;
      if (digits[at] != '9') {
        ++digits[at];
        break;
      }
      digits[at] = '0';
      if (at == 0) digits.insert(digits.begin(), '1');
    }
  }
  double rounded = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), rounded);
  return ShortestDecimal(std::signbit(value) && rounded != 0 ? -rounded : rounded);
}

StackText::StackText(const RangeSet& set, const RangeForest& forest)
    : set_(set), forest_(forest), slots_(std::min(kSlots, std::max<size_t>(1, set.threads()))) {}

std::string_view StackText::Of(uint32_t index) {
  Slot& slot = slots_[set_.ranges[index].thread % slots_.size()];
  // Mostly the parent is in the last stack, at its level.
  const uint32_t own_level = forest_.level[index];
  if (own_level <= slot.chain.size() && (own_level == 0 || slot.chain[own_level - 1] == forest_.parent[index])) {
    slot.chain.resize(own_level);
    slot.ends.resize(own_level);
    slot.text.resize(own_level == 0 ? 0 : slot.ends.back());
    slot.Append(index, set_.ranges[index].row_id);
    return slot.text;
  }
  // The nearest ancestor (or the range itself) that the last stack of this slot shares.
  missing_.clear();
  uint32_t shared = index;
  while (shared != kNoRange) {
    const uint32_t level = forest_.level[shared];
    if (level < slot.chain.size() && slot.chain[level] == shared) break;
    missing_.push_back(shared);
    shared = forest_.parent[shared];
  }
  const size_t kept = shared == kNoRange ? 0 : forest_.level[shared] + size_t{1};
  slot.chain.resize(kept);
  slot.ends.resize(kept);
  slot.text.resize(kept == 0 ? 0 : slot.ends.back());
  for (size_t i = missing_.size(); i > 0; --i) slot.Append(missing_[i - 1], set_.ranges[missing_[i - 1]].row_id);
  return slot.text;
}

void StackText::Slot::Append(uint32_t index, int64_t row_id) {
  std::array<char, RowWriter::kIntegerBytes + 1> piece{':'};
  const auto written = std::to_chars(piece.data() + 1, piece.data() + piece.size(), row_id);
  text.append(piece.data(), written.ptr);
  chain.push_back(index);
  ends.push_back(text.size());
}

}  // namespace rangewise::tables
