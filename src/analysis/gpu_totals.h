// Owns what is summed over sites without regard to intervals, by path and by iteration: how many
// operations there are, the host time in CUDA calls, and whole graphs.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/gpu_sites.h"
#include "model/gpu_activity.h"
#include "model/range_gpu_work.h"

namespace rangewise::analysis {

struct SiteTotal {
  int64_t operations = 0;
  model::CallTimes calls;
  model::OperationSum graphs;

  SiteTotal& operator+=(const SiteTotal& other);
  bool IsEmpty() const;
};

struct SiteTotals {
  std::vector<SiteTotal> total;
  std::vector<model::CallTimes> own_calls;
};

// By path; `capture_path` (kRootPath: none) holds what lies in the capture range, too.
SiteTotals TotalsByPath(const model::GpuActivity& activity, const GpuSites& sites,
                        const SitePaths& paths, ScopePath capture_path);

// By iteration, of which there are `iterations`.
SiteTotals TotalsByIteration(const model::GpuActivity& activity, const GpuSites& sites,
                             size_t iterations);

// Operations that no range can claim.
model::UnattributedWork SumUnattributed(const model::GpuActivity& activity, const GpuSites& sites);

}  // namespace rangewise::analysis
