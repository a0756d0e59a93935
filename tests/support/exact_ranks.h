// Owns rank statistics by going through every arrangement: slow, obvious, and sharing no code with
// src/analysis. Sides together hold at most 26 values.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace rangewise::test_support {

// The share of all ways to call baseline.size() of the pooled values "baseline" in which U is at
// least as far from its mean as it is here; U counts pairs with a larger candidate, equal ones
// half.
double EnumeratedP(std::span<const double> baseline, std::span<const double> candidate);

// By u: the number of arrangements of n and m distinct values with U = u.
std::vector<int64_t> EnumeratedCounts(int n, int m);

// The closure of all shifts d for which candidate - d and baseline are not told apart at `alpha`:
// where P(U <= u) and P(U >= u) both exceed alpha / 2, by `counts` of distinct values.
std::pair<double, double> EnumeratedInterval(std::span<const double> baseline,
                                             std::span<const double> candidate, double alpha,
                                             std::span<const int64_t> counts);

}  // namespace rangewise::test_support
