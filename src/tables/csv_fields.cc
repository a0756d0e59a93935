#include "tables/csv_fields.h"

#include <optional>

#include "base/checked.h"

namespace rangewise::tables {

bool ParseIntegerSlowly(std::string_view raw, int64_t& value) {
  std::string scratch;
  const std::optional<int64_t> parsed = ParseInt64(format::CsvValue(raw, scratch));
  if (parsed) value = *parsed;
  return parsed.has_value();
}

bool ParseTimeSlowly(std::string_view raw, int64_t scale, int64_t& value) {
  if (scale == 1) return ParseIntegerSlowly(raw, value);
  std::string scratch;
  std::string_view text = format::CsvValue(raw, scratch);
  bool negative = false;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  const size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction =
      point == std::string_view::npos ? std::string_view{} : text.substr(point + 1);
  if (whole.empty() && fraction.empty()) return false;

  // Far above 64 bits, so that a long number is found too large before 128 bits are.
  constexpr Int128 kLimit = Int128{1} << 80;
  Int128 sum = 0;
  for (const char c : whole) {
    if (c < '0' || c > '9') return false;
    if (sum < kLimit) sum = sum * 10 + (c - '0');
  }
  sum *= scale;
  int64_t weight = scale / 10;  // nanoseconds per unit of the digit; 0 beyond a nanosecond
  bool rounds_up = false;
  bool first_beyond = true;
  for (const char c : fraction) {
    if (c < '0' || c > '9') return false;
    if (weight > 0) {
      sum += weight * Int128{c - '0'};
      weight /= 10;
    } else if (first_beyond) {
      rounds_up = c >= '5';
      first_beyond = false;
    }
  }
  if (rounds_up) ++sum;
  const std::optional<int64_t> narrow = Narrow(negative ? -sum : sum);
  if (narrow) value = *narrow;
  return narrow.has_value();
}

}  // namespace rangewise::tables
