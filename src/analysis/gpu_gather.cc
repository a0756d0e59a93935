#include "analysis/gpu_gather.h"

#include <numeric>

namespace rangewise::analysis {

std::vector<uint32_t> StartOrder(const model::GpuActivity& activity) {
  const std::vector<model::ActivityOperation>& operations = activity.operations;
  std::vector<uint32_t> order(operations.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto before = [&](uint32_t a, uint32_t b) {
    const int64_t x = operations[a].start_ns;
    const int64_t y = operations[b].start_ns;
    return x != y ? x < y : a < b;
  };
  // Each table is usually in order.
  const auto kernels_end = order.begin() + static_cast<std::ptrdiff_t>(activity.kernel_count);
  const auto sort = [&](auto first, auto last) {
    if (!std::is_sorted(first, last, before)) std::sort(first, last, before);
  };
  sort(order.begin(), kernels_end);
  sort(kernels_end, order.end());
  std::inplace_merge(order.begin(), kernels_end, order.end(), before);
  return order;
}

}  // namespace rangewise::analysis
