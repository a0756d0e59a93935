#include "ingest/cuda_calls.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace rangewise::ingest {
namespace {

using model::CallClass;

TEST(CudaCalls, AreClassedByWhatTheHostDoesInThem) {
  const std::vector<std::pair<std::string, CallClass>> cases = {
      {"cudaDeviceSynchronize_v3020", CallClass::kSynchronising},
      {"cudaStreamSynchronize_ptsz_v7000", CallClass::kSynchronising},
      {"cuEventSynchronize", CallClass::kSynchronising},
      {"cuCtxSynchronize", CallClass::kSynchronising},
      {"cudaMemcpy_v3020", CallClass::kSynchronising},
      {"cudaMemcpy2D_v3020", CallClass::kSynchronising},
      {"cuMemcpyDtoH_v2", CallClass::kSynchronising},
      {"cudaMemcpyToSymbol_v3020", CallClass::kSynchronising},
      {"cudaMemcpyAsync_v3020", CallClass::kLaunching},
      {"cuMemcpyHtoDAsync_v2", CallClass::kLaunching},
      {"cudaMemset_v3020", CallClass::kLaunching},
      {"cuMemsetD32Async", CallClass::kLaunching},
      {"cudaLaunchKernel_v7000", CallClass::kLaunching},
      {"cudaLaunchKernelExC_v11060", CallClass::kLaunching},
      {"cuLaunchKernelEx", CallClass::kLaunching},
      {"cudaLaunchHostFunc_v10000", CallClass::kLaunching},
      {"cudaGraphLaunch_v10000", CallClass::kLaunching},
      {"cuGraphLaunch", CallClass::kLaunching},
      {"cudaMemPrefetchAsync_v8000", CallClass::kLaunching},
      {"cudaMalloc_v3020", CallClass::kMemory},
      {"cudaMallocAsync_v11020", CallClass::kMemory},
      {"cudaFree_v3020", CallClass::kMemory},
      {"cudaHostAlloc_v3020", CallClass::kMemory},
      {"cuMemAlloc_v2", CallClass::kMemory},
      {"cuMemFreeHost", CallClass::kMemory},
      {"cuMemHostRegister_v2", CallClass::kMemory},
      {"cuMemCreate", CallClass::kMemory},
      {"cudaEventRecord_v3020", CallClass::kOther},
      {"cudaStreamWaitEvent_v3020", CallClass::kOther},
      {"cudaGraphInstantiate_v10000", CallClass::kOther},
      {"cudaGetDevice_v3020", CallClass::kOther},
      {"cuMemGetInfo_v2", CallClass::kOther},
      {"cudaMemAdvise_v8000", CallClass::kOther},
      {"Synchronize", CallClass::kOther},
      {"", CallClass::kOther},
  };
  for (const auto& [name, expected] : cases) {
    EXPECT_EQ(ClassifyCall(name), expected) << name << ": " << model::CallClassName(ClassifyCall(name));
  }
}

}  // namespace
}  // namespace rangewise::ingest
