// Owns the analysis: rows of the report tables to a model::Analysis, by the rules of
// docs/semantics.md. Pure: no files, no clock, no environment; the result does not depend on row
// order or thread count.
#pragma once

#include <vector>

#include "analysis/range_filter.h"
#include "analysis/range_gpu_work.h"
#include "base/diagnostics.h"
#include "base/result.h"
#include "model/analysis.h"
#include "model/gpu_activity.h"
#include "model/rows.h"
#include "model/run.h"

namespace rangewise::analysis {

struct AnalyzeOptions {
  int threads = 0;  // 0: as many as there are cores
  // How names are grouped beside the raw ranges: rules in order, then numbers as '#'. Neither: no
  // grouped ranges.
  std::vector<model::NameRule> name_rules = {};
  bool mask_numbers = false;
  // The rows that groups are made of; null: all. Iterations and warnings are those of all rows, and
  // findings are not looked for then.
  const RangeSelection* selection = nullptr;
  // What an export says of GPU operations; null: Analysis::gpu_work stays absent, and why is for the
  // caller to say in no_gpu_work.
  const model::GpuActivity* gpu_activity = nullptr;
  GpuWorkOptions gpu_work = {};
};

// Errors: kNoHostRanges, kCaptureRangeMissing, kCaptureRangeAmbiguous, kDuplicateRange,
// kDuplicateIteration, kIterationIndexTooLarge, kRangeCycle, kTotalOverflow, kBadPattern (of the
// harness, of a name rule or of a class of GPU work). Warnings: kMissingIterations, kUnexpectedIterations,
// kMissingHostIterations, kMissingGpuProjection, kMissingGpuCaptureRange, kSingleIteration,
// kNegativeDuration, kCaptureNameReused, kOrphanedGpuRanges, kOverlappingRanges,
// kRuleMatchesNothing.
Result<model::Analysis> Analyze(const model::ReportTables& tables, const model::Harness& harness,
                                const AnalyzeOptions& options, Diagnostics& diagnostics);

}  // namespace rangewise::analysis
