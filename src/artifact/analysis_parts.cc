#include "artifact/analysis_parts.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "artifact/json_pieces.h"
#include "base/text.h"

namespace rangewise::artifact {

namespace {

using format::JsonWriter;

// Every function here writes keys in sorted order; JsonWriter checks that in debug builds.

void Mapping(JsonWriter& json, std::string_view key, const ValueMap& map) {
  json.Key(key);
  json.Any({map});
}

void OptionalMapping(JsonWriter& json, std::string_view key, const std::optional<ValueMap>& map) {
  if (map) return Mapping(json, key, *map);
  json.Key(key);
  json.Null();
}

void Texts(JsonWriter& json, std::string_view key,
           const std::map<std::string, std::string>& texts) {
  json.Key(key);
  json.BeginObject();
  for (const auto& [name, text] : texts) {
    json.Key(name);
    json.String(text);
  }
  json.EndObject();
}

void Share(JsonWriter& json, const char* key, const model::Coverage& coverage, uint64_t part) {
  json.Key(key);
  json.BeginObject();
  Number(json, "operations", static_cast<int64_t>(part));
  Number(json, "share_ratio", coverage.Share(part));
  json.EndObject();
}

void Kind(JsonWriter& json, std::string_view key, model::NameId name,
          const model::NamePool& names) {
  const std::string_view text = name == model::kNoName ? "" : names.At(name);
  OptionalText(json, key, text.empty() ? std::nullopt : std::optional(text));
}

}  // namespace

void WriteKernel(JsonWriter& json, const model::KernelTotal& kernel, const model::NamePool& names) {
  json.BeginObject();
  Number(json, "cumulative_duration_ns", kernel.duration_ns);
  Number(json, "instances", kernel.instances);
  json.Key("name");
  json.String(names.At(kernel.name));
  json.EndObject();
}

void WriteCopy(JsonWriter& json, const model::CopyTotal& copy, const model::NamePool& names) {
  json.BeginObject();
  Number(json, "cumulative_duration_ns", copy.duration_ns);
  Kind(json, "destination_memory_kind", copy.destination, names);
  Number(json, "instances", copy.instances);
  Kind(json, "source_memory_kind", copy.source, names);
  Number(json, "total_bytes", copy.bytes);
  json.EndObject();
}

void WriteIteration(JsonWriter& json, const model::Iteration& iteration) {
  json.BeginObject();
  json.Key("gpu_projection");
  if (iteration.projection) {
    json.BeginObject();
    Number(json, "gpu_operation_count", iteration.projection->operations);
    Number(json, "host_range_total_ns", iteration.projection->host_range_total.ns);
    Number(json, "projected_ns", iteration.projection->projected.ns);
    json.EndObject();
  } else {
    json.Null();
  }
  json.Key("host");
  if (iteration.host) {
    json.BeginObject();
    Number(json, "child_total_ns", iteration.host->children.ns);
    Number(json, "exclusive_ns", iteration.host->exclusive.ns);
    Number(json, "inclusive_ns", iteration.host->inclusive.ns);
    json.EndObject();
  } else {
    json.Null();
  }
  Number(json, "index", iteration.index);
  json.EndObject();
}

void WriteIterationSummary(JsonWriter& json, const model::IterationSummary& summary) {
  json.BeginObject();
  OptionalStatistics(json, "gpu_projected", summary.projected);
  Number(json, "gpu_projected_iterations", summary.projected_iterations);
  OptionalStatistics(json, "host_exclusive", summary.host_exclusive);
  OptionalStatistics(json, "host_inclusive", summary.host_inclusive);
  Number(json, "host_iterations", summary.host_iterations);
  Number(json, "iterations", summary.iterations);
  json.EndObject();
}

void WriteCoverage(JsonWriter& json, const std::optional<model::Coverage>& coverage) {
  if (!coverage) return json.Null();
  json.BeginObject();
  Number(json, "gpu_operations", static_cast<int64_t>(coverage->gpu_operations));
  if (coverage->in_capture_range) {
    Share(json, "in_capture_range", *coverage, *coverage->in_capture_range);
  } else {
    json.Key("in_capture_range");
    json.Null();
  }
  Share(json, "in_ranges", *coverage, coverage->in_ranges);
  json.Key("open_ranges_in_capture");
  if (coverage->open_ranges_in_capture) {
    json.Integer(static_cast<int64_t>(*coverage->open_ranges_in_capture));
  } else {
    json.Null();
  }
  Share(json, "with_api_call", *coverage, coverage->with_api_call);
  json.EndObject();
}

void WriteProvenance(JsonWriter& json, const model::Provenance& provenance,
                     std::optional<std::string_view> version) {
  json.BeginObject();
  json.Key("inputs");
  json.BeginObject();
  json.Key("files");
  json.BeginObject();
  for (const auto& [name, fingerprint] : provenance.inputs) {
    json.Key(name);
    json.BeginObject();
    json.Key("size_bytes");
    json.Digits(Format("{}", fingerprint.size_bytes));
    json.Key("xxh3_128");
    json.String(fingerprint.xxh3_128);
    json.EndObject();
  }
  json.EndObject();
  Texts(json, "options", provenance.options);
  json.EndObject();
  OptionalText(json, "manifest_path", provenance.manifest_path);
  OptionalText(json, "nsys_version", provenance.nsys_version);
  json.Key("report_source");
  json.String(model::ReportSourceName(provenance.source));
  Texts(json, "reports", provenance.reports);
  json.Key("tool");
  json.BeginObject();
  json.Key("name");
  json.String("rangewise");
  OptionalText(json, "version", version);
  json.EndObject();
  OptionalText(json, "trace_path", provenance.trace_path);
  json.EndObject();
}

// The capture range and the iterations' pattern are those that the analysis used, whoever gave
// them.
void WriteRun(JsonWriter& json, const model::Manifest& manifest, const model::Harness& harness) {
  json.BeginObject();
  OptionalText(json, "capture_range", harness.capture_range);
  Mapping(json, "cuda", manifest.cuda);
  OptionalMapping(json, "data_source", manifest.data_source);
  OptionalText(json, "device", manifest.device);
  OptionalText(json, "git_commit", manifest.git_commit);
  json.Key("gpu_classes");
  json.BeginList();
  for (const model::GpuClassRule& rule : manifest.gpu_classes) {
    json.BeginObject();
    json.Key("class");
    json.String(rule.gpu_class);
    json.Key("pattern");
    json.String(rule.pattern);
    json.EndObject();
  }
  json.EndList();
  OptionalText(json, "iteration_pattern", harness.iteration_pattern);
  json.Key("name_rules");
  json.BeginList();
  for (const model::NameRule& rule : manifest.name_rules) {
    json.BeginObject();
    json.Key("pattern");
    json.String(rule.pattern);
    json.Key("replace");
    json.String(rule.replace);
    json.EndObject();
  }
  json.EndList();
  OptionalText(json, "profile_name", manifest.profile_name);
  Number(json, "record_count", manifest.record_count);
  OptionalText(json, "record_ids_digest", manifest.record_ids_digest);
  OptionalText(json, "run_id", manifest.run_id);
  OptionalText(json, "started_at", manifest.started_at);
  OptionalMapping(json, "target", manifest.target);
  Mapping(json, "workload", manifest.workload);
  json.EndObject();
}

void WriteWarnings(JsonWriter& json, std::span<const Warning> warnings) {
  json.BeginList();
  for (const Warning& warning : warnings) json.String(warning.Text());
  json.EndList();
}

}  // namespace rangewise::artifact
