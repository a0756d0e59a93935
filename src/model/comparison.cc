#include "model/comparison.h"

namespace rangewise::model {

std::string_view SideName(Side side) { return side == Side::kBaseline ? "baseline" : "candidate"; }

std::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kImproved:
      return "improved";
    case Verdict::kRegressed:
      return "regressed";
    case Verdict::kNoChange:
      return "no-change";
    case Verdict::kInconclusive:
      return "inconclusive";
    case Verdict::kAdded:
      return "added";
    case Verdict::kRemoved:
      return "removed";
    case Verdict::kNotComparable:
      return "not-comparable";
  }
  return "";
}

std::string_view ReasonName(Reason reason) {
  switch (reason) {
    case Reason::kNone:
      return "";
    case Reason::kApproximateP:
      return "approximate-p";
    case Reason::kBaselineOnly:
      return "baseline-only";
    case Reason::kBelowAbsoluteFloor:
      return "below-absolute-floor";
    case Reason::kCandidateOnly:
      return "candidate-only";
    case Reason::kContractDiffers:
      return "contract-differs";
    case Reason::kMetricMissing:
      return "metric-missing";
    case Reason::kMissingInSomeRuns:
      return "missing-in-some-runs";
    case Reason::kNoGpuProjection:
      return "no-gpu-projection";
    case Reason::kNoGpuWork:
      return "no-gpu-work";
    case Reason::kNonPositiveValue:
      return "non-positive-value";
    case Reason::kNoRuns:
      return "no-runs";
    case Reason::kNotSignificant:
      return "not-significant";
    case Reason::kOneRun:
      return "one-run";
    case Reason::kSharedRuns:
      return "shared-runs";
    case Reason::kTooFewForFamily:
      return "too-few-for-family";
    case Reason::kTooFewRuns:
      return "too-few-runs";
    case Reason::kWithinFloor:
      return "within-floor";
  }
  return "";
}

std::string_view CaveatName(Caveat caveat) {
  switch (caveat) {
    case Caveat::kOrderConfounded:
      return "order-confounded";
    case Caveat::kOrderUnknown:
      return "order-unknown";
    case Caveat::kSameCommit:
      return "same-commit";
    case Caveat::kSharedRuns:
      return "shared-runs";
    case Caveat::kDifferencesAllowed:
      return "differences-allowed";
    case Caveat::kRunsLeftOut:
      return "runs-left-out";
    case Caveat::kDuplicateRuns:
      return "duplicate-runs";
    case Caveat::kRepeatedRuns:
      return "repeated-runs";
    case Caveat::kWarningsAllowed:
      return "warnings-allowed";
    case Caveat::kRunsWarn:
      return "runs-warn";
    case Caveat::kGpuDataMissing:
      return "gpu-data-missing";
    case Caveat::kGpuWorkMissing:
      return "gpu-work-missing";
    case Caveat::kInstancesDiffer:
      return "instances-differ";
  }
  return "";
}

std::string_view ContractStateName(ContractState state) {
  switch (state) {
    case ContractState::kEqual:
      return "equal";
    case ContractState::kDifferent:
      return "different";
    case ContractState::kUnknown:
      return "unknown";
  }
  return "";
}

std::string_view FloorSourceName(FloorSource source) {
  switch (source) {
    case FloorSource::kDefault:
      return "default";
    case FloorSource::kGiven:
      return "given";
    case FloorSource::kNoise:
      return "noise";
    case FloorSource::kTooFewForNoise:
      return "too-few-for-noise";
    case FloorSource::kNoiseBelowDefault:
      return "noise-below-default";
    case FloorSource::kMissingForNoise:
      return "missing-for-noise";
    case FloorSource::kNonPositiveForNoise:
      return "non-positive-for-noise";
  }
  return "";
}

std::string_view GateResultName(GateResult result) {
  switch (result) {
    case GateResult::kPassed:
      return "passed";
    case GateResult::kFailed:
      return "failed";
    case GateResult::kNotPassed:
      return "not-passed";
  }
  return "";
}

std::string_view MetricName(Metric metric) {
  switch (metric) {
    case Metric::kHostIterations:
      return "host-iterations";
    case Metric::kProjectedIterations:
      return "gpu-iterations";
    case Metric::kHostInclusive:
      return "host-inclusive";
    case Metric::kHostExclusive:
      return "host-exclusive";
    case Metric::kProjected:
      return "gpu-projection";
    case Metric::kGpuBusyIterations:
      return "gpu-busy-iterations";
    case Metric::kGpuBusy:
      return "gpu-busy";
    case Metric::kGpuKernels:
      return "gpu-kernels";
    case Metric::kHostWaits:
      return "host-waits";
    case Metric::kExposedCommunication:
      return "exposed-communication";
  }
  return "";
}

std::optional<Metric> FindMetric(std::string_view name) {
  for (const Metric metric :
       {Metric::kHostIterations, Metric::kProjectedIterations, Metric::kHostInclusive,
        Metric::kHostExclusive, Metric::kProjected, Metric::kGpuBusyIterations, Metric::kGpuBusy,
        Metric::kGpuKernels, Metric::kHostWaits, Metric::kExposedCommunication}) {
    if (MetricName(metric) == name) return metric;
  }
  return std::nullopt;
}

}  // namespace rangewise::model
