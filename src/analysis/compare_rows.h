// Owns the rows of a comparison before any verdict: the runs' metrics joined by path, the estimates
// and tests of each row, its place in the tree.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/rank_tests.h"
#include "model/comparison.h"

namespace rangewise::analysis {

// The runs that take part; their order numbers the values of every row.
struct Cohorts {
  std::vector<const model::RunSummary*> baseline;
  std::vector<const model::RunSummary*> candidate;
  size_t size() const { return baseline.size() + candidate.size(); }
  const model::RunSummary& At(size_t i) const {
    return i < baseline.size() ? *baseline[i] : *candidate[i - baseline.size()];
  }
};

// The tables with their values and places (below the capture range lies every other row; iterations
// hold the rows that are neither); range tables from the grouped rows where every run has
// them. A path of one style and domain that a run brings twice counts by its first.
model::MetricTable<HostNs> JoinHostIterations(const Cohorts& cohorts);
model::MetricTable<ProjectedNs> JoinProjectedIterations(const Cohorts& cohorts);
model::MetricTable<HostNs> JoinHostRanges(const Cohorts& cohorts, model::Metric metric);
model::MetricTable<ProjectedNs> JoinProjectedRanges(const Cohorts& cohorts);

// GPU work alike, grouped where every run that has any has grouped paths. A range that is 0 in all
// runs, or in none above it for all that is known, has no row. A row in which a run's value is not
// known although the run has the range (whole graphs) bears the reason kNoGpuWork.
model::MetricTable<GpuNs> JoinBusyIterations(const Cohorts& cohorts);
model::MetricTable<GpuNs> JoinBusyTimes(const Cohorts& cohorts);
model::MetricTable<GpuNs> JoinKernelTimes(const Cohorts& cohorts);
model::MetricTable<HostNs> JoinHostWaits(const Cohorts& cohorts);
model::MetricTable<GpuNs> JoinExposedCommunication(const Cohorts& cohorts);

// The runs that lack a metric of GPU work altogether, with the reason of each.
std::vector<model::MissingMetric> RunsWithoutGpuMetric(const Cohorts& cohorts,
                                                       model::Metric metric);

// Fills ratio, shift, interval, p and delta of a row that every run has, as far as its values and
// their number allow, and whether the sides met it different numbers of times; leaves other rows as
// they are. A p that cannot be trusted is left out. `distribution` and `tied` have the cohorts'
// sizes.
template <typename Ns>
void EstimateRow(model::MetricRow<Ns>& row, const RankDistribution& distribution, TiedRanks& tied);

// The geometric mean over leaves.
template <typename Ns>
void SummariseLeaves(model::MetricTable<Ns>& table);

// The medians of one side, in its order; empty when a run has none.
template <typename Ns>
std::vector<double> MediansOf(const std::vector<std::optional<model::Observation<Ns>>>& side) {
  std::vector<double> medians;
  medians.reserve(side.size());
  for (const std::optional<model::Observation<Ns>>& observation : side) {
    if (!observation) return {};
    medians.push_back(observation->median_ns);
  }
  return medians;
}

}  // namespace rangewise::analysis
