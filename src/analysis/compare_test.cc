// Comparisons by hand: selection of runs, contract, order, primary metric, families, floors.
#include "analysis/compare.h"

#include <gtest/gtest.h>

#include <cmath>

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

TEST(Compare, TellsARegressionWithItsNumbers) {
  const Comparison comparison = Compare(Fast(), Slow(), {});
  EXPECT_EQ(comparison.verdict, Verdict::kRegressed);
  EXPECT_EQ(comparison.reason, Reason::kNone);
  EXPECT_TRUE(comparison.caveats.empty());
  EXPECT_EQ(comparison.primary.metric, Metric::kHostIterations);
  EXPECT_EQ(comparison.runs_needed, 5);
  ASSERT_EQ(comparison.host_iterations.rows.size(), 1u);
  const auto& row = comparison.host_iterations.rows[0];
  EXPECT_TRUE(row.primary);
  EXPECT_DOUBLE_EQ(*row.p, 2.0 / 252);
  EXPECT_FALSE(row.q.has_value());
  EXPECT_EQ(*row.cliffs_delta, 1);
  EXPECT_DOUBLE_EQ(*row.shift_ns, 200000);
  EXPECT_NEAR(std::exp(*row.log_ratio), 1.2, 0.01);
  EXPECT_LT(row.interval->low, *row.log_ratio);
  EXPECT_GT(row.interval->high, *row.log_ratio);
  EXPECT_NEAR(row.interval->coverage, 1 - 8.0 / 252, 1e-12);
  EXPECT_EQ(Compare(Slow(), Fast(), {}).verdict, Verdict::kImproved);
}

TEST(Compare, FewRunsAreShownAndNotJudged) {
  const Comparison one = Compare(MakeCohort({1e6}, 0), MakeCohort({2e6}, 1), {});
  EXPECT_EQ(one.verdict, Verdict::kInconclusive);
  EXPECT_EQ(one.reason, Reason::kOneRun);
  EXPECT_DOUBLE_EQ(*one.host_iterations.rows[0].log_ratio, std::log(2e6) - std::log(1e6));
  EXPECT_FALSE(one.host_iterations.rows[0].p.has_value());
  EXPECT_FALSE(one.host_iterations.rows[0].interval.has_value());

  Runs four = Slow();
  four.pop_back();
  const Comparison few = Compare(Fast(), four, {});
  EXPECT_EQ(few.verdict, Verdict::kInconclusive);
  EXPECT_EQ(few.reason, Reason::kTooFewRuns);
  EXPECT_EQ(few.runs_needed, 5);
  EXPECT_FALSE(few.host_iterations.rows[0].p.has_value());
  EXPECT_FALSE(few.host_iterations.rows[0].interval.has_value());
  EXPECT_EQ(few.candidate.size(), 4u);
  EXPECT_EQ(ExitCodeOf(JudgeGate(few, {})), 4);
}

TEST(Compare, ADifferenceOfTheContractForbidsAVerdict) {
  Runs slow = Slow();
  slow[2].contract["device"] = Value{std::string("H100")};
  Comparison comparison = Compare(Fast(), slow, {});
  EXPECT_EQ(comparison.verdict, Verdict::kNotComparable);
  EXPECT_EQ(comparison.reason, Reason::kContractDiffers);
  EXPECT_EQ(ExitCodeOf(comparison), 4);
  const model::ContractRow& row = RowOf(comparison, "device");
  EXPECT_EQ(row.state, ContractState::kDifferent);
  ASSERT_EQ(row.candidate.size(), 2u);
  EXPECT_EQ(row.candidate[0].runs, (std::vector<size_t>{0, 1, 3, 4}));
  EXPECT_EQ(row.candidate[1].runs, (std::vector<size_t>{2}));
  EXPECT_EQ(row.candidate[1].value, Value{std::string("H100")});
  EXPECT_EQ(RowOf(comparison, "target.name").state, ContractState::kEqual);

  comparison = Compare(Fast(), slow, {.allowed = {"device"}});
  EXPECT_EQ(comparison.verdict, Verdict::kRegressed);
  EXPECT_TRUE(RowOf(comparison, "device").allowed);
  EXPECT_TRUE(Has(comparison, Caveat::kDifferencesAllowed));
}

