// Owns the file system: reading whole files and pieces, writing beside and renaming, temporary
// folders, and the lock of an output folder. Nothing here knows what a file means.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace rangewise {

namespace fs = std::filesystem;

// The whole file. A file above `limit` bytes is an error (kReadFailed): small inputs only.
Result<std::string> ReadFile(const fs::path& path, uint64_t limit = uint64_t{1} << 30);

// An open regular file that is read in pieces. The size is that at opening; a file that is shorter
// when it is read is an error (kFileShrank), never a silent end.
class InputFile {
 public:
  static Result<InputFile> Open(const fs::path& path);
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  ~InputFile();

  uint64_t size() const { return size_; }
  const fs::path& path() const { return path_; }
  // Fills `buffer[0, length)` from `offset`; the piece must lie within size(). Safe from several
  // threads.
  Status ReadAt(uint64_t offset, char* buffer, size_t length) const;

 private:
  InputFile(int fd, uint64_t size, fs::path path);
  int fd_ = -1;
  uint64_t size_ = 0;
  fs::path path_;
};

// Takes bytes in order and keeps the first error; used by everything that writes large output.
class Output {
 public:
  virtual ~Output() = default;
  virtual void Write(std::string_view bytes) = 0;
};

// Collects in memory.
class StringOutput : public Output {
 public:
  void Write(std::string_view bytes) override { text_.append(bytes); }
  std::string& text() { return text_; }

 private:
  std::string text_;
};

// Writes to a new file beside `target` and renames it over the target in Commit; without Commit
// nothing is left. Errors are remembered and come out of Commit: kOutputNotWritable or kDiskFull.
// The end of the process at any moment leaves the old file or the new one. Nothing is synced to the
// disk: results can be made again, and a sync would wait for all other data on its way there, which
// takes seconds after large tables.
class AtomicFile : public Output {
 public:
  // A symbolic link is followed; what is there and no regular file is refused.
  static Result<AtomicFile> Create(const fs::path& target);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile() override;
  void Write(std::string_view bytes) override;
  Status Commit();

 private:
  AtomicFile(int fd, fs::path temporary, fs::path target);
  void Flush();
  int fd_ = -1;
  int error_ = 0;
  fs::path temporary_;
  fs::path target_;
  std::string buffer_;
};

// Writes `bytes` to `target` by AtomicFile.
Status WriteFileAtomically(const fs::path& target, std::string_view bytes);

// Writes to an open descriptor that is not closed (standard output). The first failure is kept in
// error().
class DescriptorOutput : public Output {
 public:
  explicit DescriptorOutput(int fd) : fd_(fd) {}
  ~DescriptorOutput() override;
  void Write(std::string_view bytes) override;
  void Flush();
  int error() const { return error_; }  // errno of the first failure, or 0

 private:
  int fd_;
  int error_ = 0;
  std::string buffer_;
};

// Reads an open descriptor that is not closed (standard input), in pieces.
class DescriptorInput {
 public:
  explicit DescriptorInput(int fd) : fd_(fd) {}
  // At most `capacity` bytes into `buffer`; 0 at the end. kReadFailed; kInterrupted.
  Result<size_t> Read(char* buffer, size_t capacity);

 private:
  int fd_;
};

// Writes a new file in a folder of ours (a temporary one): no rename, no sync. Errors come out of
// Close.
class FileOutput : public Output {
 public:
  static Result<FileOutput> Create(const fs::path& path);
  FileOutput(FileOutput&& other) noexcept;
  FileOutput& operator=(FileOutput&&) = delete;
  ~FileOutput() override;
  void Write(std::string_view bytes) override;
  Status Close();

 private:
  FileOutput(int fd, fs::path path) : fd_(fd), path_(std::move(path)) {}
  int fd_ = -1;
  int error_ = 0;
  fs::path path_;
};

// Makes `path` and its parents. kOutputNotWritable or kDiskFull on failure.
Status MakeDirectories(const fs::path& path);

// Renames over whatever file is there.
Status RenameFile(const fs::path& from, const fs::path& to);

// The error for a failed write of `path` with `error_number` from errno: kDiskFull for a full disk
// or quota, else kOutputNotWritable.
Error WriteError(const fs::path& path, int error_number);

// A fresh folder `.rangewise-tmp-XXXXXX` in `parent`, removed with all in it at the end of its
// life.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> Create(const fs::path& parent);
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();
  const fs::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

// The lock of an output folder: one process at a time writes there. The kernel drops it when the
// holder ends, however it ends. The lock file `.rangewise.lock` names the holder while it is held.
class FolderLock {
 public:
  // kOutputLocked with the holder's process id when another holds it; with `wait`, blocks until it
  // is free (or an interrupt arrives: kInterrupted). Leftovers of ended holders (temporary folders
  // and files of ours) are removed once the lock is held.
  static Result<FolderLock> Acquire(const fs::path& folder, bool wait);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  FolderLock(int fd, fs::path path) : fd_(fd), path_(std::move(path)) {}
  int fd_ = -1;
  fs::path path_;
};

}  // namespace rangewise
