#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>

namespace rangewise {
namespace {

// Decodes the UTF-8 sequence at `text[at]` into `*code_point`; returns its length, or 0 when the
// bytes there are no well-formed sequence (Unicode 15, table 3-7).
size_t DecodeUtf8(std::string_view text, size_t at, uint32_t* code_point) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(at);
  if (lead < 0x80) {
    *code_point = lead;
    return 1;
  }
  size_t length = 0;
  uint32_t value = 0;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
    value = lead & 0x1Fu;
  } else if ((lead & 0xF0u) == 0xE0) {
    length = 3;
    value = lead & 0x0Fu;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    value = lead & 0x07u;
  } else {
    return 0;
  }
  if (at + length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0u) != 0x80) return 0;
    value = (value << 6) | (byte(at + i) & 0x3Fu);
  }
  static constexpr std::array<uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kSmallest[length] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
    return 0;
  *code_point = value;
  return length;
}

struct CodePoints {
  uint32_t first;
  uint32_t last;
};

// Characters that move the cursor, start escape sequences, change direction or cannot be seen: the
// controls, Unicode 15's Default_Ignorable_Code_Point (joiners and variation selectors of emoji
// included: names that differ in them alone would read the same), separators of lines and
// paragraphs, the blank Braille pattern and the marks of interlinear annotations.
constexpr CodePoints kUnsafe[] = {
    {0x0000, 0x001F},   {0x007F, 0x009F},   {0x00AD, 0x00AD},   {0x034F, 0x034F},
    {0x061C, 0x061C},   {0x115F, 0x1160},   {0x17B4, 0x17B5},   {0x180B, 0x180F},
    {0x200B, 0x200F},   {0x2028, 0x202E},   {0x2060, 0x206F},   {0x2800, 0x2800},
    {0x3164, 0x3164},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
    {0xFFF0, 0xFFFB},   {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

bool IsUnsafeOnTerminal(uint32_t c) {
  if (c >= 0x20 && c < 0x7F) return false;
  const auto* range = std::upper_bound(std::begin(kUnsafe), std::end(kUnsafe), c,
                                       [](uint32_t a, const CodePoints& b) { return a < b.first; });
  return range != std::begin(kUnsafe) && c <= std::prev(range)->last;
}

}  // namespace

bool IsUtf8(std::string_view bytes) {
  size_t at = 0;
  while (at < bytes.size()) {
    if (static_cast<uint8_t>(bytes[at]) < 0x80) {
      ++at;
      continue;
    }
    uint32_t code_point = 0;
    const size_t length = DecodeUtf8(bytes, at, &code_point);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string Displayable(std::string_view bytes) {
  if (IsUtf8(bytes)) return std::string(bytes);
  std::string out;
  out.reserve(bytes.size() + 16);
  for (size_t at = 0; at < bytes.size();) {
    uint32_t code_point = 0;
    const size_t length = DecodeUtf8(bytes, at, &code_point);
    if (length == 0) {
      out += Format("\\x{:02x}", static_cast<uint8_t>(bytes[at]));
      ++at;
    } else {
      if (bytes[at] == '\\') out += '\\';
      out.append(bytes.substr(at, length));
      at += length;
    }
  }
  return out;
}

std::string Neutralised(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    uint32_t c = 0;
    const size_t length = DecodeUtf8(text, at, &c);
    if (length == 0) {
      out += Format("\\x{:02x}", static_cast<uint8_t>(text[at]));
      ++at;
      continue;
    }
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (IsUnsafeOnTerminal(c)) {
      out += c < 0x100 ? Format("\\x{:02x}", c) : Format("\\u{{{:x}}}", c);
    } else {
      out.append(text.substr(at, length));
    }
    at += length;
  }
  return out;
}

std::string Quoted(std::string_view name, size_t limit) {
  std::string safe = Neutralised(name);
  if (safe.size() > limit && limit >= 16) {
    // Keep both ends, cut at character boundaries.
    size_t head = limit / 2;
    size_t tail = safe.size() - (limit - head - 3);
    while (head > 0 && (static_cast<uint8_t>(safe[head]) & 0xC0u) == 0x80) --head;
    while (tail < safe.size() && (static_cast<uint8_t>(safe[tail]) & 0xC0u) == 0x80) ++tail;
    safe = safe.substr(0, head) + "..." + safe.substr(tail);
  }
  return "'" + safe + "'";
}

std::string QuotedList(std::span<const std::string> items, size_t limit) {
  const size_t shown = limit == 0 ? items.size() : std::min(limit, items.size());
  std::string out;
  for (size_t i = 0; i < shown; ++i) {
    if (i > 0) out += ", ";
    out += Quoted(items[i]);
  }
  if (shown < items.size()) out += Format(" and {} more", items.size() - shown);
  return out;
}

std::string IndexList(std::span<const int64_t> indexes, uint64_t total) {
  const size_t shown = std::min<size_t>(indexes.size(), 10);
  std::string out;
  for (size_t i = 0; i < shown; ++i) {
    if (i > 0) out += ", ";
    out += Format("{}", indexes[i]);
  }
  if (total > shown) out += Format(" and {} more", total - shown);
  return out;
}

size_t EditDistance(std::string_view a, std::string_view b, size_t limit) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > limit) return limit + 1;
  std::vector<size_t> row(a.size() + 1);
  for (size_t i = 0; i <= a.size(); ++i) row[i] = i;
  for (size_t j = 1; j <= b.size(); ++j) {
    size_t diagonal = row[0];
    row[0] = j;
    size_t smallest = row[0];
    for (size_t i = 1; i <= a.size(); ++i) {
      const size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[i];
      row[i] = std::min({row[i] + 1, row[i - 1] + 1, substituted});
      smallest = std::min(smallest, row[i]);
    }
    if (smallest > limit) return limit + 1;
  }
  return std::min(row[a.size()], limit + 1);
}

std::vector<std::string> NearestFirst(std::string_view wanted,
                                      std::vector<std::string> candidates) {
  std::vector<std::pair<size_t, std::string>> ranked;
  ranked.reserve(candidates.size());
  for (std::string& candidate : candidates) {
    const size_t distance = EditDistance(wanted, candidate);
    ranked.emplace_back(distance, std::move(candidate));
  }
  std::sort(ranked.begin(), ranked.end());
  for (size_t i = 0; i < ranked.size(); ++i) candidates[i] = std::move(ranked[i].second);
  return candidates;
}

std::string ShortestDecimal(double value) {
  std::array<char, 32> digits{};
  // Python's repr switches to an exponent below 1e-4 and from 1e16 on.
  const double magnitude = std::fabs(value);
  const bool scientific = magnitude != 0 && (magnitude < 1e-4 || magnitude >= 1e16);
  const auto result =
      std::to_chars(digits.data(), digits.data() + digits.size(), value,
                    scientific ? std::chars_format::scientific : std::chars_format::fixed);
  std::string text(digits.data(), result.ptr);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string Grouped(int64_t value) {
  std::string digits = std::to_string(value);
  const size_t sign = value < 0 ? 1 : 0;
  for (size_t at = digits.size(); at > sign + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::optional<int64_t> ParseInt64(std::string_view text) {
  if (!text.empty() && text[0] == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text[0] == '-') return std::nullopt;
  }
  int64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace rangewise