TEST(Compare, NamesTheKeyWithinAMapping) {
  Runs slow = Slow();
  for (RunSummary& run : slow)
    std::get<ValueMap>(run.contract["workload"].data)["seed"] = Value{Integer{"8"}};
  const Comparison comparison = Compare(Fast(), slow, {});
  EXPECT_EQ(RowOf(comparison, "workload.seed").state, ContractState::kDifferent);
  EXPECT_EQ(RowOf(comparison, "workload.warmup").state, ContractState::kEqual);
  EXPECT_EQ(Compare(Fast(), slow, {.allowed = {"workload.seed"}}).verdict, Verdict::kRegressed);
  EXPECT_EQ(Compare(Fast(), slow, {.allowed = {"workload"}}).verdict, Verdict::kRegressed);
  EXPECT_EQ(Compare(Fast(), slow, {.allowed = {"workload.warmup"}}).verdict,
            Verdict::kNotComparable);
}

TEST(Compare, WhatNoRunRecordedIsUnknownAndWhatSomeRecordedDiffers) {
  Runs fast = Fast();
  Runs slow = Slow();
  fast[0].contract.erase("device");
  EXPECT_EQ(RowOf(Compare(fast, slow, {}), "device").state, ContractState::kDifferent);
  for (Runs* side : {&fast, &slow}) {
    for (RunSummary& run : *side) run.contract.erase("device");
  }
  const Comparison comparison = Compare(fast, slow, {});
  EXPECT_EQ(RowOf(comparison, "device").state, ContractState::kUnknown);
  EXPECT_EQ(comparison.verdict, Verdict::kNotComparable);
  EXPECT_EQ(Compare(fast, slow, {.allowed = {"device"}}).verdict, Verdict::kRegressed);
}

TEST(Compare, LeavesOutRunsThatWereNotMeasuredAsAnnounced) {
  Runs slow = Slow();
  slow[1].warnings = {"single-iteration", "stale-reports", "missing-iterations"};
  slow[3].open_range_in_capture = true;
  const Comparison comparison = Compare(Fast(), slow, {});
  EXPECT_EQ(comparison.candidate.size(), 3u);
  EXPECT_EQ(comparison.reason, Reason::kTooFewRuns);
  EXPECT_TRUE(Has(comparison, Caveat::kRunsLeftOut));
  ASSERT_EQ(comparison.left_out.size(), 2u);
  EXPECT_EQ(comparison.left_out[0].side, model::Side::kCandidate);
  EXPECT_EQ(comparison.left_out[0].run.label, slow[1].label);
  EXPECT_EQ(comparison.left_out[0].codes,
            (std::vector<std::string>{"missing-iterations", "stale-reports"}));
  EXPECT_EQ(comparison.left_out[1].codes, (std::vector<std::string>{"open-ranges"}));

  const AllowedKeys all = {"missing-iterations", "stale-reports", "open-ranges"};
  EXPECT_EQ(Compare(Fast(), slow, {.allowed = all}).candidate.size(), 5u);
  EXPECT_EQ(Compare(Fast(), slow, {.allowed = {"stale-reports", "open-ranges"}}).candidate.size(),
            4u);
}

TEST(Compare, ASideWithoutRunsIsNotComparable) {
  Runs slow = Slow();
  for (RunSummary& run : slow) run.warnings = {"stale-reports"};
  EXPECT_EQ(Compare(Fast(), slow, {}).reason, Reason::kNoRuns);
  EXPECT_EQ(Compare(Fast(), {}, {}).verdict, Verdict::kNotComparable);
  EXPECT_EQ(Compare({}, {}, {}).reason, Reason::kNoRuns);
}

TEST(Compare, TheSameContentCountsOnce) {
  Runs slow = Slow();
  slow.push_back(slow[2]);
  slow.back().label = "copies/of it";
  const Comparison comparison = Compare(Fast(), slow, {});
  EXPECT_EQ(comparison.candidate.size(), 5u);
  ASSERT_EQ(comparison.duplicates.size(), 1u);
  EXPECT_EQ(comparison.duplicates[0].label, slow[2].label);
  EXPECT_EQ(comparison.duplicates[0].same_as, "copies/of it");
  EXPECT_TRUE(Has(comparison, Caveat::kDuplicateRuns));
  // Unknown content is not the same content.
  for (RunSummary& run : slow) run.digest.clear();
  EXPECT_EQ(Compare(Fast(), slow, {}).candidate.size(), 6u);
}

