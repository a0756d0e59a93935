#include "format/csv.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/interrupt.h"
#include "format/csv_index.h"
#include "format/csv_record.h"

namespace rangewise::format {
namespace {

// A longer piece cannot be indexed with offsets of 32 bits; the sequential pass then finds the
// words for it.
constexpr size_t kLongestPiece = size_t{1} << 31;

// Bytes with room behind them; grows without filling what is about to be read over.
class Buffer {
 public:
  char* data() { return bytes_.get(); }
  size_t size() const { return size_; }
  std::string_view text() const { return {bytes_.get(), size_}; }
  void Resize(size_t size) {
    if (size + kIndexPadding > capacity_) {
      const size_t capacity = std::max(size + kIndexPadding, capacity_ + capacity_ / 2);
      auto larger = std::make_unique_for_overwrite<char[]>(capacity);
      if (size_ > 0) std::memcpy(larger.get(), bytes_.get(), size_);
      bytes_ = std::move(larger);
      capacity_ = capacity;
    }
    size_ = size;
  }

 private:
  std::unique_ptr<char[]> bytes_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

// Whole records out of the middle of a file, in a worker's buffer.
struct Piece {
  Buffer buffer;
  size_t begin = 0;  // the records are buffer[begin, end)
  size_t end = 0;
  std::unique_ptr<uint32_t[]>
      ends;  // the separators' offsets, ends[0] being the one before the first field
  size_t ends_room = 0;
};

// One file on its way in: pieces are cut off its front, in order, under its mutex.
class Stream {
 public:
  Stream(InputFile file, CsvSink& sink, size_t piece_bytes)
      : file_(std::move(file)), sink_(sink), piece_bytes_(piece_bytes), head_(file_.path(), sink) {}

  std::mutex& mutex() { return mutex_; }
  uint64_t size() const { return file_.size(); }
  const InputFile& file() const { return file_; }
  CsvSink& sink() { return sink_; }
  bool finished() const { return finished_.load(std::memory_order_acquire); }
  size_t columns() const { return head_.columns(); }

  // Cuts the next piece; false when there is none any more. Under mutex().
  bool Next(Piece& piece) {
    if (finished()) return false;
    const Status status = Cut(piece);
    if (!status.ok()) {
      error_ = status.error();
      Finish();
    }
    return status.ok() && piece.end > piece.begin;
  }

  // Parses a piece; needs no mutex.
  void Parse(size_t worker, Piece& piece) {
    const size_t length = piece.end - piece.begin;
    if (piece.ends_room < length + kIndexPadding + 1) {
      piece.ends_room = length + kIndexPadding + 1;
      piece.ends = std::make_unique_for_overwrite<uint32_t[]>(piece.ends_room);
    }
    piece.ends[0] = UINT32_MAX;
    const char* base = piece.buffer.data() + piece.begin;
    const std::optional<size_t> records =
        IndexPiece({base, length}, columns(), piece.ends.get() + 1);
    if (!records) return StepBack();
    if (!expected_.exchange(true)) {
      // Rows late in a recording are a little longer (more digits), and rarely much shorter.
      const double share = static_cast<double>(*records) / static_cast<double>(length);
      sink_.Expect(static_cast<uint64_t>(share * 1.15 * static_cast<double>(size())) + 16);
    }
    if (sink_.Take(worker, CsvBatch(base, piece.ends.get() + 1, columns(), *records))) StepBack();
  }

  // After all pieces were parsed: whether the sequential pass has to decide.
  bool stepped_back() const { return stepped_back_.load(); }
  const std::optional<Error>& error() const { return error_; }
  Fingerprint fingerprint() const { return {file_.size(), hasher_.Hex()}; }

 private:
  void StepBack() {
    stepped_back_ = true;
    Finish();
  }
  void Finish() { finished_.store(true, std::memory_order_release); }

  // Appends `length` more bytes of the file to the buffer.
  Status Read(Buffer& buffer, uint64_t length) {
    const size_t before = buffer.size();
    const auto count = static_cast<size_t>(std::min(length, file_.size() - offset_));
    buffer.Resize(before + count);
    RETURN_IF_ERROR(file_.ReadAt(offset_, buffer.data() + before, count));
    hasher_.Update({buffer.data() + before, count});
    offset_ += count;
    return Ok();
  }

