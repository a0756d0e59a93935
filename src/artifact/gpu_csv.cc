#include "artifact/gpu_csv.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/checked.h"
#include "base/text.h"
#include "base/wide.h"

namespace rangewise::artifact {

namespace {

using model::GpuBy;
using model::GpuWork;

std::string Digits(Int128 value) {
  if (value == 0) return "0";
  const bool negative = value < 0;
  std::string digits;
  for (; value != 0; value /= 10) {
    const int digit = static_cast<int>(value % 10);
    digits.insert(digits.begin(), static_cast<char>('0' + (negative ? -digit : digit)));
  }
  return negative ? "-" + digits : digits;
}

// A record that is made field by field.
class Record {
 public:
  void Text(std::string_view name) {
    const std::string text = Neutralised(name);
    const bool needs_quotes =
        text.find_first_of(",\"\r\n") != std::string::npos ||
        (!text.empty() && (std::string_view("=+-@ ").find(text.front()) != std::string_view::npos ||
                           text.back() == ' '));
    Separate();
    if (!needs_quotes) {
      line_ += text;
      return;
    }
    line_ += '"';
    for (const char c : text) {
      if (c == '"') line_ += '"';
      line_ += c;
    }
    line_ += '"';
  }
  void Number(Int128 value) {
    Separate();
    line_ += Digits(value);
  }
  void Number(const std::optional<double>& value) {
    Separate();
    if (value) line_ += ShortestDecimal(*value);
  }
  void Known(std::optional<int64_t> value) {
    if (value) return Number(Int128{*value});
    Unknown();
  }
  // A number that the export may not give.
  void Nullable(int64_t value) {
    Known(value == model::kNullInteger ? std::nullopt : std::optional(value));
  }
  void Unknown(int fields = 1) {
    for (int i = 0; i < fields; ++i) Separate();
  }
  void WriteTo(Output& out) {
    line_ += "\r\n";
    out.Write(line_);
    line_.clear();
    begun_ = false;
  }

