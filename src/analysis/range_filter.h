// Owns the choice of ranges by name, time, domain, thread and process. The windows of a name and of
// a time mean what they mean to `nsys stats --filter-nvtx` and `--filter-time`: a range is kept when
// it overlaps the window, and then whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/rows.h"

namespace rangewise::analysis {

// Nanoseconds on the trace's axis; an absent side is open.
struct TimeWindow {
  std::optional<int64_t> from;
  std::optional<int64_t> to;
};

// A range is kept when it passes each kind of filter; of several values of one kind, one is enough,
// but that a range must be excluded by none.
struct RangeFilters {
  std::optional<std::string> nvtx;  // NAME[@DOMAIN][/INDEX]
  std::optional<TimeWindow> time;
  std::vector<std::string> domains;  // empty: the default domain
  std::vector<int64_t> threads;
  std::vector<int64_t> processes;
  std::vector<std::string> exclude;  // RE2, of the whole name
  bool empty() const;
};

// A whole number of nanoseconds, or with one of the units ns, us, ms, s.
std::optional<int64_t> ParseTime(std::string_view text);
// `A/B`, each an integer with ns, us, ms or s behind it (none: ns) or nothing; nothing of any other
// text, and where A is not below B.
std::optional<TimeWindow> ParseTimeWindow(std::string_view text);

// By row of the host table, of the projection: whether it is kept.
struct RangeSelection {
  std::vector<bool> host;
  std::vector<bool> projected;
};

// The window of a name is that of its INDEX-th push/pop range by start, from 0; where a name exists
// that ends in /digits, it wins. With it only ranges of that range's process are kept, or of its
// thread where that is not the process's first. Rows of the projection are kept with the host range
// that they belong to; without one (start/end ranges) no window keeps them, as their host times are
// not known. Errors: kNothingSelected with the names that are nearest, kBadPattern.
Result<RangeSelection> SelectRanges(const model::ReportTables& tables, const RangeFilters& filters);

}  // namespace rangewise::analysis
