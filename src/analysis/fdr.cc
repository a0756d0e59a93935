#include "analysis/fdr.h"

#include <algorithm>
#include <cstddef>

namespace rangewise::analysis {

std::vector<std::optional<double>> AdjustForFamily(std::span<const std::optional<double>> p) {
  std::vector<size_t> order;
  for (size_t i = 0; i < p.size(); ++i) {
    if (p[i]) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return *p[a] < *p[b]; });

  std::vector<std::optional<double>> q(p.size());
  const auto family = static_cast<double>(order.size());
  double least = 1;
  for (size_t rank = order.size(); rank > 0; --rank) {
    const size_t i = order[rank - 1];
    // At least p even after rounding: the factor is never below 1.
    least = std::min(least, *p[i] * (family / static_cast<double>(rank)));
    q[i] = least;
  }
  return q;
}

}  // namespace rangewise::analysis
