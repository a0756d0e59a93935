#include "support/gpu_reference_names.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

namespace rangewise::test {

const char* ClassOfCall(const std::string& name) {
  static const std::map<std::string, const char*> classes = {
      {"cudaDeviceSynchronize_v3020", "synchronising"},
      {"cudaStreamSynchronize_v3020", "synchronising"},
      {"cudaEventSynchronize_v3020", "synchronising"},
      {"cudaMemcpy_v3020", "synchronising"},
      {"cuMemcpyDtoH_v2", "synchronising"},
      {"cudaLaunchKernel_v7000", "launching"},
      {"cuLaunchKernel", "launching"},
      {"cuLaunchKernelEx", "launching"},
      {"cudaGraphLaunch_v10000", "launching"},
      {"cudaMemcpyAsync_v3020", "launching"},
      {"cudaMemsetAsync_v3020", "launching"},
      {"cudaMalloc_v3020", "memory"},
      {"cudaFree_v3020", "memory"},
      {"cuModuleGetLoadingMode", "other"},
      {"cudaGetDeviceProperties_v2_v12000", "other"},
      {"cudaStreamIsCapturing_v10000", "other"},
      {"cuGetProcAddress_v2", "other"},
      {"cuInit", "other"},
      {"cudaGetDriverEntryPoint_v11030", "other"},
      {"cudaOccupancyAvailableDynamicSMemPerBlock_v10200", "other"},
      {"cudaOccupancyMaxActiveClusters_v11070", "other"},
      {"cudaEventCreateWithFlags_v3020", "other"},
      {"cuLibraryLoadData", "other"},
      {"cuLibraryGetKernel", "other"},
      {"cuKernelGetAttribute", "other"},
      {"cuKernelSetAttribute", "other"},
      {"cuModuleLoadDataEx", "other"},
      {"cudaProfilerStart", "other"},
      {"cuProfilerStart", "other"},
      {"cudaEventRecord_v3020", "other"},
      {"cudaEventRecordWithFlags_v11010", "other"},
      {"cudaEventDestroy_v3020", "other"},
      {"cudaEventQuery_v3020", "other"},
      {"cudaStreamWaitEvent_v3020", "other"},
      {"cudaStreamGetCaptureInfo_v2_v11030", "other"},
      {"cudaGetFuncBySymbol_v11000", "other"},
      {"cudaThreadExchangeStreamCaptureMode_v10010", "other"},
  };
  const auto known = classes.find(name);
  if (known != classes.end()) return known->second;
  std::fprintf(stderr, "gpu_reference: no class is written down for the call %s\n", name.c_str());
  std::abort();
}

static const std::vector<std::string> kCopyLabels = {
    "Unknown",          "Host-to-Device", "Device-to-Host",  "Host-to-Array",
    "Array-to-Host",    "Array-to-Array", "Array-to-Device", "Device-to-Array",
    "Device-to-Device", "Host-to-Host",   "Peer-to-Peer"};

bool Blocks(const RawOperation& operation) {
  constexpr int64_t kPageable = 0, kDevice = 2, kArray = 3, kDeviceStatic = 5;
  return operation.kind == model::OperationKind::kCopy && operation.destination_kind == kPageable &&
         (operation.source_kind == kDevice || operation.source_kind == kArray ||
          operation.source_kind == kDeviceStatic);
}

const char* SynchronisationLabel(int64_t type) {
  static const std::map<int64_t, const char*> labels = {
      {1, "Event sync"}, {2, "Stream wait sync"}, {3, "Stream sync"}, {4, "Context sync"}};
  return labels.at(type);
}

std::string PrintedCall(const std::string& name) {
  const size_t length = name.size();
  return length > 6 && name.compare(length - 6, 2, "_v") == 0 ? name.substr(0, length - 6) : name;
}

std::string DirectionOf(const RawOperation& operation) {
  return operation.unknown_copy_kind ? "~unknown"
                                     : kCopyLabels.at(static_cast<size_t>(operation.copy_kind));
}

std::string TableName(const RawOperation& operation) {
  if (operation.kind == model::OperationKind::kKernel) return operation.name;
  if (operation.kind == model::OperationKind::kSet) return "[CUDA memset]";
  return operation.unknown_copy_kind ? "[CUDA memcpy]"
                                     : "[CUDA memcpy " + DirectionOf(operation) + "]";
}

}  // namespace rangewise::test
