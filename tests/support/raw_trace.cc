#include "support/raw_trace.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

namespace rangewise::test {
namespace {

bool IsRange(const RawEvent& event) {
  return event.type == 59 || event.type == 60 || event.type == 70 || event.type == 71;
}

std::string FullName(const RawTrace& raw, const RawEvent& event) {
  const RawEvent* creation = nullptr;
  for (const RawEvent& other : raw.events) {
    if (other.type != 75 || !event.domain || other.domain != event.domain ||
        model::ProcessId(other.global_tid) != model::ProcessId(event.global_tid)) {
      continue;
    }
    if (creation == nullptr || std::pair(other.start, other.global_tid) <
                                   std::pair(creation->start, creation->global_tid)) {
      creation = &other;
    }
  }
  return (creation == nullptr ? "" : creation->text.value_or("")) + ":" + event.text.value_or("");
}

[[noreturn]] void Die(const char* what) {
  std::fprintf(stderr, "test export: %s\n", what);
  std::abort();
}

// A statement that inserts rows; values are bound in order.
class Insert {
 public:
  Insert(sqlite3* database, const std::string& sql) {
    if (sqlite3_prepare_v2(database, sql.c_str(), -1, &statement_, nullptr) != SQLITE_OK) Die(sqlite3_errmsg(database));
  }
  Insert(const Insert&) = delete;
  Insert& operator=(const Insert&) = delete;
  ~Insert() { sqlite3_finalize(statement_); }
  Insert& operator()(std::optional<int64_t> value) {
    if (value) {
      sqlite3_bind_int64(statement_, ++at_, *value);
    } else {
      sqlite3_bind_null(statement_, ++at_);
    }
    return *this;
  }
  Insert& operator()(const std::string& text) {
    sqlite3_bind_text(statement_, ++at_, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
    return *this;
  }
  void Run() {
    if (sqlite3_step(statement_) != SQLITE_DONE) Die("a row cannot be inserted");
    sqlite3_reset(statement_);
    at_ = 0;
  }

 private:
  sqlite3_stmt* statement_ = nullptr;
  int at_ = 0;
};

void Execute(sqlite3* database, const std::string& sql) {
  if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) Die(sqlite3_errmsg(database));
}

constexpr const char* kOperationColumns =
    "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, "
    "greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, ";

}  // namespace

model::Trace ToTrace(const RawTrace& raw) {
  model::Trace trace;
  trace.tables = {.strings = true, .ranges = !raw.events.empty(), .calls = !raw.calls.empty()};
  trace.has_gpu_names = true;
  trace.gpus.push_back({0, "GPU X"});

  // Groups of operations, and the calls that launched one.
  std::map<std::pair<int64_t, int64_t>, uint32_t> group_of;
  std::map<int64_t, uint32_t> process_of;
  for (const RawOperation& operation : raw.operations) {
    model::GpuOperation row{operation.start, operation.end, operation.correlation.value_or(model::kNullInteger)};
    model::OperationShape shape;
    shape.kind = operation.kind;
    shape.device = operation.device;
    shape.context = operation.context;
    shape.stream = operation.stream;
    if (operation.kind == model::OperationKind::kKernel) {
      shape.name = trace.names.Intern(operation.name);
      shape.grid = {1, 2, 3};
      shape.block = {4, 5, 6};
      shape.registers = 7;
      shape.static_memory = 8;
      shape.dynamic_memory = 9;
      ++trace.kernel_count;
      trace.tables.kernels = true;
    } else {
      shape.source_kind = operation.source_kind;
      if (operation.kind == model::OperationKind::kCopy) {
        shape.copy_kind = operation.copy_kind;
        shape.destination_kind = operation.destination_kind;
        ++trace.copy_count;
        trace.tables.copies = true;
      } else {
        trace.tables.sets = true;
      }
      trace.memory_bytes.push_back(operation.bytes);
    }
    const auto place = std::find(trace.shapes.begin(), trace.shapes.end(), shape);
    row.shape = static_cast<uint32_t>(place - trace.shapes.begin());
    if (place == trace.shapes.end()) trace.shapes.push_back(shape);
    if (operation.global_pid) {
      row.process = process_of.emplace(*operation.global_pid, static_cast<uint32_t>(process_of.size())).first->second;
    }
    trace.operations.push_back(row);
    if (!operation.global_pid || !operation.correlation) continue;
    const auto [known, added] = group_of.emplace(std::pair(*operation.global_pid, *operation.correlation),
                                                 static_cast<uint32_t>(trace.groups.size()));
    if (added) trace.groups.push_back({operation.start, operation.end, 0, 0});
    model::OperationGroup& group = trace.groups[known->second];
    group.first_start_ns = std::min(group.first_start_ns, operation.start);
    group.last_end_ns = std::max(group.last_end_ns, operation.end);
    ++group.operations;
  }

  std::set<int64_t> threads;
  for (const RawEvent& event : raw.events) {
    if (IsRange(event)) threads.insert(event.global_tid);
  }
  for (const RawCall& call : raw.calls) threads.insert(call.global_tid);
  trace.threads.assign(threads.begin(), threads.end());
  int64_t push_pop_horizon = INT64_MIN;
  int64_t horizon = INT64_MIN;
  trace.range_begin.push_back(0);
  trace.call_begin.push_back(0);
  for (uint32_t thread = 0; thread < trace.threads.size(); ++thread) {
    for (const RawEvent& event : raw.events) {
      if (!IsRange(event) || event.global_tid != trace.threads[thread]) continue;
      const bool start_end = event.type == 60 || event.type == 71;
      model::TraceRange range;
      range.start_ns = event.start;
      range.end_ns = event.end.value_or(0);
      range.row_id = event.row_id;
      range.name = trace.names.Intern(FullName(raw, event));
      range.thread = thread & (model::kMaxThreads - 1);
      range.open = !event.end;
      range.start_end = start_end;
      range.ends_elsewhere = event.end_global_tid.has_value();
      trace.ranges.push_back(range);
      const int64_t latest = std::max(event.start, event.end.value_or(event.start));
      horizon = std::max(horizon, latest);
      if (!start_end) push_pop_horizon = std::max(push_pop_horizon, latest);
    }
    for (const RawCall& call : raw.calls) {
      if (call.global_tid != trace.threads[thread] || !call.correlation) continue;
      const auto group = group_of.find({call.global_tid & ~model::kThreadBits, *call.correlation});
      if (group == group_of.end()) continue;
      model::ApiCall& known = trace.calls.emplace_back();
      known.start_ns = call.start;
      known.end_ns = call.end;
      known.thread = thread & (model::kMaxThreads - 1);
      known.group = group->second;
      ++trace.groups[group->second].calls;
    }
    trace.range_begin.push_back(trace.ranges.size());
    trace.call_begin.push_back(trace.calls.size());
  }
  trace.horizon_ns = horizon == INT64_MIN ? 0 : horizon;
  trace.push_pop_horizon_ns = push_pop_horizon == INT64_MIN ? 0 : push_pop_horizon;
  return trace;
}

void WriteExport(const RawTrace& raw, const std::filesystem::path& path, const std::string& extra_sql) {
  sqlite3* database = nullptr;
  if (sqlite3_open(path.c_str(), &database) != SQLITE_OK) Die("the file cannot be made");
  Execute(database,
          "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;"
          "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
          "CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);"
          "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_VERSION', '2025.3.1.90'),"
          " ('EXPORT_SCHEMA_VERSION', '3.20.3');"
          "CREATE TABLE TARGET_INFO_GPU (vmId INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT);"
          "INSERT INTO TARGET_INFO_GPU VALUES (0, 0, 'GPU X');");
  std::map<std::string, int64_t> strings;
  Insert string(database, "INSERT INTO StringIds VALUES (?, ?)");
  const auto id_of = [&](const std::string& text) {
    const auto [known, added] = strings.emplace(text, static_cast<int64_t>(strings.size()) + 1);
    if (added) string(known->second)(text).Run();
    return known->second;
  };
  if (!raw.events.empty()) {
    Execute(database,
            "CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId "
            "INTEGER, category INTEGER, color INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId "
            "INTEGER, domainId INTEGER)");
    Insert insert(database,
                  "INSERT INTO NVTX_EVENTS (rowid, start, end, eventType, text, globalTid, endGlobalTid, textId, "
                  "domainId) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (const RawEvent& event : raw.events) {
      insert(event.row_id)(event.start)(event.end)(event.type);
      const bool registered = event.registered && event.text;
      if (event.text && !registered) {
        insert(*event.text);
      } else {
        insert(std::nullopt);
      }
      insert(event.global_tid)(event.end_global_tid);
      insert(registered ? std::optional(id_of(*event.text)) : std::nullopt)(event.domain).Run();
    }
  }
  if (!raw.calls.empty()) {
    Execute(database,
            "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass "
            "INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER "
            "NOT NULL)");
    Insert insert(database, "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, 0, ?, ?, ?, 0)");
    for (const RawCall& call : raw.calls) {
      insert(call.start)(call.end)(call.global_tid)(call.correlation)(id_of(call.name)).Run();
    }
  }
  const std::string tables[] = {"KERNEL", "MEMCPY", "MEMSET"};
  const std::string columns[] = {
      "demangledName INTEGER NOT NULL, registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL, gridY INTEGER NOT "
      "NULL, gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL, "
      "staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL",
      "bytes INTEGER, copyKind INTEGER, srcKind INTEGER, dstKind INTEGER", "bytes INTEGER, memKind INTEGER"};
  const std::string values[] = {"?, 7, 1, 2, 3, 4, 5, 6, 8, 9", "?, ?, ?, ?", "?, ?"};
  for (size_t kind = 0; kind < 3; ++kind) {
    std::optional<Insert> insert;
    const bool has_nodes = std::any_of(raw.operations.begin(), raw.operations.end(), [&](const RawOperation& operation) {
      return static_cast<size_t>(operation.kind) == kind && operation.graph_node;
    });
    for (const RawOperation& operation : raw.operations) {
      if (static_cast<size_t>(operation.kind) != kind) continue;
      const std::string table = "CUPTI_ACTIVITY_KIND_" + tables[kind];
      if (!insert) {
        Execute(database, "CREATE TABLE " + table + " (" + kOperationColumns + columns[kind] +
                              (has_nodes ? ", graphNodeId INTEGER)" : ")"));
        insert.emplace(database, "INSERT INTO " + table + " VALUES (?, ?, ?, ?, NULL, ?, ?, ?, " + values[kind] +
                                     (has_nodes ? ", ?)" : ")"));
      }
      (*insert)(operation.start)(operation.end)(operation.device)(operation.context)(operation.stream);
      (*insert)(operation.correlation)(operation.global_pid);
      const std::optional<int64_t> bytes =
          operation.unknown_bytes ? std::nullopt : std::optional(operation.bytes);
      if (kind == 0) {
        (*insert)(id_of(operation.name));
      } else if (kind == 1) {
        (*insert)(bytes)(operation.unknown_copy_kind ? std::nullopt : std::optional(operation.copy_kind));
        (*insert)(operation.source_kind)(operation.destination_kind);
      } else {
        (*insert)(bytes)(operation.source_kind);
      }
      if (has_nodes) (*insert)(operation.graph_node);
      insert->Run();
    }
  }
  if (!raw.graphs.empty()) {
    Execute(database,
            "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId "
            "INTEGER NOT NULL, graphId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER, streamId "
            "INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, graphExecId INTEGER)");
    Insert insert(database, "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (?, ?, ?, 3, 1, NULL, ?, ?, ?, 4)");
    for (const RawGraph& graph : raw.graphs) {
      insert(graph.start)(graph.end)(graph.device)(graph.stream)(graph.correlation)(graph.global_pid).Run();
    }
  }
  if (!raw.synchronisations.empty()) {
    Execute(database,
            "CREATE TABLE ENUM_CUPTI_SYNC_TYPE (id INTEGER NOT NULL, name TEXT, label TEXT);"
            "INSERT INTO ENUM_CUPTI_SYNC_TYPE VALUES (1, 'EVENT', 'Event sync'), (3, 'STREAM', 'Stream sync'),"
            " (4, 'CONTEXT', 'Context sync');"
            "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId "
            "INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, "
            "correlationId INTEGER, globalPid INTEGER, syncType INTEGER NOT NULL, eventId INTEGER NOT NULL)");
    Insert insert(database,
                  "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (?, ?, 0, 1, NULL, 7, ?, ?, ?, 0)");
    for (const RawSynchronisation& one : raw.synchronisations) {
      insert(one.start)(one.end)(one.correlation)(one.global_pid)(one.type).Run();
    }
  }
  Execute(database, extra_sql + "; COMMIT");
  sqlite3_close_v2(database);  // it closes once `string` has let go of it
}

RawTrace ReadRawTrace(const std::filesystem::path& path) {
  sqlite3* database = nullptr;
  if (sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK) Die("cannot be opened");
  const auto has = [&](const std::string& table, const std::string& column) {
    sqlite3_stmt* statement = nullptr;
    const std::string sql = "SELECT " + column + " FROM " + table + " LIMIT 0";
    const bool there = sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK;
    sqlite3_finalize(statement);
    return there;
  };
  const auto each = [&](const std::string& sql, const auto& visit) {
    sqlite3_stmt* row = nullptr;
    if (sqlite3_prepare_v2(database, sql.c_str(), -1, &row, nullptr) != SQLITE_OK) Die(sqlite3_errmsg(database));
    while (sqlite3_step(row) == SQLITE_ROW) visit(row);
    sqlite3_finalize(row);
  };
  const auto integer = [](sqlite3_stmt* row, int column) -> std::optional<int64_t> {
    if (sqlite3_column_type(row, column) == SQLITE_NULL) return std::nullopt;
    return sqlite3_column_int64(row, column);
  };
  const auto text = [](sqlite3_stmt* row, int column) -> std::optional<std::string> {
    if (sqlite3_column_type(row, column) == SQLITE_NULL) return std::nullopt;
    return std::string(reinterpret_cast<const char*>(sqlite3_column_text(row, column)));
  };
  RawTrace raw;
  each("SELECT N.rowid, N.start, N.end, N.eventType, ifnull(S.value, N.text), N.globalTid, N.endGlobalTid, N.domainId "
       "FROM NVTX_EVENTS N LEFT JOIN StringIds S ON S.id = N.textId",
       [&](sqlite3_stmt* row) {
         raw.events.push_back({*integer(row, 0), *integer(row, 1), integer(row, 2), *integer(row, 3), text(row, 4),
                               integer(row, 5).value_or(0), integer(row, 6), integer(row, 7)});
       });
  if (has("CUPTI_ACTIVITY_KIND_RUNTIME", "start")) {
    each("SELECT R.start, R.end, R.globalTid, R.correlationId, S.value FROM CUPTI_ACTIVITY_KIND_RUNTIME R LEFT JOIN "
         "StringIds S ON S.id = R.nameId",
         [&](sqlite3_stmt* row) {
           raw.calls.push_back({*integer(row, 0), *integer(row, 1), integer(row, 2).value_or(0), integer(row, 3),
                                text(row, 4).value_or("")});
         });
  }
  const std::string tables[] = {"KERNEL", "MEMCPY", "MEMSET"};
  const std::string columns[] = {"(SELECT value FROM StringIds WHERE id = demangledName), NULL, NULL, NULL, NULL",
                                 "NULL, bytes, copyKind, srcKind, dstKind", "NULL, bytes, NULL, memKind, NULL"};
  for (size_t kind = 0; kind < 3; ++kind) {
    const std::string table = "CUPTI_ACTIVITY_KIND_" + tables[kind];
    if (!has(table, "start")) continue;
    each("SELECT start, end, correlationId, globalPid, deviceId, contextId, streamId, " + columns[kind] +
             (has(table, "graphNodeId") ? ", graphNodeId" : ", NULL") + " FROM " + table,
         [&](sqlite3_stmt* row) {
           RawOperation operation;
           operation.kind = static_cast<model::OperationKind>(kind);
           operation.start = *integer(row, 0);
           operation.end = *integer(row, 1);
           operation.correlation = integer(row, 2);
           operation.global_pid = integer(row, 3);
           operation.device = *integer(row, 4);
           operation.context = *integer(row, 5);
           operation.stream = *integer(row, 6);
           operation.name = text(row, 7).value_or("");
           operation.unknown_bytes = !integer(row, 8);
           operation.bytes = integer(row, 8).value_or(0);
           operation.unknown_copy_kind = !integer(row, 9);
           operation.copy_kind = integer(row, 9).value_or(0);
           operation.source_kind = integer(row, 10).value_or(-1);
           operation.destination_kind = integer(row, 11).value_or(-1);
           operation.graph_node = integer(row, 12);
           raw.operations.push_back(operation);
         });
  }
  if (has("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "start")) {
    each("SELECT start, end, correlationId, globalPid, syncType FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
         [&](sqlite3_stmt* row) {
           raw.synchronisations.push_back(
               {*integer(row, 0), *integer(row, 1), integer(row, 2), integer(row, 3), *integer(row, 4)});
         });
  }
  sqlite3_close(database);
  return raw;
}

bool RowIdsMatter(const RawTrace& raw, bool push_pop_only) {
  int64_t horizon = INT64_MIN;
  std::vector<RawEvent> ranges;
  for (const RawEvent& event : raw.events) {
    if (push_pop_only ? event.type != 59 && event.type != 70 : !IsRange(event)) continue;
    ranges.push_back(event);
    horizon = std::max({horizon, event.start, event.end.value_or(event.start)});
  }
  for (RawEvent& range : ranges) range.end = range.end.value_or(horizon);
  const auto contains = [](const RawEvent& a, const RawEvent& b) {
    return a.global_tid == b.global_tid && a.start <= b.start && *a.end >= *b.end;
  };
  for (const RawEvent& a : ranges) {
    for (const RawEvent& b : ranges) {
      if (a.start == b.start || *a.end - a.start != *b.end - b.start) continue;
      for (const RawEvent& inner : ranges) {
        if (contains(a, inner) && contains(b, inner)) return true;
      }
    }
  }
  return false;
}

}  // namespace rangewise::test
