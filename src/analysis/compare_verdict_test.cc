#include "analysis/compare_verdict.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rangewise::analysis {
namespace {

using model::Comparison;
using model::Metric;
using model::MetricKey;
using model::Reason;
using model::Verdict;

const Thresholds kThresholds{.alpha = 0.05, .log_floor = std::log(1.03), .absolute_floor_ns = 1000};

// A clear regression of 10 % and 10 us.
Evidence Clear() {
  return {.baseline_runs = 8,
          .candidate_runs = 8,
          .log_ratio = std::log(1.1),
          .shift_ns = 10000,
          .interval = model::LogInterval{std::log(1.05), std::log(1.15), 0.95},
          .p = 0.001};
}

TEST(Judge, NeedsChanceFloorAndLength) {
  EXPECT_EQ(Judge(Clear(), kThresholds), (Judgement{Verdict::kRegressed, Reason::kNone}));

  Evidence improved = Clear();
  improved.log_ratio = -std::log(1.1);
  improved.shift_ns = -10000;
  improved.interval = model::LogInterval{-std::log(1.15), -std::log(1.05), 0.95};
  EXPECT_EQ(Judge(improved, kThresholds), (Judgement{Verdict::kImproved, Reason::kNone}));

  Evidence chance = Clear();
  chance.p = 0.050001;
  EXPECT_EQ(Judge(chance, kThresholds),
            (Judgement{Verdict::kInconclusive, Reason::kNotSignificant}));
  chance.can_pass = false;
  EXPECT_EQ(Judge(chance, kThresholds),
            (Judgement{Verdict::kInconclusive, Reason::kTooFewForFamily}));
  chance.p = 0.05;
  EXPECT_EQ(Judge(chance, kThresholds).verdict, Verdict::kRegressed);

  Evidence small = Clear();
  small.log_ratio = std::log(1.03);
  EXPECT_EQ(Judge(small, kThresholds), (Judgement{Verdict::kInconclusive, Reason::kWithinFloor}));
  small.log_ratio = std::log(1.0301);
  EXPECT_EQ(Judge(small, kThresholds).verdict, Verdict::kRegressed);

  Evidence brief = Clear();
  brief.shift_ns = 999.5;
  EXPECT_EQ(Judge(brief, kThresholds),
            (Judgement{Verdict::kInconclusive, Reason::kBelowAbsoluteFloor}));
  brief.shift_ns = 1000;
  EXPECT_EQ(Judge(brief, kThresholds).verdict, Verdict::kRegressed);
  brief.shift_ns = -5000;  // the ratio grows and the difference shrinks: no claim
  EXPECT_EQ(Judge(brief, kThresholds).verdict, Verdict::kInconclusive);
}

TEST(Judge, ARatioOfExactlyTheFloorIsInsideHoweverItIsRounded) {
  for (const int64_t baseline : {10'000, 70'700, 123'400, 36'000'100, 99'999'900}) {
    const auto candidate = static_cast<double>(baseline) * 103 / 100;
    Evidence evidence = Clear();
    evidence.log_ratio = std::log(candidate) - std::log(static_cast<double>(baseline));
    evidence.interval = model::LogInterval{*evidence.log_ratio, *evidence.log_ratio, 0.95};
    evidence.shift_ns = candidate - static_cast<double>(baseline);
    const Thresholds thresholds{.log_floor = std::log1p(0.03)};
    EXPECT_EQ(Judge(evidence, thresholds).verdict, Verdict::kNoChange) << baseline;
    evidence.interval->high += 0.01;
    EXPECT_EQ(Judge(evidence, thresholds),
              (Judgement{Verdict::kInconclusive, Reason::kWithinFloor}));
    evidence.log_ratio = -*evidence.log_ratio;
    evidence.interval = model::LogInterval{*evidence.log_ratio, *evidence.log_ratio, 0.95};
    EXPECT_EQ(Judge(evidence, thresholds).verdict, Verdict::kNoChange) << baseline;
  }
}

TEST(Judge, WithoutATrustedPNothingIsSaid) {
  Evidence evidence = Clear();
  evidence.p.reset();
  EXPECT_EQ(Judge(evidence, kThresholds),
            (Judgement{Verdict::kInconclusive, Reason::kApproximateP}));
}

TEST(Judge, NoChangeNeedsTheWholeInterval) {
  Evidence evidence = Clear();
  evidence.log_ratio = 0.001;
  evidence.p = 0.6;
  evidence.interval = model::LogInterval{-std::log(1.03), std::log(1.03), 0.95};
  EXPECT_EQ(Judge(evidence, kThresholds).verdict, Verdict::kNoChange);
  evidence.p = 0.001;  // beyond chance, and still no more than the floor
  EXPECT_EQ(Judge(evidence, kThresholds).verdict, Verdict::kNoChange);
  evidence.interval->high = std::log(1.031);
  evidence.p = 0.6;
  EXPECT_EQ(Judge(evidence, kThresholds).verdict, Verdict::kInconclusive);
}

TEST(Judge, FewRunsDecideNothing) {
  Evidence evidence = Clear();
  evidence.candidate_runs = 4;
  EXPECT_EQ(Judge(evidence, kThresholds), (Judgement{Verdict::kInconclusive, Reason::kTooFewRuns}));
  evidence.baseline_runs = 1;
  EXPECT_EQ(Judge(evidence, kThresholds), (Judgement{Verdict::kInconclusive, Reason::kOneRun}));
  evidence.log_ratio.reset();
  EXPECT_EQ(Judge(evidence, kThresholds),
            (Judgement{Verdict::kInconclusive, Reason::kNonPositiveValue}));
}

}  // namespace
}  // namespace rangewise::analysis
