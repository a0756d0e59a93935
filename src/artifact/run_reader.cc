#include "artifact/run_reader.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "artifact/json_object.h"
#include "base/text.h"

namespace rangewise::artifact {

namespace {

using model::AnalysisFile;
using model::Manifest;
using model::NameRule;
using model::Provenance;

ValueMap ReadMapping(AnalysisIn& in) {
  if (in.json.Peek() != format::JsonKind::kObject) {
    in.json.Refuse("an object was expected");
    return {};
  }
  Value value = in.json.Any();
  if (!in.json.ok()) return {};
  return std::get<ValueMap>(std::move(value.data));
}

std::optional<ValueMap> ReadOptionalMapping(AnalysisIn& in) {
  if (in.json.TakeNull()) return std::nullopt;
  return ReadMapping(in);
}

std::map<std::string, std::string> ReadTexts(AnalysisIn& in) {
  std::map<std::string, std::string> texts;
  std::string_view key;
  in.json.BeginObject();
  while (in.json.NextKey(key)) {
    std::string name(key);
    if (!texts.try_emplace(std::move(name), in.json.String()).second) {
      in.json.Refuse("the key stands here twice");
    }
  }
  return texts;
}

constexpr JsonKey<AnalysisIn, NameRule> kRuleKeys[] = {
    {"pattern", Presence::kRequired,
     [](AnalysisIn& in, NameRule& rule) { rule.pattern = in.json.String(); }},
    {"replace", Presence::kRequired,
     [](AnalysisIn& in, NameRule& rule) { rule.replace = in.json.String(); }},
};

constexpr JsonKey<AnalysisIn, model::GpuClassRule> kClassKeys[] = {
    {"class", Presence::kRequired,
     [](AnalysisIn& in, model::GpuClassRule& rule) { rule.gpu_class = in.json.String(); }},
    {"pattern", Presence::kRequired,
     [](AnalysisIn& in, model::GpuClassRule& rule) { rule.pattern = in.json.String(); }},
};

constexpr JsonKey<AnalysisIn, Manifest> kRunKeys[] = {
    {"capture_range", Presence::kRequired,
     [](AnalysisIn& in, Manifest& out) {
       out.capture_range = ReadOptionalText(in.json);
       out.capture_range_given = true;
     }},
    {"cuda", Presence::kRequired,
     [](AnalysisIn& in, Manifest& out) { out.cuda = ReadMapping(in); }},
    {"data_source", Presence::kOptional,
     [](AnalysisIn& in, Manifest& out) { out.data_source = ReadOptionalMapping(in); }},
    {"device", Presence::kRequired,
     [](AnalysisIn& in, Manifest& out) { out.device = ReadOptionalText(in.json); }},
    {"git_commit", Presence::kRequired,
     [](AnalysisIn& in, Manifest& out) { out.git_commit = ReadOptionalText(in.json); }},
    {"gpu_classes", Presence::kOptional,
     [](AnalysisIn& in, Manifest& out) {
       in.json.BeginList();
       while (in.json.NextItem()) ReadObject(in, kClassKeys, out.gpu_classes.emplace_back());
     }},
    {"iteration_pattern", Presence::kOptional,
     [](AnalysisIn& in, Manifest& out) { out.iteration_pattern = ReadOptionalText(in.json); }},
    {"name_rules", Presence::kOptional,
     [](AnalysisIn& in, Manifest& out) {
       in.json.BeginList();
       while (in.json.NextItem()) ReadObject(in, kRuleKeys, out.name_rules.emplace_back());
     }},
    {"profile_name", Presence::kRequired,
     [](AnalysisIn& in, Manifest& out) { out.profile_name = ReadOptionalText(in.json); }},
    {"record_count", Presence::kRequired,
     [](AnalysisIn& in, Manifest& out) { out.record_count = ReadCount(in.json); }},
    {"record_ids_digest", Presence::kOptional,
     [](AnalysisIn& in, Manifest& out) { out.record_ids_digest = ReadOptionalText(in.json); }},
    {"run_id", Presence::kRequired,
     [](AnalysisIn& in, Manifest& out) { out.run_id = ReadOptionalText(in.json); }},
    {"started_at", Presence::kOptional,
     [](AnalysisIn& in, Manifest& out) { out.started_at = ReadOptionalText(in.json); }},
    {"target", Presence::kOptional,
     [](AnalysisIn& in, Manifest& out) { out.target = ReadOptionalMapping(in); }},
    {"workload", Presence::kRequired,
     [](AnalysisIn& in, Manifest& out) { out.workload = ReadMapping(in); }},
};

constexpr JsonKey<AnalysisIn, Fingerprint> kFingerprintKeys[] = {
    {"size_bytes", Presence::kRequired,
     [](AnalysisIn& in, Fingerprint& out) { out.size_bytes = in.json.Uint64(); }},
    {"xxh3_128", Presence::kRequired,
     [](AnalysisIn& in, Fingerprint& out) { out.xxh3_128 = in.json.String(); }},
};

void ReadFingerprints(AnalysisIn& in, Provenance& out) {
  std::string_view key;
  in.json.BeginObject();
  while (in.json.NextKey(key)) {
    const auto [entry, is_new] = out.inputs.try_emplace(std::string(key));
    if (!is_new) return in.json.Refuse("the key stands here twice");
    ReadObject(in, kFingerprintKeys, entry->second);
  }
}

constexpr JsonKey<AnalysisIn, Provenance> kInputKeys[] = {
    {"files", Presence::kRequired, ReadFingerprints},
    {"options", Presence::kOptional,
     [](AnalysisIn& in, Provenance& out) { out.options = ReadTexts(in); }},
};

void ReadSource(AnalysisIn& in, Provenance& out) {
  const std::string_view name = in.json.String();
  for (const model::ReportSource source :
       {model::ReportSource::kNsys, model::ReportSource::kCsv, model::ReportSource::kSqlite}) {
    if (name != model::ReportSourceName(source)) continue;
    out.source = source;
    in.file.has_report_source = true;
    return;
  }
  in.json.Refuse(Format("{} is no source of report tables", Quoted(name)));
}

constexpr JsonKey<AnalysisIn, AnalysisFile> kToolKeys[] = {
    {"version", Presence::kOptional,
     [](AnalysisIn& in, AnalysisFile& out) { out.tool_version = ReadOptionalText(in.json); }},
};

constexpr JsonKey<AnalysisIn, Provenance> kProvenanceKeys[] = {
    {"inputs", Presence::kOptional,
     [](AnalysisIn& in, Provenance& out) { ReadObject(in, kInputKeys, out); }},
    {"manifest_path", Presence::kRequired,
     [](AnalysisIn& in, Provenance& out) { out.manifest_path = ReadOptionalText(in.json); }},
    {"nsys_version", Presence::kRequired,
     [](AnalysisIn& in, Provenance& out) { out.nsys_version = ReadOptionalText(in.json); }},
    {"report_source", Presence::kOptional, ReadSource},
    {"reports", Presence::kRequired,
     [](AnalysisIn& in, Provenance& out) { out.reports = ReadTexts(in); }},
    {"tool", Presence::kOptional,
     [](AnalysisIn& in, Provenance& /*out*/) { ReadObject(in, kToolKeys, in.file); }},
    {"trace_path", Presence::kRequired,
     [](AnalysisIn& in, Provenance& out) { out.trace_path = ReadOptionalText(in.json); }},
};

}  // namespace

void ReadRun(AnalysisIn& in) {
  Manifest& manifest = in.file.document.manifest;
  ReadObject(in, kRunKeys, manifest);
  const auto iterations = manifest.workload.find("iterations");
  if (iterations != manifest.workload.end()) {
    if (const auto* count = std::get_if<Integer>(&iterations->second.data)) {
      manifest.expected_iterations = ParseInt64(count->digits);
    }
  }
  in.file.document.harness = {.capture_range = manifest.capture_range,
                              .iteration_pattern = manifest.iteration_pattern,
                              .expected_iterations = manifest.expected_iterations};
}

void ReadProvenance(AnalysisIn& in) {
  ReadObject(in, kProvenanceKeys, in.file.document.provenance);
}

}  // namespace rangewise::artifact
