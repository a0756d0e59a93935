// Owns what the iterations' times show: the first against the others, outliers, spread and trend.
// Host inclusive time and projected time are judged apart and never meet.
#pragma once

#include <span>
#include <vector>

#include "model/analysis.h"
#include "model/finding.h"

namespace rangewise::analysis {

// kFirstIterationDiffers, kIterationsDrift, kIterationsVary and kOutlierIterations of both clocks,
// those that hold and those that could not be computed. `iterations` are in index order.
std::vector<model::Finding> FindInIterations(std::span<const model::Iteration> iterations);

}  // namespace rangewise::analysis
