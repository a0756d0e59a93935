// Times the native engine on an export beside a bare SQLite scan of the same columns, in one run with a warm cache:
//
//   export_bench FILE [THREADS ...]        default: 1 8 64
//
// Where one top-level range is named "Loop" (make_export, shape loop on one thread), it is the capture range and its
// `Step N to M` are the iterations, as in the sample. Elsewhere scopes begin at each top level.
// Prints, per thread count, the steps' times, their sum as a multiple of the bare scan, and the peak memory of the
// engine against its budget without GPU work (100 bytes a range and 96 a GPU operation; names come on top), by step too. Each run is
// a process of its own, so that peaks do not mix; the best of three is shown.
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "analysis/analyze.h"
#include "base/files.h"
#include "base/memory.h"
#include "ingest/export_reader.h"
#include "tables/engine_tables.h"

namespace {

namespace rw = rangewise;

double Now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The bare scan: every column that the tables need, touched once, on one connection.
constexpr const char* kBareScan[] = {
    "SELECT max(start), max(end), max(eventType), max(text), max(globalTid), max(endGlobalTid), max(textId), "
    "max(domainId) FROM NVTX_EVENTS",
    "SELECT max(start), max(end), max(globalTid), max(correlationId) FROM CUPTI_ACTIVITY_KIND_RUNTIME",
    "SELECT max(start), max(end), max(deviceId), max(contextId), max(greenContextId), max(streamId), "
    "max(correlationId), max(globalPid), max(demangledName), max(registersPerThread), max(gridX), max(gridY), "
    "max(gridZ), max(blockX), max(blockY), max(blockZ), max(staticSharedMemory), max(dynamicSharedMemory) "
    "FROM CUPTI_ACTIVITY_KIND_KERNEL",
    "SELECT max(start), max(end), max(deviceId), max(contextId), max(greenContextId), max(streamId), "
    "max(correlationId), max(globalPid), max(bytes), max(copyKind), max(srcKind), max(dstKind) "
    "FROM CUPTI_ACTIVITY_KIND_MEMCPY"};

double BareScan(const char* path) {
  sqlite3* database = nullptr;
  if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK) std::exit(1);
  const double begin = Now();
  for (const char* sql : kBareScan) {
    if (sqlite3_exec(database, sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
      std::fprintf(stderr, "export_bench: %s\n", sqlite3_errmsg(database));
      std::exit(1);
    }
  }
  const double end = Now();
  sqlite3_close(database);
  return end - begin;
}

struct Measured {
  double scan = 0, tree = 0, projection = 0, gpu_work = 0, write = 0, commit = 0, analysis = 0;
  double ranges = 0, operations = 0, table_bytes = 0;
  double peak_bytes = 0;
  double step_peaks[7] = {};  // in the order of kSteps
  double Total() const { return scan + tree + projection + gpu_work + write + commit + analysis; }
};

constexpr const char* kSteps[] = {"scan", "tree", "projection", "gpu work", "write", "commit", "analysis"};

// The process's largest memory since it was last asked.
double TakePeak() {
  std::ifstream status("/proc/self/status");
  double peak = 0;
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) peak = std::atof(line.c_str() + 6) * 1024;
  }
  std::ofstream("/proc/self/clear_refs") << "5";
  return peak;
}

// Counts what passes through to a file.
class CountingOutput : public rw::Output {
 public:
  CountingOutput(rw::AtomicFile file, double& bytes) : file_(std::move(file)), bytes_(bytes) {}
  void Write(std::string_view bytes) override {
    bytes_ += static_cast<double>(bytes.size());
    file_.Write(bytes);
  }
  bool Commit() { return file_.Commit().ok(); }

 private:
  rw::AtomicFile file_;
  double& bytes_;
};

rw::model::Harness HarnessOf(const rw::model::ReportTables& tables) {
  const auto loops = std::count_if(tables.host.begin(), tables.host.end(), [&](const auto& range) {
    return range.parent_id == rw::model::kNoParent && tables.names.At(range.name) == "Loop";
  });
  if (loops != 1) return {};
  rw::model::Harness harness;
  harness.capture_range = "Loop";
  harness.iteration_pattern = R"(Step \d+ to \d+)";
  return harness;
}

