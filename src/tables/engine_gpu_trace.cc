// The trace of GPU operations: the other half of engine_gpu.h.
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

#include "base/checked.h"
#include "base/interrupt.h"
#include "base/parallel.h"
#include "base/text.h"
#include "tables/engine_chunks.h"
#include "tables/engine_csv.h"
#include "tables/engine_gpu.h"

namespace rangewise::tables {
namespace {

using model::GpuOperation;
using model::kNullInteger;
using model::OperationKind;
using model::OperationShape;

constexpr std::string_view kHeader =
    "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (B),DymSMem (B),Bytes (B),"
    "Throughput (MB/s),SrcMemKd,DstMemKd,Device,Ctx,GreenCtx,Strm,Name\n";

// Labels of the two enumerations as every export since 2022.4 has them; for exports without.
constexpr std::string_view kCopyLabels[] = {
    "Unknown",         "Host-to-Device",  "Device-to-Host",    "Host-to-Array",
    "Array-to-Host",   "Array-to-Array",  "Array-to-Device",   "Device-to-Array",
    "Device-to-Device", "Host-to-Host",   "Peer-to-Peer",      "Unified Host-to-Device",
    "Unified Device-to-Host", "Unified Device-to-Device"};
constexpr std::string_view kMemoryLabels[] = {"Pageable", "Pinned",        "Device",         "Array",
                                              "Managed",  "Device Static", "Managed Static", "Unknown"};

// The label of `kind`, or nothing.
std::optional<std::string_view> LabelOf(int64_t kind, const std::optional<std::vector<model::KindLabel>>& labels,
                                        std::span<const std::string_view> well_known) {
  if (kind == kNullInteger) return std::nullopt;
  if (!labels) {
    if (kind < 0 || static_cast<size_t>(kind) >= well_known.size()) return std::nullopt;
    return well_known[static_cast<size_t>(kind)];
  }
  for (const model::KindLabel& label : *labels) {
    if (label.id == kind) return label.label;
  }
  return std::nullopt;
}

// What rows of one shape have in common, ready to print. A row is
//   start,duration,id + before + [bytes,throughput] + one of `after`
// and there is one row per element of `after`.
struct ShapeText {
  std::string before;
  std::vector<std::string> after;
  std::optional<std::string_view> source;  // labels, for copies
  std::optional<std::string_view> destination;
  bool is_copy = false;  // it is named as a copy
};

void AppendNullable(std::string& text, int64_t value) {
  if (value != kNullInteger) text += std::to_string(value);
}

class GpuTrace {
 public:
  explicit GpuTrace(const model::Trace& trace) : trace_(trace) {
    for (const model::GpuName& gpu : trace.gpus) gpu_names_[gpu.device].push_back(gpu.name);
  }

  ShapeText Describe(const OperationShape& shape) const {
    ShapeText text;
    const bool kernel = shape.kind == OperationKind::kKernel;
    text.before = ",";
    for (const auto& sizes : {shape.grid, shape.block}) {
      for (const int64_t size : sizes) {
        if (kernel) AppendNullable(text.before, size);
        text.before += ',';
      }
    }
    for (const int64_t value : {shape.registers, shape.static_memory, shape.dynamic_memory}) {
      if (kernel) AppendNullable(text.before, value);
      text.before += ',';
    }
    std::string kinds;
    std::string name;
    if (kernel) {
      // Bytes, throughput and kinds are empty; the comma before `kinds` is theirs.
      text.before += ",";
      kinds = ",,,";
      if (shape.name != model::kNoName) name = CsvField(trace_.names.At(shape.name));
    } else {
      text.source = MemoryLabel(trace_, shape.source_kind);
      if (shape.kind == OperationKind::kCopy) {
        text.destination = MemoryLabel(trace_, shape.destination_kind);
        const auto label = CopyLabel(trace_, shape.copy_kind);
        text.is_copy = label.has_value();
        if (label) name = CsvField(Format("[CUDA memcpy {}]", *label));
      } else {
        name = "[CUDA memset]";
      }
      kinds = "," + CsvField(text.source.value_or("")) + "," + CsvField(text.destination.value_or("")) + ",";
    }
    // A device that the export names several times gives several rows, as the query's join does.
    for (const std::string& device : DeviceFields(shape.device)) {
      std::string after = kinds + device + ",";
      AppendNullable(after, shape.context);
      after += ',';
      if (shape.green_context != 0) AppendNullable(after, shape.green_context);
      after += ',';
      AppendNullable(after, shape.stream);
      after += ',' + name + '\n';
      text.after.push_back(std::move(after));
    }
    return text;
  }

  void WriteRow(const GpuOperation& operation, const ShapeText& text, int64_t bytes, RowWriter& row) const {
    const int64_t duration = operation.end_ns - operation.start_ns;
    for (const std::string& after : text.after) {
      row.Room(6 * (RowWriter::kIntegerBytes + 2) + 400 + text.before.size() + after.size());
      row.Integer(operation.start_ns);
      row.Char(',');
      row.Integer(duration);
      row.Char(',');
      row.Nullable(operation.correlation_id);
      row.Bytes(text.before);
      if (trace_.shapes[operation.shape].kind != OperationKind::kKernel) {
        row.Nullable(bytes);
        row.Char(',');
        if (bytes != kNullInteger && duration != 0) row.Bytes(Throughput(bytes, duration));
      }
      row.Bytes(after);
    }
  }

 private:
  std::vector<std::string> DeviceFields(int64_t device) const {
    if (device == kNullInteger) return {""};
    const auto known = gpu_names_.find(device);
    if (known == gpu_names_.end()) return {Format(" ({})", device)};
    std::vector<std::string> fields;
    for (const std::string& name : known->second) fields.push_back(CsvField(Format("{} ({})", name, device)));
    return fields;
  }

