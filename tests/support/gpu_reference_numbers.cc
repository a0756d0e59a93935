#include "support/gpu_reference_numbers.h"

#include <algorithm>
#include <cmath>

namespace rangewise::test {

StatisticsLine Summary(std::vector<int64_t> values) {
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  const auto at = [](const auto& sorted, int hundredths) {
    // Type 7: linear between the values around rank 1 + (n - 1) p, in whole hundredths.
    const size_t rank = (sorted.size() - 1) * static_cast<size_t>(hundredths);
    const size_t below = rank / 100;
    const auto part = static_cast<long double>(rank % 100) / 100;
    if (rank % 100 == 0) return static_cast<long double>(sorted[below]);
    return static_cast<long double>(sorted[below]) +
           part * (static_cast<long double>(sorted[below + 1]) -
                   static_cast<long double>(sorted[below]));
  };
  StatisticsLine line;
  for (const int64_t value : values) line.total += value;
  line.minimum = values.front();
  line.maximum = values.back();
  const long double mean = static_cast<long double>(line.total) / static_cast<long double>(n);
  long double squares = 0;
  for (const int64_t value : values) {
    squares += (static_cast<long double>(value) - mean) * (static_cast<long double>(value) - mean);
  }
  line.mean = static_cast<double>(mean);
  line.deviation =
      n < 2 ? 0 : static_cast<double>(std::sqrt(squares / static_cast<long double>(n - 1)));
  const long double median = at(values, 50);
  line.median = static_cast<double>(median);
  line.p90 = static_cast<double>(at(values, 90));
  line.p95 = static_cast<double>(at(values, 95));
  line.p99 = static_cast<double>(at(values, 99));
  std::vector<long double> deviations;
  for (const int64_t value : values)
    deviations.push_back(std::fabs(static_cast<long double>(value) - median));
  std::sort(deviations.begin(), deviations.end());
  line.mad = static_cast<double>(at(deviations, 50));
  return line;
}

int64_t Covered(const std::vector<Interval>& intervals) {
  std::vector<std::pair<int64_t, int>> points;
  for (const auto& [start, end] : intervals) {
    points.emplace_back(start, 1);
    points.emplace_back(end, -1);
  }
  std::sort(points.begin(), points.end());
  int64_t length = 0;
  int covering = 0;
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    covering += points[i].second;
    if (covering > 0) length += points[i + 1].first - points[i].first;
  }
  return length;
}

std::vector<Interval> Uncovered(const Interval& window, const std::vector<Interval>& intervals) {
  std::vector<std::pair<int64_t, int>> points = {{window.first, 0}, {window.second, 0}};
  for (const auto& [start, end] : intervals) {
    if (end < window.first || start > window.second) continue;
    points.emplace_back(std::max(start, window.first), 1);
    points.emplace_back(std::min(end, window.second), -1);
  }
  std::sort(points.begin(), points.end());
  std::vector<Interval> pieces;
  int covering = 0;
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    covering += points[i].second;
    if (covering <= 0 && points[i + 1].first > points[i].first) {
      pieces.emplace_back(points[i].first, points[i + 1].first);
    }
  }
  return pieces;
}

}  // namespace rangewise::test
