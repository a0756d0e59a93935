#include "analysis/name_rules.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace rangewise::analysis {
namespace {

// Rules come from strangers, and each can multiply the length of a name.
constexpr size_t kMostGrownBytes = size_t{64} << 10;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// The length of the UUID at the start of `text`, or 0.
size_t UuidLength(std::string_view text) {
  constexpr size_t kLength = 36;
  if (text.size() < kLength) return 0;
  for (size_t i = 0; i < kLength; ++i) {
    const bool is_hyphen = i == 8 || i == 13 || i == 18 || i == 23;
    if (is_hyphen ? text[i] != '-' : !IsHexDigit(text[i])) return 0;
  }
  return kLength;
}

// The length of the number at the start of `text`, or 0.
size_t NumberLength(std::string_view text) {
  if (!IsHexDigit(text[0])) return 0;
  if (const size_t length = UuidLength(text)) return length;
  if (!IsDigit(text[0])) return 0;
  size_t length = 1;
  if (text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == 'x' && IsHexDigit(text[2])) {
    for (length = 3; length < text.size() && IsHexDigit(text[length]);) ++length;
    return length;
  }
  while (length < text.size() && IsDigit(text[length])) ++length;
  return length;
}

}  // namespace

std::string MaskNumbers(std::string_view name) {
  std::string masked;
  masked.reserve(name.size());
  for (size_t i = 0; i < name.size();) {
    if (const size_t length = NumberLength(name.substr(i))) {
      masked += '#';
      i += length;
    } else {
      masked += name[i++];
    }
  }
  return masked;
}

Result<NameRules> NameRules::Make(std::span<const model::NameRule> rules, bool mask_numbers) {
  NameRules made;
  made.mask_numbers_ = mask_numbers;
  for (const model::NameRule& rule : rules) {
    ASSIGN_OR_RETURN(Regex regex, Regex::Compile(rule.pattern));
    if (const std::optional<std::string> why = regex.CheckReplacement(rule.replace)) {
      return Error{.code = Code::kBadPattern,
                   .message = Format("the text {} does not fit the pattern {}: {}",
                                     Quoted(rule.replace), Quoted(rule.pattern), *why)};
    }
    made.rules_.push_back({std::move(regex), rule.replace});
  }
  return made;
}

Result<std::string> NameRules::Apply(std::string_view name) {
  std::string text(name);
  for (Rule& rule : rules_) {
    if (rule.regex.ReplaceAll(text, rule.replace) == 0) continue;
    rule.matched = true;
    if (text.size() > std::max(kMostGrownBytes, name.size())) {
      return Error{.code = Code::kBadPattern,
                   .message = Format("the rule for {} makes of the name {} one of {} bytes",
                                     Quoted(rule.regex.pattern()), Quoted(name), text.size())};
    }
  }
  if (mask_numbers_) {
    std::string masked = MaskNumbers(text);
    masked_ = masked_ || masked != text;
    text = std::move(masked);
  }
  // A pattern may split a character of several bytes.
  if (!IsUtf8(text)) text = Displayable(text);
  return text;
}

void NameRules::WarnOfUnused(Diagnostics& diagnostics) const {
  for (const Rule& rule : rules_) {
    if (rule.matched) continue;
    diagnostics.Warn(Code::kRuleMatchesNothing,
                     Format("the rule {} => {} matches no name", Quoted(rule.regex.pattern()),
                            Quoted(rule.replace)));
  }
  if (mask_numbers_ && !masked_) {
    diagnostics.Warn(Code::kRuleMatchesNothing, "no name holds a number to mask");
  }
}

}  // namespace rangewise::analysis
