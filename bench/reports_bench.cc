// Measures reading and analysing large report tables against `wc -l` on the same files, alternately
// and in one run, so that both see the same machine. Prints minimum, median and maximum of the wall
// time, the ratio, the peak memory of `rangewise analyze` and that per range (less a run on tables
// with the same names and few ranges).
//
//   reports_bench [--folder F] [--host N] [--projected N] [--operations N] [--paths N] [--threads
//   N] [--rounds N]
//                 [--rangewise PATH] [--reading]
//
// Tables are made in F (default: ./rangewise-bench-<numbers>) when they are not there. With
// --reading only ReadReportTables is measured, in a child process of its own.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/text.h"
#include "model/rows.h"
#include "tables/report_csv.h"

namespace {

using rangewise::Format;

struct Options {
  std::string folder;
  int64_t host = 1'000'000;
  int64_t projected = 1'000'000;
  int64_t operations = 750'000;
  int64_t paths = 1000;
  int threads = 1;
  int rounds = 7;
  std::string program = RANGEWISE_BINARY;
  bool reading = false;
};

struct Measured {
  double seconds = 0;      // wall time
  double cpu_seconds = 0;  // of all threads, in user and system mode
  int64_t peak_bytes = 0;
};

[[noreturn]] void Fail(const std::string& message) {
  std::fprintf(stderr, "reports_bench: %s\n", message.c_str());
  std::exit(1);
}

// Runs `child` in a process of its own to its end.
Measured Run(const std::function<int()>& child) {
  std::fflush(nullptr);
  const auto begin = std::chrono::steady_clock::now();
  const pid_t pid = fork();
  if (pid < 0) Fail("cannot fork");
  if (pid == 0) _exit(child());
  int status = 0;
  rusage usage = {};
  if (wait4(pid, &status, 0, &usage) != pid) Fail("lost a child");
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    Fail("a measured command failed; run it by hand to see why");
  }
  auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return {taken.count(), seconds(usage.ru_utime) + seconds(usage.ru_stime),
          int64_t{usage.ru_maxrss} * 1024};
}

// `arguments[0]` is a path or looked up; what it prints goes to /dev/null.
std::function<int()> Command(std::vector<std::string> arguments) {
  return [arguments = std::move(arguments)] {
    const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    std::vector<char*> pointers;
    for (const std::string& argument : arguments)
      pointers.push_back(const_cast<char*>(argument.c_str()));
    pointers.push_back(nullptr);
    execvp(pointers[0], pointers.data());
    return 127;
  };
}

std::vector<std::filesystem::path> Tables(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const rangewise::model::Report report : rangewise::model::kReports) {
    paths.push_back(std::filesystem::path(folder) / "stats" /
                    rangewise::model::ReportFileName(report));
  }
  return paths;
}

void MakeTables(const std::string& folder, const Options& options, int64_t host, int64_t projected,
                int64_t operations) {
  if (std::filesystem::exists(std::filesystem::path(folder) / "manifest.yaml")) return;
  Run(Command({RANGEWISE_MAKE_REPORTS, folder, std::to_string(host), std::to_string(projected),
               std::to_string(operations), std::to_string(options.paths),
               std::to_string(options.threads)}));
}

