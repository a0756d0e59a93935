// Owns the statistics of groups: rows gathered by scope path (and style), each group's values side
// by side in one buffer that every measure reuses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/scope.h"
#include "base/result.h"
#include "model/analysis.h"
#include "model/rows.h"

namespace rangewise::analysis {

// Groups of the host rows, by path. `paths` holds each row's path, by its number in the tree; rows
// at kRootPath (iterations) are in no group. kTotalOverflow for the first group of which a total
// needs more than 64 bits; `names` are those of the paths.
Status GroupHostRows(const model::ReportTables& tables, std::span<const ScopePath> paths,
                     const OrderedPaths& ordered, const model::NamePool& names,
                     std::vector<model::HostGroup>& groups);

// The same for the projection, by path and style.
Status GroupProjectedRows(const model::ReportTables& tables, std::span<const ScopePath> paths,
                          const OrderedPaths& ordered, const model::NamePool& names,
                          std::vector<model::ProjectedGroup>& groups);

// Statistics of the iterations as a whole; a side without values stays empty.
Result<model::IterationSummary> SummariseIterations(std::span<const model::Iteration> iterations);

}  // namespace rangewise::analysis
