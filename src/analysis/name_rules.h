// Owns how names are grouped: the name rules, compiled, and the masking of numbers. Both are
// applied to one name of a scope path at a time and once per distinct name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/regex.h"
#include "base/result.h"
#include "model/run.h"

namespace rangewise::analysis {

// `name` with every UUID (8-4-4-4-12 hexadecimal digits), hexadecimal number (0x...) and run of
// ASCII digits replaced by '#', the leftmost first and at one place in this order. O(length).
std::string MaskNumbers(std::string_view name);

// Rules in their order, then the masking of numbers.
class NameRules {
 public:
  // kBadPattern, with the position in the pattern, for a rule that does not compile or whose
  // replacement names a group that the pattern lacks.
  static Result<NameRules> Make(std::span<const model::NameRule> rules, bool mask_numbers);

  bool empty() const { return rules_.empty() && !mask_numbers_; }
  // `name` after all rules, every match replaced, in display form. kBadPattern when a rule lets it
  // grow beyond 64 KiB.
  Result<std::string> Apply(std::string_view name);
  // kRuleMatchesNothing for each rule that changed none of the names it was applied to.
  void WarnOfUnused(Diagnostics& diagnostics) const;

 private:
  struct Rule {
    Regex regex;
    std::string replace;
    bool matched = false;
  };
  std::vector<Rule> rules_;
  bool mask_numbers_ = false;
  bool masked_ = false;
};

}  // namespace rangewise::analysis
