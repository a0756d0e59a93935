// Owns regular expressions (RE2, included nowhere else): linear time whatever the pattern and the
// text.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rangewise {

class Regex {
 public:
  // kBadPattern with RE2's words and the offending piece. Texts are in display form (UTF-8).
  static Result<Regex> Compile(std::string_view pattern);
  Regex(Regex&&) noexcept;
  Regex& operator=(Regex&&) noexcept;
  ~Regex();

  int groups() const;
  const std::string& pattern() const { return pattern_; }
  // Whether the pattern matches the whole of `text`.
  bool FullMatch(std::string_view text) const;
  // As FullMatch, and the text of group 1 (empty when it did not take part).
  std::optional<std::string_view> FullMatchGroup1(std::string_view text) const;
  // Replaces every match in `text` by `replacement` (\1 … \9, \0), counting the replacements made.
  int ReplaceAll(std::string& text, std::string_view replacement) const;
  // Whether `replacement` names only groups that the pattern has; else why not.
  std::optional<std::string> CheckReplacement(std::string_view replacement) const;

 private:
  struct Impl;
  explicit Regex(std::unique_ptr<Impl> impl, std::string pattern);
  std::unique_ptr<Impl> impl_;
  std::string pattern_;
};

}  // namespace rangewise
