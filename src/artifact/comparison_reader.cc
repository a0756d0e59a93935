#include "artifact/comparison_reader.h"

#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "artifact/comparison_json.h"
#include "artifact/json_object.h"
#include "artifact/redaction_json.h"
#include "base/text.h"

namespace rangewise::artifact {
namespace {

using model::ComparedRun;
using model::Comparison;
using model::ContractRow;
using model::ContractValue;
using model::MetricKey;
using model::MetricRow;
using model::MetricTable;
using model::NoiseReport;
using model::Observation;

struct In {
  format::JsonReader& json;
};

constexpr Presence kRequired = Presence::kRequired;
constexpr Presence kOptional = Presence::kOptional;

// No comparison has it, and an analysis need not be read to its end.
constexpr std::string_view kFirstKeyOfAnalysis = "capture_gpu_work";

// Beyond these a ratio of two durations cannot lie, and its exponential is finite.
constexpr double kLargestLogRatio = 100;

// The enumerator that `name_of` gives the word that stands here.
template <typename Enum>
Enum ReadWord(In& in, std::string_view (*name_of)(Enum), Enum last) {
  const std::string_view word = in.json.String();
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    const auto candidate = static_cast<Enum>(i);
    const std::string_view name = name_of(candidate);
    if (!name.empty() && name == word) return candidate;
  }
  in.json.Refuse(Format("{} is no word of this key", Quoted(word)));
  return Enum{};
}

model::Verdict ReadVerdict(In& in) {
  return ReadWord(in, model::VerdictName, model::Verdict::kNotComparable);
}

model::Reason ReadReason(In& in) {
  if (in.json.TakeNull()) return model::Reason::kNone;
  return ReadWord(in, model::ReasonName, model::Reason::kWithinFloor);
}

model::Side ReadSide(In& in) { return ReadWord(in, model::SideName, model::Side::kCandidate); }

model::Style ReadStyle(In& in) {
  if (in.json.TakeNull()) return model::Style::kPushPop;
  return ReadWord(in, model::StyleName, model::Style::kStartEnd);
}

size_t ReadSize(In& in) { return static_cast<size_t>(ReadCount(in.json)); }

std::optional<double> OptionalDouble(In& in) {
  if (in.json.TakeNull()) return std::nullopt;
  return in.json.Double();
}

double ReadLogRatio(In& in) {
  const double value = in.json.Double();
  if (std::fabs(value) > kLargestLogRatio) in.json.Refuse("no logarithm of a ratio");
  return value;
}

std::optional<double> OptionalLogRatio(In& in) {
  if (in.json.TakeNull()) return std::nullopt;
  return ReadLogRatio(in);
}

std::vector<std::string> ReadTexts(In& in) {
  std::vector<std::string> texts;
  in.json.BeginList();
  while (in.json.NextItem()) texts.emplace_back(in.json.String());
  return texts;
}

template <typename Row, size_t kCount>
std::vector<Row> ReadRows(In& in, const JsonKey<In, Row> (&keys)[kCount]) {
  std::vector<Row> rows;
  in.json.BeginList();
  while (in.json.NextItem()) ReadObject(in, keys, rows.emplace_back());
  return rows;
}

constexpr JsonKey<In, ComparedRun> kRunKeys[] = {
    {"allowed_warnings", kOptional,
     [](In& in, ComparedRun& out) { out.allowed_warnings = ReadTexts(in); }},
    {"commit", kRequired, [](In& in, ComparedRun& out) { out.commit = ReadOptionalText(in.json); }},
    {"id", kRequired, [](In& in, ComparedRun& out) { out.id = ReadOptionalText(in.json); }},
    {"label", kRequired, [](In& in, ComparedRun& out) { out.label = in.json.String(); }},
    {"report_source", kRequired,
     [](In& in, ComparedRun& out) { out.report_source = ReadOptionalText(in.json); }},
    {"started_at", kRequired,
     [](In& in, ComparedRun& out) { out.started_at = ReadOptionalText(in.json); }},
    {"warnings", kOptional, [](In& in, ComparedRun& out) { out.warnings = ReadTexts(in); }},
};

// `recorded` may stand before or behind the value that it is about.
struct ReadValue {
  ContractValue value;
  bool recorded = true;
};

constexpr JsonKey<In, ReadValue> kContractValueKeys[] = {
    {"recorded", kRequired, [](In& in, ReadValue& out) { out.recorded = in.json.Bool(); }},
    {"runs", kRequired,
     [](In& in, ReadValue& out) {
       in.json.BeginList();
       while (in.json.NextItem()) out.value.runs.push_back(ReadSize(in));
     }},
    {"value", kRequired, [](In& in, ReadValue& out) { out.value.value = in.json.Any(); }},
};

std::vector<ContractValue> ReadContractValues(In& in) {
  std::vector<ContractValue> values;
  for (ReadValue& read : ReadRows(in, kContractValueKeys)) {
    if (!read.recorded) read.value.value.reset();
    values.push_back(std::move(read.value));
  }
  return values;
}

constexpr JsonKey<In, ContractRow> kContractKeys[] = {
    {"allowed", kRequired, [](In& in, ContractRow& out) { out.allowed = in.json.Bool(); }},
    {"baseline", kRequired,
     [](In& in, ContractRow& out) { out.baseline = ReadContractValues(in); }},
    {"candidate", kRequired,
     [](In& in, ContractRow& out) { out.candidate = ReadContractValues(in); }},
    {"key", kRequired, [](In& in, ContractRow& out) { out.key = in.json.String(); }},
    {"state", kRequired,
     [](In& in, ContractRow& out) {
       out.state = ReadWord(in, model::ContractStateName, model::ContractState::kUnknown);
     }},
};

constexpr JsonKey<In, model::DuplicateRun> kDuplicateKeys[] = {
    {"label", kRequired, [](In& in, model::DuplicateRun& out) { out.label = in.json.String(); }},
    {"same_as", kRequired,
     [](In& in, model::DuplicateRun& out) { out.same_as = in.json.String(); }},
    {"same_numbers", kOptional,
     [](In& in, model::DuplicateRun& out) { out.same_numbers = in.json.Bool(); }},
    {"side", kRequired, [](In& in, model::DuplicateRun& out) { out.side = ReadSide(in); }},
};

constexpr JsonKey<In, model::LeftOutRun> kLeftOutKeys[] = {
    {"codes", kRequired, [](In& in, model::LeftOutRun& out) { out.codes = ReadTexts(in); }},
    {"run", kRequired, [](In& in, model::LeftOutRun& out) { ReadObject(in, kRunKeys, out.run); }},
    {"side", kRequired, [](In& in, model::LeftOutRun& out) { out.side = ReadSide(in); }},
};

constexpr JsonKey<In, model::Noise> kNoiseKeys[] = {
    {"all_splits", kRequired, [](In& in, model::Noise& out) { out.all_splits = in.json.Bool(); }},
    {"log_ratio", kRequired, [](In& in, model::Noise& out) { out.log_ratio = ReadLogRatio(in); }},
    {"splits", kRequired, [](In& in, model::Noise& out) { out.splits = ReadCount(in.json); }},
};

std::optional<model::Noise> ReadNoise(In& in) {
  if (in.json.TakeNull()) return std::nullopt;
  model::Noise noise;
  ReadObject(in, kNoiseKeys, noise);
  return noise;
}

constexpr JsonKey<In, model::RunRef> kRunRefKeys[] = {
    {"run", kRequired, [](In& in, model::RunRef& out) { out.run = ReadSize(in); }},
    {"side", kRequired, [](In& in, model::RunRef& out) { out.side = ReadSide(in); }},
};

struct Primary {
  MetricKey key;
  std::vector<model::RunRef> missing;
};

constexpr JsonKey<In, Primary> kPrimaryKeys[] = {
    {"domain", kRequired, [](In& in, Primary& out) { out.key.domain = in.json.String(); }},
    {"metric", kRequired,
     [](In& in, Primary& out) {
       out.key.metric = ReadWord(in, model::MetricName, model::kLastPrimaryMetric);
     }},
    {"missing", kRequired, [](In& in, Primary& out) { out.missing = ReadRows(in, kRunRefKeys); }},
    {"path", kRequired, [](In& in, Primary& out) { out.key.path = ReadTexts(in); }},
    {"style", kRequired, [](In& in, Primary& out) { out.key.style = ReadStyle(in); }},
};

Primary ReadPrimary(In& in) {
  Primary primary;
  ReadObject(in, kPrimaryKeys, primary);
  return primary;
}

template <typename Ns>
constexpr JsonKey<In, Observation<Ns>> kWithinRunKeys[] = {
    {"instances", kRequired, [](In& in, auto& out) { out.instances = ReadCount(in.json); }},
    {"maximum_ns", kRequired, [](In& in, auto& out) { out.maximum = {in.json.Int64()}; }},
    {"minimum_ns", kRequired, [](In& in, auto& out) { out.minimum = {in.json.Int64()}; }},
    {"stddev_ns", kRequired, [](In& in, auto& out) { out.stddev_ns = in.json.Double(); }},
};

template <typename Ns>
constexpr JsonKey<In, Observation<Ns>> kObservationKeys[] = {
    {"median_ns", kRequired, [](In& in, auto& out) { out.median_ns = in.json.Double(); }},
    {"within_run", kRequired,
     [](In& in, Observation<Ns>& out) { ReadObject(in, kWithinRunKeys<Ns>, out); }},
};

template <typename Ns>
std::vector<std::optional<Observation<Ns>>> ReadObservations(In& in) {
  std::vector<std::optional<Observation<Ns>>> observations;
  in.json.BeginList();
  while (in.json.NextItem()) {
    observations.emplace_back();
    if (!in.json.TakeNull()) ReadObject(in, kObservationKeys<Ns>, observations.back().emplace());
  }
  return observations;
}

constexpr JsonKey<In, model::LogInterval> kIntervalKeys[] = {
    {"coverage", kRequired,
     [](In& in, model::LogInterval& out) { out.coverage = in.json.Double(); }},
    {"high_log_ratio", kRequired,
     [](In& in, model::LogInterval& out) { out.high = ReadLogRatio(in); }},
    {"low_log_ratio", kRequired,
     [](In& in, model::LogInterval& out) { out.low = ReadLogRatio(in); }},
};

template <typename Ns>
constexpr JsonKey<In, MetricRow<Ns>> kRowKeys[] = {
    {"baseline", kRequired,
     [](In& in, MetricRow<Ns>& out) { out.baseline = ReadObservations<Ns>(in); }},
    {"candidate", kRequired,
     [](In& in, MetricRow<Ns>& out) { out.candidate = ReadObservations<Ns>(in); }},
    {"cliffs_delta", kRequired, [](In& in, auto& out) { out.cliffs_delta = OptionalDouble(in); }},
    {"domain", kRequired, [](In& in, auto& out) { out.domain = in.json.String(); }},
    {"instances_differ", kOptional,
     [](In& in, auto& out) { out.instances_differ = in.json.Bool(); }},
    {"interval", kRequired,
     [](In& in, auto& out) {
       if (!in.json.TakeNull()) ReadObject(in, kIntervalKeys, out.interval.emplace());
     }},
    {"leaf", kRequired, [](In& in, auto& out) { out.leaf = in.json.Bool(); }},
    {"log_ratio", kRequired, [](In& in, auto& out) { out.log_ratio = OptionalLogRatio(in); }},
    {"nested", kRequired, [](In& in, auto& out) { out.nested = in.json.Bool(); }},
    {"p", kRequired, [](In& in, auto& out) { out.p = OptionalDouble(in); }},
    {"p_is_exact", kRequired, [](In& in, auto& out) { out.p_is_exact = in.json.Bool(); }},
    {"path", kRequired, [](In& in, auto& out) { out.path = ReadTexts(in); }},
    {"primary", kRequired, [](In& in, auto& out) { out.primary = in.json.Bool(); }},
    {"q", kRequired, [](In& in, auto& out) { out.q = OptionalDouble(in); }},
    {"reason", kRequired, [](In& in, auto& out) { out.reason = ReadReason(in); }},
    {"shift_ns", kRequired, [](In& in, auto& out) { out.shift_ns = OptionalDouble(in); }},
    {"style", kRequired, [](In& in, auto& out) { out.style = ReadStyle(in); }},
    {"verdict", kRequired, [](In& in, auto& out) { out.verdict = ReadVerdict(in); }},
};

template <typename Ns>
constexpr JsonKey<In, MetricTable<Ns>> kTableKeys[] = {
    {"grouped", kRequired, [](In& in, auto& out) { out.grouped = in.json.Bool(); }},
    {"leaf_log_ratio", kRequired,
     [](In& in, auto& out) { out.leaf_log_ratio = OptionalLogRatio(in); }},
    {"leaves", kRequired, [](In& in, auto& out) { out.leaves = ReadSize(in); }},
    {"rows", kRequired,
     [](In& in, MetricTable<Ns>& out) { out.rows = ReadRows(in, kRowKeys<Ns>); }},
};

template <typename Ns>
void ReadTable(In& in, model::Metric metric, MetricTable<Ns>& table) {
  table.metric = metric;
  ReadObject(in, kTableKeys<Ns>, table);
}

constexpr JsonKey<In, Comparison> kTablesKeys[] = {
    {"exposed-communication", kOptional,
     [](In& in, Comparison& out) {
       ReadTable(in, model::Metric::kExposedCommunication, out.exposed_communication);
     }},
    {"gpu-busy", kOptional,
     [](In& in, Comparison& out) { ReadTable(in, model::Metric::kGpuBusy, out.gpu_busy); }},
    {"gpu-busy-iterations", kOptional,
     [](In& in, Comparison& out) {
       ReadTable(in, model::Metric::kGpuBusyIterations, out.gpu_busy_iterations);
     }},
    {"gpu-iterations", kRequired,
     [](In& in, Comparison& out) {
       ReadTable(in, model::Metric::kProjectedIterations, out.projected_iterations);
     }},
    {"gpu-kernels", kOptional,
     [](In& in, Comparison& out) { ReadTable(in, model::Metric::kGpuKernels, out.gpu_kernels); }},
    {"gpu-projection", kRequired,
     [](In& in, Comparison& out) { ReadTable(in, model::Metric::kProjected, out.projected); }},
    {"host-exclusive", kRequired,
     [](In& in, Comparison& out) {
       ReadTable(in, model::Metric::kHostExclusive, out.host_exclusive);
     }},
    {"host-inclusive", kRequired,
     [](In& in, Comparison& out) {
       ReadTable(in, model::Metric::kHostInclusive, out.host_inclusive);
     }},
    {"host-iterations", kRequired,
     [](In& in, Comparison& out) {
       ReadTable(in, model::Metric::kHostIterations, out.host_iterations);
     }},
    {"host-waits", kOptional,
     [](In& in, Comparison& out) { ReadTable(in, model::Metric::kHostWaits, out.host_waits); }},
};

constexpr JsonKey<In, model::MissingMetric> kMissingMetricKeys[] = {
    {"reason", kRequired, [](In& in, model::MissingMetric& out) { out.reason = in.json.String(); }},
    {"run", kRequired, [](In& in, model::MissingMetric& out) { out.run.run = ReadSize(in); }},
    {"side", kRequired, [](In& in, model::MissingMetric& out) { out.run.side = ReadSide(in); }},
};

constexpr JsonKey<In, model::GpuFamily> kGpuFamilyKeys[] = {
    {"can_pass", kRequired, [](In& in, model::GpuFamily& out) { out.can_pass = in.json.Bool(); }},
    {"metric", kRequired,
     [](In& in, model::GpuFamily& out) {
       out.metric = ReadWord(in, model::MetricName, model::Metric::kExposedCommunication);
     }},
    {"missing", kRequired,
     [](In& in, model::GpuFamily& out) { out.missing = ReadRows(in, kMissingMetricKeys); }},
    {"runs_needed", kRequired,
     [](In& in, model::GpuFamily& out) { out.runs_needed = ReadCount(in.json); }},
    {"size", kRequired, [](In& in, model::GpuFamily& out) { out.size = ReadSize(in); }},
};

constexpr JsonKey<In, MetricKey> kMetricKeyKeys[] = {
    {"domain", kRequired, [](In& in, MetricKey& out) { out.domain = in.json.String(); }},
    {"metric", kRequired,
     [](In& in, MetricKey& out) {
       out.metric = ReadWord(in, model::MetricName, model::Metric::kExposedCommunication);
     }},
    {"path", kRequired, [](In& in, MetricKey& out) { out.path = ReadTexts(in); }},
    {"style", kRequired, [](In& in, MetricKey& out) { out.style = ReadStyle(in); }},
};

// Its numbers stand in the tables.
constexpr JsonKey<In, model::GateRow> kGateRowKeys[] = {
    {"domain", kRequired, [](In& in, model::GateRow& out) { out.key.domain = in.json.String(); }},
    {"metric", kRequired,
     [](In& in, model::GateRow& out) {
       out.key.metric = ReadWord(in, model::MetricName, model::Metric::kExposedCommunication);
     }},
    {"path", kRequired, [](In& in, model::GateRow& out) { out.key.path = ReadTexts(in); }},
    {"reason", kRequired, [](In& in, model::GateRow& out) { out.reason = ReadReason(in); }},
    {"style", kRequired, [](In& in, model::GateRow& out) { out.key.style = ReadStyle(in); }},
    {"verdict", kRequired, [](In& in, model::GateRow& out) { out.verdict = ReadVerdict(in); }},
};

constexpr JsonKey<In, model::Gate> kGateKeys[] = {
    {"named_only", kRequired, [](In& in, model::Gate& out) { out.named_only = in.json.Bool(); }},
    {"on", kRequired, [](In& in, model::Gate& out) { out.on = ReadRows(in, kMetricKeyKeys); }},
    {"result", kRequired,
     [](In& in, model::Gate& out) {
       out.result = ReadWord(in, model::GateResultName, model::GateResult::kNotPassed);
     }},
    {"rows", kRequired, [](In& in, model::Gate& out) { out.rows = ReadRows(in, kGateRowKeys); }},
};

constexpr JsonKey<In, Comparison> kFamilyKeys[] = {
    {"can_pass", kRequired, [](In& in, Comparison& out) { out.family_can_pass = in.json.Bool(); }},
    {"runs_needed", kRequired,
     [](In& in, Comparison& out) { out.family_runs_needed = ReadCount(in.json); }},
    {"size", kRequired, [](In& in, Comparison& out) { out.family_size = ReadSize(in); }},
};

constexpr JsonKey<In, model::Floor> kFloorKeys[] = {
    {"absolute_ns", kRequired,
     [](In& in, model::Floor& out) { out.absolute_ns = in.json.Double(); }},
    {"relative_ratio", kRequired,
     [](In& in, model::Floor& out) { out.relative = in.json.Double(); }},
    {"source", kRequired,
     [](In& in, model::Floor& out) {
       out.source = ReadWord(in, model::FloorSourceName, model::FloorSource::kNonPositiveForNoise);
     }},
};

template <typename Document>
void ReadVersion(In& in, Document& /*out*/) {
  if (in.json.Int64() != kComparisonSchemaVersion)
    in.json.Refuse(Format("schema_version {} was expected", kComparisonSchemaVersion));
}

constexpr JsonKey<In, Comparison> kComparisonKeys[] = {
    {"alpha", kRequired, [](In& in, Comparison& out) { out.alpha = in.json.Double(); }},
    {"baseline", kRequired, [](In& in, Comparison& out) { out.baseline = ReadRows(in, kRunKeys); }},
    {"baseline_noise", kRequired,
     [](In& in, Comparison& out) { out.baseline_noise = ReadNoise(in); }},
    {"candidate", kRequired,
     [](In& in, Comparison& out) { out.candidate = ReadRows(in, kRunKeys); }},
    {"caveats", kRequired,
     [](In& in, Comparison& out) {
       in.json.BeginList();
       while (in.json.NextItem())
         out.caveats.push_back(ReadWord(in, model::CaveatName, model::Caveat::kInstancesDiffer));
     }},
    {"contract", kRequired,
     [](In& in, Comparison& out) { out.contract = ReadRows(in, kContractKeys); }},
    {"duplicates", kRequired,
     [](In& in, Comparison& out) { out.duplicates = ReadRows(in, kDuplicateKeys); }},
    {"family", kRequired, [](In& in, Comparison& out) { ReadObject(in, kFamilyKeys, out); }},
    {"floor", kRequired, [](In& in, Comparison& out) { ReadObject(in, kFloorKeys, out.floor); }},
    {"gate", kOptional,
     [](In& in, Comparison& out) {
       if (!in.json.TakeNull()) ReadObject(in, kGateKeys, out.gate.emplace());
     }},
    {"gpu_families", kOptional,
     [](In& in, Comparison& out) { out.gpu_families = ReadRows(in, kGpuFamilyKeys); }},
    {"left_out", kRequired,
     [](In& in, Comparison& out) { out.left_out = ReadRows(in, kLeftOutKeys); }},
    {"primary", kRequired,
     [](In& in, Comparison& out) {
       Primary primary = ReadPrimary(in);
       out.primary = std::move(primary.key);
       out.primary_missing = std::move(primary.missing);
     }},
    {"reason", kRequired, [](In& in, Comparison& out) { out.reason = ReadReason(in); }},
    {"redaction", kOptional,
     [](In& in, Comparison& out) { out.redaction = ReadRedaction(in.json); }},
    {"runs_needed", kRequired,
     [](In& in, Comparison& out) { out.runs_needed = ReadCount(in.json); }},
    {"schema_version", kRequired, ReadVersion<Comparison>},
    {"tables", kRequired, [](In& in, Comparison& out) { ReadObject(in, kTablesKeys, out); }},
    {"verdict", kRequired, [](In& in, Comparison& out) { out.verdict = ReadVerdict(in); }},
};

constexpr JsonKey<In, NoiseReport> kNoiseReportKeys[] = {
    {"contract", kRequired,
     [](In& in, NoiseReport& out) { out.contract = ReadRows(in, kContractKeys); }},
    {"duplicates", kRequired,
     [](In& in, NoiseReport& out) { out.duplicates = ReadRows(in, kDuplicateKeys); }},
    {"left_out", kRequired,
     [](In& in, NoiseReport& out) { out.left_out = ReadRows(in, kLeftOutKeys); }},
    {"noise", kRequired, [](In& in, NoiseReport& out) { out.noise = ReadNoise(in); }},
    {"primary", kRequired, [](In& in, NoiseReport& out) { out.primary = ReadPrimary(in).key; }},
    {"reason", kRequired, [](In& in, NoiseReport& out) { out.reason = ReadReason(in); }},
    {"redaction", kOptional,
     [](In& in, NoiseReport& out) { out.redaction = ReadRedaction(in.json); }},
    {"runs", kRequired, [](In& in, NoiseReport& out) { out.runs = ReadRows(in, kRunKeys); }},
    {"schema_version", kRequired, ReadVersion<NoiseReport>},
    {"values_ns", kRequired,
     [](In& in, NoiseReport& out) {
       in.json.BeginList();
       while (in.json.NextItem()) out.values.push_back(in.json.Double());
     }},
};

template <typename Document, size_t kCount>
Result<ComparisonFile> ReadDocument(std::string_view text, std::string file_name,
                                    const JsonKey<In, Document> (&keys)[kCount]) {
  format::JsonReader json(format::BytesOf(text), std::move(file_name), Code::kNotAnAnalysis);
  In in{json};
  Document document;
  ReadObject(in, keys, document);
  Status read = json.Finish();
  if (!read.ok()) return NoDocument(std::move(read).error());
  return ComparisonFile(std::move(document));
}

}  // namespace

std::optional<std::string> ReadKind(format::ByteSource source) {
  format::JsonReader json(std::move(source), "", Code::kNotAnAnalysis);
  if (json.Peek() != format::JsonKind::kObject) return std::nullopt;
  json.BeginObject();
  std::string_view key;
  while (json.NextKey(key)) {
    if (key == "kind" && json.Peek() == format::JsonKind::kString)
      return std::string(json.String());
    if (key == kFirstKeyOfAnalysis) return std::nullopt;
    json.Skip();
  }
  return std::nullopt;
}

Result<ComparisonFile> ReadComparison(std::string_view text, std::string file_name) {
  if (ReadKind(format::BytesOf(text)) == kNoiseKind)
    return ReadDocument(text, std::move(file_name), kNoiseReportKeys);
  return ReadDocument(text, std::move(file_name), kComparisonKeys);
}

}  // namespace rangewise::artifact
