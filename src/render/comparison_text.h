// Owns the terminal form of a comparison and of a noise report. The first line is the verdict with
// its caveats; what the runs differ in stands before any number; what belongs to one clock is a
// table of its own.
#pragma once

#include <string>

#include "model/comparison.h"

namespace rangewise::render {

// Lines of at most 100 columns, but for the first, in terminal form (base/text.h). At most 20 rows
// of each table.
std::string RenderComparisonText(const model::Comparison& comparison);
std::string RenderNoiseText(const model::NoiseReport& report);

}  // namespace rangewise::render
