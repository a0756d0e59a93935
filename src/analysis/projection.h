// Owns where the rows of the GPU projection belong: each joins its host row by thread and RangeId
// and takes that row's scope; one that the host table does not know is placed by its own ParentId.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/harness.h"
#include "analysis/range_index.h"
#include "analysis/scope.h"
#include "base/result.h"
#include "model/rows.h"

namespace rangewise::analysis {

using HostIndex = RangeIndex<model::HostRange>;

struct JoinedProjection {
  std::vector<uint32_t>
      host_rows;  // by row of the projection; kNoRow where the host table does not know it
  std::vector<uint32_t> unknown;  // those rows, ascending
};

// kDuplicateRange when two rows of the projection are of one range. O(n) beside the index's own
// cost.
Result<JoinedProjection> JoinProjection(const model::ReportTables& tables,
                                        const HostIndex& host_index);

// What is known of the host rows.
struct HostScopes {
  uint32_t capture = kNoRow;            // row of the capture range
  std::vector<NumberedRow> iterations;  // by index
  std::vector<ScopePath> paths;         // by row; kRootPath for iterations
  std::vector<uint32_t> parents;        // by row; kNoRow where the scope path ends
};

struct ProjectionScopes {
  std::vector<ScopePath> paths;         // by row; kRootPath for iterations
  std::vector<NumberedRow> iterations;  // by index
  bool has_capture = false;             // whether the capture range is projected
};

// Scopes of all rows; `tree` gains the paths that only the projection has. Errors: kRangeCycle,
// kDuplicateIteration, and those of IterationNames::IndexOf.
Result<ProjectionScopes> PlaceProjection(const model::ReportTables& tables,
                                         const HostIndex& host_index, const HostScopes& host,
                                         const IterationNames& names, JoinedProjection joined,
                                         PathTree& tree);

}  // namespace rangewise::analysis
