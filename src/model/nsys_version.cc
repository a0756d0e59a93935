#include "model/nsys_version.h"

#include <utility>

namespace rangewise::model {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The digits at the start of `text`, taken off it. Nothing where there are none or more than
// `limit`.
std::optional<int> TakeNumber(std::string_view& text, size_t limit) {
  int number = 0;
  size_t digits = 0;
  while (digits < text.size() && IsDigit(text[digits])) {
    if (digits == limit) return std::nullopt;
    number = number * 10 + (text[digits] - '0');
    ++digits;
  }
  if (digits == 0) return std::nullopt;
  text.remove_prefix(digits);
  return number;
}

bool TakePoint(std::string_view& text) {
  if (text.empty() || text.front() != '.') return false;
  text.remove_prefix(1);
  return true;
}

std::optional<NsysVersion> VersionAtStart(std::string_view text) {
  NsysVersion version;
  const std::optional<int> year = TakeNumber(text, 4);
  if (!year || *year < 2000 || !TakePoint(text)) return std::nullopt;
  const std::optional<int> minor = TakeNumber(text, 4);
  if (!minor) return std::nullopt;
  version.year = *year;
  version.minor = *minor;
  if (TakePoint(text)) version.patch = TakeNumber(text, 6).value_or(0);
  return version;
}

}  // namespace

bool NsysVersion::validated() const {
  const std::pair<int, int> family(year, minor);
  return family >= std::pair(2023, 2) && family <= std::pair(2026, 3);
}

bool NsysVersion::names_carry_domains() const {
  return std::pair(year, minor) >= std::pair(2024, 4);
}

std::optional<NsysVersion> ParseNsysVersion(std::string_view text) {
  for (size_t start = 0; start < text.size(); ++start) {
    // A year begins a number: the 2025.1 in "12025.1" or "1.2025.1" is none.
    if (!IsDigit(text[start])) continue;
    if (start > 0 && (IsDigit(text[start - 1]) || text[start - 1] == '.')) continue;
    if (std::optional<NsysVersion> version = VersionAtStart(text.substr(start))) return version;
  }
  return std::nullopt;
}

}  // namespace rangewise::model
