// kill -9 at random moments: what is in the run directory afterwards is the old state, the new one,
// or absent, and tables that do not belong together never pass unsaid.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <vector>

#include "support/fake_nsys.h"
#include "support/run_program.h"

namespace rangewise::test_support {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kTables[] = {"nsys_nvtx_pushpop_trace.csv", "nsys_nvtx_gpu_proj_trace.csv",
                                   "nsys_cuda_gpu_kern_sum.csv", "nsys_cuda_gpu_trace.csv"};

// Another recording: the same tables with 1 ns more in each time of the host table.
void MakeOtherTables(const fs::path& folder) {
  fs::copy(SmokeTables(), folder, fs::copy_options::recursive);
  std::string host = Slurp(folder / kTables[0]);
  for (size_t at = host.find("11070091"); at != std::string::npos;
       at = host.find("11070091", at + 1))
    host[at + 7] = '2';
  Spill(folder / kTables[0], host);
  Spill(folder / kTables[2], Slurp(folder / kTables[2]) + "\n");
  Spill(folder / kTables[3], Slurp(folder / kTables[3]) + "\n");
}

std::map<std::string, std::string> TablesIn(const fs::path& folder) {
  std::map<std::string, std::string> tables;
  for (const char* name : kTables) {
    if (fs::exists(folder / name)) tables[name] = Slurp(folder / name);
  }
  return tables;
}

TEST(KillNine, LeavesTheOldTheNewOrNothing) {
  ScratchFolder scratch;
  const fs::path run = MakeSmokeRun(scratch.path(), false);
  const fs::path other_tables = scratch.path() / "other";
  MakeOtherTables(other_tables);
  const std::vector<std::string> command = {
      RANGEWISE_BINARY, "analyze", run.string(), "--nsys", FakeNsysPath().string(), "--quiet"};

  FakeNsys nsys(SmokeTables());
  // Whole outcomes of both recordings, and how long an undisturbed run takes: the median of
  // several, since the first ones find nothing in the caches and would put most kills after the
  // end.
  std::set<std::string> analyses;
  std::set<std::map<std::string, std::string>> states;
  std::vector<std::chrono::microseconds> times;
  for (int round = 0; round < 10; ++round) {
    setenv("FAKE_NSYS_TABLES", (round % 2 == 0 ? SmokeTables() : other_tables).c_str(), 1);
    const auto begin = Clock::now();
    ASSERT_EQ(RunningProgram(command).Finish().exit_code, 0);
    times.push_back(std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin));
    analyses.insert(Slurp(run / "analysis.json"));
    states.insert(TablesIn(run / "stats"));
  }
  ASSERT_EQ(analyses.size(), 2u);
  ASSERT_EQ(states.size(), 2u);
  std::nth_element(times.begin(), times.begin() + 5, times.end());
  const std::chrono::microseconds whole = times[5];

  std::mt19937 random(20261130);
  int killed = 0;
  for (int round = 0; round < 100; ++round) {
    setenv("FAKE_NSYS_TABLES", (round % 2 == 0 ? SmokeTables() : other_tables).c_str(), 1);
    RunningProgram running(command);
    ::usleep(static_cast<useconds_t>(random() % static_cast<uint32_t>(whole.count() * 12 / 10)));
    ::kill(running.pid(), SIGKILL);
    if (running.Finish().exit_code == 128 + SIGKILL) ++killed;

    const auto tables = TablesIn(run / "stats");
    EXPECT_TRUE(tables.empty() || states.contains(tables))
        << "round " << round << ": half or mixed tables";
    const std::string analysis = Slurp(run / "analysis.json");
    EXPECT_TRUE(analysis.empty() || analyses.contains(analysis))
        << "round " << round << ": half an analysis";
    if (!tables.empty()) {
      // The record beside the tables is theirs: no staleness is hidden and none is invented.
      const Outcome again =
          RunRangewise({"analyze", run.string(), "--reports", "csv", "--strict", "--quiet", "-o",
                        (scratch.path() / "again.json").string()});
      EXPECT_EQ(again.exit_code, 0) << again.err;
    }
  }
  EXPECT_GT(killed, 50);
  // Whatever was left behind is cleared by the next whole run.
  ASSERT_EQ(RunningProgram(command).Finish().exit_code, 0);
  for (const auto& entry : fs::directory_iterator(run)) {
    EXPECT_FALSE(entry.path().filename().string().starts_with(".rangewise")) << entry.path();
  }
}

}  // namespace
}  // namespace rangewise::test_support
