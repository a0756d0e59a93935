#include "format/csv_record.h"

#include <algorithm>
#include <cstring>

#include "base/interrupt.h"
#include "base/text.h"

namespace rangewise::format {
namespace {

// Spare bytes behind a buffer's text, which CsvBatch promises to its users.
constexpr size_t kPadding = 64;
constexpr size_t kBatchRecords = 4096;
constexpr uint64_t kLargestText = UINT32_MAX - kPadding;

size_t Find(std::string_view text, size_t from, char wanted) {
  if (from >= text.size()) return std::string_view::npos;
  const void* hit = std::memchr(text.data() + from, wanted, text.size() - from);
  return hit ? static_cast<size_t>(static_cast<const char*>(hit) - text.data())
             : std::string_view::npos;
}

bool IsBlank(std::string_view text) { return Trimmed(text).empty(); }

// The offset of the separator that ends the unquoted field at `at`, or the end of the text.
size_t EndOfUnquoted(std::string_view text, size_t at) {
  while (at < text.size() && text[at] != ',' && text[at] != '\n') ++at;
  return at;
}

}  // namespace

std::string_view CsvValue(std::string_view raw, std::string& scratch) {
  if (raw.size() < 2 || raw.front() != '"') return raw;
  const std::string_view inner = raw.substr(1, raw.size() - 2);
  size_t quote = inner.find('"');
  if (quote == std::string_view::npos) return inner;
  scratch.clear();
  size_t from = 0;
  while (quote != std::string_view::npos) {
    scratch.append(inner.substr(from, quote + 1 - from));
    from = quote + 2;
    quote = from < inner.size() ? inner.find('"', from) : std::string_view::npos;
  }
  if (from < inner.size()) scratch.append(inner.substr(from));
  return scratch;
}

RecordScan ScanRecord(std::string_view text, size_t begin, bool at_end_of_file,
                      std::vector<uint32_t>& ends) {
  const RecordScan need_more{RecordEnd::kNeedMore, begin, begin};
  size_t at = begin;
  while (true) {
    size_t end = at;
    if (at < text.size() && text[at] == '"') {
      end = at + 1;
      while (true) {
        end = Find(text, end, '"');
        if (end == std::string_view::npos) {
          if (!at_end_of_file) return need_more;
          return {RecordEnd::kUnterminated, text.size(), at};
        }
        ++end;
        if (end == text.size() || text[end] != '"') break;
        ++end;
      }
      if (end == text.size() && !at_end_of_file) return need_more;
      if (end < text.size() && text[end] == '\r') {
        if (end + 1 == text.size() && !at_end_of_file) return need_more;
        if (end + 1 < text.size() && text[end + 1] == '\n') ++end;
      }
      if (end < text.size() && text[end] != ',' && text[end] != '\n') {
        return {RecordEnd::kTextAfterQuote, begin, end};
      }
    } else {
      end = EndOfUnquoted(text, at);
      if (end == text.size() && !at_end_of_file) return need_more;
    }
    ends.push_back(static_cast<uint32_t>(end));
    if (end == text.size()) return {RecordEnd::kComplete, end, 0};
    if (text[end] == '\n') return {RecordEnd::kComplete, end + 1, 0};
    at = end + 1;
  }
}

size_t BlankLine(std::string_view text, size_t begin) {
  if (begin < text.size() && text[begin] == '\n') return 1;
  if (begin + 1 < text.size() && text[begin] == '\r' && text[begin + 1] == '\n') return 2;
  return 0;
}

Error HeadSearch::EncodingError(const char* evidence) const {
  Error error{Code::kCsvEncoding, Format("the table {}; UTF-8 was expected", evidence)};
  error.where.file = path_.string();
  error.hint =
      "save the table as UTF-8, or make it again with nsys; PowerShell's `>` writes UTF-16";
  return error;
}

Result<HeadSearch::Answer> HeadSearch::Search(std::string_view text, bool at_end_of_file) {
  if (!started_) {
    if (text.size() < 3 && !at_end_of_file) return Answer::kNeedMore;
    const std::string_view mark = text.substr(0, 2);
    if (mark == "\xff\xfe" || mark == "\xfe\xff") {
      return EncodingError("is UTF-16 text, by its byte order mark");
    }
    if (text.substr(0, 3) == "\xef\xbb\xbf") at_ = 3;
    started_ = true;
  }
  std::vector<uint32_t> ends;
  std::vector<std::string> cells;
  while (at_ < text.size() && at_ < kPreambleBytes && lines_tried_ < kPreambleLines) {
    size_t line_end = Find(text, at_, '\n');
    if (line_end == std::string_view::npos) {
      const bool too_long = text.size() - at_ > kHeaderBytes;
      if (!at_end_of_file && !too_long) return Answer::kNeedMore;
      if (too_long) break;
      line_end = text.size();
    }
    if (IsBlank(text.substr(at_, line_end - at_))) {
      at_ = std::min(line_end + 1, text.size());
      ++line_;
      continue;
    }
    ends.clear();
    const RecordScan scan = ScanRecord(text, at_, at_end_of_file, ends);
    if (scan.end == RecordEnd::kNeedMore && text.size() - at_ <= kHeaderBytes)
      return Answer::kNeedMore;
    if (scan.end == RecordEnd::kComplete) {
      cells.clear();
      uint32_t before = static_cast<uint32_t>(at_) - 1;
      std::string scratch;
      const char* base = text.data();
      for (size_t column = 0; column < ends.size(); ++column) {
        size_t from = static_cast<uint32_t>(before + 1);
        std::string_view raw = text.substr(from, ends[column] - from);
        const bool is_last = column + 1 == ends.size();
        if (is_last && ends[column] < text.size() && !raw.empty() && base[ends[column] - 1] == '\r')
          raw.remove_suffix(1);
        cells.emplace_back(Trimmed(CsvValue(raw, scratch)));
        before = ends[column];
      }
      ASSIGN_OR_RETURN(const bool accepted, sink_.IsHeader(cells, line_));
      if (accepted) {
        for (const std::string& cell : cells) {
          if (cell.find('\r') == std::string::npos) continue;
          Error error{Code::kCsvSyntax,
                      "the lines end with a carriage return alone; a line feed was expected"};
          error.where.file = path_.string();
          error.where.line = line_;
          return error;
        }
        line_ += static_cast<uint64_t>(std::count(text.begin() + static_cast<ptrdiff_t>(at_),
                                                  text.begin() + static_cast<ptrdiff_t>(scan.next),
                                                  '\n'));
        at_ = scan.next;
        columns_ = ends.size();
        return Answer::kFound;
      }
    }
    // Whatever a preamble line holds, the next attempt begins on the next line: a stray quote hides
    // no header.
    ++lines_tried_;
    ++line_;
    at_ = std::min(line_end + 1, text.size());
  }
  if (at_ >= text.size() && !at_end_of_file && at_ < kPreambleBytes &&
      lines_tried_ < kPreambleLines) {
    return Answer::kNeedMore;
  }
  // UTF-16 without a mark: no header can be recognised in it, every other byte is NUL.
  if (text.substr(0, 4096).find('\0') != std::string_view::npos) {
    return EncodingError("holds NUL bytes, as UTF-16 text does");
  }
  const bool blank = at_end_of_file && at_ >= text.size() && lines_tried_ == 0;
  RETURN_IF_ERROR(sink_.NoHeader(blank));
  return Answer::kNone;
}

namespace {

// The text of a file from `begin` on, as far as it has been read; grows at the end and is cut at
// the front.
class SequentialText {
 public:
  SequentialText(const InputFile& file, size_t piece_bytes)
      : file_(file), piece_bytes_(piece_bytes) {}