  bool at_end_of_file() const { return offset_ == file_.size(); }

  Status Cut(Piece& piece) {
    RETURN_IF_ERROR(CheckInterrupt());
    Buffer& buffer = piece.buffer;
    buffer.Resize(tail_.size());
    if (!tail_.empty()) std::memcpy(buffer.data(), tail_.data(), tail_.size());
    piece.begin = piece.end = 0;
    RETURN_IF_ERROR(Read(buffer, piece_bytes_));
    if (!found_header_) {
      while (true) {
        ASSIGN_OR_RETURN(const HeadSearch::Answer answer,
                         head_.Search(buffer.text(), at_end_of_file()));
        if (answer == HeadSearch::Answer::kNone) return ReadRest(buffer);
        if (answer == HeadSearch::Answer::kFound) break;
        RETURN_IF_ERROR(Read(buffer, std::max(piece_bytes_, buffer.size())));
      }
      found_header_ = true;
      piece.begin = head_.data_begin();
    }

    // A piece that holds no line end outside quotes grows until it does: by as much again, so that
    // a field of any length is looked at in linear time. It grows only for a record that is really
    // that long: a stray quote must not pull the whole file into memory.
    std::vector<uint32_t> ends;
    while (!at_end_of_file()) {
      piece.end = LastRecordEnd(buffer.text(), piece.begin);
      if (piece.end > piece.begin || buffer.size() > kLongestPiece) break;
      if (piece.begin < buffer.size()) {
        ends.clear();
        if (ScanRecord(buffer.text(), piece.begin, false, ends).end != RecordEnd::kNeedMore) break;
      }
      RETURN_IF_ERROR(Read(buffer, std::max(piece_bytes_, buffer.size())));
    }
    if (at_end_of_file() && piece.end <= piece.begin) {
      if (!EndAtEndOfFile(piece)) StepBack();
      Finish();
    } else if (piece.end <= piece.begin) {
      StepBack();
    } else {
      tail_.assign(buffer.data() + piece.end, buffer.size() - piece.end);
    }
    std::memset(buffer.data() + piece.end, 0, kIndexPadding);
    return Ok();
  }

  // The offset after the last line end outside quotes, counting quotes from `begin`; `begin` when
  // there is none.
  static size_t LastRecordEnd(std::string_view text, size_t begin) {
    bool in_quotes = HasOddQuotes(text.substr(begin));
    for (size_t at = text.size(); at > begin; --at) {
      if (text[at - 1] == '"') in_quotes = !in_quotes;
      if (text[at - 1] == '\n' && !in_quotes) return at;
    }
    return begin;
  }

  // The last piece: blank lines at its end are dropped, a missing line end is added. False when the
  // sequential pass has to look at it: open quotes, or a lone CR that is data.
  bool EndAtEndOfFile(Piece& piece) {
    Buffer& buffer = piece.buffer;
    if (HasOddQuotes(buffer.text().substr(piece.begin))) return false;
    size_t end = buffer.size();
    auto at = [&](size_t back) {
      return end >= piece.begin + back ? buffer.data()[end - back] : '\n';
    };
    while (end > piece.begin && at(1) == '\n' &&
           (at(2) == '\n' || (at(2) == '\r' && at(3) == '\n'))) {
      end -= at(2) == '\n' ? 1 : 2;
    }
    if (end > piece.begin && at(1) == '\r') return false;
    if (end > piece.begin && at(1) != '\n') {
      buffer.Resize(end + 1);
      buffer.data()[end++] = '\n';
    }
    piece.end = end;
    return true;
  }

  // The sink wants nothing of this file but its fingerprint.
  Status ReadRest(Buffer& buffer) {
    while (!at_end_of_file()) {
      buffer.Resize(0);
      RETURN_IF_ERROR(Read(buffer, piece_bytes_));
    }
    Finish();
    return Ok();
  }

