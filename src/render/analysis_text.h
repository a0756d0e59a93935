// Owns the short summary of an analysis that `rangewise analyze` prints. Host time and GPU
// projection stand side by side as different things and are never combined; what was not measured
// is said in words, never shown as 0.
#pragma once

#include <string>

#include "model/provenance.h"

namespace rangewise::render {

// About 25 lines of at most 100 columns, in terminal form (base/text.h): run and source of the
// tables, all warnings before any number, iterations, the largest groups, GPU work of the capture.
// O(groups).
std::string RenderAnalyzeSummary(const model::AnalysisDocument& document);

}  // namespace rangewise::render
