#include "base/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/interrupt.h"
#include "base/text.h"

namespace rangewise {
namespace {

std::string Reason(int error_number) { return std::generic_category().message(error_number); }

Error ReadError(const fs::path& path, int error_number) {
  return Error{.code = Code::kReadFailed,
               .message = Format("cannot read the file: {}", Reason(error_number)),
               .where = {.file = path.string()}};
}

// Writes all of `bytes`; returns errno of the failure or 0.
int WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

constexpr size_t kWriteBuffer = size_t{1} << 18;

}  // namespace

Error WriteError(const fs::path& path, int error_number) {
  const bool full = error_number == ENOSPC || error_number == EDQUOT;
  return Error{.code = full ? Code::kDiskFull : Code::kOutputNotWritable,
               .message = Format("cannot write: {}", Reason(error_number)),
               .where = {.file = path.string()}};
}

Result<InputFile> InputFile::Open(const fs::path& path) {
  // O_NONBLOCK: opening a FIFO of that name must not hang; it is then refused as no regular file.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return ReadError(path, errno);
  struct stat info {};
  if (::fstat(fd, &info) != 0) {
    const int error_number = errno;
    ::close(fd);
    return ReadError(path, error_number);
  }
  if (!S_ISREG(info.st_mode)) {
    ::close(fd);
    return Error{.code = Code::kReadFailed,
                 .message = S_ISDIR(info.st_mode) ? "found a folder where a file was expected"
                                                  : "not a regular file",
                 .where = {.file = path.string()}};
  }
  return InputFile(fd, static_cast<uint64_t>(info.st_size), path);
}

InputFile::InputFile(int fd, uint64_t size, fs::path path)
    : fd_(fd), size_(size), path_(std::move(path)) {}
InputFile::InputFile(InputFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), size_(other.size_), path_(std::move(other.path_)) {}
InputFile& InputFile::operator=(InputFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(size_, other.size_);
  std::swap(path_, other.path_);
  return *this;
}
InputFile::~InputFile() {
  if (fd_ >= 0) ::close(fd_);
}

Status InputFile::ReadAt(uint64_t offset, char* buffer, size_t length) const {
  while (length > 0) {
    const ssize_t got = ::pread(fd_, buffer, length, static_cast<off_t>(offset));
    if (got < 0) {
      if (errno == EINTR) continue;
      return ReadError(path_, errno);
    }
    if (got == 0) {
      return Error{
          .code = Code::kFileShrank,
          .message = Format("the file had {} bytes when it was opened and ends at byte {} now",
                            size_, offset),
          .where = {.file = path_.string()}};
    }
    buffer += got;
    offset += static_cast<uint64_t>(got);
    length -= static_cast<size_t>(got);
  }
  return Ok();
}

Result<std::string> ReadFile(const fs::path& path, uint64_t limit) {
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
  if (file.size() > limit) {
    return Error{.code = Code::kReadFailed,
                 .message = Format("the file has {} bytes; at most {} were expected",
                                   Grouped(static_cast<int64_t>(file.size())),
                                   Grouped(static_cast<int64_t>(limit))),
                 .where = {.file = path.string()}};
  }
  std::string text(static_cast<size_t>(file.size()), '\0');
  RETURN_IF_ERROR(file.ReadAt(0, text.data(), text.size()));
  return text;
}

namespace {

// Where a file of that name really goes: through symbolic links, so that a link stays a link. What
// is there and is no regular file (a device, a pipe, a folder) is refused: renaming over it would
// take it away.
Result<fs::path> RegularTarget(const fs::path& target) {
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    return Error{.code = Code::kOutputNotWritable,
                 .message = fs::is_directory(status)
                                ? "found a folder where a file was to be written"
                                : "what is there is no regular file",
                 .where = {.file = target.string()},
                 .hint = "name a file; `-o -` writes to standard output"};
  }
  // Step by step, since the last link may name what is not there yet.
  constexpr int kMostLinks = 40;
  fs::path resolved = target;
  for (int links = 0; fs::is_symlink(fs::symlink_status(resolved, error)); ++links) {
    if (links == kMostLinks) return WriteError(target, ELOOP);
    const fs::path next = fs::read_symlink(resolved, error);
    if (error) return WriteError(target, error.value());
    resolved = resolved.parent_path() / next;
  }
  return resolved;
}

}  // namespace

