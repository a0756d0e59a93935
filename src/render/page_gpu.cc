#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "model/gpu_view.h"
#include "model/page_names.h"
#include "render/gpu_sections.h"
#include "render/html.h"
#include "render/page_sections.h"

namespace rangewise::render {
namespace {

using model::CallClass;
using model::GpuWork;

constexpr std::string_view kNoCalls = "no CUDA calls in the export";
constexpr std::string_view kGraphsHide = "whole graphs ran, or may have: their inside is unknown";
constexpr std::string_view kOrder = "by busy time";

std::vector<PageColumn> WorkColumns(PageColumn first) {
  return {first,
          {"busy", CellKind::kNs, Term::kBusy},
          {"busy share", CellKind::kRatio, Term::kBusyShare},
          {"kernels summed", CellKind::kNs, Term::kKernelsSummed},
          {"copies summed", CellKind::kNs, Term::kCopiesSummed},
          {"sets summed", CellKind::kNs, Term::kSetsSummed},
          {"own summed", CellKind::kNs, Term::kOwnSummed},
          {"GPU ops", CellKind::kCount, Term::kOperations},
          {"launches", CellKind::kCount, Term::kLaunches},
          {"comm. exposed", CellKind::kNs, Term::kExposedCommunication}};
}

std::vector<std::string> WorkCells(const GpuWork& work, std::string first) {
  return {std::move(first),
          work.busy ? NsCell(work.busy->ns) : MissingCell(kGraphsHide),
          ShareCell(work.BusyShare(), kNothingProjected),
          NsCell(work.total.kernels.total.ns),
          NsCell(work.total.copies.sum.total.ns),
          NsCell(work.total.sets.sum.total.ns),
          NsCell(model::SummedDurations(work.own)),
          CountCell(work.total.operations),
          CountCell(work.launches),
          work.busy ? NsCell(model::ExposedCommunication(work)) : MissingCell(kGraphsHide)};
}

std::vector<PageColumn> WaitColumns() {
  return {{"range", CellKind::kName, Term::kName},
          {"host waits", CellKind::kNs, Term::kHostWaits},
          {"own waits", CellKind::kNs, Term::kOwnWaits},
          {"launching", CellKind::kNs, Term::kLaunching},
          {"memory", CellKind::kNs, Term::kMemoryCalls},
          {"other", CellKind::kNs, Term::kOtherCalls},
          {"synchronisations", CellKind::kCount, Term::kSynchronisations},
          {"delay median", CellKind::kNs, Term::kDelay},
          {"delay p95", CellKind::kNs, Term::kDelayP95},
          {"delay maximum", CellKind::kNs, Term::kDelayMaximum},
          {"began in call", CellKind::kCount, Term::kBeganInCall}};
}

std::string CallCell(const std::optional<model::CallTimes>& calls, CallClass of_class) {
  if (!calls) return MissingCell(kNoCalls);
  return NsCell((*calls)[static_cast<size_t>(of_class)].total.ns);
}

std::vector<std::string> WaitCells(const GpuWork& work, std::string_view name) {
  std::vector<std::string> cells = {NameCell(name),
                                    CallCell(work.calls, CallClass::kSynchronising),
                                    CallCell(work.own_calls, CallClass::kSynchronising),
                                    CallCell(work.calls, CallClass::kLaunching),
                                    CallCell(work.calls, CallClass::kMemory),
                                    CallCell(work.calls, CallClass::kOther)};
  if (work.synchronisations) {
    int64_t instances = 0;
    for (const model::SyncSum& sum : *work.synchronisations) instances += sum.instances;
    cells.push_back(CountCell(instances));
  } else {
    cells.push_back(MissingCell("the export has no synchronisations"));
  }
  if (work.queue_delay && work.queue_delay->statistics) {
    const model::Statistics<QueueNs>& delay = *work.queue_delay->statistics;
    cells.push_back(MedianCell(delay));
    cells.push_back(NsCell(delay.p95_ns, kNotInThisFile));
    cells.push_back(NsCell(delay.maximum.ns));
  } else {
    cells.insert(cells.end(), 3, MissingCell("no operation began after its launching call"));
  }
  cells.push_back(work.queue_delay ? CountCell(work.queue_delay->started_during_call)
                                   : MissingCell("the launching calls are not known"));
  return cells;
}

// Rows of paths, made by `cells_of(work, shown name)`.
template <typename CellsOf>
std::string PathsTable(PageTable table, const model::RowSelection& selection,
                       const std::vector<model::PathGpuWork>& rows,
                       const std::vector<model::PathNode>& paths, const model::NamePool& names,
                       CellsOf cells_of) {
  for (const uint32_t row : selection.rows) {
    if (!table.AddRow(cells_of(rows[row].work, model::ShownPath(paths, names, rows[row].path))))
      break;
  }
  return table.Close(selection.total, kOrder);
}

// The table of grouped ranges, where there are any, and that of all, whose id is `id`.
template <typename CellsOf>
std::string PathsTables(const model::RunPage& page, TablesRoom& room, const std::string& id,
                        const std::string& label, const std::vector<PageColumn>& columns,
                        CellsOf cells_of) {
  const model::AnalysisDocument& document = page.document();
  const model::Analysis& analysis = document.analysis;
  const model::RangeGpuWork& work = *analysis.gpu_work;
  std::string html;
  if (analysis.grouped && work.grouped_paths) {
    html += PathsTable(PageTable(room, "grouped-" + id, label + ", grouped by name", columns),
                       page.grouped_gpu_paths, *work.grouped_paths, analysis.grouped->paths,
                       analysis.grouped->names, cells_of);
  }
  if (work.paths.empty()) return html + "<p>No range has GPU work or CUDA calls.</p>\n";
  return html + PathsTable(PageTable(room, id, label, columns), page.gpu_paths, work.paths,
                           analysis.paths, document.tables.names, cells_of);
}

std::string WhyNoWork(const model::Analysis& analysis) {
  const std::string& reason = analysis.no_gpu_work;
  return Format("<p>Not known: {}.</p>\n",
                reason.empty() ? "no reason is given" : HtmlText(reason));
}

std::string NumberOrMissing(int64_t number) {
  return number == model::kNullInteger ? MissingCell("the export does not say")
                                       : NumberCell(number);
}

std::string IterationsTable(const model::RunPage& page, TablesRoom& room) {
  const model::RangeGpuWork& work = *page.document().analysis.gpu_work;
  if (work.iterations.empty()) return "";
  PageTable table(room, "gpu-iterations", "GPU work of iterations",
                  WorkColumns({"iteration", CellKind::kCount, Term::kIteration}));
  for (const model::IterationGpuWork& iteration : work.iterations) {
    if (!table.AddRow(WorkCells(iteration.work, NumberCell(iteration.index)))) break;
  }
  return table.Close(work.iterations.size(), "in their order");
}

std::string DevicesTable(const model::RangeGpuWork& work, TablesRoom& room) {
  PageTable table(room, "devices", "Devices and their streams",
                  {{"device", CellKind::kCount, Term::kDevice},
                   {"stream", CellKind::kCount, Term::kDevice},
                   {"busy", CellKind::kNs, Term::kBusy},
                   {"kernels summed", CellKind::kNs, Term::kKernelsSummed},
                   {"copies summed", CellKind::kNs, Term::kCopiesSummed},
                   {"sets summed", CellKind::kNs, Term::kSetsSummed},
                   {"GPU ops", CellKind::kCount, Term::kOperations},
                   {"name", CellKind::kName, Term::kDevice}});
  size_t rows = 0;
  const auto add = [&](int64_t device, std::string stream, const model::AdditiveWork& sums,
                       GpuNs busy, std::string_view name) {
    ++rows;
    table.AddRow({NumberOrMissing(device), std::move(stream), NsCell(busy.ns),
                  NsCell(sums.kernels.total.ns), NsCell(sums.copies.sum.total.ns),
                  NsCell(sums.sets.sum.total.ns), CountCell(sums.operations), NameCell(name)});
  };
  for (const model::DeviceTotal& device : work.devices) {
    add(device.device, "<td>all streams</td>", device.work, device.busy,
        device.name.empty() ? std::string(kNotKnown) : model::ShownName(device.name));
    for (const model::StreamWork& stream : device.streams)
      add(device.device, NumberOrMissing(stream.stream), stream.work, stream.busy, "");
  }
  if (rows == 0) return "<p>No device has GPU work.</p>\n";
  return table.Close(rows, "by number");
}

std::string UnattributedText(const model::RangeGpuWork& work) {
  const auto text = [](const model::OperationSum& sum, const char* which) {
    return Format("{} ({} summed) {}", Counted(sum.instances, "operation", "operations"),
                  DurationOfNs(sum.total.ns), which);
  };
  std::string html = HtmlOf(Paragraph{
      Format("No range can claim {}, and {}.",
             text(work.unattributed.without_call, "whose launching call was not recorded"),
             text(work.unattributed.outside_ranges, "whose launching call lies in no range"))});
  if (!work.null_reasons.empty()) {
    Items items;
    for (const auto& [section, reason] : work.null_reasons)
      items.items.push_back({section, reason});
    html += "<p>Not known:</p>\n" + HtmlOf(items);
  }
  return html;
}

}  // namespace

std::string GpuRangesTables(const model::RunPage& page, TablesRoom& room) {
  const model::Analysis& analysis = page.document().analysis;
  constexpr std::string_view kId = "tables-gpu-ranges";
  constexpr std::string_view kTitle = "GPU work of ranges";
  if (!analysis.gpu_work) return HtmlSection(kId, kTitle, WhyNoWork(analysis));
  const model::RangeGpuWork& work = *analysis.gpu_work;
  std::string html =
      "<p>Busy is the time in which at least one operation ran, on any device: the length of a "
      "union, so busy times of a range and of those inside it do not add up. Summed durations "
      "count "
      "each operation, also those that ran at the same time.</p>\n";
  const auto cells = [](const GpuWork& of, std::string_view name) {
    return WorkCells(of, NameCell(name));
  };
  html += PathsTables(page, room, "gpu-ranges", std::string(kTitle),
                      WorkColumns({"range", CellKind::kName, Term::kName}), cells);
  html += IterationsTable(page, room) + DevicesTable(work, room) + UnattributedText(work);
  return HtmlSection(kId, kTitle, html);
}

std::string WaitsTables(const model::RunPage& page, TablesRoom& room) {
  const model::Analysis& analysis = page.document().analysis;
  constexpr std::string_view kId = "tables-waits";
  constexpr std::string_view kTitle = "Host time in CUDA calls, and queue delay";
  if (!analysis.gpu_work) return HtmlSection(kId, kTitle, WhyNoWork(analysis));
  const model::RangeGpuWork& work = *analysis.gpu_work;
  if (work.paths.empty())
    return HtmlSection(kId, kTitle, "<p>No range has GPU work or CUDA calls.</p>\n");
  std::string html =
      "<p>Host time in the CUDA calls that the range holds whole; of calls inside each other the "
      "outermost counts. The delay is from the end of the launching call to the start of the "
      "operation, on both clocks.</p>\n";
  html += PathsTables(page, room, "waits", "Waits of ranges", WaitColumns(), WaitCells);
  return HtmlSection(kId, kTitle, html);
}

}  // namespace rangewise::render