std::function<int()> Reading(const std::string& folder) {
  return [folder] {
    rangewise::tables::ReadRequest request;
    const auto paths = Tables(folder);
    for (size_t i = 0; i < paths.size(); ++i)
      request.files[rangewise::model::kReports[i]] = paths[i];
    rangewise::Diagnostics diagnostics;
    const auto result = rangewise::tables::ReadReportTables(request, diagnostics);
    if (!result.ok()) std::fputs(Render(result.error()).c_str(), stderr);
    return result.ok() ? 0 : 1;
  };
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void Print(const char* what, const std::vector<Measured>& runs) {
  std::vector<double> seconds;
  std::vector<double> cpu;
  for (const Measured& run : runs) {
    seconds.push_back(run.seconds);
    cpu.push_back(run.cpu_seconds);
  }
  std::sort(seconds.begin(), seconds.end());
  std::printf("%-20s min %7.3f s   median %7.3f s   max %7.3f s   median CPU %7.3f s\n", what,
              seconds.front(), seconds[seconds.size() / 2], seconds.back(), Median(cpu));
}

Options Parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--reading") {
      options.reading = true;
      continue;
    }
    if (i + 1 == argc) Fail("no value for " + flag);
    const char* value = argv[++i];
    if (flag == "--folder")
      options.folder = value;
    else if (flag == "--host")
      options.host = std::atoll(value);
    else if (flag == "--projected")
      options.projected = std::atoll(value);
    else if (flag == "--operations")
      options.operations = std::atoll(value);
    else if (flag == "--paths")
      options.paths = std::atoll(value);
    else if (flag == "--threads")
      options.threads = std::atoi(value);
    else if (flag == "--rounds")
      options.rounds = std::max(1, std::atoi(value));
    else if (flag == "--rangewise")
      options.program = value;
    else
      Fail("unknown option " + flag);
  }
  if (options.folder.empty()) {
    options.folder = Format("rangewise-bench-{}-{}-{}-{}-{}", options.host, options.projected,
                            options.operations, options.paths, options.threads);
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = Parse(argc, argv);
  MakeTables(options.folder, options, options.host, options.projected, options.operations);
  // The same names and hardly any ranges: what a run needs whatever the number of ranges.
  const std::string small = options.folder + "-small";
  const int64_t few = std::min(options.host, options.paths * 2);
  MakeTables(small, options, few, few, 1000);

  std::vector<std::string> wc = {"wc", "-l"};
  uint64_t bytes = 0;
  for (const auto& path : Tables(options.folder)) {
    wc.push_back(path.string());
    bytes += std::filesystem::file_size(path);
  }
  auto ours = [&](const std::string& folder) {
    if (options.reading) return Reading(folder);
    return Command({options.program, "analyze", folder, "--reports", "csv", "--quiet"});
  };

  Run(Command(wc));  // the files into memory
  std::vector<Measured> wc_runs;
  std::vector<Measured> our_runs;
  std::vector<double> ratios;
  std::vector<double> our_seconds;
  int64_t peak = 0;
  for (int round = 0; round < options.rounds; ++round) {
    wc_runs.push_back(Run(Command(wc)));
    our_runs.push_back(Run(ours(options.folder)));
    our_seconds.push_back(our_runs.back().seconds);
    ratios.push_back(our_runs.back().seconds / wc_runs.back().seconds);
    peak = std::max(peak, our_runs.back().peak_bytes);
  }
  const int64_t base = Run(ours(small)).peak_bytes;
  const int64_t ranges = options.host + options.projected;

  std::printf("%lld host + %lld projected ranges, %lld GPU operations, %lld scope paths: %.1f MB\n",
              static_cast<long long>(options.host), static_cast<long long>(options.projected),
              static_cast<long long>(options.operations), static_cast<long long>(options.paths),
              static_cast<double>(bytes) / 1e6);
  const char* name = options.reading ? "reading the tables" : "rangewise analyze";
  Print("wc -l", wc_runs);
  Print(name, our_runs);
  std::printf("ratio of wall times to wc -l, round by round: median %.2f, max %.2f; %.0f MB/s\n",
              Median(ratios), *std::max_element(ratios.begin(), ratios.end()),
              static_cast<double>(bytes) / 1e6 / Median(our_seconds));
  std::printf("peak memory: %.1f MB; %.1f MB with few ranges; %.1f bytes per range beyond that\n",
              static_cast<double>(peak) / 1e6, static_cast<double>(base) / 1e6,
              static_cast<double>(peak - base) / static_cast<double>(ranges));
  return 0;
}
