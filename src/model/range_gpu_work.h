// Owns GPU work per range, field for field what the key `range_gpu_work` of analysis.json says
// (docs/gpu-work.md): operations, busy time, host time in CUDA calls, queue delay and overlap by scope
// path and by iteration, and the idle gaps of each device. Sums of durations and the length of their
// union ("busy") are kept apart: busy times of a parent and its children do not add up.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "model/names.h"
#include "model/scope_path.h"
#include "model/statistics.h"
#include "model/trace.h"

namespace rangewise::model {

// What is found out where nobody asks for more or less.
inline constexpr size_t kDefaultKernels = 5;  // the largest of each range
inline constexpr int64_t kDefaultGapThresholdNs = 10'000;

// Operations of one kind: how many, and their durations summed.
struct OperationSum {
  int64_t instances = 0;
  GpuNs total;
  bool operator==(const OperationSum&) const = default;
};

// The same with the memory that was moved or set. Throughput is bytes over total, of the instances
// whose bytes are known: bytes are absent when those of any instance are.
struct MemorySum {
  OperationSum sum;
  std::optional<int64_t> bytes;
  // Bytes a second; nothing without bytes or time.
  std::optional<double> BytesPerSecond() const {
    if (!bytes || sum.total.ns <= 0) return std::nullopt;
    return static_cast<double>(*bytes) * 1e9 / static_cast<double>(sum.total.ns);
  }
  bool operator==(const MemorySum&) const = default;
};

struct CopySum {
  NameId direction = kNoName;  // "Host-to-Device"; kNoName: the export does not say
  MemorySum memory;
};

struct KernelSum {
  NameId name = kNoName;
  OperationSum sum;
};

// What adds up: of a range that nests with all others, own plus its children's totals is its total.
struct AdditiveWork {
  int64_t operations = 0;
  OperationSum kernels;
  MemorySum copies;
  MemorySum sets;
  bool operator==(const AdditiveWork&) const = default;
};

// The union of the intervals of one class of operations on one device.
struct ClassTime {
  std::string name;  // "compute", "communication", "copy", "set", or one of the manifest's
  int64_t operations = 0;
  GpuNs busy;
};

struct DeviceWork {
  int64_t device = kNullInteger;  // kNullInteger: the export does not say
  int64_t operations = 0;
  GpuNs busy;
  std::vector<int64_t> streams;  // distinct numbers, ascending; kNullInteger first
  std::vector<ClassTime> classes;  // those that have operations, by name
  // Computing is what is neither communication, copy nor set. Exposed: not at the same time as computing.
  GpuNs communication_overlapped;
  GpuNs communication_exposed;
  GpuNs copy_exposed;
};

// Host time of the outermost CUDA calls.
struct CallTime {
  int64_t calls = 0;
  HostNs total;
  bool operator==(const CallTime&) const = default;
};
using CallTimes = std::array<CallTime, kCallClasses>;  // by CallClass

struct QueueDelay {
  int64_t started_during_call = 0;               // not in the statistics, as in cuda_kern_exec_trace
  std::optional<Statistics<QueueNs>> statistics;  // absent: no operation began after its call
  int64_t instances = 0;
};

// Synchronisations of one type, as CUPTI recorded them for the calls in the range.
struct SyncSum {
  NameId type = kNoName;  // "Stream sync"; kNoName: the export does not say
  int64_t instances = 0;
  HostNs total;
};

struct GraphWork {
  OperationSum records;   // whole graphs: their time is in no other figure
  AdditiveWork nodes;     // operations that node-level tracing recorded; they are in the others, too
};

// The work of a scope path or an iteration.
struct GpuWork {
  AdditiveWork total;
  AdditiveWork own;      // launched in no smaller range
  int64_t launches = 0;  // distinct correlation ids of the launching calls
  std::vector<CopySum> copies;  // by direction's name; unknown last
  std::vector<KernelSum> largest_kernels;  // by total, then name; as many as were asked for
  int64_t distinct_kernels = 0;
  // On any device. Absent where nothing but whole graphs is known to have run, or may have.
  std::optional<GpuNs> busy = GpuNs{};
  ProjectedNs projection;      // the length of the union of its instances' projections
  std::vector<DeviceWork> devices;  // by number
  GraphWork graphs;
  bool graphs_unreadable = false;  // the table of whole graphs: they may have run here, too
  std::optional<CallTimes> calls;      // absent without API calls in the export
  std::optional<CallTimes> own_calls;  // made in no smaller range
  std::optional<std::vector<SyncSum>> synchronisations;  // by type; absent without the table
  std::optional<QueueDelay> queue_delay;

