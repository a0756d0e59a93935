// Owns the GPU projection: for each range, what the calls inside it launched (docs/reports.md,
// "nvtx_gpu_proj_trace"). Where the ranges of a thread nest, one pass up the tree; where they overlap, a search
// over time that gives every enclosing range its share, n log n whatever the overlaps.
#pragma once

#include <cstdint>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "model/rows.h"
#include "model/trace.h"
#include "tables/engine_csv.h"
#include "tables/engine_names.h"
#include "tables/engine_tree.h"

namespace rangewise::tables {

// A range with GPU work (24 bytes).
struct Projection {
  int64_t first_start_ns = 0;  // of the operations
  int64_t last_end_ns = 0;
  uint32_t range = 0;          // index into the RangeSet
  uint32_t operations = 0;     // distinct correlation ids of the launching calls
};

struct ProjectionResult {
  std::vector<Projection> rows;         // by thread, and within it in sweep order
  std::vector<uint32_t> order;          // that of the table, by row id of the range; empty: as the rows stand
  std::vector<uint8_t> group_in_range;  // per group of operations: whether a call of it lies in a range
};

// Ranges that another thread ended must not be in `set`.
ProjectionResult Project(const RangeSet& set, const RangeForest& forest, const model::Trace& trace, int threads);

// Writes the table by row id and fills `projected` with its rows, in the order of the projection's. kInterrupted.
Status WriteProjectionTable(const RangeSet& set, const RangeForest& forest, const ProjectionResult& projection,
                            const model::NamePool& names, const std::vector<bool>& quoted,
                            ReportNames& report_names, int threads, Output& output,
                            std::vector<model::ProjectedRange>& projected);

}  // namespace rangewise::tables
