// Owns what host ranges show beside their times: how many are too short to measure, names that
// differ by numbers only, and what the last iteration lacks.
#pragma once

#include <optional>

#include "analysis/collapse.h"
#include "analysis/findings.h"

namespace rangewise::analysis {

std::optional<model::Finding> FindOverheadScale(const FindingSource& source);

// `masked` are the paths (grouped, else raw) with numbers masked.
std::optional<model::Finding> FindManyNames(const FindingSource& source,
                                            const CollapsedPaths& masked);
std::optional<model::Finding> FindIncompleteLast(const FindingSource& source,
                                                 const CollapsedPaths& masked);

}  // namespace rangewise::analysis