Measured RunEngine(const char* path, int threads, bool gpu_work) {
  Measured measured;
  rw::Diagnostics diagnostics;
  double mark = Now();
  size_t at = 0;  // the step at hand
  const auto lap = [&] {
    const double now = Now();
    measured.step_peaks[at] = std::max(measured.step_peaks[at], TakePeak());
    return now - std::exchange(mark, now);
  };
  TakePeak();
  auto loaded = rw::ingest::LoadExport(path, {.threads = threads, .gpu_work = gpu_work}, diagnostics);
  if (!loaded.ok()) {
    std::fputs(rw::Render(loaded.error()).c_str(), stderr);
    std::exit(1);
  }
  measured.ranges = static_cast<double>(loaded->trace.ranges.size());
  measured.operations = static_cast<double>(loaded->trace.operations.size());
  measured.scan = lap();
  at = 1;
  auto folder = rw::TemporaryFolder::Create(rw::fs::temp_directory_path());
  std::vector<CountingOutput> files;
  files.reserve(4);
  for (const rw::model::Report report : rw::model::kReports) {
    auto file = rw::AtomicFile::Create(folder->path() / rw::model::ReportFileName(report));
    files.emplace_back(std::move(*file), measured.table_bytes);
  }
  double* step = &measured.tree;
  std::map<std::string_view, double*> steps = {
      {"tree", &measured.tree},
                                                {"projection", &measured.projection},
                                                {"gpu work", &measured.gpu_work},
                                                {"write", &measured.write}};
  rw::tables::ComputeOptions options;
  options.threads = threads;
  options.gpu_work = gpu_work;
  options.on_step = [&](std::string_view name) {
    *step += lap();
    step = steps.at(name);
    at = static_cast<size_t>(std::find(std::begin(kSteps), std::end(kSteps), name) - std::begin(kSteps));
  };
  auto computed = rw::tables::ComputeTables(std::move(loaded->trace), {&files[0], &files[1], &files[2], &files[3]},
                                            options, diagnostics);
  *step += lap();
  if (!computed.ok()) std::exit(1);
  at = 5;
  for (CountingOutput& file : files) file.Commit();
  measured.commit = lap();
  at = 6;
  const auto analysis = rw::analysis::Analyze(
      computed->tables, HarnessOf(computed->tables),
      {.threads = threads, .gpu_activity = computed->activity ? &*computed->activity : nullptr}, diagnostics);
  if (!analysis.ok()) {
    std::fputs(rw::Render(analysis.error()).c_str(), stderr);
    std::exit(1);
  }
  measured.analysis = lap();
  measured.peak_bytes = *std::max_element(std::begin(measured.step_peaks), std::end(measured.step_peaks));
  return measured;
}

// In a process of its own; what it measured comes back through a pipe.
Measured Isolated(const char* path, int threads, bool gpu_work) {
  int ends[2];
  if (pipe(ends) != 0) std::exit(1);
  const pid_t child = fork();
  if (child == 0) {
    const Measured measured = RunEngine(path, threads, gpu_work);
    const ssize_t written = write(ends[1], &measured, sizeof(measured));
    _exit(written == sizeof(measured) ? 0 : 1);
  }
  close(ends[1]);  // so that the end of a child that failed is the end of the pipe
  Measured measured;
  const ssize_t got = read(ends[0], &measured, sizeof(measured));
  int status = 0;
  waitpid(child, &status, 0);
  close(ends[0]);
  if (got != sizeof(measured) || status != 0) std::exit(1);
  return measured;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: export_bench FILE [THREADS ...]\n");
    return 2;
  }
  std::vector<int> thread_counts;
  for (int i = 2; i < argc; ++i) thread_counts.push_back(std::atoi(argv[i]));
  if (thread_counts.empty()) thread_counts = {1, 8, 64};
  rw::ReturnFreedArrays();
  BareScan(argv[1]);
  double bare = 1e9;
  for (int i = 0; i < 3; ++i) bare = std::min(bare, BareScan(argv[1]));
  std::printf("%s\nbare scan %.3f s\n", argv[1], bare);
  std::printf("threads gpu work    scan    tree projection gpu work  write  commit analysis   total  x bare  peak MB  budget MB\n");
  for (const int threads : thread_counts) {
    // The two in turn, since the machine's speed drifts.
    Measured best[2];
    for (int i = 0; i < 3; ++i) {
      for (const bool gpu_work : {false, true}) {
        const Measured measured = Isolated(argv[1], threads, gpu_work);
        if (i == 0 || measured.Total() < best[gpu_work].Total()) best[gpu_work] = measured;
      }
    }
    for (const bool gpu_work : {false, true}) {
      const Measured& run = best[gpu_work];
      std::printf("%7d %8s %7.3f %7.3f %10.3f %8.3f %6.3f %7.3f %8.3f %7.3f %7.2f %8.0f %10.0f\n", threads,
                  gpu_work ? "on" : "off", run.scan, run.tree, run.projection, run.gpu_work, run.write, run.commit,
                  run.analysis, run.Total(), run.Total() / bare, run.peak_bytes / 1e6,
                  (100 * run.ranges + 96 * run.operations) / 1e6);
      std::printf("        peak MB:");
      for (size_t i = 0; i < std::size(kSteps); ++i) std::printf(" %s %.0f", kSteps[i], run.step_peaks[i] / 1e6);
      std::printf("\n");
    }
    std::printf("        %.0f ranges, %.0f operations, %.1f MB of tables, %.1f ns a range; GPU work: %.2f times, %.1f bytes "
                "an operation\n",
                best[0].ranges, best[0].operations, best[0].table_bytes / 1e6,
                best[0].Total() / std::max(1.0, best[0].ranges) * 1e9, best[1].Total() / best[0].Total(),
                (best[1].peak_bytes - best[0].peak_bytes) / std::max(1.0, best[0].operations));
  }
  return 0;
}
