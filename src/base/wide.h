// Owns arithmetic wider than 128 bits, as far as exact statistics need it: an unsigned integer of
// 256 bits, and the double nearest (ties to even) to an exact quotient or to the square root of
// one. Nothing here approximates: a quotient or root is taken in integers with more bits than a
// double holds, what was cut off is kept as one sticky bit, and the one rounding happens at the
// end.
#pragma once

#include <cstdint>

#include "base/checked.h"

namespace rangewise {

struct UInt256 {
  UInt128 high = 0;
  UInt128 low = 0;
  bool operator==(const UInt256&) const = default;
};

// The whole product.
UInt256 Multiply(UInt128 a, UInt128 b);

// Modulo 2^256.
UInt256 Add(const UInt256& a, const UInt256& b);
UInt256 Subtract(const UInt256& a, const UInt256& b);

// Places up to the highest set bit; 0 for zero.
int BitLength(UInt128 value);
int BitLength(const UInt256& value);

// The double nearest to numerator / denominator. `denominator` is not 0.
double NearestQuotient(Int128 numerator, uint64_t denominator);

// The double nearest to the square root of numerator / denominator. `numerator` is below 2^192,
// `denominator` is not 0.
double NearestRoot(const UInt256& numerator, uint64_t denominator);

}  // namespace rangewise
