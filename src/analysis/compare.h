// Owns the comparison of two cohorts of runs and of one cohort with itself. The run is the unit of
// replication: each brings one value per metric, and nothing within a run supports a claim.
//
// One metric is primary and tested alone. Every other row of every table (the other metric of the
// iterations too) belongs to one family, adjusted together, so that a comparison in which nothing
// changed shows any false verdict among them with probability alpha at most. The metrics of GPU
// work are further families, one each, which change nothing of these.
#pragma once

#include <optional>
#include <span>
#include <variant>

#include "analysis/compare_contract.h"
#include "model/comparison.h"

namespace rangewise::analysis {

struct FloorFromNoise {};

struct CompareOptions {
  double alpha = 0.05;  // above 0, below 1
  // 0.03 for 3 %, at least 0; or from the baseline's noise, but 3 % at least; nothing: 3 %.
  std::variant<std::monostate, double, FloorFromNoise> floor;
  double absolute_floor_ns = 1000;
  AllowedKeys allowed;
  // Nothing: the iterations' GPU projection when a run has it, else their inclusive host time. When
  // some runs hold a projection of anything and others hold none, the former, and the comparison is
  // not comparable: a capture without its GPU side never reads as a win.
  std::optional<model::MetricKey> primary;
};

// The result does not depend on the order of runs within a side; exchanging the sides mirrors it.
model::Comparison Compare(std::span<const model::RunSummary> baseline,
                          std::span<const model::RunSummary> candidate,
                          const CompareOptions& options);

// The noise of one cohort's primary metric. A contract that differs within the cohort, too few runs
// or a metric that a run lacks give a reason instead.
model::NoiseReport CompareWithItself(std::span<const model::RunSummary> runs,
                                     const CompareOptions& options);

}  // namespace rangewise::analysis
