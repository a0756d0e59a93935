// Owns the exact distribution of a rank sum when values are tied: every choice of one side among
// the pooled values is equally likely, and equal values share their mean rank.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace rangewise::analysis {

// What counting one distribution may cost, in multiplications. Sides of 90 values each stay below
// it, and so do 10 against 800.
inline constexpr double kMostCountingSteps = 1 << 26;

// By i from 0 to 2 k (n - k): the number of ways to choose k of n values whose sum of doubled
// midranks is i above the least that k ranks can have. `groups` holds how many values are equal, by
// value; they add up to n, and k is at most half of that. Counts are exact up to 2^53; above, a
// count is a sum and product of at most 2 n terms that are not negative, and so off by less than
// 2 n 2^-52 of itself. Empty when counting would take more than kMostCountingSteps.
std::vector<double> CountRankSums(std::span<const uint32_t> groups, uint64_t k);

// The two-sided probabilities of one pair of sizes. Rows of a comparison are often tied in the same
// pattern, so what was counted is kept, within bounds.
class TiedRanks {
 public:
  TiedRanks(int64_t baseline, int64_t candidate);

  // P(|2U - nm| >= distance); nothing when it would cost too much.
  std::optional<double> TwoSided(const std::vector<uint32_t>& groups, int64_t distance);

 private:
  uint64_t chosen_;
  std::map<std::vector<uint32_t>, std::vector<double>> at_least_;  // by pattern, by distance
  size_t kept_ = 0;
};

}  // namespace rangewise::analysis
