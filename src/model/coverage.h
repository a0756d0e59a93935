// Owns how much of a trace's GPU work can be attributed, and whether ranges of the capture lack their
// end: the key `coverage` of analysis.json.
#pragma once

#include <cstdint>
#include <optional>

namespace rangewise::model {

// Counts of GPU operations (kernels, copies, sets), each a subset of the one before.
struct Coverage {
  uint64_t gpu_operations = 0;
  uint64_t with_api_call = 0;                // the launching call was recorded
  uint64_t in_ranges = 0;                    // that call lies in a range of its thread
  std::optional<uint64_t> in_capture_range;  // in the capture range; absent without one
  // Ranges of the capture range's thread that began in it and had no end when recording stopped, the
  // capture range included; absent without one.
  std::optional<uint64_t> open_ranges_in_capture;
  // `part` of gpu_operations, from 0 to 1; 0 operations: absent.
  std::optional<double> Share(uint64_t part) const {
    if (gpu_operations == 0) return std::nullopt;
    return static_cast<double>(part) / static_cast<double>(gpu_operations);
  }
};

}  // namespace rangewise::model