TEST(Compare, ARunOnBothSidesAllowsNoClaim) {
  Runs slow = Slow();
  slow.push_back(Fast()[0]);
  const Comparison comparison = Compare(Fast(), slow, {});
  EXPECT_TRUE(Has(comparison, Caveat::kSharedRuns));
  EXPECT_EQ(comparison.verdict, Verdict::kInconclusive);
  EXPECT_EQ(Compare(Fast(), Fast(), {}).verdict, Verdict::kInconclusive);
}

TEST(Compare, SaysWhenTheOrderConfounds) {
  const Runs fast = MakeCohort({1.00e6, 1.01e6, 1.02e6, 1.03e6, 1.04e6}, 0, 1);
  Runs later = MakeCohort({1.20e6, 1.21e6, 1.22e6, 1.23e6, 1.24e6}, 5, 1);
  EXPECT_TRUE(Has(Compare(fast, later, {}), Caveat::kOrderConfounded));
  EXPECT_TRUE(Has(Compare(later, fast, {}), Caveat::kOrderConfounded));
  // The same moment written with another zone, before the baseline's last.
  later[0].started_at = "2026-01-31T05:33:30+05:30";
  EXPECT_FALSE(Has(Compare(fast, later, {}), Caveat::kOrderConfounded));
  EXPECT_FALSE(Has(Compare(fast, later, {}), Caveat::kOrderUnknown));
  // No zone, no time, no date, or a tie that leaves it open.
  for (const char* text :
       {"2026-01-31T00:03:30", "", "soon", "2026-01-31T00:04:00Z", "2026-01-31", "2026-02-01"}) {
    later[0].started_at = text;
    if (later[0].started_at->empty()) later[0].started_at.reset();
    EXPECT_TRUE(Has(Compare(fast, later, {}), Caveat::kOrderUnknown)) << text;
    EXPECT_FALSE(Has(Compare(fast, later, {}), Caveat::kOrderConfounded)) << text;
  }
}

TEST(Compare, SaysWhenACommitStandsOnBothSides) {
  Runs slow = Slow();
  EXPECT_FALSE(Has(Compare(Fast(), slow, {}), Caveat::kSameCommit));
  slow[1].commit = Fast()[4].commit;
  EXPECT_TRUE(Has(Compare(Fast(), slow, {}), Caveat::kSameCommit));
}

TEST(Compare, TakesTheProjectionWhereEveryRunHasIt) {
  Runs fast;
  Runs slow;
  for (int i = 0; i < 5; ++i) {
    fast.push_back(MakeRun(2 * i, 1e6 + i, 5e5 + 100 * i));
    slow.push_back(MakeRun(2 * i + 1, 1e6 + i, 7e5 + 100 * i));
  }
  Comparison comparison = Compare(fast, slow, {});
  EXPECT_EQ(comparison.primary.metric, Metric::kProjectedIterations);
  EXPECT_EQ(comparison.verdict, Verdict::kRegressed);
  EXPECT_EQ(comparison.family_size, 1u);  // the host iterations
  EXPECT_EQ(comparison.host_iterations.rows[0].verdict, Verdict::kNoChange);
  EXPECT_TRUE(comparison.host_iterations.rows[0].q.has_value());

  slow[3].projected_iterations.reset();
  comparison = Compare(fast, slow, {});
  EXPECT_EQ(comparison.verdict, Verdict::kNotComparable);
  EXPECT_EQ(comparison.reason, Reason::kNoGpuProjection);
  EXPECT_EQ(comparison.primary_missing, (std::vector<model::RunRef>{{model::Side::kCandidate, 3}}));
  // The host side may still be asked for.
  comparison = Compare(fast, slow, {.primary = model::MetricKey{Metric::kHostIterations}});
  EXPECT_EQ(comparison.verdict, Verdict::kNoChange);
}

