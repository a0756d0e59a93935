#include "model/redaction.h"

namespace rangewise::model {

std::string_view RedactedKindName(RedactedKind kind) {
  switch (kind) {
    case RedactedKind::kCommand:
      return "command";
    case RedactedKind::kPath:
      return "path";
    case RedactedKind::kHost:
      return "host";
    case RedactedKind::kUser:
      return "user";
    case RedactedKind::kId:
      return "id";
    case RedactedKind::kRange:
      return "range";
    case RedactedKind::kKernel:
      return "kernel";
  }
  return "";
}

std::optional<RedactedKind> FindRedactedKind(std::string_view name) {
  for (const RedactedKind kind : kRedactedKinds) {
    if (RedactedKindName(kind) == name) return kind;
  }
  return std::nullopt;
}

}  // namespace rangewise::model
