#include "cli/steps.h"

#include <unistd.h>

#include "base/files.h"
#include "base/text.h"

namespace rangewise::cli {
namespace {

void WriteErr(std::string_view text) {
  DescriptorOutput err(STDERR_FILENO);
  err.Write(text);
}

constexpr const char* kClearLine = "\r\x1b[K";

}  // namespace

Steps::Steps(bool show) {
  if (show) display_ = std::thread([this] { Show(); });
}

Steps::~Steps() { End(); }

void Steps::Begin(std::string_view name) {
  const Clock::time_point now = Clock::now();
  const std::lock_guard lock(mutex_);
  if (!current_.empty()) done_.emplace_back(current_, now - step_began_);
  current_ = name;
  step_began_ = now;
}

void Steps::End() {
  Begin("");
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  if (display_.joinable()) display_.join();
}

void Steps::Show() {
  using namespace std::chrono_literals;
  bool shown = false;
  std::unique_lock lock(mutex_);
  // Nothing is shown for work that is over within a second.
  for (auto wait = Clock::duration(1s); !changed_.wait_for(lock, wait, [this] { return over_; });
       wait = 250ms) {
    if (current_.empty() || current_.starts_with("nsys")) continue;  // nsys speaks for itself
    const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    WriteErr(Format("{}  {} ({:.0f} s)", kClearLine, current_, seconds));
    shown = true;
  }
  if (shown) WriteErr(kClearLine);
}

std::string Steps::Timings() const {
  std::vector<std::pair<std::string, Clock::duration>> sums;
  for (const auto& [name, duration] : done_) {
    auto sum = sums.begin();
    while (sum != sums.end() && sum->first != name) ++sum;
    if (sum == sums.end()) sum = sums.insert(sum, {name, {}});
    sum->second += duration;
  }
  std::string text;
  Clock::duration total{};
  const auto line = [&text](std::string_view name, Clock::duration duration) {
    text += Format("{:>10.1f} ms  {}\n",
                   std::chrono::duration<double, std::milli>(duration).count(), name);
  };
  for (const auto& [name, duration] : sums) {
    line(name, duration);
    total += duration;
  }
  line("in all", total);
  return text;
}

void TellSteps(AnalyzeRequest& request, Steps& steps, Console& console) {
  request.progress = [&console](std::string_view piece) { console.Progress(piece); };
  request.on_step = [&steps](std::string_view name) { steps.Begin(name); };
}

}  // namespace rangewise::cli
