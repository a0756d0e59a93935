// Owns findings: what the numbers of one run show, as data. A finding states what was measured; it
// proposes no cause, and none combines host time with projected time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/codes.h"

namespace rangewise::model {

enum class FindingSeverity : uint8_t { kInfo, kNotice, kWarning };
std::string_view FindingSeverityName(FindingSeverity severity);  // "info", "notice", "warning"

// The clock that a finding speaks of.
enum class FindingClock : uint8_t { kNone, kHost, kProjected };
std::string_view FindingClockName(FindingClock clock);  // "", "host", "gpu_projected"

using FindingNumber = std::variant<int64_t, double>;

struct Finding {
  Code code = Code::kCount;  // kCount: one of a later version, read from its file
  FindingSeverity severity = FindingSeverity::kInfo;
  FindingClock clock = FindingClock::kNone;
  bool computed = true;  // false: it could not be, and the sentence says why
  std::string sentence;  // names in it are displayable; without a full stop
  // By name, with the unit at its end: _ns, _count, _index; _ratio, _value and _score have none.
  std::map<std::string, FindingNumber> numbers = {};
  // The rows that show it: indexes of iterations, all of them, ascending; and scope paths of host
  // ranges as lists of names, the telling ones first and not all where there are many. rows_total
  // counts all.
  std::vector<int64_t> iterations = {};
  std::vector<std::vector<std::string>> paths = {};
  int64_t rows_total = 0;
  std::string later_word = {};  // the code's word, where code is kCount

  std::string_view Word() const {
    return code == Code::kCount ? std::string_view(later_word) : Describe(code).word;
  }
};

}  // namespace rangewise::model
