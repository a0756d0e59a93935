#include "artifact/gpu_json.h"

#include <string>
#include <vector>

#include "artifact/analysis_parts.h"
#include "artifact/findings_json.h"
#include "artifact/gpu_work_json.h"
#include "artifact/json_pieces.h"
#include "format/json.h"

namespace rangewise::artifact {

namespace {

using format::JsonWriter;
using model::GpuBy;

void Kernels(JsonWriter& json, const model::GpuView& view) {
  const model::AnalysisDocument& document = view.file.document;
  if (!document.analysis.kernels) return json.Null();
  json.BeginList();
  for (const uint32_t row : view.rows.rows) {
    WriteKernel(json, (*document.analysis.kernels)[row], document.tables.names);
  }
  json.EndList();
}

// The rows that `by` speaks of; null where they are not known.
void Rows(JsonWriter& json, const model::GpuView& view) {
  const model::AnalysisDocument& document = view.file.document;
  if (view.by == GpuBy::kKernel) return Kernels(json, view);
  if (!document.analysis.gpu_work) return json.Null();
  const model::RangeGpuWork& work = *document.analysis.gpu_work;
  switch (view.by) {
    case GpuBy::kIteration:
      return WriteGpuWorkIterations(json, document, view.rows.rows);
    case GpuBy::kDevice:
      json.BeginList();
      for (const uint32_t row : view.rows.rows) WriteGpuDevice(json, work.devices[row]);
      return json.EndList();
    case GpuBy::kStream: {
      const auto streams = model::StreamsOf(work);
      json.BeginList();
      for (const uint32_t row : view.rows.rows) {
        WriteGpuStream(json, *streams[row].second, streams[row].first);
      }
      return json.EndList();
    }
    default:
      return WriteGpuWorkPaths(json, document, view.rows.rows);
  }
}

}  // namespace

void WriteGpuJson(const model::GpuView& view, Output& out) {
  const model::AnalysisDocument& document = view.file.document;
  const model::Analysis& analysis = document.analysis;
  JsonWriter json(out);
  const auto of_work = [&](const char* key, auto write) {
    json.Key(key);
    if (analysis.gpu_work) {
      write(json, document);
    } else {
      json.Null();
    }
  };
  json.BeginObject();
  OptionalText(json, "analysis_path", view.analysis_path);
  json.Key("by");
  json.String(model::GpuByName(view.by));
  of_work("devices", WriteGpuWorkDevices);
  TextList(json, "filters", view.filters);
  json.Key("findings");
  WriteFindings(json, view.file);
  of_work("gaps", WriteGpuGaps);
  Number(json, "gpu_version", int64_t{1});
  json.Key("grouped");
  json.Bool(analysis.gpu_work && model::ShownGpuPaths(document).grouped);
  of_work("null_reasons", WriteGpuWorkNullReasons);
  json.Key("overlapping_operation_count");
  if (analysis.gpu_work) {
    json.Integer(analysis.gpu_work->overlapping_operations);
  } else {
    json.Null();
  }
  json.Key("provenance");
  WriteProvenance(json, document.provenance, view.file.tool_version);
  WriteGpuWorkReason(json, analysis);
  json.Key("rows");
  Rows(json, view);
  Number(json, "rows_total", static_cast<int64_t>(view.rows.total));
  json.Key("run");
  WriteRun(json, document.manifest, document.harness);
  json.Key("sort");
  json.String(model::GpuSortKeyName(view.sort));
  of_work("unattributed", WriteUnattributedGpuWork);
  json.Key("warnings");
  WriteWarnings(json, document.warnings);
  json.EndObject();
  json.Finish();
}

}  // namespace rangewise::artifact
