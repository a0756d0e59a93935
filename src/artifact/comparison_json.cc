#include "artifact/comparison_json.h"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "artifact/json_pieces.h"
#include "artifact/redaction_json.h"
#include "base/text.h"

namespace rangewise::artifact {
namespace {

using format::JsonWriter;
using model::ComparedRun;
using model::Comparison;
using model::MetricRow;
using model::MetricTable;
using model::NoiseReport;
using model::Observation;

// Every function here writes keys in sorted order; JsonWriter checks that in debug builds.

void Text(JsonWriter& json, std::string_view key, std::string_view text) {
  json.Key(key);
  json.String(Displayable(text));
}

void TextOrNull(JsonWriter& json, std::string_view key, const std::optional<std::string>& text) {
  json.Key(key);
  if (text) {
    json.String(Displayable(*text));
  } else {
    json.Null();
  }
}

// An empty word says that there is none.
void WordOrNull(JsonWriter& json, std::string_view key, std::string_view word) {
  json.Key(key);
  if (word.empty()) {
    json.Null();
  } else {
    json.String(word);
  }
}

void Truth(JsonWriter& json, std::string_view key, bool value) {
  json.Key(key);
  json.Bool(value);
}

void Count(JsonWriter& json, std::string_view key, size_t count) {
  Number(json, key, static_cast<int64_t>(count));
}

void NumberOrNull(JsonWriter& json, std::string_view key, const std::optional<double>& value) {
  json.Key(key);
  if (value) {
    json.Double(*value);
  } else {
    json.Null();
  }
}

std::optional<double> Exponential(const std::optional<double>& log) {
  return log ? std::optional(std::exp(*log)) : std::nullopt;
}

void Words(JsonWriter& json, std::string_view key, const std::vector<std::string>& words) {
  json.Key(key);
  json.BeginList();
  for (const std::string& word : words) json.String(Displayable(word));
  json.EndList();
}

void Run(JsonWriter& json, const ComparedRun& run) {
  json.BeginObject();
  Words(json, "allowed_warnings", run.allowed_warnings);
  TextOrNull(json, "commit", run.commit);
  TextOrNull(json, "id", run.id);
  Text(json, "label", run.label);
  TextOrNull(json, "report_source", run.report_source);
  TextOrNull(json, "started_at", run.started_at);
  Words(json, "warnings", run.warnings);
  json.EndObject();
}

void Runs(JsonWriter& json, std::string_view key, const std::vector<ComparedRun>& runs) {
  json.Key(key);
  json.BeginList();
  for (const ComparedRun& run : runs) Run(json, run);
  json.EndList();
}

void NoiseOrNull(JsonWriter& json, std::string_view key, const std::optional<model::Noise>& noise) {
  json.Key(key);
  if (!noise) return json.Null();
  json.BeginObject();
  Truth(json, "all_splits", noise->all_splits);
  Number(json, "log_ratio", noise->log_ratio);
  Number(json, "ratio", std::exp(noise->log_ratio));
  Number(json, "splits", noise->splits);
  json.EndObject();
}

void ContractValues(JsonWriter& json, std::string_view key,
                    const std::vector<model::ContractValue>& values) {
  json.Key(key);
  json.BeginList();
  for (const model::ContractValue& value : values) {
    json.BeginObject();
    Truth(json, "recorded", value.value.has_value());
    json.Key("runs");
    json.BeginList();
    for (const size_t run : value.runs) json.Integer(static_cast<int64_t>(run));
    json.EndList();
    json.Key("value");
    if (value.value) {
      json.Any(*value.value);
    } else {
      json.Null();
    }
    json.EndObject();
  }
  json.EndList();
}

void Contract(JsonWriter& json, const std::vector<model::ContractRow>& contract) {
  json.Key("contract");
  json.BeginList();
  for (const model::ContractRow& row : contract) {
    json.BeginObject();
    Truth(json, "allowed", row.allowed);
    ContractValues(json, "baseline", row.baseline);
    ContractValues(json, "candidate", row.candidate);
    Text(json, "key", row.key);
    Text(json, "state", model::ContractStateName(row.state));
    json.EndObject();
  }
  json.EndList();
}

void Duplicates(JsonWriter& json, const std::vector<model::DuplicateRun>& duplicates) {
  json.Key("duplicates");
  json.BeginList();
  for (const model::DuplicateRun& duplicate : duplicates) {
    json.BeginObject();
    Text(json, "label", duplicate.label);
    Text(json, "same_as", duplicate.same_as);
    Truth(json, "same_numbers", duplicate.same_numbers);
    Text(json, "side", model::SideName(duplicate.side));
    json.EndObject();
  }
  json.EndList();
}

void LeftOut(JsonWriter& json, const std::vector<model::LeftOutRun>& left_out) {
  json.Key("left_out");
  json.BeginList();
  for (const model::LeftOutRun& left : left_out) {
    json.BeginObject();
    Words(json, "codes", left.codes);
    json.Key("run");
    Run(json, left.run);
    Text(json, "side", model::SideName(left.side));
    json.EndObject();
  }
  json.EndList();
}

// Styles tell rows of projected ranges apart, and nothing else.
std::string_view StyleOf(model::Metric metric, model::Style style) {
  return metric == model::Metric::kProjected ? model::StyleName(style) : std::string_view();
}

void Primary(JsonWriter& json, const model::MetricKey& primary,
             const std::vector<model::RunRef>& missing) {
  json.Key("primary");
  json.BeginObject();
  Text(json, "domain", primary.domain);
  Text(json, "metric", model::MetricName(primary.metric));
  json.Key("missing");
  json.BeginList();
  for (const model::RunRef& run : missing) {
    json.BeginObject();
    Count(json, "run", run.run);
    Text(json, "side", model::SideName(run.side));
    json.EndObject();
  }
  json.EndList();
  Words(json, "path", primary.path);
  WordOrNull(json, "style", StyleOf(primary.metric, primary.style));
  json.EndObject();
}

template <typename Ns>
void Observations(JsonWriter& json, std::string_view key,
                  const std::vector<std::optional<Observation<Ns>>>& observations) {
  json.Key(key);
  json.BeginList();
  for (const std::optional<Observation<Ns>>& observation : observations) {
    if (!observation) {
      json.Null();
      continue;
    }
    json.BeginObject();
    Number(json, "median_ns", observation->median_ns);
    json.Key("within_run");
    json.BeginObject();
    Number(json, "instances", observation->instances);
    Number(json, "maximum_ns", observation->maximum.ns);
    Number(json, "minimum_ns", observation->minimum.ns);
    Number(json, "stddev_ns", observation->stddev_ns);
    json.EndObject();
    json.EndObject();
  }
  json.EndList();
}

void IntervalOrNull(JsonWriter& json, const std::optional<model::LogInterval>& interval) {
  json.Key("interval");
  if (!interval) return json.Null();
  json.BeginObject();
  Number(json, "coverage", interval->coverage);
  Number(json, "high_log_ratio", interval->high);
  Number(json, "high_ratio", std::exp(interval->high));
  Number(json, "low_log_ratio", interval->low);
  Number(json, "low_ratio", std::exp(interval->low));
  json.EndObject();
}

template <typename Ns>
void Row(JsonWriter& json, model::Metric metric, const MetricRow<Ns>& row) {
  json.BeginObject();
  Observations(json, "baseline", row.baseline);
  Observations(json, "candidate", row.candidate);
  NumberOrNull(json, "cliffs_delta", row.cliffs_delta);
  Text(json, "domain", row.domain);
  Truth(json, "instances_differ", row.instances_differ);
  IntervalOrNull(json, row.interval);
  Truth(json, "leaf", row.leaf);
  NumberOrNull(json, "log_ratio", row.log_ratio);
  Truth(json, "nested", row.nested);
  NumberOrNull(json, "p", row.p);
  Truth(json, "p_is_exact", row.p_is_exact);
  Words(json, "path", row.path);
  Truth(json, "primary", row.primary);
  NumberOrNull(json, "q", row.q);
  NumberOrNull(json, "ratio", Exponential(row.log_ratio));
  WordOrNull(json, "reason", model::ReasonName(row.reason));
  NumberOrNull(json, "shift_ns", row.shift_ns);
  WordOrNull(json, "style", StyleOf(metric, row.style));
  Text(json, "verdict", model::VerdictName(row.verdict));
  json.EndObject();
}

template <typename Ns>
void Table(JsonWriter& json, std::string_view key, const MetricTable<Ns>& table) {
  json.Key(key);
  json.BeginObject();
  Truth(json, "grouped", table.grouped);
  NumberOrNull(json, "leaf_log_ratio", table.leaf_log_ratio);
  NumberOrNull(json, "leaf_ratio", Exponential(table.leaf_log_ratio));
  Count(json, "leaves", table.leaves);
  json.Key("rows");
  json.BeginList();
  for (const MetricRow<Ns>& row : table.rows) Row(json, table.metric, row);
  json.EndList();
  json.EndObject();
}

void Tables(JsonWriter& json, const Comparison& comparison) {
  json.Key("tables");
  json.BeginObject();
  Table(json, "exposed-communication", comparison.exposed_communication);
  Table(json, "gpu-busy", comparison.gpu_busy);
  Table(json, "gpu-busy-iterations", comparison.gpu_busy_iterations);
  Table(json, "gpu-iterations", comparison.projected_iterations);
  Table(json, "gpu-kernels", comparison.gpu_kernels);
  Table(json, "gpu-projection", comparison.projected);
  Table(json, "host-exclusive", comparison.host_exclusive);
  Table(json, "host-inclusive", comparison.host_inclusive);
  Table(json, "host-iterations", comparison.host_iterations);
  Table(json, "host-waits", comparison.host_waits);
  json.EndObject();
}

// The numbers of a gate's row are those of the row in its table, for who reads nothing else.
void GateRow(JsonWriter& json, const Comparison& comparison, const model::GateRow& decided) {
  const model::MetricKey& key = decided.key;
  std::optional<model::LogInterval> interval;
  std::optional<double> log_ratio;
  std::optional<double> p;
  std::optional<double> q;
  model::ForEachTable(comparison, [&](const auto& table) {
    if (table.metric != key.metric) return;
    for (const auto& row : table.rows) {
      if (row.path != key.path || row.style != key.style || row.domain != key.domain) continue;
      interval = row.interval;
      log_ratio = row.log_ratio;
      p = row.p;
      q = row.q;
    }
  });
  json.BeginObject();
  Text(json, "domain", key.domain);
  IntervalOrNull(json, interval);
  Text(json, "metric", model::MetricName(key.metric));
  NumberOrNull(json, "p", p);
  Words(json, "path", key.path);
  NumberOrNull(json, "q", q);
  NumberOrNull(json, "ratio", Exponential(log_ratio));
  WordOrNull(json, "reason", model::ReasonName(decided.reason));
  WordOrNull(json, "style", StyleOf(key.metric, key.style));
  Text(json, "verdict", model::VerdictName(decided.verdict));
  json.EndObject();
}

void GateOrNull(JsonWriter& json, const Comparison& comparison) {
  json.Key("gate");
  if (!comparison.gate) return json.Null();
  const model::Gate& gate = *comparison.gate;
  json.BeginObject();
  Truth(json, "named_only", gate.named_only);
  json.Key("on");
  json.BeginList();
  for (const model::MetricKey& key : gate.on) {
    json.BeginObject();
    Text(json, "domain", key.domain);
    Text(json, "metric", model::MetricName(key.metric));
    Words(json, "path", key.path);
    WordOrNull(json, "style", StyleOf(key.metric, key.style));
    json.EndObject();
  }
  json.EndList();
  Text(json, "result", model::GateResultName(gate.result));
  json.Key("rows");
  json.BeginList();
  for (const model::GateRow& row : gate.rows) GateRow(json, comparison, row);
  json.EndList();
  json.EndObject();
}

void GpuFamilies(JsonWriter& json, const std::vector<model::GpuFamily>& families) {
  json.Key("gpu_families");
  json.BeginList();
  for (const model::GpuFamily& family : families) {
    json.BeginObject();
    Truth(json, "can_pass", family.can_pass);
    Text(json, "metric", model::MetricName(family.metric));
    json.Key("missing");
    json.BeginList();
    for (const model::MissingMetric& missing : family.missing) {
      json.BeginObject();
      Text(json, "reason", missing.reason);
      Count(json, "run", missing.run.run);
      Text(json, "side", model::SideName(missing.run.side));
      json.EndObject();
    }
    json.EndList();
    Number(json, "runs_needed", family.runs_needed);
    Count(json, "size", family.size);
    json.EndObject();
  }
  json.EndList();
}

void Tool(JsonWriter& json) {
  json.Key("tool");
  json.BeginObject();
  Text(json, "name", "rangewise");
  Text(json, "version", RANGEWISE_VERSION);
  json.EndObject();
}

}  // namespace

void WriteComparisonJson(const Comparison& comparison, Output& out) {
  JsonWriter json(out);
  json.BeginObject();
  Number(json, "alpha", comparison.alpha);
  Runs(json, "baseline", comparison.baseline);
  NoiseOrNull(json, "baseline_noise", comparison.baseline_noise);
  Runs(json, "candidate", comparison.candidate);
  json.Key("caveats");
  json.BeginList();
  for (const model::Caveat caveat : comparison.caveats) json.String(model::CaveatName(caveat));
  json.EndList();
  Contract(json, comparison.contract);
  Duplicates(json, comparison.duplicates);
  json.Key("family");
  json.BeginObject();
  Truth(json, "can_pass", comparison.family_can_pass);
  Number(json, "runs_needed", comparison.family_runs_needed);
  Count(json, "size", comparison.family_size);
  json.EndObject();
  json.Key("floor");
  json.BeginObject();
  Number(json, "absolute_ns", comparison.floor.absolute_ns);
  Number(json, "relative_ratio", comparison.floor.relative);
  Text(json, "source", model::FloorSourceName(comparison.floor.source));
  json.EndObject();
  GateOrNull(json, comparison);
  GpuFamilies(json, comparison.gpu_families);
  Text(json, "kind", kComparisonKind);
  LeftOut(json, comparison.left_out);
  Primary(json, comparison.primary, comparison.primary_missing);
  WordOrNull(json, "reason", model::ReasonName(comparison.reason));
  WriteRedaction(json, comparison.redaction);
  Number(json, "runs_needed", comparison.runs_needed);
  Number(json, "schema_version", int64_t{kComparisonSchemaVersion});
  Tables(json, comparison);
  Tool(json);
  Text(json, "verdict", model::VerdictName(comparison.verdict));
  json.EndObject();
  json.Finish();
}

void WriteNoiseJson(const NoiseReport& report, Output& out) {
  JsonWriter json(out);
  json.BeginObject();
  Contract(json, report.contract);
  Duplicates(json, report.duplicates);
  Text(json, "kind", kNoiseKind);
  LeftOut(json, report.left_out);
  NoiseOrNull(json, "noise", report.noise);
  Primary(json, report.primary, {});
  WordOrNull(json, "reason", model::ReasonName(report.reason));
  WriteRedaction(json, report.redaction);
  Runs(json, "runs", report.runs);
  Number(json, "schema_version", int64_t{kComparisonSchemaVersion});
  Tool(json);
  json.Key("values_ns");
  json.BeginList();
  for (const double value : report.values) json.Double(value);
  json.EndList();
  json.EndObject();
  json.Finish();
}

}  // namespace rangewise::artifact
