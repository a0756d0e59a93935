// Owns a trace as our own engine needs it: what a SQLite export says about NVTX ranges, API calls and GPU
// operations, in compact rows. Times are nanoseconds on the trace's axis, below 2^62 in magnitude so that
// differences fit 64 bits. Names are raw bytes as the export has them.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/names.h"
#include "model/rows.h"

namespace rangewise::model {

// An integer column that is NULL.
inline constexpr int64_t kNullInteger = std::numeric_limits<int64_t>::min();

// An NVTX range of the export (32 bytes). `end_ns` of an open range is meaningless.
struct TraceRange {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  int64_t row_id = 0;            // the RangeId of every report
  NameId name{};                 // full name, "domain:text"
  uint32_t thread : 29 = 0;      // index into Trace::threads
  uint32_t open : 1 = 0;         // it had no end when the capture stopped
  uint32_t start_end : 1 = 0;    // style StartEnd, else PushPop
  uint32_t ends_elsewhere : 1 = 0;  // endGlobalTid is set: a start/end range that another thread ended
  Style style() const { return start_end != 0 ? Style::kStartEnd : Style::kPushPop; }
};
static_assert(sizeof(TraceRange) == 32);
inline constexpr uint32_t kMaxThreads = 1u << 29;

// A kernel, memory copy or memory set (32 bytes). What many operations share is kept once, as a shape.
struct GpuOperation {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  int64_t correlation_id = kNullInteger;
  uint32_t process = UINT32_MAX;  // index into Trace::processes; UINT32_MAX: unknown
  uint32_t shape = 0;             // index into Trace::shapes
};

enum class OperationKind : uint8_t { kKernel, kCopy, kSet };

// Columns of an operation beside its times and ids; kNullInteger where a column is NULL or does not apply.
struct OperationShape {
  int64_t device = kNullInteger;
  int64_t context = kNullInteger;
  int64_t green_context = kNullInteger;
  int64_t stream = kNullInteger;
  std::array<int64_t, 3> grid{kNullInteger, kNullInteger, kNullInteger};
  std::array<int64_t, 3> block{kNullInteger, kNullInteger, kNullInteger};
  int64_t registers = kNullInteger;
  int64_t static_memory = kNullInteger;   // bytes
  int64_t dynamic_memory = kNullInteger;  // bytes
  int64_t copy_kind = kNullInteger;
  int64_t source_kind = kNullInteger;       // of a memory set: its memory kind
  int64_t destination_kind = kNullInteger;
  NameId name = kNoName;                    // of a kernel; kNoName: NULL
  OperationKind kind = OperationKind::kKernel;
  bool from_graph = false;  // recorded inside a graph launch (graphNodeId); always false when GPU work is not asked for
  bool operator==(const OperationShape&) const = default;
};

// The operations of one process that share a correlation id (24 bytes): what a launching call brings. One of
// `operations` 0 belongs to linked records alone.
struct OperationGroup {
  int64_t first_start_ns = 0;
  int64_t last_end_ns = 0;
  uint32_t operations = 0;
  uint32_t calls = 0;  // API calls with this id in this process
};

// What a CUDA call does to the host thread that makes it (ingest/cuda_calls.h).
enum class CallClass : uint8_t { kSynchronising, kLaunching, kMemory, kOther };
inline constexpr size_t kCallClasses = 4;
std::string_view CallClassName(CallClass call_class);  // "synchronising", "launching", "memory", "other"

inline constexpr uint32_t kNoGroup = UINT32_MAX;

// A CUDA API call (24 bytes). Those that launched nothing are kept only when GPU work per range is
// asked for.
struct ApiCall {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  uint32_t thread : 29 = 0;  // index into Trace::threads
  CallClass call_class : 3 = CallClass::kOther;
  uint32_t group = kNoGroup;  // index into Trace::groups; kNoGroup: it launched nothing
};
static_assert(sizeof(ApiCall) == 24);

// A row of a table that is tied to API calls by process and correlation id, and is no operation: a whole graph
// (CUPTI_ACTIVITY_KIND_GRAPH_TRACE) or a synchronisation (CUPTI_ACTIVITY_KIND_SYNCHRONIZATION).
struct LinkedRecord {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  int64_t device = kNullInteger;
  int64_t stream = kNullInteger;
  int64_t sync_type = kNullInteger;  // of a synchronisation
  uint32_t group = kNoGroup;         // index into Trace::groups; kNoGroup: no process or correlation id
};

// A label by number, of one of the export's enumerations.
struct KindLabel {
  int64_t id = 0;
  std::string label;
};

// A row of TARGET_INFO_GPU.
struct GpuName {
  int64_t device = 0;
  std::string name;
};

// Which tables the export has; tables without rows are normally absent.
struct ExportTables {
  bool strings = false;  // StringIds
  bool ranges = false;   // NVTX_EVENTS
  bool calls = false;    // CUPTI_ACTIVITY_KIND_RUNTIME
  bool kernels = false;
  bool copies = false;
  bool sets = false;
};

// What the export shows and no table does; counts with one example each.
struct ExportFindings {
  uint64_t graph_records = 0;        // rows of graph-level tracing: kernels inside are not recorded
  uint64_t graph_launches = 0;       // calls that launched a graph and have no operation of their own
  std::string graph_launch_example;  // the call's name
  uint64_t doubled_domains = 0;      // domains that two threads of one process each created
  std::string doubled_domain_example;
  uint64_t negative_durations = 0;   // operations that end before they start
  uint64_t negative_bytes = 0;       // copies and sets
  uint64_t threadless_ranges = 0;    // ranges whose globalTid is NULL; no row can hold them
};

struct Trace {
  ExportTables tables;
  ExportFindings findings;
  NamePool names;

