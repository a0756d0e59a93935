#include "analysis/harness.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/text.h"

namespace rangewise::analysis {
namespace {

using model::HostRange;
using model::kNoParent;
using model::ProjectedRange;
using model::ReportTables;

constexpr size_t kListed = 10;

template <typename Row>
std::string Describe(const ReportTables& tables, const Row& range) {
  const model::ThreadKey& thread = tables.threads[range.thread];
  return Format("{} (process {}, thread {}, range {})", Quoted(tables.names.At(range.name)),
                thread.process_id, thread.thread_id, range.range_id);
}

// The distinct names of top-level ranges.
std::vector<std::string> TopLevelNames(const ReportTables& tables) {
  std::vector<bool> seen(tables.names.size(), false);
  std::vector<std::string> names;
  for (const HostRange& range : tables.host) {
    const auto id = static_cast<uint32_t>(range.name);
    if (range.parent_id != kNoParent || seen[id]) continue;
    seen[id] = true;
    names.emplace_back(tables.names.At(range.name));
  }
  return names;
}

Error CaptureRangeMissing(const ReportTables& tables, const std::string& wanted) {
  std::vector<std::string> names = NearestFirst(wanted, TopLevelNames(tables));
  Error error{Code::kCaptureRangeMissing, Format("no top-level range is named {}", Quoted(wanted))};
  error.details.push_back(names.empty() ? "no range is at the top level"
                                        : "top-level ranges, nearest name first: " +
                                              QuotedList(names, kListed));
  return error;
}

Error CaptureRangeAmbiguous(const ReportTables& tables, const std::string& wanted,
                            std::vector<uint32_t> rows) {
  std::sort(rows.begin(), rows.end(), [&](uint32_t a, uint32_t b) {
    const HostRange& x = tables.host[a];
    const HostRange& y = tables.host[b];
    return std::tie(x.start, tables.threads[x.thread], x.range_id) <
           std::tie(y.start, tables.threads[y.thread], y.range_id);
  });
  Error error{Code::kCaptureRangeAmbiguous,
              Format("{} top-level ranges are named {}, and exactly one must be", rows.size(),
                     Quoted(wanted))};
  for (size_t i = 0; i < std::min(rows.size(), kListed); ++i) {
    error.details.push_back(Describe(tables, tables.host[rows[i]]));
  }
  if (rows.size() > kListed) error.details.push_back(Format("and {} more", rows.size() - kListed));
  std::vector<std::string> names = NearestFirst(wanted, TopLevelNames(tables));
  error.details.push_back("top-level ranges, nearest name first: " + QuotedList(names, kListed));
  return error;
}

bool IsDigits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Decimal digits with a sign before them, or none.
bool IsInteger(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return IsDigits(text);
}

Result<std::optional<int64_t>> ParseIndex(std::string_view digits, std::string_view name) {
  if (std::optional<int64_t> index = ParseInt64(digits)) return index;
  return Error{Code::kIterationIndexTooLarge,
               Format("the index of the iteration {} does not fit into 64 bits", Quoted(name))};
}

// Direct children of the capture range that are iterations, in no order. `row_at(i)` numbers the
// i-th of `count`. Of several names that are errors the first bytewise is told of.
template <typename Row, typename RowAt>
Result<std::vector<NumberedRow>> Matching(const ReportTables& tables, std::span<const Row> rows,
                                          const HostRange& capture, const IterationNames& names,
                                          size_t count, RowAt row_at) {
  std::vector<NumberedRow> found;
  std::optional<Error> failure;
  std::string_view failed_name;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t number = row_at(i);
    const Row& row = rows[number];
    if (row.parent_id != capture.range_id || row.thread != capture.thread) continue;
    const std::string_view name = tables.names.At(row.name);
    Result<std::optional<int64_t>> index = names.IndexOf(name);
    if (!index.ok()) {
      if (failure && failed_name <= name) continue;
      failure = std::move(index).error();
      failed_name = name;
    } else if (*index) {
      found.push_back({**index, number});
    }
  }
  if (failure) return std::move(*failure);
  return found;
}

// Sorts by index; kDuplicateIteration for the smallest index that two have, naming its first two by
// `before`.
template <typename Row, typename Before>
Status SortByIndex(const ReportTables& tables, std::span<const Row> rows,
                   std::vector<NumberedRow>& found, Before before) {
  std::sort(found.begin(), found.end(), [&](const NumberedRow& a, const NumberedRow& b) {
    if (a.index != b.index) return a.index < b.index;
    return before(rows[a.row], rows[b.row]);
  });
  for (size_t i = 1; i < found.size(); ++i) {
    if (found[i].index != found[i - 1].index) continue;
    return DuplicateIteration(found[i].index, Describe(tables, rows[found[i - 1].row]),
                              Describe(tables, rows[found[i].row]));
  }
  return Ok();
}

template <typename Row, typename Before>
void NumberFrom(int64_t next, std::span<const Row> rows, std::vector<NumberedRow>& found,
                Before before) {
  std::sort(found.begin(), found.end(), [&](const NumberedRow& a, const NumberedRow& b) {
    return before(rows[a.row], rows[b.row]);
  });
  for (NumberedRow& numbered : found) numbered.index = next++;
}

}  // namespace

