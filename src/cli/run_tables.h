// Owns reading the tables that a run's analysis belongs to.
#pragma once

#include "base/result.h"
#include "cli/analyze_run.h"
#include "model/rows.h"

namespace rangewise::cli {

// From stats/; nothing is written. What the tables warn of the analysis has said.
Result<model::ReportTables> ReadTablesOf(const AnalyzeRequest& request);

}  // namespace rangewise::cli
