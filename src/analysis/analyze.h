// Owns the analysis: rows of the report tables to a model::Analysis, by the rules of
// docs/semantics.md. Pure: no files, no clock, no environment; the result does not depend on row
// order or thread count.
#pragma once

#include "base/diagnostics.h"
#include "base/result.h"
#include "model/analysis.h"
#include "model/rows.h"
#include "model/run.h"

namespace rangewise::analysis {

struct AnalyzeOptions {
  int threads = 0;  // 0: as many as there are cores
};

// Errors: kNoHostRanges, kCaptureRangeMissing, kCaptureRangeAmbiguous, kDuplicateRange,
// kDuplicateIteration, kIterationIndexTooLarge, kRangeCycle, kTotalOverflow, kBadPattern. Warnings:
// kMissingIterations, kUnexpectedIterations, kMissingHostIterations, kMissingGpuProjection,
// kMissingGpuCaptureRange, kSingleIteration, kNegativeDuration, kCaptureNameReused,
// kOrphanedGpuRanges.
Result<model::Analysis> Analyze(const model::ReportTables& tables, const model::Harness& harness,
                                const AnalyzeOptions& options, Diagnostics& diagnostics);

}  // namespace rangewise::analysis