  std::vector<int64_t> threads;      // globalTid, ascending
  std::vector<TraceRange> ranges;    // by thread; within a thread in the order of the table
  std::vector<size_t> range_begin;   // threads + 1: where each thread's ranges begin
  // What open ranges end at: the largest time of push/pop ranges, and of all ranges.
  int64_t push_pop_horizon_ns = 0;
  int64_t horizon_ns = 0;

  std::vector<int64_t> processes;    // globalPid
  std::vector<GpuOperation> operations;  // kernels, then copies, then sets; each in the order of its table
  size_t kernel_count = 0;
  size_t copy_count = 0;
  std::vector<int64_t> memory_bytes;     // of copies and sets; kNullInteger: NULL
  std::vector<OperationShape> shapes;
  std::vector<OperationGroup> groups;
  // When GPU work per range is asked for: the group of each operation (kNoGroup: none), the names of calls,
  // whole graphs and synchronisations. An empty reason: the list holds all that were recorded.
  std::vector<uint32_t> operation_groups;
  std::vector<NameId> call_names;  // of `calls`, as the export has them; kNoName: NULL
  std::vector<LinkedRecord> graphs;
  std::string why_no_graphs;
  std::vector<LinkedRecord> synchronisations;
  std::string why_no_synchronisations;
  std::vector<ApiCall> calls;        // by thread; within a thread in the order of the table
  std::vector<size_t> call_begin;    // threads + 1

  std::vector<GpuName> gpus;                            // in the order of the table
  std::optional<std::vector<KindLabel>> copy_labels;    // absent: the export lacks the enumeration
  std::optional<std::vector<KindLabel>> memory_labels;
  std::optional<std::vector<KindLabel>> sync_labels;
  bool has_gpu_names = false;         // the table TARGET_INFO_GPU
  bool has_green_contexts = true;     // every operation table has the column greenContextId
};

inline constexpr int64_t kThreadBits = int64_t{0xFFFFFF};
inline int64_t ProcessId(int64_t global_tid) { return (global_tid >> 24) & kThreadBits; }
inline int64_t ThreadId(int64_t global_tid) { return global_tid & kThreadBits; }

// Where an export came from.
struct ExportInfo {
  std::string product_version;                // "2025.3.1.90"; empty: the export does not say
  std::string schema_version;                 // "3.20.3"; empty: 2020 to 2021
  std::optional<std::string> session_start;   // ISO 8601 in UTC
};

}  // namespace rangewise::model
