#include "artifact/ranges_json.h"

#include <vector>

#include "artifact/json_pieces.h"
#include "artifact/path_json.h"
#include "base/interrupt.h"

namespace rangewise::artifact {

namespace {

using format::JsonWriter;

// What a grouped row stands for; nothing of a raw one. The keys come between others in sorted
// order, so the pieces of a row are given by the callers.
void Collapsed(JsonWriter& json, const model::Collapsed* raw, PathReader& raw_paths) {
  if (raw == nullptr) return;
  Number(json, "distinct_names", raw->distinct_names);
  json.Key("examples");
  json.BeginList();
  for (const model::ScopePath path : raw->examples) {
    raw_paths.ReadPath(path);
    raw_paths.WriteSteps(json);
  }
  json.EndList();
}

void Row(JsonWriter& json, const model::ProjectedGroup& group, PathReader& paths,
                  const model::Collapsed* raw, PathReader& raw_paths) {
  json.BeginObject();
  Collapsed(json, raw, raw_paths);
  if (raw == nullptr) paths.WriteDomain(json, group.path);
  paths.ReadPath(group.path);
  Number(json, "gpu_operation_count", group.operations);
  Number(json, "host_total_ns", group.host_total.ns);
  Number(json, "instances", group.instances);
  paths.WriteName(json);
  paths.WritePath(json);
  Statistics(json, "projected", group.projected);
  json.Key("style");
  json.String(model::StyleName(group.style));
  json.EndObject();
}

void Row(JsonWriter& json, const model::HostGroup& group, PathReader& paths,
             const model::Collapsed* raw, PathReader& raw_paths) {
  json.BeginObject();
  Number(json, "child_total_ns", group.child_total.ns);
  Collapsed(json, raw, raw_paths);
  if (raw == nullptr) paths.WriteDomain(json, group.path);
  paths.ReadPath(group.path);
  Statistics(json, "exclusive", group.exclusive);
  Statistics(json, "inclusive", group.inclusive);
  Number(json, "instances", group.instances);
  paths.WriteName(json);
  paths.WritePath(json);
  json.EndObject();
}

void GroupedRanges(JsonWriter& json, const model::GroupedRanges& grouped, PathReader& raw_paths) {
  PathReader paths(grouped.paths, grouped.names);
  json.Key("grouped_gpu_projected_ranges");
  json.BeginList();
  for (const model::GroupedProjectedRange& row : grouped.projected) {
    if (InterruptSignal() != 0) return;
    Row(json, row.group, paths, &row.raw, raw_paths);
  }
  json.EndList();
  json.Key("grouped_host_ranges");
  json.BeginList();
  for (const model::GroupedHostRange& row : grouped.host) {
    if (InterruptSignal() != 0) return;
    Row(json, row.group, paths, &row.raw, raw_paths);
  }
  json.EndList();
}

// The rows of numbers `rows` as a list: grouped ones where names were grouped, else raw ones.
template <typename Raw, typename Grouped>
void SelectedRows(JsonWriter& json, const model::AnalysisDocument& document,
                  const std::vector<Raw>& raw, std::vector<Grouped> model::GroupedRanges::*grouped,
                  std::span<const uint32_t> rows) {
  const model::Analysis& analysis = document.analysis;
  PathReader raw_paths(analysis.paths, document.tables.names);
  json.BeginList();
  if (analysis.grouped) {
    PathReader paths(analysis.grouped->paths, analysis.grouped->names);
    for (const uint32_t row : rows) {
      const Grouped& range = ((*analysis.grouped).*grouped)[row];
      Row(json, range.group, paths, &range.raw, raw_paths);
    }
  } else {
    for (const uint32_t row : rows) Row(json, raw[row], raw_paths, nullptr, raw_paths);
  }
  json.EndList();
}

}  // namespace

void WriteRanges(JsonWriter& json, const model::AnalysisDocument& document) {
  const model::Analysis& analysis = document.analysis;
  PathReader paths(analysis.paths, document.tables.names);
  json.Key("gpu_projected_ranges");
  json.BeginList();
  for (const model::ProjectedGroup& group : analysis.projected_groups) {
    if (InterruptSignal() != 0) return;
    Row(json, group, paths, nullptr, paths);
  }
  json.EndList();
  if (analysis.grouped) GroupedRanges(json, *analysis.grouped, paths);
  if (InterruptSignal() != 0) return;
  json.Key("host_ranges");
  json.BeginList();
  for (const model::HostGroup& group : analysis.host_groups) {
    if (InterruptSignal() != 0) return;
    Row(json, group, paths, nullptr, paths);
  }
  json.EndList();
}

void WriteHostRows(JsonWriter& json, const model::AnalysisDocument& document,
                   std::span<const uint32_t> rows) {
  SelectedRows(json, document, document.analysis.host_groups, &model::GroupedRanges::host, rows);
}

void WriteProjectedRows(JsonWriter& json, const model::AnalysisDocument& document,
                        std::span<const uint32_t> rows) {
  SelectedRows(json, document, document.analysis.projected_groups,
               &model::GroupedRanges::projected, rows);
}

}  // namespace rangewise::artifact