std::string DescribeRange(const ReportTables& tables, const HostRange& range) {
  return Describe(tables, range);
}

std::string DescribeRange(const ReportTables& tables, const ProjectedRange& range) {
  return Describe(tables, range);
}

Result<uint32_t> FindCaptureRange(const ReportTables& tables, const model::Harness& harness) {
  if (!harness.capture_range) return kNoRow;
  std::vector<uint32_t> rows;
  for (uint32_t i = 0; i < tables.host.size(); ++i) {
    const HostRange& row = tables.host[i];
    if (row.parent_id == kNoParent && tables.names.At(row.name) == *harness.capture_range)
      rows.push_back(i);
  }
  if (rows.empty()) return CaptureRangeMissing(tables, *harness.capture_range);
  if (rows.size() > 1)
    return CaptureRangeAmbiguous(tables, *harness.capture_range, std::move(rows));
  return rows[0];
}

Result<IterationNames> IterationNames::Make(const model::Harness& harness) {
  IterationNames names;
  if (harness.iteration_pattern) {
    ASSIGN_OR_RETURN(names.pattern_, Regex::Compile(*harness.iteration_pattern));
  }
  return names;
}

Result<std::optional<int64_t>> IterationNames::IndexOf(std::string_view name) const {
  if (!pattern_) {
    constexpr std::string_view kPrefix = "iteration ";
    if (!name.starts_with(kPrefix) || !IsDigits(name.substr(kPrefix.size())))
      return std::optional<int64_t>();
    return ParseIndex(name.substr(kPrefix.size()), name);
  }
  if (numbered_by_time()) {
    return pattern_->FullMatch(name) ? std::optional<int64_t>(0) : std::nullopt;
  }
  const std::optional<std::string_view> group = pattern_->FullMatchGroup1(name);
  if (!group) return std::optional<int64_t>();
  if (IsInteger(*group)) return ParseIndex(*group, name);
  return Error{Code::kBadPattern,
               Format("the first group of the iteration pattern {} caught {} in the range {}, and "
                      "must catch an integer",
                      Quoted(pattern_->pattern()), Quoted(*group), Quoted(name))};
}

Result<std::vector<NumberedRow>> FindHostIterations(const ReportTables& tables, uint32_t capture,
                                                    const IterationNames& names) {
  const std::span<const HostRange> rows(tables.host);
  ASSIGN_OR_RETURN(std::vector<NumberedRow> found,
                   Matching(tables, rows, rows[capture], names, rows.size(),
                            [](size_t i) { return static_cast<uint32_t>(i); }));
  const auto before = [](const HostRange& a, const HostRange& b) {
    return std::tie(a.start, a.range_id) < std::tie(b.start, b.range_id);
  };
  if (names.numbered_by_time()) NumberFrom(0, rows, found, before);
  RETURN_IF_ERROR(SortByIndex(tables, rows, found, before));
  return found;
}

Result<std::vector<NumberedRow>> FindProjectedIterations(const ReportTables& tables,
                                                         uint32_t capture,
                                                         const IterationNames& names,
                                                         std::span<const uint32_t> candidates,
                                                         int64_t next_index) {
  const std::span<const ProjectedRange> rows(tables.projected);
  ASSIGN_OR_RETURN(std::vector<NumberedRow> found,
                   Matching(tables, rows, tables.host[capture], names, candidates.size(),
                            [candidates](size_t i) { return candidates[i]; }));
  const auto before = [](const ProjectedRange& a, const ProjectedRange& b) {
    return a.range_id < b.range_id;
  };
  if (names.numbered_by_time()) NumberFrom(next_index, rows, found, before);
  RETURN_IF_ERROR(SortByIndex(tables, rows, found, before));
  return found;
}

Error DuplicateIteration(int64_t index, std::string first, std::string second) {
  Error error{Code::kDuplicateIteration,
              Format("two ranges of the capture are iteration {}", index)};
  error.details = {std::move(first), std::move(second)};
  return error;
}

}  // namespace rangewise::analysis