  // Whole copies per second first, cut off, then times bytes: so a copy of more than a second has none.
  static std::string Throughput(int64_t bytes, int64_t duration_ns) {
    const int64_t per_second = int64_t{1000000000} / duration_ns;
    const auto exact = CheckedMul(bytes, per_second);
    const double bytes_per_second =
        exact ? static_cast<double>(*exact) : static_cast<double>(bytes) * static_cast<double>(per_second);
    return Format("{:.3f}", bytes_per_second / 1e6);
  }

  const model::Trace& trace_;
  std::map<int64_t, std::vector<std::string>> gpu_names_;
};

}  // namespace

std::vector<uint32_t> StartOrder(const model::Trace& trace) {
  std::vector<uint32_t> order(trace.operations.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto before = [&](uint32_t a, uint32_t b) {
    return trace.operations[a].start_ns < trace.operations[b].start_ns;
  };
  const auto kernels_end = order.begin() + static_cast<std::ptrdiff_t>(trace.kernel_count);
  const auto copies_end = kernels_end + static_cast<std::ptrdiff_t>(trace.copy_count);
  for (const auto& [begin, end] : {std::pair(order.begin(), kernels_end), std::pair(kernels_end, copies_end),
                                   std::pair(copies_end, order.end())}) {
    if (!std::is_sorted(begin, end, before)) std::stable_sort(begin, end, before);
  }
  std::inplace_merge(kernels_end, copies_end, order.end(), before);
  std::inplace_merge(order.begin(), kernels_end, order.end(), before);
  return order;
}

std::optional<std::string_view> CopyLabel(const model::Trace& trace, int64_t copy_kind) {
  return LabelOf(copy_kind, trace.copy_labels, kCopyLabels);
}
std::optional<std::string_view> MemoryLabel(const model::Trace& trace, int64_t memory_kind) {
  return LabelOf(memory_kind, trace.memory_labels, kMemoryLabels);
}

Result<std::vector<model::CopyTotal>> WriteGpuTrace(const model::Trace& trace, ReportNames& report_names,
                                                    int threads, Output& output, uint64_t& unnamed_kinds) {
  std::vector<model::CopyTotal> totals;
  if (trace.operations.empty()) return totals;  // nsys leaves the file empty, without a header
  const GpuTrace gpu(trace);
  // Shapes are few in most traces; where they are not, text for each would outweigh the operations.
  const bool prepare = trace.shapes.size() <= 4096 + trace.operations.size() / 64;
  std::vector<ShapeText> texts;
  if (prepare) {
    texts.reserve(trace.shapes.size());
    for (const OperationShape& shape : trace.shapes) texts.push_back(gpu.Describe(shape));
  }
  const auto text_of = [&](const GpuOperation& operation) {
    return gpu.Describe(trace.shapes[operation.shape]);
  };

  const std::vector<uint32_t> order = StartOrder(trace);
  const std::vector<size_t> chunks = SplitByBytes(order.size(), [&](size_t i) {
    const uint32_t shape = trace.operations[order[i]].shape;
    if (!prepare) return size_t{300};
    return 40 + texts[shape].before.size() + (texts[shape].after.empty() ? 0 : texts[shape].after[0].size());
  });
  output.Write(kHeader);
  WriteInOrder(threads, chunks.size() - 1, output, [&](int, size_t task, std::string& buffer) {
    if (!CheckInterrupt().ok()) return;
    RowWriter row(buffer);
    for (size_t i = chunks[task]; i < chunks[task + 1]; ++i) {
      const GpuOperation& operation = trace.operations[order[i]];
      const int64_t bytes =
          order[i] < trace.kernel_count ? kNullInteger : trace.memory_bytes[order[i] - trace.kernel_count];
      if (prepare) {
        gpu.WriteRow(operation, texts[operation.shape], bytes, row);
      } else {
        gpu.WriteRow(operation, text_of(operation), bytes, row);
      }
    }
  });
  RETURN_IF_ERROR(CheckInterrupt());

  struct Sum {
    Int128 instances = 0;
    Int128 bytes = 0;
    Int128 duration_ns = 0;
  };
  std::map<std::pair<std::string, std::string>, Sum> sums;
  for (size_t i = trace.kernel_count; i < trace.kernel_count + trace.copy_count; ++i) {
    const GpuOperation& operation = trace.operations[i];
    const ShapeText text = prepare ? texts[operation.shape] : text_of(operation);
    if (!text.is_copy) continue;
    const auto rows = static_cast<int64_t>(text.after.size());
    if (!text.source || !text.destination || text.source->empty() || text.destination->empty()) {
      unnamed_kinds += static_cast<uint64_t>(rows);
    }
    Sum& sum = sums[{std::string(text.source.value_or("")), std::string(text.destination.value_or(""))}];
    const int64_t bytes = trace.memory_bytes[i - trace.kernel_count];
    sum.instances += rows;
    sum.bytes += Int128{rows} * (bytes == kNullInteger ? 0 : bytes);
    sum.duration_ns += Int128{rows} * (operation.end_ns - operation.start_ns);
  }
  for (const auto& [kinds, sum] : sums) {
    const auto bytes = Narrow(sum.bytes);
    const auto duration = Narrow(sum.duration_ns);
    if (!bytes || !duration) {
      return Error{.code = Code::kTotalOverflow, .message = "the copies sum up beyond 64 bits"};
    }
    totals.push_back({report_names.Plain(kinds.first), report_names.Plain(kinds.second),
                      static_cast<int64_t>(sum.instances), *bytes, *duration});
  }
  return totals;
}

}  // namespace rangewise::tables
