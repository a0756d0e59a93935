// Owns reading the rows of an export's large tables: pieces of a table by rowid, on a connection per worker. Ids
// that a worker hands out (threads, processes, names, shapes) are its own; export_merge makes them the trace's.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/int_map.h"
#include "base/result.h"
#include "format/sqlite.h"
#include "ingest/export_schema.h"
#include "ingest/export_strings.h"
#include "model/trace.h"

namespace rangewise::ingest {

// Rowids [first, last] of a table.
struct RowSpan {
  int64_t first = 0;
  int64_t last = -1;
};

// The table cut into spans of at least `rows` rowids; none for an empty table.
Result<std::vector<RowSpan>> SplitTable(format::Database& database, std::string_view table, uint64_t rows);

// A domain's creation (event type 75).
struct DomainRow {
  int64_t domain = 0;
  int64_t global_tid = 0;
  int64_t start_ns = 0;
  std::string name;
};

struct RangeChunk {
  int worker = 0;
  std::vector<model::TraceRange> ranges;  // thread: the worker's; name: index into its range_names
  std::vector<DomainRow> domains;
  int64_t push_pop_horizon_ns = INT64_MIN;
  int64_t horizon_ns = INT64_MIN;
  uint64_t threadless = 0;
};

struct OperationChunk {
  int worker = 0;
  std::vector<model::GpuOperation> operations;  // process, shape: the worker's
  std::vector<int64_t> bytes;                   // of copies and sets
  uint64_t negative_durations = 0;
  uint64_t negative_bytes = 0;
};

struct CallChunk {
  int worker = 0;
  std::vector<model::ApiCall> calls;  // thread: the worker's; group: the trace's
  std::vector<model::NameId> names;   // of the calls, where all are read: in the string table's pool
  uint64_t graph_launches = 0;        // without operations
  int64_t graph_launch_name = 0;      // string id of one of them
};

// A linked record before its group is known.
struct LinkedRow {
  model::LinkedRecord record;
  uint32_t process = UINT32_MAX;  // the worker's, then the trace's
  int64_t correlation_id = model::kNullInteger;
};

// What a range is called before its domain's name is known.
struct RangeName {
  uint32_t domain_slot = 0;             // index into ScanWorker::domain_slots
  bool inline_text = false;             // which pool `text` is in: the worker's or the string table's
  model::NameId text = model::kNoName;  // kNoName: NULL
};

struct ShapeHash {
  size_t operator()(const model::OperationShape& shape) const;
};

// Finds the group of operations that share a process and a correlation id.
class GroupIndex {
 public:
  // Groups `operations`, then `linked` records, which get their group; fills `groups` in the order in
  // which they first appear. `of_operation` gets each operation's group when it is given.
  void Build(const std::vector<model::GpuOperation>& operations, std::vector<LinkedRow>& linked,
             const std::vector<int64_t>& processes, std::vector<model::OperationGroup>& groups,
             std::vector<uint32_t>* of_operation);
  // The place of a process in the index; UINT32_MAX when it launched nothing.
  uint32_t Process(int64_t global_pid) const { return places_.Find(global_pid); }
  uint32_t Group(uint32_t process, int64_t correlation_id) const {
    const PerProcess& ids = per_process_[process];
    const uint64_t at = static_cast<uint64_t>(correlation_id) - static_cast<uint64_t>(ids.lowest);
    if (at < ids.dense.size()) return ids.dense[at];
    return ids.sparse.Find(correlation_id);
  }

 private:
  struct PerProcess {
    int64_t lowest = 0;
    std::vector<uint32_t> dense;  // by id - lowest, where ids lie close together
    IntMap sparse;
  };
  // The group of the id: `fresh` when it had none.
  uint32_t Place(uint32_t process, int64_t correlation_id, uint32_t fresh);
  IntMap places_;
  std::vector<PerProcess> per_process_;
};

class ScanWorker {
 public:
  static Result<ScanWorker> Open(const std::filesystem::path& path, const ExportSchema& schema,
                                 const ExportStrings& strings);

  Status ScanRanges(RowSpan span, RangeChunk& chunk);
  Status ScanOperations(model::OperationKind kind, RowSpan span, OperationChunk& chunk);
  // All calls of a thread when `all`, else those that launched an operation.
  Status ScanCalls(RowSpan span, const GroupIndex& index, const std::vector<model::OperationGroup>& groups,
                   bool all, CallChunk& chunk);
  // Appends the table's linked records; why not, where it has other columns or values than expected.
  Result<std::string> ScanLinked(std::string_view table, std::vector<LinkedRow>& rows);
  void ReadGraphNodes() { reads_graph_nodes_ = true; }

  // Ids handed out so far.
  std::vector<int64_t> threads;
  std::vector<int64_t> processes;
  std::vector<std::pair<int64_t, int64_t>> domain_slots;  // domain id, process id; slot 0: no domain
  std::vector<RangeName> range_names;
  std::vector<model::OperationShape> shapes;  // name: in the string table's pool
  model::NamePool texts;

 private:
  ScanWorker(format::Database database, std::string file, const ExportSchema& schema,
             const ExportStrings& strings)
      : database_(std::move(database)), file_(std::move(file)), schema_(&schema), strings_(&strings) {
    domain_slots.emplace_back(model::kNullInteger, 0);
  }
  Result<format::Statement*> Query(std::string_view table, const std::vector<std::string>& columns);
  // "'start' is the text 'abc'".
  std::string ValueFound(std::string_view table, const std::string& column, int64_t row);
  Error BadValue(std::string_view table, const std::vector<std::string>& columns, uint64_t bad, int64_t row);
  uint32_t ThreadOf(int64_t global_tid);
  uint32_t ProcessOf(int64_t global_pid);
  uint32_t NameOf(int64_t domain, int64_t global_tid, bool inline_text, model::NameId text);
  uint32_t ShapeOf(const model::OperationShape& shape);
  model::CallClass ClassOf(model::NameId name);

  format::Database database_;
  std::string file_;
  const ExportSchema* schema_;
  const ExportStrings* strings_;
  std::map<std::string, format::Statement, std::less<>> queries_;
  IntMap thread_ids_;
  IntMap process_ids_;
  IntMap name_ids_;
  std::map<std::pair<int64_t, int64_t>, uint32_t> slot_ids_;
  std::unordered_map<model::OperationShape, uint32_t, ShapeHash> shape_ids_;
  bool reads_graph_nodes_ = false;
  // The class of each string of the table as a call's name; kUnclassed until it is asked for.
  static constexpr uint8_t kUnclassed = 255;
  std::vector<uint8_t> call_classes_;
  // The last answers, since neighbouring rows are alike, and recent shapes by a cheap hash.
  std::vector<uint32_t> recent_shapes_;
  int64_t last_tid_ = model::kNullInteger;
  uint32_t last_thread_ = 0;
  std::pair<int64_t, int64_t> last_domain_{model::kNullInteger, 0};
  uint32_t last_slot_ = 0;
};

}  // namespace rangewise::ingest
