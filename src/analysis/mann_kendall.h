// Owns the test for a monotone trend: Mann-Kendall (Mann 1945, Kendall 1975).
#pragma once

#include <cstdint>
#include <span>

namespace rangewise::analysis {

struct RankTrend {
  double tau = 0;  // Kendall's tau-b of the values with their order: 1 rising, -1 falling
  double p = 1;    // two-sided, of independent values in any order
  bool exact = false;
};

// The most values without ties for which p is computed exactly.
inline constexpr size_t kMostExact = 60;

// The trend of `values` in their order, fewer than 2^31. p is exact for up to kMostExact distinct
// values; else it is the normal approximation with the variance corrected for ties and S for
// continuity. O(n log n).
RankTrend MannKendall(std::span<const int64_t> values);

}  // namespace rangewise::analysis
