// Owns the statistics of two small samples: the Mann-Whitney test, the Hodges-Lehmann estimate with
// its interval, Cliff's delta, and how many values such a test needs. Two sides, `baseline` and
// `candidate`; exchanging them negates every estimate and leaves every probability as it is, to the
// last bit. Sources: Mann and Whitney 1947; Hodges and Lehmann 1963; Lehmann, Nonparametrics
// (1975), chapter 2; Cliff 1993.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/tied_ranks.h"
#include "model/comparison.h"

namespace rangewise::analysis {

inline constexpr double kIntervalConfidence = 0.95;

// The distribution of U for sides of `baseline` and `candidate` values without ties, when every
// arrangement of the values is equally likely. Made once and used for many tests of the same sizes.
// Counted exactly as far as counting stays cheap (90 values a side, 5 against 100,000); above, it
// is the normal approximation with the correction for continuity, whose tails are heavier.
class RankDistribution {
 public:
  // Both at least 1.
  RankDistribution(int64_t baseline, int64_t candidate);

  int64_t baseline() const { return baseline_; }
  int64_t candidate() const { return candidate_; }
  bool exact() const { return !at_most_.empty(); }

  // P(U <= u), for 0 <= u <= baseline * candidate.
  double AtMost(int64_t u) const;
  // P(|U - mean| >= |u - mean|).
  double TwoSided(int64_t u) const;

  // The interval of confidence kIntervalConfidence is from the k-th smallest to the k-th largest of
  // the pairwise differences. k is 0 when no two differences cover that much.
  int64_t interval_rank() const { return interval_rank_; }
  // What the interval covers without ties; at least kIntervalConfidence where exact.
  double interval_coverage() const { return interval_coverage_; }

 private:
  int64_t baseline_;
  int64_t candidate_;
  std::vector<double> at_most_;  // by u; empty: approximated
  int64_t interval_rank_ = 0;
  double interval_coverage_ = 0;
};

struct RankTest {
  double p = 1;       // two-sided
  double u = 0;       // pairs in which the candidate is larger, plus half of the equal ones
  bool tied = false;  // a value occurs twice, on one side or on both
  bool exact = true;  // counted, not approximated
  // Ties can make the normal approximation too small by orders of magnitude: p rests on it and on
  // tied values, and supports nothing.
  bool trusted = true;
};

// Tests whether one side tends to larger values. The sizes are those of `distribution`; values are
// finite. `tied` is of the same sizes. Two-sided: the share of arrangements in which U is at least
// as far from its mean as it is here; with ties over all arrangements of the tied midranks that
// were seen, so that the result is exact given the ties.
RankTest TestRanks(std::span<const double> baseline, std::span<const double> candidate,
                   const RankDistribution& distribution, TiedRanks& tied);

struct LogRatio {
  double estimate = 0;  // median of log(candidate) - log(baseline) over all pairs
  // By rank inversion; nothing when the sides are too small for kIntervalConfidence. Closed: with
  // ties it covers at least what it says.
  std::optional<model::LogInterval> interval;
};

// The ratio candidate / baseline as a logarithm. Values are finite and above 0; sizes as in
// `distribution`.
LogRatio EstimateLogRatio(std::span<const double> baseline, std::span<const double> candidate,
                          const RankDistribution& distribution);

// Median of candidate - baseline over all pairs. Both sides have values.
double EstimateShift(std::span<const double> baseline, std::span<const double> candidate);

// P(candidate larger) - P(candidate smaller) over all pairs, from -1 to 1.
double CliffsDelta(std::span<const double> baseline, std::span<const double> candidate);

// The smallest two-sided p that sides of these sizes can attain, without ties.
double SmallestAttainableP(int64_t baseline, int64_t candidate);

// Sides of at least this many values are tested.
inline constexpr int64_t kMinimumRuns = 5;

// How many values each side needs so that one difference among `family` tested ones can reach
// `alpha` after Benjamini and Hochberg (p <= alpha / family). At least kMinimumRuns. `alpha` is
// above 0, `family` at least 1.
int64_t RunsNeeded(double alpha, int64_t family);

}  // namespace rangewise::analysis
