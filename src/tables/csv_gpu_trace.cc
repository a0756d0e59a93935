#include "tables/csv_gpu_trace.h"

#include <map>
#include <tuple>

#include "tables/csv_fields.h"

namespace rangewise::tables {
namespace {

enum : size_t { kDuration, kBytes, kSource, kDestination, kName };
constexpr ColumnSpec kColumns[] = {{"Duration", ColumnKind::kTime},
                                   {"Bytes", ColumnKind::kMemory},
                                   {"SrcMemKd"},
                                   {"DstMemKd"},
                                   {"Name"}};

}  // namespace

bool IsCopy(std::string_view name) {
  return name.ends_with(']') &&
         (name.starts_with("[CUDA memcpy ") || name.starts_with("[CUDA Unified Memory memcpy "));
}

GpuTraceSink::GpuTraceSink(std::filesystem::path file, ReadContext& context)
    : TableSink(model::Report::kGpuTrace, file, context.version_text, kColumns),
      file_(std::move(file)),
      context_(context),
      sums_(context.workers.size()) {}

bool GpuTraceSink::in_bytes() const { return column(kBytes).scale == 1; }
const std::string& GpuTraceSink::bytes_heading() const { return column(kBytes).heading; }

std::optional<format::CsvFault> GpuTraceSink::Take(size_t worker, const format::CsvBatch& batch) {
  Count(batch.records());
  if (!in_bytes()) return std::nullopt;
  WorkerInterning& interning = context_.workers[worker];
  const size_t name_column = column(kName).index;
  std::string scratch;
  for (size_t record = 0; record < batch.records(); ++record) {
    auto raw = [&](size_t spec) { return batch.Raw(record, column(spec).index); };
    const std::string_view raw_name = batch.Raw(record, name_column);
    // Most rows are kernels, and one look tells.
    if (raw_name.empty() || (raw_name.front() != '[' && raw_name.front() != '"')) continue;
    if (!IsCopy(format::CsvValue(raw_name, scratch))) continue;
    int64_t duration_ns = 0;
    int64_t bytes = 0;
    if (!ParseTime(raw(kDuration), column(kDuration).scale, duration_ns))
      return NoInteger(batch, record, kDuration);
    if (!ParseInteger(raw(kBytes), bytes)) return NoInteger(batch, record, kBytes);
    const auto source =
        static_cast<uint32_t>(interning.Name(format::CsvValue(raw(kSource), scratch)));
    const auto destination =
        static_cast<uint32_t>(interning.Name(format::CsvValue(raw(kDestination), scratch)));
    Sum& sum = sums_[worker][uint64_t{source} << 32 | destination];
    ++sum.instances;
    sum.bytes += bytes;
    sum.duration_ns += duration_ns;
  }
  return std::nullopt;
}

void GpuTraceSink::Restart() {
  TableSink::Restart();
  for (Sums& sums : sums_) sums.clear();
}

Result<std::vector<model::CopyTotal>> GpuTraceSink::Totals() const {
  std::map<uint64_t, Sum> merged;
  for (const Sums& sums : sums_) {
    for (const auto& [kinds, sum] : sums) {
      Sum& into = merged[kinds];
      into.instances += sum.instances;
      into.bytes += sum.bytes;
      into.duration_ns += sum.duration_ns;
    }
  }
  std::vector<model::CopyTotal> totals;
  for (const auto& [kinds, sum] : merged) {
    const std::optional<int64_t> bytes = Narrow(sum.bytes);
    const std::optional<int64_t> duration_ns = Narrow(sum.duration_ns);
    if (!bytes || !duration_ns) {
      Error error{Code::kTotalOverflow,
                  "the bytes or durations of all copies of one kind exceed 64 bits"};
      error.where.file = file_.string();
      return error;
    }
    totals.push_back({model::NameId{static_cast<uint32_t>(kinds >> 32)},
                      model::NameId{static_cast<uint32_t>(kinds)}, sum.instances, *bytes,
                      *duration_ns});
  }
  return totals;
}

}  // namespace rangewise::tables
