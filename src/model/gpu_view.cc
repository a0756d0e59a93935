#include "model/gpu_view.h"

namespace rangewise::model {

namespace {

constexpr GpuSortKey kRangeKeys[] = {
    GpuSortKey::kBusy,       GpuSortKey::kBusyShare, GpuSortKey::kKernels,
    GpuSortKey::kCopies,     GpuSortKey::kOperations, GpuSortKey::kWaits,
    GpuSortKey::kOwn,        GpuSortKey::kDelay,     GpuSortKey::kExposedCommunication,
    GpuSortKey::kName};
constexpr GpuSortKey kIterationKeys[] = {
    GpuSortKey::kName,       GpuSortKey::kBusy,       GpuSortKey::kBusyShare,
    GpuSortKey::kKernels,    GpuSortKey::kCopies,     GpuSortKey::kOperations,
    GpuSortKey::kWaits,      GpuSortKey::kOwn,        GpuSortKey::kDelay,
    GpuSortKey::kExposedCommunication};
constexpr GpuSortKey kKernelKeys[] = {GpuSortKey::kKernels, GpuSortKey::kOperations,
                                      GpuSortKey::kName};
constexpr GpuSortKey kDeviceKeys[] = {GpuSortKey::kName, GpuSortKey::kBusy, GpuSortKey::kKernels,
                                      GpuSortKey::kCopies, GpuSortKey::kOperations};

bool ShowsGrouped(const AnalysisDocument& document) {
  return document.analysis.grouped && document.analysis.gpu_work->grouped_paths;
}

}  // namespace

std::string_view GpuByName(GpuBy by) {
  switch (by) {
    case GpuBy::kOverview:
      return "overview";
    case GpuBy::kPath:
      return "path";
    case GpuBy::kKernel:
      return "kernel";
    case GpuBy::kIteration:
      return "iteration";
    case GpuBy::kDevice:
      return "device";
    case GpuBy::kStream:
      return "stream";
  }
  return "";
}

std::string_view GpuSortKeyName(GpuSortKey key) {
  switch (key) {
    case GpuSortKey::kBusy:
      return "busy";
    case GpuSortKey::kBusyShare:
      return "busy-share";
    case GpuSortKey::kKernels:
      return "kernels";
    case GpuSortKey::kCopies:
      return "copies";
    case GpuSortKey::kOperations:
      return "operations";
    case GpuSortKey::kWaits:
      return "waits";
    case GpuSortKey::kOwn:
      return "own";
    case GpuSortKey::kDelay:
      return "delay";
    case GpuSortKey::kExposedCommunication:
      return "exposed-communication";
    case GpuSortKey::kName:
      return "name";
  }
  return "";
}

std::span<const GpuSortKey> GpuSortKeys(GpuBy by) {
  switch (by) {
    case GpuBy::kKernel:
      return kKernelKeys;
    case GpuBy::kIteration:
      return kIterationKeys;
    case GpuBy::kDevice:
    case GpuBy::kStream:
      return kDeviceKeys;
    case GpuBy::kOverview:
    case GpuBy::kPath:
      break;
  }
  return kRangeKeys;
}

ShownGpuPaths::ShownGpuPaths(const AnalysisDocument& document)
    : grouped(ShowsGrouped(document)),
      rows(grouped ? *document.analysis.gpu_work->grouped_paths
                   : document.analysis.gpu_work->paths),
      paths(grouped ? document.analysis.grouped->paths : document.analysis.paths),
      names(grouped ? document.analysis.grouped->names : document.tables.names) {}

std::vector<std::pair<const DeviceTotal*, const StreamWork*>> StreamsOf(const RangeGpuWork& work) {
  std::vector<std::pair<const DeviceTotal*, const StreamWork*>> streams;
  for (const DeviceTotal& device : work.devices) {
    for (const StreamWork& stream : device.streams) streams.emplace_back(&device, &stream);
  }
  return streams;
}

Int128 SummedDurations(const AdditiveWork& work) {
  return Int128{work.kernels.total.ns} + work.copies.sum.total.ns + work.sets.sum.total.ns;
}

Int128 ExposedCommunication(const GpuWork& work) {
  Int128 sum = 0;
  for (const DeviceWork& device : work.devices) sum += device.communication_exposed.ns;
  return sum;
}

}  // namespace rangewise::model