  // Whole graphs ran, of which only the span is known, or may have: busy times are lower bounds.
  bool MayHaveWholeGraphs() const { return graphs_unreadable || graphs.records.instances > 0; }
  // Nothing where nothing was projected, and with whole graphs.
  std::optional<double> BusyShare() const {
    if (!busy || projection.ns <= 0 || MayHaveWholeGraphs()) return std::nullopt;
    return static_cast<double>(busy->ns) / static_cast<double>(projection.ns);
  }
  // Of the summed durations of all kernels.
  std::optional<double> ShareOf(const KernelSum& kernel) const {
    if (total.kernels.total.ns <= 0) return std::nullopt;
    return static_cast<double>(kernel.sum.total.ns) /
           static_cast<double>(total.kernels.total.ns);
  }
};

struct PathGpuWork {
  ScopePath path = kRootPath;  // in Analysis::paths, or in GroupedRanges::paths
  GpuWork work;
};

struct IterationGpuWork {
  int64_t index = 0;
  GpuWork work;
};

struct StreamWork {
  int64_t stream = kNullInteger;
  int64_t context = kNullInteger;
  AdditiveWork work;
  GpuNs busy;
  int64_t process = kNullInteger;  // its id; kNullInteger: the export does not say
};

// All operations of a device, whether or not in a range.
struct DeviceTotal {
  int64_t device = kNullInteger;
  std::string name;  // display form; empty: the export does not say
  AdditiveWork work;
  GpuNs busy;
  std::vector<StreamWork> streams;
};

// What no range can claim.
struct UnattributedWork {
  OperationSum without_call;    // the launching call was not recorded
  OperationSum outside_ranges;  // that call lies in no range
};

// The idle times of a device in a window: the complement of the union over its streams of all its
// operations, attributed or not.
struct IdleGap {
  int64_t start_ns = 0;  // after the window's start
  GpuNs length;
  std::vector<NameId> host_range;  // names, outermost first, of the capture thread's innermost range when it began
  std::string call;                // CUDA call of that thread then; empty: none
  // The range that was the capture thread's innermost one for most of the gap, its instances
  // together, named as above, and for how long. Absent: not asked, or in no range.
  struct Filling {
    std::vector<NameId> range;
    HostNs time;
  };
  std::optional<Filling> filling = {};
  std::optional<double> FillingShare() const {
    if (!filling || length.ns <= 0) return std::nullopt;
    return static_cast<double>(filling->time.ns) / static_cast<double>(length.ns);
  }
};

struct DeviceIdle {
  int64_t device = kNullInteger;
  GpuNs idle;
  int64_t gaps = 0;
  GpuNs idle_in_long_gaps;  // of at least the threshold
  int64_t long_gaps = 0;
  std::optional<Statistics<GpuNs>> gap_lengths;  // of all gaps; absent without gaps
  std::vector<IdleGap> largest;                  // by length descending, then start; of the capture range only
};

struct IdleWindow {
  std::optional<int64_t> iteration;  // absent: the capture range's host time, or the whole trace's GPU time
  int64_t length_ns = 0;
  std::vector<DeviceIdle> devices;
  std::optional<int64_t> start_ns = {};  // on the trace's axis; absent in older files
};

struct Gaps {
  int64_t threshold_ns = kDefaultGapThresholdNs;
  std::optional<IdleWindow> capture;   // absent without a capture range
  std::vector<IdleWindow> iterations;  // by index; those with a projection
};

struct RangeGpuWork {
  std::vector<PathGpuWork> paths;  // by path; those with work or calls
  std::optional<std::vector<PathGpuWork>> grouped_paths;
  std::vector<IterationGpuWork> iterations;
  std::vector<DeviceTotal> devices;
  UnattributedWork unattributed;
  Gaps gaps;
  // Operations whose ranges do not nest, so that totals of paths do not add up.
  int64_t overlapping_operations = 0;
  // By section ("busy", "busy_share", "calls", "gap_filling", "gaps", "graphs", "queue_delay",
  // "synchronisations"): why it is null, all of it or in some rows.
  std::map<std::string, std::string> null_reasons;
};

}  // namespace rangewise::model
