// Owns getting the tables that a plan speaks of into the output folder and into memory: asking
// nsys, running our own engine over an export, or reading the CSVs that are there. New tables, and
// the export they came with, are put in place only when all are whole; the caller holds the output
// folder's lock.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "base/result.h"
#include "cli/report_source.h"
#include "cli/run_files.h"
#include "ingest/nsys.h"
#include "model/coverage.h"
#include "model/gpu_activity.h"
#include "model/rows.h"

namespace rangewise::cli {

struct MakingOptions {
  std::optional<std::string> capture_range;  // whose coverage is counted apart
  int threads = 0;
  bool may_write = true;                          // false: CSVs stay where they are
  bool gpu_work = true;                           // also what GPU work per range is made from
  ingest::ProgressSink progress;                  // another tool's output
  std::function<void(std::string_view)> on_step;  // the name of each step of ours as it begins
};

struct MadeTables {
  TableOrigin origin;
  model::ReportTables tables;
  std::map<model::Report, Fingerprint> fingerprints;
  std::optional<model::Coverage> coverage;    // when an export was read
  std::optional<std::string> session_start;   // as the export has it
  std::optional<model::GpuActivity> activity;  // when an export was read and it was asked for
  std::string no_activity;                     // why there is none
  std::map<std::string, Fingerprint> inputs;  // further files that were read: the export
};

// Runs the plan. Warnings go to `diagnostics`.
Result<MadeTables> MakeTables(const SourcePlan& plan, const RunFiles& files,
                              const MakingOptions& options, Diagnostics& diagnostics);

// The origin of the CSVs that the plan found, as `check` looks at them.
Result<TableOrigin> OriginOfTables(const SourcePlan& plan);

}  // namespace rangewise::cli
