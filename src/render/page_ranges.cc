#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "model/page_names.h"
#include "render/html.h"
#include "render/page_sections.h"
#include "render/phrases.h"

namespace rangewise::render {
namespace {

void AddMiddleColumns(std::vector<PageColumn>& columns) {
  columns.push_back({"mean", CellKind::kNs, Term::kMean});
  columns.push_back({"median", CellKind::kNs, Term::kMedian});
  columns.push_back({"p95", CellKind::kNs, Term::kP95});
  columns.push_back({"minimum", CellKind::kNs, Term::kMinimum});
  columns.push_back({"maximum", CellKind::kNs, Term::kMaximum});
  columns.push_back({"std. dev.", CellKind::kNs, Term::kDeviation});
}

template <typename Ns>
void AddMiddleCells(std::vector<std::string>& cells, const model::Statistics<Ns>& values,
                    int64_t instances) {
  cells.push_back(NsCell(values.mean_ns));
  cells.push_back(MedianCell(values));
  cells.push_back(NsCell(values.p95_ns, kNotInThisFile));
  cells.push_back(NsCell(values.minimum.ns));
  cells.push_back(NsCell(values.maximum.ns));
  cells.push_back(instances == 1 ? MissingCell(kNoNumberOfOne) : NsCell(values.stddev_ns));
}

std::vector<std::string> HostCells(const model::HostGroup& group, std::string_view name) {
  std::vector<std::string> cells = {NameCell(name), NsCell(group.exclusive.total.ns),
                                    NsCell(group.inclusive.total.ns), CountCell(group.instances)};
  AddMiddleCells(cells, group.inclusive, group.instances);
  return cells;
}

std::vector<std::string> ProjectedCells(const model::ProjectedGroup& group, std::string_view name) {
  std::vector<std::string> cells = {NameCell(name), TextCell(model::StyleName(group.style)),
                                    NsCell(group.projected.total.ns), CountCell(group.operations),
                                    CountCell(group.instances)};
  AddMiddleCells(cells, group.projected, group.instances);
  return cells;
}

std::vector<PageColumn> HostColumns(bool grouped) {
  std::vector<PageColumn> columns = {{"host range", CellKind::kName, Term::kName},
                                     {"exclusive", CellKind::kNs, Term::kHostExclusive},
                                     {"inclusive", CellKind::kNs, Term::kHostInclusive},
                                     {"ranges", CellKind::kCount, Term::kInstances}};
  AddMiddleColumns(columns);
  if (grouped) columns.push_back({"names", CellKind::kCount, Term::kNames});
  return columns;
}

std::vector<PageColumn> ProjectedColumns(bool grouped) {
  std::vector<PageColumn> columns = {{"projected range", CellKind::kName, Term::kName},
                                     {"style", CellKind::kText, Term::kStyle},
                                     {"projected", CellKind::kNs, Term::kProjectedTotal},
                                     {"GPU ops", CellKind::kCount, Term::kOperations},
                                     {"ranges", CellKind::kCount, Term::kInstances}};
  AddMiddleColumns(columns);
  if (grouped) columns.push_back({"names", CellKind::kCount, Term::kNames});
  return columns;
}

constexpr std::string_view kHostOrder =
    "by exclusive total; mean to std. dev. are of inclusive time";
constexpr std::string_view kProjectedOrder = "by projected total";

}  // namespace

std::string ScopeSections(const model::RunPage& page) {
  const model::Analysis& analysis = page.document().analysis;
  std::string host = "<p>No host range outside of iterations.</p>\n";
  if (!analysis.host_groups.empty()) {
    host =
        Figure("scopes", "Exclusive host time by scope path",
               "Each block is a scope path, as wide as the exclusive host time of the path and of "
               "all below it; blocks below it are the ranges nested in it. Only exclusive times "
               "add up. The same numbers are in the tables of host ranges.");
  }
  std::string gpu = "<p>No GPU projection and no GPU work of ranges is known.</p>\n";
  if (!analysis.projected_groups.empty() || analysis.gpu_work) {
    gpu = Figure("gpu-scopes", "GPU projection and busy share by scope path",
                 "Each path's GPU projection, and which share of it the GPU was busy. Projections "
                 "and busy times of a path and of those below it overlap, so none are stacked. The "
                 "same numbers are in the tables of GPU projections and GPU work.");
  }
  return HtmlSection("scopes", "Where host time goes", host) +
         HtmlSection("gpu-scopes", "GPU work by range", gpu);
}

std::string HostRangesTables(const model::RunPage& page, TablesRoom& room) {
  const model::AnalysisDocument& document = page.document();
  const model::Analysis& analysis = document.analysis;
  if (analysis.host_groups.empty()) {
    return HtmlSection("tables-host-ranges", "Host ranges", "<p>None outside of iterations.</p>\n");
  }
  std::string html =
      "<p>Exclusive time is host time outside of nested ranges: where the CPU’s time goes, range "
      "by "
      "range. Inclusive time contains nested ranges; do not add a parent and its child.</p>\n";
  if (analysis.grouped) {
    const model::GroupedRanges& grouped = *analysis.grouped;
    PageTable table(room, "grouped-host-ranges", "Host ranges, grouped by name", HostColumns(true));
    for (const uint32_t row : page.grouped_host.rows) {
      const model::GroupedHostRange& range = grouped.host[row];
      std::vector<std::string> cells =
          HostCells(range.group, model::ShownPath(grouped.paths, grouped.names, range.group.path));
      cells.push_back(CountCell(range.raw.distinct_names));
      if (!table.AddRow(cells)) break;
    }
    html += table.Close(page.grouped_host.total, kHostOrder);
  }
  PageTable table(room, "host-ranges", "Host ranges", HostColumns(false));
  for (const uint32_t row : page.host.rows) {
    const model::HostGroup& group = analysis.host_groups[row];
    if (!table.AddRow(HostCells(
            group, model::ShownPath(analysis.paths, document.tables.names, group.path)))) {
      break;
    }
  }
  html += table.Close(page.host.total, kHostOrder);
  return HtmlSection("tables-host-ranges", "Host ranges", html);
}

std::string ProjectionTables(const model::RunPage& page, TablesRoom& room) {
  const model::AnalysisDocument& document = page.document();
  const model::Analysis& analysis = document.analysis;
  if (analysis.projected_groups.empty()) {
    return HtmlSection("tables-gpu-projection", "GPU projection of ranges",
                       analysis.iteration_summary.projected
                           ? "<p>Not measured outside of iterations.</p>\n"
                           : "<p>Not measured: no range launched GPU work, or none was "
                             "recorded.</p>\n");
  }
  std::string html =
      "<p>A projection spans the first to the last GPU operation that was launched inside the "
      "range, "
      "gaps included: it is not busy time, and those of a parent and its child overlap.</p>\n";
  if (analysis.grouped) {
    const model::GroupedRanges& grouped = *analysis.grouped;
    PageTable table(room, "grouped-gpu-projection", "GPU projection of ranges, grouped by name",
                    ProjectedColumns(true));
    for (const uint32_t row : page.grouped_projected.rows) {
      const model::GroupedProjectedRange& range = grouped.projected[row];
      std::vector<std::string> cells = ProjectedCells(
          range.group, model::ShownPath(grouped.paths, grouped.names, range.group.path));
      cells.push_back(CountCell(range.raw.distinct_names));
      if (!table.AddRow(cells)) break;
    }
    html += table.Close(page.grouped_projected.total, kProjectedOrder);
  }
  PageTable table(room, "gpu-projection", "GPU projection of ranges", ProjectedColumns(false));
  for (const uint32_t row : page.projected.rows) {
    const model::ProjectedGroup& group = analysis.projected_groups[row];
    if (!table.AddRow(ProjectedCells(
            group, model::ShownPath(analysis.paths, document.tables.names, group.path)))) {
      break;
    }
  }
  html += table.Close(page.projected.total, kProjectedOrder);
  return HtmlSection("tables-gpu-projection", "GPU projection of ranges", html);
}

}  // namespace rangewise::render
