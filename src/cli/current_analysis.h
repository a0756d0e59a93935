// Owns the question whether the analysis.json of a run still belongs to what the run holds, so that
// it can be read instead of made again.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "cli/run_files.h"
#include "model/analysis_file.h"

namespace rangewise::cli {

// The run's analysis.json, if the manifest, the tables and the export are those that it was made
// from (by size and hash), and the trace is still the one that the tables were made from; nothing
// when one of them differs, when it was made with other options for the harness, or when there is
// no such file that can be read.
Result<std::optional<model::AnalysisFile>> ReadCurrentAnalysis(
    const RunFiles& files, const std::optional<std::string>& capture_range,
    const std::optional<std::string>& iterations);

}  // namespace rangewise::cli
