// Owns the small tables of an export: who wrote it and when, names of GPUs, labels of enumerations.
#pragma once

#include "base/result.h"
#include "format/sqlite.h"
#include "ingest/export_schema.h"
#include "model/trace.h"

namespace rangewise::ingest {

// Versions and session start, as far as the export says.
Result<model::ExportInfo> ReadExportInfo(format::Database& database, const ExportSchema& schema);

// Fills gpus, the labels, has_gpu_names and has_green_contexts.
Status ReadLabels(format::Database& database, const ExportSchema& schema, model::Trace& trace);

// The number of rows of graph-level tracing.
Result<uint64_t> CountGraphRecords(format::Database& database, const ExportSchema& schema);

}  // namespace rangewise::ingest
