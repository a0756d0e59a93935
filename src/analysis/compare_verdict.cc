#include "analysis/compare_verdict.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/rank_tests.h"
#include "base/codes.h"

namespace rangewise::analysis {
namespace {

using model::Comparison;
using model::MetricKey;
using model::Reason;
using model::Verdict;

template <typename Ns>
void CollectVerdicts(const model::MetricTable<Ns>& table, std::span<const MetricKey> keys,
                     std::vector<Verdict>& gated) {
  for (const model::MetricRow<Ns>& row : table.rows) {
    for (const MetricKey& key : keys) {
      if (key.metric == table.metric && key.path == row.path && key.style == row.style &&
          key.domain == row.domain)
        gated.push_back(row.verdict);
    }
  }
}

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

int GateExitCode(const Comparison& comparison, std::span<const MetricKey> gate_on) {
  std::vector<MetricKey> keys(gate_on.begin(), gate_on.end());
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());

  std::vector<Verdict> gated;
  bool regressed = false;
  model::ForEachTable(comparison, [&](const auto& table) {
    CollectVerdicts(table, keys, gated);
    // Every further family would add its own false alarms to a gate that nobody asked it for.
    if (table.metric > model::kLastPrimaryMetric) return;
    for (const auto& row : table.rows) regressed = regressed || row.verdict == Verdict::kRegressed;
  });
  if (gated.size() < keys.size()) return kExitInconclusive;
  gated.push_back(comparison.verdict);

  const auto any = [&](auto is) { return std::any_of(gated.begin(), gated.end(), is); };
  if (any([](Verdict verdict) { return verdict == Verdict::kNotComparable; }))
    return kExitInconclusive;
  if (regressed || any([](Verdict verdict) { return verdict == Verdict::kRegressed; }))
    return kExitGateFailed;
  const auto passes = [](Verdict verdict) {
    return verdict == Verdict::kImproved || verdict == Verdict::kNoChange;
  };
  return std::all_of(gated.begin(), gated.end(), passes) ? kExitDone : kExitInconclusive;
}

}  // namespace rangewise::analysis
