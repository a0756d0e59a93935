#include "support/run_program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace rangewise::test_support {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
  std::string pattern = (fs::temp_directory_path() / "rangewise-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

RunningProgram::RunningProgram(const std::vector<std::string>& arguments,
                               const Environment& environment) {
  std::string pattern = (fs::temp_directory_path() / "rangewise-run-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
  folder_ = pattern;
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const std::string out = (folder_ / "out").string();
  const std::string err = (folder_ / "err").string();
  pid_ = ::fork();
  if (pid_ != 0) return;
  const int in_fd = ::open("/dev/null", O_RDONLY);
  const int out_fd = ::open(out.c_str(), O_WRONLY | O_CREAT, 0600);
  const int err_fd = ::open(err.c_str(), O_WRONLY | O_CREAT, 0600);
  ::dup2(in_fd, STDIN_FILENO);
  ::dup2(out_fd, STDOUT_FILENO);
  ::dup2(err_fd, STDERR_FILENO);
  if (!environment.working_folder.empty() && ::chdir(environment.working_folder.c_str()) != 0)
    ::_exit(127);
  for (const auto& [name, value] : environment.set) ::setenv(name.c_str(), value.c_str(), 1);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

RunningProgram::~RunningProgram() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Outcome RunningProgram::Finish() {
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  return {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          .out = Slurp(folder_ / "out"),
          .err = Slurp(folder_ / "err")};
}

Outcome RunRangewise(std::vector<std::string> arguments, const Environment& environment) {
  arguments.insert(arguments.begin(), RANGEWISE_BINARY);
  return RunningProgram(arguments, environment).Finish();
}

std::string Slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void Spill(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::map<std::string, std::string> Snapshot(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      files[entry.path().lexically_relative(folder).string()] = Slurp(entry.path());
    }
  }
  return files;
}

fs::path CopyPowerIteration(const fs::path& folder) {
  const fs::path run = folder / "power-iteration";
  if (!fs::exists(run)) {
    fs::copy(fs::path(RANGEWISE_SOURCE_DIR) / "samples" / "power-iteration", run, fs::copy_options::recursive);
  }
  return run;
}

fs::path SmokeTables() { return fs::path(RANGEWISE_SOURCE_DIR) / "samples/smoke-local/stats"; }

fs::path MakeSmokeRun(const fs::path& folder, bool with_stats) {
  const fs::path run = folder / "runs" / "smoke-local";
  fs::create_directories(run);
  fs::copy_file(SmokeTables().parent_path() / "manifest.yaml", run / "manifest.yaml");
  Spill(run / "trace.nsys-rep", "a trace that only nsys reads\n");
  if (with_stats) fs::copy(SmokeTables(), run / "stats");
  return run;
}

}  // namespace rangewise::test_support
