// Owns what `--redact` replaced in a document: the list that the document then shows
// (docs/redaction.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rangewise::model {

enum class RedactedKind : uint8_t { kCommand, kPath, kHost, kUser, kId, kRange, kKernel };
inline constexpr std::array kRedactedKinds = {
    RedactedKind::kCommand, RedactedKind::kPath,  RedactedKind::kHost,  RedactedKind::kUser,
    RedactedKind::kId,      RedactedKind::kRange, RedactedKind::kKernel};
std::string_view RedactedKindName(RedactedKind kind);  // "command"
std::optional<RedactedKind> FindRedactedKind(std::string_view name);

// One text, and in how many places its pseudonym stands for it.
struct Replaced {
  RedactedKind kind = RedactedKind::kCommand;
  std::string pseudonym;
  int64_t places = 0;
  bool operator==(const Replaced&) const = default;
};

struct Redaction {
  bool keyed = false;              // pseudonyms were made with a key of the user's
  bool range_names = false;        // names of ranges and domains were replaced, too
  bool kernel_names = false;       // names of kernels were
  std::vector<Replaced> replaced;  // by kind, then pseudonym
  bool operator==(const Redaction&) const = default;
};

}  // namespace rangewise::model
