// Owns putting what the scanning workers found together as one trace: their own ids become the trace's, and names
// get their domain. The result does not depend on which worker read what, but for the order of interning.
#pragma once

#include <vector>

#include "ingest/export_scan.h"
#include "model/trace.h"

namespace rangewise::ingest {

// Moves the operations of `chunks` (in table order) to the end of trace.operations, and their bytes to the end of
// trace.memory_bytes. `shape_maps` and `process_maps` hold, per worker, what MergeShapes and MergeProcesses made.
void MoveOperations(std::vector<OperationChunk>& chunks, const std::vector<std::vector<uint32_t>>& shape_maps,
                    const std::vector<std::vector<uint32_t>>& process_maps, model::Trace& trace);

// Per worker: its shapes' places in trace.shapes, kernel names interned in trace.names.
std::vector<std::vector<uint32_t>> MergeShapes(const std::vector<ScanWorker>& workers,
                                               const ExportStrings& strings, model::Trace& trace);
// Per worker: its processes' places in trace.processes (ascending).
std::vector<std::vector<uint32_t>> MergeProcesses(const std::vector<ScanWorker>& workers, model::Trace& trace);
// Per worker: its threads' places in trace.threads (ascending).
std::vector<std::vector<uint32_t>> MergeThreads(const std::vector<ScanWorker>& workers, model::Trace& trace);

// Fills ranges, range_begin, the horizons and what there is to say of domains.
void MergeRanges(std::vector<RangeChunk>& chunks, const std::vector<ScanWorker>& workers,
                 const std::vector<std::vector<uint32_t>>& thread_maps, const ExportStrings& strings,
                 model::Trace& trace);

// Fills calls, call_begin, the groups' call counts and what there is to say of graph launches.
void MergeCalls(std::vector<CallChunk>& chunks, const std::vector<std::vector<uint32_t>>& thread_maps,
                const ExportStrings& strings, model::Trace& trace);

}  // namespace rangewise::ingest
