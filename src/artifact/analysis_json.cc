#include "artifact/analysis_json.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artifact/findings_json.h"
#include "artifact/json_pieces.h"
#include "artifact/ranges_json.h"
#include "base/text.h"
#include "format/json.h"

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

void CaptureGpuWork(JsonWriter& json, const model::AnalysisDocument& document) {
  const model::NamePool& names = document.tables.names;
  json.BeginObject();
  json.Key("kernels");
  if (document.analysis.kernels) {
    json.BeginList();
    for (const model::KernelTotal& kernel : *document.analysis.kernels) {
      json.BeginObject();
      Number(json, "cumulative_duration_ns", kernel.duration_ns);
      Number(json, "instances", kernel.instances);
      json.Key("name");
      json.String(names.At(kernel.name));
      json.EndObject();
    }
    json.EndList();
  } else {
    json.Null();
  }

  json.Key("memory_transfers");
  if (document.analysis.copies) {
    const auto kind = [&](std::string_view key, model::NameId name) {
      json.Key(key);
      const std::string_view text = name == model::kNoName ? "" : names.At(name);
      if (text.empty()) {
        json.Null();
      } else {
        json.String(text);
      }
    };
    json.BeginList();
    for (const model::CopyTotal& copy : *document.analysis.copies) {
      json.BeginObject();
      Number(json, "cumulative_duration_ns", copy.duration_ns);
      kind("destination_memory_kind", copy.destination);
      Number(json, "instances", copy.instances);
      kind("source_memory_kind", copy.source);
      Number(json, "total_bytes", copy.bytes);
      json.EndObject();
    }
    json.EndList();
  } else {
    json.Null();
  }
  json.EndObject();
}

void IterationSummary(JsonWriter& json, const model::IterationSummary& summary) {
  json.BeginObject();
  OptionalStatistics(json, "gpu_projected", summary.projected);
  Number(json, "gpu_projected_iterations", summary.projected_iterations);
  OptionalStatistics(json, "host_exclusive", summary.host_exclusive);
  OptionalStatistics(json, "host_inclusive", summary.host_inclusive);
  Number(json, "host_iterations", summary.host_iterations);
  Number(json, "iterations", summary.iterations);
  json.EndObject();
}

void Iterations(JsonWriter& json, const std::vector<model::Iteration>& iterations) {
  json.BeginList();
  for (const model::Iteration& iteration : iterations) {
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
  json.EndList();
}

void Share(JsonWriter& json, const char* key, const model::Coverage& coverage, uint64_t part) {
  json.Key(key);
  json.BeginObject();
  Number(json, "operations", static_cast<int64_t>(part));
  json.Key("share_ratio");
  if (const auto share = coverage.Share(part)) {
    json.Double(*share);
  } else {
    json.Null();
  }
  json.EndObject();
}

void Coverage(JsonWriter& json, const std::optional<model::Coverage>& coverage) {
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
  Share(json, "with_api_call", *coverage, coverage->with_api_call);
  json.EndObject();
}

void Provenance(JsonWriter& json, const model::Provenance& provenance) {
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
  json.Key("version");
  json.String(RANGEWISE_VERSION);
  json.EndObject();
  OptionalText(json, "trace_path", provenance.trace_path);
  json.EndObject();
}

// The capture range and the iterations' pattern are those that the analysis used, whoever gave
// them.
void Run(JsonWriter& json, const model::Manifest& manifest, const model::Harness& harness) {
  json.BeginObject();
  OptionalText(json, "capture_range", harness.capture_range);
  Mapping(json, "cuda", manifest.cuda);
  OptionalMapping(json, "data_source", manifest.data_source);
  OptionalText(json, "device", manifest.device);
  OptionalText(json, "git_commit", manifest.git_commit);
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

}  // namespace

void WriteAnalysisJson(const model::AnalysisDocument& document, Output& out) {
  const model::Analysis& analysis = document.analysis;
  JsonWriter json(out);
  json.BeginObject();
  json.Key("capture_gpu_work");
  CaptureGpuWork(json, document);
  json.Key("coverage");
  Coverage(json, document.coverage);
  json.Key("findings");
  WriteFindings(json, analysis.findings);
  WriteRanges(json, document);
  json.Key("iteration_summary");
  IterationSummary(json, analysis.iteration_summary);
  json.Key("iterations");
  Iterations(json, analysis.iterations);
  json.Key("provenance");
  Provenance(json, document.provenance);
  json.Key("run");
  Run(json, document.manifest, document.harness);
  Number(json, "schema_version", int64_t{kAnalysisSchemaVersion});
  json.Key("warnings");
  json.BeginList();
  for (const Warning& warning : document.warnings) json.String(warning.Text());
  json.EndList();
  json.EndObject();
  json.Finish();
}

}  // namespace rangewise::artifact