  std::string_view text() const { return {buffer_.data(), size_}; }
  uint64_t text_offset() const { return offset_ - size_; }  // in the file
  bool at_end_of_file() const { return offset_ == file_.size(); }
  const Hasher128& hasher() const { return hasher_; }

  // Forgets the first `count` bytes and reads at least one more piece, twice as much when nothing
  // was forgotten, so that a field of any length is scanned in linear time.
  Status Advance(size_t count) {
    size_ -= count;
    std::memmove(buffer_.data(), buffer_.data() + count, size_);
    const uint64_t wanted = std::max<uint64_t>(piece_bytes_, count == 0 ? size_ : 0);
    const auto length = static_cast<size_t>(std::min<uint64_t>(wanted, file_.size() - offset_));
    if (size_ + length > kLargestText) {
      Error error{Code::kCsvSyntax, "a record is longer than 4 GiB"};
      error.where.file = file_.path().string();
      return error;
    }
    if (buffer_.size() < size_ + length + kPadding) buffer_.resize(size_ + length + kPadding);
    RETURN_IF_ERROR(file_.ReadAt(offset_, buffer_.data() + size_, length));
    hasher_.Update({buffer_.data() + size_, length});
    offset_ += length;
    size_ += length;
    std::memset(buffer_.data() + size_, 0, kPadding);
    return Ok();
  }

