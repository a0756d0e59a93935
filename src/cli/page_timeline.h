// Owns the timeline of a run's page: which iterations it shows, and reading the export for it.
#pragma once

#include "base/result.h"
#include "cli/analysis_source.h"
#include "cli/page_making.h"
#include "model/timeline.h"

namespace rangewise::cli {

// The slowest, the median and the first iteration by host time. A timeline that cannot be drawn says
// why, also where the export cannot be read. Errors: those of reading the run's tables; kInterrupted.
Result<model::Timeline> TimelineOf(const PageRequest& request, const AnalysisSource& source);

}  // namespace rangewise::cli
