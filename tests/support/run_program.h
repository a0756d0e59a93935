// Owns running the built rangewise (or another program) as a user would: real process, real
// streams.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace rangewise::test_support {

struct Outcome {
  int exit_code = -1;  // 128 + signal when ended by one
  std::string out;
  std::string err;
};

struct Environment {
  std::map<std::string, std::string> set;
  std::filesystem::path working_folder;
};

// Starts `arguments` (the first is the program) with both streams in files; Finish waits and
// collects.
class RunningProgram {
 public:
  explicit RunningProgram(const std::vector<std::string>& arguments,
                          const Environment& environment = {});
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;
  ~RunningProgram();
  pid_t pid() const { return pid_; }
  Outcome Finish();

 private:
  pid_t pid_ = -1;
  std::filesystem::path folder_;
};

// The built rangewise with `arguments`.
Outcome RunRangewise(std::vector<std::string> arguments, const Environment& environment = {});

// A folder that goes with its owner.
class ScratchFolder {
 public:
  ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string Slurp(const std::filesystem::path& path);
void Spill(const std::filesystem::path& path, const std::string& text);

// Every file below `folder` with its contents, by relative path.
std::map<std::string, std::string> Snapshot(const std::filesystem::path& folder);

// A copy of samples/smoke-local at `folder`/runs/smoke-local with a trace (a few bytes: only nsys
// reads one), and with stats/ only when `with_stats`. Returns its path.
std::filesystem::path MakeSmokeRun(const std::filesystem::path& folder, bool with_stats);

// A copy of samples/power-iteration in `folder`, made once. Returns its path.
std::filesystem::path CopyPowerIteration(const std::filesystem::path& folder);

// The recorded tables of the sample smoke-local.
std::filesystem::path SmokeTables();

}  // namespace rangewise::test_support
