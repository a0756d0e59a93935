#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace rangewise {

int ThreadCount(int requested) {
  if (requested > 0) return requested;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void ParallelFor(int threads, size_t tasks, const std::function<void(int, size_t)>& body) {
  const int workers = static_cast<int>(std::min(tasks, static_cast<size_t>(std::max(threads, 1))));
  if (workers <= 1) {
    for (size_t task = 0; task < tasks; ++task) body(0, task);
    return;
  }
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&](int worker) {
    try {
      for (size_t task = next.fetch_add(1); task < tasks; task = next.fetch_add(1)) body(worker, task);
    } catch (...) {
      next.store(tasks);
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  // A machine that gives no more threads still gets its work done by those there are.
  try {
    for (int worker = 1; worker < workers; ++worker) others.emplace_back(work, worker);
  } catch (const std::system_error&) {
  }
  work(0);
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

void WriteInOrder(int threads, size_t tasks, Output& output,
                  const std::function<void(int, size_t, std::string&)>& make) {
  const int workers = static_cast<int>(std::min(tasks, static_cast<size_t>(std::max(threads, 1))));
  if (workers <= 1) {
    std::string buffer;
    for (size_t task = 0; task < tasks; ++task) {
      buffer.clear();
      make(0, task, buffer);
      output.Write(buffer);
    }
    return;
  }
  // Each worker waits for its turn, writes, and passes the turn on; so at most one finished piece per worker
  // waits, and no queue is needed.
  std::mutex mutex;
  std::condition_variable turn_passed;
  size_t turn = 0;
  bool failed = false;
  std::vector<std::string> buffers(static_cast<size_t>(workers));
  ParallelFor(workers, tasks, [&](int worker, size_t task) {
    std::string& buffer = buffers[static_cast<size_t>(worker)];
    buffer.clear();
    try {
      make(worker, task, buffer);
      std::unique_lock lock(mutex);
      turn_passed.wait(lock, [&] { return turn == task || failed; });
      if (failed) return;
      lock.unlock();
      output.Write(buffer);
      lock.lock();
      ++turn;
    } catch (...) {
      const std::lock_guard lock(mutex);
      failed = true;
      turn_passed.notify_all();
      throw;
    }
    turn_passed.notify_all();
  });
}

}  // namespace rangewise