TEST(Compare, ARangeCanBeThePrimaryMetric) {
  Runs fast = Fast();
  Runs slow = Slow();
  for (RunSummary& run : fast) AddRange(run, {"a", "b"}, 1e5, 1e5);
  for (RunSummary& run : slow) AddRange(run, {"a", "b"}, 2e5, 3e5);
  const model::MetricKey key{.metric = Metric::kProjected, .path = {"a", "b"}};
  const Comparison comparison = Compare(fast, slow, {.primary = key});
  EXPECT_EQ(comparison.verdict, Verdict::kRegressed);
  EXPECT_TRUE(comparison.projected.rows[0].primary);
  EXPECT_FALSE(comparison.projected.rows[0].q.has_value());
  EXPECT_FALSE(comparison.host_inclusive.rows[0].primary);
  EXPECT_EQ(comparison.family_size, 3u);
  const Comparison missing =
      Compare(fast, slow, {.primary = model::MetricKey{Metric::kProjected, {"a"}}});
  EXPECT_EQ(missing.verdict, Verdict::kNotComparable);
  EXPECT_EQ(missing.reason, Reason::kMetricMissing);
}

TEST(Compare, RangesThatComeAndGoAreNotPercentages) {
  Runs fast = Fast();
  Runs slow = Slow();
  for (RunSummary& run : fast) AddRange(run, {"old"}, 1e5, 1e5);
  for (RunSummary& run : slow) AddRange(run, {"new"}, 1e5, 1e5);
  AddRange(fast[0], {"rare"}, 1e5, 1e5);
  AddRange(slow[0], {"rare"}, 1e5, 1e5);
  const Comparison comparison = Compare(fast, slow, {});
  const auto& rows = comparison.host_inclusive.rows;
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].path, model::RangePath{"new"});
  EXPECT_EQ(rows[0].verdict, Verdict::kAdded);
  EXPECT_EQ(rows[1].verdict, Verdict::kRemoved);
  EXPECT_EQ(rows[2].verdict, Verdict::kNotComparable);
  EXPECT_EQ(rows[2].reason, Reason::kMissingInSomeRuns);
  for (const auto& row : rows) EXPECT_FALSE(row.log_ratio || row.p || row.q || row.shift_ns);
  EXPECT_FALSE(comparison.host_inclusive.leaf_log_ratio.has_value());
  EXPECT_EQ(comparison.family_size, 0u);
}

TEST(Compare, ValuesThatAreNotPositiveAreNotTested) {
  Runs fast = Fast();
  Runs slow = Slow();
  for (RunSummary& run : fast) AddRange(run, {"a"}, 1e5, 1e5);
  for (RunSummary& run : slow) AddRange(run, {"a"}, 1e5, 1e5);
  slow[0].host_ranges[0].exclusive.median_ns = -2;
  const Comparison comparison = Compare(fast, slow, {});
  const auto& row = comparison.host_exclusive.rows[0];
  EXPECT_EQ(row.verdict, Verdict::kInconclusive);
  EXPECT_EQ(row.reason, Reason::kNonPositiveValue);
  EXPECT_FALSE(row.log_ratio || row.p || row.q || row.interval);
  EXPECT_EQ(comparison.family_size, 2u);
}

TEST(Compare, TheGeometricMeanIsOfLeavesOnly) {
  Runs fast = Fast();
  Runs slow = Slow();
  for (RunSummary& run : fast) {
    AddRange(run, {"capture"}, 9e5, 9e5);
    AddRange(run, {"a"}, 4e5, 4e5);
    AddRange(run, {"a", "b"}, 1e5, 1e5);
    AddRange(run, {"a", "c"}, 1e5, 1e5);
    AddRange(run, {"a.b"}, 1e5, 1e5);
  }
  for (RunSummary& run : slow) {
    AddRange(run, {"capture"}, 18e5, 9e5);
    AddRange(run, {"a"}, 8e5, 4e5);
    AddRange(run, {"a", "b"}, 2e5, 1e5);
    AddRange(run, {"a", "c"}, 4e5, 1e5);
    AddRange(run, {"a.b"}, 1e5, 1e5);
  }
  const auto& table = Compare(fast, slow, {}).host_inclusive;
  ASSERT_EQ(table.rows.size(), 5u);
  const bool nested[] = {true, true, true, true, false};  // all but the first in the capture range
  const bool leaf[] = {false, true, true, true, false};
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(table.rows[i].nested, nested[i]) << i;
    EXPECT_EQ(table.rows[i].leaf, leaf[i]) << i;
  }
  EXPECT_EQ(table.leaves, 3u);
  EXPECT_NEAR(std::exp(*table.leaf_log_ratio), 2, 1e-12);  // of 2, 4 and 1
}

