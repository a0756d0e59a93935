// Owns the lists of ranges of analysis.json: raw, and grouped by name rules where there are any.
#pragma once

#include <cstdint>
#include <span>

#include "format/json.h"
#include "model/provenance.h"

namespace rangewise::artifact {

// gpu_projected_ranges, the two grouped lists when the analysis has them, and host_ranges, into the
// object that is open. Stops in the middle when an interrupt arrives, and leaves lists open then.
void WriteRanges(format::JsonWriter& json, const model::AnalysisDocument& document);

// A list of the rows of these numbers: of the grouped ranges where there are any, else of the raw
// ones.
void WriteHostRows(format::JsonWriter& json, const model::AnalysisDocument& document,
                   std::span<const uint32_t> rows);
void WriteProjectedRows(format::JsonWriter& json, const model::AnalysisDocument& document,
                        std::span<const uint32_t> rows);

}  // namespace rangewise::artifact
