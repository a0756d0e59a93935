// Owns what is summed over sites without regard to intervals, by path and by iteration: how many
// operations there are, the host time in CUDA calls, synchronisations, and whole graphs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/gpu_sites.h"
#include "model/gpu_activity.h"
#include "model/names.h"
#include "model/range_gpu_work.h"

namespace rangewise::analysis {

// Types of synchronisation, numbered. CUPTI knows five; what is beyond the last number counts as not
// named.
class SyncTypes {
 public:
  static constexpr size_t kMost = 8;
  SyncTypes(const model::GpuActivity& activity, const model::NamePool& names);
  size_t NumberOf(model::NameId type) const;
  // Of sums by number, those that have instances.
  using Sums = std::array<model::CallTime, kMost>;
  std::vector<model::SyncSum> Named(const Sums& sums) const;

 private:
  std::vector<model::NameId> types_;  // by name; then those without
};

struct SiteTotal {
  int64_t operations = 0;
  model::CallTimes calls;
  model::OperationSum graphs;
  SyncTypes::Sums synchronisations;

  SiteTotal& operator+=(const SiteTotal& other);
  bool IsEmpty() const;
};

struct SiteTotals {
  std::vector<SiteTotal> total;
  std::vector<model::CallTimes> own_calls;
};

// By path; `capture_path` (kRootPath: none) holds what lies in the capture range, too.
SiteTotals TotalsByPath(const model::GpuActivity& activity, const SyncTypes& sync_types,
                        const GpuSites& sites, const SitePaths& paths, ScopePath capture_path);

// By iteration, of which there are `iterations`.
SiteTotals TotalsByIteration(const model::GpuActivity& activity, const SyncTypes& sync_types,
                             const GpuSites& sites, size_t iterations);

// Operations that no range can claim.
model::UnattributedWork SumUnattributed(const model::GpuActivity& activity, const GpuSites& sites);

}  // namespace rangewise::analysis
