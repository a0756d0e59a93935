// Owns the numbers in a report's fields: whole decimal integers of 64 bits, and times in any of
// nsys's units, both exact. Inline, because reading a large table is mostly this.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/text.h"
#include "format/csv.h"

namespace rangewise::tables {

// Whether a field (CsvBatch::Raw) is empty, quoted or not.
inline bool IsEmptyField(std::string_view raw) { return raw.empty() || raw == "\"\""; }

// The slow way: quotes around the number, signs, and the ends of the 64-bit range.
bool ParseIntegerSlowly(std::string_view raw, int64_t& value);

// A decimal number of `scale` ns per unit (1 to 10^9, a power of ten), as nanoseconds. What is
// finer than a nanosecond is rounded, halves away from zero. Of scale 1 it must be an integer.
bool ParseTimeSlowly(std::string_view raw, int64_t scale, int64_t& value);

// The field `raw` (CsvBatch::Raw) as an integer: digits, a sign before them, no blanks. False: it
// is none, or beyond 64 bits.
inline bool ParseInteger(std::string_view raw, int64_t& value) {
  const size_t length = raw.size();
  if (length == 0 || length > 18) return ParseIntegerSlowly(raw, value);
  const char* at = raw.data();
  const char* const end = at + length;
  uint64_t sum = 0;
  do {
    const unsigned digit = static_cast<unsigned char>(*at) - unsigned{'0'};
    if (digit > 9) return ParseIntegerSlowly(raw, value);
    sum = sum * 10 + digit;
  } while (++at != end);
  value = static_cast<int64_t>(sum);
  return true;
}

inline bool ParseTime(std::string_view raw, int64_t scale, int64_t& value) {
  return scale == 1 ? ParseInteger(raw, value) : ParseTimeSlowly(raw, scale, value);
}

}  // namespace rangewise::tables
