// Owns NVIDIA's four report tables computed from a trace: the bytes that `nsys stats --format csv:mem=B` prints
// (docs/reports.md; newer dialect), and the same rows for the analysis, so that no one reads the CSV back.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "base/files.h"
#include "base/result.h"
#include "model/coverage.h"
#include "model/gpu_activity.h"
#include "model/rows.h"
#include "model/trace.h"

namespace rangewise::tables {

// Where each table goes. All are written to, one after another.
struct TableOutputs {
  Output* push_pop = nullptr;
  Output* projection = nullptr;
  Output* kernel_summary = nullptr;
  Output* gpu_trace = nullptr;
};

struct ComputeOptions {
  int threads = 0;                           // 0: as many as there are cores
  std::optional<std::string> capture_range;  // the range whose coverage is counted apart
  bool gpu_work = false;  // also what GPU work per range is made from; the trace must have been loaded for it
  // Called with the name of each step as it begins: "tree", "projection", "gpu work", "write".
  std::function<void(std::string_view)> on_step;
};

struct ComputedTables {
  model::ReportTables tables;
  // Why a table is empty, for those that are: a report that does not apply is an empty file.
  std::map<model::Report, std::string> empty;
  model::Coverage coverage;
  std::optional<model::GpuActivity> activity;  // when it was asked for, and could be made
  std::string no_activity;                     // why it could not
};

// Consumes the trace; its parts are freed as they become rows. The bytes do not depend on the thread count.
// Errors: kTotalOverflow, kInterrupted. Warnings: kIdenticalRanges, kOpenRanges, kCrossThreadRanges,
// kCudaGraphLaunches, kDomainCreatedTwice, kUnattributedGpuWork, kInvalidUtf8, kCopyKindMissing.
Result<ComputedTables> ComputeTables(model::Trace trace, const TableOutputs& outputs, const ComputeOptions& options,
                                     Diagnostics& diagnostics);

}  // namespace rangewise::tables
