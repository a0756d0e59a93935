// Owns loading a SQLite export of Nsight Systems (2020 to 2026) as a model::Trace. The .sqlite is a documented
// format of NVIDIA's; the .nsys-rep it came from is never opened.
#pragma once

#include <filesystem>

#include "base/diagnostics.h"
#include "base/result.h"
#include "model/trace.h"

namespace rangewise::ingest {

struct ExportOptions {
  int threads = 0;              // 0: as many as there are cores
  uint64_t rows_per_task = 65536;  // how finely tables are cut for reading in parallel
  bool gpu_work = false;        // also all API calls, whole graphs, and each operation's group
};

struct LoadedExport {
  model::Trace trace;
  model::ExportInfo info;
};

// Whether LoadExport would get as far as reading rows: the errors of a file that is no export, or not whole.
Status ProbeExport(const std::filesystem::path& path);

// Reads the tables that the four reports need, in parallel. Errors: kReadFailed, kNotAnExport, kExportIncomplete,
// kExportLocked, kExportDamaged, kMissingColumn, kBadInteger (a value or time that cannot be), kInterrupted.
// Warnings: kExportTableMissing, for a secondary table without which nsys would make no GPU trace and we do;
// kThreadlessRanges.
Result<LoadedExport> LoadExport(const std::filesystem::path& path, const ExportOptions& options,
                                Diagnostics& diagnostics);

}  // namespace rangewise::ingest