  InputFile file_;
  CsvSink& sink_;
  size_t piece_bytes_;
  HeadSearch head_;
  std::mutex mutex_;
  uint64_t offset_ = 0;  // what has been read
  std::string tail_;     // what has been read and belongs to the next piece
  bool found_header_ = false;
  Hasher128 hasher_;
  std::optional<Error> error_;
  std::atomic<bool> finished_ = false;
  std::atomic<bool> stepped_back_ = false;
  std::atomic<bool> expected_ = false;
};

// Calls `work(worker)` on up to `threads` threads, this one included. What a thread throws (memory
// that ran out) is thrown on here, once all are done.
template <typename Work>
void OnThreads(size_t threads, const Work& work) {
  std::vector<std::exception_ptr> thrown(threads);
  auto guarded = [&work, &thrown](size_t worker) {
    try {
      work(worker);
    } catch (...) {
      thrown[worker] = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  others.reserve(threads - 1);
  for (size_t worker = 1; worker < threads; ++worker) {
    try {
      others.emplace_back(guarded, worker);
    } catch (const std::system_error&) {
      break;  // the system has no more threads for us: fewer do the same work
    }
  }
  guarded(0);
  for (std::thread& other : others) other.join();
  for (const std::exception_ptr& exception : thrown) {
    if (exception) std::rethrow_exception(exception);
  }
}

// Parses pieces of whichever streams have some left, the first ones first; where another thread is
// just cutting a piece off, the next stream is taken.
void ParsePieces(std::span<Stream* const> streams, size_t worker) {
  Piece piece;
  while (true) {
    Stream* waited_for = nullptr;
    bool parsed = false;
    for (Stream* stream : streams) {
      if (stream->finished()) continue;
      std::unique_lock lock(stream->mutex(), std::try_to_lock);
      if (!lock.owns_lock()) {
        if (waited_for == nullptr) waited_for = stream;
        continue;
      }
      const bool has_piece = stream->Next(piece);
      lock.unlock();
      if (!has_piece) continue;
      stream->Parse(worker, piece);
      parsed = true;
      break;
    }
    if (parsed) continue;
    if (waited_for == nullptr) return;
    const std::lock_guard wait(waited_for->mutex());
  }
}

}  // namespace

size_t CsvThreads(int threads) {
  if (threads > 0) return static_cast<size_t>(threads);
  return std::max(1U, std::thread::hardware_concurrency());
}

Result<std::vector<Fingerprint>> ReadCsvFiles(std::span<const CsvSource> sources,
                                              const CsvReadOptions& options) {
  std::vector<std::unique_ptr<Stream>> streams;
  for (const CsvSource& source : sources) {
    ASSIGN_OR_RETURN(InputFile file, InputFile::Open(source.path));
    streams.push_back(std::make_unique<Stream>(std::move(file), *source.sink, options.piece_bytes));
  }

  // The largest file first: the others fill the gaps, and all threads are busy until the last
  // pieces.
  std::vector<Stream*> by_size;
  for (const auto& stream : streams) by_size.push_back(stream.get());
  std::stable_sort(by_size.begin(), by_size.end(),
                   [](const Stream* a, const Stream* b) { return a->size() > b->size(); });
  const size_t threads = CsvThreads(options.threads);
  OnThreads(threads, [&](size_t worker) { ParsePieces(by_size, worker); });

  // What the fast way could not decide is read again in order; errors come from there, so that they
  // are the same whatever the threads did.
  std::vector<std::optional<Result<Fingerprint>>> results(streams.size());
  std::atomic<size_t> next = 0;
  OnThreads(threads, [&](size_t worker) {
    for (size_t index = next++; index < streams.size(); index = next++) {
      Stream& stream = *streams[index];
      if (stream.stepped_back()) {
        stream.sink().Restart();
        results[index] =
            ReadCsvSequentially(stream.file(), stream.sink(), worker, options.piece_bytes);
      } else if (stream.error()) {
        results[index] = *stream.error();
      } else {
        results[index] = stream.fingerprint();
      }
    }
  });
  std::vector<Fingerprint> fingerprints;
  for (auto& result : results) {
    if (!result->ok()) return std::move(*result).error();
    fingerprints.push_back(std::move(*result).value());
  }
  return fingerprints;
}

}  // namespace rangewise::format
