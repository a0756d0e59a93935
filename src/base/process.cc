#include "base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/interrupt.h"
#include "base/text.h"

namespace rangewise {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// After SIGKILL only processes that left the group can still hold a pipe; they are not waited for.
constexpr milliseconds kAfterKill{100};
// Where the kernel gives no descriptor for a process, its end is asked for this often.
constexpr milliseconds kAskAgain{20};

// Closes its descriptor at the end of its life.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { Close(); }
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  void Close() {
    if (fd_ >= 0) close(std::exchange(fd_, -1));
  }

 private:
  int fd_;
};

Error StartError(const fs::path& program, int error_number) {
  return Error{Code::kNsysNotRunnable, Format("cannot start {}: {}", Quoted(program.native()),
                                              std::generic_category().message(error_number))};
}

// The end of one of the child's streams that we read, and the last bytes that came.
class Stream {
 public:
  explicit Stream(size_t keep) : keep_(keep) {}

  // Makes the pipe and returns the end for the child, or an errno. Both ends lie above the standard
  // descriptors even where ours are closed, so that placing one in the child cannot overwrite
  // another.
  Result<Descriptor> Open(const fs::path& program) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return StartError(program, errno);
    const Descriptor low_read(ends[0]), low_write(ends[1]);
    reader_ = Descriptor(fcntl(ends[0], F_DUPFD_CLOEXEC, 3));
    Descriptor writer(fcntl(ends[1], F_DUPFD_CLOEXEC, 3));
    if (!reader_.open() || !writer.open()) return StartError(program, errno);
    fcntl(reader_.get(), F_SETFL, O_NONBLOCK);
    return writer;
  }

  int fd() const { return reader_.get(); }
  bool open() const { return reader_.open(); }

  // Takes what is there, at most a few pieces so that the other stream gets its turn.
  void Take(const std::function<void(std::string_view)>& on_output) {
    std::array<char, 65536> piece;
    for (int turn = 0; turn < 16; ++turn) {
      const ssize_t got = read(reader_.get(), piece.data(), piece.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) return;
      if (got <= 0) return reader_.Close();
      const std::string_view bytes(piece.data(), static_cast<size_t>(got));
      text_.append(bytes);
      if (text_.size() > 2 * keep_ + piece.size()) text_.erase(0, text_.size() - keep_);
      if (on_output) on_output(bytes);
    }
  }

  std::string Tail() && {
    if (text_.size() > keep_) text_.erase(0, text_.size() - keep_);
    return std::move(text_);
  }

 private:
  size_t keep_;
  Descriptor reader_;
  std::string text_;
};

// What the child is given besides its arguments. The init and destroy calls of posix_spawn pair up
// here.
class SpawnSetup {
 public:
  SpawnSetup() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;
  ~SpawnSetup() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
  }

  // 0 or an errno. Nothing of how we treat signals reaches the child, and it leads its own group.
  int Prepare(const fs::path& working_folder, int output, int error) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int failed = posix_spawnattr_setsigmask(&attributes_, &none);
    if (failed == 0) failed = posix_spawnattr_setsigdefault(&attributes_, &all);
    if (failed == 0) failed = posix_spawnattr_setpgroup(&attributes_, 0);
    if (failed == 0) {
      failed = posix_spawnattr_setflags(
          &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    }
    if (failed == 0) {
      failed = posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    }
    if (failed == 0) failed = posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    if (failed == 0) failed = posix_spawn_file_actions_adddup2(&actions_, error, STDERR_FILENO);
    if (failed == 0 && !working_folder.empty()) {
      failed = posix_spawn_file_actions_addchdir_np(&actions_, working_folder.c_str());
    }
    return failed;
  }

  int Spawn(pid_t& child, const char* program, char* const* arguments, char* const* environment) {
    return posix_spawn(&child, program, &actions_, &attributes_, arguments, environment);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

// Our environment, but for the locale: the numbers and words of a program that we read do not
// depend on who runs us.
std::vector<char*> ChildEnvironment() {
  static char locale[] = "LC_ALL=C";
  std::vector<char*> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    if (std::strncmp(*variable, "LC_ALL=", 7) != 0) variables.push_back(*variable);
  }
  variables.push_back(locale);
  variables.push_back(nullptr);
  return variables;
}

// Where our parent had us ignore SIGCHLD the system would drop how a child ended.
void KeepChildStatus() {
  struct sigaction current = {};
  if (sigaction(SIGCHLD, nullptr, &current) == 0 && current.sa_handler == SIG_IGN) {
    current.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &current, nullptr);
  }
}

