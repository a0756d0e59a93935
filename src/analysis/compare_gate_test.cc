#include "analysis/compare_gate.h"

#include <gtest/gtest.h>

#include <vector>

#include "analysis/compare_verdict.h"

namespace rangewise::analysis {
namespace {

using model::Comparison;
using model::Gate;
using model::GateResult;
using model::GateRow;
using model::Metric;
using model::MetricKey;
using model::Reason;
using model::Verdict;

// The primary metric, another gated range and one that is not gated.
Comparison Outcome(Verdict primary, Verdict gated, Verdict other) {
  Comparison comparison;
  comparison.primary = {.metric = Metric::kProjectedIterations};
  comparison.verdict = primary;
  comparison.projected_iterations.metric = Metric::kProjectedIterations;
  comparison.projected_iterations.rows.resize(1);
  comparison.projected_iterations.rows[0].verdict = primary;
  comparison.host_inclusive.metric = Metric::kHostInclusive;
  comparison.host_inclusive.rows.resize(2);
  comparison.host_inclusive.rows[0].path = {"gated"};
  comparison.host_inclusive.rows[0].verdict = gated;
  comparison.host_inclusive.rows[1].path = {"other"};
  comparison.host_inclusive.rows[1].verdict = other;
  return comparison;
}

constexpr Verdict kAll[] = {Verdict::kImproved,     Verdict::kRegressed, Verdict::kNoChange,
                            Verdict::kInconclusive, Verdict::kAdded,     Verdict::kRemoved,
                            Verdict::kNotComparable};

TEST(Gate, DecidesByTheFirstThatApplies) {
  const MetricKey gated_key{.metric = Metric::kHostInclusive, .path = {"gated"}};
  for (const Verdict primary : kAll) {
    for (const Verdict gated : kAll) {
      for (const Verdict other : kAll) {
        const auto is = [&](Verdict verdict) { return primary == verdict || gated == verdict; };
        int expected = 0;
        if (is(Verdict::kNotComparable)) {
          expected = 4;
        } else if (is(Verdict::kRegressed) || other == Verdict::kRegressed) {
          expected = 1;
        } else if (is(Verdict::kInconclusive) || is(Verdict::kRemoved) || is(Verdict::kAdded)) {
          expected = 4;
        }
        EXPECT_EQ(ExitCodeOf(JudgeGate(Outcome(primary, gated, other), {&gated_key, 1})), expected)
            << model::VerdictName(primary) << ", " << model::VerdictName(gated) << ", "
            << model::VerdictName(other);
      }
    }
  }
}

TEST(Gate, OtherRangesBlockOnlyByRegressing) {
  for (const Verdict other : kAll) {
    const int expected = other == Verdict::kRegressed ? 1 : 0;
    EXPECT_EQ(ExitCodeOf(JudgeGate(Outcome(Verdict::kNoChange, other, Verdict::kNoChange), {})),
              expected);
  }
}

TEST(Gate, AMetricThatNoRunHasDoesNotPass) {
  const Comparison good = Outcome(Verdict::kImproved, Verdict::kImproved, Verdict::kNoChange);
  const MetricKey unknown{.metric = Metric::kHostInclusive, .path = {"gatet"}};
  const MetricKey other_clock{.metric = Metric::kProjected, .path = {"gated"}};
  const MetricKey known{.metric = Metric::kHostInclusive, .path = {"gated"}};
  EXPECT_EQ(ExitCodeOf(JudgeGate(good, {&unknown, 1})), 4);
  EXPECT_EQ(ExitCodeOf(JudgeGate(good, {&other_clock, 1})), 4);
  EXPECT_EQ(ExitCodeOf(JudgeGate(good, {&known, 1})), 0);
  const MetricKey twice[] = {known, known};
  EXPECT_EQ(ExitCodeOf(JudgeGate(good, twice)), 0);
}

TEST(Gate, WithoutOneOnlyNotComparableIsAnExitCode) {
  for (const Verdict verdict : kAll) {
    EXPECT_EQ(ExitCodeOf(Outcome(verdict, Verdict::kRegressed, Verdict::kNotComparable)),
              verdict == Verdict::kNotComparable ? 4 : 0);
  }
}

MetricKey Inclusive(const char* name) { return {.metric = Metric::kHostInclusive, .path = {name}}; }

TEST(Gate, NamesTheRowsThatDecided) {
  Comparison comparison = Outcome(Verdict::kRegressed, Verdict::kRegressed, Verdict::kRegressed);
  comparison.host_inclusive.rows[0].log_ratio = 0.1;
  comparison.host_inclusive.rows[1].log_ratio = 0.2;
  Gate gate = JudgeGate(comparison, {});
  EXPECT_EQ(gate.result, GateResult::kFailed);
  const GateRow primary{comparison.primary, Verdict::kRegressed, Reason::kNone};
  const GateRow gated{Inclusive("gated"), Verdict::kRegressed, Reason::kNone};
  const GateRow other{Inclusive("other"), Verdict::kRegressed, Reason::kNone};
  EXPECT_EQ(gate.rows, (std::vector<GateRow>{primary, other, gated}));
  const MetricKey on = Inclusive("gated");
  EXPECT_EQ(JudgeGate(comparison, {&on, 1}).rows, (std::vector<GateRow>{primary, gated, other}));

  // What does not count, and what is fine, is not named.
  comparison = Outcome(Verdict::kNoChange, Verdict::kInconclusive, Verdict::kInconclusive);
  comparison.host_inclusive.rows[0].reason = Reason::kTooFewRuns;
  gate = JudgeGate(comparison, {&on, 1});
  EXPECT_EQ(gate.result, GateResult::kNotPassed);
  EXPECT_EQ(
      gate.rows,
      (std::vector<GateRow>{{Inclusive("gated"), Verdict::kInconclusive, Reason::kTooFewRuns}}));
  gate = JudgeGate(comparison, {});
  EXPECT_EQ(gate.result, GateResult::kPassed);
  EXPECT_TRUE(gate.rows.empty());
}

TEST(Gate, OnNamedRowsOnlyIgnoresOtherRegressions) {
  const MetricKey on = Inclusive("gated");
  for (const Verdict primary : kAll) {
    for (const Verdict gated : kAll) {
      const Comparison comparison = Outcome(primary, gated, Verdict::kRegressed);
      const Comparison calm = Outcome(primary, gated, Verdict::kNoChange);
      EXPECT_EQ(ExitCodeOf(JudgeGate(comparison, {&on, 1}, GateScope::kNamedOnly)),
                ExitCodeOf(JudgeGate(calm, {&on, 1})));
      if (primary == Verdict::kNoChange) {
        EXPECT_EQ(JudgeGate(comparison, {}, GateScope::kNamedOnly).result, GateResult::kPassed);
        EXPECT_EQ(JudgeGate(comparison, {}).result, GateResult::kFailed);
      }
    }
  }
}

TEST(Gate, WhatWasNeverComputedIsUnknown) {
  Comparison comparison = Outcome(Verdict::kNoChange, Verdict::kNoChange, Verdict::kNoChange);
  const MetricKey busy{.metric = Metric::kGpuBusy, .path = {"gated"}};
  const MetricKey iterations{.metric = Metric::kGpuBusyIterations};
  for (const Reason reason : {Reason::kMetricMissing, Reason::kNoGpuWork}) {
    for (const MetricKey& key : {busy, iterations}) {
      const Gate gate = JudgeGate(comparison, {&key, 1});
      EXPECT_EQ(ExitCodeOf(gate), 4);
      EXPECT_EQ(gate.rows, (std::vector<GateRow>{{key, Verdict::kNotComparable, reason}}));
    }
    comparison.gpu_families.push_back(
        {.metric = Metric::kGpuBusy, .missing = {{.reason = "it was turned off"}}});
  }
}

}  // namespace
}  // namespace rangewise::analysis
