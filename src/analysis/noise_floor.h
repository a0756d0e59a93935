// Owns the noise of one cohort: how far its halves are apart although nothing was changed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "model/comparison.h"

namespace rangewise::analysis {

inline constexpr int64_t kMinimumRunsForNoise = 10;
inline constexpr int64_t kMostSplits = 1000;

// Splits the run values in halves (of an odd number one half has one more) and takes the
// Hodges-Lehmann ratio of the halves: over all ways when there are at most kMostSplits, else over
// kMostSplits drawn from a fixed seed, which depends on the order of `values`. The percentile is
// interpolated linearly between order statistics (type 7 of Hyndman and Fan). Nothing with fewer
// than kMinimumRunsForNoise values or one that is not above 0.
std::optional<model::Noise> MeasureNoise(std::span<const double> values);

}  // namespace rangewise::analysis
