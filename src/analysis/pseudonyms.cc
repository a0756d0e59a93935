#include "analysis/pseudonyms.h"

#include <algorithm>

#include "base/keyed_hash.h"

namespace rangewise::analysis {
namespace {

constexpr size_t kFewestDigits = 12;

// The length of what has the form of a pseudonym.
size_t LengthOfForm(std::string_view text) {
  for (const model::RedactedKind kind : model::kRedactedKinds) {
    const std::string_view word = model::RedactedKindName(kind);
    if (!text.starts_with(word) || text.substr(word.size(), 1) != "-") continue;
    size_t end = word.size() + 1;
    const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end - word.size() - 1 >= kFewestDigits) return end;
  }
  return 0;
}

}  // namespace

size_t Pseudonyms::LengthAt(std::string_view text) const {
  const size_t length = LengthOfForm(text);
  const std::string_view form = text.substr(0, length);
  return length > 0 && (taken_.contains(form) || kept_.contains(form)) ? length : 0;
}

std::string Pseudonyms::Of(model::RedactedKind kind, std::string_view text) {
  if (!text.empty() && LengthAt(text) == text.size()) return std::string(text);
  const auto [at, fresh] = entries_.try_emplace({kind, std::string(text)});
  Entry& entry = at->second;
  ++entry.places;
  if (!fresh) return entry.pseudonym;
  const std::string word(model::RedactedKindName(kind));
  const std::string digits = KeyedHashHex(key_, word + '\0' + std::string(text));
  for (size_t length = kFewestDigits;; length += 4) {
    entry.pseudonym = word + "-" + digits.substr(0, length);
    if (length >= digits.size() || taken_.insert(entry.pseudonym).second) return entry.pseudonym;
  }
}

std::vector<model::Replaced> Pseudonyms::Replaced() const {
  std::vector<model::Replaced> replaced;
  for (const auto& [key, entry] : entries_) {
    replaced.push_back({key.first, entry.pseudonym, entry.places});
  }
  std::sort(replaced.begin(), replaced.end(),
            [](const model::Replaced& a, const model::Replaced& b) {
              return a.kind != b.kind ? a.kind < b.kind : a.pseudonym < b.pseudonym;
            });
  return replaced;
}

}  // namespace rangewise::analysis
