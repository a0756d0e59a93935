#include "artifact/gpu_work_reader.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "artifact/json_object.h"
#include "artifact/statistics_reader.h"
#include "base/text.h"

namespace rangewise::artifact {

namespace {

using model::AdditiveWork;
using model::CallTime;
using model::ClassTime;
using model::CopySum;
using model::DeviceIdle;
using model::DeviceTotal;
using model::DeviceWork;
using model::Gaps;
using model::GpuWork;
using model::GraphWork;
using model::IdleGap;
using model::IdleWindow;
using model::KernelSum;
using model::MemorySum;
using model::OperationSum;
using model::QueueDelay;
using model::RangeGpuWork;
using model::StreamWork;
using model::SyncSum;
using model::UnattributedWork;

struct In {
  format::JsonReader& json;
  const GpuWorkNames& names;
  PathTree* paths;                    // of the list of rows that is read
  bool unknown_graph_records = false;  // a row has none
};

// A number that the export may not give.
int64_t ReadNullable(In& in) {
  return in.json.TakeNull() ? model::kNullInteger : in.json.Int64();
}

model::NameId ReadName(In& in) {
  if (in.json.TakeNull()) return model::kNoName;
  return in.names.names.Intern(in.json.String());
}

template <typename Out, size_t kCount>
std::vector<Out> ReadRows(In& in, const JsonKey<In, Out> (&keys)[kCount]) {
  std::vector<Out> rows;
  in.json.BeginList();
  while (in.json.NextItem()) ReadObject(in, keys, rows.emplace_back());
  return rows;
}

constexpr JsonKey<In, OperationSum> kSumKeys[] = {
    {"instances", Presence::kRequired,
     [](In& in, OperationSum& out) { out.instances = ReadCount(in.json); }},
    {"total_ns", Presence::kRequired,
     [](In& in, OperationSum& out) { out.total = {in.json.Int64()}; }},
};

void ReadBytes(In& in, MemorySum& out) {
  out.bytes.reset();
  if (!in.json.TakeNull()) out.bytes = in.json.Int64();
}

constexpr JsonKey<In, MemorySum> kMemoryKeys[] = {
    {"bytes", Presence::kRequired, ReadBytes},
    {"instances", Presence::kRequired,
     [](In& in, MemorySum& out) { out.sum.instances = ReadCount(in.json); }},
    {"total_ns", Presence::kRequired,
     [](In& in, MemorySum& out) { out.sum.total = {in.json.Int64()}; }},
};

constexpr JsonKey<In, AdditiveWork> kAdditiveKeys[] = {
    {"copies_total", Presence::kRequired,
     [](In& in, AdditiveWork& out) { ReadObject(in, kMemoryKeys, out.copies); }},
    {"kernels", Presence::kRequired,
     [](In& in, AdditiveWork& out) { ReadObject(in, kSumKeys, out.kernels); }},
    {"operation_count", Presence::kRequired,
     [](In& in, AdditiveWork& out) { out.operations = ReadCount(in.json); }},
    {"sets", Presence::kRequired,
     [](In& in, AdditiveWork& out) { ReadObject(in, kMemoryKeys, out.sets); }},
};

constexpr JsonKey<In, CopySum> kCopyKeys[] = {
    {"bytes", Presence::kRequired, [](In& in, CopySum& out) { ReadBytes(in, out.memory); }},
    {"direction", Presence::kRequired,
     [](In& in, CopySum& out) { out.direction = ReadName(in); }},
    {"instances", Presence::kRequired,
     [](In& in, CopySum& out) { out.memory.sum.instances = ReadCount(in.json); }},
    {"total_ns", Presence::kRequired,
     [](In& in, CopySum& out) { out.memory.sum.total = {in.json.Int64()}; }},
};

constexpr JsonKey<In, ClassTime> kClassKeys[] = {
    {"busy_ns", Presence::kRequired,
     [](In& in, ClassTime& out) { out.busy = {in.json.Int64()}; }},
    {"name", Presence::kRequired, [](In& in, ClassTime& out) { out.name = in.json.String(); }},
    {"operation_count", Presence::kRequired,
     [](In& in, ClassTime& out) { out.operations = ReadCount(in.json); }},
};

constexpr JsonKey<In, DeviceWork> kDeviceKeys[] = {
    {"busy_ns", Presence::kRequired,
     [](In& in, DeviceWork& out) { out.busy = {in.json.Int64()}; }},
    {"classes", Presence::kRequired,
     [](In& in, DeviceWork& out) { out.classes = ReadRows(in, kClassKeys); }},
    {"communication_exposed_ns", Presence::kRequired,
     [](In& in, DeviceWork& out) { out.communication_exposed = {in.json.Int64()}; }},
    {"communication_overlapped_ns", Presence::kRequired,
     [](In& in, DeviceWork& out) { out.communication_overlapped = {in.json.Int64()}; }},
    {"copy_exposed_ns", Presence::kRequired,
     [](In& in, DeviceWork& out) { out.copy_exposed = {in.json.Int64()}; }},
    {"device", Presence::kRequired, [](In& in, DeviceWork& out) { out.device = ReadNullable(in); }},
    {"operation_count", Presence::kRequired,
     [](In& in, DeviceWork& out) { out.operations = ReadCount(in.json); }},
    {"streams", Presence::kRequired,
     [](In& in, DeviceWork& out) {
       in.json.BeginList();
       while (in.json.NextItem()) out.streams.push_back(ReadNullable(in));
     }},
};

constexpr JsonKey<In, GraphWork> kGraphKeys[] = {
    {"nodes", Presence::kRequired,
     [](In& in, GraphWork& out) { ReadObject(in, kAdditiveKeys, out.nodes); }},
    {"records", Presence::kRequired,
     [](In& in, GraphWork& out) {
       if (in.json.TakeNull()) {
         in.unknown_graph_records = true;
       } else {
         ReadObject(in, kSumKeys, out.records);
       }
     }},
};

constexpr JsonKey<In, CallTime> kCallKeys[] = {
    {"calls", Presence::kRequired,
     [](In& in, CallTime& out) { out.calls = ReadCount(in.json); }},
    {"total_ns", Presence::kRequired,
     [](In& in, CallTime& out) { out.total = {in.json.Int64()}; }},
};

// Calls with those of the range's own.
struct BothCalls {
  model::CallTimes all;
  std::optional<model::CallTimes> own;
};

template <model::CallClass kClass>
void ReadClass(In& in, BothCalls& out) {
  ReadObject(in, kCallKeys, out.all[static_cast<size_t>(kClass)]);
}

// A class that is not there has no calls.
constexpr JsonKey<In, BothCalls> kOwnCallsKeys[] = {
    {"launching", Presence::kOptional, ReadClass<model::CallClass::kLaunching>},
    {"memory", Presence::kOptional, ReadClass<model::CallClass::kMemory>},
    {"other", Presence::kOptional, ReadClass<model::CallClass::kOther>},
    {"synchronising", Presence::kOptional, ReadClass<model::CallClass::kSynchronising>},
};

constexpr JsonKey<In, BothCalls> kCallsKeys[] = {
    {"launching", Presence::kOptional, ReadClass<model::CallClass::kLaunching>},
    {"memory", Presence::kOptional, ReadClass<model::CallClass::kMemory>},
    {"other", Presence::kOptional, ReadClass<model::CallClass::kOther>},
    {"own", Presence::kRequired,
     [](In& in, BothCalls& out) {
       if (in.json.TakeNull()) return;
       BothCalls own;
       ReadObject(in, kOwnCallsKeys, own);
       out.own = own.all;
     }},
    {"synchronising", Presence::kOptional, ReadClass<model::CallClass::kSynchronising>},
};

constexpr JsonKey<In, KernelSum> kKernelKeys[] = {
    {"instances", Presence::kRequired,
     [](In& in, KernelSum& out) { out.sum.instances = ReadCount(in.json); }},
    {"name", Presence::kRequired, [](In& in, KernelSum& out) { out.name = ReadName(in); }},
    {"total_ns", Presence::kRequired,
     [](In& in, KernelSum& out) { out.sum.total = {in.json.Int64()}; }},
};

constexpr JsonKey<In, QueueDelay> kDelayKeys[] = {
    {"delay", Presence::kRequired,
     [](In& in, QueueDelay& out) { out.statistics = ReadOptionalStatistics<QueueNs>(in.json); }},
    {"instances", Presence::kRequired,
     [](In& in, QueueDelay& out) { out.instances = ReadCount(in.json); }},
    {"started_during_call_count", Presence::kRequired,
     [](In& in, QueueDelay& out) { out.started_during_call = ReadCount(in.json); }},
};

constexpr JsonKey<In, SyncSum> kSyncKeys[] = {
    {"instances", Presence::kRequired,
     [](In& in, SyncSum& out) { out.instances = ReadCount(in.json); }},
    {"total_ns", Presence::kRequired, [](In& in, SyncSum& out) { out.total = {in.json.Int64()}; }},
    {"type", Presence::kRequired, [](In& in, SyncSum& out) { out.type = ReadName(in); }},
};

// A row of a path or of an iteration: the keys of both.
struct Row {
  std::optional<std::string> domain;  // of the innermost range
  model::ScopePath path = model::kRootPath;
  std::optional<int64_t> index;
  GpuWork work;
};

constexpr JsonKey<In, Row> kRowKeys[] = {
    {"busy_ns", Presence::kRequired,
     [](In& in, Row& out) {
       out.work.busy.reset();
       if (!in.json.TakeNull()) out.work.busy = {in.json.Int64()};
     }},
    {"copies", Presence::kRequired,
     [](In& in, Row& out) { out.work.copies = ReadRows(in, kCopyKeys); }},
    {"copies_total", Presence::kRequired,
     [](In& in, Row& out) { ReadObject(in, kMemoryKeys, out.work.total.copies); }},
    {"devices", Presence::kRequired,
     [](In& in, Row& out) { out.work.devices = ReadRows(in, kDeviceKeys); }},
    {"distinct_kernel_count", Presence::kRequired,
     [](In& in, Row& out) { out.work.distinct_kernels = ReadCount(in.json); }},
    {"domain", Presence::kOptional,
     [](In& in, Row& out) { out.domain = ReadOptionalText(in.json); }},
    {"graphs", Presence::kRequired,
     [](In& in, Row& out) {
       if (in.json.TakeNull()) {
         in.unknown_graph_records = true;
       } else {
         ReadObject(in, kGraphKeys, out.work.graphs);
       }
     }},
    {"host_calls", Presence::kRequired,
     [](In& in, Row& out) {
       if (in.json.TakeNull()) return;
       BothCalls calls;
       ReadObject(in, kCallsKeys, calls);
       out.work.calls = calls.all;
       out.work.own_calls = calls.own;
     }},
    {"index", Presence::kOptional, [](In& in, Row& out) { out.index = ReadCount(in.json); }},
    {"kernels", Presence::kRequired,
     [](In& in, Row& out) { ReadObject(in, kSumKeys, out.work.total.kernels); }},
    {"largest_kernels", Presence::kRequired,
     [](In& in, Row& out) { out.work.largest_kernels = ReadRows(in, kKernelKeys); }},
    {"launch_count", Presence::kRequired,
     [](In& in, Row& out) { out.work.launches = ReadCount(in.json); }},
    {"operation_count", Presence::kRequired,
     [](In& in, Row& out) { out.work.total.operations = ReadCount(in.json); }},
    {"own", Presence::kRequired,
     [](In& in, Row& out) { ReadObject(in, kAdditiveKeys, out.work.own); }},
    {"path", Presence::kOptional, [](In& in, Row& out) { out.path = in.paths->ReadPath(in.json); }},
    {"projection_union_ns", Presence::kRequired,
     [](In& in, Row& out) { out.work.projection = {in.json.Int64()}; }},
    {"queue_delay", Presence::kRequired,
     [](In& in, Row& out) {
       if (!in.json.TakeNull()) ReadObject(in, kDelayKeys, out.work.queue_delay.emplace());
     }},
    {"sets", Presence::kRequired,
     [](In& in, Row& out) { ReadObject(in, kMemoryKeys, out.work.total.sets); }},
    {"synchronisations", Presence::kRequired,
     [](In& in, Row& out) {
       if (!in.json.TakeNull()) out.work.synchronisations = ReadRows(in, kSyncKeys);
     }},
};

std::vector<model::PathGpuWork> ReadPathRows(In& in, PathTree& paths) {
  std::vector<model::PathGpuWork> rows;
  in.paths = &paths;
  in.json.BeginList();
  while (in.json.NextItem()) {
    Row row;
    ReadObject(in, kRowKeys, row);
    if (!in.json.ok()) break;
    if (row.path == model::kRootPath) {
      in.json.Refuse("the key path is missing");
      break;
    }
    if (row.domain) {
      const std::optional<model::ScopePath> placed = paths.InDomain(row.path, *row.domain);
      if (!placed) {
        in.json.Refuse(Format("no name of the domain {}", Quoted(*row.domain)));
        break;
      }
      row.path = *placed;
    }
    rows.push_back({row.path, std::move(row.work)});
  }
  return rows;
}

std::vector<model::IterationGpuWork> ReadIterationRows(In& in) {
  std::vector<model::IterationGpuWork> rows;
  in.paths = &in.names.paths;
  in.json.BeginList();
  while (in.json.NextItem()) {
    Row row;
    ReadObject(in, kRowKeys, row);
    if (!in.json.ok()) break;
    if (!row.index) {
      in.json.Refuse("the key index is missing");
      break;
    }
    if (!rows.empty() && rows.back().index >= *row.index) {
      in.json.Refuse("an index that is not above the one before");
      break;
    }
    rows.push_back({*row.index, std::move(row.work)});
  }
  return rows;
}

// The parts of the sum of a whole device or stream.
template <typename Out>
void ReadCopiesTotal(In& in, Out& out) { ReadObject(in, kMemoryKeys, out.work.copies); }
template <typename Out>
void ReadKernels(In& in, Out& out) { ReadObject(in, kSumKeys, out.work.kernels); }
template <typename Out>
void ReadOperations(In& in, Out& out) { out.work.operations = ReadCount(in.json); }
template <typename Out>
void ReadSets(In& in, Out& out) { ReadObject(in, kMemoryKeys, out.work.sets); }
template <typename Out>
void ReadBusy(In& in, Out& out) { out.busy = {in.json.Int64()}; }

constexpr JsonKey<In, StreamWork> kStreamKeys[] = {
    {"busy_ns", Presence::kRequired, ReadBusy<StreamWork>},
    {"context", Presence::kRequired,
     [](In& in, StreamWork& out) { out.context = ReadNullable(in); }},
    {"copies_total", Presence::kRequired, ReadCopiesTotal<StreamWork>},
    {"kernels", Presence::kRequired, ReadKernels<StreamWork>},
    {"operation_count", Presence::kRequired, ReadOperations<StreamWork>},
    {"sets", Presence::kRequired, ReadSets<StreamWork>},
    {"process", Presence::kOptional,
     [](In& in, StreamWork& out) { out.process = ReadNullable(in); }},
    {"stream", Presence::kRequired, [](In& in, StreamWork& out) { out.stream = ReadNullable(in); }},
};

constexpr JsonKey<In, DeviceTotal> kDeviceTotalKeys[] = {
    {"busy_ns", Presence::kRequired, ReadBusy<DeviceTotal>},
    {"copies_total", Presence::kRequired, ReadCopiesTotal<DeviceTotal>},
    {"device", Presence::kRequired,
     [](In& in, DeviceTotal& out) { out.device = ReadNullable(in); }},
    {"kernels", Presence::kRequired, ReadKernels<DeviceTotal>},
    {"name", Presence::kRequired,
     [](In& in, DeviceTotal& out) { out.name = ReadOptionalText(in.json).value_or(""); }},
    {"operation_count", Presence::kRequired, ReadOperations<DeviceTotal>},
    {"sets", Presence::kRequired, ReadSets<DeviceTotal>},
    {"streams", Presence::kRequired,
     [](In& in, DeviceTotal& out) { out.streams = ReadRows(in, kStreamKeys); }},
};

std::vector<model::NameId> ReadNames(In& in) {
  std::vector<model::NameId> names;
  in.json.BeginList();
  while (in.json.NextItem()) names.push_back(in.names.names.Intern(in.json.String()));
  return names;
}

constexpr JsonKey<In, IdleGap::Filling> kFillingKeys[] = {
    {"host_ns", Presence::kRequired,
     [](In& in, IdleGap::Filling& out) { out.time = {in.json.Int64()}; }},
    {"host_range", Presence::kRequired,
     [](In& in, IdleGap::Filling& out) { out.range = ReadNames(in); }},
};

constexpr JsonKey<In, IdleGap> kGapKeys[] = {
    {"cuda_call", Presence::kRequired,
     [](In& in, IdleGap& out) { out.call = ReadOptionalText(in.json).value_or(""); }},
    {"filled_by", Presence::kOptional,
     [](In& in, IdleGap& out) {
       if (!in.json.TakeNull()) ReadObject(in, kFillingKeys, out.filling.emplace());
     }},
    {"host_range", Presence::kRequired,
     [](In& in, IdleGap& out) { out.host_range = ReadNames(in); }},
    {"length_ns", Presence::kRequired,
     [](In& in, IdleGap& out) { out.length = {in.json.Int64()}; }},
    {"start_offset_ns", Presence::kRequired,
     [](In& in, IdleGap& out) { out.start_ns = in.json.Int64(); }},
};

constexpr JsonKey<In, DeviceIdle> kIdleKeys[] = {
    {"device", Presence::kRequired, [](In& in, DeviceIdle& out) { out.device = ReadNullable(in); }},
    {"gap_count", Presence::kRequired,
     [](In& in, DeviceIdle& out) { out.gaps = ReadCount(in.json); }},
    {"gap_length", Presence::kRequired,
     [](In& in, DeviceIdle& out) { out.gap_lengths = ReadOptionalStatistics<GpuNs>(in.json); }},
    {"idle_in_long_gaps_ns", Presence::kRequired,
     [](In& in, DeviceIdle& out) { out.idle_in_long_gaps = {in.json.Int64()}; }},
    {"idle_ns", Presence::kRequired,
     [](In& in, DeviceIdle& out) { out.idle = {in.json.Int64()}; }},
    {"largest", Presence::kRequired,
     [](In& in, DeviceIdle& out) { out.largest = ReadRows(in, kGapKeys); }},
    {"long_gap_count", Presence::kRequired,
     [](In& in, DeviceIdle& out) { out.long_gaps = ReadCount(in.json); }},
};

constexpr JsonKey<In, IdleWindow> kWindowKeys[] = {
    {"devices", Presence::kRequired,
     [](In& in, IdleWindow& out) { out.devices = ReadRows(in, kIdleKeys); }},
    {"index", Presence::kOptional,
     [](In& in, IdleWindow& out) { out.iteration = ReadCount(in.json); }},
    {"window_ns", Presence::kRequired,
     [](In& in, IdleWindow& out) { out.length_ns = in.json.Int64(); }},
    {"window_start_ns", Presence::kOptional,
     [](In& in, IdleWindow& out) {
       if (!in.json.TakeNull()) out.start_ns = in.json.Int64();
     }},
};

constexpr JsonKey<In, Gaps> kGapsKeys[] = {
    {"capture_range", Presence::kRequired,
     [](In& in, Gaps& out) {
       if (!in.json.TakeNull()) ReadObject(in, kWindowKeys, out.capture.emplace());
     }},
    {"iterations", Presence::kRequired,
     [](In& in, Gaps& out) { out.iterations = ReadRows(in, kWindowKeys); }},
    {"threshold_ns", Presence::kRequired,
     [](In& in, Gaps& out) { out.threshold_ns = ReadCount(in.json); }},
};

constexpr JsonKey<In, UnattributedWork> kUnattributedKeys[] = {
    {"outside_ranges", Presence::kRequired,
     [](In& in, UnattributedWork& out) { ReadObject(in, kSumKeys, out.outside_ranges); }},
    {"without_call", Presence::kRequired,
     [](In& in, UnattributedWork& out) { ReadObject(in, kSumKeys, out.without_call); }},
};

constexpr JsonKey<In, RangeGpuWork> kGpuWorkKeys[] = {
    {"devices", Presence::kRequired,
     [](In& in, RangeGpuWork& out) { out.devices = ReadRows(in, kDeviceTotalKeys); }},
    {"gaps", Presence::kRequired,
     [](In& in, RangeGpuWork& out) { ReadObject(in, kGapsKeys, out.gaps); }},
    {"grouped_paths", Presence::kRequired,
     [](In& in, RangeGpuWork& out) {
       if (!in.json.TakeNull()) out.grouped_paths = ReadPathRows(in, in.names.grouped_paths());
     }},
    {"iterations", Presence::kRequired,
     [](In& in, RangeGpuWork& out) { out.iterations = ReadIterationRows(in); }},
    {"null_reasons", Presence::kRequired,
     [](In& in, RangeGpuWork& out) {
       in.json.BeginObject();
       std::string_view section;
       while (in.json.NextKey(section)) {
         std::string key(section);
         out.null_reasons[std::move(key)] = in.json.String();
       }
     }},
    {"overlapping_operation_count", Presence::kRequired,
     [](In& in, RangeGpuWork& out) { out.overlapping_operations = ReadCount(in.json); }},
    {"paths", Presence::kRequired,
     [](In& in, RangeGpuWork& out) { out.paths = ReadPathRows(in, in.names.paths); }},
    {"unattributed", Presence::kRequired,
     [](In& in, RangeGpuWork& out) { ReadObject(in, kUnattributedKeys, out.unattributed); }},
};

}  // namespace

namespace {

template <typename Visit>
void EachWork(RangeGpuWork& work, Visit visit) {
  for (model::PathGpuWork& row : work.paths) visit(row.work);
  if (work.grouped_paths) {
    for (model::PathGpuWork& row : *work.grouped_paths) visit(row.work);
  }
  for (model::IterationGpuWork& row : work.iterations) visit(row.work);
}

}  // namespace

std::optional<RangeGpuWork> ReadRangeGpuWork(format::JsonReader& json, const GpuWorkNames& names) {
  if (json.TakeNull()) return std::nullopt;
  In in{.json = json, .names = names, .paths = &names.paths};
  RangeGpuWork work;
  ReadObject(in, kGpuWorkKeys, work);
  // What is null stays unknown, even where the file does not say why.
  if (in.unknown_graph_records) work.null_reasons.try_emplace("graphs", "no reason is given");
  // Without records of whole graphs busy shares are null only where those could not be read.
  if (work.null_reasons.contains("graphs") && work.null_reasons.contains("busy_share")) {
    EachWork(work, [](GpuWork& row) { row.graphs_unreadable = true; });
  }
  return work;
}

}  // namespace rangewise::artifact
