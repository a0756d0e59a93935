#include "tables/csv_kernels.h"

#include "tables/csv_fields.h"

namespace rangewise::tables {
namespace {

enum : size_t { kTotal, kInstances, kName };
constexpr ColumnSpec kColumns[] = {{"Total Time", ColumnKind::kTime}, {"Instances"}, {"Name"}};

}  // namespace

KernelSink::KernelSink(std::filesystem::path file, ReadContext& context,
                       std::vector<model::KernelTotal>& rows)
    : TableSink(model::Report::kKernelSummary, std::move(file), context.version_text, kColumns),
      context_(context),
      rows_(rows) {}

std::optional<format::CsvFault> KernelSink::Take(size_t worker, const format::CsvBatch& batch) {
  std::vector<model::KernelTotal> rows(batch.records());
  std::string scratch;
  for (size_t record = 0; record < batch.records(); ++record) {
    auto raw = [&](size_t spec) { return batch.Raw(record, column(spec).index); };
    model::KernelTotal& row = rows[record];
    if (!ParseTime(raw(kTotal), column(kTotal).scale, row.duration_ns))
      return NoInteger(batch, record, kTotal);
    if (!ParseInteger(raw(kInstances), row.instances)) return NoInteger(batch, record, kInstances);
    row.name = context_.workers[worker].Name(format::CsvValue(raw(kName), scratch));
  }
  const std::lock_guard lock(mutex_);
  rows_.insert(rows_.end(), rows.begin(), rows.end());
  Count(batch.records());
  return std::nullopt;
}

void KernelSink::Restart() {
  TableSink::Restart();
  rows_.clear();
}

}  // namespace rangewise::tables