Result<AtomicFile> AtomicFile::Create(const fs::path& wanted) {
  ASSIGN_OR_RETURN(const fs::path target, RegularTarget(wanted));
  std::string pattern = (target.parent_path() / ".rangewise-tmp-XXXXXX").string();
  const int fd = ::mkostemp(pattern.data(), O_CLOEXEC);
  if (fd < 0) return WriteError(target, errno);
  // mkostemp gives 0600; results are as readable as the umask lets new files be.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  (void)::fchmod(fd, 0666 & ~mask);
  // Tells whoever clears leftovers in that folder (folder_lock.cc) that this one is alive.
  (void)::flock(fd, LOCK_EX | LOCK_NB);
  return AtomicFile(fd, pattern, target);
}

AtomicFile::AtomicFile(int fd, fs::path temporary, fs::path target)
    : fd_(fd), temporary_(std::move(temporary)), target_(std::move(target)) {}
AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      error_(other.error_),
      temporary_(std::move(other.temporary_)),
      target_(std::move(other.target_)),
      buffer_(std::move(other.buffer_)) {}

AtomicFile::~AtomicFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  ::unlink(temporary_.c_str());
}

void AtomicFile::Write(std::string_view bytes) {
  // Large pieces go out as they are: a copy of hundreds of megabytes would show.
  if (bytes.size() >= kWriteBuffer) {
    Flush();
    if (error_ == 0) error_ = WriteAll(fd_, bytes);
    return;
  }
  buffer_.append(bytes);
  if (buffer_.size() >= kWriteBuffer) Flush();
}

void AtomicFile::Flush() {
  if (error_ == 0) error_ = WriteAll(fd_, buffer_);
  buffer_.clear();
}

Status AtomicFile::Commit() {
  Flush();
  if (error_ == 0 && ::rename(temporary_.c_str(), target_.c_str()) != 0) error_ = errno;
  if (error_ != 0) return WriteError(target_, error_);
  ::close(std::exchange(fd_, -1));
  return Ok();
}

Status WriteFileAtomically(const fs::path& target, std::string_view bytes) {
  ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(target));
  file.Write(bytes);
  return file.Commit();
}

DescriptorOutput::~DescriptorOutput() { Flush(); }

void DescriptorOutput::Write(std::string_view bytes) {
  buffer_.append(bytes);
  if (buffer_.size() >= kWriteBuffer) Flush();
}

void DescriptorOutput::Flush() {
  if (error_ == 0) error_ = WriteAll(fd_, buffer_);
  buffer_.clear();
}

Result<size_t> DescriptorInput::Read(char* buffer, size_t capacity) {
  while (true) {
    const ssize_t count = ::read(fd_, buffer, capacity);
    if (count >= 0) return static_cast<size_t>(count);
    if (errno != EINTR) {
      return Error{.code = Code::kReadFailed,
                   .message = Format("cannot read standard input: {}", Reason(errno))};
    }
    RETURN_IF_ERROR(CheckInterrupt());
  }
}

Result<FileOutput> FileOutput::Create(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return WriteError(path, errno);
  return FileOutput(fd, path);
}

FileOutput::FileOutput(FileOutput&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), error_(other.error_), path_(std::move(other.path_)) {}

FileOutput::~FileOutput() {
  if (fd_ >= 0) ::close(fd_);
}

// Callers hand over large pieces, so nothing is buffered here.
void FileOutput::Write(std::string_view bytes) {
  if (error_ == 0) error_ = WriteAll(fd_, bytes);
}

Status FileOutput::Close() {
  if (::close(std::exchange(fd_, -1)) != 0 && error_ == 0) error_ = errno;
  if (error_ != 0) return WriteError(path_, error_);
  return Ok();
}

Status MakeDirectories(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return WriteError(path, error.value());
  if (!fs::is_directory(path, error)) return WriteError(path, ENOTDIR);
  return Ok();
}

Status RenameFile(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) return WriteError(to, errno);
  return Ok();
}

Result<TemporaryFolder> TemporaryFolder::Create(const fs::path& parent) {
  std::string pattern = (parent / ".rangewise-tmp-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) return WriteError(parent, errno);
  return TemporaryFolder(pattern);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, fs::path())) {}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace rangewise
