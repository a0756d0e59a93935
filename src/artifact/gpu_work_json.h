// Owns how GPU work per range stands in JSON: the keys `range_gpu_work` and `range_gpu_work_reason`
// of analysis.json, whose parts stand in the JSON of `rangewise gpu`, too (docs/analysis-json.md).
#pragma once

#include <cstdint>
#include <span>

#include "format/json.h"
#include "model/provenance.h"

namespace rangewise::artifact {

// Both keys into the object that is open. Stops in the middle when an interrupt arrives, and leaves
// lists open then. O(output size).
void WriteRangeGpuWork(format::JsonWriter& json, const model::AnalysisDocument& document);
// The key `range_gpu_work_reason` alone.
void WriteGpuWorkReason(format::JsonWriter& json, const model::Analysis& analysis);

// The parts, each a value whose key was written before; the document has GPU work.
// A list of the rows of these numbers: of grouped paths where there are any, else of raw ones.
void WriteGpuWorkPaths(format::JsonWriter& json, const model::AnalysisDocument& document,
                       std::span<const uint32_t> rows);
void WriteGpuWorkIterations(format::JsonWriter& json, const model::AnalysisDocument& document,
                            std::span<const uint32_t> rows);
void WriteGpuWorkDevices(format::JsonWriter& json, const model::AnalysisDocument& document);
void WriteGpuDevice(format::JsonWriter& json, const model::DeviceTotal& device);
// With the number of `device` where that is not null.
void WriteGpuStream(format::JsonWriter& json, const model::StreamWork& stream,
                    const model::DeviceTotal* device);
void WriteGpuGaps(format::JsonWriter& json, const model::AnalysisDocument& document);
void WriteUnattributedGpuWork(format::JsonWriter& json, const model::AnalysisDocument& document);
void WriteGpuWorkNullReasons(format::JsonWriter& json, const model::AnalysisDocument& document);

}  // namespace rangewise::artifact
