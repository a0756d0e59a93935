#include "analysis/gpu_devices.h"

#include <algorithm>
#include <tuple>

#include "analysis/gpu_sums.h"
#include "base/interval_union.h"
#include "base/text.h"

namespace rangewise::analysis {
namespace {

std::string NameOf(const model::GpuActivity& activity, int64_t device) {
  for (const model::GpuName& gpu : activity.gpus) {
    if (gpu.device == device) return Displayable(gpu.name);
  }
  return {};
}

// The id of a process of the activity.
int64_t ProcessIn(const model::GpuActivity& activity, uint32_t process) {
  return process < activity.processes.size() ? activity.processes[process] : model::kNullInteger;
}

// Streams of one number in several processes are by process; where that tells nothing, by what they
// did, since the order of processes means nothing.
auto OrderOf(const model::StreamWork& stream) {
  const model::AdditiveWork& work = stream.work;
  return std::make_tuple(stream.context, stream.stream, stream.process, work.operations, stream.busy,
                         work.kernels.total, work.copies.sum.total, work.sets.sum.total,
                         work.copies.bytes, work.sets.bytes);
}

}  // namespace

std::vector<model::DeviceTotal> SumDevices(const model::GpuActivity& activity,
                                           const GpuShapes& shapes,
                                           std::span<const uint32_t> order) {
  std::vector<ShapeSum> sums(shapes.shapes.size());
  std::vector<IntervalUnion> device_busy(shapes.devices.size());
  std::vector<IntervalUnion> stream_busy(shapes.streams.size());
  for (const uint32_t number : order) {
    const model::ActivityOperation& operation = activity.operations[number];
    const ShapeInfo& info = shapes.shapes[operation.shape];
    sums[operation.shape].Add(activity, number);
    device_busy[info.device].Add(operation.start_ns, activity.EndNs(operation));
    stream_busy[info.stream].Add(operation.start_ns, activity.EndNs(operation));
  }
  std::vector<AdditiveSum> of_device(shapes.devices.size());
  std::vector<AdditiveSum> of_stream(shapes.streams.size());
  for (size_t i = 0; i < sums.size(); ++i) {
    of_device[shapes.shapes[i].device].Add(activity.shapes[i].kind, sums[i]);
    of_stream[shapes.shapes[i].stream].Add(activity.shapes[i].kind, sums[i]);
  }

  std::vector<model::DeviceTotal> devices(shapes.devices.size());
  for (size_t i = 0; i < devices.size(); ++i) {
    devices[i].device = shapes.devices[i];
    devices[i].name = NameOf(activity, shapes.devices[i]);
    devices[i].work = of_device[i].work();
    devices[i].busy = {device_busy[i].length_ns()};
  }
  for (size_t i = 0; i < shapes.streams.size(); ++i) {
    const ShapeStream& stream = shapes.streams[i];
    devices[stream.device].streams.push_back({stream.stream,
                                              stream.context,
                                              of_stream[i].work(),
                                              {stream_busy[i].length_ns()},
                                              ProcessIn(activity, stream.process)});
  }
  std::erase_if(devices,
                [](const model::DeviceTotal& device) { return device.work.operations == 0; });
  for (model::DeviceTotal& device : devices) {
    std::sort(device.streams.begin(), device.streams.end(),
              [](const model::StreamWork& a, const model::StreamWork& b) {
                return OrderOf(a) < OrderOf(b);
              });
  }
  return devices;
}

}  // namespace rangewise::analysis
