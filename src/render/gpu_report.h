// Owns the report of `rangewise gpu`: what is said of GPU work per range, in which order. "Busy" is
// the length of a union and never called a sum; durations that were added up are said to be summed;
// host time is said to be the host's.
#pragma once

#include "model/gpu_view.h"
#include "render/report.h"
#include "render/units.h"

namespace rangewise::render {

// O(rows that are shown).
Report MakeGpuReport(const model::GpuView& view, TimeUnit unit);

}  // namespace rangewise::render
