// Owns the arithmetic of the GPU work reference: statistics by plain sorting, and unions and gaps
// by counting what covers each piece of time between two end points.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "support/gpu_sheet.h"

namespace rangewise::test {

using Interval = std::pair<int64_t, int64_t>;

// Of at least one value.
StatisticsLine Summary(std::vector<int64_t> values);

// How long at least one interval lasted.
int64_t Covered(const std::vector<Interval>& intervals);

// The pieces of a window that no interval covers. An operation without length ends a piece, and
// another begins.
std::vector<Interval> Uncovered(const Interval& window, const std::vector<Interval>& intervals);

}  // namespace rangewise::test
