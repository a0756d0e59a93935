// Owns the result of a comparison of two cohorts of runs, everything that is printed or written of
// it. A ratio is candidate / baseline and kept as its logarithm, so that exchanging the sides
// negates it exactly. Host metrics, GPU projections and GPU times are rows of different types: no
// row mixes clocks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "base/value.h"
#include "model/redaction.h"
#include "model/run_summary.h"

namespace rangewise::model {

enum class Side : uint8_t { kBaseline, kCandidate };
std::string_view SideName(Side side);  // "baseline", "candidate"

enum class Verdict : uint8_t {
  kImproved,       // smaller, beyond chance and beyond the floor
  kRegressed,      // larger, beyond chance and beyond the floor
  kNoChange,       // the whole interval lies inside the floor
  kInconclusive,   // the runs do not tell
  kAdded,          // in the candidate's runs only
  kRemoved,        // in the baseline's runs only
  kNotComparable,  // not the same thing was measured
};
std::string_view VerdictName(Verdict verdict);  // "no-change"

// Why a verdict is what it is, where more can be said.
enum class Reason : uint8_t {
  kNone,
  kApproximateP,  // too many runs to count p, and too many ties to approximate it
  kBaselineOnly,
  kBelowAbsoluteFloor,  // beyond chance and beyond the relative floor, but too short to matter
  kCandidateOnly,
  kContractDiffers,
  kMetricMissing,  // no run has it
  kMissingInSomeRuns,
  kNoGpuProjection,   // runs without any projection: their GPU side is unknown, not zero
  kNoGpuWork,         // runs of which this part of GPU work was not computed: unknown, not zero
  kNonPositiveValue,  // a ratio needs values above 0
  kNoRuns,            // a side has no run left
  kNotSignificant,
  kOneRun,           // a side has one run: described, not tested
  kSharedRuns,       // a run stands on both sides
  kTooFewForFamily,  // no p that these numbers of runs can attain would pass
  kTooFewRuns,       // a side has fewer runs than a test needs
  kWithinFloor,      // beyond chance, but not beyond the floor
};
std::string_view ReasonName(Reason reason);  // "not-significant"; empty for kNone

// What must be said beside the verdict.
enum class Caveat : uint8_t {
  kOrderConfounded,  // all runs of one side began before all of the other
  kOrderUnknown,     // some run's time is unknown, or times are too coarse to tell
  kSameCommit,       // a commit stands on both sides
  kSharedRuns,       // a run stands on both sides: no claim is made
  kDifferencesAllowed,
  kRunsLeftOut,
  kDuplicateRuns,
  kRepeatedRuns,     // runs bear one id or one start: they may be one capture
  kWarningsAllowed,  // runs take part whose warnings would have left them out
  kRunsWarn,         // analyses of runs that take part warn of something else
  kGpuDataMissing,   // some runs hold no projection at all, others do
  kGpuWorkMissing,   // some runs' analyses have no GPU work per range, or lack a part of it
  kInstancesDiffer,  // a range was met another number of times on one side
};
std::string_view CaveatName(Caveat caveat);  // "order-confounded"

enum class Metric : uint8_t {
  kHostIterations,       // inclusive host time of iterations
  kProjectedIterations,  // GPU projection of iterations
  kHostInclusive,        // ranges
  kHostExclusive,
  kProjected,
  // GPU work: a run's totals, each a family of its own.
  kGpuBusyIterations,     // length of the union of an iteration's operations; of kGpuBusy's family
  kGpuBusy,               // ranges: the length of the union over all devices
  kGpuKernels,            // summed durations of kernels
  kHostWaits,             // host time in synchronising calls
  kExposedCommunication,  // GPU time, summed over devices
};
// Those that can be the primary one are the first.
inline constexpr Metric kLastPrimaryMetric = Metric::kProjected;
std::string_view MetricName(Metric metric);  // "host-iterations"
std::optional<Metric> FindMetric(std::string_view name);

// Names one row. `path` is empty for iterations; `style` counts for kProjected only.
struct MetricKey {
  Metric metric = Metric::kHostIterations;
  RangePath path;
  Style style = Style::kPushPop;
  std::string domain = {};  // of the innermost name; empty: the default one, or not known
  auto operator<=>(const MetricKey&) const = default;
};

struct ComparedRun {
  std::string label;
  std::optional<std::string> id;
  std::optional<std::string> commit;
  std::optional<std::string> started_at;
  std::optional<std::string> report_source;
  std::vector<std::string> warnings = {};          // words of what its analysis warns of
  std::vector<std::string> allowed_warnings = {};  // those that --allow-different let pass
};

struct LeftOutRun {
  Side side = Side::kBaseline;
  ComparedRun run;
  std::vector<std::string> codes;  // words of what its analysis warned of
};

struct DuplicateRun {
  Side side = Side::kBaseline;
  std::string label;         // not counted
  std::string same_as;       // counted
  bool same_numbers = true;  // made of the same capture, and with the same values
};

struct RunRef {
  Side side = Side::kBaseline;
  size_t run = 0;  // index into Comparison::baseline or ::candidate
  bool operator==(const RunRef&) const = default;
};

enum class ContractState : uint8_t { kEqual, kDifferent, kUnknown };
std::string_view ContractStateName(ContractState state);  // "different"

struct ContractValue {
  std::optional<Value> value;  // absent: not recorded
  std::vector<size_t> runs;    // indexes, ascending
};

// One key of the contract; a key within a mapping is joined by '.': "workload.seed".
struct ContractRow {
  std::string key;
  ContractState state = ContractState::kEqual;  // kUnknown: no run recorded it
  bool allowed = false;                         // a difference, and it was allowed
  std::vector<ContractValue> baseline;          // distinct values, by first run
  std::vector<ContractValue> candidate;
};

// Bounds of the logarithm of a ratio.
struct LogInterval {
  double low = 0;
  double high = 0;
  double coverage = 0;  // without ties; with ties it is at least this
  bool operator==(const LogInterval&) const = default;
};

// One metric over all runs of both sides. A number that does not exist is absent, and `reason` says
// why.
template <typename Ns>
struct MetricRow {
  RangePath path;                                        // empty for iterations
  Style style = Style::kPushPop;                         // of projected ranges
  std::string domain;                                    // as in MetricKey
  std::vector<std::optional<Observation<Ns>>> baseline;  // by run
  std::vector<std::optional<Observation<Ns>>> candidate;
  std::optional<double> log_ratio;      // Hodges-Lehmann; with one run a side: the difference seen
  std::optional<double> shift_ns;       // Hodges-Lehmann, candidate - baseline
  std::optional<LogInterval> interval;  // of log_ratio; from 5 runs a side
  std::optional<double> p;              // two-sided; from 5 runs a side
  bool p_is_exact = true;
  std::optional<double> q;             // p within the family; absent for the primary metric
  std::optional<double> cliffs_delta;  // above 0: the candidate tends to be larger
  Verdict verdict = Verdict::kInconclusive;
  Reason reason = Reason::kNone;
  bool primary = false;
  bool nested = false;  // a range above it in the tree has a row of its own
  bool leaf = true;     // no row lies below it
  // The sides' runs met the range different numbers of times: the median of one instance then says
  // less than the work did.
  bool instances_differ = false;
};

// Rows of one metric, by path, then style, then domain.
template <typename Ns>
struct MetricTable {
  Metric metric = Metric::kHostIterations;
  bool grouped = false;  // ranges after name rules
  std::vector<MetricRow<Ns>> rows;
  // Logarithm of the geometric mean of the ratios of leaf rows that have one.
  std::optional<double> leaf_log_ratio;
  size_t leaves = 0;
};

// From kTooFewForNoise on: the noise was asked for, and the default stands instead.
enum class FloorSource : uint8_t {
  kDefault,
  kGiven,
  kNoise,
  kTooFewForNoise,
  kNoiseBelowDefault,
  kMissingForNoise,      // a run of the baseline lacks the primary metric
  kNonPositiveForNoise,  // a value of the baseline is not above 0
};
std::string_view FloorSourceName(FloorSource source);  // "too-few-for-noise"

// The band [1 / (1 + relative), 1 + relative] in which a ratio counts as no change.
struct Floor {
  double relative = 0.03;
  double absolute_ns = 1000;
  FloorSource source = FloorSource::kDefault;
};

// How far apart halves of one cohort are.
struct Noise {
  double log_ratio = 0;  // the 95th percentile of |log ratio| over the splits
  int64_t splits = 0;
  bool all_splits = true;  // else that many drawn at random from a fixed seed
};

// A run that lacks a metric of GPU work.
struct MissingMetric {
  RunRef run;
  std::string reason;  // as its analysis says it
  bool operator==(const MissingMetric&) const = default;
};

// The rows of one metric of GPU work, tested together and with no other.
struct GpuFamily {
  Metric metric = Metric::kGpuBusy;
  size_t size = 0;          // rows tested together, or that would be
  bool can_pass = false;    // as family_can_pass
  int64_t runs_needed = 0;  // a side, for one of its rows alone
  std::vector<MissingMetric> missing;
};
inline constexpr std::array kGpuFamilies = {Metric::kGpuBusy, Metric::kGpuKernels,
                                            Metric::kHostWaits, Metric::kExposedCommunication};

// What a gate made of a comparison.
enum class GateResult : uint8_t {
  kPassed,
  kFailed,     // a row that counts regressed
  kNotPassed,  // a row that must be known to be no worse is not
};
std::string_view GateResultName(GateResult result);  // "not-passed"

// A row as the gate met it. Where no run has it there is none in the tables.
struct GateRow {
  MetricKey key;
  Verdict verdict = Verdict::kInconclusive;
  Reason reason = Reason::kNone;
  bool operator==(const GateRow&) const = default;
};

struct Gate {
  GateResult result = GateResult::kNotPassed;
  bool named_only = false;    // no row counts but the primary metric's and those of `on`
  std::vector<MetricKey> on;  // ascending, each once
  std::vector<GateRow> rows;  // what kept it from passing; empty: it passed
};

struct Comparison {
  Verdict verdict = Verdict::kInconclusive;  // of the primary metric
  Reason reason = Reason::kNone;
  MetricKey primary;
  // Runs without it, where others have it; for kNoGpuProjection those without any projection.
  std::vector<RunRef> primary_missing;
  std::vector<Caveat> caveats;  // in the order of the enumeration

