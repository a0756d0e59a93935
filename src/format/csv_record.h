// Owns the meaning of CSV bytes, one record at a time and without hurry: the definition that the
// parallel reader (csv.h) keeps to, the head of a file (byte order mark, preamble, header), and the
// sequential pass over a whole file that is used when the fast one meets something unusual, and
// which knows lines and columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/hash.h"
#include "base/result.h"
#include "format/csv.h"

namespace rangewise::format {

enum class RecordEnd : uint8_t {
  kComplete,
  kNeedMore,        // the text ends within the record, and it is not the end of the file
  kTextAfterQuote,  // `trouble` is where it begins
  kUnterminated,    // the file ends within quotes; `trouble` is the opening quote
};

struct RecordScan {
  RecordEnd end = RecordEnd::kComplete;
  size_t next = 0;     // offset after the record and its line end
  size_t trouble = 0;  // offset
};

// Scans the record that begins at `text[begin]`; `text` ends there where `at_end_of_file` says so.
// Appends the offset in `text` of each field's separator to `ends` (of the LF for the last, or
// text.size() at the end of the file). Text below 4 GiB. Blank lines are the caller's business.
RecordScan ScanRecord(std::string_view text, size_t begin, bool at_end_of_file,
                      std::vector<uint32_t>& ends);

// Length of the blank line (nothing, or CR, before the LF) at `text[begin]`, or 0. At the end of
// the file a lone CR is data.
size_t BlankLine(std::string_view text, size_t begin);

// Searches the head of a file for its header; may be asked again with more of the same text.
class HeadSearch {
 public:
  HeadSearch(const std::filesystem::path& path, CsvSink& sink) : path_(path), sink_(sink) {}

  enum class Answer : uint8_t { kFound, kNeedMore, kNone };
  // kNone: the sink has agreed to a file without header, and nothing is to be read from it.
  Result<Answer> Search(std::string_view text, bool at_end_of_file);

  size_t data_begin() const { return at_; }     // offset after the header
  uint64_t data_line() const { return line_; }  // line of that offset, from 1
  size_t columns() const { return columns_; }

 private:
  Error EncodingError(const char* evidence) const;
  std::filesystem::path path_;
  CsvSink& sink_;
  bool started_ = false;
  size_t at_ = 0;
  uint64_t line_ = 1;
  uint64_t lines_tried_ = 0;
  size_t columns_ = 0;
};

// Reads the whole file from its start, in order, handing batches to the sink as worker `worker`.
Result<Fingerprint> ReadCsvSequentially(const InputFile& file, CsvSink& sink, size_t worker,
                                        size_t piece_bytes);

}  // namespace rangewise::format
