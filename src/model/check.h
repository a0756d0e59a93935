// Owns the result of `rangewise check`: the preconditions of an analysis, one item each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/codes.h"

namespace rangewise::model {

enum class CheckState : uint8_t { kOk, kWarning, kError };

inline std::string_view CheckStateName(CheckState state) {
  return state == CheckState::kOk ? "ok" : state == CheckState::kWarning ? "warning" : "error";
}

struct CheckItem {
  std::string subject;  // "manifest", "trace", "nsys", …
  CheckState state = CheckState::kOk;
  std::string sentence;
  std::optional<Code> code = {};  // what `analyze` would say
};

struct CheckList {
  std::vector<CheckItem> items;

  bool has_error() const {
    for (const CheckItem& item : items) {
      if (item.state == CheckState::kError) return true;
    }
    return false;
  }
};

}  // namespace rangewise::model
