#include "ingest/export_reader.h"

#include <algorithm>
#include <atomic>
#include <functional>

#include "base/interrupt.h"
#include "base/parallel.h"
#include "base/text.h"
#include "ingest/export_merge.h"
#include "ingest/export_metadata.h"
#include "ingest/export_scan.h"
#include "ingest/export_schema.h"
#include "ingest/export_strings.h"

namespace rangewise::ingest {
namespace {

using model::OperationKind;

// Runs tasks on the workers. Of several failures, that of the first task is returned, whatever ran
// first.
Status RunTasks(std::vector<ScanWorker>& workers, size_t tasks,
                const std::function<Status(ScanWorker&, int, size_t)>& body) {
  std::vector<std::optional<Error>> errors(tasks);
  std::atomic<size_t> first_failed{tasks};
  ParallelFor(static_cast<int>(workers.size()), tasks, [&](int worker, size_t task) {
    if (task > first_failed.load()) return;
    Status status = CheckInterrupt();
    if (status.ok()) status = body(workers[static_cast<size_t>(worker)], worker, task);
    if (status.ok()) return;
    errors[task] = std::move(status).error();
    size_t known = first_failed.load();
    while (task < known && !first_failed.compare_exchange_weak(known, task)) {
    }
  });
  for (std::optional<Error>& error : errors) {
    if (error) return *std::move(error);
  }
  return Ok();
}

struct TablePieces {
  std::vector<RowSpan> spans;
  std::vector<OperationChunk> chunks;
};

void WarnOfMissingTables(const model::Trace& trace, Diagnostics& diagnostics) {
  const bool any = trace.tables.kernels || trace.tables.copies || trace.tables.sets;
  if (any && trace.tables.ranges && !trace.tables.calls) {
    diagnostics.Warn(Code::kExportTableMissing,
                     "the export has no table CUPTI_ACTIVITY_KIND_RUNTIME; no GPU operation can be "
                     "attributed to a range");
  }
  if (any && !trace.has_gpu_names) {
    diagnostics.Warn(Code::kExportTableMissing,
                     "the export has no table TARGET_INFO_GPU; cuda_gpu_trace names no device");
  }
  if (trace.tables.copies && !trace.copy_labels) {
    diagnostics.Warn(
        Code::kExportTableMissing,
        "the export has no table ENUM_CUDA_MEMCPY_OPER; copies bear the well-known labels");
  }
  if ((trace.tables.copies || trace.tables.sets) && !trace.memory_labels) {
    diagnostics.Warn(
        Code::kExportTableMissing,
        "the export has no table ENUM_CUDA_MEM_KIND; memory kinds bear the well-known labels");
  }
  if (any && !trace.has_green_contexts) {
    diagnostics.Warn(
        Code::kExportTableMissing,
        "the export has no column greenContextId; GreenCtx is empty in cuda_gpu_trace");
  }
}

}  // namespace

Status ProbeExport(const std::filesystem::path& path) {
  RETURN_IF_ERROR(CheckExportFile(path));
  ASSIGN_OR_RETURN(format::Database database, format::Database::OpenReadOnly(path));
  ASSIGN_OR_RETURN(const ExportSchema schema, ReadExportSchema(database, path));
  return Ok();
}

Result<LoadedExport> LoadExport(const std::filesystem::path& path, const ExportOptions& options,
                                Diagnostics& diagnostics) {
  RETURN_IF_ERROR(CheckExportFile(path));
  ASSIGN_OR_RETURN(format::Database database, format::Database::OpenReadOnly(path));
  ASSIGN_OR_RETURN(const ExportSchema schema, ReadExportSchema(database, path));
  ASSIGN_OR_RETURN(const ExportStrings strings, ExportStrings::Load(database, schema));
  LoadedExport loaded;
  model::Trace& trace = loaded.trace;
  trace.tables = {.strings = schema.Has(kStringTable),
                  .ranges = schema.Has(kRangeTable),
                  .calls = schema.Has(kCallTable),
                  .kernels = schema.Has(kKernelTable),
                  .copies = schema.Has(kCopyTable),
                  .sets = schema.Has(kSetTable)};
  ASSIGN_OR_RETURN(loaded.info, ReadExportInfo(database, schema));
  RETURN_IF_ERROR(ReadLabels(database, schema, trace));
  ASSIGN_OR_RETURN(trace.findings.graph_records, CountGraphRecords(database, schema));

  const auto spans_of = [&](std::string_view table) -> Result<std::vector<RowSpan>> {
    if (!schema.Has(table)) return std::vector<RowSpan>{};
    auto spans = SplitTable(database, table, options.rows_per_task);
    if (spans.ok()) return spans;
    Error error = std::move(spans).error();
    error.where.file = path.string();
    return error;
  };
  // In the order of trace.operations.
  constexpr OperationKind kKinds[] = {OperationKind::kKernel, OperationKind::kCopy,
                                      OperationKind::kSet};
  const std::string_view operation_tables[] = {kKernelTable, kCopyTable, kSetTable};
  TablePieces operations[3];
  for (size_t kind = 0; kind < 3; ++kind) {
    ASSIGN_OR_RETURN(operations[kind].spans, spans_of(operation_tables[kind]));
    operations[kind].chunks.resize(operations[kind].spans.size());
  }
  ASSIGN_OR_RETURN(const std::vector<RowSpan> range_spans, spans_of(kRangeTable));
  ASSIGN_OR_RETURN(const std::vector<RowSpan> call_spans, spans_of(kCallTable));

  size_t tasks = range_spans.size();
  for (const TablePieces& pieces : operations) tasks += pieces.spans.size();
  const size_t most = std::max<size_t>(1, std::max(tasks, call_spans.size()));
  const size_t worker_count =
      std::min<size_t>(static_cast<size_t>(ThreadCount(options.threads)), most);
  std::vector<ScanWorker> workers;
  for (size_t i = 0; i < worker_count; ++i) {
    ASSIGN_OR_RETURN(ScanWorker worker, ScanWorker::Open(path, schema, strings));
    if (options.gpu_work) worker.ReadGraphNodes();
    workers.push_back(std::move(worker));
  }
  std::vector<LinkedRow> linked;
  size_t graphs = 0;
  if (options.gpu_work) {
    ASSIGN_OR_RETURN(trace.why_no_graphs, workers.front().ScanLinked(kGraphTable, linked));
    graphs = linked.size();
    ASSIGN_OR_RETURN(trace.why_no_synchronisations, workers.front().ScanLinked(kSyncTable, linked));
  }

  // First the operations, since calls are kept only if they launched one; ranges fill the other
  // threads.
  std::vector<RangeChunk> range_chunks(range_spans.size());
  RETURN_IF_ERROR(
      RunTasks(workers, tasks, [&](ScanWorker& worker, int number, size_t task) -> Status {
        for (size_t kind = 0; kind < 3; ++kind) {
          TablePieces& pieces = operations[kind];
          if (task < pieces.spans.size()) {
            pieces.chunks[task].worker = number;
            pieces.chunks[task].operations.reserve(std::min<size_t>(
                options.rows_per_task, static_cast<size_t>(pieces.spans[task].last) -
                                           static_cast<size_t>(pieces.spans[task].first) + 1));
            return worker.ScanOperations(kKinds[kind], pieces.spans[task], pieces.chunks[task]);
          }
          task -= pieces.spans.size();
        }
        range_chunks[task].worker = number;
        range_chunks[task].ranges.reserve(std::min<size_t>(
            options.rows_per_task, static_cast<size_t>(range_spans[task].last) -
                                       static_cast<size_t>(range_spans[task].first) + 1));
        return worker.ScanRanges(range_spans[task], range_chunks[task]);
      }));

  const auto shape_maps = MergeShapes(workers, strings, trace);
  const auto process_maps = MergeProcesses(workers, trace);
  for (LinkedRow& row : linked) {
    if (row.process != UINT32_MAX) row.process = process_maps.front()[row.process];
  }
  size_t operation_count = 0;
  for (const TablePieces& pieces : operations) {
    for (const OperationChunk& chunk : pieces.chunks) operation_count += chunk.operations.size();
  }
  trace.operations.reserve(operation_count);
  MoveOperations(operations[0].chunks, shape_maps, process_maps, trace);
  trace.kernel_count = trace.operations.size();
  MoveOperations(operations[1].chunks, shape_maps, process_maps, trace);
  trace.copy_count = trace.operations.size() - trace.kernel_count;
  MoveOperations(operations[2].chunks, shape_maps, process_maps, trace);

  std::vector<CallChunk> call_chunks(call_spans.size());
  {
    GroupIndex index;
    index.Build(trace.operations, linked, trace.processes, trace.groups,
                options.gpu_work ? &trace.operation_groups : nullptr);
    for (size_t i = 0; i < linked.size(); ++i) {
      (i < graphs ? trace.graphs : trace.synchronisations).push_back(linked[i].record);
    }
    RETURN_IF_ERROR(
        RunTasks(workers, call_spans.size(), [&](ScanWorker& worker, int number, size_t task) {
          call_chunks[task].worker = number;
          return worker.ScanCalls(call_spans[task], index, trace.groups, options.gpu_work,
                                  call_chunks[task]);
        }));
  }
  const auto thread_maps = MergeThreads(workers, trace);
  if (trace.threads.size() >= model::kMaxThreads) {
    return Error{.code = Code::kBadInteger,
                 .message = "the export has more threads than can be told apart"};
  }
  MergeRanges(range_chunks, workers, thread_maps, strings, trace);
  MergeCalls(call_chunks, thread_maps, strings, trace);

  WarnOfMissingTables(trace, diagnostics);
  if (trace.findings.negative_durations > 0) {
    const uint64_t count = trace.findings.negative_durations;
    diagnostics.Warn(Code::kNegativeDuration,
                     Format("{} before {}; the negative {} part in sums, and nothing of {} is busy time",
                            count == 1 ? std::string("1 GPU operation ends")
                                       : Grouped(static_cast<int64_t>(count)) + " GPU operations end",
                            count == 1 ? "it starts" : "they start",
                            count == 1 ? "duration takes" : "durations take",
                            count == 1 ? "it" : "them"));
  }
  if (trace.findings.negative_bytes > 0) {
    const uint64_t count = trace.findings.negative_bytes;
    diagnostics.Warn(Code::kNegativeBytes,
                     Format("{} fewer than 0 bytes in the export; totals of bytes hold {}",
                            count == 1 ? std::string("1 copy or memory set has")
                                       : Grouped(static_cast<int64_t>(count)) + " copies or memory sets have",
                            count == 1 ? "it" : "them"));
  }
  if (trace.findings.threadless_ranges > 0) {
    diagnostics.Warn(Code::kThreadlessRanges,
                     Format("{} ranges have no thread in the export and are left out",
                            Grouped(static_cast<int64_t>(trace.findings.threadless_ranges))));
  }
  return loaded;
}

}  // namespace rangewise::ingest
