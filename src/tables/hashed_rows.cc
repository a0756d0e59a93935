#include "tables/hashed_rows.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <optional>
#include <set>

#include "base/files.h"
#include "base/hash.h"
#include "base/text.h"
#include "format/csv.h"
#include "format/csv_record.h"

namespace rangewise::tables {
namespace {

using format::CsvBatch;
using format::CsvFault;
using model::Report;

constexpr std::array<std::string_view, 3> kRangeKey = {"PID", "TID", "RangeId"};
constexpr std::array<std::string_view, 1> kKernelKey = {"Name"};
constexpr std::array<std::string_view, 4> kOperationKey = {"Start (ns)", "CorrId", "Strm", "Name"};

constexpr size_t kPieceBytes = size_t{1} << 20;

// Finds the header that ReadTableHead described; what is done with rows is left to others.
class HeaderSink : public format::CsvSink {
 public:
  explicit HeaderSink(const TableHead& head) : head_(head) {}
  Result<bool> IsHeader(std::span<const std::string> cells, uint64_t) override {
    return std::equal(cells.begin(), cells.end(), head_.headings.begin(), head_.headings.end());
  }
  Status NoHeader(bool) override {
    return Error{.code = Code::kFileShrank,
                 .message = "the table changed while it was read",
                 .where = {.file = head_.path.string()}};
  }
  void Restart() override {}
  void Expect(uint64_t) override {}

 private:
  const TableHead& head_;
};

class HeadSink : public format::CsvSink {
 public:
  HeadSink(Report report, TableHead& head) : report_(report), head_(head) {}

  Result<bool> IsHeader(std::span<const std::string> cells, uint64_t line) override {
    for (const std::string_view key : KeyColumns(report_)) {
      if (std::find(cells.begin(), cells.end(), key) == cells.end()) return false;
    }
    std::set<std::string_view> seen;
    for (const std::string& cell : cells) {
      if (seen.insert(cell).second) continue;
      return Error{.code = Code::kDuplicateColumn,
                   .message = Format("the table {} has the column {} twice",
                                     model::ReportName(report_), Quoted(cell)),
                   .where = {.file = head_.path.string(), .line = line}};
    }
    head_.headings.assign(cells.begin(), cells.end());
    return true;
  }
  Status NoHeader(bool blank) override { return blank ? Ok() : Status(Missing()); }
  std::optional<CsvFault> Take(size_t, const CsvBatch&) override { return std::nullopt; }
  void Restart() override {}
  void Expect(uint64_t) override {}

  Error Missing() const {
    std::vector<std::string> names;
    for (const std::string_view key : KeyColumns(report_)) names.emplace_back(key);
    return Error{.code = Code::kMissingColumn,
                 .message = Format("no line is a header of {} with the columns {}",
                                   model::ReportName(report_), QuotedList(names)),
                 .where = {.file = head_.path.string()},
                 .hint = "make the table with `nsys stats --format csv:mem=B`"};
  }

 private:
  Report report_;
  TableHead& head_;
};

// Text that differs when any of the values differs, whatever bytes they hold.
void AppendValue(std::string& text, std::string_view value) {
  const uint64_t length = value.size();
  char bytes[sizeof length];
  std::memcpy(bytes, &length, sizeof length);
  text.append(bytes, sizeof length);
  text.append(value);
}

class HashSink : public HeaderSink {
 public:
  HashSink(const TableHead& head, std::span<const size_t> keys, std::span<const size_t> values)
      : HeaderSink(head), keys_(keys), values_(values) {
    has_thread_ = head.Find(kRangeKey[0]) == keys.front();
  }

  std::optional<CsvFault> Take(size_t, const CsvBatch& batch) override {
    for (size_t record = 0; record < batch.records(); ++record) {
      HashedRow row;
      row.key = HashOf(batch, record, keys_);
      row.values = HashOf(batch, record, values_);
      row.place = rows_.size();
      if (has_thread_ && batch.Raw(record, keys_.front()).empty()) {
        row.place |= HashedRow::kThreadless;
      }
      rows_.push_back(row);
    }
    return std::nullopt;
  }
  void Restart() override { rows_.clear(); }
  std::vector<HashedRow>& rows() { return rows_; }

