// Owns integer arithmetic that must not wrap: 64-bit operations that report overflow, and the
// 128-bit integer used for exact sums.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace rangewise {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

inline std::optional<int64_t> CheckedAdd(int64_t a, int64_t b) {
  int64_t out = 0;
  if (__builtin_add_overflow(a, b, &out)) return std::nullopt;
  return out;
}

inline std::optional<int64_t> CheckedSub(int64_t a, int64_t b) {
  int64_t out = 0;
  if (__builtin_sub_overflow(a, b, &out)) return std::nullopt;
  return out;
}

inline std::optional<int64_t> CheckedMul(int64_t a, int64_t b) {
  int64_t out = 0;
  if (__builtin_mul_overflow(a, b, &out)) return std::nullopt;
  return out;
}

// `value` as 64 bits, if it fits.
inline std::optional<int64_t> Narrow(Int128 value) {
  if (value < std::numeric_limits<int64_t>::min() || value > std::numeric_limits<int64_t>::max()) {
    return std::nullopt;
  }
  return static_cast<int64_t>(value);
}

}  // namespace rangewise
