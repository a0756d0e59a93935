#include "model/finding.h"

namespace rangewise::model {

std::string_view FindingSeverityName(FindingSeverity severity) {
  switch (severity) {
    case FindingSeverity::kInfo:
      return "info";
    case FindingSeverity::kNotice:
      return "notice";
    case FindingSeverity::kWarning:
      return "warning";
  }
  return "";
}

std::string_view FindingClockName(FindingClock clock) {
  switch (clock) {
    case FindingClock::kNone:
      return "";
    case FindingClock::kHost:
      return "host";
    case FindingClock::kProjected:
      return "gpu_projected";
  }
  return "";
}

}  // namespace rangewise::model