// A started program. The leader stays unreaped until Reap, so that its number, which is that of the
// group, cannot come to mean strangers while we send signals to it.
class Child {
 public:
  Child(pid_t pid, Stream& output, Stream& error, const ProcessRequest& request)
      : pid_(pid),
        grace_(request.grace_ms),
        ended_descriptor_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))),
        streams_{&output, &error},
        on_output_(request.on_output) {}

  enum class Event { kClosed, kDeadline, kInterrupt };

  // Drains both streams until the leader has ended and both are closed, the deadline has come, or,
  // where `heed_interrupt` says so, we are told to stop.
  Event Drain(std::optional<Clock::time_point> deadline, bool heed_interrupt) {
    while (true) {
      if (Ended() && !streams_[0]->open() && !streams_[1]->open()) return Event::kClosed;
      if (Ended() && !left_running_until_) left_running_until_ = Clock::now() + grace_;
      std::optional<Clock::time_point> until = deadline;
      if (left_running_until_ && (!until || *left_running_until_ < *until)) {
        until = left_running_until_;
      }
      if (until && Clock::now() >= *until) return Event::kDeadline;
      if (heed_interrupt && InterruptSignal() != 0) return Event::kInterrupt;
      Wait(until, heed_interrupt);
    }
  }

  // SIGTERM to the group, and SIGKILL once the leader and the streams are gone or the grace is
  // over.
  void EndGroup() {
    kill(-pid_, SIGTERM);
    left_running_until_.reset();
    Drain(Clock::now() + grace_, false);
    kill(-pid_, SIGKILL);
    left_running_until_.reset();
    Drain(Clock::now() + kAfterKill, false);
  }

  bool Ended() {
    if (ended_) return true;
    siginfo_t info = {};
    const int failed = waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
    ended_ = (failed != 0 && errno == ECHILD) || (failed == 0 && info.si_pid == pid_);
    return ended_;
  }

  void Reap(ProcessResult& result) {
    int status = 0;
    pid_t reaped = -1;
    do {
      reaped = waitpid(pid_, &status, 0);
    } while (reaped < 0 && errno == EINTR);
    if (reaped != pid_) return;
    if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  }

 private:
  void Wait(std::optional<Clock::time_point> until, bool heed_interrupt) {
    std::array<pollfd, 4> watched = {{
        {streams_[0]->fd(), POLLIN, 0},
        {streams_[1]->fd(), POLLIN, 0},
        {ended_ ? -1 : ended_descriptor_.get(), POLLIN, 0},
        {heed_interrupt ? InterruptDescriptor() : -1, POLLIN, 0},
    }};
    int64_t timeout = -1;
    if (until) {
      const auto left = std::chrono::ceil<milliseconds>(*until - Clock::now()).count();
      timeout = std::clamp<int64_t>(left, 0, 60'000);
    }
    if (!ended_ && !ended_descriptor_.open()) {
      timeout = timeout < 0 ? kAskAgain.count() : std::min<int64_t>(timeout, kAskAgain.count());
    }
    if (poll(watched.data(), watched.size(), static_cast<int>(timeout)) <= 0) return;
    for (size_t i = 0; i < streams_.size(); ++i) {
      if (watched[i].revents != 0) streams_[i]->Take(on_output_);
    }
  }

  pid_t pid_;
  milliseconds grace_;
  Descriptor ended_descriptor_;
  std::array<Stream*, 2> streams_;
  const std::function<void(std::string_view)>& on_output_;
  bool ended_ = false;
  std::optional<Clock::time_point> left_running_until_;
};

Result<pid_t> Start(const ProcessRequest& request, Stream& output, Stream& error) {
  ASSIGN_OR_RETURN(const Descriptor child_output, output.Open(request.program));
  ASSIGN_OR_RETURN(const Descriptor child_error, error.Open(request.program));
  // The child changes its folder before it becomes the program: a relative path is meant from ours.
  std::error_code ignored;
  const fs::path program = fs::absolute(request.program, ignored);
  std::vector<char*> arguments = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : request.arguments) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  const std::vector<char*> environment = ChildEnvironment();
  SpawnSetup setup;
  pid_t pid = -1;
  int failed = setup.Prepare(request.working_folder, child_output.get(), child_error.get());
  if (failed == 0) {
    failed = setup.Spawn(pid, program.c_str(), arguments.data(), environment.data());
  }
  if (failed != 0) return StartError(program, failed);
  return pid;
}

bool IsExecutableFile(const fs::path& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         access(path.c_str(), X_OK) == 0;
}

}  // namespace

Result<ProcessResult> RunProcess(const ProcessRequest& request) {
  RETURN_IF_ERROR(CheckInterrupt());
  KeepChildStatus();
  Stream output(request.keep_bytes);
  Stream error(request.keep_bytes);
  ASSIGN_OR_RETURN(const pid_t pid, Start(request, output, error));
  Child child(pid, output, error, request);
  std::optional<Clock::time_point> deadline;
  if (request.timeout_ms > 0) deadline = Clock::now() + milliseconds(request.timeout_ms);

  const Child::Event event = child.Drain(deadline, true);
  ProcessResult result;
  result.timed_out = event == Child::Event::kDeadline && !child.Ended();
  if (event != Child::Event::kClosed) child.EndGroup();
  child.Reap(result);
  if (event == Child::Event::kInterrupt) RETURN_IF_ERROR(CheckInterrupt());
  result.standard_output = std::move(output).Tail();
  result.standard_error = std::move(error).Tail();
  return result;
}

std::optional<fs::path> FindInPath(std::string_view name) {
  if (name.empty() || name.find('/') != std::string_view::npos) return std::nullopt;
  const char* variable = std::getenv("PATH");
  std::string_view folders = variable == nullptr ? "" : variable;
  while (!folders.empty()) {
    const size_t end = std::min(folders.find(':'), folders.size());
    const fs::path folder(folders.substr(0, end));
    folders.remove_prefix(std::min(end + 1, folders.size()));
    // An empty or relative entry would make what runs depend on the folder we stand in.
    if (!folder.is_absolute()) continue;
    const fs::path candidate = folder / name;
    if (IsExecutableFile(candidate)) return candidate;
  }
  return std::nullopt;
}

}  // namespace rangewise
