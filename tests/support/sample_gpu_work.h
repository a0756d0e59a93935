// Owns GPU work made by hand for tests of what is written and rendered from it: every section has
// values, and what can be unknown is unknown somewhere.
#pragma once

#include <string>

#include "model/provenance.h"

namespace rangewise::test_support {

// Names for the sample, so that tests can ask for hostile ones.
struct GpuWorkNames {
  std::string kernel = "void multiply<float>(float*, int)";
  std::string collective = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";
  std::string direction = "Host-to-Device";
  std::string device = "NVIDIA L4";
  std::string call = "cudaDeviceSynchronize_v3020";
};

// GPU work of two devices: two paths, of which one lies below the other, two iterations, and gaps.
// Of the document that was made by SmokeDocument, or of any other.
void AddGpuWork(model::AnalysisDocument& document, const GpuWorkNames& names = {});

// The same with everything absent that can be, and the reasons.
void AddSparseGpuWork(model::AnalysisDocument& document);

}  // namespace rangewise::test_support
