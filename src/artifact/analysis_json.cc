#include "artifact/analysis_json.h"

#include "artifact/analysis_parts.h"
#include "artifact/findings_json.h"
#include "artifact/gpu_work_json.h"
#include "artifact/json_pieces.h"
#include "artifact/ranges_json.h"
#include "base/interrupt.h"
#include "format/json.h"

namespace rangewise::artifact {

namespace {

using format::JsonWriter;

void CaptureGpuWork(JsonWriter& json, const model::AnalysisDocument& document) {
  const model::NamePool& names = document.tables.names;
  json.BeginObject();
  json.Key("kernels");
  if (document.analysis.kernels) {
    json.BeginList();
    for (const model::KernelTotal& kernel : *document.analysis.kernels) {
      WriteKernel(json, kernel, names);
    }
    json.EndList();
  } else {
    json.Null();
  }
  json.Key("memory_transfers");
  if (document.analysis.copies) {
    json.BeginList();
    for (const model::CopyTotal& copy : *document.analysis.copies) WriteCopy(json, copy, names);
    json.EndList();
  } else {
    json.Null();
  }
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
  WriteCoverage(json, document.coverage);
  json.Key("findings");
  WriteFindings(json, analysis.findings);
  WriteRanges(json, document);
  if (InterruptSignal() != 0) return;
  json.Key("iteration_summary");
  WriteIterationSummary(json, analysis.iteration_summary);
  json.Key("iterations");
  json.BeginList();
  for (const model::Iteration& iteration : analysis.iterations) {
    if (InterruptSignal() != 0) return;
    WriteIteration(json, iteration);
  }
  json.EndList();
  json.Key("provenance");
  WriteProvenance(json, document.provenance, RANGEWISE_VERSION);
  WriteRangeGpuWork(json, document);
  if (InterruptSignal() != 0) return;
  json.Key("run");
  WriteRun(json, document.manifest, document.harness);
  Number(json, "schema_version", int64_t{kAnalysisSchemaVersion});
  json.Key("warnings");
  WriteWarnings(json, document.warnings);
  json.EndObject();
  json.Finish();
}

}  // namespace rangewise::artifact
