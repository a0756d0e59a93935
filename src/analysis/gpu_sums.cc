#include "analysis/gpu_sums.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "analysis/statistics.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/text.h"

namespace rangewise::analysis {
namespace {

using model::AdditiveWork;
using model::GpuActivity;
using model::GpuWork;
using model::OperationKind;

Int128 Magnitude(int64_t value) { return value < 0 ? -Int128{value} : Int128{value}; }

Status CheckFits(Int128 total, std::string_view what) {
  if (Narrow(total)) return Ok();
  return Error{Code::kTotalOverflow, Format("the total {} does not fit into 64 bits", what)};
}

model::OperationSum SumOfKind(const ShapeSum& sum) { return {sum.instances, {sum.total_ns}}; }

model::MemorySum MemoryOfKind(const ShapeSum& sum) {
  model::MemorySum memory{.sum = SumOfKind(sum), .bytes = sum.bytes};
  if (sum.unknown_bytes > 0) memory.bytes.reset();
  return memory;
}

template <typename T>
void SortDistinct(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

Status CheckTotals(const GpuActivity& activity) {
  Int128 durations = 0;
  Int128 delays = 0;
  for (const model::ActivityOperation& operation : activity.operations) {
    durations += Magnitude(activity.DurationNs(operation));
    delays += Magnitude(activity.DelayNs(operation).value_or(0));
  }
  Int128 bytes = 0;
  for (const int64_t size : activity.memory_bytes) {
    if (size != model::kNullInteger) bytes += Magnitude(size);
  }
  Int128 calls = 0;
  activity.calls.Each(
      [&](model::CallClass, int64_t time_ns, model::Site) { calls += Magnitude(time_ns); });
  Int128 graphs = 0;
  for (const model::GraphRecord& record : activity.graph_records) {
    graphs += Magnitude(record.end_ns - record.start_ns);
  }
  RETURN_IF_ERROR(CheckFits(durations, "duration of the GPU operations"));
  RETURN_IF_ERROR(CheckFits(delays, "queue delay of the GPU operations"));
  RETURN_IF_ERROR(CheckFits(bytes, "size of the memory copies and sets"));
  RETURN_IF_ERROR(CheckFits(calls, "host time of the CUDA calls"));
  Int128 synchronisations = 0;
  for (const model::SyncRecord& record : activity.sync_records) {
    synchronisations += Magnitude(record.duration_ns);
  }
  RETURN_IF_ERROR(CheckFits(synchronisations, "duration of the synchronisations"));
  return CheckFits(graphs, "duration of the CUDA graphs");
}

void AdditiveSum::Add(OperationKind kind, const ShapeSum& sum) {
  ShapeSum& to = of_kind_[static_cast<size_t>(kind)];
  to.instances += sum.instances;
  to.total_ns += sum.total_ns;
  to.bytes += sum.bytes;
  to.unknown_bytes += sum.unknown_bytes;
}

AdditiveWork AdditiveSum::work() const {
  AdditiveWork work;
  for (const ShapeSum& sum : of_kind_) work.operations += sum.instances;
  work.kernels = SumOfKind(of_kind_[static_cast<size_t>(OperationKind::kKernel)]);
  work.copies = MemoryOfKind(of_kind_[static_cast<size_t>(OperationKind::kCopy)]);
  work.sets = MemoryOfKind(of_kind_[static_cast<size_t>(OperationKind::kSet)]);
  return work;
}

WorkSum::WorkSum(const GpuActivity& activity, const GpuShapes& shapes, size_t kernels)
    : activity_(activity),
      shapes_(shapes),
      kernels_(kernels),
      sums_(shapes.shapes.size()),
      devices_(shapes.devices.size()),
      classes_(shapes.device_classes.size()),
      kernel_sums_(shapes.kernels.size()) {}

ShapeSum& WorkSum::SumOf(uint32_t operation) {
  const uint32_t shape = activity_.operations[operation].shape;
  ShapeSum& sum = sums_[shape];
  if (sum.instances == 0) seen_shapes_.push_back(shape);
  return sum;
}

void WorkSum::Expect(size_t operations) { delays_.reserve(operations); }

void WorkSum::Add(uint32_t operation) {
  SumOf(operation).Add(activity_, operation);
  const model::ActivityOperation& row = activity_.operations[operation];
  const int64_t start = row.start_ns;
  const int64_t end = activity_.EndNs(row);
  launches_ += row.first_of_launch;
  if (const std::optional<int64_t> delay = activity_.DelayNs(row)) {
    if (*delay < 0) {
      ++started_during_call_;
    } else {
      delays_.push_back(*delay);
    }
  }

  const ShapeInfo& info = shapes_.shapes[row.shape];
  busy_.Add(start, end);
  DeviceSum& device = devices_[info.device];
  if (device.operations++ == 0) seen_devices_.push_back(info.device);
  device.busy.Add(start, end);
  ClassSum& of_class = classes_[info.device_class];
  ++of_class.operations;
  of_class.busy.Add(start, end);
  switch (info.role) {
    case OverlapRole::kComputing:
      device.computing.Add(start, end);
      device.computing_or_communication.Add(start, end);
      device.computing_or_copy.Add(start, end);
      break;
    case OverlapRole::kCommunication:
      device.computing_or_communication.Add(start, end);
      break;
    case OverlapRole::kCopy:
      device.computing_or_copy.Add(start, end);
      break;
    case OverlapRole::kSet:
      break;
  }
}

AdditiveWork WorkSum::TakePlain() {
  AdditiveSum sum;
  for (const uint32_t shape : seen_shapes_) {
    sum.Add(activity_.shapes[shape].kind, std::exchange(sums_[shape], {}));
  }
  seen_shapes_.clear();
  return sum.work();
}

void WorkSum::Take(GpuWork& work) {
  TakeDevices(work);  // needs the shapes that were seen
  TakeShapes(work);
  TakeKernels(work);
  TakeDelays(work);
  work.busy = {std::exchange(busy_, {}).length_ns()};
  work.launches = std::exchange(launches_, 0);
}

void WorkSum::TakeShapes(GpuWork& work) {
  AdditiveSum total;
  AdditiveSum nodes;
  std::vector<std::pair<uint32_t, ShapeSum>> directions;
  for (const uint32_t shape : seen_shapes_) {
    const ShapeSum sum = std::exchange(sums_[shape], {});
    const model::ActivityShape& row = activity_.shapes[shape];
    const ShapeInfo& info = shapes_.shapes[shape];
    total.Add(row.kind, sum);
    if (row.from_graph) nodes.Add(row.kind, sum);
    if (info.kernel != kNotNumbered) {
      model::OperationSum& kernel = kernel_sums_[info.kernel];
      if (kernel.instances == 0) {
        work.largest_kernels.push_back({static_cast<model::NameId>(info.kernel), {}});
      }
      kernel.instances += sum.instances;
      kernel.total.ns += sum.total_ns;
    }
    if (info.direction != kNotNumbered) directions.emplace_back(info.direction, sum);
  }
  seen_shapes_.clear();
  work.total = total.work();
  work.graphs.nodes = nodes.work();

  std::sort(directions.begin(), directions.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t i = 0; i < directions.size();) {
    const uint32_t direction = directions[i].first;
    AdditiveSum sum;
    for (; i < directions.size() && directions[i].first == direction; ++i) {
      sum.Add(OperationKind::kCopy, directions[i].second);
    }
    work.copies.push_back({shapes_.directions[direction], sum.work().copies});
  }
}

// The names of largest_kernels are indexes into the kernels so far, which are in the order of
// names.
void WorkSum::TakeKernels(GpuWork& work) {
  std::vector<model::KernelSum>& kernels = work.largest_kernels;
  for (model::KernelSum& kernel : kernels) {
    kernel.sum = std::exchange(kernel_sums_[static_cast<uint32_t>(kernel.name)], {});
  }
  work.distinct_kernels = static_cast<int64_t>(kernels.size());
  const size_t kept = kernels_ == 0 ? kernels.size() : std::min(kernels_, kernels.size());
  const auto last = kernels.begin() + static_cast<std::ptrdiff_t>(kept);
  std::partial_sort(kernels.begin(), last, kernels.end(),
                    [](const model::KernelSum& a, const model::KernelSum& b) {
                      return a.sum.total != b.sum.total ? a.sum.total > b.sum.total
                                                        : a.name < b.name;
                    });
  kernels.erase(last, kernels.end());
  kernels.shrink_to_fit();
  for (model::KernelSum& kernel : kernels) {
    kernel.name = shapes_.kernels[static_cast<uint32_t>(kernel.name)];
  }
}

void WorkSum::TakeDevices(GpuWork& work) {
  std::sort(seen_devices_.begin(), seen_devices_.end());
  work.devices.resize(seen_devices_.size());
  streams_.clear();
  device_classes_.clear();
  for (const uint32_t shape : seen_shapes_) {
    streams_.emplace_back(shapes_.shapes[shape].device, activity_.shapes[shape].stream);
    device_classes_.push_back(shapes_.shapes[shape].device_class);
  }
  SortDistinct(streams_);
  SortDistinct(device_classes_);

  auto next_stream = streams_.begin();
  auto next_class = device_classes_.begin();
  for (size_t i = 0; i < seen_devices_.size(); ++i) {
    const uint32_t number = seen_devices_[i];
    const DeviceSum sum = std::exchange(devices_[number], {});
    model::DeviceWork& device = work.devices[i];
    device.device = shapes_.devices[number];
    device.operations = sum.operations;
    device.busy = {sum.busy.length_ns()};
    const auto of_other = [&](const auto& stream) { return stream.first != number; };
    const auto last_stream = std::find_if(next_stream, streams_.end(), of_other);
    device.streams.reserve(static_cast<size_t>(last_stream - next_stream));
    for (; next_stream != last_stream; ++next_stream) device.streams.push_back(next_stream->second);
    const int64_t computing = sum.computing.length_ns();
    // In the order of device_classes, which are by device.
    const auto last_class = std::find_if(
        next_class, device_classes_.end(),
        [&](uint32_t of_device) { return shapes_.device_classes[of_device].device != number; });
    device.classes.reserve(static_cast<size_t>(last_class - next_class));
    for (; next_class != last_class; ++next_class) {
      const ClassSum of_class = std::exchange(classes_[*next_class], {});
      const std::string& name = shapes_.classes[shapes_.device_classes[*next_class].class_name];
      const int64_t busy = of_class.busy.length_ns();
      device.classes.push_back({name, of_class.operations, {busy}});
      const OverlapRole role = RoleOfClass(name);
      if (role == OverlapRole::kCommunication) {
        device.communication_exposed = {sum.computing_or_communication.length_ns() - computing};
        device.communication_overlapped = {busy - device.communication_exposed.ns};
      } else if (role == OverlapRole::kCopy) {
        device.copy_exposed = {sum.computing_or_copy.length_ns() - computing};
      }
    }
  }
  seen_devices_.clear();
}

void WorkSum::TakeDelays(GpuWork& work) {
  if (delays_.empty() && started_during_call_ == 0) return;
  model::QueueDelay& delay = work.queue_delay.emplace();
  delay.started_during_call = std::exchange(started_during_call_, 0);
  delay.instances = static_cast<int64_t>(delays_.size());
  if (!delays_.empty()) delay.statistics = SummariseAs<QueueNs>(delays_);
  // The delays of all operations are not held while those of a few are asked for.
  constexpr size_t kKept = 1 << 16;
  if (delays_.capacity() > kKept) Free(delays_);
  delays_.clear();
}

}  // namespace rangewise::analysis
