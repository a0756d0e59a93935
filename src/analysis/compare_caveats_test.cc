// Comparisons by hand: runs that are incomplete, doubtful or one and the same.
#include <gtest/gtest.h>

#include "analysis/compare.h"
#include "analysis/compare_gate.h"
#include "analysis/compare_verdict.h"
#include "support/run_summaries.h"

namespace rangewise::analysis {
namespace {

using model::Caveat;
using model::Comparison;
using model::ContractState;
using model::Metric;
using model::Reason;
using model::RunSummary;
using model::Verdict;
using test_support::AddRange;
using test_support::Fast;
using test_support::Has;
using test_support::MakeCohort;
using test_support::MakeRun;
using test_support::RowOf;
using test_support::Slow;

using Runs = std::vector<RunSummary>;

TEST(CompareCaveats, LeavesOutRunsOfWhichOnlySomeIterationsWereProjected) {
  Runs fast;
  Runs slow;
  for (int i = 0; i < 6; ++i) {
    fast.push_back(MakeRun(2 * i, 1e6 + i, 5e5 + 100 * i));
    slow.push_back(MakeRun(2 * i + 1, 1e6 + i, 4e5 + 100 * i));
    slow.back().partly_projected = true;
  }
  const Comparison comparison = Compare(fast, slow, {});
  EXPECT_EQ(comparison.verdict, Verdict::kNotComparable);
  EXPECT_EQ(comparison.reason, Reason::kNoRuns);
  ASSERT_EQ(comparison.left_out.size(), 6u);
  EXPECT_EQ(comparison.left_out[0].codes, std::vector<std::string>{"missing-gpu-projection"});
  const Comparison allowed = Compare(fast, slow, {.allowed = {"missing-gpu-projection"}});
  EXPECT_EQ(allowed.verdict, Verdict::kImproved);
  EXPECT_TRUE(Has(allowed, Caveat::kWarningsAllowed));
  EXPECT_EQ(allowed.candidate[0].allowed_warnings,
            std::vector<std::string>{"missing-gpu-projection"});
  // Where no iteration was projected, nothing is incomplete: the GPU side is missing as a whole.
  for (RunSummary& run : slow) run.partly_projected = false;
  slow[0].partly_on_host = true;
  EXPECT_EQ(Compare(fast, slow, {}).left_out[0].codes,
            std::vector<std::string>{"missing-host-iterations"});
}

TEST(CompareCaveats, AnotherNumberOfIterationsIsAnotherContract) {
  Runs slow = Slow();
  for (RunSummary& run : slow) run.contract["iterations"] = Value{Integer{"3"}};
  const Comparison comparison = Compare(Fast(), slow, {});
  EXPECT_EQ(comparison.reason, Reason::kContractDiffers);
  EXPECT_EQ(RowOf(comparison, "iterations").state, ContractState::kDifferent);
  EXPECT_EQ(Compare(Fast(), slow, {.allowed = {"iterations"}}).verdict, Verdict::kRegressed);
}

TEST(CompareCaveats, OtherNumbersOfInstancesAreACaveat) {
  Runs fast = Fast();
  Runs slow = Slow();
  for (RunSummary& run : fast) AddRange(run, {"a"}, 1e5, 1e5);
  for (RunSummary& run : slow) AddRange(run, {"a"}, 1e5, 1e5);
  EXPECT_FALSE(Has(Compare(fast, slow, {}), Caveat::kInstancesDiffer));
  // The sides vary alike.
  fast[0].host_ranges[0].inclusive.instances = 11;
  slow[3].host_ranges[0].inclusive.instances = 11;
  EXPECT_FALSE(Has(Compare(fast, slow, {}), Caveat::kInstancesDiffer));
  slow[3].host_ranges[0].inclusive.instances = 100;
  const Comparison comparison = Compare(fast, slow, {});
  EXPECT_TRUE(Has(comparison, Caveat::kInstancesDiffer));
  EXPECT_TRUE(comparison.host_inclusive.rows[0].instances_differ);
  EXPECT_FALSE(comparison.host_exclusive.rows[0].instances_differ);
}

TEST(CompareCaveats, AnEmptyCaptureIsNoWinWhereOnlyRangesWereProjected) {
  Runs fast = Fast();
  Runs slow = Slow();
  for (RunSummary& run : slow) AddRange(run, {"a"}, 1e5, 1e5);
  const Comparison comparison = Compare(slow, fast, {});
  EXPECT_EQ(comparison.verdict, Verdict::kNotComparable);
  EXPECT_EQ(comparison.reason, Reason::kNoGpuProjection);
  EXPECT_EQ(comparison.primary_missing.size(), 5u);
  EXPECT_EQ(ExitCodeOf(JudgeGate(comparison, {})), 4);
  EXPECT_TRUE(Has(comparison, Caveat::kGpuDataMissing));
  const Comparison host =
      Compare(slow, fast, {.primary = model::MetricKey{Metric::kHostIterations}});
  EXPECT_EQ(host.verdict, Verdict::kImproved);
  EXPECT_TRUE(Has(host, Caveat::kGpuDataMissing));
  // With ranges projected in all runs, the iterations' host time decides.
  for (RunSummary& run : fast) AddRange(run, {"a"}, 1e5, 1e5);
  EXPECT_EQ(Compare(slow, fast, {}).verdict, Verdict::kImproved);
  EXPECT_FALSE(Has(Compare(slow, fast, {}), Caveat::kGpuDataMissing));
}

TEST(CompareCaveats, RunsThatMayBeOneCaptureAreACaveat) {
  EXPECT_FALSE(Has(Compare(Fast(), Slow(), {}), Caveat::kRepeatedRuns));
  Runs slow = Slow();
  slow[1].id = slow[0].id;
  EXPECT_TRUE(Has(Compare(Fast(), slow, {}), Caveat::kRepeatedRuns));
  slow = Slow();
  slow[4].started_at = Fast()[2].started_at;
  EXPECT_TRUE(Has(Compare(Fast(), slow, {}), Caveat::kRepeatedRuns));
  // A date is no time, and no id is no id.
  slow = Slow();
  for (RunSummary& run : slow) {
    run.started_at = "2026-01-31";
    run.id.reset();
  }
  EXPECT_FALSE(Has(Compare(Fast(), slow, {}), Caveat::kRepeatedRuns));
}

TEST(CompareCaveats, OtherWarningsAreACaveat) {
  Runs slow = Slow();
  slow[1].warnings = {"negative-duration", "stale-reports"};
  const Comparison comparison = Compare(Fast(), slow, {.allowed = {"stale-reports"}});
  EXPECT_TRUE(Has(comparison, Caveat::kRunsWarn));
  EXPECT_TRUE(Has(comparison, Caveat::kWarningsAllowed));
  EXPECT_EQ(comparison.candidate[1].warnings, slow[1].warnings);
  EXPECT_EQ(comparison.candidate[1].allowed_warnings, std::vector<std::string>{"stale-reports"});
  slow[1].warnings = {"stale-reports"};
  EXPECT_FALSE(Has(Compare(Fast(), slow, {.allowed = {"stale-reports"}}), Caveat::kRunsWarn));
}

TEST(CompareCaveats, OneCaptureWithOtherNumbersIsSaid) {
  Runs slow = Slow();
  slow.push_back(slow.front());
  slow.back().label = "x";
  EXPECT_TRUE(Compare(Fast(), slow, {}).duplicates.at(0).same_numbers);
  slow.back().host_iterations->median_ns += 1;
  EXPECT_FALSE(Compare(Fast(), slow, {}).duplicates.at(0).same_numbers);
}

}  // namespace
}  // namespace rangewise::analysis
