// Owns the steps of a long command as people see them: how long each took (--timings), and on a
// terminal the name of the one at work once a second has passed.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "cli/analyze_run.h"
#include "cli/console.h"

namespace rangewise::cli {

class Steps {
 public:
  // `show`: standard error is a terminal and nobody asked for quiet.
  explicit Steps(bool show);
  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;
  ~Steps();

  // The step before, if any, is over.
  void Begin(std::string_view name);
  // Ends the last step and takes the shown line away.
  void End();
  // One line a step and the sum, in milliseconds; steps of one name are added.
  std::string Timings() const;

 private:
  using Clock = std::chrono::steady_clock;
  void Show();

  std::vector<std::pair<std::string, Clock::duration>> done_;
  Clock::time_point step_began_{};
  const Clock::time_point began_ = Clock::now();

  std::mutex mutex_;  // guards what the display thread sees
  std::condition_variable changed_;
  std::string current_;
  bool over_ = false;
  std::thread display_;
};

// Has the request begin its steps in `steps` and hand on what other tools print. Both outlive its use.
void TellSteps(AnalyzeRequest& request, Steps& steps, Console& console);

}  // namespace rangewise::cli
