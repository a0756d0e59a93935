// Owns the findings of GPU work per range: the host time that passes in CUDA calls, and how busy
// the GPU was in the iterations. Shares are of one clock each.
#pragma once

#include <vector>

#include "analysis/findings.h"
#include "model/finding.h"

namespace rangewise::analysis {

// None without GPU work. Paths are those of the raw ranges.
std::vector<model::Finding> FindInGpuWork(const FindingSource& source);

}  // namespace rangewise::analysis
