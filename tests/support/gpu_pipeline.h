// Owns running ingest, tables and analysis in process on an export, for tests of GPU work per
// range.
#pragma once

#include <filesystem>
#include <optional>

#include "base/diagnostics.h"
#include "model/analysis.h"
#include "support/gpu_reference.h"
#include "tables/engine_tables.h"

namespace rangewise::test {

struct GpuOutcome {
  tables::ComputedTables computed;
  Diagnostics diagnostics;
  std::optional<model::Analysis>
      analysis;  // absent: the host table is empty, or a step failed and the test with it

  bool has_work() const { return analysis && analysis->gpu_work; }
  const model::RangeGpuWork& work() const { return analysis->gpu_work.value(); }
  GpuSheets Sheets() const { return SheetsOf(*analysis, computed.tables.names); }
};

GpuOutcome RunGpuPipeline(const std::filesystem::path& path, const GpuReferenceOptions& options,
                          int threads = 1);

// Of the rows, written to a file of `folder` for the time being.
GpuOutcome RunGpuPipeline(const RawTrace& raw, const std::filesystem::path& folder,
                          const GpuReferenceOptions& options, int threads = 1,
                          const std::string& extra_sql = "");

}  // namespace rangewise::test
