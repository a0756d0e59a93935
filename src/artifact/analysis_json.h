// Owns analysis.json: writing it as a stream, two-space indent, keys sorted, ASCII only, a newline
// at the end; the same document gives the same bytes. Groups are streamed: memory does not grow
// with their number. The format is described in docs/analysis-json.md and
// schema/analysis-2.schema.json.
#pragma once

#include "base/files.h"
#include "model/provenance.h"

namespace rangewise::artifact {

inline constexpr int kAnalysisSchemaVersion = 2;

// Writes the document, or the part until an interrupt, for which the caller looks. Text that is not
// UTF-8 appears in display form (base/text.h). O(output size); failures stay with `out`.
void WriteAnalysisJson(const model::AnalysisDocument& document, Output& out);

}  // namespace rangewise::artifact
