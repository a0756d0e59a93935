// Owns what the names of CUDA API calls tell of the calls: whether the host waits in them, hands work
// to a device, or manages memory. Names are those of the export's strings, with NVIDIA's version
// suffix (`cudaLaunchKernel_v7000`).
#pragma once

#include <string_view>

#include "model/trace.h"

namespace rangewise::ingest {

// Synchronising: `*Synchronize*`, and copies that are not `*Async*`, which return when the copy is done
// (CUDA Runtime API, "API synchronization behavior"). Launching: kernels, graphs, host functions,
// asynchronous copies, sets, prefetches. Memory: allocation, release, registration and pools. Else other.
model::CallClass ClassifyCall(std::string_view name);

}  // namespace rangewise::ingest
