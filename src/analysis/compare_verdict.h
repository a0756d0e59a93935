// Owns what may be said of a row.
#pragma once

#include <cstddef>
#include <optional>

#include "model/comparison.h"

namespace rangewise::analysis {

struct Thresholds {
  double alpha = 0.05;
  double log_floor = 0;  // half the width of the band of no change, as a logarithm
  double absolute_floor_ns = 0;
};

// What is known of a row that every run of both sides has.
struct Evidence {
  size_t baseline_runs = 0;  // at least 1
  size_t candidate_runs = 0;
  // Absent: untested, a value is not above 0.
  std::optional<double> log_ratio;
  std::optional<double> shift_ns;
  std::optional<model::LogInterval> interval;
  std::optional<double> p;  // adjusted for the family, unless it is the primary metric's
  bool can_pass = true;     // the smallest attainable p would pass were this row alone changed
};

struct Judgement {
  model::Verdict verdict = model::Verdict::kInconclusive;
  model::Reason reason = model::Reason::kNone;
  bool operator==(const Judgement&) const = default;
};

// Below 5 runs a side, or without a p that can be trusted: inconclusive. A change needs p <= alpha,
// the estimate outside the band, and a shift of at least the absolute floor in the same direction;
// `no-change` needs the whole interval inside the band. The band is closed: a ratio of exactly the
// floor lies inside, and so does one that is off by no more than kTolerance, which is what rounding
// makes of it. Less time is better.
inline constexpr double kTolerance = 1e-12;  // of a ratio, relative
Judgement Judge(const Evidence& evidence, const Thresholds& thresholds);

// The exit code of a comparison that is no gate: 4 when it is not comparable, else 0.
int ExitCodeOf(const model::Comparison& comparison);

}  // namespace rangewise::analysis