  std::vector<ComparedRun> baseline;  // by time, then id
  std::vector<ComparedRun> candidate;
  std::vector<LeftOutRun> left_out;
  std::vector<DuplicateRun> duplicates;
  std::vector<ContractRow> contract;

  double alpha = 0.05;
  Floor floor;
  std::optional<Noise> baseline_noise;  // where the floor was asked from it
  size_t family_size = 0;               // rows tested together, or that would be
  bool family_can_pass = false;    // the smallest p of these runs passes for one row of the family
  int64_t runs_needed = 0;         // a side, for the primary metric
  int64_t family_runs_needed = 0;  // a side, for one row of the family alone

  std::optional<Gate> gate;  // where one was asked for
  std::optional<Redaction> redaction = {};

  MetricTable<HostNs> host_iterations;  // at most one row
  MetricTable<ProjectedNs> projected_iterations;
  MetricTable<HostNs> host_inclusive;
  MetricTable<HostNs> host_exclusive;
  MetricTable<ProjectedNs> projected;

  // No row of these is primary, or in the family above.
  std::vector<GpuFamily> gpu_families;  // by kGpuFamilies; empty in older files
  MetricTable<GpuNs> gpu_busy_iterations{.metric = Metric::kGpuBusyIterations};
  MetricTable<GpuNs> gpu_busy{.metric = Metric::kGpuBusy};
  MetricTable<GpuNs> gpu_kernels{.metric = Metric::kGpuKernels};
  MetricTable<HostNs> host_waits{.metric = Metric::kHostWaits};
  MetricTable<GpuNs> exposed_communication{.metric = Metric::kExposedCommunication};
};

// Calls visit(table) for each table of GPU work, of either clock.
template <typename ComparisonType, typename Visit>
void ForEachGpuTable(ComparisonType& comparison, Visit visit) {
  visit(comparison.gpu_busy_iterations);
  visit(comparison.gpu_busy);
  visit(comparison.gpu_kernels);
  visit(comparison.host_waits);
  visit(comparison.exposed_communication);
}

// Calls visit(table) for each table of a comparison, of either clock, in the order that they are
// shown in.
template <typename ComparisonType, typename Visit>
void ForEachTable(ComparisonType& comparison, Visit visit) {
  visit(comparison.projected_iterations);
  visit(comparison.host_iterations);
  visit(comparison.projected);
  visit(comparison.host_inclusive);
  visit(comparison.host_exclusive);
  ForEachGpuTable(comparison, visit);
}

// One cohort compared with itself, for its noise.
struct NoiseReport {
  std::vector<ComparedRun> runs;
  std::vector<LeftOutRun> left_out;
  std::vector<DuplicateRun> duplicates;
  std::vector<ContractRow> contract;  // `baseline` holds the values, `candidate` is empty
  MetricKey primary;
  std::vector<double> values;  // by run; empty without a result
  std::optional<Noise> noise;
  Reason reason = Reason::kNone;  // why there is no noise
  std::optional<Redaction> redaction = {};
};

}  // namespace rangewise::model
