#include "format/yaml_position.h"

#include <algorithm>

namespace rangewise::format {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr size_t kStride = 64;

}  // namespace

std::string_view WithoutByteOrderMark(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

size_t NextLine(std::string_view text, size_t begin) {
  const size_t end = text.find_first_of("\r\n", begin);
  if (end == std::string_view::npos) return text.size();
  return text.substr(end, 2) == "\r\n" ? end + 2 : end + 1;
}

PositionMap::PositionMap(std::string_view text) : text_(text) {
  for (size_t at = 0; at < text.size(); at = NextLine(text, at)) {
    line_starts_.push_back(static_cast<uint32_t>(at));
  }
  if (line_starts_.empty() || text.back() == '\n' || text.back() == '\r') {
    line_starts_.push_back(static_cast<uint32_t>(text.size()));
  }
  size_t characters = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (!BeginsCharacter(at)) continue;
    if (characters++ % kStride == 0) checkpoints_.push_back(static_cast<uint32_t>(at));
  }
}

YamlPosition PositionMap::OfByte(size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<size_t>(after - line_starts_.begin());
  return {.line = line, .column = offset - line_starts_[line - 1] + 1};
}

char PositionMap::ByteAt(size_t index) const {
  const size_t offset = Offset(index);
  return offset < text_.size() ? text_[offset] : '\0';
}

size_t PositionMap::Offset(size_t index) const {
  if (index / kStride >= checkpoints_.size()) return text_.size();
  size_t at = checkpoints_[index / kStride];
  for (size_t left = index % kStride; left > 0 && at < text_.size(); --left) {
    do {
      ++at;
    } while (at < text_.size() && !BeginsCharacter(at));
  }
  return at;
}

std::string SourceLine(std::string_view text, uint64_t line) {
  text = WithoutByteOrderMark(text);
  size_t begin = 0;
  for (uint64_t i = 1; i < line && begin < text.size(); ++i) begin = NextLine(text, begin);
  if (line == 0 || begin >= text.size()) return {};
  const std::string_view rest = text.substr(begin);
  return std::string(rest.substr(0, rest.find_first_of("\r\n")));
}

}  // namespace rangewise::format
