#include "render/gpu_report.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "render/gpu_sections.h"
#include "render/summary_sections.h"

namespace rangewise::render {

namespace {

using model::GpuBy;

Section RunSection(const model::GpuView& view) {
  const model::AnalysisDocument& document = view.file.document;
  Facts facts;
  const auto add = [&](const char* label, const std::optional<std::string>& value) {
    if (value) facts.facts.push_back({label, *value, true});
  };
  add("run", document.manifest.run_id);
  add("device", document.manifest.device);
  add("Nsight Systems", document.provenance.nsys_version);
  add("capture range", document.harness.capture_range);
  for (const std::string& filter : view.filters) add("filter", filter);
  add("analysis", view.analysis_path ? *view.analysis_path : "read from standard input");
  Section section{.title = "Run", .blocks = {std::move(facts)}};
  if (!view.filters.empty()) {
    section.blocks.push_back(
        Paragraph{"The filters choose the ranges that paths are made of. Iterations, devices, "
                  "streams, kernels, idle times and warnings are those of the whole run."});
  }
  return section;
}

GpuRows PathRows(const model::GpuView& view) {
  const model::ShownGpuPaths shown(view.file.document);
  GpuRows rows{.rows = {}, .header = shown.grouped ? "ranges, grouped by name" : "ranges"};
  for (const uint32_t row : view.rows.rows) {
    rows.rows.push_back({model::JoinedNames(shown.paths, shown.names, shown.rows[row].path),
                         &shown.rows[row].work});
  }
  return rows;
}

GpuRows IterationRows(const model::GpuView& view) {
  GpuRows rows{.rows = {}, .header = "iteration", .are_names = false};
  for (const uint32_t row : view.rows.rows) {
    const model::IterationGpuWork& iteration =
        view.file.document.analysis.gpu_work->iterations[row];
    rows.rows.push_back({Format("{}", iteration.index), &iteration.work});
  }
  return rows;
}

// What is said of paths and iterations alike.
void AddRangeSections(Report& report, const model::GpuView& view, const GpuRows& rows,
                      TimeUnit unit) {
  if (rows.rows.empty()) {
    report.sections.push_back(
        {.title = "GPU work",
         .blocks = {Paragraph{rows.are_names ? "No range has GPU work or CUDA calls."
                                             : "No iteration was found."}}});
    return;
  }
  report.sections.push_back(GpuWorkSection(view, rows, unit));
  report.sections.push_back(GpuWaitsSection(rows, unit));
  Section graphs = GpuGraphsSection(view, rows, unit);
  if (view.by != GpuBy::kOverview) {
    report.sections.push_back(GpuOverlapSection(rows, unit));
    report.sections.push_back(GpuCopiesSection(view, rows, unit));
    report.sections.push_back(GpuKernelsSection(view, rows, unit));
  }
  if (!graphs.title.empty()) report.sections.push_back(std::move(graphs));
}

Section UnattributedSection(const model::RangeGpuWork& work, TimeUnit unit) {
  ReportTable table{.columns = {{"GPU ops"}, {"summed"}, {"which", Align::kLeft}}};
  const auto add = [&](const model::OperationSum& sum, const char* which) {
    table.rows.push_back({Grouped(sum.instances), DurationIn(sum.total.ns, unit), which});
  };
  add(work.unattributed.without_call, "their launching call was not recorded");
  add(work.unattributed.outside_ranges, "their launching call lies in no range");
  Section section{.title = "GPU work that no range can claim", .blocks = {std::move(table)}};
  if (work.overlapping_operations > 0) {
    section.blocks.push_back(Paragraph{Format(
        "{} in ranges that overlap without one holding the other: there, what is a path's own and "
        "the totals of its children do not add up to its total.",
        Counted(work.overlapping_operations, "operation lies", "operations lie"))});
  }
  return section;
}

bool IsAboutGpuWork(const model::Finding& finding) {
  return finding.code == Code::kGpuIdleInIterations ||
         finding.code == Code::kHostWaitsInSynchronisation ||
         finding.code == Code::kLaunchCallsDominate;
}

Section GpuFindingsSection(const model::GpuView& view) {
  Items items;
  for (const model::Finding& finding : view.file.document.analysis.findings) {
    if (!IsAboutGpuWork(finding)) continue;
    std::string lead(finding.Word());
    if (!finding.computed) lead += " (not computed)";
    items.items.push_back({std::move(lead), finding.sentence});
  }
  if (items.items.empty()) {
    return {.title = "Findings", .blocks = {Paragraph{"None about GPU work and waits."}}};
  }
  return {.title = "Findings", .blocks = {std::move(items)}};
}

void AddNullReasons(Report& report, const model::RangeGpuWork& work) {
  if (work.null_reasons.empty()) return;
  Items items;
  for (const auto& [section, reason] : work.null_reasons) items.items.push_back({section, reason});
  report.sections.push_back({.title = "Not known", .blocks = {std::move(items)}});
}

}  // namespace

Report MakeGpuReport(const model::GpuView& view, TimeUnit unit) {
  const model::AnalysisDocument& document = view.file.document;
  Report report;
  report.title = document.manifest.run_id ? Format("GPU work of run {}", *document.manifest.run_id)
                                          : std::string("GPU work of a run without a run_id");
  report.sections.push_back(RunSection(view));
  report.sections.push_back(WarningsSection(document.warnings));
  if (view.by == GpuBy::kKernel) {
    report.sections.push_back(AllKernelsSection(view, unit));
    return report;
  }
  if (!document.analysis.gpu_work) {
    const std::string& reason = document.analysis.no_gpu_work;
    report.sections.push_back(
        {.title = "GPU work per range: not known",
         .blocks = {Paragraph{reason.empty() ? "No reason is given." : Format("{}.", reason)}}});
    return report;
  }
  const model::RangeGpuWork& work = *document.analysis.gpu_work;
  switch (view.by) {
    case GpuBy::kOverview:
      AddRangeSections(report, view, PathRows(view), unit);
      report.sections.push_back(AllDevicesSection(work, unit));
      report.sections.push_back(CaptureGapsSection(view, unit));
      report.sections.push_back(UnattributedSection(work, unit));
      report.sections.push_back(GpuFindingsSection(view));
      break;
    case GpuBy::kPath:
      AddRangeSections(report, view, PathRows(view), unit);
      break;
    case GpuBy::kIteration:
      AddRangeSections(report, view, IterationRows(view), unit);
      report.sections.push_back(IterationGapsSection(view, unit));
      break;
    case GpuBy::kDevice:
      report.sections.push_back(DevicesSection(view, unit));
      report.sections.push_back(CaptureGapsSection(view, unit));
      break;
    case GpuBy::kStream:
      report.sections.push_back(StreamsSection(view, unit));
      break;
    case GpuBy::kKernel:
      break;
  }
  AddNullReasons(report, work);
  return report;
}

}  // namespace rangewise::render
