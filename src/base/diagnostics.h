// Owns warnings as data. Rooms append to a Diagnostics passed in; they never print and never decide
// what a warning means for the exit code. The rendered form is `code: sentence`.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/codes.h"

namespace rangewise {

struct Warning {
  Code code;             // kCount: one of a later version, read from its file
  std::string sentence;  // names in it are already displayable UTF-8 (base/text.h)
  std::string later_word = {};  // the code's word, where code is kCount

  std::string_view Word() const {
    return code == Code::kCount ? std::string_view(later_word) : Describe(code).word;
  }
  std::string Text() const { return std::string(Word()) + ": " + sentence; }
  bool operator==(const Warning&) const = default;
};

class Diagnostics {
 public:
  void Warn(Code code, std::string sentence) { warnings_.push_back({code, std::move(sentence)}); }
  const std::vector<Warning>& warnings() const { return warnings_; }
  bool Has(Code code) const {
    for (const Warning& warning : warnings_) {
      if (warning.code == code) return true;
    }
    return false;
  }
  // Appends all of `other`'s warnings, in their order.
  void Append(const Diagnostics& other) {
    warnings_.insert(warnings_.end(), other.warnings_.begin(), other.warnings_.end());
  }

 private:
  std::vector<Warning> warnings_;
};

}  // namespace rangewise
