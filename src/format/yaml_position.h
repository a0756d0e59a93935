// Owns places in a YAML text. libyaml counts characters, and lines by more separators than editors
// know (NEL, LS, PS); we count bytes, and the line ends that editors show: LF, CR LF, CR. Its
// character index is what both agree on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "format/yaml.h"

namespace rangewise::format {

std::string_view WithoutByteOrderMark(std::string_view text);

// The offset behind the line that begins at `begin`: behind its end, or at the end of the text.
size_t NextLine(std::string_view text, size_t begin);

// Positions in one text of at most kYamlSizeLimit bytes (32 bits hold its offsets), which must
// outlive the map.
class PositionMap {
 public:
  explicit PositionMap(std::string_view text);

  // Offsets and indexes beyond the end are the end.
  YamlPosition OfByte(size_t offset) const;
  YamlPosition OfCharacter(size_t index) const { return OfByte(Offset(index)); }
  // The byte at that character, or NUL beyond the end.
  char ByteAt(size_t index) const;

 private:
  bool BeginsCharacter(size_t at) const {
    return (static_cast<uint8_t>(text_[at]) & 0xC0u) != 0x80;
  }
  size_t Offset(size_t index) const;

  std::string_view text_;
  std::vector<uint32_t> line_starts_;
  std::vector<uint32_t> checkpoints_;  // the offset of every kStride-th character
};

}  // namespace rangewise::format
