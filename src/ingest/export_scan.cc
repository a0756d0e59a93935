#include "ingest/export_scan.h"

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "ingest/cuda_calls.h"

namespace rangewise::ingest {
namespace {

using format::Statement;
using model::kNullInteger;
using Step = Statement::Step;

// Event types of NVTX_EVENTS (REPORTS: the export's enumeration of event types).
constexpr int64_t kPushPopRange = 59;
constexpr int64_t kStartEndRange = 60;
constexpr int64_t kImportedPushPopRange = 70;
constexpr int64_t kImportedStartEndRange = 71;
constexpr int64_t kDomainCreate = 75;

// Times stay below this, so that the difference of any two fits 64 bits.
constexpr int64_t kTimeLimit = int64_t{1} << 62;
bool Outside(int64_t time_ns) { return time_ns >= kTimeLimit || time_ns <= -kTimeLimit; }

constexpr uint64_t kMostSpans = uint64_t{1} << 14;

}  // namespace

size_t ShapeHash::operator()(const model::OperationShape& shape) const {
  static_assert(offsetof(model::OperationShape, name) == 16 * sizeof(int64_t));
  const std::string_view numbers(reinterpret_cast<const char*>(&shape), offsetof(model::OperationShape, name));
  return Hash64(numbers) ^ (uint64_t{static_cast<uint32_t>(shape.name)} << 2) ^ static_cast<uint64_t>(shape.kind);
}

Result<std::vector<RowSpan>> SplitTable(format::Database& database, std::string_view table, uint64_t rows) {
  const std::string name = format::QuotedIdentifier(table);
  if (!database.Prepare(Format("SELECT rowid FROM {}", name)).ok()) {
    Error error{.code = Code::kExportDamaged,
                .message = table == kRangeTable
                               ? "the table has no row numbers, which an export's RangeIds are"
                               : "the table has no row numbers, by which it is read"};
    error.where.table = std::string(table);
    error.hint = "export the trace anew: nsys export --type sqlite TRACE.nsys-rep";
    return error;
  }
  ASSIGN_OR_RETURN(Statement ends, database.Prepare(Format(
      "SELECT (SELECT min(rowid) FROM {}), (SELECT max(rowid) FROM {})", name, name)));
  if (ends.Next() != Step::kRow) return database.Failure();
  std::vector<RowSpan> spans;
  if (ends.IsNull(0) || ends.IsNull(1)) return spans;
  const int64_t first = ends.Integer(0);
  const int64_t last = ends.Integer(1);
  // Rowids may lie anywhere in 64 bits, so distances are unsigned.
  const uint64_t distance = static_cast<uint64_t>(last) - static_cast<uint64_t>(first);
  const uint64_t step = std::max(rows, distance / kMostSpans + 1);
  for (uint64_t offset = 0;; offset += step) {
    const uint64_t rest = distance - offset;
    const uint64_t length = std::min(step - 1, rest);
    const auto begin = static_cast<int64_t>(static_cast<uint64_t>(first) + offset);
    spans.push_back({begin, static_cast<int64_t>(static_cast<uint64_t>(begin) + length)});
    if (rest < step) return spans;
  }
}

uint32_t GroupIndex::Place(uint32_t process, int64_t correlation_id, uint32_t fresh) {
  PerProcess& ids = per_process_[process];
  if (ids.dense.empty()) return ids.sparse.FindOrAdd(correlation_id, fresh);
  uint32_t& place =
      ids.dense[static_cast<size_t>(static_cast<uint64_t>(correlation_id) - static_cast<uint64_t>(ids.lowest))];
  if (place == UINT32_MAX) place = fresh;
  return place;
}

void GroupIndex::Build(const std::vector<model::GpuOperation>& operations, std::vector<LinkedRow>& linked,
                       const std::vector<int64_t>& processes, std::vector<model::OperationGroup>& groups,
                       std::vector<uint32_t>* of_operation) {
  struct Extent {
    int64_t lowest = INT64_MAX;
    int64_t highest = INT64_MIN;
    uint64_t count = 0;
  };
  const auto has_group = [](uint32_t process, int64_t correlation_id) {
    return process != UINT32_MAX && correlation_id != kNullInteger;
  };
  std::vector<Extent> extents(processes.size());
  const auto extend = [&](uint32_t process, int64_t correlation_id) {
    if (!has_group(process, correlation_id)) return;
    Extent& extent = extents[process];
    extent.lowest = std::min(extent.lowest, correlation_id);
    extent.highest = std::max(extent.highest, correlation_id);
    ++extent.count;
  };
  for (const model::GpuOperation& operation : operations) extend(operation.process, operation.correlation_id);
  for (const LinkedRow& row : linked) extend(row.process, row.correlation_id);
  per_process_.resize(processes.size());
  for (uint32_t i = 0; i < processes.size(); ++i) {
    places_.FindOrAdd(processes[i], i);
    if (extents[i].count == 0) continue;
    const uint64_t distance =
        static_cast<uint64_t>(extents[i].highest) - static_cast<uint64_t>(extents[i].lowest);
    // An id per API call, not per operation: a few times as many ids as operations are normal.
    if (distance >= 1024 + 4 * extents[i].count) continue;
    per_process_[i].lowest = extents[i].lowest;
    per_process_[i].dense.assign(static_cast<size_t>(distance) + 1, UINT32_MAX);
  }
  if (of_operation != nullptr) of_operation->reserve(operations.size());
  for (const model::GpuOperation& operation : operations) {
    if (!has_group(operation.process, operation.correlation_id)) {
      if (of_operation != nullptr) of_operation->push_back(model::kNoGroup);
      continue;
    }
    const auto fresh = static_cast<uint32_t>(groups.size());
    const uint32_t group = Place(operation.process, operation.correlation_id, fresh);
    if (of_operation != nullptr) of_operation->push_back(group);
    if (group == fresh) {
      groups.push_back({operation.start_ns, operation.end_ns, 1, 0});
      continue;
    }
    model::OperationGroup& known = groups[group];
    known.first_start_ns = std::min(known.first_start_ns, operation.start_ns);
    known.last_end_ns = std::max(known.last_end_ns, operation.end_ns);
    ++known.operations;
  }
  for (LinkedRow& row : linked) {
    if (!has_group(row.process, row.correlation_id)) continue;
    const auto fresh = static_cast<uint32_t>(groups.size());
    row.record.group = Place(row.process, row.correlation_id, fresh);
    if (row.record.group == fresh) groups.push_back({});
  }
}

Result<ScanWorker> ScanWorker::Open(const std::filesystem::path& path, const ExportSchema& schema,
                                    const ExportStrings& strings) {
  ASSIGN_OR_RETURN(format::Database database, format::Database::OpenReadOnly(path));
  return ScanWorker(std::move(database), path.string(), schema, strings);
}

Result<Statement*> ScanWorker::Query(std::string_view table, const std::vector<std::string>& columns) {
  const auto known = queries_.find(table);
  if (known != queries_.end()) {
    known->second.Reset();
    return &known->second;
  }
  std::string sql = "SELECT each_row(rowid";
  for (const std::string& column : columns) {
    sql += ", " + (schema_->Has(table, column) ? format::QuotedIdentifier(column) : std::string("NULL"));
  }
  sql += ") FROM " + format::QuotedIdentifier(table) + " WHERE rowid BETWEEN ?1 AND ?2";
  ASSIGN_OR_RETURN(Statement statement, database_.Prepare(sql));
  return &queries_.emplace(std::string(table), std::move(statement)).first->second;
}

std::string ScanWorker::ValueFound(std::string_view table, const std::string& column, int64_t row) {
  constexpr size_t kShown = 40;
  const std::string name = format::QuotedIdentifier(column);
  Result<Statement> query = database_.Prepare(Format("SELECT lower(typeof({})), {} FROM {} WHERE rowid = ?1", name,
                                                     name, format::QuotedIdentifier(table)));
  if (!query.ok()) return Format("{} is unreadable", Quoted(column));
  query->Bind(1, row);
  if (query->Next() != Step::kRow) return Format("{} is unreadable", Quoted(column));
  if (query->IsNull(1)) return Format("{} is NULL", Quoted(column));
  const std::string_view value = query->Text(1);
  return Format("{} is the {} {}{}", Quoted(column), query->Text(0), Quoted(value.substr(0, kShown)),
                value.size() > kShown ? ", cut" : "");
}

Error ScanWorker::BadValue(std::string_view table, const std::vector<std::string>& columns, uint64_t bad,
                           int64_t row) {
  std::string found;
  for (size_t i = 0; i < columns.size(); ++i) {
    const bool is_bad = bad == 0 ? columns[i] == "start" || columns[i] == "end" : (bad >> (i + 1) & 1) != 0;
    if (is_bad) found += (found.empty() ? "" : ", ") + ValueFound(table, columns[i], row);
  }
  Error error{.code = Code::kBadInteger,
              .message = found + (bad == 0 ? "; times within 2^62 ns were expected" : "; an integer was expected")};
  error.where.file = file_;
  error.where.table = std::string(table);
  error.where.row = row;
  error.hint = "export the trace anew: nsys export --type sqlite TRACE.nsys-rep";
  return error;
}

uint32_t ScanWorker::ThreadOf(int64_t global_tid) {
  if (global_tid == last_tid_) return last_thread_;
  const auto fresh = static_cast<uint32_t>(threads.size());
  const uint32_t id = thread_ids_.FindOrAdd(global_tid, fresh);
  if (id == fresh) threads.push_back(global_tid);
  last_tid_ = global_tid;
  last_thread_ = id;
  return id;
}

uint32_t ScanWorker::ProcessOf(int64_t global_pid) {
  if (global_pid == kNullInteger) return UINT32_MAX;
  if (!processes.empty() && processes.back() == global_pid) {
    return static_cast<uint32_t>(processes.size() - 1);
  }
  const auto fresh = static_cast<uint32_t>(processes.size());
  const uint32_t id = process_ids_.FindOrAdd(global_pid, fresh);
  if (id == fresh) processes.push_back(global_pid);
  return id;
}

uint32_t ScanWorker::NameOf(int64_t domain, int64_t global_tid, bool inline_text, model::NameId text) {
  uint32_t slot = 0;
  if (domain != kNullInteger) {
    const std::pair<int64_t, int64_t> key{domain, model::ProcessId(global_tid)};
    if (key != last_domain_) {
      const auto fresh = static_cast<uint32_t>(domain_slots.size());
      const auto [place, added] = slot_ids_.emplace(key, fresh);
      if (added) domain_slots.push_back(key);
      last_domain_ = key;
      last_slot_ = place->second;
    }
    slot = last_slot_;
  }
  const uint64_t key = uint64_t{slot} << 33 | uint64_t{inline_text} << 32 | static_cast<uint32_t>(text);
  const auto fresh = static_cast<uint32_t>(range_names.size());
  const uint32_t id = name_ids_.FindOrAdd(static_cast<int64_t>(key), fresh);
  if (id == fresh) range_names.push_back({slot, inline_text, text});
  return id;
}

uint32_t ScanWorker::ShapeOf(const model::OperationShape& shape) {
  // What differs most between a trace's operations; the table below tells the rest apart.
  const uint64_t key = static_cast<uint32_t>(shape.name) ^ static_cast<uint64_t>(shape.grid[0]) * 0x9E3779B97F4A7C15u ^
                       static_cast<uint64_t>(shape.grid[1]) * 0xC2B2AE3D27D4EB4Fu ^
                       (static_cast<uint64_t>(shape.block[0]) ^ static_cast<uint64_t>(shape.stream) << 8 ^
                        static_cast<uint64_t>(shape.source_kind) << 16) *
                           0x165667B19E3779F9u;
  if (recent_shapes_.empty()) recent_shapes_.resize(4096, UINT32_MAX);
  uint32_t& recent = recent_shapes_[(key ^ key >> 32) % recent_shapes_.size()];
  if (recent != UINT32_MAX && shapes[recent] == shape) return recent;
  const auto [place, added] = shape_ids_.emplace(shape, static_cast<uint32_t>(shapes.size()));
  if (added) shapes.push_back(shape);
  recent = place->second;
  return recent;
}

Status ScanWorker::ScanRanges(RowSpan span, RangeChunk& chunk) {
  static const std::vector<std::string> kColumns = {"start",        "end",    "eventType", "text", "globalTid",
                                                    "endGlobalTid", "textId", "domainId"};
  ASSIGN_OR_RETURN(Statement * query, Query(kRangeTable, kColumns));
  query->Bind(1, span.first);
  query->Bind(2, span.last);
  std::optional<Error> failure;
  RETURN_IF_ERROR(database_.EachRow(*query, [&](const format::RowView row) {
    uint64_t bad = 0;
    const int64_t type = row.RequiredInteger(3, bad);
    const bool push_pop = type == kPushPopRange || type == kImportedPushPopRange;
    const bool start_end = type == kStartEndRange || type == kImportedStartEndRange;
    if (!push_pop && !start_end && type != kDomainCreate && bad == 0) return true;
    const int64_t start = row.RequiredInteger(1, bad);
    const int64_t end = row.OptionalInteger(2, kNullInteger, bad);
    const int64_t global_tid = row.OptionalInteger(5, kNullInteger, bad);
    const bool ends_elsewhere = row.OptionalInteger(6, kNullInteger, bad) != kNullInteger;
    const int64_t text_id = row.OptionalInteger(7, kNullInteger, bad);
    const int64_t domain = row.OptionalInteger(8, kNullInteger, bad);
    if (bad != 0 || Outside(start) || (end != kNullInteger && Outside(end))) {
      failure = BadValue(kRangeTable, kColumns, bad, row.Integer(0));
      return false;
    }
    // A registered string wins over inline text; a string id without a string falls back to it.
    model::NameId text = text_id == kNullInteger ? model::kNoName : strings_->Find(text_id);
    const bool inline_text = text == model::kNoName && !row.IsNull(4);
    if (type == kDomainCreate) {
      if (global_tid == kNullInteger || domain == kNullInteger) return true;
      chunk.domains.push_back({domain, global_tid, start,
                               std::string(inline_text              ? row.Text(4)
                                           : text == model::kNoName ? std::string_view()
                                                                    : strings_->At(text))});
      return true;
    }
    const int64_t latest = end == kNullInteger ? start : std::max(start, end);
    chunk.horizon_ns = std::max(chunk.horizon_ns, latest);
    if (push_pop) chunk.push_pop_horizon_ns = std::max(chunk.push_pop_horizon_ns, latest);
    if (global_tid == kNullInteger) {
      ++chunk.threadless;
      return true;
    }
    if (inline_text) text = texts.Intern(row.Text(4));
    model::TraceRange& range = chunk.ranges.emplace_back();
    range.start_ns = start;
    range.end_ns = end;
    range.row_id = row.Integer(0);
    range.name = model::NameId{NameOf(domain, global_tid, inline_text, text)};
    range.thread = ThreadOf(global_tid) & (model::kMaxThreads - 1);
    range.open = end == kNullInteger;
    range.start_end = start_end;
    range.ends_elsewhere = ends_elsewhere;
    return true;
  }));
  if (failure) return *std::move(failure);
  return Ok();
}

Status ScanWorker::ScanOperations(model::OperationKind kind, RowSpan span, OperationChunk& chunk) {
  // The columns from the ninth on are a kernel's, a copy's or a set's own.
  static const std::vector<std::string> kKernelColumns = {
      "start",     "end",           "deviceId",   "contextId", "greenContextId", "streamId",
      "correlationId", "globalPid", "demangledName", "registersPerThread", "gridX", "gridY",
      "gridZ",     "blockX",        "blockY",     "blockZ",    "staticSharedMemory",
      "dynamicSharedMemory"};
  static const std::vector<std::string> kCopyColumns = {
      "start",         "end",       "deviceId", "contextId", "greenContextId", "streamId",
      "correlationId", "globalPid", "bytes",    "copyKind",  "srcKind",        "dstKind"};
  static const std::vector<std::string> kSetColumns = {
      "start",         "end",       "deviceId", "contextId", "greenContextId", "streamId",
      "correlationId", "globalPid", "bytes",    "memKind"};
  using model::OperationKind;
  const std::string_view table = kind == OperationKind::kKernel ? kKernelTable
                                 : kind == OperationKind::kCopy ? kCopyTable
                                                                : kSetTable;
  std::vector<std::string> columns = kind == OperationKind::kKernel ? kKernelColumns
                                     : kind == OperationKind::kCopy ? kCopyColumns
                                                                    : kSetColumns;
  const int graph_node = static_cast<int>(columns.size()) + 1;
  if (reads_graph_nodes_) columns.emplace_back("graphNodeId");
  ASSIGN_OR_RETURN(Statement * query, Query(table, columns));
  query->Bind(1, span.first);
  query->Bind(2, span.last);
  uint32_t last_shape = UINT32_MAX;
  std::optional<Error> failure;
  RETURN_IF_ERROR(database_.EachRow(*query, [&](const format::RowView row) {
    uint64_t bad = 0;
    model::GpuOperation operation;
    model::OperationShape shape;
    shape.kind = kind;
    operation.start_ns = row.RequiredInteger(1, bad);
    operation.end_ns = row.RequiredInteger(2, bad);
    shape.device = row.OptionalInteger(3, kNullInteger, bad);
    shape.context = row.OptionalInteger(4, kNullInteger, bad);
    shape.green_context = row.OptionalInteger(5, kNullInteger, bad);
    shape.stream = row.OptionalInteger(6, kNullInteger, bad);
    operation.correlation_id = row.OptionalInteger(7, kNullInteger, bad);
    operation.process = ProcessOf(row.OptionalInteger(8, kNullInteger, bad));
    if (kind == OperationKind::kKernel) {
      const int64_t name = row.OptionalInteger(9, kNullInteger, bad);
      shape.name = name == kNullInteger ? model::kNoName : strings_->Find(name);
      shape.registers = row.OptionalInteger(10, kNullInteger, bad);
      for (int i = 0; i < 3; ++i) {
        shape.grid[static_cast<size_t>(i)] = row.OptionalInteger(11 + i, kNullInteger, bad);
        shape.block[static_cast<size_t>(i)] = row.OptionalInteger(14 + i, kNullInteger, bad);
      }
      shape.static_memory = row.OptionalInteger(17, kNullInteger, bad);
      shape.dynamic_memory = row.OptionalInteger(18, kNullInteger, bad);
    } else {
      chunk.bytes.push_back(row.OptionalInteger(9, kNullInteger, bad));
      if (kind == OperationKind::kCopy) {
        shape.copy_kind = row.OptionalInteger(10, kNullInteger, bad);
        shape.source_kind = row.OptionalInteger(11, kNullInteger, bad);
        shape.destination_kind = row.OptionalInteger(12, kNullInteger, bad);
      } else {
        shape.source_kind = row.OptionalInteger(10, kNullInteger, bad);
      }
    }
    if (reads_graph_nodes_) shape.from_graph = !row.IsNull(graph_node);
    if (bad != 0 || Outside(operation.start_ns) || Outside(operation.end_ns)) {
      failure = BadValue(table, columns, bad, row.Integer(0));
      return false;
    }
    if (last_shape == UINT32_MAX || !(shapes[last_shape] == shape)) last_shape = ShapeOf(shape);
    operation.shape = last_shape;
    if (operation.end_ns < operation.start_ns) ++chunk.negative_durations;
    if (kind != OperationKind::kKernel && chunk.bytes.back() < 0 && chunk.bytes.back() != kNullInteger) {
      ++chunk.negative_bytes;
    }
    chunk.operations.push_back(operation);
    return true;
  }));
  if (failure) return *std::move(failure);
  return Ok();
}

model::CallClass ScanWorker::ClassOf(model::NameId name) {
  if (name == model::kNoName) return model::CallClass::kOther;
  const auto at = static_cast<size_t>(static_cast<uint32_t>(name));
  if (at >= call_classes_.size()) call_classes_.resize(at + 1, kUnclassed);
  if (call_classes_[at] == kUnclassed) call_classes_[at] = static_cast<uint8_t>(ClassifyCall(strings_->At(name)));
  return static_cast<model::CallClass>(call_classes_[at]);
}

Status ScanWorker::ScanCalls(RowSpan span, const GroupIndex& index,
                             const std::vector<model::OperationGroup>& groups, bool all, CallChunk& chunk) {
  static const std::vector<std::string> kColumns = {"start", "end", "globalTid", "correlationId"};
  static const std::vector<std::string> kColumnsWithName = {"start", "end", "globalTid", "correlationId",
                                                            "nameId"};
  const std::vector<int64_t>& graph_ids = strings_->graph_launch_ids();
  const std::vector<std::string>& columns = graph_ids.empty() && !all ? kColumns : kColumnsWithName;
  ASSIGN_OR_RETURN(Statement * query, Query(kCallTable, columns));
  query->Bind(1, span.first);
  query->Bind(2, span.last);
  int64_t last_pid = kNullInteger;
  uint32_t process = UINT32_MAX;
  std::optional<Error> failure;
  RETURN_IF_ERROR(database_.EachRow(*query, [&](const format::RowView row) {
    uint64_t bad = 0;
    const int64_t start = row.RequiredInteger(1, bad);
    const int64_t end = row.RequiredInteger(2, bad);
    const int64_t global_tid = row.OptionalInteger(3, kNullInteger, bad);
    const int64_t correlation_id = row.OptionalInteger(4, kNullInteger, bad);
    if (bad != 0 || Outside(start) || Outside(end)) {
      failure = BadValue(kCallTable, columns, bad, row.Integer(0));
      return false;
    }
    const int64_t global_pid = global_tid & ~model::kThreadBits;
    if (global_pid != last_pid || process == UINT32_MAX) {
      process = global_tid == kNullInteger ? UINT32_MAX : index.Process(global_pid);
      last_pid = global_pid;
    }
    uint32_t group = model::kNoGroup;
    if (process != UINT32_MAX && global_tid != kNullInteger && correlation_id != kNullInteger) {
      group = index.Group(process, correlation_id);
    }
    const bool launched = group != model::kNoGroup && groups[group].operations > 0;
    if (!launched && !graph_ids.empty() && row.IsInteger(5) &&
        std::find(graph_ids.begin(), graph_ids.end(), row.Integer(5)) != graph_ids.end()) {
      if (chunk.graph_launches++ == 0) chunk.graph_launch_name = row.Integer(5);
    }
    if (global_tid == kNullInteger || (group == model::kNoGroup && !all)) return true;
    model::ApiCall& call = chunk.calls.emplace_back();
    call.start_ns = start;
    call.end_ns = end;
    call.thread = ThreadOf(global_tid) & (model::kMaxThreads - 1);
    call.group = group;
    if (all) {
      chunk.names.push_back(row.IsInteger(5) ? strings_->Find(row.Integer(5)) : model::kNoName);
      call.call_class = ClassOf(chunk.names.back());
    }
    return true;
  }));
  if (failure) return *std::move(failure);
  return Ok();
}

Result<std::string> ScanWorker::ScanLinked(std::string_view table, std::vector<LinkedRow>& rows) {
  if (!schema_->Has(table)) return Format("the export has no table {}", table);
  static const std::vector<std::string> kColumns = {"start",    "end",           "correlationId", "globalPid",
                                                    "deviceId", "streamId",      "syncType"};
  for (size_t i = 0; i < 4; ++i) {
    if (!schema_->Has(table, kColumns[i])) return Format("the table {} has no column {}", table, kColumns[i]);
  }
  ASSIGN_OR_RETURN(Statement * query, Query(table, kColumns));
  query->Bind(1, INT64_MIN);
  query->Bind(2, INT64_MAX);
  const size_t before = rows.size();
  std::optional<int64_t> bad_row;
  RETURN_IF_ERROR(database_.EachRow(*query, [&](const format::RowView row) {
    uint64_t bad = 0;
    LinkedRow linked;
    linked.record.start_ns = row.RequiredInteger(1, bad);
    linked.record.end_ns = row.RequiredInteger(2, bad);
    linked.correlation_id = row.OptionalInteger(3, kNullInteger, bad);
    const int64_t global_pid = row.OptionalInteger(4, kNullInteger, bad);
    linked.record.device = row.OptionalInteger(5, kNullInteger, bad);
    linked.record.stream = row.OptionalInteger(6, kNullInteger, bad);
    linked.record.sync_type = row.OptionalInteger(7, kNullInteger, bad);
    if (bad != 0 || Outside(linked.record.start_ns) || Outside(linked.record.end_ns)) {
      bad_row = row.Integer(0);
      return false;
    }
    linked.process = ProcessOf(global_pid);
    rows.push_back(linked);
    return true;
  }));
  if (!bad_row) return std::string();
  rows.resize(before);
  return Format("the table {} has a value in row {} that is no time or number", table, *bad_row);
}

}  // namespace rangewise::ingest
