// Owns CSV (RFC 4180) read at the speed of the disk: several files in pieces on all cores, each
// file read once, in order, with its fingerprint computed on the way; never mapped, so that a file
// that shrinks is an error. What is accepted is defined by the sequential parser (csv_record.h);
// the parallel reader gives exactly its records or steps back to it:
//   * fields are separated by ',', records end with LF or CRLF, the last one also with the end of
//     the file; a lone CR is data; blank lines are skipped;
//   * a field that begins with '"' is quoted: it may hold commas, line ends and doubled quotes, and
//     nothing may stand between its closing quote and the next separator; a quote elsewhere is
//     literal text;
//   * every record has as many fields as the header; a UTF-8 byte order mark is skipped; UTF-16 is
//     refused.
// The header is the first record that the sink recognises among the first lines of the file
// (kPreambleLines, kPreambleBytes); whatever stands before it is a preamble and need not be CSV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/result.h"

namespace rangewise::format {

inline constexpr uint64_t kPreambleLines = 1000;           // lines that are not blank
inline constexpr size_t kPreambleBytes = size_t{1} << 20;  // the header begins within these
inline constexpr size_t kHeaderBytes = size_t{1} << 20;    // and is no longer than this

// Consecutive records of one file with the same number of fields. Views point into the reader's
// buffer and end with the call that they were handed to; at least 8 bytes after any field may be
// read.
class CsvBatch {
 public:
  // `ends` holds `records` * `columns` offsets into `base`, of the separator that ends each field;
  // ends[-1] is the offset before the first field (UINT32_MAX for 0).
  CsvBatch(const char* base, const uint32_t* ends, size_t columns, size_t records)
      : base_(base), ends_(ends), columns_(columns), records_(records) {}

  size_t columns() const { return columns_; }
  size_t records() const { return records_; }

  // The field as it stands, with its quotes.
  std::string_view Raw(size_t record, size_t column) const {
    const uint32_t* end = ends_ + record * columns_ + column;
    const char* begin = base_ + static_cast<uint32_t>(end[-1] + 1);
    size_t length = static_cast<size_t>(base_ + *end - begin);
    if (column + 1 == columns_ && length > 0 && begin[length] == '\n' && begin[length - 1] == '\r')
      --length;
    return {begin, length};
  }

 private:
  const char* base_;
  const uint32_t* ends_;
  size_t columns_;
  size_t records_;
};

// The value of a raw field: itself, or what stands between its quotes, with doubled quotes halved
// into `scratch`.
std::string_view CsvValue(std::string_view raw, std::string& scratch);

// Something wrong with a field; the reader finds out the position.
struct CsvFault {
  size_t record = 0;  // in the batch
  size_t column = 0;
  Code code = Code::kCsvSyntax;
  std::string message;
};

// What is done with the records of one file. Calls for the head and Restart come from one thread at
// a time.
class CsvSink {
 public:
  virtual ~CsvSink() = default;
  // Whether `cells` is the header. Called for the records at the head of the file in order, until
  // one is accepted. A status that is not ok ends the reading of this file. `line` is the record's
  // first line, from 1.
  virtual Result<bool> IsHeader(std::span<const std::string> cells, uint64_t line) = 0;
  // No record was accepted; `blank`: the file holds nothing but white space. The status is the
  // file's.
  virtual Status NoHeader(bool blank) = 0;
  // Records after the header. Called from several threads at once, batches in any order; `worker`
  // is below the reader's number of threads and belongs to the calling thread. When several batches
  // have faults, the one that is earliest in the file becomes the error.
  virtual std::optional<CsvFault> Take(size_t worker, const CsvBatch& batch) = 0;
  // Forget everything taken: the file is about to be read again from its start.
  virtual void Restart() = 0;
  // About how many records will come, given that `records` took `bytes` of a file with
  // `total_bytes`. Called at most a few times; a hint for reserving memory.
  virtual void Expect(uint64_t records) = 0;
};

struct CsvSource {
  std::filesystem::path path;
  CsvSink* sink = nullptr;
};

struct CsvReadOptions {
  int threads = 0;                         // 0: as many as there are cores
  size_t piece_bytes = size_t{512} << 10;  // what a thread parses at a time
};

// How many threads a request for `threads` means (0: as many as there are cores).
size_t CsvThreads(int threads);

// Reads all files. Fingerprints in the order of `sources`. The error is that of the first source
// that has one, and within it the earliest in the file: kCsvSyntax, kCsvEncoding, kFileShrank,
// kReadFailed, kInterrupted, or the sink's.
Result<std::vector<Fingerprint>> ReadCsvFiles(std::span<const CsvSource> sources,
                                              const CsvReadOptions& options);

}  // namespace rangewise::format
