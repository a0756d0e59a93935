#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "render/gpu_sections.h"

namespace rangewise::render {

namespace {

using model::CallClass;
using model::GpuSortKey;
using model::GpuWork;

constexpr size_t kLabelWidth = 36;

ReportColumn LabelColumn(const GpuRows& rows) {
  return {.header = rows.header, .align = Align::kLeft, .is_name = rows.are_names};
}

// The label where another column follows it.
ReportColumn ShortLabelColumn(const GpuRows& rows) {
  ReportColumn column = LabelColumn(rows);
  column.max_width = kLabelWidth;
  return column;
}

std::string NameOf(const model::NamePool& names, model::NameId name) {
  return name == model::kNoName ? kNotKnown : std::string(names.At(name));
}

template <typename Ns>
std::string Median(const model::Statistics<Ns>& values, TimeUnit unit) {
  return values.median_is_whole ? DurationIn(values.median_low.ns, unit)
                                : DurationIn(model::MedianNs(values), unit);
}

std::string DelayMedian(const GpuWork& work, TimeUnit unit) {
  if (!work.queue_delay || !work.queue_delay->statistics) return kNotKnown;
  return Median(*work.queue_delay->statistics, unit);
}

std::string CallTime(const std::optional<model::CallTimes>& calls, CallClass of_class,
                     TimeUnit unit) {
  if (!calls) return kNotKnown;
  return DurationIn((*calls)[static_cast<size_t>(of_class)].total.ns, unit);
}

std::string ClassesInWords(const model::DeviceWork& device, TimeUnit unit) {
  std::string words;
  for (const model::ClassTime& of_class : device.classes) {
    if (!words.empty()) words += ", ";
    words += Format("{} {}", of_class.name, DurationIn(of_class.busy.ns, unit));
  }
  return words;
}

// Busy time of a class of ours.
GpuNs BusyOf(const model::DeviceWork& device, std::string_view name) {
  for (const model::ClassTime& of_class : device.classes) {
    if (of_class.name == name) return of_class.busy;
  }
  return {};
}

}  // namespace

std::string NumberOrUnknown(int64_t number) {
  return number == model::kNullInteger ? std::string(kNotKnown) : Format("{}", number);
}

std::string Percent(const std::optional<double>& share) {
  return share ? Format("{:.1f} %", *share * 100) : std::string(kNotKnown);
}

std::string SummedIn(Int128 ns, TimeUnit unit) {
  constexpr Int128 kMost = std::numeric_limits<int64_t>::max();
  return DurationIn(static_cast<int64_t>(std::min(ns, kMost)), unit);
}

Section GpuWorkSection(const model::GpuView& view, const GpuRows& rows, TimeUnit unit) {
  const GpuSortKey sort = view.sort;
  ReportTable table;
  const auto add = [&](const char* header, bool in_text) {
    table.columns.push_back({.header = header, .only_in_full = !in_text});
  };
  add("busy", true);
  add("busy share", true);
  add("kernels summed", true);
  add("copies summed", sort == GpuSortKey::kCopies);
  add("sets summed", false);
  add("own summed", sort == GpuSortKey::kOwn);
  add("GPU ops", true);
  add("launches", false);
  add("host waits", sort != GpuSortKey::kOwn && sort != GpuSortKey::kCopies);
  add("delay median", sort == GpuSortKey::kDelay);
  add("comm. exposed", sort == GpuSortKey::kExposedCommunication);
  table.columns.push_back(LabelColumn(rows));
  for (const GpuRows::Row& row : rows.rows) {
    const GpuWork& work = *row.work;
    table.rows.push_back(
        {work.busy ? DurationIn(work.busy->ns, unit) : std::string(kNotKnown),
         Percent(work.BusyShare()),
         DurationIn(work.total.kernels.total.ns, unit),
         DurationIn(work.total.copies.sum.total.ns, unit),
         DurationIn(work.total.sets.sum.total.ns, unit),
         SummedIn(model::SummedDurations(work.own), unit), Grouped(work.total.operations),
         Grouped(work.launches), CallTime(work.calls, CallClass::kSynchronising, unit),
         DelayMedian(work, unit),
         work.busy ? SummedIn(model::ExposedCommunication(work), unit) : std::string(kNotKnown),
         row.label});
  }
  return {.title = "GPU work",
          .blocks = {std::move(table),
                     Paragraph{Format(
                         "{} Busy is the time in which at least one operation ran, on any device: "
                         "the length of a union, so busy times of a range and of those inside it do "
                         "not add up. The busy share is of the GPU projection. Summed durations "
                         "count each operation, also those that ran at the same time. Host waits "
                         "are host time in synchronising calls: another clock.",
                         GpuOrder(view, rows.are_names ? "paths" : "iterations"))}}};
}

Section GpuWaitsSection(const GpuRows& rows, TimeUnit unit) {
  Section section{.title = "Host time in CUDA calls, and queue delay"};
  ReportTable table{.columns = {{"waiting"},
                                {"launching"},
                                {"memory"},
                                {"other"},
                                {.header = "own waiting", .only_in_full = true},
                                {.header = "synchronisations", .only_in_full = true},
                                {"delay median"},
                                {"delay p95"},
                                {.header = "delay maximum", .only_in_full = true},
                                {.header = "began in call", .only_in_full = true}}};
  table.columns.push_back(LabelColumn(rows));
  for (const GpuRows::Row& row : rows.rows) {
    const GpuWork& work = *row.work;
    std::vector<std::string> cells;
    for (const CallClass of_class : {CallClass::kSynchronising, CallClass::kLaunching,
                                     CallClass::kMemory, CallClass::kOther}) {
      cells.push_back(CallTime(work.calls, of_class, unit));
    }
    cells.push_back(CallTime(work.own_calls, CallClass::kSynchronising, unit));
    if (work.synchronisations) {
      int64_t synchronisations = 0;
      for (const model::SyncSum& sum : *work.synchronisations) synchronisations += sum.instances;
      cells.push_back(Grouped(synchronisations));
    } else {
      cells.emplace_back(kNotKnown);
    }
    cells.push_back(DelayMedian(work, unit));
    if (work.queue_delay && work.queue_delay->statistics) {
      const model::Statistics<QueueNs>& delay = *work.queue_delay->statistics;
      cells.push_back(delay.p95_ns ? DurationIn(*delay.p95_ns, unit) : std::string(kNotKnown));
      cells.push_back(DurationIn(delay.maximum.ns, unit));
    } else {
      cells.insert(cells.end(), 2, kNotKnown);
    }
    cells.push_back(work.queue_delay ? Grouped(work.queue_delay->started_during_call)
                                     : std::string(kNotKnown));
    cells.push_back(row.label);
    table.rows.push_back(std::move(cells));
  }
  section.blocks.push_back(std::move(table));
  section.blocks.push_back(Paragraph{
      "Waiting, launching, memory and other are host time in CUDA calls that the range holds whole; "
      "of calls inside each other the outermost counts. Waiting is synchronising calls and blocking "
      "copies. The delay is from the end of the launching call to the start of the operation; "
      "operations that began during their call are not in it."});
  return section;
}

Section GpuOverlapSection(const GpuRows& rows, TimeUnit unit) {
  Section section{.title = "Communication and copies beside computing"};
  ReportTable table{.columns = {{"communication"},
                                {"overlapped"},
                                {"exposed"},
                                {"copies"},
                                {"copies exposed"},
                                {"device"},
                                {.header = "busy by class",
                                 .align = Align::kLeft,
                                 .is_name = true,
                                 .only_in_full = true}}};
  table.columns.push_back(LabelColumn(rows));
  for (const GpuRows::Row& row : rows.rows) {
    for (const model::DeviceWork& device : row.work->devices) {
      table.rows.push_back({DurationIn(BusyOf(device, "communication").ns, unit),
                            DurationIn(device.communication_overlapped.ns, unit),
                            DurationIn(device.communication_exposed.ns, unit),
                            DurationIn(BusyOf(device, "copy").ns, unit),
                            DurationIn(device.copy_exposed.ns, unit),
                            NumberOrUnknown(device.device), ClassesInWords(device, unit),
                            row.label});
    }
  }
  section.blocks.push_back(std::move(table));
  section.blocks.push_back(Paragraph{
      "All are busy times of one device: lengths of unions, not sums. Overlapped is the time in "
      "which computing ran on the device, too; exposed, the time in which none did. Computing is "
      "what is neither communication, copy nor set."});
  return section;
}

Section GpuCopiesSection(const model::GpuView& view, const GpuRows& rows, TimeUnit unit) {
  const model::NamePool& names = view.file.document.tables.names;
  Section section{.title = "Copies by direction"};
  ReportTable table{.columns = {{"copies summed"}, {"copies"}, {"bytes"}, {"per second"}}};
  table.columns.push_back({.header = "direction",
                           .align = Align::kLeft,
                           .is_name = true,
                           .max_width = kLabelWidth / 2});
  table.columns.push_back(LabelColumn(rows));
  for (const GpuRows::Row& row : rows.rows) {
    for (const model::CopySum& copy : row.work->copies) {
      const std::optional<double> rate = copy.memory.BytesPerSecond();
      constexpr double kMost = 9.2e18;
      table.rows.push_back(
          {DurationIn(copy.memory.sum.total.ns, unit), Grouped(copy.memory.sum.instances),
           copy.memory.bytes ? Bytes(*copy.memory.bytes) : std::string(kNotKnown),
           rate ? Bytes(static_cast<int64_t>(std::clamp(*rate, -kMost, kMost))) + "/s"
                : std::string(kNotKnown),
           NameOf(names, copy.direction), row.label});
    }
  }
  if (table.rows.empty()) {
    section.blocks.push_back(Paragraph{"None."});
    return section;
  }
  section.blocks.push_back(std::move(table));
  section.blocks.push_back(Paragraph{
      "Bytes per second are the bytes over the summed durations of the copies."});
  return section;
}

Section GpuKernelsSection(const model::GpuView& view, const GpuRows& rows, TimeUnit unit) {
  const model::NamePool& names = view.file.document.tables.names;
  Section section{.title = "Largest kernels"};
  ReportTable table{.columns = {{"summed"}, {"share"}, {"launches"}}};
  table.columns.push_back(ShortLabelColumn(rows));
  table.columns.push_back({.header = "kernel", .align = Align::kLeft, .is_name = true});
  for (const GpuRows::Row& row : rows.rows) {
    for (const model::KernelSum& kernel : row.work->largest_kernels) {
      table.rows.push_back({DurationIn(kernel.sum.total.ns, unit),
                            Percent(row.work->ShareOf(kernel)), Grouped(kernel.sum.instances),
                            row.label, NameOf(names, kernel.name)});
    }
  }
  if (table.rows.empty()) {
    section.blocks.push_back(Paragraph{"None."});
    return section;
  }
  section.blocks.push_back(std::move(table));
  section.blocks.push_back(Paragraph{
      "Shares are of the summed durations of all kernels of the row's range. How many kernels each "
      "range names is said by `rangewise analyze --kernels`."});
  return section;
}

Section GpuGraphsSection(const model::GpuView& view, const GpuRows& rows, TimeUnit unit) {
  const bool records_known =
      !view.file.document.analysis.gpu_work->null_reasons.contains("graphs");
  Section section;
  ReportTable table{.columns = {{"whole graphs"},
                                {"their time summed"},
                                {"operations inside"},
                                {"kernels inside summed"}}};
  table.columns.push_back(LabelColumn(rows));
  for (const GpuRows::Row& row : rows.rows) {
    const model::GraphWork& graphs = row.work->graphs;
    if (graphs.records.instances == 0 && graphs.nodes.operations == 0) continue;
    table.rows.push_back({records_known ? Grouped(graphs.records.instances) : std::string(kNotKnown),
                          records_known ? DurationIn(graphs.records.total.ns, unit)
                                        : std::string(kNotKnown),
                          Grouped(graphs.nodes.operations),
                          DurationIn(graphs.nodes.kernels.total.ns, unit), row.label});
  }
  if (table.rows.empty()) return section;
  section.title = "CUDA graphs";
  section.blocks.push_back(std::move(table));
  section.blocks.push_back(Paragraph{
      "Graphs that were recorded as a whole are in no other figure: what ran inside is not known. "
      "Operations that were recorded one by one inside of graphs are in the other figures, too."});
  return section;
}

}  // namespace rangewise::render
