#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/text.h"
#include "render/gpu_sections.h"

namespace rangewise::render {

namespace {

using model::GpuSortKey;

constexpr size_t kCallWidth = 32;

void AddAdditive(std::vector<std::string>& cells, const model::AdditiveWork& work, TimeUnit unit) {
  cells.push_back(DurationIn(work.kernels.total.ns, unit));
  cells.push_back(DurationIn(work.copies.sum.total.ns, unit));
  cells.push_back(DurationIn(work.sets.sum.total.ns, unit));
  cells.push_back(Grouped(work.operations));
}

void AddAdditive(std::vector<ReportColumn>& columns) {
  columns.push_back({"kernels summed"});
  columns.push_back({"copies summed"});
  columns.push_back({.header = "sets summed", .only_in_full = true});
  columns.push_back({"GPU ops"});
}

ReportTable DeviceTable(const std::vector<const model::DeviceTotal*>& devices, TimeUnit unit) {
  ReportTable table{.columns = {{"device"}, {"busy"}}};
  AddAdditive(table.columns);
  table.columns.push_back({"streams"});
  table.columns.push_back({.header = "name", .align = Align::kLeft, .is_name = true});
  for (const model::DeviceTotal* device : devices) {
    std::vector<std::string> cells = {NumberOrUnknown(device->device),
                                      DurationIn(device->busy.ns, unit)};
    AddAdditive(cells, device->work, unit);
    cells.push_back(Grouped(static_cast<int64_t>(device->streams.size())));
    cells.push_back(device->name.empty() ? std::string(kNotKnown) : device->name);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

constexpr const char* kWholeDevice =
    "All operations of the device, whether or not in a range. Busy is the length of the union of "
    "their intervals; summed durations count each operation.";

std::optional<double> ShareOfWindow(const model::DeviceIdle& device, int64_t window_ns) {
  if (window_ns <= 0) return std::nullopt;
  return static_cast<double>(device.idle.ns) / static_cast<double>(window_ns);
}

void AddIdle(std::vector<ReportColumn>& columns, bool p95_in_text) {
  columns.push_back({"device"});
  columns.push_back({"idle"});
  columns.push_back({"of window"});
  columns.push_back({"gaps"});
  columns.push_back({"long gaps"});
  columns.push_back({"idle in long"});
  columns.push_back({.header = "median gap", .only_in_full = true});
  columns.push_back({.header = "p95 gap", .only_in_full = !p95_in_text});
  columns.push_back({"longest gap"});
}

void AddIdle(std::vector<std::string>& cells, const model::DeviceIdle& device, int64_t window_ns,
             TimeUnit unit) {
  cells.push_back(NumberOrUnknown(device.device));
  cells.push_back(DurationIn(device.idle.ns, unit));
  cells.push_back(Percent(ShareOfWindow(device, window_ns)));
  cells.push_back(Grouped(device.gaps));
  cells.push_back(Grouped(device.long_gaps));
  cells.push_back(DurationIn(device.idle_in_long_gaps.ns, unit));
  if (!device.gap_lengths) {
    cells.insert(cells.end(), 3, "none");
    return;
  }
  const model::Statistics<GpuNs>& lengths = *device.gap_lengths;
  cells.push_back(lengths.median_is_whole ? DurationIn(lengths.median_low.ns, unit)
                                          : DurationIn(model::MedianNs(lengths), unit));
  cells.push_back(lengths.p95_ns ? DurationIn(*lengths.p95_ns, unit) : std::string(kNotKnown));
  cells.push_back(DurationIn(lengths.maximum.ns, unit));
}

std::string Joined(const std::vector<model::NameId>& names, const model::NamePool& pool) {
  std::string text;
  for (const model::NameId name : names) {
    if (!text.empty()) text += '.';
    text += pool.At(name);
  }
  return text;
}

ReportTable LargestGaps(const model::IdleWindow& window, const model::NamePool& names,
                        TimeUnit unit) {
  ReportTable table{.columns = {{"gap"}, {"begins after"}, {"device"}}};
  table.columns.push_back({.header = "CUDA call",
                           .align = Align::kLeft,
                           .is_name = true,
                           .max_width = kCallWidth});
  table.columns.push_back({.header = "began in", .align = Align::kLeft, .is_name = true});
  table.columns.push_back({"share"});
  table.columns.push_back({.header = "mostly in", .align = Align::kLeft, .is_name = true});
  for (const model::DeviceIdle& device : window.devices) {
    for (const model::IdleGap& gap : device.largest) {
      table.rows.push_back({DurationIn(gap.length.ns, unit), DurationIn(gap.start_ns, unit),
                            NumberOrUnknown(device.device), gap.call.empty() ? "none" : gap.call,
                            gap.host_range.empty() ? "none" : Joined(gap.host_range, names),
                            Percent(gap.FillingShare()),
                            gap.filling ? Joined(gap.filling->range, names)
                                        : std::string(kNotKnown)});
    }
  }
  return table;
}

// Why no idle times are there; `otherwise` where the analysis gives no reason.
std::string WhyNoGaps(const model::RangeGpuWork& work, const char* otherwise) {
  const auto reason = work.null_reasons.find("gaps");
  return reason == work.null_reasons.end() ? std::string(otherwise)
                                           : Format("Not known: {}.", reason->second);
}

// Whether processes have streams of the same numbers.
bool ProcessesShareStreams(const std::vector<std::pair<const model::DeviceTotal*,
                                                       const model::StreamWork*>>& streams) {
  std::map<std::tuple<int64_t, int64_t>, int64_t> process_of;
  for (const auto& [device, stream] : streams) {
    const auto [known, added] =
        process_of.try_emplace({device->device, stream->stream}, stream->process);
    if (!added && known->second != stream->process) return true;
  }
  return false;
}

}  // namespace

std::string GpuOrder(const model::GpuView& view, const char* what) {
  const auto by = [&]() -> const char* {
    switch (view.sort) {
      case GpuSortKey::kBusy:
        return "busy time";
      case GpuSortKey::kBusyShare:
        return "busy share";
      case GpuSortKey::kKernels:
        return "summed durations of kernels";
      case GpuSortKey::kCopies:
        return "summed durations of copies";
      case GpuSortKey::kOperations:
        return "number of operations";
      case GpuSortKey::kWaits:
        return "host time in synchronising calls";
      case GpuSortKey::kOwn:
        return "summed durations of what no smaller range launched";
      case GpuSortKey::kDelay:
        return "median queue delay";
      case GpuSortKey::kExposedCommunication:
        return "exposed communication";
      case GpuSortKey::kName:
        break;
    }
    return view.by == model::GpuBy::kIteration ? "index"
           : view.by == model::GpuBy::kDevice || view.by == model::GpuBy::kStream ? "number"
                                                                                  : "name";
  };
  if (view.rows.rows.size() == view.rows.total) return Format("All {} by {}.", what, by());
  return Format("First {} of {} {} by {}.", Grouped(static_cast<int64_t>(view.rows.rows.size())),
                Grouped(static_cast<int64_t>(view.rows.total)), what, by());
}

Section DevicesSection(const model::GpuView& view, TimeUnit unit) {
  std::vector<const model::DeviceTotal*> devices;
  for (const uint32_t row : view.rows.rows) {
    devices.push_back(&view.file.document.analysis.gpu_work->devices[row]);
  }
  return {.title = "Devices",
          .blocks = {DeviceTable(devices, unit),
                     Paragraph{Format("{} {}", GpuOrder(view, "devices"), kWholeDevice)}}};
}

Section AllDevicesSection(const model::RangeGpuWork& work, TimeUnit unit) {
  std::vector<const model::DeviceTotal*> devices;
  for (const model::DeviceTotal& device : work.devices) devices.push_back(&device);
  if (devices.empty()) return {.title = "Devices", .blocks = {Paragraph{"None with GPU work."}}};
  return {.title = "Devices", .blocks = {DeviceTable(devices, unit), Paragraph{kWholeDevice}}};
}

Section StreamsSection(const model::GpuView& view, TimeUnit unit) {
  const auto streams = model::StreamsOf(*view.file.document.analysis.gpu_work);
  ReportTable table{.columns = {{"device"}, {"stream"}, {"context"}}};
  const bool with_process = ProcessesShareStreams(streams);
  if (with_process) table.columns.push_back({"process"});
  table.columns.push_back({"busy"});
  AddAdditive(table.columns);
  for (const uint32_t row : view.rows.rows) {
    const auto& [device, stream] = streams[row];
    std::vector<std::string> cells = {NumberOrUnknown(device->device),
                                      NumberOrUnknown(stream->stream),
                                      NumberOrUnknown(stream->context)};
    if (with_process) cells.push_back(NumberOrUnknown(stream->process));
    cells.push_back(DurationIn(stream->busy.ns, unit));
    AddAdditive(cells, stream->work, unit);
    table.rows.push_back(std::move(cells));
  }
  return {.title = "Streams",
          .blocks = {std::move(table),
                     Paragraph{Format("{} Busy is the length of the union of the stream's "
                                      "intervals; busy times of streams do not add up. Streams of "
                                      "one number are those of different processes or contexts.",
                                      GpuOrder(view, "streams"))}}};
}

Section AllKernelsSection(const model::GpuView& view, TimeUnit unit) {
  const model::Analysis& analysis = view.file.document.analysis;
  if (!analysis.kernels) {
    return {.title = "Kernels",
            .blocks = {Paragraph{"Not known; the table of kernels is not there."}}};
  }
  Int128 total = 0;
  for (const model::KernelTotal& kernel : *analysis.kernels) total += kernel.duration_ns;
  ReportTable table{.columns = {{"summed"}, {"share"}, {"launches"}}};
  table.columns.push_back({.header = "kernel", .align = Align::kLeft, .is_name = true});
  for (const uint32_t row : view.rows.rows) {
    const model::KernelTotal& kernel = (*analysis.kernels)[row];
    table.rows.push_back(
        {DurationIn(kernel.duration_ns, unit),
         Percent(total > 0 ? std::optional(static_cast<double>(kernel.duration_ns) /
                                           static_cast<double>(total))
                           : std::nullopt),
         Grouped(kernel.instances),
         std::string(view.file.document.tables.names.At(kernel.name))});
  }
  return {.title = "Kernels",
          .blocks = {std::move(table),
                     Paragraph{Format("{} Durations are summed over launches, which can overlap; "
                                      "shares are of the sum of all kernels of the capture.",
                                      GpuOrder(view, "kernels"))}}};
}

Section CaptureGapsSection(const model::GpuView& view, TimeUnit unit) {
  const model::RangeGpuWork& work = *view.file.document.analysis.gpu_work;
  const model::Gaps& gaps = work.gaps;
  Section section{.title = "Idle times in the capture range"};
  if (!gaps.capture) {
    section.blocks.push_back(Paragraph{WhyNoGaps(work, "Not known without a capture range.")});
    return section;
  }
  ReportTable table;
  AddIdle(table.columns, true);
  for (const model::DeviceIdle& device : gaps.capture->devices) {
    std::vector<std::string> cells;
    AddIdle(cells, device, gaps.capture->length_ns, unit);
    table.rows.push_back(std::move(cells));
  }
  if (table.rows.empty()) {
    section.blocks.push_back(Paragraph{"No device has GPU work."});
    return section;
  }
  section.blocks.push_back(std::move(table));
  section.blocks.push_back(Paragraph{Format(
      "A device is idle while none of its operations runs, in a range or not. The window is the "
      "capture range's {} on the host. Long gaps last at least {}.",
      DurationIn(gaps.capture->length_ns, unit), DurationIn(gaps.threshold_ns, unit))});
  ReportTable largest = LargestGaps(*gaps.capture, view.file.document.tables.names, unit);
  if (!largest.rows.empty()) {
    section.blocks.push_back(std::move(largest));
    section.blocks.push_back(Paragraph{
        "The largest gaps of each device, with what the capture range's thread was in when they "
        "began: its CUDA call and its innermost range. Mostly in: the range that was its innermost "
        "one for the largest share of the gap, which the share says. What another thread did is not "
        "told by this."});
    if (gaps.capture->start_ns) {
      section.blocks.push_back(Paragraph{Format(
          "Gaps begin after the window's start, which is {} ns on the trace's axis: `--filter-time` "
          "counts on that.",
          *gaps.capture->start_ns)});
    }
  }
  return section;
}

Section IterationGapsSection(const model::GpuView& view, TimeUnit unit) {
  const model::RangeGpuWork& work = *view.file.document.analysis.gpu_work;
  std::map<int64_t, const model::IdleWindow*> windows;
  for (const model::IdleWindow& window : work.gaps.iterations) {
    if (window.iteration) windows[*window.iteration] = &window;
  }
  Section section{.title = "Idle times in iterations"};
  ReportTable table{.columns = {{"iteration"}, {"window"}}};
  AddIdle(table.columns, false);
  for (const uint32_t row : view.rows.rows) {
    const auto window = windows.find(work.iterations[row].index);
    if (window == windows.end()) continue;
    for (const model::DeviceIdle& device : window->second->devices) {
      std::vector<std::string> cells = {Format("{}", window->first),
                                        DurationIn(window->second->length_ns, unit)};
      AddIdle(cells, device, window->second->length_ns, unit);
      table.rows.push_back(std::move(cells));
    }
  }
  if (table.rows.empty()) {
    section.blocks.push_back(Paragraph{WhyNoGaps(work, "No iteration has a GPU projection.")});
    return section;
  }
  section.blocks.push_back(std::move(table));
  section.blocks.push_back(Paragraph{Format(
      "The window is the iteration's GPU projection. Long gaps last at least {}.",
      DurationIn(work.gaps.threshold_ns, unit))});
  return section;
}

}  // namespace rangewise::render
