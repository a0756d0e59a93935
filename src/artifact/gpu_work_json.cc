#include "artifact/gpu_work_json.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artifact/json_pieces.h"
#include "artifact/path_json.h"
#include "base/interrupt.h"
#include "model/gpu_view.h"

namespace rangewise::artifact {

namespace {

using format::JsonWriter;
using model::NameId;
using model::NamePool;
using model::RangeGpuWork;

// Every function here writes keys in sorted order; JsonWriter checks that in debug builds.

// Nothing stands for a number that the export does not give.
void OptionalNumber(JsonWriter& json, std::string_view key, int64_t value) {
  if (value != model::kNullInteger) return Number(json, key, value);
  json.Key(key);
  json.Null();
}

void Name(JsonWriter& json, std::string_view key, NameId name, const NamePool& names) {
  OptionalText(json, key,
               name == model::kNoName ? std::nullopt : std::optional(names.At(name)));
}

void Sum(JsonWriter& json, std::string_view key, const model::OperationSum& sum) {
  json.Key(key);
  json.BeginObject();
  Number(json, "instances", sum.instances);
  Number(json, "total_ns", sum.total.ns);
  json.EndObject();
}

void Bytes(JsonWriter& json, const model::MemorySum& memory) {
  json.Key("bytes");
  if (memory.bytes) {
    json.Integer(*memory.bytes);
  } else {
    json.Null();
  }
}

void Memory(JsonWriter& json, std::string_view key, const model::MemorySum& memory) {
  json.Key(key);
  json.BeginObject();
  Bytes(json, memory);
  Number(json, "instances", memory.sum.instances);
  Number(json, "throughput_bytes_per_s", memory.BytesPerSecond());
  Number(json, "total_ns", memory.sum.total.ns);
  json.EndObject();
}

// An object of what adds up.
void Additive(JsonWriter& json, std::string_view key, const model::AdditiveWork& work) {
  json.Key(key);
  json.BeginObject();
  Memory(json, "copies_total", work.copies);
  Sum(json, "kernels", work.kernels);
  Number(json, "operation_count", work.operations);
  Memory(json, "sets", work.sets);
  json.EndObject();
}

void Copies(JsonWriter& json, const std::vector<model::CopySum>& copies, const NamePool& names) {
  json.Key("copies");
  json.BeginList();
  for (const model::CopySum& copy : copies) {
    json.BeginObject();
    Bytes(json, copy.memory);
    Name(json, "direction", copy.direction, names);
    Number(json, "instances", copy.memory.sum.instances);
    Number(json, "throughput_bytes_per_s", copy.memory.BytesPerSecond());
    Number(json, "total_ns", copy.memory.sum.total.ns);
    json.EndObject();
  }
  json.EndList();
}

void Devices(JsonWriter& json, const std::vector<model::DeviceWork>& devices) {
  json.Key("devices");
  json.BeginList();
  for (const model::DeviceWork& device : devices) {
    json.BeginObject();
    Number(json, "busy_ns", device.busy.ns);
    json.Key("classes");
    json.BeginList();
    for (const model::ClassTime& of_class : device.classes) {
      json.BeginObject();
      Number(json, "busy_ns", of_class.busy.ns);
      json.Key("name");
      json.String(of_class.name);
      Number(json, "operation_count", of_class.operations);
      json.EndObject();
    }
    json.EndList();
    Number(json, "communication_exposed_ns", device.communication_exposed.ns);
    Number(json, "communication_overlapped_ns", device.communication_overlapped.ns);
    Number(json, "copy_exposed_ns", device.copy_exposed.ns);
    OptionalNumber(json, "device", device.device);
    Number(json, "operation_count", device.operations);
    json.Key("streams");
    json.BeginList();
    for (const int64_t stream : device.streams) {
      if (stream == model::kNullInteger) {
        json.Null();
      } else {
        json.Integer(stream);
      }
    }
    json.EndList();
    json.EndObject();
  }
  json.EndList();
}

// Null where the export has no records of whole graphs and nothing else shows that a graph ran.
void Graphs(JsonWriter& json, const model::GraphWork& graphs, bool records_known) {
  json.Key("graphs");
  if (!records_known && graphs.nodes.operations == 0) return json.Null();
  json.BeginObject();
  Additive(json, "nodes", graphs.nodes);
  if (records_known) {
    Sum(json, "records", graphs.records);
  } else {
    json.Key("records");
    json.Null();
  }
  json.EndObject();
}

// Classes without calls are left out, since most ranges have calls of one or two.
void ClassCalls(JsonWriter& json, std::string_view key, const model::CallTime& calls) {
  if (calls.calls == 0) return;
  json.Key(key);
  json.BeginObject();
  Number(json, "calls", calls.calls);
  Number(json, "total_ns", calls.total.ns);
  json.EndObject();
}

const model::CallTime& Of(const model::CallTimes& calls, model::CallClass of_class) {
  return calls[static_cast<size_t>(of_class)];
}

void Calls(JsonWriter& json, const std::optional<model::CallTimes>& calls,
           const std::optional<model::CallTimes>* own) {
  if (!calls) return json.Null();
  json.BeginObject();
  ClassCalls(json, "launching", Of(*calls, model::CallClass::kLaunching));
  ClassCalls(json, "memory", Of(*calls, model::CallClass::kMemory));
  ClassCalls(json, "other", Of(*calls, model::CallClass::kOther));
  if (own != nullptr) {
    json.Key("own");
    Calls(json, *own, nullptr);
  }
  ClassCalls(json, "synchronising", Of(*calls, model::CallClass::kSynchronising));
  json.EndObject();
}

void LargestKernels(JsonWriter& json, const model::GpuWork& work, const NamePool& names) {
  json.Key("largest_kernels");
  json.BeginList();
  for (const model::KernelSum& kernel : work.largest_kernels) {
    json.BeginObject();
    Number(json, "instances", kernel.sum.instances);
    Name(json, "name", kernel.name, names);
    Number(json, "share_ratio", work.ShareOf(kernel));
    Number(json, "total_ns", kernel.sum.total.ns);
    json.EndObject();
  }
  json.EndList();
}

void QueueDelay(JsonWriter& json, const std::optional<model::QueueDelay>& delay) {
  json.Key("queue_delay");
  if (!delay) return json.Null();
  json.BeginObject();
  OptionalStatistics(json, "delay", delay->statistics);
  Number(json, "instances", delay->instances);
  Number(json, "started_during_call_count", delay->started_during_call);
  json.EndObject();
}

void Synchronisations(JsonWriter& json, const std::optional<std::vector<model::SyncSum>>& sums,
                      const NamePool& names) {
  json.Key("synchronisations");
  if (!sums) return json.Null();
  json.BeginList();
  for (const model::SyncSum& sum : *sums) {
    json.BeginObject();
    Number(json, "instances", sum.instances);
    Number(json, "total_ns", sum.total.ns);
    Name(json, "type", sum.type, names);
    json.EndObject();
  }
  json.EndList();
}

// Whose work it is: a path's, of which the domain is said where its names are raw ones, or an
// iteration's.
struct Owner {
  PathReader* paths = nullptr;
  model::ScopePath path = model::kRootPath;
  bool has_domain = false;
  int64_t iteration = 0;
};

void Row(JsonWriter& json, const Owner& owner, const model::GpuWork& work, const NamePool& names,
         bool records_known) {
  if (owner.paths != nullptr) owner.paths->ReadPath(owner.path);
  json.BeginObject();
  if (work.busy) {
    Number(json, "busy_ns", work.busy->ns);
  } else {
    json.Key("busy_ns");
    json.Null();
  }
  Number(json, "busy_share_ratio", work.BusyShare());
  Copies(json, work.copies, names);
  Memory(json, "copies_total", work.total.copies);
  Devices(json, work.devices);
  Number(json, "distinct_kernel_count", work.distinct_kernels);
  if (owner.has_domain) owner.paths->WriteDomain(json, owner.path);
  Graphs(json, work.graphs, records_known);
  json.Key("host_calls");
  Calls(json, work.calls, &work.own_calls);
  if (owner.paths == nullptr) Number(json, "index", owner.iteration);
  Sum(json, "kernels", work.total.kernels);
  LargestKernels(json, work, names);
  Number(json, "launch_count", work.launches);
  if (owner.paths != nullptr) owner.paths->WriteName(json);
  Number(json, "operation_count", work.total.operations);
  Additive(json, "own", work.own);
  if (owner.paths != nullptr) owner.paths->WritePath(json);
  Number(json, "projection_union_ns", work.projection.ns);
  QueueDelay(json, work.queue_delay);
  Memory(json, "sets", work.total.sets);
  Synchronisations(json, work.synchronisations, names);
  json.EndObject();
}

bool GraphRecordsKnown(const RangeGpuWork& work) {
  return !work.null_reasons.contains("graphs");
}

void PathRow(JsonWriter& json, const model::PathGpuWork& row, PathReader& paths, bool is_raw,
             const model::AnalysisDocument& document) {
  Row(json, {.paths = &paths, .path = row.path, .has_domain = is_raw}, row.work,
      document.tables.names, GraphRecordsKnown(*document.analysis.gpu_work));
}

void IterationRow(JsonWriter& json, const model::IterationGpuWork& row,
                  const model::AnalysisDocument& document) {
  Row(json, {.iteration = row.index}, row.work, document.tables.names,
      GraphRecordsKnown(*document.analysis.gpu_work));
}

void Paths(JsonWriter& json, const std::vector<model::PathGpuWork>& rows, PathReader& paths,
           bool is_raw, const model::AnalysisDocument& document) {
  json.BeginList();
  for (const model::PathGpuWork& row : rows) {
    if (InterruptSignal() != 0) return;
    PathRow(json, row, paths, is_raw, document);
  }
  json.EndList();
}

void Names(JsonWriter& json, std::string_view key, const std::vector<NameId>& list,
           const NamePool& names) {
  json.Key(key);
  json.BeginList();
  for (const NameId name : list) json.String(names.At(name));
  json.EndList();
}

void LargestGaps(JsonWriter& json, const std::vector<model::IdleGap>& gaps,
                 const NamePool& names) {
  json.Key("largest");
  json.BeginList();
  for (const model::IdleGap& gap : gaps) {
    json.BeginObject();
    OptionalText(json, "cuda_call",
                 gap.call.empty() ? std::nullopt : std::optional<std::string_view>(gap.call));
    json.Key("filled_by");
    if (gap.filling) {
      json.BeginObject();
      Number(json, "host_ns", gap.filling->time.ns);
      Names(json, "host_range", gap.filling->range, names);
      Number(json, "share_ratio", gap.FillingShare());
      json.EndObject();
    } else {
      json.Null();
    }
    Names(json, "host_range", gap.host_range, names);
    Number(json, "length_ns", gap.length.ns);
    Number(json, "start_offset_ns", gap.start_ns);
    json.EndObject();
  }
  json.EndList();
}

void Window(JsonWriter& json, const model::IdleWindow& window, const NamePool& names) {
  json.BeginObject();
  json.Key("devices");
  json.BeginList();
  for (const model::DeviceIdle& device : window.devices) {
    json.BeginObject();
    OptionalNumber(json, "device", device.device);
    Number(json, "gap_count", device.gaps);
    OptionalStatistics(json, "gap_length", device.gap_lengths);
    Number(json, "idle_in_long_gaps_ns", device.idle_in_long_gaps.ns);
    Number(json, "idle_ns", device.idle.ns);
    LargestGaps(json, device.largest, names);
    Number(json, "long_gap_count", device.long_gaps);
    json.EndObject();
  }
  json.EndList();
  if (window.iteration) Number(json, "index", *window.iteration);
  Number(json, "window_ns", window.length_ns);
  json.Key("window_start_ns");
  if (window.start_ns) {
    json.Integer(*window.start_ns);
  } else {
    json.Null();
  }
  json.EndObject();
}

}  // namespace

void WriteRangeGpuWork(JsonWriter& json, const model::AnalysisDocument& document) {
  const model::Analysis& analysis = document.analysis;
  json.Key("range_gpu_work");
  if (analysis.gpu_work) {
    const RangeGpuWork& work = *analysis.gpu_work;
    json.BeginObject();
    json.Key("devices");
    WriteGpuWorkDevices(json, document);
    json.Key("gaps");
    WriteGpuGaps(json, document);
    if (InterruptSignal() != 0) return;
    json.Key("grouped_paths");
    if (work.grouped_paths && analysis.grouped) {
      PathReader paths(analysis.grouped->paths, analysis.grouped->names);
      Paths(json, *work.grouped_paths, paths, false, document);
    } else {
      json.Null();
    }
    if (InterruptSignal() != 0) return;
    json.Key("iterations");
    json.BeginList();
    for (const model::IterationGpuWork& row : work.iterations) {
      if (InterruptSignal() != 0) return;
      IterationRow(json, row, document);
    }
    json.EndList();
    json.Key("null_reasons");
    WriteGpuWorkNullReasons(json, document);
    Number(json, "overlapping_operation_count", work.overlapping_operations);
    json.Key("paths");
    PathReader paths(analysis.paths, document.tables.names);
    Paths(json, work.paths, paths, true, document);
    if (InterruptSignal() != 0) return;
    json.Key("unattributed");
    WriteUnattributedGpuWork(json, document);
    json.EndObject();
  } else {
    json.Null();
  }
  WriteGpuWorkReason(json, analysis);
}

void WriteGpuWorkReason(JsonWriter& json, const model::Analysis& analysis) {
  OptionalText(json, "range_gpu_work_reason",
               analysis.gpu_work || analysis.no_gpu_work.empty()
                   ? std::nullopt
                   : std::optional<std::string_view>(analysis.no_gpu_work));
}

void WriteGpuWorkPaths(JsonWriter& json, const model::AnalysisDocument& document,
                       std::span<const uint32_t> rows) {
  const model::ShownGpuPaths shown(document);
  PathReader paths(shown.paths, shown.names);
  json.BeginList();
  for (const uint32_t row : rows) PathRow(json, shown.rows[row], paths, !shown.grouped, document);
  json.EndList();
}

void WriteGpuWorkIterations(JsonWriter& json, const model::AnalysisDocument& document,
                            std::span<const uint32_t> rows) {
  json.BeginList();
  for (const uint32_t row : rows) {
    IterationRow(json, document.analysis.gpu_work->iterations[row], document);
  }
  json.EndList();
}

void WriteGpuWorkDevices(JsonWriter& json, const model::AnalysisDocument& document) {
  json.BeginList();
  for (const model::DeviceTotal& device : document.analysis.gpu_work->devices) {
    WriteGpuDevice(json, device);
  }
  json.EndList();
}

void WriteGpuDevice(JsonWriter& json, const model::DeviceTotal& device) {
  json.BeginObject();
  Number(json, "busy_ns", device.busy.ns);
  Memory(json, "copies_total", device.work.copies);
  OptionalNumber(json, "device", device.device);
  Sum(json, "kernels", device.work.kernels);
  OptionalText(json, "name",
               device.name.empty() ? std::nullopt : std::optional<std::string_view>(device.name));
  Number(json, "operation_count", device.work.operations);
  Memory(json, "sets", device.work.sets);
  json.Key("streams");
  json.BeginList();
  for (const model::StreamWork& stream : device.streams) WriteGpuStream(json, stream, nullptr);
  json.EndList();
  json.EndObject();
}

void WriteGpuStream(JsonWriter& json, const model::StreamWork& stream,
                    const model::DeviceTotal* device) {
  json.BeginObject();
  Number(json, "busy_ns", stream.busy.ns);
  OptionalNumber(json, "context", stream.context);
  Memory(json, "copies_total", stream.work.copies);
  if (device != nullptr) OptionalNumber(json, "device", device->device);
  Sum(json, "kernels", stream.work.kernels);
  Number(json, "operation_count", stream.work.operations);
  OptionalNumber(json, "process", stream.process);
  Memory(json, "sets", stream.work.sets);
  OptionalNumber(json, "stream", stream.stream);
  json.EndObject();
}

void WriteGpuGaps(JsonWriter& json, const model::AnalysisDocument& document) {
  const model::Gaps& gaps = document.analysis.gpu_work->gaps;
  const NamePool& names = document.tables.names;
  json.BeginObject();
  json.Key("capture_range");
  if (gaps.capture) {
    Window(json, *gaps.capture, names);
  } else {
    json.Null();
  }
  json.Key("iterations");
  json.BeginList();
  for (const model::IdleWindow& window : gaps.iterations) {
    if (InterruptSignal() != 0) return;
    Window(json, window, names);
  }
  json.EndList();
  Number(json, "threshold_ns", gaps.threshold_ns);
  json.EndObject();
}

void WriteUnattributedGpuWork(JsonWriter& json, const model::AnalysisDocument& document) {
  const model::UnattributedWork& work = document.analysis.gpu_work->unattributed;
  json.BeginObject();
  Sum(json, "outside_ranges", work.outside_ranges);
  Sum(json, "without_call", work.without_call);
  json.EndObject();
}

void WriteGpuWorkNullReasons(JsonWriter& json, const model::AnalysisDocument& document) {
  json.BeginObject();
  for (const auto& [section, reason] : document.analysis.gpu_work->null_reasons) {
    json.Key(section);
    json.String(reason);
  }
  json.EndObject();
}

}  // namespace rangewise::artifact
