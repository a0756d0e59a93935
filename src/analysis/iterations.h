// Owns the table of iterations: host and projected sides side by side by index, and the warnings on
// what is missing or too much.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/harness.h"
#include "base/diagnostics.h"
#include "model/analysis.h"
#include "model/rows.h"
#include "model/run.h"

namespace rangewise::analysis {

// The union of both sides in index order; `host` and `projected` are sorted by index, each index
// once.
std::vector<model::Iteration> MergeIterations(const model::ReportTables& tables,
                                              std::span<const NumberedRow> host,
                                              std::span<const NumberedRow> projected);

// kMissingIterations, kUnexpectedIterations, kMissingHostIterations, kMissingGpuProjection,
// kSingleIteration.
void WarnOfIterations(std::span<const model::Iteration> iterations, const model::Harness& harness,
                      bool projection_has_rows, Diagnostics& diagnostics);

}  // namespace rangewise::analysis
