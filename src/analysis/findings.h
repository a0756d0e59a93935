// Owns the findings of one analysis: pure functions of it and of the rows, with their thresholds in
// thresholds.h. What does not hold is not in the list; what cannot be computed is, with the reason.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/projection.h"
#include "analysis/scope.h"
#include "model/analysis.h"
#include "model/finding.h"
#include "model/rows.h"

namespace rangewise::analysis {

struct FindingSource {
  const model::ReportTables& tables;
  const model::Analysis& analysis;           // whole but for its findings
  const HostScopes& host;                    // paths by number in the tree
  std::span<const ScopePath> place;          // by number in the tree: the index into paths
  std::span<const ScopePath> grouped_place;  // by raw path: the grouped one; empty without rules
};

// All findings, in the order of Code, of one code host before projection. O(rows + paths) beside
// sorting the iterations' values and the distinct names.
std::vector<model::Finding> FindAll(const FindingSource& source);

}  // namespace rangewise::analysis
