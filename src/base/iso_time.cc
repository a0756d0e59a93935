#include "base/iso_time.h"

#include <algorithm>

namespace rangewise {
namespace {

// What is left of a text, taken from the front.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

  bool Take(std::string_view any_of) {
    if (rest_.empty() || any_of.find(rest_.front()) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // A number of exactly `digits` digits within [low, high].
  std::optional<int64_t> TakeNumber(size_t digits, int64_t low, int64_t high) {
    const std::string_view taken = rest_.substr(0, digits);
    if (taken.size() < digits || taken.find_first_not_of(kDigits) != std::string_view::npos)
      return std::nullopt;
    int64_t number = 0;
    for (const char digit : taken) number = number * 10 + (digit - '0');
    if (number < low || number > high) return std::nullopt;
    rest_.remove_prefix(digits);
    return number;
  }
  size_t TakeWhile(std::string_view any_of) {
    const size_t length = std::min(rest_.find_first_not_of(any_of), rest_.size());
    rest_.remove_prefix(length);
    return length;
  }
  static constexpr std::string_view kDigits = "0123456789";

 private:
  std::string_view rest_;
};

// Days from 1970-01-01, by the Gregorian calendar. A year is counted from its March, so that the
// leap day is its last; `year` is at least 1.
int64_t DaysFromEpoch(int64_t year, int64_t month, int64_t day) {
  const int64_t shifted_year = month <= 2 ? year - 1 : year;
  const int64_t shifted_month = month <= 2 ? month + 9 : month - 3;
  const int64_t day_of_year = (153 * shifted_month + 2) / 5 + day - 1;
  return 365 * shifted_year + shifted_year / 4 - shifted_year / 100 + shifted_year / 400 +
         day_of_year - 719468;
}

std::optional<int64_t> TakeDate(Reader& reader) {
  static constexpr int64_t kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const std::optional<int64_t> year = reader.TakeNumber(4, 1, 9999);
  if (!year || !reader.Take("-")) return std::nullopt;
  const std::optional<int64_t> month = reader.TakeNumber(2, 1, 12);
  if (!month || !reader.Take("-")) return std::nullopt;
  const bool leap = (*year % 4 == 0 && *year % 100 != 0) || *year % 400 == 0;
  const int64_t last = kDays[*month - 1] + (*month == 2 && leap ? 1 : 0);
  const std::optional<int64_t> day = reader.TakeNumber(2, 1, last);
  if (!day) return std::nullopt;
  return DaysFromEpoch(*year, *month, *day);
}

// hh:mm, or hh:mm:ss with a fraction.
bool TakeClock(Reader& reader, IsoTime& time) {
  const std::optional<int64_t> hours = reader.TakeNumber(2, 0, 23);
  if (!hours || !reader.Take(":")) return false;
  const std::optional<int64_t> minutes = reader.TakeNumber(2, 0, 59);
  if (!minutes) return false;
  time.seconds += *hours * 3600 + *minutes * 60;
  if (!reader.Take(":")) return true;
  const std::optional<int64_t> seconds = reader.TakeNumber(2, 0, 60);  // 60: a leap second
  if (!seconds) return false;
  time.seconds += *seconds;
  if (!reader.Take(".,")) return true;
  const std::string_view fraction = reader.rest();
  const size_t digits = reader.TakeWhile(Reader::kDigits);
  for (size_t i = 0; i < 9; ++i) {
    time.nanoseconds = time.nanoseconds * 10 + (i < digits ? fraction[i] - '0' : 0);
  }
  return digits > 0;
}

// Z, ±hh, ±hhmm or ±hh:mm.
bool TakeZone(Reader& reader, IsoTime& time) {
  time.zoned = true;
  if (reader.Take("Zz")) return true;
  const bool west = reader.rest().starts_with('-');
  if (!reader.Take("+-")) return false;
  const std::optional<int64_t> hours = reader.TakeNumber(2, 0, 23);
  if (!hours) return false;
  int64_t offset = *hours * 3600;
  if (!reader.done()) {
    reader.Take(":");
    const std::optional<int64_t> minutes = reader.TakeNumber(2, 0, 59);
    if (!minutes) return false;
    offset += *minutes * 60;
  }
  time.seconds += west ? offset : -offset;
  return true;
}

}  // namespace

std::partial_ordering operator<=>(const IsoTime& a, const IsoTime& b) {
  if (a.zoned != b.zoned) return std::partial_ordering::unordered;
  if (a.seconds != b.seconds) return a.seconds <=> b.seconds;
  return a.nanoseconds <=> b.nanoseconds;
}

bool operator==(const IsoTime& a, const IsoTime& b) { return (a <=> b) == 0; }

std::optional<IsoTime> ParseIsoTime(std::string_view text) {
  Reader reader(text);
  const std::optional<int64_t> days = TakeDate(reader);
  if (!days) return std::nullopt;
  IsoTime time{.seconds = *days * 86400};
  time.date_only = reader.done();
  if (time.date_only) return time;
  if (!reader.Take("Tt") && reader.TakeWhile(" \t") == 0) return std::nullopt;
  if (!TakeClock(reader, time)) return std::nullopt;
  if (reader.done()) return time;
  reader.TakeWhile(" \t");
  if (!TakeZone(reader, time) || !reader.done()) return std::nullopt;
  return time;
}

}  // namespace rangewise
