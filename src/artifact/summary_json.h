// Owns the JSON form of `rangewise summary` (docs/summary.md): the rows that the text shows, whole,
// with the keys and meanings of analysis.json.
#pragma once

#include "base/files.h"
#include "model/summary.h"

namespace rangewise::artifact {

void WriteSummaryJson(const model::Summary& summary, Output& out);

}  // namespace rangewise::artifact
