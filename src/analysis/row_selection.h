// Owns which rows of an analysis a summary shows: the first of each list by a key.
#pragma once

#include <cstddef>
#include <optional>

#include "model/summary.h"

namespace rangewise::analysis {

// Fills the selections of `summary` from its analysis: at most `top` rows of each list, 0: all.
// Largest first, equal rows in the analysis's order; by name: in the analysis's order. Without
// `summary.sort` host ranges are selected twice, by exclusive and by inclusive totals. Projections
// have no exclusive time and are then ordered by their totals. Kernels and copies keep their order.
// Of iterations: all where they are few enough, else the first, the last, and those that a finding
// names. O(rows) beside sorting what is shown.
void SelectRows(model::Summary& summary, size_t top);

}  // namespace rangewise::analysis
