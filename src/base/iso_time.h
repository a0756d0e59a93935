// Owns reading a time of ISO 8601 as a point that can be ordered.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

namespace rangewise {

// Seconds and nanoseconds since 1970-01-01. Without a zone they count local time of an unknown
// place, which can be ordered against other such times only.
struct IsoTime {
  int64_t seconds = 0;
  int64_t nanoseconds = 0;
  bool zoned = false;
  bool date_only = false;  // no time of day: midnight stands for the whole day
};

// Before, after or the same time; unordered when only one of the two has a zone.
std::partial_ordering operator<=>(const IsoTime& a, const IsoTime& b);
bool operator==(const IsoTime& a, const IsoTime& b);

// The extended form: YYYY-MM-DD, then nothing (midnight), or `T` or blanks and hh:mm or hh:mm:ss
// with a fraction of any length (digits after the ninth are dropped), then nothing or Z, ±hh, ±hhmm
// or ±hh:mm. Nothing on any other text, or on a date that the calendar does not have.
std::optional<IsoTime> ParseIsoTime(std::string_view text);

}  // namespace rangewise
