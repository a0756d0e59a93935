// Owns the order in which rows of a comparison are shown, and the one number that stands for a
// side's runs in them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <tuple>
#include <vector>

#include "model/comparison.h"

namespace rangewise::model {

// In the order that rows are shown in.
inline constexpr std::array kShownVerdicts = {
    Verdict::kRegressed,    Verdict::kImproved, Verdict::kRemoved,      Verdict::kAdded,
    Verdict::kInconclusive, Verdict::kNoChange, Verdict::kNotComparable};

// The primary metric's row first, then by verdict, then larger changes before smaller ones.
template <typename Ns>
std::vector<const MetricRow<Ns>*> InShownOrder(const MetricTable<Ns>& table) {
  std::vector<const MetricRow<Ns>*> rows;
  for (const MetricRow<Ns>& row : table.rows) rows.push_back(&row);
  const auto rank = [](const MetricRow<Ns>& row) {
    const auto verdict = std::find(kShownVerdicts.begin(), kShownVerdicts.end(), row.verdict) -
                         kShownVerdicts.begin();
    return std::make_tuple(!row.primary, verdict, -std::fabs(row.log_ratio.value_or(0)));
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const auto* a, const auto* b) { return rank(*a) < rank(*b); });
  return rows;
}

// The median over the runs that have the metric.
template <typename Ns>
std::optional<double> MedianOverRuns(const std::vector<std::optional<Observation<Ns>>>& side) {
  std::vector<double> values;
  for (const auto& observation : side) {
    if (observation) values.push_back(observation->median_ns);
  }
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : values[half - 1] / 2 + values[half] / 2;
}

}  // namespace rangewise::model
