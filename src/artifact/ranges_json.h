// Owns the lists of ranges of analysis.json: raw, and grouped by name rules where there are any.
#pragma once

#include "format/json.h"
#include "model/provenance.h"

namespace rangewise::artifact {

// gpu_projected_ranges, the two grouped lists when the analysis has them, and host_ranges, into the
// object that is open.
void WriteRanges(format::JsonWriter& json, const model::AnalysisDocument& document);

}  // namespace rangewise::artifact
