#include "base/wide.h"

#include <bit>
#include <cmath>

namespace rangewise {
namespace {

constexpr int kRootBits = 120;  // bits of the radicand: its root has 60, seven more than a double

// The double nearest to q * 2^exponent, q being the floor of the exact value and `sticky` whether
// anything was cut off. Needs 55 bits in q where `sticky` is set: then the lowest bit of q lies
// below the rounding bit and can stand for all that was cut off. The conversion of an integer
// rounds to nearest, ties to even.
double Rounded(UInt128 q, bool sticky, int exponent) {
  const int drop = BitLength(q) > 62 ? BitLength(q) - 62 : 0;
  if (drop > 0) sticky = sticky || (q & ((UInt128{1} << drop) - 1)) != 0;
  const auto significand = static_cast<int64_t>(q >> drop) | static_cast<int64_t>(sticky);
  return std::ldexp(static_cast<double>(significand), exponent + drop);
}

// The floor of the square root of q, for q below 2^124.
uint64_t FloorRoot(UInt128 q) {
  // The estimate is off by a few units in 2^53; one step of Newton's method squares that, and an
  // integer step never lands below the floor of the root. The loops settle the last unit, exactly.
  auto root = static_cast<uint64_t>(std::sqrt(static_cast<double>(q)));
  if (root == 0) return 0;
  root = static_cast<uint64_t>((root + q / root) / 2);
  while (UInt128{root} * root > q) --root;
  while (UInt128{root + 1} * (root + 1) <= q) ++root;
  return root;
}

UInt256 ShiftedLeft(const UInt256& value, int places) {
  if (places == 0) return value;
  if (places >= 128) return {value.low << (places - 128), 0};
  return {value.high << places | value.low >> (128 - places), value.low << places};
}

UInt256 ShiftedRight(const UInt256& value, int places) {
  if (places == 0) return value;
  if (places >= 128) return {0, value.high >> (places - 128)};
  return {value.high >> places, value.low >> places | value.high << (128 - places)};
}

struct Division {
  UInt128 quotient;
  bool exact;
};

// Schoolbook division by limbs of 64 bits. The quotient must fit 128 bits, so only the two lowest
// limbs of it are kept.
Division Divide(const UInt256& value, uint64_t divisor) {
  const uint64_t limbs[4] = {
      static_cast<uint64_t>(value.high >> 64), static_cast<uint64_t>(value.high),
      static_cast<uint64_t>(value.low >> 64), static_cast<uint64_t>(value.low)};
  UInt128 quotient = 0;
  UInt128 remainder = 0;
  for (const uint64_t limb : limbs) {
    const UInt128 part = remainder << 64 | limb;
    quotient = quotient << 64 | part / divisor;
    remainder = part % divisor;
  }
  return {quotient, remainder == 0};
}

}  // namespace

UInt256 Multiply(UInt128 a, UInt128 b) {
  const UInt128 mask = ~uint64_t{0};
  const UInt128 low = (a & mask) * (b & mask);
  const UInt128 cross1 = (a >> 64) * (b & mask);
  const UInt128 cross2 = (a & mask) * (b >> 64);
  const UInt128 middle = (low >> 64) + (cross1 & mask) + (cross2 & mask);
  return {(a >> 64) * (b >> 64) + (cross1 >> 64) + (cross2 >> 64) + (middle >> 64),
          middle << 64 | (low & mask)};
}

UInt256 Add(const UInt256& a, const UInt256& b) {
  const UInt128 low = a.low + b.low;
  return {a.high + b.high + (low < a.low ? 1 : 0), low};
}

UInt256 Subtract(const UInt256& a, const UInt256& b) {
  return {a.high - b.high - (a.low < b.low ? 1 : 0), a.low - b.low};
}

int BitLength(UInt128 value) {
  const auto high = static_cast<uint64_t>(value >> 64);
  if (high != 0) return 64 + static_cast<int>(std::bit_width(high));
  return static_cast<int>(std::bit_width(static_cast<uint64_t>(value)));
}

int BitLength(const UInt256& value) {
  return value.high != 0 ? 128 + BitLength(value.high) : BitLength(value.low);
}

double NearestQuotient(Int128 numerator, uint64_t denominator) {
  if (numerator == 0) return 0.0;
  const bool negative = numerator < 0;
  const UInt128 magnitude =
      negative ? -static_cast<UInt128>(numerator) : static_cast<UInt128>(numerator);
  double quotient = 0;
  if (BitLength(magnitude) <= 53 && std::bit_width(denominator) <= 53) {
    // Both are doubles, and division of doubles is correctly rounded.
    quotient =
        static_cast<double>(static_cast<uint64_t>(magnitude)) / static_cast<double>(denominator);
  } else {
    const int shift = 128 - BitLength(magnitude);  // the quotient then has 64 bits at least
    const UInt128 scaled = magnitude << shift;
    quotient = Rounded(scaled / denominator, scaled % denominator != 0, -shift);
  }
  return negative ? -quotient : quotient;
}

double NearestRoot(const UInt256& numerator, uint64_t denominator) {
  const int length = BitLength(numerator);
  if (length == 0) return 0.0;
  // Scale by an even power of two so that the quotient has about kRootBits bits. Scaling down cuts
  // bits off: floors nest, so the quotient is still the floor of the exact one, and the sticky bit
  // knows of the rest.
  int scale = kRootBits + static_cast<int>(std::bit_width(denominator)) - length;
  scale += scale & 1;
  const UInt256 scaled =
      scale >= 0 ? ShiftedLeft(numerator, scale) : ShiftedRight(numerator, -scale);
  const bool cut = scale < 0 && ShiftedLeft(scaled, -scale) != numerator;
  const Division division = Divide(scaled, denominator);
  const uint64_t root = FloorRoot(division.quotient);
  const bool exact = !cut && division.exact && UInt128{root} * root == division.quotient;
  return Rounded(root, !exact, -scale / 2);
}

}  // namespace rangewise