 private:
  const InputFile& file_;
  size_t piece_bytes_;
  std::vector<char> buffer_ = std::vector<char>(kPadding);
  size_t size_ = 0;
  uint64_t offset_ = 0;
  Hasher128 hasher_;
};

// Gathers records of one text into batches, and turns faults into errors with their position.
class SequentialBatch {
 public:
  SequentialBatch(const InputFile& file, CsvSink& sink, size_t worker, size_t columns)
      : file_(file), sink_(sink), worker_(worker), columns_(columns) {}

  size_t records() const { return begins_.size(); }

  // `ends` of one more record that begins at `begin` on `line`. Records of a batch lie next to each
  // other.
  Status Add(std::string_view text, size_t begin, uint64_t line,
             const std::vector<uint32_t>& ends) {
    if (ends.size() != columns_) {
      // Records before it come first, also with their errors.
      RETURN_IF_ERROR(Flush(text));
      return Located(text, begin, line, begin,
                     Error{Code::kCsvSyntax, Format("the row has {} fields, the header has {}",
                                                    ends.size(), columns_)});
    }
    if (ends_.empty()) ends_.push_back(static_cast<uint32_t>(begin) - 1);
    ends_.insert(ends_.end(), ends.begin(), ends.end());
    begins_.push_back(begin);
    lines_.push_back(line);
    return Ok();
  }

  Status Flush(std::string_view text) {
    if (begins_.empty()) return Ok();
    const CsvBatch batch(text.data(), ends_.data() + 1, columns_, begins_.size());
    std::optional<CsvFault> fault = sink_.Take(worker_, batch);
    if (fault) {
      const auto offset =
          static_cast<size_t>(batch.Raw(fault->record, fault->column).data() - text.data());
      return Located(text, begins_[fault->record], lines_[fault->record], offset,
                     Error{fault->code, std::move(fault->message)});
    }
    ends_.clear();
    begins_.clear();
    lines_.clear();
    return Ok();
  }

  // To be called when `text` has moved on: the offset in the file at which it begins.
  void TextBeginsAt(uint64_t offset) { text_offset_ = offset; }

  // `error` at `offset` of `text`, in a record that begins at `begin` on `line`.
  Error Located(std::string_view text, size_t begin, uint64_t line, size_t offset,
                Error error) const {
    size_t line_begin = begin;
    for (size_t at = begin; at < offset; ++at) {
      if (text[at] != '\n') continue;
      ++line;
      line_begin = at + 1;
    }
    error.where.file = file_.path().string();
    error.where.line = line;
    error.where.column = offset - line_begin + 1;
    error.where.source_line = SourceLine(line_begin);
    return error;
  }

