#include "tables/csv_projection.h"

#include "tables/csv_fields.h"

namespace rangewise::tables {
namespace {

enum : size_t {
  kName,
  kProjected,
  kOriginal,
  kStyle,
  kPid,
  kTid,
  kOperations,
  kLevel,
  kRangeId,
  kParentId
};
constexpr ColumnSpec kColumns[] = {{"Name"},
                                   {"Projected Duration", ColumnKind::kTime},
                                   {"Orig Duration", ColumnKind::kTime},
                                   {"Style"},
                                   {"PID"},
                                   {"TID"},
                                   {"NumGPUOps"},
                                   {"Lvl"},
                                   {"RangeId"},
                                   {"ParentId"}};

}  // namespace

ProjectionSink::ProjectionSink(std::filesystem::path file, ReadContext& context,
                               std::vector<model::ProjectedRange>& rows)
    : TableSink(model::Report::kGpuProjection, std::move(file), context.version_text, kColumns),
      context_(context),
      rows_(rows),
      batches_(context.workers.size()) {}

std::optional<format::CsvFault> ProjectionSink::Take(size_t worker, const format::CsvBatch& batch) {
  std::vector<model::ProjectedRange>& rows = batches_[worker];
  WorkerInterning& interning = context_.workers[worker];
  rows.resize(batch.records());
  size_t kept = 0;
  std::string scratch;
  for (size_t record = 0; record < batch.records(); ++record) {
    auto raw = [&](size_t spec) { return batch.Raw(record, column(spec).index); };
    auto time = [&](size_t spec, int64_t& value) {
      return ParseTime(raw(spec), column(spec).scale, value);
    };
    auto integer = [&](size_t spec, int64_t& value) { return ParseInteger(raw(spec), value); };
    if (IsEmptyField(raw(kName)) && IsEmptyField(raw(kRangeId))) continue;
    model::ProjectedRange& row = rows[kept];
    model::ThreadKey thread;
    if (!time(kProjected, row.projected.ns)) return NoInteger(batch, record, kProjected);
    if (!time(kOriginal, row.original.ns)) return NoInteger(batch, record, kOriginal);
    if (!integer(kPid, thread.process_id)) return NoInteger(batch, record, kPid);
    if (!integer(kTid, thread.thread_id)) return NoInteger(batch, record, kTid);
    if (!integer(kOperations, row.operations)) return NoInteger(batch, record, kOperations);
    if (!integer(kRangeId, row.range_id)) return NoInteger(batch, record, kRangeId);
    row.parent_id = model::kNoParent;
    if (!IsEmptyField(raw(kParentId)) && !integer(kParentId, row.parent_id))
      return NoInteger(batch, record, kParentId);
    int64_t level = 0;
    row.has_level = !IsEmptyField(raw(kLevel));
    if (row.has_level && !integer(kLevel, level)) return NoInteger(batch, record, kLevel);

    const std::string_view style = format::CsvValue(raw(kStyle), scratch);
    if (style == model::StyleName(model::Style::kPushPop)) {
      row.style = model::Style::kPushPop;
    } else if (style == model::StyleName(model::Style::kStartEnd)) {
      row.style = model::Style::kStartEnd;
    } else {
      return format::CsvFault{
          record, column(kStyle).index, Code::kCsvSyntax,
          Format("the column 'Style' holds {}, 'PushPop' or 'StartEnd' was expected",
                 Quoted(style))};
    }
    row.name = interning.Name(model::SplitRangeName(format::CsvValue(raw(kName), scratch)));
    row.thread = interning.Thread(thread) & (model::kMostThreads - 1);
    ++kept;
  }
  rows_.Append({rows.data(), kept});
  Count(batch.records());
  return std::nullopt;
}

void ProjectionSink::Restart() {
  TableSink::Restart();
  rows_.Clear();
}

}  // namespace rangewise::tables
