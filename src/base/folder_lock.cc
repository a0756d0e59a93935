// The lock of an output folder: flock(2) on a small file in it. The kernel drops the lock when its
// holder ends, so a killed run blocks nobody. Whoever removes the file does so while holding the
// lock; whoever gets the lock checks that the file it locked is still the one at that path, and
// else tries again.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <thread>

#include "base/files.h"
#include "base/interrupt.h"
#include "base/text.h"

namespace rangewise {
namespace {

constexpr std::string_view kLockName = ".rangewise.lock";
constexpr std::string_view kTemporaryPrefix = ".rangewise-tmp-";

bool StillThere(int fd, const fs::path& path) {
  struct stat mine {};
  struct stat there {};
  return ::fstat(fd, &mine) == 0 && ::stat(path.c_str(), &there) == 0 &&
         mine.st_ino == there.st_ino && mine.st_dev == there.st_dev;
}

std::string Holder(int fd) {
  std::array<char, 64> text{};
  const ssize_t got = ::pread(fd, text.data(), text.size(), 0);
  const auto pid = ParseInt64(Trimmed({text.data(), got > 0 ? static_cast<size_t>(got) : 0}));
  return pid ? Format("process {}", *pid) : "another process";
}

// A temporary file that is still being written is locked by its writer (files.cc), who may have
// been told to put a result here without owning the folder.
bool InUse(const fs::path& file) {
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return false;
  const bool in_use = ::flock(fd, LOCK_EX | LOCK_NB) != 0;
  ::close(fd);
  return in_use;
}

void RemoveLeftovers(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (!entry.path().filename().string().starts_with(kTemporaryPrefix)) continue;
    std::error_code ignored;
    if (entry.is_directory(ignored) || !InUse(entry.path())) fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace

Result<FolderLock> FolderLock::Acquire(const fs::path& folder, bool wait) {
  const fs::path path = folder / kLockName;
  while (true) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0) return WriteError(path, errno);
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
      const int error_number = errno;
      const std::string holder = Holder(fd);
      ::close(fd);
      if (error_number != EWOULDBLOCK && error_number != EINTR)
        return WriteError(path, error_number);
      if (!wait) {
        return Error{.code = Code::kOutputLocked,
                     .message = Format("{} is writing to this output folder", holder),
                     .where = {.file = folder.string()}};
      }
      RETURN_IF_ERROR(CheckInterrupt());
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      continue;
    }
    if (!StillThere(fd, path)) {
      ::close(fd);
      continue;
    }
    const std::string holder = Format("{}\n", ::getpid());
    if (::ftruncate(fd, 0) != 0 ||
        ::pwrite(fd, holder.data(), holder.size(), 0) != static_cast<ssize_t>(holder.size())) {
      const int error_number = errno;
      ::unlink(path.c_str());  // ours, and of no use to anyone
      ::close(fd);
      return WriteError(path, error_number);
    }
    RemoveLeftovers(folder);
    return FolderLock(fd, path);
  }
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)) {}

FolderLock::~FolderLock() {
  if (fd_ < 0) return;
  ::unlink(path_.c_str());
  ::close(fd_);
}

}  // namespace rangewise
