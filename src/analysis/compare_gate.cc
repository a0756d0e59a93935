#include "analysis/compare_gate.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "base/codes.h"

namespace rangewise::analysis {
namespace {

using model::Comparison;
using model::Gate;
using model::GateResult;
using model::GateRow;
using model::Metric;
using model::MetricKey;
using model::Reason;
using model::Verdict;

template <typename Ns>
MetricKey KeyOf(const model::MetricTable<Ns>& table, const model::MetricRow<Ns>& row) {
  return {.metric = table.metric, .path = row.path, .style = row.style, .domain = row.domain};
}

// Why no run has a row of `metric`: runs in which GPU work was never looked at are no runs that had
// none.
Reason WhyNoRow(const Comparison& comparison, Metric metric) {
  if (metric == Metric::kGpuBusyIterations) metric = Metric::kGpuBusy;  // its family
  for (const model::GpuFamily& family : comparison.gpu_families) {
    if (family.metric == metric && !family.missing.empty()) return Reason::kNoGpuWork;
  }
  return Reason::kMetricMissing;
}

GateRow Find(const Comparison& comparison, const MetricKey& key) {
  std::optional<GateRow> found;
  model::ForEachTable(comparison, [&](const auto& table) {
    if (found || table.metric != key.metric) return;
    for (const auto& row : table.rows) {
      if (KeyOf(table, row) == key) found = GateRow{key, row.verdict, row.reason};
    }
  });
  if (found) return *std::move(found);
  return {key, Verdict::kNotComparable, WhyNoRow(comparison, key.metric)};
}

// The primary metric and those of `on`, each once.
std::vector<GateRow> NamedRows(const Comparison& comparison, const std::vector<MetricKey>& on) {
  std::vector<GateRow> rows = {{comparison.primary, comparison.verdict, comparison.reason}};
  for (const MetricKey& key : on) {
    if (key != comparison.primary) rows.push_back(Find(comparison, key));
  }
  return rows;
}

// Every further family would add its own false alarms to a gate that nobody asked it for, so rows
// of GPU work are none of these.
std::vector<GateRow> OtherRegressions(const Comparison& comparison,
                                      const std::vector<GateRow>& named) {
  std::vector<std::pair<double, GateRow>> found;
  model::ForEachTable(comparison, [&](const auto& table) {
    if (table.metric > model::kLastPrimaryMetric) return;
    for (const auto& row : table.rows) {
      if (row.verdict != Verdict::kRegressed) continue;
      const MetricKey key = KeyOf(table, row);
      const bool is_named = std::any_of(named.begin(), named.end(),
                                        [&](const GateRow& other) { return other.key == key; });
      if (!is_named) found.push_back({row.log_ratio.value_or(0), {key, row.verdict, row.reason}});
    }
  });
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<GateRow> rows;
  for (auto& [ratio, row] : found) rows.push_back(std::move(row));
  return rows;
}

template <typename Is>
std::vector<GateRow> Those(const std::vector<GateRow>& rows, Is is) {
  std::vector<GateRow> those;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(those),
               [&](const GateRow& row) { return is(row.verdict); });
  return those;
}

}  // namespace

Gate JudgeGate(const Comparison& comparison, std::span<const MetricKey> on, GateScope scope) {
  Gate gate{.named_only = scope == GateScope::kNamedOnly, .on = {on.begin(), on.end()}};
  std::sort(gate.on.begin(), gate.on.end());
  gate.on.erase(std::unique(gate.on.begin(), gate.on.end()), gate.on.end());
  const std::vector<GateRow> named = NamedRows(comparison, gate.on);

  gate.rows = Those(named, [](Verdict verdict) { return verdict == Verdict::kNotComparable; });
  if (!gate.rows.empty()) {
    gate.result = GateResult::kNotPassed;
    return gate;
  }
  gate.rows = Those(named, [](Verdict verdict) { return verdict == Verdict::kRegressed; });
  if (!gate.named_only) {
    const std::vector<GateRow> others = OtherRegressions(comparison, named);
    gate.rows.insert(gate.rows.end(), others.begin(), others.end());
  }
  if (!gate.rows.empty()) {
    gate.result = GateResult::kFailed;
    return gate;
  }
  gate.rows = Those(named, [](Verdict verdict) {
    return verdict != Verdict::kImproved && verdict != Verdict::kNoChange;
  });
  gate.result = gate.rows.empty() ? GateResult::kPassed : GateResult::kNotPassed;
  return gate;
}

int ExitCodeOf(const Gate& gate) {
  switch (gate.result) {
    case GateResult::kPassed:
      return kExitDone;
    case GateResult::kFailed:
      return kExitGateFailed;
    case GateResult::kNotPassed:
      break;
  }
  return kExitInconclusive;
}

}  // namespace rangewise::analysis
