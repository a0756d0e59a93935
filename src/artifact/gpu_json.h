// Owns the JSON of `rangewise gpu`: the rows that were chosen, and what is said of the run as a
// whole; docs/gpu-work.md describes it.
#pragma once

#include "base/files.h"
#include "model/gpu_view.h"

namespace rangewise::artifact {

// One object; pieces have the form that they have in analysis.json. O(rows that are shown).
void WriteGpuJson(const model::GpuView& view, Output& out);

}  // namespace rangewise::artifact
