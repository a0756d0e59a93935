#include "base/interrupt.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>

namespace rangewise {
namespace {

std::atomic<int> arrived_signal{0};
std::atomic<int> read_end{-1};
std::atomic<int> write_end{-1};
static_assert(std::atomic<int>::is_always_lock_free, "the handler may use only lock-free atomics");

extern "C" void OnInterrupt(int signal_number) {
  const int saved_errno = errno;
  int none = 0;
  arrived_signal.compare_exchange_strong(none, signal_number, std::memory_order_relaxed);
  const char byte = 0;
  // A full pipe is as readable as one more byte would make it.
  [[maybe_unused]] const ssize_t written =
      write(write_end.load(std::memory_order_relaxed), &byte, 1);
  errno = saved_errno;
}

void Install(int signal_number) {
  struct sigaction current = {};
  // A shell that started us in the background, or nohup, has us ignore the signal on purpose.
  if (sigaction(signal_number, nullptr, &current) != 0 || current.sa_handler == SIG_IGN) return;
  struct sigaction action = {};
  action.sa_handler = OnInterrupt;
  sigemptyset(&action.sa_mask);
  // Restart: the code asks for the flag at its own points and need not treat EINTR as an answer.
  // Reset: the second signal of the kind finds the system's default, which ends the process.
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  sigaction(signal_number, &action, nullptr);
}

}  // namespace

void InstallInterruptHandlers() {
  if (read_end.load(std::memory_order_relaxed) >= 0) return;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0) {
    write_end.store(ends[1], std::memory_order_relaxed);
    read_end.store(ends[0], std::memory_order_relaxed);
  }
  Install(SIGINT);
  Install(SIGTERM);
}

int InterruptSignal() { return arrived_signal.load(std::memory_order_relaxed); }

int InterruptDescriptor() { return read_end.load(std::memory_order_relaxed); }

Status CheckInterrupt() {
  const int signal_number = InterruptSignal();
  if (signal_number == 0) return Ok();
  return Error{Code::kInterrupted,
               signal_number == SIGTERM ? "asked to stop by SIGTERM" : "asked to stop by SIGINT"};
}

}  // namespace rangewise
