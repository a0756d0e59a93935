// Owns analysis.json: writing it as a stream, two-space indent, keys sorted, ASCII only, a newline at the end; the
// same document gives the same bytes. Its schema is schema/analysis-2.schema.json.
#pragma once

#include "base/files.h"
#include "model/provenance.h"

namespace rangewise::artifact {

inline constexpr int kAnalysisSchemaVersion = 2;

void WriteAnalysisJson(const model::AnalysisDocument& document, Output& out);

}  // namespace rangewise::artifact
