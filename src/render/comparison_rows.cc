#include "render/comparison_rows.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "model/comparison_order.h"
#include "render/comparison_words.h"
#include "render/units.h"

namespace rangewise::render {
namespace {

using model::Comparison;
using model::MetricRow;
using model::MetricTable;
using model::Observation;
using model::Verdict;

template <typename Ns>
using Observations = std::vector<std::optional<Observation<Ns>>>;

template <typename Ns>
std::string MedianText(const Observations<Ns>& side) {
  const std::optional<double> median = model::MedianOverRuns(side);
  return median ? DurationOfNs(*median) : "-";
}

std::string PlaceOf(bool nested, bool holds_others) {
  if (nested && holds_others) return "nested, holds others";
  if (nested) return "nested";
  return holds_others ? "holds others" : "";
}

// "10" or "9 to 11": the runs' numbers of instances.
template <typename Ns>
std::string InstancesText(const Observations<Ns>& side) {
  std::optional<int64_t> least;
  std::optional<int64_t> most;
  for (const auto& observation : side) {
    if (!observation) continue;
    least = std::min(least.value_or(observation->instances), observation->instances);
    most = std::max(most.value_or(observation->instances), observation->instances);
  }
  if (!least) return "-";
  return *least == *most ? Grouped(*least) : Format("{} to {}", Grouped(*least), Grouped(*most));
}

template <typename Ns>
ShownRow ShowRow(model::Metric metric, const MetricRow<Ns>& row) {
  ShownRow shown{.verdict = std::string(model::VerdictName(row.verdict)),
                 .reason = std::string(model::ReasonName(row.reason)),
                 .ratio = row.log_ratio ? RatioText(*row.log_ratio) : "-",
                 .interval = row.interval ? IntervalText(*row.interval) : "-",
                 .probability = "-",
                 .baseline = MedianText(row.baseline),
                 .candidate = MedianText(row.candidate),
                 .range = row.path.empty() ? "iterations" : PathText(row.path),
                 .metric = std::string(model::MetricName(metric)),
                 .place = PlaceOf(row.nested, !row.leaf),
                 .numbers = {.log_ratio = row.log_ratio,
                             .interval = row.interval,
                             .probability = row.primary ? row.p : row.q,
                             .baseline_ns = model::MedianOverRuns(row.baseline),
                             .candidate_ns = model::MedianOverRuns(row.candidate)}};
  if (row.primary && row.p) {
    shown.probability = "p " + ProbabilityText(*row.p);
  } else if (row.q) {
    shown.probability = "q " + ProbabilityText(*row.q);
  }
  if (metric == model::Metric::kProjected && row.style == model::Style::kStartEnd)
    shown.range += " (start/end)";
  if (!row.domain.empty()) shown.range += Format(" (domain {})", row.domain);
  return shown;
}

template <typename Ns>
ShownTable ShowTable(const MetricTable<Ns>& table, size_t most_rows) {
  ShownTable shown{
      .metric = table.metric, .grouped = table.grouped, .rows_total = table.rows.size()};
  const std::vector<const MetricRow<Ns>*> rows = model::InShownOrder(table);
  for (size_t i = 0; i < rows.size() && i < most_rows; ++i) {
    shown.rows.push_back(ShowRow(table.metric, *rows[i]));
    if (rows[i]->instances_differ) {
      shown.rows.back().range +=
          Format(" ({} against {} instances)", InstancesText(rows[i]->baseline),
                 InstancesText(rows[i]->candidate));
    }
  }

  for (const Verdict verdict : model::kShownVerdicts) {
    const auto count = std::count_if(rows.begin(), rows.end(),
                                     [&](const auto* row) { return row->verdict == verdict; });
    if (count == 0) continue;
    if (!shown.counts.empty()) shown.counts += ", ";
    shown.counts += Format("{} {}", Grouped(count), model::VerdictName(verdict));
  }
  if (table.leaf_log_ratio && table.leaves > 1) {
    shown.leaves =
        Format("Geometric mean of the ratios of {} leaves: {}.",
               Grouped(static_cast<int64_t>(table.leaves)), RatioText(*table.leaf_log_ratio));
  }
  return shown;
}

template <typename Ns>
std::vector<ShownValue> ShowValues(const Observations<Ns>& side) {
  std::vector<ShownValue> values;
  for (const auto& observation : side) {
    if (!observation) {
      values.push_back({"-", "-"});
      continue;
    }
    values.push_back({DurationOfNs(observation->median_ns),
                      Format("{} to {} ({})", DurationOfNs(observation->minimum.ns),
                             DurationOfNs(observation->maximum.ns), observation->instances)});
  }
  return values;
}

}  // namespace

std::vector<ShownTable> ShownTables(const Comparison& comparison, size_t most_rows) {
  std::vector<ShownTable> tables;
  model::ForEachTable(comparison, [&](const auto& table) {
    if (!table.rows.empty()) tables.push_back(ShowTable(table, most_rows));
  });
  return tables;
}

std::vector<ShownRow> ShownGateRows(const Comparison& comparison, size_t most_rows) {
  std::vector<ShownRow> shown;
  if (!comparison.gate) return shown;
  for (const model::GateRow& decided : comparison.gate->rows) {
    if (shown.size() == most_rows) break;
    const model::MetricKey& key = decided.key;
    const size_t before = shown.size();
    model::ForEachTable(comparison, [&](const auto& table) {
      if (table.metric != key.metric) return;
      for (const auto& row : table.rows) {
        if (row.path == key.path && row.style == key.style && row.domain == key.domain)
          shown.push_back(ShowRow(table.metric, row));
      }
    });
    if (shown.size() == before) {
      shown.push_back({.ratio = "-",
                       .interval = "-",
                       .probability = "-",
                       .baseline = "-",
                       .candidate = "-",
                       .range = key.path.empty() ? "iterations" : PathText(key.path),
                       .metric = std::string(model::MetricName(key.metric))});
    }
    shown.back().verdict = model::VerdictName(decided.verdict);
    shown.back().reason = model::ReasonName(decided.reason);
  }
  return shown;
}

ShownPrimary ShownPrimaryValues(const Comparison& comparison) {
  ShownPrimary values;
  model::ForEachTable(comparison, [&](const auto& table) {
    for (const auto& row : table.rows) {
      if (row.primary) values = {ShowValues(row.baseline), ShowValues(row.candidate)};
    }
  });
  return values;
}

}  // namespace rangewise::render
