// Owns the harness in the rows: the capture range, and which ranges are iterations of which index.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/range_index.h"
#include "base/regex.h"
#include "base/result.h"
#include "model/rows.h"
#include "model/run.h"

namespace rangewise::analysis {

// A range for messages: name, process, thread and RangeId.
std::string DescribeRange(const model::ReportTables& tables, const model::HostRange& range);
std::string DescribeRange(const model::ReportTables& tables, const model::ProjectedRange& range);

// The row of the capture range; kNoRow for a harness without one. kCaptureRangeMissing or
// kCaptureRangeAmbiguous unless exactly one top-level range bears its name.
Result<uint32_t> FindCaptureRange(const model::ReportTables& tables, const model::Harness& harness);

// What the names of iterations look like.
class IterationNames {
 public:
  // kBadPattern when the harness's pattern does not compile.
  static Result<IterationNames> Make(const model::Harness& harness);

  // Iterations have no index in their name and are numbered from 0 in time order.
  bool numbered_by_time() const { return pattern_ && pattern_->groups() == 0; }
  // The index in `name`: nothing when it is no iteration's name; 0 when numbered_by_time(). An
  // index beyond 64 bits is kIterationIndexTooLarge, a pattern's group that caught no integer
  // kBadPattern.
  Result<std::optional<int64_t>> IndexOf(std::string_view name) const;

 private:
  std::optional<Regex> pattern_;  // none: `iteration <digits>`
};

struct NumberedRow {
  int64_t index = 0;
  uint32_t row = 0;
};

// The direct children of the host row `capture` that are iterations, by index. kDuplicateIteration
// when two have one index.
Result<std::vector<NumberedRow>> FindHostIterations(const model::ReportTables& tables,
                                                    uint32_t capture, const IterationNames& names);

// The same among `candidates`, rows of the projection that the host table does not know. Where
// iterations are numbered by time they go on from `next_index` in the order of their RangeIds,
// since the projection tells no host times.
Result<std::vector<NumberedRow>> FindProjectedIterations(const model::ReportTables& tables,
                                                         uint32_t capture,
                                                         const IterationNames& names,
                                                         std::span<const uint32_t> candidates,
                                                         int64_t next_index);

// kDuplicateIteration for two ranges, described, that have one index.
Error DuplicateIteration(int64_t index, std::string first, std::string second);

}  // namespace rangewise::analysis
