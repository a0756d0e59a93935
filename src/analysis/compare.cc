#include "analysis/compare.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "analysis/compare_rows.h"
#include "analysis/compare_runs.h"
#include "analysis/compare_verdict.h"
#include "analysis/fdr.h"
#include "analysis/noise_floor.h"

namespace rangewise::analysis {
namespace {

using model::Caveat;
using model::Comparison;
using model::Metric;
using model::MetricKey;
using model::MetricRow;
using model::MetricTable;
using model::Reason;
using model::RunSummary;
using model::Side;
using model::Verdict;

// Calls visit(table) for each table of the one family that the primary metric leaves, of either
// clock.
template <typename Visit>
void ForEachTable(Comparison& comparison, Visit visit) {
  visit(comparison.host_iterations);
  visit(comparison.projected_iterations);
  visit(comparison.host_inclusive);
  visit(comparison.host_exclusive);
  visit(comparison.projected);
}

template <typename Visit>
void ForEachGpuRow(Comparison& comparison, Visit visit) {
  model::ForEachGpuTable(comparison, [&](auto& table) {
    for (auto& row : table.rows) visit(table, row);
  });
}

template <typename Visit>
void ForEachRow(Comparison& comparison, Visit visit) {
  ForEachTable(comparison, [&](auto& table) {
    for (auto& row : table.rows) visit(table, row);
  });
}

bool IsProjected(Metric metric) {
  return metric == Metric::kProjected || metric == Metric::kProjectedIterations;
}

bool IsOfIterations(Metric metric) {
  return metric == Metric::kHostIterations || metric == Metric::kProjectedIterations ||
         metric == Metric::kGpuBusyIterations;
}

// Whether some runs hold a projection of anything, while others hold none and may be empty
// captures.
bool SomeLackProjection(const Cohorts& cohorts) {
  size_t with_projection = 0;
  for (size_t i = 0; i < cohorts.size(); ++i) {
    if (cohorts.At(i).HasProjection()) ++with_projection;
  }
  return with_projection > 0 && with_projection < cohorts.size();
}

// With a mixture the projection: runs that lack it then make the comparison impossible, instead of
// the host side standing in for them.
MetricKey ChoosePrimary(const Cohorts& cohorts, const CompareOptions& options) {
  if (options.primary) return *options.primary;
  bool any = SomeLackProjection(cohorts);
  for (size_t i = 0; i < cohorts.size(); ++i)
    any = any || cohorts.At(i).projected_iterations.has_value();
  return {.metric = any ? Metric::kProjectedIterations : Metric::kHostIterations};
}

void DescribeRuns(const std::vector<const RunSummary*>& runs, const AllowedKeys& allowed,
                  std::vector<model::ComparedRun>& described) {
  for (const RunSummary* run : runs) described.push_back(Describe(*run, allowed));
}

template <typename Document>
void DescribeSelection(const SelectedRuns& selected, Document& document) {
  document.left_out.insert(document.left_out.end(), selected.left_out.begin(),
                           selected.left_out.end());
  document.duplicates.insert(document.duplicates.end(), selected.duplicates.begin(),
                             selected.duplicates.end());
}

// Of something else than what was allowed.
bool WarnsOfMore(const model::ComparedRun& run) {
  return std::any_of(run.warnings.begin(), run.warnings.end(), [&](const std::string& word) {
    return std::find(run.allowed_warnings.begin(), run.allowed_warnings.end(), word) ==
           run.allowed_warnings.end();
  });
}

Metric FamilyOf(Metric metric) {
  return metric == Metric::kGpuBusyIterations ? Metric::kGpuBusy : metric;
}

// Whether some runs have the metric and others do not.
bool LackedBySome(const model::GpuFamily& family, const Cohorts& cohorts) {
  return !family.missing.empty() && family.missing.size() < cohorts.size();
}

bool SomeLackGpuWork(const Cohorts& cohorts, const Comparison& comparison) {
  return std::any_of(comparison.gpu_families.begin(), comparison.gpu_families.end(),
                     [&](const auto& family) { return LackedBySome(family, cohorts); });
}

void FindCaveats(const Cohorts& cohorts, Comparison& comparison) {
  if (const auto order = OrderCaveat(cohorts.baseline, cohorts.candidate))
    comparison.caveats.push_back(*order);
  if (SharesCommit(cohorts.baseline, cohorts.candidate))
    comparison.caveats.push_back(Caveat::kSameCommit);
  if (SharesRun(cohorts.baseline, cohorts.candidate))
    comparison.caveats.push_back(Caveat::kSharedRuns);
  const auto allowed = [](const model::ContractRow& row) { return row.allowed; };
  if (std::any_of(comparison.contract.begin(), comparison.contract.end(), allowed))
    comparison.caveats.push_back(Caveat::kDifferencesAllowed);
  if (!comparison.left_out.empty()) comparison.caveats.push_back(Caveat::kRunsLeftOut);
  if (!comparison.duplicates.empty()) comparison.caveats.push_back(Caveat::kDuplicateRuns);
  if (RepeatsRun(cohorts.baseline, cohorts.candidate))
    comparison.caveats.push_back(Caveat::kRepeatedRuns);
  const auto any_run = [&](auto has) {
    return std::any_of(comparison.baseline.begin(), comparison.baseline.end(), has) ||
           std::any_of(comparison.candidate.begin(), comparison.candidate.end(), has);
  };
  if (any_run([](const model::ComparedRun& run) { return !run.allowed_warnings.empty(); }))
    comparison.caveats.push_back(Caveat::kWarningsAllowed);
  if (any_run([](const model::ComparedRun& run) { return WarnsOfMore(run); }))
    comparison.caveats.push_back(Caveat::kRunsWarn);
  if (SomeLackProjection(cohorts)) comparison.caveats.push_back(Caveat::kGpuDataMissing);
  if (SomeLackGpuWork(cohorts, comparison)) comparison.caveats.push_back(Caveat::kGpuWorkMissing);
  bool instances_differ = false;
  ForEachRow(comparison, [&](const auto&, const auto& row) {
    instances_differ = instances_differ || row.instances_differ;
  });
  if (instances_differ) comparison.caveats.push_back(Caveat::kInstancesDiffer);
}

void JoinTables(const Cohorts& cohorts, Comparison& comparison) {
  comparison.host_iterations = JoinHostIterations(cohorts);
  comparison.projected_iterations = JoinProjectedIterations(cohorts);
  comparison.host_inclusive = JoinHostRanges(cohorts, Metric::kHostInclusive);
  comparison.host_exclusive = JoinHostRanges(cohorts, Metric::kHostExclusive);
  comparison.projected = JoinProjectedRanges(cohorts);
  ForEachRow(comparison, [&](const auto& table, auto& row) {
    const MetricKey& primary = comparison.primary;
    row.primary = table.metric == primary.metric && row.path == primary.path &&
                  row.style == primary.style && row.domain == primary.domain;
  });
}

void JoinGpuTables(const Cohorts& cohorts, Comparison& comparison) {
  comparison.gpu_busy_iterations = JoinBusyIterations(cohorts);
  comparison.gpu_busy = JoinBusyTimes(cohorts);
  comparison.gpu_kernels = JoinKernelTimes(cohorts);
  comparison.host_waits = JoinHostWaits(cohorts);
  comparison.exposed_communication = JoinExposedCommunication(cohorts);
  for (const Metric metric : model::kGpuFamilies) {
    comparison.gpu_families.push_back(
        {.metric = metric, .missing = RunsWithoutGpuMetric(cohorts, metric)});
  }
}

void EstimateRows(const Cohorts& cohorts, Comparison& comparison) {
  if (cohorts.baseline.empty() || cohorts.candidate.empty()) return;
  const RankDistribution distribution(static_cast<int64_t>(cohorts.baseline.size()),
                                      static_cast<int64_t>(cohorts.candidate.size()));
  TiedRanks tied(distribution.baseline(), distribution.candidate());
  ForEachRow(comparison, [&](const auto&, auto& row) { EstimateRow(row, distribution, tied); });
  ForEachTable(comparison, [](auto& table) { SummariseLeaves(table); });
  ForEachGpuRow(comparison, [&](const auto&, auto& row) { EstimateRow(row, distribution, tied); });
  model::ForEachGpuTable(comparison, [](auto& table) { SummariseLeaves(table); });
}

// Whether the smallest p of so many runs would pass for one row of a family.
bool CanPass(const Cohorts& cohorts, double alpha, int64_t family) {
  const auto n = static_cast<int64_t>(cohorts.baseline.size());
  const auto m = static_cast<int64_t>(cohorts.candidate.size());
  return std::min(n, m) >= kMinimumRuns &&
         SmallestAttainableP(n, m) <= alpha / static_cast<double>(family);
}

// Every row but the primary one is of the family, whichever table it stands in.
void AdjustFamily(const Cohorts& cohorts, Comparison& comparison) {
  std::vector<std::optional<double>> p;
  ForEachRow(comparison, [&](const auto&, auto& row) {
    if (row.primary || !row.log_ratio) return;
    ++comparison.family_size;
    p.push_back(row.p);
  });
  const std::vector<std::optional<double>> q = AdjustForFamily(p);
  size_t next = 0;
  ForEachRow(comparison, [&](const auto&, auto& row) {
    if (!row.primary && row.log_ratio) row.q = q[next++];
  });
  const auto family = static_cast<int64_t>(std::max<size_t>(comparison.family_size, 1));
  comparison.runs_needed = RunsNeeded(comparison.alpha, 1);
  comparison.family_runs_needed = RunsNeeded(comparison.alpha, family);
  comparison.family_can_pass = CanPass(cohorts, comparison.alpha, family);
}

// Each metric of GPU work by itself, so that having them changes no q of the other rows.
void AdjustGpuFamily(const Cohorts& cohorts, model::GpuFamily& family, Comparison& comparison) {
  std::vector<std::optional<double>> p;
  const auto for_each_row = [&](auto visit) {
    ForEachGpuRow(comparison, [&](const auto& table, auto& row) {
      if (FamilyOf(table.metric) == family.metric && row.log_ratio) visit(row);
    });
  };
  for_each_row([&](const auto& row) { p.push_back(row.p); });
  const std::vector<std::optional<double>> q = AdjustForFamily(p);
  size_t next = 0;
  for_each_row([&](auto& row) { row.q = q[next++]; });
  family.size = p.size();
  const auto size = static_cast<int64_t>(std::max<size_t>(p.size(), 1));
  family.runs_needed = RunsNeeded(comparison.alpha, size);
  family.can_pass = CanPass(cohorts, comparison.alpha, size);
}

// The baseline's values of the primary metric; empty when a run lacks it.
std::vector<double> PrimaryOfBaseline(Comparison& comparison) {
  std::vector<double> values;
  ForEachRow(comparison, [&](const auto&, auto& row) {
    if (row.primary) values = MediansOf(row.baseline);
  });
  return values;
}

void SetFloor(const CompareOptions& options, Comparison& comparison) {
  model::Floor& floor = comparison.floor;
  floor.absolute_ns = options.absolute_floor_ns;
  if (const double* given = std::get_if<double>(&options.floor)) {
    floor.relative = *given;
    floor.source = model::FloorSource::kGiven;
  } else if (std::holds_alternative<FloorFromNoise>(options.floor)) {
    const std::vector<double> values = PrimaryOfBaseline(comparison);
    comparison.baseline_noise = MeasureNoise(values);
    if (comparison.baseline_noise) {
      const double noise = std::expm1(comparison.baseline_noise->log_ratio);
      floor.source = noise > floor.relative ? model::FloorSource::kNoise
                                            : model::FloorSource::kNoiseBelowDefault;
      floor.relative = std::max(floor.relative, noise);
    } else if (static_cast<int64_t>(comparison.baseline.size()) < kMinimumRunsForNoise) {
      floor.source = model::FloorSource::kTooFewForNoise;
    } else {
      floor.source = values.empty() ? model::FloorSource::kMissingForNoise
                                    : model::FloorSource::kNonPositiveForNoise;
    }
  }
}

// What is the same for every row when verdicts are given.
struct Circumstances {
  bool holds = true;    // the contract
  bool shared = false;  // a run stands on both sides
  bool no_runs = false;
  bool some_without_projection = false;  // while others have one
  bool primary_can_pass = true;          // some p of so many runs is small enough
  Thresholds thresholds;
};

Circumstances CircumstancesOf(const Cohorts& cohorts, const Comparison& comparison) {
  Circumstances out;
  out.holds = ContractHolds(comparison.contract);
  out.no_runs = cohorts.baseline.empty() || cohorts.candidate.empty();
  out.shared = std::find(comparison.caveats.begin(), comparison.caveats.end(),
                         Caveat::kSharedRuns) != comparison.caveats.end();
  out.some_without_projection = SomeLackProjection(cohorts);
  out.primary_can_pass =
      !out.no_runs &&
      SmallestAttainableP(static_cast<int64_t>(cohorts.baseline.size()),
                          static_cast<int64_t>(cohorts.candidate.size())) <= comparison.alpha;
  out.thresholds = {.alpha = comparison.alpha,
                    .log_floor = std::log1p(comparison.floor.relative),
                    .absolute_floor_ns = comparison.floor.absolute_ns};
  return out;
}

template <typename Ns>
size_t CountPresent(const std::vector<std::optional<model::Observation<Ns>>>& side) {
  return static_cast<size_t>(std::count_if(
      side.begin(), side.end(), [](const auto& observation) { return observation.has_value(); }));
}

template <typename Ns>
Judgement JudgeRow(const MetricTable<Ns>& table, const MetricRow<Ns>& row,
                   const Circumstances& circumstances, bool can_pass) {
  if (circumstances.no_runs) return {Verdict::kNotComparable, Reason::kNoRuns};
  if (!circumstances.holds) return {Verdict::kNotComparable, Reason::kContractDiffers};
  // A run without any projection may be an empty capture: its ranges were not removed.
  if (IsProjected(table.metric) && circumstances.some_without_projection)
    return {Verdict::kNotComparable, Reason::kNoGpuProjection};
  const size_t baseline = CountPresent(row.baseline);
  const size_t candidate = CountPresent(row.candidate);
  if (baseline < row.baseline.size() || candidate < row.candidate.size()) {
    if (!IsOfIterations(table.metric)) {
      if (candidate == 0) return {Verdict::kRemoved, Reason::kBaselineOnly};
      if (baseline == 0) return {Verdict::kAdded, Reason::kCandidateOnly};
    }
    return {Verdict::kNotComparable, Reason::kMissingInSomeRuns};
  }
  const Judgement judgement =
      Judge({.baseline_runs = baseline,
             .candidate_runs = candidate,
             .log_ratio = row.log_ratio,
             .shift_ns = row.shift_ns,
             .interval = row.interval,
             .p = row.primary ? row.p : row.q,
             .can_pass = row.primary ? circumstances.primary_can_pass : can_pass},
            circumstances.thresholds);
  // Alone it needs more runs, not a smaller family.
  if (row.primary && judgement.reason == Reason::kTooFewForFamily)
    return {Verdict::kInconclusive, Reason::kTooFewRuns};
  // The test takes the runs of both sides for independent.
  if (circumstances.shared && judgement.verdict != Verdict::kInconclusive)
    return {Verdict::kInconclusive, Reason::kSharedRuns};
  return judgement;
}

// The runs that hold no projection of anything.
std::vector<model::RunRef> RunsWithoutProjection(const Cohorts& cohorts) {
  std::vector<model::RunRef> runs;
  const auto add = [&](Side side, const std::vector<const RunSummary*>& of_side) {
    for (size_t i = 0; i < of_side.size(); ++i) {
      if (!of_side[i]->HasProjection()) runs.push_back({side, i});
    }
  };
  add(Side::kBaseline, cohorts.baseline);
  add(Side::kCandidate, cohorts.candidate);
  return runs;
}

// A run of which a metric was not computed is no evidence of anything, and neither is one without
// any projection: what it lacks was not removed.
void JudgeGpuRows(const Cohorts& cohorts, const Circumstances& circumstances,
                  Comparison& comparison) {
  ForEachGpuRow(comparison, [&](const auto& table, auto& row) {
    const auto family =
        std::find_if(comparison.gpu_families.begin(), comparison.gpu_families.end(),
                     [&](const auto& other) { return other.metric == FamilyOf(table.metric); });
    const bool unknown = row.reason == Reason::kNoGpuWork || LackedBySome(*family, cohorts);
    Judgement judgement = JudgeRow(table, row, circumstances, family->can_pass);
    const bool comparable =
        judgement.reason != Reason::kNoRuns && judgement.reason != Reason::kContractDiffers;
    if (comparable && unknown) {
      judgement = {Verdict::kNotComparable, Reason::kNoGpuWork};
    } else if (comparable && circumstances.some_without_projection) {
      judgement = {Verdict::kNotComparable, Reason::kNoGpuProjection};
    }
    row.verdict = judgement.verdict;
    row.reason = judgement.reason;
  });
}

void JudgeRows(const Cohorts& cohorts, Comparison& comparison) {
  const Circumstances circumstances = CircumstancesOf(cohorts, comparison);
  JudgeGpuRows(cohorts, circumstances, comparison);
  comparison.verdict = Verdict::kNotComparable;
  comparison.reason = Reason::kMetricMissing;
  if (circumstances.some_without_projection && IsProjected(comparison.primary.metric))
    comparison.reason = Reason::kNoGpuProjection;
  if (!circumstances.holds) comparison.reason = Reason::kContractDiffers;
  if (circumstances.no_runs) comparison.reason = Reason::kNoRuns;
  ForEachRow(comparison, [&](const auto& table, auto& row) {
    const Judgement judgement = JudgeRow(table, row, circumstances, comparison.family_can_pass);
    row.verdict = judgement.verdict;
    row.reason = judgement.reason;
    if (!row.primary) return;
    comparison.verdict = judgement.verdict;
    comparison.reason = judgement.reason;
    const auto note_missing = [&](Side side, const auto& observations) {
      for (size_t i = 0; i < observations.size(); ++i) {
        if (!observations[i]) comparison.primary_missing.push_back({side, i});
      }
    };
    note_missing(Side::kBaseline, row.baseline);
    note_missing(Side::kCandidate, row.candidate);
  });
  if (comparison.reason == Reason::kNoGpuProjection)
    comparison.primary_missing = RunsWithoutProjection(cohorts);
}

}  // namespace

Comparison Compare(std::span<const RunSummary> baseline, std::span<const RunSummary> candidate,
                   const CompareOptions& options) {
  const SelectedRuns baseline_runs = SelectRuns(Side::kBaseline, baseline, options.allowed);
  const SelectedRuns candidate_runs = SelectRuns(Side::kCandidate, candidate, options.allowed);
  const Cohorts cohorts{baseline_runs.runs, candidate_runs.runs};

  Comparison comparison;
  comparison.alpha = options.alpha;
  DescribeRuns(cohorts.baseline, options.allowed, comparison.baseline);
  DescribeRuns(cohorts.candidate, options.allowed, comparison.candidate);
  DescribeSelection(baseline_runs, comparison);
  DescribeSelection(candidate_runs, comparison);
  comparison.contract = CompareContracts(cohorts.baseline, cohorts.candidate, options.allowed);
  comparison.primary = ChoosePrimary(cohorts, options);
  JoinTables(cohorts, comparison);
  JoinGpuTables(cohorts, comparison);
  EstimateRows(cohorts, comparison);
  FindCaveats(cohorts, comparison);
  AdjustFamily(cohorts, comparison);
  for (model::GpuFamily& family : comparison.gpu_families)
    AdjustGpuFamily(cohorts, family, comparison);
  SetFloor(options, comparison);
  JudgeRows(cohorts, comparison);
  return comparison;
}

model::NoiseReport CompareWithItself(std::span<const RunSummary> runs,
                                     const CompareOptions& options) {
  const SelectedRuns selected = SelectRuns(Side::kBaseline, runs, options.allowed);
  const Cohorts cohorts{selected.runs, {}};
  model::NoiseReport report;
  DescribeRuns(cohorts.baseline, options.allowed, report.runs);
  DescribeSelection(selected, report);
  report.contract = CompareContracts(cohorts.baseline, {}, options.allowed);

  Comparison values;
  values.primary = ChoosePrimary(cohorts, options);
  JoinTables(cohorts, values);
  report.primary = values.primary;
  report.values = PrimaryOfBaseline(values);
  bool has_primary = false;
  ForEachRow(values, [&](const auto&, auto& row) { has_primary = has_primary || row.primary; });

  report.noise = MeasureNoise(report.values);
  if (report.runs.empty()) {
    report.reason = Reason::kNoRuns;
  } else if (!ContractHolds(report.contract)) {
    report.reason = Reason::kContractDiffers;
  } else if (static_cast<int64_t>(report.runs.size()) < kMinimumRunsForNoise) {
    report.reason = Reason::kTooFewRuns;
  } else if (report.values.empty()) {
    report.reason = has_primary ? Reason::kMissingInSomeRuns : Reason::kMetricMissing;
  } else if (!report.noise) {
    report.reason = Reason::kNonPositiveValue;
  }
  if (report.reason != Reason::kNone) report.noise.reset();
  return report;
}

}  // namespace rangewise::analysis
