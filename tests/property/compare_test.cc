// Comparisons of simulated cohorts: how often nothing is called something, how often something is
// found, and what must hold of any comparison.
#include "analysis/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "analysis/compare_gate.h"
#include "analysis/compare_verdict.h"
#include "base/parallel.h"
#include "base/text.h"
#include "support/run_summaries.h"

namespace rangewise::analysis {
namespace {

using model::Caveat;
using model::Comparison;
using model::Reason;
using model::RunSummary;
using model::Verdict;

constexpr int kComparisons = 2000;
constexpr size_t kRanges = 100;

// The standard library's own distributions differ between implementations; these do not.
double Uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }
double Normal(std::mt19937_64& random) {
  const double radius = std::sqrt(-2 * std::log(1 - Uniform(random)));
  return radius * std::cos(2 * std::numbers::pi * Uniform(random));
}

bool IsClaim(Verdict verdict) {
  return verdict == Verdict::kImproved || verdict == Verdict::kRegressed;
}

bool Has(const Comparison& comparison, Caveat caveat) {
  return std::find(comparison.caveats.begin(), comparison.caveats.end(), caveat) !=
         comparison.caveats.end();
}

template <typename Visit>
void ForEachRow(const Comparison& comparison, Visit visit) {
  for (const auto& row : comparison.host_iterations.rows) visit(row);
  for (const auto& row : comparison.projected_iterations.rows) visit(row);
  for (const auto& row : comparison.host_inclusive.rows) visit(row);
  for (const auto& row : comparison.host_exclusive.rows) visit(row);
  for (const auto& row : comparison.projected.rows) visit(row);
}

bool AnyRangeClaim(const Comparison& comparison) {
  bool any = false;
  ForEachRow(comparison,
             [&](const auto& row) { any = any || (!row.primary && IsClaim(row.verdict)); });
  return any;
}

// Two cohorts whose values are drawn anew for each comparison.
struct Experiment {
  std::vector<RunSummary> baseline;
  std::vector<RunSummary> candidate;

  // `interleaved`: baseline and candidate take turns; else one side is recorded after the other.
  Experiment(int runs, size_t ranges, bool interleaved) {
    for (int i = 0; i < runs; ++i) {
      baseline.push_back(test_support::MakeRun(interleaved ? 2 * i : i, 1e6, 1e6));
      candidate.push_back(test_support::MakeRun(interleaved ? 2 * i + 1 : runs + i, 1e6, 1e6));
    }
    for (auto* side : {&baseline, &candidate}) {
      for (RunSummary& run : *side) {
        run.host_iterations.reset();
        for (size_t range = 0; range < ranges; ++range) {
          run.projected_ranges.push_back({{Format("range {:03}", range)},
                                          model::Style::kPushPop,
                                          test_support::Observed<ProjectedNs>(1e5)});
        }
      }
    }
  }

