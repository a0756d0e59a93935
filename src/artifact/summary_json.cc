#include "artifact/summary_json.h"

#include <string_view>

#include "artifact/analysis_parts.h"
#include "artifact/findings_json.h"
#include "artifact/json_pieces.h"
#include "artifact/path_json.h"
#include "artifact/ranges_json.h"
#include "artifact/redaction_json.h"
#include "format/json.h"

namespace rangewise::artifact {

namespace {

using format::JsonWriter;

// {"rows": …, "rows_total": …}; `write` writes the list.
template <typename Write>
void Rows(JsonWriter& json, std::string_view key, const model::RowSelection& selection,
          Write write) {
  json.Key(key);
  json.BeginObject();
  json.Key("rows");
  write();
  Number(json, "rows_total", static_cast<int64_t>(selection.total));
  json.EndObject();
}

// The same of single rows; null where the list is not known.
template <typename List, typename WriteRow>
void RowsOf(JsonWriter& json, std::string_view key, const model::RowSelection& selection,
            const List* list, WriteRow write_row) {
  if (list == nullptr) {
    json.Key(key);
    return json.Null();
  }
  Rows(json, key, selection, [&] {
    json.BeginList();
    for (const uint32_t row : selection.rows) write_row((*list)[row]);
    json.EndList();
  });
}

void CaptureGpuWork(JsonWriter& json, const model::Summary& summary) {
  const model::AnalysisDocument& document = summary.file.document;
  const model::Analysis& analysis = document.analysis;
  const model::NamePool& names = document.tables.names;
  json.BeginObject();
  RowsOf(json, "kernels", summary.kernels, analysis.kernels ? &*analysis.kernels : nullptr,
         [&](const model::KernelTotal& kernel) { WriteKernel(json, kernel, names); });
  RowsOf(json, "memory_transfers", summary.copies, analysis.copies ? &*analysis.copies : nullptr,
         [&](const model::CopyTotal& copy) { WriteCopy(json, copy, names); });
  json.EndObject();
}

void Tree(JsonWriter& json, const model::Summary& summary) {
  const model::ShownRanges ranges(summary.file.document);
  PathReader paths(ranges.paths, ranges.names);
  json.BeginObject();
  Number(json, "min_share_ratio", summary.tree->min_share);
  json.Key("rows");
  json.BeginList();
  for (const model::TreeRow& row : summary.tree->rows) {
    json.BeginObject();
    Number(json, "depth", int64_t{row.depth});
    Number(json, "folded_paths", static_cast<int64_t>(row.folded));
    Number(json, "instances", row.instances);
    json.Key("kind");
    json.String(row.folded > 0 ? "folded" : row.is_iterations ? "iterations" : "path");
    json.Key("path");
    if (row.path == model::kRootPath) {
      json.Null();
    } else {
      paths.ReadPath(row.path);
      paths.WriteSteps(json);
    }
    Number(json, "self_and_below_ns", row.self_and_below.ns);
    json.Key("self_ns");
    if (row.has_row) {
      json.Integer(row.self.ns);
    } else {
      json.Null();
    }
    Number(json, "share_ratio", row.share);
    json.EndObject();
  }
  json.EndList();
  Number(json, "total_self_ns", summary.tree->total_self.ns);
  json.EndObject();
}

}  // namespace

void WriteSummaryJson(const model::Summary& summary, Output& out) {
  const model::AnalysisDocument& document = summary.file.document;
  const model::Analysis& analysis = document.analysis;
  JsonWriter json(out);
  json.BeginObject();
  OptionalText(json, "analysis_path", summary.analysis_path);
  json.Key("capture_gpu_work");
  CaptureGpuWork(json, summary);
  json.Key("coverage");
  WriteCoverage(json, document.coverage);
  TextList(json, "filters", summary.filters);
  json.Key("findings");
  WriteFindings(json, summary.file);
  Rows(json, "gpu_projected_ranges", summary.projected,
       [&] { WriteProjectedRows(json, document, summary.projected.rows); });
  json.Key("grouped");
  json.Bool(analysis.grouped.has_value());
  Rows(json, "host_ranges", summary.host,
       [&] { WriteHostRows(json, document, summary.host.rows); });
  if (!summary.sort) {
    Rows(json, "host_ranges_by_exclusive", summary.host_by_exclusive,
         [&] { WriteHostRows(json, document, summary.host_by_exclusive.rows); });
  }
  json.Key("iteration_summary");
  WriteIterationSummary(json, analysis.iteration_summary);
  RowsOf(json, "iterations", summary.iterations, &analysis.iterations,
         [&](const model::Iteration& iteration) { WriteIteration(json, iteration); });
  json.Key("provenance");
  WriteProvenance(json, document.provenance, summary.file.tool_version);
  if (summary.tree) {
    json.Key("range_tree");
    Tree(json, summary);
  }
  WriteRedaction(json, document.redaction);
  json.Key("run");
  WriteRun(json, document.manifest, document.harness);
  json.Key("sort");
  json.String(model::SortKeyName(summary.sort.value_or(model::SortKey::kTotal)));
  Number(json, "summary_version", int64_t{1});
  json.Key("warnings");
  WriteWarnings(json, document.warnings);
  json.EndObject();
  json.Finish();
}

}  // namespace rangewise::artifact
