// Owns traces as tests write them: the rows of an export, plain. They become a model::Trace in memory or a SQLite
// file; reference_engine.h computes the tables from them by the definitions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/trace.h"

namespace rangewise::test {

constexpr int64_t GlobalTid(int64_t process, int64_t thread) {
  return (int64_t{1} << 48) + (process << 24) + thread;
}
constexpr int64_t GlobalPid(int64_t process) { return GlobalTid(process, 0); }

// A row of NVTX_EVENTS.
struct RawEvent {
  int64_t row_id = 0;
  int64_t start = 0;
  std::optional<int64_t> end;
  int64_t type = 59;
  std::optional<std::string> text;
  int64_t global_tid = 0;
  std::optional<int64_t> end_global_tid;
  std::optional<int64_t> domain;
  bool registered = false;  // in a file: the text stands in StringIds
};

struct RawCall {
  int64_t start = 0;
  int64_t end = 0;
  int64_t global_tid = 0;
  std::optional<int64_t> correlation;
  std::string name = "cudaLaunchKernel_v7000";
};

struct RawOperation {
  model::OperationKind kind = model::OperationKind::kKernel;
  int64_t start = 0;
  int64_t end = 0;
  std::optional<int64_t> correlation;
  std::optional<int64_t> global_pid;
  std::string name = "kernel";   // of a kernel
  int64_t bytes = 0;             // of a copy or set
  int64_t copy_kind = 1;
  int64_t source_kind = 1;       // of a set: its memory kind
  int64_t destination_kind = 2;
  int64_t stream = 7;
  int64_t device = 0;
  int64_t context = 1;
  std::optional<int64_t> graph_node;  // in a file: the column is there when any operation of the kind has one
  bool unknown_bytes = false;         // in a file: NULL
  bool unknown_copy_kind = false;     // in a file: NULL
};

// A row of CUPTI_ACTIVITY_KIND_GRAPH_TRACE.
struct RawGraph {
  int64_t start = 0;
  int64_t end = 0;
  std::optional<int64_t> correlation;
  std::optional<int64_t> global_pid;
  int64_t stream = 7;
  int64_t device = 0;
};

// A row of CUPTI_ACTIVITY_KIND_SYNCHRONIZATION.
struct RawSynchronisation {
  int64_t start = 0;
  int64_t end = 0;
  std::optional<int64_t> correlation;
  std::optional<int64_t> global_pid;
  int64_t type = 3;  // 3: of a stream
};

// Rows in the order of their tables. Operations: kernels, then copies, then sets.
struct RawTrace {
  std::vector<RawEvent> events;
  std::vector<RawCall> calls;
  std::vector<RawOperation> operations;
  std::vector<RawGraph> graphs;                      // only in a file
  std::vector<RawSynchronisation> synchronisations;  // only in a file
};

// What ingest::LoadExport gives for the same rows.
model::Trace ToTrace(const RawTrace& raw);

// Writes the rows as an export. Tables without rows are left out, but for StringIds. `extra_sql` runs at the end.
void WriteExport(const RawTrace& raw, const std::filesystem::path& path, const std::string& extra_sql = "");

// The rows of an export, by plain SQL: what GPU work is made from. Strings are looked up; a kernel has its demangled
// name.
RawTrace ReadRawTrace(const std::filesystem::path& path);

// Whether two containers of a range, of one duration and different extent, leave its parent to the row ids (and in the
// host table even whether it has a row). `push_pop_only`: the ranges of the host table, else those of the projection.
bool RowIdsMatter(const RawTrace& raw, bool push_pop_only);

}  // namespace rangewise::test