 private:
  uint64_t HashOf(const CsvBatch& batch, size_t record, std::span<const size_t> columns) {
    text_.clear();
    for (const size_t column : columns) {
      AppendValue(text_, format::CsvValue(batch.Raw(record, column), scratch_));
    }
    return Hash64(text_);
  }

  std::span<const size_t> keys_;
  std::span<const size_t> values_;
  bool has_thread_ = false;
  std::string text_;
  std::string scratch_;
  std::vector<HashedRow> rows_;
};

class VisitSink : public HeaderSink {
 public:
  VisitSink(const TableHead& head, std::span<const size_t> keys,
            const std::unordered_set<uint64_t>& wanted, const TakeRow& take)
      : HeaderSink(head), keys_(keys), wanted_(wanted), take_(take) {}

  std::optional<CsvFault> Take(size_t, const CsvBatch& batch) override {
    std::vector<std::string> fields(batch.columns());
    std::string scratch;
    for (size_t record = 0; record < batch.records(); ++record) {
      std::string key;
      for (const size_t column : keys_) {
        AppendValue(key, format::CsvValue(batch.Raw(record, column), scratch));
      }
      const uint64_t hash = Hash64(key);
      if (wanted_.find(hash) == wanted_.end()) continue;
      for (size_t column = 0; column < fields.size(); ++column) {
        fields[column] = format::CsvValue(batch.Raw(record, column), scratch);
      }
      take_(hash, fields);
    }
    return std::nullopt;
  }

 private:
  std::span<const size_t> keys_;
  const std::unordered_set<uint64_t>& wanted_;
  const TakeRow& take_;
};

class SumSink : public HeaderSink {
 public:
  using HeaderSink::HeaderSink;
  std::optional<CsvFault> Take(size_t, const CsvBatch& batch) override {
    std::string text;
    for (size_t record = 0; record < batch.records(); ++record) {
      text.clear();
      for (size_t column = 0; column < batch.columns(); ++column) {
        AppendValue(text, batch.Raw(record, column));
      }
      sum_ += Hash64(text);
    }
    return std::nullopt;
  }
  void Restart() override { sum_ = 0; }
  uint64_t sum() const { return sum_; }

 private:
  uint64_t sum_ = 0;
};

class LookSink : public HeaderSink {
 public:
  LookSink(char c, const TableHead& head, size_t column)
      : HeaderSink(head), c_(c), column_(column) {}
  std::optional<CsvFault> Take(size_t, const CsvBatch& batch) override {
    found_.rows += batch.records();
    for (size_t record = 0; record < batch.records() && !found_.holds; ++record) {
      found_.holds = batch.Raw(record, column_).find(c_) != std::string_view::npos;
    }
    return std::nullopt;
  }
  void Restart() override { found_ = {}; }
  const ColumnContents& found() const { return found_; }

 private:
  char c_;
  size_t column_;
  ColumnContents found_;
};

class CountSink : public HeaderSink {
 public:
  using HeaderSink::HeaderSink;
  std::optional<CsvFault> Take(size_t, const CsvBatch& batch) override {
    rows_ += batch.records();
    return std::nullopt;
  }
  void Restart() override { rows_ = 0; }
  uint64_t rows() const { return rows_; }

 private:
  std::atomic<uint64_t> rows_ = 0;
};

class PickSink : public HeaderSink {
 public:
  PickSink(const TableHead& head, std::span<const uint64_t> wanted)
      : HeaderSink(head), wanted_(wanted) {}

  std::optional<CsvFault> Take(size_t, const CsvBatch& batch) override {
    std::string scratch;
    while (next_ < wanted_.size() && wanted_[next_] < before_ + batch.records()) {
      const auto record = static_cast<size_t>(wanted_[next_] - before_);
      std::vector<std::string>& fields = rows_[wanted_[next_]];
      for (size_t column = 0; column < batch.columns(); ++column) {
        fields.emplace_back(format::CsvValue(batch.Raw(record, column), scratch));
      }
      ++next_;
    }
    before_ += batch.records();
    return std::nullopt;
  }
  std::map<uint64_t, std::vector<std::string>>& rows() { return rows_; }