  // Fills in the runs' values. noise(place, shared) is the logarithm of one value's factor; `place`
  // is from 0 to 1 in the order of recording, `shared` one draw per run.
  template <typename Noise>
  void Fill(std::mt19937_64& random, Noise noise) {
    const auto all = static_cast<double>(baseline.size() + candidate.size());
    for (auto* side : {&baseline, &candidate}) {
      for (RunSummary& run : *side) {
        const double minute = std::stod(run.label.substr(5));
        const double shared = Uniform(random);
        run.projected_iterations->median_ns = 1e6 * std::exp(noise(minute / all, shared));
        for (auto& range : run.projected_ranges)
          range.projected.median_ns = 1e5 * std::exp(noise(minute / all, shared));
      }
    }
  }
};

struct FalseVerdicts {
  int primary = 0;
  int ranges = 0;  // comparisons with any
  int confounded = 0;
  void operator+=(const FalseVerdicts& other) {
    primary += other.primary;
    ranges += other.ranges;
    confounded += other.confounded;
  }
};

// Runs body(experiment, random) for each comparison, in parts that each have cohorts, a seed and a
// tally of their own, so that the result does not depend on the number of threads.
template <typename Tally, typename Body>
Tally Simulate(uint64_t seed, size_t ranges, bool interleaved, Body body) {
  constexpr int kParts = 8;
  std::vector<Tally> tallies(kParts);
  ParallelFor(ThreadCount(0), kParts, [&](int, size_t part) {
    std::mt19937_64 random(seed * kParts + part);
    Experiment experiment(8, ranges, interleaved);
    for (int i = 0; i < kComparisons / kParts; ++i) body(experiment, random, tallies[part]);
  });
  Tally sum;
  for (const Tally& tally : tallies) sum += tally;
  return sum;
}

template <typename Noise>
FalseVerdicts CompareAlike(uint64_t seed, Noise noise) {
  return Simulate<FalseVerdicts>(
      seed, kRanges, true,
      [&](Experiment& experiment, std::mt19937_64& random, FalseVerdicts& tally) {
        experiment.Fill(random,
                        [&](double place, double shared) { return noise(random, place, shared); });
        const Comparison comparison = Compare(experiment.baseline, experiment.candidate, {});
        if (IsClaim(comparison.verdict)) ++tally.primary;
        if (AnyRangeClaim(comparison)) ++tally.ranges;
        if (Has(comparison, Caveat::kOrderConfounded)) ++tally.confounded;
      });
}

// 5 % and three standard errors of what 2,000 comparisons show of it.
const int kMostFalse =
    static_cast<int>(kComparisons * (0.05 + 3 * std::sqrt(0.05 * 0.95 / kComparisons)));

void ExpectFew(const char* name, const FalseVerdicts& found) {
  std::cout << name << ": " << found.primary << " false primary verdicts, " << found.ranges
            << " with a false range verdict, of " << kComparisons << "\n";
  EXPECT_LE(found.primary, kMostFalse) << name;
  EXPECT_LE(found.ranges, kMostFalse) << name;
  EXPECT_EQ(found.confounded, 0) << name;
}

double Lognormal(std::mt19937_64& random, double, double) { return 0.08 * Normal(random); }
double Drifting(std::mt19937_64& random, double place, double) {
  return 0.3 * place + 0.04 * Normal(random);
}
// A run is in one of two modes 15 % apart, in all of its values.
double Bimodal(std::mt19937_64& random, double, double shared) {
  return (shared < 0.4 ? 0.14 : 0) + 0.01 * Normal(random);
}

TEST(CompareSimulation, SameCodeIsRarelyCalledDifferent) {
  ExpectFew("lognormal", CompareAlike(20261110, Lognormal));
  ExpectFew("interleaved drift", CompareAlike(20261111, Drifting));
  ExpectFew("bimodal", CompareAlike(20261112, Bimodal));
}

TEST(CompareSimulation, DriftOfOneSideAfterTheOtherIsSaidToBeConfounded) {
  const auto found = Simulate<FalseVerdicts>(
      20261113, 0, false,
      [](Experiment& experiment, std::mt19937_64& random, FalseVerdicts& tally) {
        experiment.Fill(random, [&](double place, double) { return Drifting(random, place, 0); });
        const Comparison comparison = Compare(experiment.baseline, experiment.candidate, {});
        if (Has(comparison, Caveat::kOrderConfounded)) ++tally.confounded;
        if (IsClaim(comparison.verdict)) ++tally.primary;
      });
  EXPECT_EQ(found.confounded, kComparisons);
  // The very harm that the caveat is for: the drift alone passes for a change.
  EXPECT_GT(found.primary, kComparisons / 2);
}

struct Found {
  int primary = 0;
  int range = 0;
  void operator+=(const Found& other) {
    primary += other.primary;
    range += other.range;
  }
};

TEST(CompareSimulation, ATrueChangeIsFound) {
  const auto found = Simulate<Found>(
      20261114, kRanges, true, [](Experiment& experiment, std::mt19937_64& random, Found& tally) {
        experiment.Fill(random, [&](double, double) { return 0.03 * Normal(random); });
        for (RunSummary& run : experiment.candidate) {
          run.projected_iterations->median_ns *= 1.1;
          run.projected_ranges[37].projected.median_ns *= 1.1;
        }
        const Comparison comparison = Compare(experiment.baseline, experiment.candidate, {});
        if (comparison.verdict == Verdict::kRegressed) ++tally.primary;
        if (comparison.projected.rows[37].verdict == Verdict::kRegressed) ++tally.range;
      });
  std::cout << "10 % at 3 % noise, 8 runs a side: primary metric found " << found.primary
            << ", one range of " << kRanges << " found " << found.range << ", of " << kComparisons
            << "\n";
  EXPECT_GE(found.primary, kComparisons * 95 / 100);
  // Reported as it is: the family costs power, but not all of it.
  EXPECT_GT(found.range, 0);
}

// Cohorts of any shape: runs without iterations, without a GPU, with ranges that come and go.
std::vector<RunSummary> AnyCohort(std::mt19937_64& random, int first, int most) {
  std::vector<RunSummary> runs;
  const int count = 1 + static_cast<int>(random() % static_cast<uint64_t>(most));
  for (int i = 0; i < count; ++i) {
    const double scale = 1e6 * std::exp(0.02 * Normal(random));
    RunSummary run = test_support::MakeRun(first + 2 * i, scale, scale / 2);
    run.commit = random() % 3 == 0 ? "one" : "another";
    if (random() % 12 == 0) run.projected_iterations.reset();
    if (random() % 15 == 0) run.host_iterations.reset();
    if (random() % 15 == 0) run.warnings.push_back("missing-iterations");
    if (random() % 20 == 0) run.started_at = "yesterday";
    if (random() % 25 == 0) run.contract.erase("device");
    if (random() % 40 == 0) run.contract["workload"] = Value{std::string("other")};
    for (const auto& path : std::vector<model::RangePath>{
             {"capture"}, {"a"}, {"a", "b"}, {"a", "b", "c"}, {"d"}, {"e", "f"}}) {
      if (random() % 30 == 0) continue;
      test_support::AddRange(run, path, scale / 3 * std::exp(0.05 * Normal(random)),
                             std::floor(scale / 1e5));
    }
    if (random() % 10 == 0 && !run.host_ranges.empty())
      run.host_ranges.back().exclusive.median_ns = -3;
    runs.push_back(std::move(run));
  }
  return runs;
}

// Everything about the rows of a comparison in one text, so that no field is forgotten.
std::string Print(const std::optional<double>& value) {
  return value ? Format("{:a}", *value) : "null";
}
std::string Print(const Comparison& comparison, bool mirrored) {
  const auto verdict = [&](Verdict is) {
    if (mirrored && is == Verdict::kImproved) return Verdict::kRegressed;
    if (mirrored && is == Verdict::kRegressed) return Verdict::kImproved;
    if (mirrored && is == Verdict::kAdded) return Verdict::kRemoved;
    if (mirrored && is == Verdict::kRemoved) return Verdict::kAdded;
    return is;
  };
  const auto reason = [&](Reason is) {
    if (mirrored && is == Reason::kBaselineOnly) return Reason::kCandidateOnly;
    if (mirrored && is == Reason::kCandidateOnly) return Reason::kBaselineOnly;
    return is;
  };
  const auto negated = [&](std::optional<double> value) {
    // 0 minus 0 is 0, whichever side comes first.
    if (mirrored && value && *value != 0) value = -*value;
    return value;
  };
  std::string out =
      Format("{} {} {} {} {}\n", model::VerdictName(verdict(comparison.verdict)),
             model::ReasonName(reason(comparison.reason)), comparison.family_size,
             comparison.family_can_pass, model::MetricName(comparison.primary.metric));
  for (const Caveat caveat : comparison.caveats) out += Format("{} ", model::CaveatName(caveat));
  const auto& first = mirrored ? comparison.candidate : comparison.baseline;
  const auto& second = mirrored ? comparison.baseline : comparison.candidate;
  for (const auto* side : {&first, &second}) {
    for (const auto& run : *side) out += run.label + " ";
    out += "\n";
  }
  for (const auto& row : comparison.contract) {
    out += Format("{} {} {}\n", row.key, model::ContractStateName(row.state), row.allowed);
  }
  ForEachRow(comparison, [&](const auto& row) {
    out += Format("{} {} {} {} {} {}\n", fmt::join(row.path, "/"),
                  model::VerdictName(verdict(row.verdict)), model::ReasonName(reason(row.reason)),
                  row.primary, row.nested, row.leaf);
    std::optional<double> low;
    std::optional<double> high;
    if (row.interval) {
      low = negated(mirrored ? row.interval->high : row.interval->low);
      high = negated(mirrored ? row.interval->low : row.interval->high);
    }
    for (const auto& value : {negated(row.log_ratio), negated(row.shift_ns),
                              negated(row.cliffs_delta), row.p, row.q, low, high}) {
      out += Print(value) + " ";
    }
    const auto& baseline = mirrored ? row.candidate : row.baseline;
    const auto& candidate = mirrored ? row.baseline : row.candidate;
    for (const auto* side : {&baseline, &candidate}) {
      for (const auto& value : *side)
        out += Print(value ? std::optional(value->median_ns) : std::nullopt) + " ";
    }
    out += "\n";
  });
  for (const auto& mean :
       {comparison.host_inclusive.leaf_log_ratio, comparison.host_exclusive.leaf_log_ratio,
        comparison.projected.leaf_log_ratio}) {
    out += Print(negated(mean)) + "\n";
  }
  return out;
}

TEST(CompareProperty, ExchangingTheSidesMirrorsTheResult) {
  std::mt19937_64 random(20261115);
  for (int round = 0; round < 400 && !HasFailure(); ++round) {
    const std::vector<RunSummary> a = AnyCohort(random, 0, 9);
    const std::vector<RunSummary> b = AnyCohort(random, 1, 9);
    CompareOptions options;
    if (random() % 2 == 0) options.allowed = {"device", "workload"};
    EXPECT_EQ(Print(Compare(a, b, options), false), Print(Compare(b, a, options), true));
  }
}

TEST(CompareProperty, TheOrderOfRunsChangesNothing) {
  std::mt19937_64 random(20261116);
  for (int round = 0; round < 200 && !HasFailure(); ++round) {
    std::vector<RunSummary> a = AnyCohort(random, 0, 9);
    std::vector<RunSummary> b = AnyCohort(random, 1, 9);
    a.push_back(a.front());
    a.back().label = "another name";
    CompareOptions options;
    options.allowed = {"device", "workload", "missing-iterations"};
    const std::string before = Print(Compare(a, b, options), false);
    for (auto* side : {&a, &b}) {
      for (size_t i = side->size(); i > 1; --i) std::swap((*side)[i - 1], (*side)[random() % i]);
    }
    EXPECT_EQ(Print(Compare(a, b, options), false), before);
  }
}

TEST(CompareProperty, ACohortAgainstItselfShowsNothing) {
  std::mt19937_64 random(20261117);
  for (int round = 0; round < 200 && !HasFailure(); ++round) {
    const std::vector<RunSummary> a = AnyCohort(random, 0, 12);
    CompareOptions options;
    options.allowed = {"device", "workload"};
    const Comparison comparison = Compare(a, a, options);
    EXPECT_FALSE(IsClaim(comparison.verdict));
    EXPECT_FALSE(AnyRangeClaim(comparison));
    EXPECT_EQ(Has(comparison, Caveat::kSharedRuns), !comparison.baseline.empty());
    ForEachRow(comparison, [](const auto& row) {
      EXPECT_EQ(row.log_ratio.value_or(0), 0);
      EXPECT_EQ(row.p.value_or(1), 1);
      EXPECT_NE(row.verdict, Verdict::kAdded);
      EXPECT_NE(row.verdict, Verdict::kRemoved);
    });
  }
}

TEST(CompareProperty, AnotherRunNeverMakesAVerdictOfWhatWasNotComparable) {
  std::mt19937_64 random(20261118);
  int not_comparable = 0;
  for (int round = 0; round < 600 && !HasFailure(); ++round) {
    std::vector<RunSummary> a = AnyCohort(random, 0, 9);
    std::vector<RunSummary> b = AnyCohort(random, 1, 9);
    const Comparison before = Compare(a, b, {});
    if (before.verdict != Verdict::kNotComparable) continue;
    ++not_comparable;
    auto& side = random() % 2 == 0 ? a : b;
    side.push_back(AnyCohort(random, 200, 1).front());
    const Comparison after = Compare(a, b, {});
    EXPECT_TRUE(after.verdict == Verdict::kNotComparable || after.verdict == Verdict::kInconclusive)
        << model::ReasonName(before.reason);
    // Only a side that had no run at all can become comparable, and one run decides nothing.
    if (before.reason != Reason::kNoRuns) {
      EXPECT_EQ(after.verdict, Verdict::kNotComparable) << model::ReasonName(before.reason);
    }
    EXPECT_EQ(ExitCodeOf(JudgeGate(after, {})), 4);
  }
  EXPECT_GT(not_comparable, 50);
}

TEST(CompareProperty, ARunThatLostItsGpuTablesIsNeverAWin) {
  std::mt19937_64 random(20261119);
  for (int round = 0; round < 100 && !HasFailure(); ++round) {
    Experiment experiment(5 + static_cast<int>(random() % 4), 5, true);
    experiment.Fill(random, [&](double, double) { return 0.01 * Normal(random); });
    for (RunSummary& run : experiment.candidate) run.projected_iterations->median_ns *= 0.5;
    ASSERT_EQ(Compare(experiment.baseline, experiment.candidate, {}).verdict, Verdict::kImproved);

    const size_t all = experiment.candidate.size();
    const size_t lost = round % 10 == 0 ? all : 1 + random() % 2;
    for (size_t i = 0; i < lost; ++i) {
      experiment.candidate[i].projected_iterations.reset();
      experiment.candidate[i].projected_ranges.clear();
    }
    const Comparison comparison = Compare(experiment.baseline, experiment.candidate, {});
    EXPECT_EQ(comparison.verdict, Verdict::kNotComparable);
    EXPECT_EQ(comparison.reason, Reason::kNoGpuProjection);
    EXPECT_EQ(comparison.primary.metric, model::Metric::kProjectedIterations);
    ASSERT_EQ(comparison.primary_missing.size(), lost);
    for (size_t i = 0; i < lost; ++i) {
      EXPECT_EQ(comparison.primary_missing[i], (model::RunRef{model::Side::kCandidate, i}));
    }
    ForEachRow(comparison, [](const auto& row) {
      EXPECT_EQ(row.verdict, Verdict::kNotComparable);
      EXPECT_FALSE(row.log_ratio || row.p || row.q || row.interval || row.shift_ns);
    });
    EXPECT_EQ(ExitCodeOf(JudgeGate(comparison, {})), 4);
    EXPECT_EQ(ExitCodeOf(comparison), 4);
  }
}

}  // namespace
}  // namespace rangewise::analysis
