// Owns the GPU work of the capture as a whole: kernels by name and copies by kinds, in the order of
// analysis.json.
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "model/rows.h"

namespace rangewise::analysis {

// Kernels of one name together, by duration descending, then name. Nothing when the table is
// absent. kTotalOverflow when a sum needs more than 64 bits.
Result<std::optional<std::vector<model::KernelTotal>>> SumKernels(
    const model::ReportTables& tables);

// The same for copies of one pair of kinds, by duration descending, then source, then destination.
Result<std::optional<std::vector<model::CopyTotal>>> SumCopies(const model::ReportTables& tables);

}  // namespace rangewise::analysis
