// Owns the totals of each device and stream over the whole trace.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/gpu_shapes.h"
#include "model/gpu_activity.h"
#include "model/range_gpu_work.h"

namespace rangewise::analysis {

// By device's number; `order`: the operations by start.
std::vector<model::DeviceTotal> SumDevices(const model::GpuActivity& activity,
                                           const GpuShapes& shapes,
                                           std::span<const uint32_t> order);

}  // namespace rangewise::analysis