 private:
  // The line that begins at `begin` of the text, unless it is too long to be shown. Read from the
  // file, for the text may end before it.
  std::string SourceLine(size_t begin) const {
    constexpr uint64_t kLongestShown = 400;
    const uint64_t offset = text_offset_ + begin;
    if (offset >= file_.size()) return {};
    std::string line(static_cast<size_t>(std::min(kLongestShown + 1, file_.size() - offset)), '\0');
    if (!file_.ReadAt(offset, line.data(), line.size()).ok()) return {};
    const size_t end = line.find('\n');
    if (end == std::string::npos && line.size() > kLongestShown) return {};
    line.resize(std::min(end, line.size()));
    if (!line.empty() && line.back() == '\r') line.pop_back();
    return line;
  }

  const InputFile& file_;
  CsvSink& sink_;
  size_t worker_;
  size_t columns_;
  uint64_t text_offset_ = 0;
  std::vector<uint32_t> ends_;  // ends_[0] is the offset before the first field
  std::vector<size_t> begins_;
  std::vector<uint64_t> lines_;
};

}  // namespace

Result<Fingerprint> ReadCsvSequentially(const InputFile& file, CsvSink& sink, size_t worker,
                                        size_t piece_bytes) {
  SequentialText source(file, piece_bytes);
  HeadSearch head(file.path(), sink);
  while (true) {
    ASSIGN_OR_RETURN(const HeadSearch::Answer answer,
                     head.Search(source.text(), source.at_end_of_file()));
    if (answer == HeadSearch::Answer::kNone) {
      while (!source.at_end_of_file()) RETURN_IF_ERROR(source.Advance(source.text().size()));
      return Fingerprint{file.size(), source.hasher().Hex()};
    }
    if (answer == HeadSearch::Answer::kFound) break;
    RETURN_IF_ERROR(source.Advance(0));
  }

  SequentialBatch batch(file, sink, worker, head.columns());
  size_t at = head.data_begin();
  uint64_t line = head.data_line();
  std::vector<uint32_t> ends;
  while (true) {
    const std::string_view text = source.text();
    RecordScan scan{RecordEnd::kNeedMore, at, at};
    const size_t blank = BlankLine(text, at);
    if (at < text.size() && blank == 0) {
      ends.clear();
      scan = ScanRecord(text, at, source.at_end_of_file(), ends);
    }
    if (blank > 0) {
      RETURN_IF_ERROR(batch.Flush(text));
      at += blank;
      ++line;
      continue;
    }
    if (scan.end == RecordEnd::kNeedMore) {
      RETURN_IF_ERROR(batch.Flush(text));
      if (at >= text.size() && source.at_end_of_file()) break;
      RETURN_IF_ERROR(CheckInterrupt());
      RETURN_IF_ERROR(source.Advance(at));
      batch.TextBeginsAt(source.text_offset());
      at = 0;
      continue;
    }
    if (scan.end != RecordEnd::kComplete) {
      RETURN_IF_ERROR(batch.Flush(text));
      const char* message =
          scan.end == RecordEnd::kUnterminated
              ? "a quoted field begins here and never ends"
              : "text stands after a closing quote; a comma or the end of the line was expected";
      return batch.Located(text, at, line, scan.trouble, Error{Code::kCsvSyntax, message});
    }
    RETURN_IF_ERROR(batch.Add(text, at, line, ends));
    line +=
        static_cast<uint64_t>(std::count(text.begin() + static_cast<ptrdiff_t>(at),
                                         text.begin() + static_cast<ptrdiff_t>(scan.next), '\n'));
    at = scan.next;
    if (batch.records() == kBatchRecords) RETURN_IF_ERROR(batch.Flush(text));
  }
  return Fingerprint{file.size(), source.hasher().Hex()};
}

}  // namespace rangewise::format
