#include "analysis/noise_floor.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "analysis/rank_tests.h"

namespace rangewise::analysis {
namespace {

constexpr uint64_t kSeed = 20260131;

// The number of ways to choose half of `n`, or more than kMostSplits.
int64_t CountSplits(int64_t n) {
  int64_t ways = 1;
  for (int64_t i = 1; i <= n / 2; ++i) {
    ways = ways * (n - n / 2 + i) / i;
    // Two more than are wanted, since each split into equal halves is counted twice.
    if (ways > 2 * kMostSplits) return ways;
  }
  return n % 2 == 0 ? ways / 2 : ways;
}

// Positions of the first half, from the smallest choice to the next in lexicographic order.
bool NextChoice(std::vector<size_t>& chosen, size_t n) {
  const size_t k = chosen.size();
  for (size_t i = k; i > 0; --i) {
    if (chosen[i - 1] == n - k + i - 1) continue;
    ++chosen[i - 1];
    std::iota(chosen.begin() + static_cast<ptrdiff_t>(i), chosen.end(), chosen[i - 1] + 1);
    return true;
  }
  return false;
}

double Distance(std::span<const double> logs, const std::vector<size_t>& chosen) {
  std::vector<double> first;
  std::vector<double> second;
  size_t next = 0;
  for (size_t i = 0; i < logs.size(); ++i) {
    const bool taken = next < chosen.size() && chosen[next] == i;
    (taken ? first : second).push_back(logs[i]);
    if (taken) ++next;
  }
  return std::abs(EstimateShift(first, second));
}

std::vector<double> AllDistances(std::span<const double> logs) {
  std::vector<size_t> chosen(logs.size() / 2);
  std::iota(chosen.begin(), chosen.end(), size_t{0});
  std::vector<double> distances;
  do {
    // Equal halves: the first value stays in the first one, else each split would come twice.
    if (logs.size() % 2 == 0 && chosen.front() != 0) break;
    distances.push_back(Distance(logs, chosen));
  } while (NextChoice(chosen, logs.size()));
  return distances;
}

std::vector<double> DrawnDistances(std::span<const double> logs) {
  std::mt19937_64 random(kSeed);
  std::vector<size_t> places(logs.size());
  std::iota(places.begin(), places.end(), size_t{0});
  std::vector<double> distances;
  for (int64_t split = 0; split < kMostSplits; ++split) {
    // The library's own shuffle differs between implementations; this one does not.
    for (size_t i = 0; i < logs.size() / 2; ++i) {
      std::swap(places[i], places[i + random() % (places.size() - i)]);
    }
    std::vector<size_t> chosen(places.begin(),
                               places.begin() + static_cast<ptrdiff_t>(logs.size() / 2));
    std::sort(chosen.begin(), chosen.end());
    distances.push_back(Distance(logs, chosen));
  }
  return distances;
}

double Percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

}  // namespace

std::optional<model::Noise> MeasureNoise(std::span<const double> values) {
  const auto n = static_cast<int64_t>(values.size());
  if (n < kMinimumRunsForNoise) return std::nullopt;
  std::vector<double> logs;
  for (const double value : values) {
    if (!(value > 0)) return std::nullopt;
    logs.push_back(std::log(value));
  }
  model::Noise noise;
  noise.all_splits = CountSplits(n) <= kMostSplits;
  std::vector<double> distances = noise.all_splits ? AllDistances(logs) : DrawnDistances(logs);
  noise.splits = static_cast<int64_t>(distances.size());
  noise.log_ratio = Percentile(std::move(distances), 0.95);
  return noise;
}

}  // namespace rangewise::analysis