 private:
  void Separate() {
    if (begun_) line_ += ',';
    begun_ = true;
  }
  std::string line_;
  bool begun_ = false;
};

constexpr std::string_view kAdditiveColumns =
    "operations,kernels,kernels_total_ns,copies,copies_total_ns,copies_bytes,sets,sets_total_ns,"
    "sets_bytes";

void Additive(Record& record, const model::AdditiveWork& work) {
  record.Number(Int128{work.operations});
  record.Number(Int128{work.kernels.instances});
  record.Number(Int128{work.kernels.total.ns});
  for (const model::MemorySum* memory : {&work.copies, &work.sets}) {
    record.Number(Int128{memory->sum.instances});
    record.Number(Int128{memory->sum.total.ns});
    record.Known(memory->bytes);
  }
}

constexpr std::string_view kWorkColumns =
    ",busy_ns,projection_union_ns,busy_share_ratio,launches,own_operations,own_kernels_total_ns,"
    "own_copies_total_ns,own_sets_total_ns,host_synchronising_ns,host_launching_ns,host_memory_ns,"
    "host_other_ns,delay_median_ns,delay_p95_ns,delay_maximum_ns,started_during_call,"
    "communication_overlapped_ns,communication_exposed_ns,copy_exposed_ns,graph_records,"
    "graph_records_total_ns,graph_node_operations\r\n";

void Work(Record& record, const GpuWork& work, bool graph_records_known) {
  Additive(record, work.total);
  record.Known(work.busy ? std::optional(work.busy->ns) : std::nullopt);
  record.Number(Int128{work.projection.ns});
  record.Number(work.BusyShare());
  record.Number(Int128{work.launches});
  record.Number(Int128{work.own.operations});
  record.Number(Int128{work.own.kernels.total.ns});
  record.Number(Int128{work.own.copies.sum.total.ns});
  record.Number(Int128{work.own.sets.sum.total.ns});
  if (work.calls) {
    for (const model::CallTime& calls : *work.calls) record.Number(Int128{calls.total.ns});
  } else {
    record.Unknown(static_cast<int>(model::kCallClasses));
  }
  if (work.queue_delay && work.queue_delay->statistics) {
    const model::Statistics<QueueNs>& delay = *work.queue_delay->statistics;
    if (delay.median_is_whole) {
      record.Number(Int128{delay.median_low.ns});
    } else {
      record.Number(std::optional(model::MedianNs(delay)));
    }
    record.Number(delay.p95_ns);
    record.Number(Int128{delay.maximum.ns});
  } else {
    record.Unknown(3);
  }
  record.Known(work.queue_delay ? std::optional(work.queue_delay->started_during_call)
                                : std::nullopt);
  if (work.busy) {
    Int128 overlapped = 0;
    Int128 copy_exposed = 0;
    for (const model::DeviceWork& device : work.devices) {
      overlapped += device.communication_overlapped.ns;
      copy_exposed += device.copy_exposed.ns;
    }
    record.Number(overlapped);
    record.Number(model::ExposedCommunication(work));
    record.Number(copy_exposed);
  } else {
    record.Unknown(3);
  }
  if (graph_records_known) {
    record.Number(Int128{work.graphs.records.instances});
    record.Number(Int128{work.graphs.records.total.ns});
  } else {
    record.Unknown(2);
  }
  record.Number(Int128{work.graphs.nodes.operations});
}

void Paths(const model::GpuView& view, Output& out) {
  const model::RangeGpuWork& work = *view.file.document.analysis.gpu_work;
  const model::ShownGpuPaths shown(view.file.document);
  Record record;
  for (const uint32_t row : view.rows.rows) {
    const model::PathGpuWork& path = shown.rows[row];
    record.Text(model::JoinedNames(shown.paths, shown.names, path.path));
    const std::optional<std::string_view> domain =
        shown.grouped ? std::nullopt : shown.names.Domain(shown.paths[path.path].name);
    if (domain) {
      record.Text(*domain);
    } else {
      record.Unknown();
    }
    Work(record, path.work, !work.null_reasons.contains("graphs"));
    record.WriteTo(out);
  }
}

void Iterations(const model::GpuView& view, Output& out) {
  const model::RangeGpuWork& work = *view.file.document.analysis.gpu_work;
  Record record;
  for (const uint32_t row : view.rows.rows) {
    record.Number(Int128{work.iterations[row].index});
    Work(record, work.iterations[row].work, !work.null_reasons.contains("graphs"));
    record.WriteTo(out);
  }
}

void Devices(const model::GpuView& view, Output& out) {
  Record record;
  for (const uint32_t row : view.rows.rows) {
    const model::DeviceTotal& device = view.file.document.analysis.gpu_work->devices[row];
    record.Nullable(device.device);
    record.Text(device.name);
    record.Number(Int128{device.busy.ns});
    Additive(record, device.work);
    record.WriteTo(out);
  }
}

void Streams(const model::GpuView& view, Output& out) {
  const auto streams = model::StreamsOf(*view.file.document.analysis.gpu_work);
  Record record;
  for (const uint32_t row : view.rows.rows) {
    const auto& [device, stream] = streams[row];
    record.Nullable(device->device);
    record.Nullable(stream->stream);
    record.Nullable(stream->context);
    record.Number(Int128{stream->busy.ns});
    Additive(record, stream->work);
    record.Nullable(stream->process);
    record.WriteTo(out);
  }
}

void Kernels(const model::GpuView& view, Output& out) {
  const model::AnalysisDocument& document = view.file.document;
  if (!document.analysis.kernels) return;
  Record record;
  for (const uint32_t row : view.rows.rows) {
    const model::KernelTotal& kernel = (*document.analysis.kernels)[row];
    record.Text(document.tables.names.At(kernel.name));
    record.Number(Int128{kernel.instances});
    record.Number(Int128{kernel.duration_ns});
    record.WriteTo(out);
  }
}

std::string Header(GpuBy by) {
  const std::string additive(kAdditiveColumns);
  switch (by) {
    case GpuBy::kOverview:
    case GpuBy::kPath:
      return "path,domain," + additive + std::string(kWorkColumns);
    case GpuBy::kIteration:
      return "iteration," + additive + std::string(kWorkColumns);
    case GpuBy::kDevice:
      return "device,name,busy_ns," + additive + "\r\n";
    case GpuBy::kStream:
      return "device,stream,context,busy_ns," + additive + ",process\r\n";
    case GpuBy::kKernel:
      return "kernel,launches,total_ns\r\n";
  }
  return "";
}

}  // namespace

void WriteGpuCsv(const model::GpuView& view, Output& out) {
  out.Write(Header(view.by));
  if (view.by == GpuBy::kKernel) return Kernels(view, out);
  if (!view.file.document.analysis.gpu_work) return;
  switch (view.by) {
    case GpuBy::kIteration:
      return Iterations(view, out);
    case GpuBy::kDevice:
      return Devices(view, out);
    case GpuBy::kStream:
      return Streams(view, out);
    default:
      return Paths(view, out);
  }
}

}  // namespace rangewise::artifact
