#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "model/gpu_view.h"
#include "model/page_names.h"
#include "render/html.h"
#include "render/page_sections.h"
#include "render/phrases.h"
#include "render/units.h"

namespace rangewise::render {
namespace {

constexpr std::string_view kNotSaid = "the export does not say";

std::string DeviceCell(int64_t device) {
  return device == model::kNullInteger ? MissingCell(kNotSaid) : NumberCell(device);
}

std::string KindCell(const model::NamePool& names, model::NameId kind) {
  const std::string_view text = kind == model::kNoName ? std::string_view() : names.At(kind);
  return text.empty() ? MissingCell(kNotSaid) : NameCell(model::ShownName(text));
}

std::optional<double> Quotient(int64_t part, Int128 whole) {
  if (whole <= 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

// The window's name: that of the capture range, or an iteration.
void AddIdleRows(PageTable& table, const model::IdleWindow& window, size_t& rows) {
  const std::string name =
      window.iteration ? Format("iteration {}", *window.iteration) : std::string("capture range");
  for (const model::DeviceIdle& device : window.devices) {
    ++rows;
    std::vector<std::string> cells = {
        TextCell(name),
        NsCell(window.length_ns),
        DeviceCell(device.device),
        NsCell(device.idle.ns),
        ShareCell(Quotient(device.idle.ns, window.length_ns), "the window has no length"),
        CountCell(device.gaps),
        CountCell(device.long_gaps),
        NsCell(device.idle_in_long_gaps.ns)};
    if (device.gap_lengths) {
      cells.push_back(MedianCell(*device.gap_lengths));
      cells.push_back(NsCell(device.gap_lengths->p95_ns, kNotInThisFile));
      cells.push_back(NsCell(device.gap_lengths->maximum.ns));
    } else {
      cells.insert(cells.end(), 3, MissingCell("there is no gap"));
    }
    table.AddRow(cells);
  }
}

// Names of a range at a gap, outermost first.
std::string GapRange(const model::NamePool& names, const std::vector<model::NameId>& range) {
  model::RangePath path;
  for (const model::NameId name : range) path.emplace_back(names.At(name));
  return model::ShownRangePath(path);
}

std::string LargestGaps(const model::RunPage& page, const model::IdleWindow& window,
                        TablesRoom& room) {
  const model::NamePool& names = page.document().tables.names;
  PageTable table(room, "largest-gaps", "Largest idle times in the capture range",
                  {{"gap", CellKind::kNs, Term::kGapLength},
                   {"begins after", CellKind::kNs, Term::kGapStart},
                   {"device", CellKind::kCount, Term::kDevice},
                   {"of it", CellKind::kRatio, Term::kGapFilling},
                   {"mostly in", CellKind::kName, Term::kGapFilling},
                   {"CUDA call", CellKind::kName, Term::kGapCall},
                   {"began in", CellKind::kName, Term::kGapRange}});
  constexpr std::string_view kNothingFills = "that thread was in no range, or it was not asked";
  size_t rows = 0;
  for (const model::DeviceIdle& device : window.devices) {
    for (const model::IdleGap& gap : device.largest) {
      ++rows;
      table.AddRow({NsCell(gap.length.ns), NsCell(gap.start_ns), DeviceCell(device.device),
                    ShareCell(gap.FillingShare(), kNothingFills),
                    gap.filling ? NameCell(GapRange(names, gap.filling->range))
                                : MissingCell(kNothingFills),
                    gap.call.empty() ? MissingCell("that thread was in no CUDA call")
                                     : NameCell(model::ShownName(gap.call)),
                    gap.host_range.empty() ? MissingCell("that thread was in no range")
                                           : NameCell(GapRange(names, gap.host_range))});
    }
  }
  return rows == 0 ? "" : table.Close(rows, "by device, then length");
}

}  // namespace

std::string KernelsTables(const model::RunPage& page, TablesRoom& room) {
  const model::Analysis& analysis = page.document().analysis;
  constexpr std::string_view kId = "tables-kernels";
  constexpr std::string_view kTitle = "Kernels of the whole capture";
  if (!analysis.kernels)
    return HtmlSection(kId, kTitle, "<p>Not known; the table of kernels is not there.</p>\n");
  if (analysis.kernels->empty()) return HtmlSection(kId, kTitle, "<p>None.</p>\n");
  Int128 total = 0;
  for (const model::KernelTotal& kernel : *analysis.kernels) total += kernel.duration_ns;
  PageTable table(room, "kernels", "Kernels",
                  {{"kernel", CellKind::kName, Term::kName},
                   {"run time", CellKind::kNs, Term::kKernelTime},
                   {"share", CellKind::kRatio, Term::kKernelShare},
                   {"launches", CellKind::kCount, Term::kLaunches}});
  for (const model::KernelTotal& kernel : *analysis.kernels) {
    if (!table.AddRow({NameCell(model::ShownName(page.document().tables.names.At(kernel.name))),
                       NsCell(kernel.duration_ns),
                       ShareCell(Quotient(kernel.duration_ns, total), "kernels took no time"),
                       CountCell(kernel.instances)})) {
      break;
    }
  }
  return HtmlSection(kId, kTitle,
                     "<p>Run times are summed over launches, which can overlap. They belong to the "
                     "capture as a whole and to no stage of it.</p>\n" +
                         table.Close(analysis.kernels->size(), "by run time"));
}

std::string CopiesTables(const model::RunPage& page, TablesRoom& room) {
  const model::Analysis& analysis = page.document().analysis;
  const model::NamePool& names = page.document().tables.names;
  constexpr std::string_view kId = "tables-copies";
  constexpr std::string_view kTitle = "Copies of the whole capture";
  if (!analysis.copies)
    return HtmlSection(kId, kTitle,
                       "<p>Not known; the trace of GPU operations is not there.</p>\n");
  if (analysis.copies->empty()) return HtmlSection(kId, kTitle, "<p>None.</p>\n");
  PageTable table(room, "copies", "Copies by kind of memory",
                  {{"from", CellKind::kName, Term::kMemoryKind},
                   {"to", CellKind::kName, Term::kMemoryKind},
                   {"copy time", CellKind::kNs, Term::kCopyTime},
                   {"copies", CellKind::kCount, Term::kOperations},
                   {"bytes", CellKind::kBytes, Term::kBytes},
                   {"bytes/s", CellKind::kRate, Term::kThroughput}});
  for (const model::CopyTotal& copy : *analysis.copies) {
    const std::optional<double> rate = copy.duration_ns > 0
                                           ? std::optional(static_cast<double>(copy.bytes) * 1e9 /
                                                           static_cast<double>(copy.duration_ns))
                                           : std::nullopt;
    if (!table.AddRow({KindCell(names, copy.source), KindCell(names, copy.destination),
                       NsCell(copy.duration_ns), CountCell(copy.instances), BytesCell(copy.bytes),
                       RateCell(rate, "the copies took no time")})) {
      break;
    }
  }
  return HtmlSection(
      kId, kTitle,
      "<p>Copies, too, belong to the capture as a whole and to no stage of it.</p>\n" +
          table.Close(analysis.copies->size(), "by copy time"));
}

std::string GapsTables(const model::RunPage& page, TablesRoom& room) {
  const model::Analysis& analysis = page.document().analysis;
  constexpr std::string_view kId = "tables-gaps";
  constexpr std::string_view kTitle = "Idle times of the GPU";
  if (!analysis.gpu_work) {
    const std::string& reason = analysis.no_gpu_work;
    return HtmlSection(kId, kTitle,
                       Format("<p>Not known: {}.</p>\n",
                              reason.empty() ? "no reason is given" : HtmlText(reason)));
  }
  const model::Gaps& gaps = analysis.gpu_work->gaps;
  PageTable table(room, "gaps", "Idle times by window and device",
                  {{"window", CellKind::kText, Term::kWindow},
                   {"length", CellKind::kNs, Term::kWindow},
                   {"device", CellKind::kCount, Term::kDevice},
                   {"idle", CellKind::kNs, Term::kIdle},
                   {"of window", CellKind::kRatio, Term::kIdleShare},
                   {"gaps", CellKind::kCount, Term::kGaps},
                   {"long gaps", CellKind::kCount, Term::kLongGaps},
                   {"idle in long", CellKind::kNs, Term::kIdleInLongGaps},
                   {"median gap", CellKind::kNs, Term::kGapLength},
                   {"p95 gap", CellKind::kNs, Term::kGapLength},
                   {"longest gap", CellKind::kNs, Term::kGapLength}});
  size_t rows = 0;
  if (gaps.capture) AddIdleRows(table, *gaps.capture, rows);
  for (const model::IdleWindow& window : gaps.iterations) AddIdleRows(table, window, rows);
  if (rows == 0) {
    return HtmlSection(
        kId, kTitle,
        "<p>Not known: without a capture range or an iteration with a GPU projection "
        "there is no window, and without GPU work no device.</p>\n");
  }
  const std::string meaning = Format(
      "A device is idle while none of its operations runs, in a range or not. The window of the "
      "capture range is its time on the host, that of an iteration its GPU projection. Long gaps "
      "last "
      "at least {}.",
      DurationOfNs(gaps.threshold_ns));
  std::string html = HtmlOf(Paragraph{meaning}) + table.Close(rows, "in their order");
  if (gaps.capture) html += LargestGaps(page, *gaps.capture, room);
  return HtmlSection(kId, kTitle, html);
}

std::string TimelineSection(const model::Timeline& timeline, TablesRoom& room) {
  constexpr std::string_view kId = "timeline";
  constexpr std::string_view kTitle = "Timeline of single iterations";
  if (!timeline.reason.empty()) {
    return HtmlSection(kId, kTitle, Format("<p>None: {}.</p>\n", HtmlText(timeline.reason)));
  }
  std::string html =
      Figure("timeline", "What ran on the host and on the GPU",
             "Host lanes show the ranges of a thread, GPU lanes the operations of a stream, in the "
             "slowest, "
             "the median and the first iteration by host time. A range on the host and the GPU "
             "work that it "
             "launched need not stand above each other. The table says what is drawn.");
  if (!timeline.gpu_reason.empty())
    html += Format("<p>No GPU lanes: {}.</p>\n", HtmlText(timeline.gpu_reason));
  PageTable table(room, "timeline", "Windows of the timeline",
                  {{"window", CellKind::kText, Term::kTimelineWindow},
                   {"length", CellKind::kNs, Term::kTimelineWindow},
                   {"threads", CellKind::kCount, Term::kLanes},
                   {"host ranges", CellKind::kCount, Term::kDrawn},
                   {"streams", CellKind::kCount, Term::kLanes},
                   {"GPU ops", CellKind::kCount, Term::kDrawn},
                   {"not drawn", CellKind::kCount, Term::kNotDrawn}});
  const auto items = [](const std::vector<model::TimelineLane>& lanes) {
    int64_t count = 0;
    for (const model::TimelineLane& lane : lanes) count += static_cast<int64_t>(lane.items.size());
    return count;
  };
  for (const model::TimelineWindow& window : timeline.windows) {
    table.AddRow({TextCell(window.label), NsCell(window.length_ns),
                  CountCell(static_cast<int64_t>(window.host.size())),
                  CountCell(items(window.host)), CountCell(static_cast<int64_t>(window.gpu.size())),
                  CountCell(items(window.gpu)), CountCell(window.left_out)});
  }
  return HtmlSection(kId, kTitle, html + table.Close(timeline.windows.size(), ""));
}

}  // namespace rangewise::render
