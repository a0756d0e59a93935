#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "artifact/page_json.h"
#include "base/text.h"
#include "format/script_json.h"
#include "model/comparison_order.h"
#include "model/page_limits.h"
#include "model/page_names.h"

namespace rangewise::artifact {
namespace {

using format::ScriptJson;

template <typename Ns>
constexpr const char* kClock = std::is_same_v<Ns, HostNs>        ? "host"
                               : std::is_same_v<Ns, ProjectedNs> ? "projected"
                                                                 : "gpu";

std::optional<double> Exponential(const std::optional<double>& logarithm) {
  return logarithm ? std::optional(std::exp(*logarithm)) : std::nullopt;
}

template <typename Ns>
void Values(ScriptJson& json, const char* key,
            const std::vector<std::optional<model::Observation<Ns>>>& side) {
  json.Column(key, side, [&](const auto& observation) {
    observation ? json.Double(observation->median_ns) : json.Null();
  });
}

template <typename Ns>
void Row(ScriptJson& json, const model::MetricRow<Ns>& row) {
  std::string label =
      row.path.empty() ? std::string("iterations") : model::ShownRangePath(row.path);
  if (row.style == model::Style::kStartEnd) label += " (start/end)";
  if (!row.domain.empty()) label += Format(" (domain {})", model::ShownName(row.domain));
  json.BeginObject();
  json.Key("label");
  json.String(label);
  json.Key("verdict");
  json.String(model::VerdictName(row.verdict));
  json.Key("reason");
  row.reason == model::Reason::kNone ? json.Null() : json.String(model::ReasonName(row.reason));
  json.Key("primary");
  json.Bool(row.primary);
  Values(json, "baseline", row.baseline);
  Values(json, "candidate", row.candidate);
  json.Key("ratio");
  json.Double(Exponential(row.log_ratio));
  json.Key("low");
  json.Double(row.interval ? std::optional(std::exp(row.interval->low)) : std::nullopt);
  json.Key("high");
  json.Double(row.interval ? std::optional(std::exp(row.interval->high)) : std::nullopt);
  json.Key("p");
  json.Double(row.p);
  json.Key("q");
  json.Double(row.q);
  json.EndObject();
}

template <typename Ns>
void Metric(ScriptJson& json, const model::MetricTable<Ns>& table,
            const std::function<std::string(model::Metric)>& title_of) {
  if (table.rows.empty()) return;
  json.BeginObject();
  json.Key("id");
  json.String(model::MetricName(table.metric));
  json.Key("title");
  json.String(title_of(table.metric));
  json.Key("clock");
  json.String(kClock<Ns>);
  json.Key("grouped");
  json.Bool(table.grouped);
  json.Key("rows");
  json.BeginList();
  size_t rows = 0;
  const size_t before = json.text().size();
  for (const model::MetricRow<Ns>* row : model::InShownOrder(table)) {
    if (rows == model::kMostForestRows) break;
    ScriptJson written;
    Row(written, *row);
    if (json.text().size() - before + written.text().size() > model::kMostMetricBytes) break;
    json.Written(written);
    ++rows;
  }
  json.EndList();
  json.Key("left_out");
  json.Integer(static_cast<int64_t>(table.rows.size() - rows));
  json.EndObject();
}

// Of a great many runs the later ones are called by their number.
void Labels(ScriptJson& json, const char* key, const std::vector<model::ComparedRun>& runs) {
  size_t bytes = 0;
  size_t number = 0;
  json.Column(key, runs, [&](const model::ComparedRun& run) {
    ++number;
    ScriptJson label;
    label.String(model::ShownName(run.label));
    bytes += label.text().size();
    if (bytes <= model::kMostLabelBytes) return json.Written(label);
    json.String(Format("run {}", number));
  });
}

}  // namespace

std::string PageJson(const model::Comparison& comparison,
                     const std::function<std::string(model::Metric)>& title_of) {
  ScriptJson json;
  json.BeginObject();
  json.Key("page_version");
  json.Integer(int64_t{1});
  json.Key("kind");
  json.String("comparison");
  json.Key("metrics");
  json.BeginList();
  model::ForEachTable(comparison, [&](const auto& table) { Metric(json, table, title_of); });
  json.EndList();
  json.Key("floor_ratio");
  json.Double(comparison.floor.relative);
  json.Key("runs");
  json.BeginObject();
  Labels(json, "baseline", comparison.baseline);
  Labels(json, "candidate", comparison.candidate);
  json.EndObject();
  json.EndObject();
  return std::move(json.text());
}

}  // namespace rangewise::artifact
