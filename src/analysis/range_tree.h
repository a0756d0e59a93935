// Owns the tree of scope paths with the host time of each and of all below it.
#pragma once

#include "model/summary.h"

namespace rangewise::analysis {

// Of the host ranges that a summary shows. Paths of one text are one line, whatever their domains.
// With `with_iterations` the iterations' own time is a line beside the top level's. Children whose
// share is below `min_share` (0 to 1) are one folded line under their parent. Sums beyond 64 bits
// stay at the largest number. O(paths) beside sorting.
model::RangeTree MakeRangeTree(const model::AnalysisDocument& document, double min_share,
                               bool with_iterations);

}  // namespace rangewise::analysis
