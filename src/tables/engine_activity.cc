#include "tables/engine_activity.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/int_map.h"
#include "base/interrupt.h"
#include "base/interval_union.h"
#include "base/memory.h"
#include "base/text.h"
#include "tables/engine_attribution.h"
#include "tables/engine_gpu.h"

namespace rangewise::tables {
namespace {

using model::ActivityOperation;
using model::ActivityShape;
using model::ApiCall;
using model::GpuActivity;
using model::GpuOperation;
using model::kNoGroup;
using model::OperationKind;
using model::OperationShape;
using model::TraceRange;

ActivityShape Describe(const OperationShape& shape, uint32_t process, const model::Trace& trace, ReportNames& names) {
  ActivityShape described{.kind = shape.kind,
                          .from_graph = shape.from_graph,
                          .device = shape.device,
                          .context = shape.context,
                          .stream = shape.stream,
                          .process = process};
  switch (shape.kind) {
    case OperationKind::kKernel:
      if (shape.name != model::kNoName) described.name = names.Uncounted(trace.names.At(shape.name));
      break;
    case OperationKind::kCopy:
      if (const auto label = CopyLabel(trace, shape.copy_kind)) {
        described.direction = names.Uncounted(*label);
        described.name = names.Uncounted(Format("[CUDA memcpy {}]", *label));
      }
      break;
    case OperationKind::kSet:
      described.name = names.Uncounted("[CUDA memset]");
      break;
  }
  return described;
}

// The operations in compact form; those of the trace are freed.
void MoveOperations(const Attribution& attribution, ReportNames& names, model::Trace& trace, GpuActivity& activity) {
  activity.kernel_count = trace.kernel_count;
  activity.memory_bytes = std::move(trace.memory_bytes);
  activity.operations.reserve(trace.operations.size());
  std::vector<bool> launched(trace.groups.size(), false);
  IntMap shapes;
  for (size_t i = 0; i < trace.operations.size(); ++i) {
    const GpuOperation& operation = trace.operations[i];
    const int64_t key = static_cast<int64_t>(uint64_t{operation.process} << 32 | operation.shape);
    const auto fresh = static_cast<uint32_t>(activity.shapes.size());
    const uint32_t shape = shapes.FindOrAdd(key, fresh);
    if (shape == fresh) {
      activity.shapes.push_back(Describe(trace.shapes[operation.shape], operation.process, trace, names));
    }
    ActivityOperation& compact = activity.operations.emplace_back();
    compact.start_ns = operation.start_ns;
    compact.duration = activity.numbers.Encode(operation.end_ns - operation.start_ns);
    compact.shape = shape & 0x7FFFFFFF;
    const uint32_t group = trace.operation_groups[i];
    if (group == kNoGroup) {
      compact.first_of_launch = 1;  // it shares its call with nothing that is known
      continue;
    }
    compact.first_of_launch = !launched[group];
    launched[group] = true;
    compact.site = attribution.group_sites[group];
    if (compact.site != model::kNoCall) {
      compact.delay = activity.numbers.Encode(operation.start_ns - attribution.group_launch_end_ns[group]);
    }
  }
  Free(trace.operations);
  Free(trace.operation_groups);
}

// A copy from the device to pageable memory has been made when the call returns, whatever its name (CUDA Runtime
// API, "API synchronization behavior"): the host waits in it.
void MarkBlockingCopies(model::Trace& trace) {
  std::vector<bool> blocking_shape(trace.shapes.size());
  for (size_t i = 0; i < trace.shapes.size(); ++i) {
    const OperationShape& shape = trace.shapes[i];
    if (shape.kind != OperationKind::kCopy) continue;
    const auto from = MemoryLabel(trace, shape.source_kind);
    blocking_shape[i] = MemoryLabel(trace, shape.destination_kind) == "Pageable" && from &&
                        (from->starts_with("Device") || *from == "Array");
  }
  std::vector<bool> blocking_group(trace.groups.size());
  for (size_t i = trace.kernel_count; i < trace.kernel_count + trace.copy_count; ++i) {
    const uint32_t group = trace.operation_groups[i];
    if (group != kNoGroup && blocking_shape[trace.operations[i].shape]) blocking_group[group] = true;
  }
  for (ApiCall& call : trace.calls) {
    if (call.group != kNoGroup && blocking_group[call.group]) call.call_class = model::CallClass::kSynchronising;
  }
}

void MoveSynchronisations(const Attribution& attribution, ReportNames& names, const model::Trace& trace,
                          GpuActivity& activity) {
  std::map<int64_t, model::NameId> types;
  if (trace.sync_labels) {
    for (const model::KindLabel& label : *trace.sync_labels) types[label.id] = names.Uncounted(label.label);
  }
  for (const model::LinkedRecord& record : trace.synchronisations) {
    const auto type = types.find(record.sync_type);
    activity.sync_records.push_back(
        {record.end_ns - record.start_ns, type == types.end() ? model::kNoName : type->second,
         record.group == kNoGroup ? model::kNoCall : attribution.group_sites[record.group]});
  }
}

// The name as the tables of API calls print it: the last six characters go when they begin with `_v`.
std::string CallName(const model::Trace& trace, model::NameId name) {
  if (name == model::kNoName) return {};
  std::string_view text = trace.names.At(name);
  if (text.size() > 6 && text.substr(text.size() - 6).starts_with("_v")) text.remove_suffix(6);
  return Displayable(text);
}

// More than are shown, so that ties at the end change nothing.
constexpr size_t kMostGaps = 32;

struct DeviceGap {
  int64_t device = 0;
  int64_t start_ns = 0;
  int64_t length_ns = 0;
};

// The longest times within the range in which a device did nothing.
std::vector<DeviceGap> LongestGaps(const TraceRange& window, const model::Trace& trace,
                                   const std::vector<uint32_t>& by_start) {
  std::map<int64_t, IntervalUnion> unions;
  std::map<int64_t, std::vector<DeviceGap>> gaps;
  const auto add = [&](int64_t device, int64_t begin, int64_t end) {
    begin = std::max(begin, window.start_ns);
    end = std::min(end, window.end_ns);
    if (begin >= end) return;
    std::vector<DeviceGap>& longest = gaps[device];
    longest.push_back({device, begin, end - begin});
    const auto longer = [](const DeviceGap& a, const DeviceGap& b) {
      return std::tie(b.length_ns, a.start_ns) < std::tie(a.length_ns, b.start_ns);
    };
    if (longest.size() < 2 * kMostGaps) return;
    std::nth_element(longest.begin(), longest.begin() + kMostGaps, longest.end(), longer);
    longest.resize(kMostGaps);
  };
  for (const uint32_t i : by_start) {
    const GpuOperation& operation = trace.operations[i];
    const int64_t device = trace.shapes[operation.shape].device;
    IntervalUnion& busy = unions[device];
    if (busy.empty()) add(device, window.start_ns, operation.start_ns);
    busy.Add(operation.start_ns, operation.end_ns,
             [&](int64_t begin, int64_t end) { add(device, begin, end); });
  }
  std::vector<DeviceGap> all;
  for (const auto& [device, busy] : unions) {
    add(device, busy.covered_ns(), window.end_ns);
    all.insert(all.end(), gaps[device].begin(), gaps[device].end());
  }
  return all;
}

// Whether the program rather called `a` than `b`, which lies in it or has its interval. Calls of one interval are told
// apart by what they are, since the order of rows means nothing: by class, as where host time is counted, then name.
bool IsOutside(size_t a, size_t b, const model::Trace& trace) {
  const ApiCall& x = trace.calls[a];
  const ApiCall& y = trace.calls[b];
  if (x.start_ns != y.start_ns) return x.start_ns < y.start_ns;
  if (x.end_ns != y.end_ns) return x.end_ns > y.end_ns;
  if (x.call_class != y.call_class) return x.call_class < y.call_class;
  const auto name = [&](size_t i) {
    const model::NameId id = trace.call_names.at(i);
    return id == model::kNoName ? std::string_view() : trace.names.At(id);
  };
  return name(a) < name(b);
}

// For each gap the number of the call of `thread` that was in flight when it began; trace.calls.size(): none. Of calls
// in each other it is the outermost, which the program called.
std::vector<size_t> CallsInFlight(const std::vector<DeviceGap>& gaps, uint32_t thread, const model::Trace& trace) {
  const size_t none = trace.calls.size();
  std::vector<size_t> in_flight(gaps.size(), none);
  std::vector<size_t> by_start(gaps.size());
  for (size_t i = 0; i < gaps.size(); ++i) by_start[i] = i;
  std::sort(by_start.begin(), by_start.end(), [&](size_t a, size_t b) { return gaps[a].start_ns < gaps[b].start_ns; });
  for (size_t i = trace.call_begin[thread]; i < trace.call_begin[thread + 1]; ++i) {
    const ApiCall& call = trace.calls[i];
    auto at = std::lower_bound(by_start.begin(), by_start.end(), call.start_ns,
                               [&](size_t gap, int64_t start_ns) { return gaps[gap].start_ns < start_ns; });
    for (; at != by_start.end() && gaps[*at].start_ns < call.end_ns; ++at) {
      size_t& known = in_flight[*at];
      if (known == none || IsOutside(i, known, trace)) known = i;
    }
  }
  return in_flight;
}

void FindGapCalls(const RangeSet& set, std::span<const uint32_t> captures, const model::Trace& trace,
                  GpuActivity& activity) {
  if (captures.empty()) return;
  const std::vector<uint32_t> by_start = StartOrder(trace);
  for (const uint32_t capture : captures) {
    const TraceRange& range = set.ranges[capture];
    const std::vector<DeviceGap> gaps = LongestGaps(range, trace, by_start);
    const std::vector<size_t> calls = CallsInFlight(gaps, range.thread, trace);
    for (size_t i = 0; i < gaps.size(); ++i) {
      activity.gap_calls.push_back(
          {range.row_id, gaps[i].device, gaps[i].start_ns,
           calls[i] == trace.calls.size() ? "" : CallName(trace, trace.call_names.at(calls[i]))});
    }
  }
}

}  // namespace

Result<GpuActivity> BuildActivity(const RangeSet& set, const RangeForest& forest,
                                  std::span<const uint32_t> captures, ReportNames& report_names,
                                  model::Trace& trace) {
  GpuActivity activity;
  if (!trace.tables.calls) activity.no_calls = "the export has no table CUPTI_ACTIVITY_KIND_RUNTIME";
  if (!trace.why_no_graphs.empty()) {
    activity.no_graph_records = trace.why_no_graphs;
    activity.graphs_unreadable = trace.findings.graph_records > 0;
  }
  for (const int64_t process : trace.processes) activity.processes.push_back(model::ProcessId(process));
  if (!trace.why_no_synchronisations.empty()) activity.no_sync_records = trace.why_no_synchronisations;
  activity.gpus = trace.gpus;
  for (model::GpuName& gpu : activity.gpus) gpu.name = Displayable(gpu.name);
  MarkBlockingCopies(trace);
  FindGapCalls(set, captures, trace, activity);
  RETURN_IF_ERROR(CheckInterrupt());
  ASSIGN_OR_RETURN(const Attribution attribution, Attribute(set, forest, trace, activity));
  Free(trace.calls);
  Free(trace.call_names);
  for (const model::LinkedRecord& graph : trace.graphs) {
    activity.graph_records.push_back(
        {graph.start_ns, graph.end_ns, graph.device, graph.stream,
         graph.group == kNoGroup ? model::kNoCall : attribution.group_sites[graph.group]});
  }
  MoveSynchronisations(attribution, report_names, trace, activity);
  RETURN_IF_ERROR(CheckInterrupt());
  MoveOperations(attribution, report_names, trace, activity);
  Free(trace.groups);
  return activity;
}

}  // namespace rangewise::tables
