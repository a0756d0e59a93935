// Owns which rows of a list of GPU work a view shows: the first by a key.
#pragma once

#include <cstddef>

#include "model/gpu_view.h"

namespace rangewise::analysis {

// Fills `view.rows` by `view.by` and `view.sort`: at most `top` rows, 0: all. Largest first, what is
// not known last, equal rows in the analysis's order; by name: in the analysis's order, kernels by
// text. Nothing where the analysis has no such list. O(rows) beside sorting what is shown.
void SelectGpuRows(model::GpuView& view, size_t top);

}  // namespace rangewise::analysis
