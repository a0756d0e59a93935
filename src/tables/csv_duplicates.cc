#include "tables/csv_duplicates.h"

#include <set>
#include <tuple>

#include "base/files.h"
#include "base/text.h"
#include "format/csv_record.h"
#include "tables/csv_fields.h"
#include "tables/csv_table.h"

namespace rangewise::tables {
namespace {

enum : size_t { kPid, kTid, kRangeId };
constexpr ColumnSpec kColumns[] = {{"PID"}, {"TID"}, {"RangeId"}};

using RangeKey = std::tuple<int64_t, int64_t, int64_t>;

// Stops at the first row whose range came before, or, when given one, at the first row of that
// range.
class KeySink : public TableSink {
 public:
  KeySink(model::Report report, const std::filesystem::path& file, const std::string& version_text)
      : TableSink(report, file, version_text, kColumns) {}

  std::optional<format::CsvFault> Take(size_t, const format::CsvBatch& batch) override {
    for (size_t record = 0; record < batch.records(); ++record) {
      int64_t parts[3] = {};
      bool is_range = true;
      for (size_t spec = 0; spec < 3; ++spec) {
        is_range = is_range && ParseInteger(batch.Raw(record, column(spec).index), parts[spec]);
      }
      if (!is_range) continue;
      const RangeKey key{parts[kPid], parts[kTid], parts[kRangeId]};
      if (wanted ? key != *wanted : seen_.insert(key).second) continue;
      found = key;
      return format::CsvFault{record, column(kRangeId).index, Code::kDuplicateRange, {}};
    }
    return std::nullopt;
  }

  std::optional<RangeKey> wanted;
  RangeKey found;

 private:
  std::set<RangeKey> seen_;
};

}  // namespace

Error DuplicateRange(model::Report report, const std::filesystem::path& file,
                     const std::string& version_text) {
  constexpr size_t kPieceBytes = size_t{1} << 20;
  Result<InputFile> input = InputFile::Open(file);
  if (!input.ok()) return input.error();
  KeySink sink(report, file, version_text);
  Result<Fingerprint> second = format::ReadCsvSequentially(*input, sink, 0, kPieceBytes);
  if (second.ok())
    return Error{Code::kReadFailed, "the table changed while it was read", {.file = file.string()}};
  if (second.error().code != Code::kDuplicateRange) return second.error();
  sink.wanted = sink.found;
  Result<Fingerprint> first = format::ReadCsvSequentially(*input, sink, 0, kPieceBytes);
  if (first.ok())
    return Error{Code::kReadFailed, "the table changed while it was read", {.file = file.string()}};

  const auto [process, thread, range] = sink.found;
  Error error = std::move(second).error();
  error.message = Format("the range {} of process {}, thread {} stands in lines {} and {} of {}",
                         range, process, thread, first.error().where.line, error.where.line,
                         model::ReportName(report));
  return error;
}

}  // namespace rangewise::tables
