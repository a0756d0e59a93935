#include "tables/csv_pushpop.h"

#include "tables/csv_fields.h"

namespace rangewise::tables {
namespace {

enum : size_t {
  kStart,
  kDuration,
  kDurChild,
  kDurNonChild,
  kName,
  kPid,
  kTid,
  kRangeId,
  kParentId
};
constexpr ColumnSpec kColumns[] = {{"Start", ColumnKind::kTime},
                                   {"Duration", ColumnKind::kTime},
                                   {"DurChild", ColumnKind::kTime},
                                   {"DurNonChild", ColumnKind::kTime},
                                   {"Name"},
                                   {"PID"},
                                   {"TID"},
                                   {"RangeId"},
                                   {"ParentId"}};

}  // namespace

PushPopSink::PushPopSink(std::filesystem::path file, ReadContext& context,
                         std::vector<model::HostRange>& rows)
    : TableSink(model::Report::kPushPop, std::move(file), context.version_text, kColumns),
      context_(context),
      rows_(rows),
      batches_(context.workers.size()) {}

std::optional<format::CsvFault> PushPopSink::Take(size_t worker, const format::CsvBatch& batch) {
  std::vector<model::HostRange>& rows = batches_[worker];
  WorkerInterning& interning = context_.workers[worker];
  const size_t name_column = column(kName).index;
  rows.resize(batch.records());
  std::string scratch;
  bool all_have_colon = true;
  for (size_t record = 0; record < batch.records(); ++record) {
    auto time = [&](size_t spec, int64_t& value) {
      return ParseTime(batch.Raw(record, column(spec).index), column(spec).scale, value);
    };
    auto integer = [&](size_t spec, int64_t& value) {
      return ParseInteger(batch.Raw(record, column(spec).index), value);
    };
    model::HostRange& row = rows[record];
    model::ThreadKey thread;
    if (!time(kStart, row.start.ns)) return NoInteger(batch, record, kStart);
    if (!time(kDuration, row.inclusive.ns)) return NoInteger(batch, record, kDuration);
    if (!time(kDurChild, row.children.ns)) return NoInteger(batch, record, kDurChild);
    if (!time(kDurNonChild, row.exclusive.ns)) return NoInteger(batch, record, kDurNonChild);
    if (!integer(kPid, thread.process_id)) return NoInteger(batch, record, kPid);
    if (!integer(kTid, thread.thread_id)) return NoInteger(batch, record, kTid);
    if (!integer(kRangeId, row.range_id)) return NoInteger(batch, record, kRangeId);
    row.parent_id = model::kNoParent;
    if (!IsEmptyField(batch.Raw(record, column(kParentId).index)) &&
        !integer(kParentId, row.parent_id)) {
      return NoInteger(batch, record, kParentId);
    }
    const std::string_view name = format::CsvValue(batch.Raw(record, name_column), scratch);
    const model::RangeName split = model::SplitRangeName(name);
    all_have_colon = all_have_colon && split.domain != model::kUnknownDomain;
    row.name = interning.Name(split);
    row.thread = interning.Thread(thread);
  }
  if (!all_have_colon) all_names_have_colon_ = false;
  rows_.Append(rows);
  Count(batch.records());
  return std::nullopt;
}

void PushPopSink::Restart() {
  TableSink::Restart();
  rows_.Clear();
  all_names_have_colon_ = true;
}

}  // namespace rangewise::tables
