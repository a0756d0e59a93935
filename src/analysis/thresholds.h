// Owns every number that decides whether a finding is made. What they mean is said by `rangewise
// explain CODE`; a test holds the two together.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rangewise::analysis {

struct Thresholds {
  // Modified z-score, 0.6745 (x - median) / MAD, beyond which a value is an outlier: Iglewicz and
  // Hoaglin, How to Detect and Handle Outliers (1993). 0.6745 makes the MAD of a normal
  // distribution its standard deviation.
  double z_factor = 0.6745;
  double outlier_z = 3.5;
  size_t outlier_fewest = 5;  // iterations

  size_t first_fewest_others = 4;    // iterations besides the first
  double first_least_change = 0.05;  // of the others' median

  size_t drift_fewest = 8;       // iterations
  double drift_p = 0.01;         // below
  double drift_least_tau = 0.3;  // either way

  size_t vary_fewest = 5;  // iterations
  double vary_cv = 0.1;    // above

  int64_t overhead_ns = 2000;   // below
  double overhead_share = 0.1;  // above

  size_t many_fewest = 50;      // rows
  double many_most_left = 0.5;  // of the rows, once numbers are masked

  size_t incomplete_fewest = 3;  // iterations
  double waits_host_share = 0.3;     // above, of host time
  double launches_host_share = 0.5;  // above, of host time

  size_t idle_fewest = 3;        // iterations
  double idle_busy_share = 0.5;  // below

  size_t most_paths = 10;        // in the rows of one finding
};

inline constexpr Thresholds kThresholds;

}  // namespace rangewise::analysis
