// Owns the list of findings in analysis.json.
#pragma once

#include <span>

#include "format/json.h"
#include "model/analysis_file.h"
#include "model/finding.h"

namespace rangewise::artifact {

// The list itself, after its key was written.
void WriteFindings(format::JsonWriter& json, std::span<const model::Finding> findings);
// The same, or null where the file does not say.
void WriteFindings(format::JsonWriter& json, const model::AnalysisFile& file);

}  // namespace rangewise::artifact
