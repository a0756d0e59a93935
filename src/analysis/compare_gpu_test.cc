// Metrics of GPU work in comparisons: families of their own, which change nothing of the other
// rows, and of which nothing that is unknown reads as a win.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/compare.h"
#include "analysis/compare_gate.h"
#include "analysis/compare_verdict.h"
#include "base/codes.h"
#include "support/run_summaries.h"

namespace rangewise::analysis {
namespace {

using model::Caveat;
using model::Comparison;
using model::Metric;
using model::MetricKey;
using model::Reason;
using model::RunSummary;
using model::Verdict;
using test_support::AddGpuWork;
using test_support::AddRange;
using test_support::MakeRun;

using Runs = std::vector<RunSummary>;

// Eight runs; kernels of `fit` and `load` with the least noise.
Runs Cohort(int first, double kernel_factor, bool with_work = true) {
  Runs runs;
  for (int i = 0; i < 8; ++i) {
    RunSummary run = MakeRun(first + 2 * i, 1e6 + i * 900.0, 5e5 + i * 700.0);
    AddRange(run, {"fit"}, 3e5 + i * 77.0, 2e5 - i * 55.0);
    AddRange(run, {"load"}, (2e5 + i * 31.0) * kernel_factor, 1e5 + i * 5.0);
    if (with_work) {
      AddGpuWork(run, {"fit"}, static_cast<int64_t>(200000 * kernel_factor) + 100 * i);
      AddGpuWork(run, {"load"}, 100000 + 50 * ((i * 3) % 8));
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

const model::GpuFamily& FamilyOf(const Comparison& comparison, Metric metric) {
  const auto at = std::find_if(comparison.gpu_families.begin(), comparison.gpu_families.end(),
                               [&](const auto& family) { return family.metric == metric; });
  EXPECT_NE(at, comparison.gpu_families.end());
  return *at;
}

template <typename Ns>
bool NoneIsAWin(const model::MetricTable<Ns>& table) {
  return std::all_of(table.rows.begin(), table.rows.end(), [](const auto& row) {
    return row.verdict == Verdict::kNotComparable && !row.q && !row.log_ratio;
  });
}

template <typename Ns>
void ExpectSameRows(const model::MetricTable<Ns>& a, const model::MetricTable<Ns>& b) {
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (size_t i = 0; i < a.rows.size(); ++i) {
    EXPECT_EQ(a.rows[i].path, b.rows[i].path);
    EXPECT_EQ(a.rows[i].p, b.rows[i].p);
    EXPECT_EQ(a.rows[i].q, b.rows[i].q);  // to the last bit
    EXPECT_EQ(a.rows[i].log_ratio, b.rows[i].log_ratio);
    EXPECT_EQ(a.rows[i].interval, b.rows[i].interval);
    EXPECT_EQ(a.rows[i].verdict, b.rows[i].verdict);
    EXPECT_EQ(a.rows[i].reason, b.rows[i].reason);
  }
}

TEST(CompareGpuWork, FindsSlowerKernelsInTheirFamily) {
  const Comparison comparison = Compare(Cohort(0, 1), Cohort(1, 1.1), {});
  ASSERT_EQ(comparison.gpu_kernels.rows.size(), 2u);
  const auto& fit = comparison.gpu_kernels.rows[0];
  EXPECT_EQ(fit.path, model::RangePath{"fit"});
  EXPECT_EQ(fit.verdict, Verdict::kRegressed);
  EXPECT_NEAR(std::exp(*fit.log_ratio), 1.1, 0.001);
  // The least of a family of two.
  EXPECT_DOUBLE_EQ(*fit.p, 2.0 / 12870);
  EXPECT_DOUBLE_EQ(*fit.q, 4.0 / 12870);
  EXPECT_EQ(comparison.gpu_kernels.rows[1].verdict, Verdict::kNoChange);
  EXPECT_EQ(FamilyOf(comparison, Metric::kGpuKernels).size, 2u);
  EXPECT_TRUE(FamilyOf(comparison, Metric::kGpuKernels).can_pass);
  // Busy time of iterations is of the family of busy time.
  EXPECT_EQ(FamilyOf(comparison, Metric::kGpuBusy).size, 3u);
  ASSERT_EQ(comparison.gpu_busy_iterations.rows.size(), 1u);
  EXPECT_TRUE(comparison.gpu_busy_iterations.rows[0].q.has_value());
  EXPECT_EQ(comparison.host_waits.rows[0].verdict, Verdict::kRegressed);
  EXPECT_EQ(comparison.exposed_communication.rows[0].verdict, Verdict::kRegressed);
  EXPECT_EQ(Compare(Cohort(0, 1.1), Cohort(1, 1), {}).gpu_kernels.rows[0].verdict,
            Verdict::kImproved);
}

TEST(CompareGpuWork, ChangesNothingOfTheOtherRows) {
  const Comparison with = Compare(Cohort(0, 1), Cohort(1, 1.1), {});
  const Comparison without = Compare(Cohort(0, 1, false), Cohort(1, 1.1, false), {});
  EXPECT_EQ(with.family_size, without.family_size);
  EXPECT_EQ(with.family_can_pass, without.family_can_pass);
  EXPECT_EQ(with.family_runs_needed, without.family_runs_needed);
  EXPECT_EQ(with.verdict, without.verdict);
  EXPECT_EQ(with.caveats, without.caveats);
  ExpectSameRows(with.host_iterations, without.host_iterations);
  ExpectSameRows(with.projected_iterations, without.projected_iterations);
  ExpectSameRows(with.host_inclusive, without.host_inclusive);
  ExpectSameRows(with.host_exclusive, without.host_exclusive);
  ExpectSameRows(with.projected, without.projected);
  EXPECT_FALSE(with.gpu_kernels.rows.empty());
  EXPECT_TRUE(without.gpu_kernels.rows.empty());
  EXPECT_TRUE(without.gpu_busy_iterations.rows.empty());
  EXPECT_EQ(FamilyOf(without, Metric::kHostWaits).missing.size(), 16u);
}

TEST(CompareGpuWork, RunsWithoutItAreNoWin) {
  Runs candidate = Cohort(1, 1);
  candidate[2].gpu_work.reset();
  candidate[2].no_gpu_work = "turned off";
  const Comparison comparison = Compare(Cohort(0, 2), candidate, {});
  EXPECT_TRUE(NoneIsAWin(comparison.gpu_busy_iterations));
  EXPECT_TRUE(NoneIsAWin(comparison.gpu_busy));
  EXPECT_TRUE(NoneIsAWin(comparison.gpu_kernels));
  EXPECT_TRUE(NoneIsAWin(comparison.host_waits));
  EXPECT_TRUE(NoneIsAWin(comparison.exposed_communication));
  ASSERT_EQ(comparison.gpu_kernels.rows.size(), 2u);
  EXPECT_EQ(comparison.gpu_kernels.rows[0].reason, Reason::kNoGpuWork);
  EXPECT_EQ(FamilyOf(comparison, Metric::kGpuKernels).missing,
            (std::vector<model::MissingMetric>{{{model::Side::kCandidate, 2}, "turned off"}}));
  EXPECT_EQ(
      std::count(comparison.caveats.begin(), comparison.caveats.end(), Caveat::kGpuWorkMissing), 1);

  // One side without: its ranges were not removed.
  const Comparison one_side = Compare(Cohort(0, 2), Cohort(1, 1, false), {});
  ASSERT_EQ(one_side.gpu_kernels.rows.size(), 2u);
  EXPECT_TRUE(NoneIsAWin(one_side.gpu_kernels));
  EXPECT_TRUE(NoneIsAWin(one_side.host_waits));
}

TEST(CompareGpuWork, WaitsAloneCanBeUnknown) {
  Runs candidate = Cohort(1, 1);
  for (RunSummary& run : candidate) {
    run.gpu_work->no_calls = "no calls";
    for (auto& range : run.gpu_work->ranges) range.waits.reset();
  }
  const Comparison comparison = Compare(Cohort(0, 2), candidate, {});
  ASSERT_FALSE(comparison.host_waits.rows.empty());
  EXPECT_TRUE(NoneIsAWin(comparison.host_waits));
  EXPECT_EQ(FamilyOf(comparison, Metric::kHostWaits).missing.size(), 8u);
  EXPECT_TRUE(FamilyOf(comparison, Metric::kGpuKernels).missing.empty());
  EXPECT_EQ(comparison.gpu_kernels.rows[0].verdict, Verdict::kImproved);
}

TEST(CompareGpuWork, WholeGraphsAreUnknownAndNotRemoved) {
  Runs candidate = Cohort(1, 1);
  for (RunSummary& run : candidate) {
    model::GpuRangeSummary& range = run.gpu_work->ranges[0];
    range.has_whole_graphs = true;
    range.busy.reset();
    range.kernels.reset();
    range.exposed_communication.reset();
  }
  const Comparison comparison = Compare(Cohort(0, 1), candidate, {});
  EXPECT_EQ(comparison.gpu_kernels.rows[0].verdict, Verdict::kNotComparable);
  EXPECT_EQ(comparison.gpu_kernels.rows[0].reason, Reason::kNoGpuWork);
  EXPECT_EQ(comparison.gpu_busy.rows[0].verdict, Verdict::kNotComparable);
  EXPECT_EQ(comparison.exposed_communication.rows[0].verdict, Verdict::kNotComparable);
  EXPECT_EQ(comparison.gpu_kernels.rows[1].verdict, Verdict::kNoChange);
  EXPECT_EQ(comparison.host_waits.rows[0].verdict, Verdict::kNoChange);
}

TEST(CompareGpuWork, RunsWithoutAnyProjectionAreNoEvidence) {
  Runs candidate = Cohort(1, 1);
  for (RunSummary& run : candidate) {
    run.projected_iterations.reset();
    run.projected_ranges.clear();
    run.gpu_work->ranges.clear();
  }
  const Comparison comparison = Compare(Cohort(0, 1), candidate, {});
  ASSERT_EQ(comparison.gpu_kernels.rows.size(), 2u);
  EXPECT_TRUE(NoneIsAWin(comparison.gpu_kernels));
  EXPECT_EQ(comparison.gpu_kernels.rows[0].reason, Reason::kNoGpuProjection);
}

TEST(CompareGpuWork, WhatIsZeroEverywhereHasNoRowAndWhatBecomesZeroIsNotTested) {
  Runs baseline = Cohort(0, 1);
  Runs candidate = Cohort(1, 1);
  for (Runs* side : {&baseline, &candidate}) {
    for (RunSummary& run : *side) run.gpu_work->ranges[1].waits = test_support::TotalOf<HostNs>(0);
  }
  for (RunSummary& run : candidate)
    run.gpu_work->ranges[0].waits = test_support::TotalOf<HostNs>(0);
  const Comparison comparison = Compare(baseline, candidate, {});
  ASSERT_EQ(comparison.host_waits.rows.size(), 1u);
  EXPECT_EQ(comparison.host_waits.rows[0].path, model::RangePath{"fit"});
  EXPECT_EQ(comparison.host_waits.rows[0].verdict, Verdict::kInconclusive);
  EXPECT_EQ(comparison.host_waits.rows[0].reason, Reason::kNonPositiveValue);
}

TEST(CompareGpuWork, GroupedRowsWhereEveryRunWithWorkHasThem) {
  Runs baseline = Cohort(0, 1);
  Runs candidate = Cohort(1, 1);
  for (Runs* side : {&baseline, &candidate}) {
    for (RunSummary& run : *side) {
      run.gpu_work->grouped = std::vector{run.gpu_work->ranges[0]};
      run.gpu_work->grouped->front().path = {"step #"};
    }
  }
  const Comparison grouped = Compare(baseline, candidate, {});
  EXPECT_TRUE(grouped.gpu_kernels.grouped);
  ASSERT_EQ(grouped.gpu_kernels.rows.size(), 1u);
  EXPECT_EQ(grouped.gpu_kernels.rows[0].path, model::RangePath{"step #"});
  candidate[0].gpu_work->grouped.reset();
  EXPECT_FALSE(Compare(baseline, candidate, {}).gpu_kernels.grouped);
}

TEST(CompareGpuWork, CountsForTheGateWhereItIsNamed) {
  Runs baseline = Cohort(0, 1);
  Runs candidate = Cohort(1, 1);
  for (RunSummary& run : candidate)
    run.gpu_work->ranges[0].kernels = test_support::TotalOf<GpuNs>(300000);
  const Comparison comparison = Compare(baseline, candidate, {});
  ASSERT_EQ(comparison.verdict, Verdict::kNoChange);
  ASSERT_EQ(comparison.gpu_kernels.rows[0].verdict, Verdict::kRegressed);
  EXPECT_EQ(ExitCodeOf(JudgeGate(comparison, {})), kExitDone);
  const std::vector<MetricKey> kernels = {{.metric = Metric::kGpuKernels, .path = {"fit"}}};
  EXPECT_EQ(ExitCodeOf(JudgeGate(comparison, kernels)), kExitGateFailed);
  const std::vector<MetricKey> others = {{.metric = Metric::kGpuKernels, .path = {"load"}},
                                         {.metric = Metric::kHostWaits, .path = {"fit"}}};
  EXPECT_EQ(ExitCodeOf(JudgeGate(comparison, others)), kExitDone);
  candidate[3].gpu_work.reset();
  EXPECT_EQ(ExitCodeOf(JudgeGate(Compare(baseline, candidate, {}), others)), kExitInconclusive);
}

}  // namespace
}  // namespace rangewise::analysis