TEST(Compare, UsesGroupedRowsWhereEveryRunHasThem) {
  Runs fast = Fast();
  Runs slow = Slow();
  for (Runs* side : {&fast, &slow}) {
    for (RunSummary& run : *side) {
      AddRange(run, {"step " + *run.id}, 1e5, 1e5);
      run.grouped_host_ranges = run.host_ranges;
      run.grouped_host_ranges->front().path = {"step #"};
    }
  }
  EXPECT_TRUE(Compare(fast, slow, {}).host_inclusive.grouped);
  EXPECT_EQ(Compare(fast, slow, {}).host_inclusive.rows.size(), 1u);
  EXPECT_FALSE(Compare(fast, slow, {}).projected.grouped);
  EXPECT_EQ(Compare(fast, slow, {}).projected.rows.size(), 10u);
  slow[0].grouped_host_ranges.reset();
  EXPECT_FALSE(Compare(fast, slow, {}).host_inclusive.grouped);
  EXPECT_EQ(Compare(fast, slow, {}).host_inclusive.rows.size(), 10u);
}

TEST(Compare, MarksWhatIterationsHold) {
  Runs fast = Fast();
  Runs slow = Slow();
  for (Runs* side : {&fast, &slow}) {
    for (RunSummary& run : *side) {
      AddRange(run, {"capture"}, 9e5, 9e5);
      AddRange(run, {"iteration 0"}, 4e5, 4e5);
      AddRange(run, {"work"}, 1e5, 1e5);
    }
  }
  const auto& rows = Compare(fast, slow, {}).host_inclusive.rows;
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_FALSE(rows[0].leaf);  // capture
  EXPECT_FALSE(rows[1].leaf);  // the iteration
  EXPECT_TRUE(rows[2].leaf);
  EXPECT_FALSE(rows[0].nested);
  EXPECT_TRUE(rows[1].nested);
  EXPECT_TRUE(rows[2].nested);
}

TEST(Compare, SaysHowManyRunsASmallAlphaNeeds) {
  const Comparison comparison = Compare(Fast(), Slow(), {.alpha = 0.001});
  EXPECT_EQ(comparison.verdict, Verdict::kInconclusive);
  EXPECT_EQ(comparison.reason, Reason::kTooFewRuns);  // the least p of 5 and 5 is 0.0079
  EXPECT_EQ(comparison.runs_needed, 7);
}

TEST(Compare, SaysWhenTheFamilyIsTooLargeForItsRuns) {
  Runs fast = Fast();
  Runs slow = MakeCohort({1.00e6, 1.01e6, 1.02e6, 1.03e6, 1.04e6}, 1);
  int i = 0;
  for (Runs* side : {&fast, &slow}) {
    for (RunSummary& run : *side) {
      for (int range = 0; range < 50; ++range) {
        // Wide, overlapping values, but for one range that doubled.
        const double value = 1e5 * (1 + 0.01 * ((i * 7 + range * 3) % 10));
        const double factor = range == 0 && side == &slow ? 2 : 1;
        run.projected_ranges.push_back({{"r", std::to_string(range)},
                                        model::Style::kPushPop,
                                        test_support::Observed<ProjectedNs>(value * factor)});
      }
      ++i;
    }
  }
  const Comparison comparison = Compare(fast, slow, {});
  EXPECT_EQ(comparison.family_size, 50u);
  EXPECT_FALSE(comparison.family_can_pass);
  EXPECT_EQ(comparison.family_runs_needed, 7);  // 2 / C(14, 7) is below 0.001
  const auto& row = comparison.projected.rows[0];
  EXPECT_DOUBLE_EQ(*row.p, 2.0 / 252);
  EXPECT_EQ(row.verdict, Verdict::kInconclusive);
  EXPECT_EQ(row.reason, Reason::kTooFewForFamily);
}

