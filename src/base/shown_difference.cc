#include "base/shown_difference.h"

#include <algorithm>
#include <cstdint>

namespace rangewise {
namespace {

constexpr std::string_view kEllipsis = "…";

// The last place from which a character begins, at or before `at`. A character has at most four
// bytes; what is not UTF-8 is cut anywhere.
size_t Boundary(std::string_view text, size_t at) {
  if (at >= text.size()) return text.size();
  size_t begin = at;
  for (int i = 0; i < 3 && begin > 0; ++i) {
    if ((static_cast<uint8_t>(text[begin]) & 0xC0u) != 0x80) return begin;
    --begin;
  }
  return (static_cast<uint8_t>(text[begin]) & 0xC0u) != 0x80 ? begin : at;
}

bool HasBlankEdge(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  return text.empty() || blank(text.front()) || blank(text.back());
}

// `text` from `begin` on.
std::string Piece(std::string_view text, size_t begin, size_t limit, bool& cut) {
  const size_t end = Boundary(text, begin + limit);
  std::string piece(begin > 0 ? kEllipsis : std::string_view());
  piece += text.substr(begin, end - begin);
  if (end < text.size()) piece += kEllipsis;
  cut = cut || begin > 0 || end < text.size();
  return piece;
}

}  // namespace

std::string Clipped(std::string_view text, size_t limit) {
  bool cut = false;
  return Piece(text, 0, limit, cut);
}

ShownPair ShowDifference(std::string_view first, std::string_view second, size_t limit) {
  const auto at = static_cast<size_t>(
      std::mismatch(first.begin(), first.end(), second.begin(), second.end()).first -
      first.begin());
  size_t begin = 0;
  // What is before the difference takes a third of the room, unless all has room.
  if (std::max(first.size(), second.size()) > limit && at > limit / 3) {
    begin = std::min(Boundary(first, at - limit / 3), Boundary(second, at - limit / 3));
  }
  ShownPair shown;
  shown.first = Piece(first, begin, limit, shown.cut);
  shown.second = Piece(second, begin, limit, shown.cut);
  shown.edges = HasBlankEdge(first) || HasBlankEdge(second);
  return shown;
}

}  // namespace rangewise
