// Owns the lines of a sheet of GPU work: how the reference and the pipeline's result are brought
// into one form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"

namespace rangewise::test {

inline std::string SumLine(int64_t instances, int64_t total) {
  return Format("{} of {} ns", instances, total);
}

// Bytes of nothing say nothing.
inline std::string MemoryLine(int64_t instances, int64_t total, std::optional<int64_t> bytes) {
  if (instances == 0) return SumLine(instances, total);
  return SumLine(instances, total) + ", " + (bytes ? std::to_string(*bytes) : "unknown") + " bytes";
}

struct StatisticsLine {
  int64_t total = 0, minimum = 0, maximum = 0;
  double mean = 0, deviation = 0, median = 0, p90 = 0, p95 = 0, p99 = 0, mad = 0;
  std::string Text() const {
    return Format(
        "total {} minimum {} maximum {} mean {:.10g} deviation {:.10g} median {:.10g} p90 {:.10g} "
        "p95 "
        "{:.10g} p99 {:.10g} mad {:.10g}",
        total, minimum, maximum, mean, deviation, median, p90, p95, p99, mad);
  }
};

inline std::string NumberText(int64_t number) {
  return number == INT64_MIN ? "none" : std::to_string(number);
}

}  // namespace rangewise::test