TEST(Compare, TheFloorIsGivenOrMeasuredOrTheDefault) {
  EXPECT_EQ(Compare(Fast(), Slow(), {}).floor.source, model::FloorSource::kDefault);
  EXPECT_EQ(Compare(Fast(), Slow(), {}).floor.relative, 0.03);
  const Comparison given = Compare(Fast(), Slow(), {.floor = 0.5});
  EXPECT_EQ(given.floor.source, model::FloorSource::kGiven);
  EXPECT_EQ(given.verdict, Verdict::kNoChange);
  EXPECT_EQ(Compare(Fast(), Slow(), {.absolute_floor_ns = 1e9}).reason,
            Reason::kBelowAbsoluteFloor);

  const Comparison few = Compare(Fast(), Slow(), {.floor = FloorFromNoise{}});
  EXPECT_EQ(few.floor.source, model::FloorSource::kTooFewForNoise);
  EXPECT_EQ(few.floor.relative, 0.03);
  const Runs calm = MakeCohort(std::vector<double>(10, 1e6), 0);
  const Comparison still = Compare(calm, Slow(), {.floor = FloorFromNoise{}});
  EXPECT_EQ(still.floor.source, model::FloorSource::kNoiseBelowDefault);
  EXPECT_EQ(still.floor.relative, 0.03);
  Runs gaps = calm;
  gaps[3].host_iterations.reset();
  EXPECT_EQ(Compare(gaps, Slow(), {.floor = FloorFromNoise{}}).floor.source,
            model::FloorSource::kMissingForNoise);
  gaps = calm;
  gaps[3].host_iterations->median_ns = 0;
  EXPECT_EQ(Compare(gaps, Slow(), {.floor = FloorFromNoise{}}).floor.source,
            model::FloorSource::kNonPositiveForNoise);
  const Runs ten =
      MakeCohort({1.0e6, 1.3e6, 1.0e6, 1.3e6, 1.0e6, 1.3e6, 1.0e6, 1.3e6, 1.0e6, 1.3e6}, 0);
  const Comparison noisy = Compare(ten, Slow(), {.floor = FloorFromNoise{}});
  EXPECT_EQ(noisy.floor.source, model::FloorSource::kNoise);
  EXPECT_NEAR(noisy.floor.relative, 0.3, 1e-9);
  ASSERT_TRUE(noisy.baseline_noise.has_value());
  EXPECT_EQ(noisy.baseline_noise->splits, 126);
}

TEST(CompareWithItself, MeasuresTheNoiseOfOneCohort) {
  Runs ten = MakeCohort({1.0e6, 1.3e6, 1.0e6, 1.3e6, 1.0e6, 1.3e6, 1.0e6, 1.3e6, 1.0e6, 1.3e6}, 0);
  const model::NoiseReport report = CompareWithItself(ten, {});
  EXPECT_EQ(report.reason, Reason::kNone);
  EXPECT_EQ(report.values.size(), 10u);
  EXPECT_NEAR(report.noise->log_ratio, std::log(1.3), 1e-9);
  EXPECT_EQ(report.primary.metric, Metric::kHostIterations);

  Runs nine = ten;
  nine.pop_back();
  EXPECT_EQ(CompareWithItself(nine, {}).reason, Reason::kTooFewRuns);
  EXPECT_FALSE(CompareWithItself(nine, {}).noise.has_value());
  EXPECT_EQ(CompareWithItself({}, {}).reason, Reason::kNoRuns);

  Runs mixed = ten;
  mixed[4].contract["device"] = Value{std::string("H100")};
  EXPECT_EQ(CompareWithItself(mixed, {}).reason, Reason::kContractDiffers);
  EXPECT_FALSE(CompareWithItself(mixed, {}).noise.has_value());
  EXPECT_EQ(CompareWithItself(mixed, {.allowed = {"device"}}).reason, Reason::kNone);

  Runs partly = ten;
  partly[4].host_iterations.reset();
  EXPECT_EQ(CompareWithItself(partly, {}).reason, Reason::kMissingInSomeRuns);
  for (RunSummary& run : partly) run.host_iterations.reset();
  EXPECT_EQ(CompareWithItself(partly, {}).reason, Reason::kMetricMissing);
  Runs negative = ten;
  negative[0].host_iterations->median_ns = 0;
  EXPECT_EQ(CompareWithItself(negative, {}).reason, Reason::kNonPositiveValue);
}

}  // namespace
}  // namespace rangewise::analysis
