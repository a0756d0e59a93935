// Owns the control of the false discovery rate over a family of tests.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace rangewise::analysis {

// Benjamini and Hochberg's adjusted probabilities (1995), in the order of `p`: for the j-th
// smallest of m, the least p * m / j from there upwards, at most 1. Equal p get equal q, a larger p
// never a smaller q. A missing p is no member of the family and stays missing.
std::vector<std::optional<double>> AdjustForFamily(std::span<const std::optional<double>> p);

}  // namespace rangewise::analysis
