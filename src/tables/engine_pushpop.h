// Owns the table nvtx_pushpop_trace: host durations of push/pop ranges, exclusive of their children
// (docs/reports.md, "nvtx_pushpop_trace").
#pragma once

#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "model/rows.h"
#include "tables/engine_csv.h"
#include "tables/engine_names.h"
#include "tables/engine_tree.h"

namespace rangewise::tables {

// Writes the table of `set` and appends its rows to `host`, both in the table's order. `quoted`: QuotedNames of
// `names`. kTotalOverflow when the children of a range sum up beyond 64 bits; kInterrupted.
Status WritePushPopTable(const RangeSet& set, const RangeForest& forest, const model::NamePool& names,
                         const std::vector<bool>& quoted, ReportNames& report_names, int threads,
                         Output& output, std::vector<model::HostRange>& host);

}  // namespace rangewise::tables
