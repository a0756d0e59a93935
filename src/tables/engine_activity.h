// Owns the change from a trace to a model::GpuActivity: compact operations, calls and graph records with the ranges
// that hold their launching calls, and the CUDA call in flight where the device fell idle in the capture range.
#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"
#include "model/gpu_activity.h"
#include "model/trace.h"
#include "tables/engine_names.h"
#include "tables/engine_tree.h"

namespace rangewise::tables {

// Consumes the trace's operations, calls and groups. `set` is that of the projection, `captures` those of its ranges
// that may be the capture range. Names of kernels and copies are
// interned by `report_names`. Errors: those of Attribute, kInterrupted.
Result<model::GpuActivity> BuildActivity(const RangeSet& set, const RangeForest& forest,
                                         std::span<const uint32_t> captures, ReportNames& report_names,
                                         model::Trace& trace);

}  // namespace rangewise::tables
