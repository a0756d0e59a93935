// Owns reading GPU work per range of an analysis.json back: the value of `range_gpu_work`.
#pragma once

#include <functional>
#include <optional>

#include "artifact/ranges_reader.h"
#include "format/json_reader.h"
#include "model/range_gpu_work.h"

namespace rangewise::artifact {

// Where names and paths of the work go. The tree of grouped paths is asked for only when the file
// has grouped rows.
struct GpuWorkNames {
  model::NamePool& names;
  PathTree& paths;
  std::function<PathTree&()> grouped_paths;
};

// The object, or nothing of null. What follows from other values (shares, throughputs) is computed
// again. An error stays with the reader.
std::optional<model::RangeGpuWork> ReadRangeGpuWork(format::JsonReader& json,
                                                    const GpuWorkNames& names);

}  // namespace rangewise::artifact
