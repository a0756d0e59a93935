// Owns running another program: by path and argument list, never through a shell; both of its pipes
// drained at once; its own process group, ended when we are interrupted or the caller's limit is
// over.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rangewise {

struct ProcessRequest {
  std::filesystem::path program;         // run as it stands; no PATH search
  std::vector<std::string> arguments;    // without the program's own name
  std::filesystem::path working_folder;  // empty: ours
  size_t keep_bytes = size_t{1} << 20;   // how much of the end of each stream is kept
  int timeout_ms = 0;                    // 0: no limit
  // Between SIGTERM and SIGKILL; and how long what the program left running may hold its pipes.
  int grace_ms = 2000;
  // Called with each piece as it arrives, from the calling thread; for progress on a terminal.
  std::function<void(std::string_view)> on_output;
};

struct ProcessResult {
  int exit_code = -1;  // -1 when ended by a signal
  int signal = 0;
  bool timed_out = false;
  std::string standard_output;  // the last keep_bytes
  std::string standard_error;
};

// Runs to the end. Standard input is empty; the child has the default signals and LC_ALL=C. Errors:
// kNsysNotRunnable when it could not be started (with the system's reason), kInterrupted when we
// were told to stop. Then, at a timeout, and when the program ended but left others behind that
// hold its pipes beyond the grace, the group is ended first: SIGTERM, and SIGKILL as soon as the
// leader and the pipes are gone or the grace is over.
Result<ProcessResult> RunProcess(const ProcessRequest& request);

// The absolute path of the executable file `name` in the folders of $PATH, if any. Relative folders
// in it are passed over.
std::optional<std::filesystem::path> FindInPath(std::string_view name);

}  // namespace rangewise
