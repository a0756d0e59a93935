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
    shape.device = 0;
    shape.context = 1;
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
    const int64_t name = id_of("cudaLaunchKernel_v7000");
    for (const RawCall& call : raw.calls) insert(call.start)(call.end)(call.global_tid)(call.correlation)(name).Run();
  }
  const std::string tables[] = {"KERNEL", "MEMCPY", "MEMSET"};
  const std::string columns[] = {
      "demangledName INTEGER NOT NULL, registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL, gridY INTEGER NOT "
      "NULL, gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL, "
      "staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL",
      "bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL, srcKind INTEGER, dstKind INTEGER",
      "bytes INTEGER NOT NULL, memKind INTEGER"};
  const std::string values[] = {"?, 7, 1, 2, 3, 4, 5, 6, 8, 9", "?, ?, ?, ?", "?, ?"};
  for (size_t kind = 0; kind < 3; ++kind) {
    std::optional<Insert> insert;
    for (const RawOperation& operation : raw.operations) {
      if (static_cast<size_t>(operation.kind) != kind) continue;
      const std::string table = "CUPTI_ACTIVITY_KIND_" + tables[kind];
      if (!insert) {
        Execute(database, "CREATE TABLE " + table + " (" + kOperationColumns + columns[kind] + ")");
        insert.emplace(database, "INSERT INTO " + table + " VALUES (?, ?, 0, 1, NULL, ?, ?, ?, " + values[kind] + ")");
      }
      (*insert)(operation.start)(operation.end)(operation.stream)(operation.correlation)(operation.global_pid);
      if (kind == 0) {
        (*insert)(id_of(operation.name)).Run();
      } else if (kind == 1) {
        (*insert)(operation.bytes)(operation.copy_kind)(operation.source_kind)(operation.destination_kind).Run();
      } else {
        (*insert)(operation.bytes)(operation.source_kind).Run();
      }
    }
  }
  Execute(database, extra_sql + "; COMMIT");
  sqlite3_close_v2(database);  // it closes once `string` has let go of it
}

}  // namespace rangewise::test
