// Two targets in one, chosen by the first byte: arbitrary text as a table for the parallel reader
// with tiny pieces, which must agree with the obvious parser; and arbitrary text as one of the four
// reports, which must give the same rows or the same error in one large piece and in many small
// ones.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

#include "../tests/support/csv_reference.h"
#include "base/text.h"
#include "format/csv.h"
#include "tables/report_csv.h"

namespace {

using rangewise::Code;
using rangewise::Diagnostics;
using rangewise::Error;
using rangewise::Format;
using rangewise::Result;
using rangewise::Status;
using rangewise::test::CsvRecord;

void Demand(bool condition) {
  if (!condition) std::abort();
}

// A file in memory with a path of its own.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& text) : fd_(memfd_create("csv", MFD_CLOEXEC)) {
    Demand(fd_ >= 0 && write(fd_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(fd_); }
  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

class KeepingSink : public rangewise::format::CsvSink {
 public:
  Result<bool> IsHeader(std::span<const std::string>, uint64_t) override { return true; }
  Status NoHeader(bool) override { return rangewise::Ok(); }
  std::optional<rangewise::format::CsvFault> Take(
      size_t, const rangewise::format::CsvBatch& batch) override {
    std::string scratch;
    const std::lock_guard lock(mutex_);
    for (size_t record = 0; record < batch.records(); ++record) {
      CsvRecord fields;
      for (size_t column = 0; column < batch.columns(); ++column) {
        fields.emplace_back(rangewise::format::CsvValue(batch.Raw(record, column), scratch));
      }
      records.push_back(std::move(fields));
    }
    return std::nullopt;
  }
  void Restart() override { records.clear(); }
  void Expect(uint64_t) override {}
  std::vector<CsvRecord> records;

 private:
  std::mutex mutex_;
};

void CompareWithObviousParser(unsigned choice, const std::string& data) {
  static const char* const kHeaders[] = {"head\n", "head,b\n", "head,b,c\r\n", "\"head\",b,c,d\n"};
  const std::string text = kHeaders[choice % 4] + data;
  std::optional<std::vector<CsvRecord>> expected = rangewise::test::ParseCsvObviously(text);
  if (expected) std::sort(expected->begin(), expected->end());
  const MemoryFile file(text);
  std::optional<std::string> message;
  for (const size_t piece : {size_t{1} << 16, size_t{1}, size_t{3 + choice % 90}}) {
    KeepingSink sink;
    const rangewise::format::CsvSource source{file.path(), &sink};
    const int threads = piece > 1 && choice % 16 == 0 ? 3 : 1;
    const auto result = rangewise::format::ReadCsvFiles({&source, 1}, {threads, piece});
    Demand(result.ok() == expected.has_value());
    if (expected) {
      std::sort(sink.records.begin(), sink.records.end());
      Demand(sink.records == *expected);
      Demand((*result)[0].xxh3_128 == rangewise::Hash128Hex(text));
    } else {
      if (message) Demand(*message == Render(result.error()));
      message = Render(result.error());
    }
  }
}

// All that a reading says, but for the order of rows.
std::string Described(const Result<rangewise::tables::ReadResult>& result,
                      const Diagnostics& diagnostics) {
  if (!result.ok()) return Render(result.error());
  const rangewise::model::ReportTables& tables = result->tables;
  std::vector<std::string> rows;
  for (const auto& row : tables.host) {
    rows.push_back(Format("h {} {} {} {} {} {} {} {}", row.start.ns, row.inclusive.ns,
                          row.children.ns, row.exclusive.ns, row.range_id, row.parent_id,
                          tables.names.At(row.name), row.thread));
  }
  for (const auto& row : tables.projected) {
    rows.push_back(Format("p {} {} {} {} {} {} {} {} {}", row.projected.ns, row.original.ns,
                          row.range_id, row.parent_id, row.operations, tables.names.At(row.name),
                          row.thread, static_cast<int>(row.style), row.has_level));
  }
  if (tables.kernels) {
    for (const auto& row : *tables.kernels) {
      rows.push_back(
          Format("k {} {} {}", row.instances, row.duration_ns, tables.names.At(row.name)));
    }
  }
  if (tables.copies) {
    for (const auto& row : *tables.copies) {
      rows.push_back(Format("c {} {} {} {} {}", tables.names.At(row.source),
                            tables.names.At(row.destination), row.instances, row.bytes,
                            row.duration_ns));
    }
  }
  std::sort(rows.begin(), rows.end());
  std::string text = Format("{} {} {}\n", tables.kernels.has_value(), tables.copies.has_value(),
                            tables.names_carry_domains);
  for (const auto& thread : tables.threads)
    text += Format("{}/{}\n", thread.process_id, thread.thread_id);
  for (const std::string& row : rows) text += row + "\n";
  for (const rangewise::Warning& warning : diagnostics.warnings()) text += warning.Text() + "\n";
  return text;
}

void CompareReadings(unsigned choice, const std::string& data) {
  constexpr const char* kPushPop =
      "Start (ns),Duration (us),DurChild (ms),DurNonChild (ns),Name,PID,TID,RangeId,ParentId\n";
  constexpr const char* kProjection =
      "Name,Projected Duration (ns),Orig Duration "
      "(s),Style,PID,TID,NumGPUOps,Lvl,RangeId,ParentId\n";
  static const char* const kHeaders[] = {kPushPop, kProjection, "Total Time (ns),Instances,Name\n",
                                         "Duration (ns),Bytes (B),SrcMemKd,DstMemKd,Name\n"};
  static const char* const kRows[] = {"1,2,3,4,:a,1,2,3,\n", ":a,1,2,PushPop,1,2,1,0,3,\n",
                                      "5,1,k\n", "1,2,Pinned,Device,[CUDA memcpy H]\n"};
  const size_t target = choice % 4;
  std::vector<MemoryFile*> files;
  rangewise::tables::ReadRequest request;
  for (size_t report = 0; report < 4; ++report) {
    std::string text = kHeaders[report];
    text += kRows[report];
    if (report == target) text = choice % 8 < 4 ? kHeaders[report] + data : data;
    files.push_back(new MemoryFile(text));
    request.files[rangewise::model::kReports[report]] = files.back()->path();
  }
  std::optional<std::string> first;
  for (const size_t piece : {size_t{1} << 16, size_t{1}, size_t{2 + choice % 60}}) {
    request.threads = piece > 1 && choice % 16 == 0 ? 3 : 1;
    request.piece_bytes = piece;
    Diagnostics diagnostics;
    const std::string described = Described(ReadReportTables(request, diagnostics), diagnostics);
    if (first) Demand(described == *first);
    first = described;
  }
  for (const MemoryFile* file : files) delete file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2 || size > 100'000) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 2, size - 2);
  if (data[0] % 2 == 0) {
    CompareWithObviousParser(data[1], text);
  } else {
    CompareReadings(data[1], text);
  }
  return 0;
}
