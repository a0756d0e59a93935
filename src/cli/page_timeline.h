// Owns the timeline of a run's page: which iterations it shows, and reading the export for it.
#pragma once

#include "base/result.h"
#include "cli/analysis_source.h"
#include "cli/page_making.h"
#include "model/timeline.h"

namespace rangewise::cli {

// The slowest, the median and the first iteration by host time. A timeline that cannot be drawn
// says why; an export that is there and cannot be read is an error.
Result<model::Timeline> TimelineOf(const PageRequest& request, const AnalysisSource& source);

}  // namespace rangewise::cli
