// Owns what a gate makes of a comparison: whether it passes, and which rows keep it from passing.
#pragma once

#include <span>

#include "model/comparison.h"

namespace rangewise::analysis {

// Which rows count beside the primary metric's and those that are named.
enum class GateScope {
  kRegressions,  // every other row of host time and projections, where it regressed
  kNamedOnly,    // none
};

// In this order: one of the primary metric and those of `on` is not comparable, or in no run: not
// passed; a row that counts regressed, of GPU work one of those: failed; one of those is neither
// improved nor without change: not passed; else passed. Rows beside those that are inconclusive,
// not comparable, added or removed do not count. The rows that decided are named: the primary one,
// those of `on`, then others by their ratio, the largest first.
model::Gate JudgeGate(const model::Comparison& comparison, std::span<const model::MetricKey> on,
                      GateScope scope = GateScope::kRegressions);

// 0 passed, 1 failed, 4 not passed.
int ExitCodeOf(const model::Gate& gate);

}  // namespace rangewise::analysis
