// Owns pseudonyms: what stands for a text that must not be seen, and the list of what was replaced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/redaction.h"

namespace rangewise::analysis {

// `path-3f09c1d2a7be`: the kind, and the first 12 hex digits of HMAC-SHA256 of kind and text; more
// where two texts of one document would have the same. The same text and key give the same
// pseudonym in every document.
class Pseudonyms {
 public:
  explicit Pseudonyms(std::string key) : key_(std::move(key)) {}

  // What stands in the document since an earlier redaction. A text that only looks like a pseudonym
  // is a text: hosts have names such as `host-3f09c1d2a7be`.
  void Keep(std::string pseudonym) { kept_.insert(std::move(pseudonym)); }
  // How long the pseudonym, given or kept, is that `text` begins with; 0: it begins with none.
  size_t LengthAt(std::string_view text) const;
  // The pseudonym of a text that stands in one more place; what is one already stays. Amortised
  // O(length + log texts).
  std::string Of(model::RedactedKind kind, std::string_view text);
  // By kind, then pseudonym; those that stand somewhere.
  std::vector<model::Replaced> Replaced() const;

 private:
  struct Entry {
    std::string pseudonym;
    int64_t places = 0;
  };
  std::string key_;
  std::map<std::pair<model::RedactedKind, std::string>, Entry> entries_;
  std::set<std::string, std::less<>> taken_;
  std::set<std::string, std::less<>> kept_;
};

}  // namespace rangewise::analysis