 private:
  std::span<const uint64_t> wanted_;
  size_t next_ = 0;
  uint64_t before_ = 0;
  std::map<uint64_t, std::vector<std::string>> rows_;
};

// The order of records matters here, so one thread reads.
Status ReadInOrder(const TableHead& head, format::CsvSink& sink) {
  if (head.blank()) return Ok();
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(head.path));
  const auto fingerprint = format::ReadCsvSequentially(file, sink, 0, kPieceBytes);
  if (!fingerprint.ok()) return fingerprint.error();
  return Ok();
}

}  // namespace

std::span<const std::string_view> KeyColumns(Report report) {
  switch (report) {
    case Report::kKernelSummary:
      return kKernelKey;
    case Report::kGpuTrace:
      return kOperationKey;
    case Report::kPushPop:
    case Report::kGpuProjection:
      break;
  }
  return kRangeKey;
}

size_t TableHead::Find(std::string_view heading) const {
  const auto found = std::find(headings.begin(), headings.end(), heading);
  return found == headings.end() ? SIZE_MAX : static_cast<size_t>(found - headings.begin());
}

Result<TableHead> ReadTableHead(Report report, const std::filesystem::path& path) {
  TableHead head{.path = path, .headings = {}};
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
  const uint64_t limit = format::kPreambleBytes + format::kHeaderBytes + 1;
  std::string text(static_cast<size_t>(std::min(file.size(), limit)), '\0');
  RETURN_IF_ERROR(file.ReadAt(0, text.data(), text.size()));
  HeadSink sink(report, head);
  format::HeadSearch search(path, sink);
  const auto found = search.Search(text, text.size() == file.size());
  if (!found.ok()) {
    const bool only_cr =
        text.find('\n') == std::string::npos && text.find('\r') != std::string::npos;
    if (!only_cr || found.error().code != Code::kMissingColumn) return found.error();
    return Error{.code = Code::kCsvSyntax,
                 .message = "the lines end in CR alone; LF or CR LF was expected",
                 .where = {.file = path.string()}};
  }
  const format::HeadSearch::Answer answer = *found;
  if (answer == format::HeadSearch::Answer::kNeedMore) return sink.Missing();
  return head;
}

Result<std::vector<HashedRow>> HashRows(const TableHead& head, std::span<const size_t> keys,
                                        std::span<const size_t> values) {
  if (head.blank()) return std::vector<HashedRow>();
  HashSink sink(head, keys, values);
  RETURN_IF_ERROR(ReadInOrder(head, sink));
  return std::move(sink.rows());
}

uint64_t HashOfValues(std::span<const std::string_view> values) {
  std::string text;
  for (const std::string_view value : values) AppendValue(text, value);
  return Hash64(text);
}

Status VisitRows(const TableHead& head, std::span<const size_t> keys,
                 const std::unordered_set<uint64_t>& wanted, const TakeRow& take) {
  VisitSink sink(head, keys, wanted, take);
  return ReadInOrder(head, sink);
}

Result<uint64_t> SumOfRows(const TableHead& head) {
  SumSink sink(head);
  RETURN_IF_ERROR(ReadInOrder(head, sink));
  return sink.sum();
}

Result<ColumnContents> LookFor(char c, const TableHead& head, size_t column) {
  LookSink sink(c, head, column);
  RETURN_IF_ERROR(ReadInOrder(head, sink));
  return sink.found();
}

Result<uint64_t> CountRows(const TableHead& head, int threads) {
  if (head.blank()) return uint64_t{0};
  CountSink sink(head);
  const format::CsvSource source{.path = head.path, .sink = &sink};
  const auto read = format::ReadCsvFiles({&source, 1}, {.threads = threads});
  if (!read.ok()) return read.error();
  return sink.rows();
}

Result<std::map<uint64_t, std::vector<std::string>>> ReadRows(const TableHead& head,
                                                              std::span<const uint64_t> wanted) {
  PickSink sink(head, wanted);
  if (!wanted.empty()) RETURN_IF_ERROR(ReadInOrder(head, sink));
  return std::move(sink.rows());
}

}  // namespace rangewise::tables
