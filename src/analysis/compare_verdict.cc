#include "analysis/compare_verdict.h"

#include <algorithm>
#include <cmath>

#include "analysis/rank_tests.h"
#include "base/codes.h"

namespace rangewise::analysis {
namespace {

using model::Comparison;
using model::Reason;
using model::Verdict;

}  // namespace

Judgement Judge(const Evidence& evidence, const Thresholds& thresholds) {
  const auto fewest =
      static_cast<int64_t>(std::min(evidence.baseline_runs, evidence.candidate_runs));
  if (!evidence.log_ratio) return {Verdict::kInconclusive, Reason::kNonPositiveValue};
  if (fewest < 2) return {Verdict::kInconclusive, Reason::kOneRun};
  if (fewest < kMinimumRuns || !evidence.interval || !evidence.shift_ns)
    return {Verdict::kInconclusive, Reason::kTooFewRuns};
  if (!evidence.p) return {Verdict::kInconclusive, Reason::kApproximateP};

  const double ratio = *evidence.log_ratio;
  const double floor = thresholds.log_floor + kTolerance;
  if (evidence.interval->low >= -floor && evidence.interval->high <= floor)
    return {Verdict::kNoChange, Reason::kNone};
  if (*evidence.p > thresholds.alpha) {
    return {Verdict::kInconclusive,
            evidence.can_pass ? Reason::kNotSignificant : Reason::kTooFewForFamily};
  }
  if (std::abs(ratio) <= floor) return {Verdict::kInconclusive, Reason::kWithinFloor};
  const double shift = ratio > 0 ? *evidence.shift_ns : -*evidence.shift_ns;
  if (shift < thresholds.absolute_floor_ns)
    return {Verdict::kInconclusive, Reason::kBelowAbsoluteFloor};
  return {ratio > 0 ? Verdict::kRegressed : Verdict::kImproved, Reason::kNone};
}

int ExitCodeOf(const Comparison& comparison) {
  return comparison.verdict == Verdict::kNotComparable ? kExitInconclusive : kExitDone;
}

}  // namespace rangewise::analysis
