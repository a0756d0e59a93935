// GPU work per range as ingest, tables and analysis make it of an export, against the reference: on
// the real exports, on the vectors of docs/reports.md with numbers computed by hand, and on many
// random traces.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <random>

#include "base/files.h"
#include "base/text.h"
#include "support/export_files.h"
#include "support/gpu_pipeline.h"
#include "support/random_gpu_trace.h"

namespace rangewise {
namespace {

using test::DifferenceOf;
using test::GpuOutcome;
using test::GpuReferenceOptions;
using test::GpuSheets;
using test::RandomGpuTrace;
using test::RawTrace;
using test::RunGpuPipeline;

class GpuWorkReference : public testing::Test {
 protected:
  void SetUp() override {
    auto folder = TemporaryFolder::Create(fs::temp_directory_path());
    ASSERT_TRUE(folder.ok());
    folder_.emplace(std::move(*folder));
  }
  fs::path Export(const std::string& name) const {
    return test::UnpackExport(name, folder_->path());
  }

  // How many sheets there are; 0 and a failure where the two differ.
  size_t CompareExport(const std::string& name, const GpuReferenceOptions& options) {
    const fs::path path = Export(name);
    const GpuOutcome outcome = RunGpuPipeline(path, options, 2);
    if (!outcome.has_work()) {
      ADD_FAILURE() << name << " has no GPU work: " << outcome.computed.no_activity;
      return 0;
    }
    const GpuSheets sheets = outcome.Sheets();
    const std::string difference =
        DifferenceOf(sheets, ComputeGpuReference(test::ReadRawTrace(path), options));
    EXPECT_EQ(difference, "") << name;
    return difference.empty() ? sheets.size() : 0;
  }

  std::optional<TemporaryFolder> folder_;
};

TEST_F(GpuWorkReference, OfRealExportsIsThatOfTheReference) {
  size_t sheets = 0;
  sheets += CompareExport("power_iteration_2025.3.1", {.capture_range = "Loop",
                                                       .iteration_pattern = "Step (\\d+) to \\d+",
                                                       .gap_threshold_ns = 20000,
                                                       .mask_numbers = true});
  sheets +=
      CompareExport("power_iteration_2025.3.1", {.classes = {{".*[Rr]educe.*", "reduction"}}});
  sheets += CompareExport("train_2gpu_2026.2.1", {.kernels = 3, .mask_numbers = true});
  sheets += CompareExport("fuser_threads_2025.1.1", {});
  sheets += CompareExport("vectors", {});
  sheets += CompareExport("vectors", {.capture_range = "step", .gap_threshold_ns = 500});
  std::printf("%zu sheets of real exports\n", sheets);
  EXPECT_GT(sheets, 1000u);
}

TEST_F(GpuWorkReference, OfAnExportWithoutGpuDataIsNotKnownAndSaysWhy) {
  const GpuOutcome outcome = RunGpuPipeline(Export("poolformer_tensorrt_2022.4.2"), {}, 2);
  EXPECT_FALSE(outcome.has_work());
  EXPECT_NE(outcome.computed.no_activity.find("no table of GPU operations"), std::string::npos)
      << outcome.computed.no_activity;
}

// Operations of the vectors, with what launched them (docs/reports.md). T's ranges hold the calls
// of 1 [170,180], 2 [310,320] and 3 [520,540]; U's range that of 4 [130,140]; V's range another
// call of 1, [200,210].
//   K1 1000-1500 of call 1     M  1600-1700 of call 2, 2097152 bytes     K2 2000-2100 and K3
//   2200-2500 of call 3 K4 1200-1300 of call 4     K5 900-1000 of V's call 1                 K6
//   4000-4100 of call 5, in no range
TEST_F(GpuWorkReference, OfTheVectorsIsAsComputedByHand) {
  const GpuOutcome outcome = RunGpuPipeline(Export("vectors"), {}, 1);
  ASSERT_TRUE(outcome.has_work());
  GpuSheets sheets = outcome.Sheets();
  // `step` [100,1000] holds calls 1 to 3. Kernels 500 + 100 + 300; busy the same and 100 of the
  // copy, with gaps; from 1000 to 2500. None is its own: `fwd` and `se` are smaller. Delays of the
  // queue 1000-180, 1600-320, 2000-540 and 2200-540: 820, 1280, 1460, 1660; their mean is 5220/4,
  // the median 2740/2, the p90 lies 0.7 between the last two; deviations from the median 550, 90,
  // 90, 290.
  EXPECT_EQ(
      sheets["path :step"],
      "total 4 operations; kernels 3 of 900 ns; copies 1 of 100 ns, 2097152 bytes; sets 0 of 0 ns\n"
      "own 0 operations; kernels 0 of 0 ns; copies 0 of 0 ns; sets 0 of 0 ns\n"
      "launches 3\n"
      "copies Host-to-Device 1 of 100 ns, 2097152 bytes\n"
      "1 kernels\n"
      "kernel gemm(float, int) 3 of 900 ns\n"
      "busy 1000 of projections 1500\n"
      "device 0: 4 operations, busy 1000, streams 7; compute 3 busy 900; copy 1 busy 100; "
      "communication "
      "overlapped 0 exposed 0; copies exposed 100\n"
      "graphs 0 of 0 ns; nodes 0 operations; kernels 0 of 0 ns; copies 0 of 0 ns; sets 0 of 0 ns\n"
      "calls; synchronising 0 of 0 ns; launching 3 of 40 ns; memory 0 of 0 ns; other 0 of 0 ns\n"
      "own calls; synchronising 0 of 0 ns; launching 0 of 0 ns; memory 0 of 0 ns; other 0 of 0 ns\n"
      "synchronisations unknown\n"
      "queue 0 during the call, 4 after: total 5220 minimum 820 maximum 1660 mean 1305 deviation "
      "358.6548945 "
      "median 1370 p90 1600 p95 1630 p99 1654 mad 190");
  const auto expect_line = [&](const std::string& sheet, const std::string& line) {
    EXPECT_NE(("\n" + sheets[sheet] + "\n").find("\n" + line + "\n"), std::string::npos)
        << sheet << " has no line " << line << ":\n"
        << sheets[sheet];
  };
  // `fwd` [150,400] holds calls 1 and 2, of which `k,1` [160,300] holds 1.
  expect_line(
      "path :step/:fwd",
      "total 2 operations; kernels 1 of 500 ns; copies 1 of 100 ns, 2097152 bytes; sets 0 of 0 ns");
  expect_line(
      "path :step/:fwd",
      "own 1 operations; kernels 0 of 0 ns; copies 1 of 100 ns, 2097152 bytes; sets 0 of 0 ns");
  expect_line("path :step/:fwd", "busy 600 of projections 700");
  expect_line("path :step/:fwd/LIB:k,1",
              "own 1 operations; kernels 1 of 500 ns; copies 0 of 0 ns; sets 0 of 0 ns");
  expect_line("path :step/:fwd/LIB:k,1", "busy 500 of projections 500");
  // `se` [120,900], a start/end range in `step`, which has no call of its own any more.
  expect_line(
      "path :step/:se",
      "total 4 operations; kernels 3 of 900 ns; copies 1 of 100 ns, 2097152 bytes; sets 0 of 0 ns");
  expect_line("path :step/:se",
              "own 2 operations; kernels 2 of 400 ns; copies 0 of 0 ns; sets 0 of 0 ns");
  // `open` ends at 2100, the end of `empty`. `se` does not lie in it, so call 3 is its own, too.
  expect_line("path :open",
              "total 2 operations; kernels 2 of 400 ns; copies 0 of 0 ns; sets 0 of 0 ns");
  expect_line("path :open",
              "own 2 operations; kernels 2 of 400 ns; copies 0 of 0 ns; sets 0 of 0 ns");
  expect_line("path :open", "busy 400 of projections 500");
  expect_line("path :other",
              "own 1 operations; kernels 1 of 100 ns; copies 0 of 0 ns; sets 0 of 0 ns");
  expect_line("path :p2",
              "own 1 operations; kernels 1 of 100 ns; copies 0 of 0 ns; sets 0 of 0 ns");
  EXPECT_FALSE(sheets.contains("path :open/:empty"));
  EXPECT_EQ(sheets["unattributed"], "without call 0 of 0 ns; outside ranges 1 of 100 ns");
  // K1, M, K2 and K3: `se` is beside `fwd`, and `open` beside `step`.
  EXPECT_EQ(sheets["overlapping"], "4");
  EXPECT_TRUE(outcome.diagnostics.Has(Code::kOverlappingRanges));
  // 900-1500 without a break, then 100 + 100 + 300 + 100.
  EXPECT_EQ(sheets["device 0"],
            "7 operations; kernels 6 of 1200 ns; copies 1 of 100 ns, 2097152 bytes; sets 0 of 0 "
            "ns, busy 1200\n"
            "stream 7 of context 1: 1 operations; kernels 1 of 100 ns; copies 0 of 0 ns; sets 0 of "
            "0 ns, busy 100\n"
            "stream 7 of context 1: 6 operations; kernels 5 of 1100 ns; copies 1 of 100 ns, "
            "2097152 bytes; sets 0 of 0 "
            "ns, busy 1100");
}

TEST_F(GpuWorkReference, OfTheVectorsHasTheGapBeforeTheFirstOperation) {
  // `step` [100,1000] as the capture range: only K5, from 900, ran in it, of another process.
  const GpuOutcome outcome =
      RunGpuPipeline(Export("vectors"), {.capture_range = "step", .gap_threshold_ns = 500}, 1);
  ASSERT_TRUE(outcome.has_work());
  const GpuSheets sheets = outcome.Sheets();
  EXPECT_EQ(sheets.at("gaps of the capture"),
            "window of 900 ns\n"
            "device 0: idle 800 in 1 gaps, 800 in 1 long ones; total 800 minimum 800 maximum 800 "
            "mean 800 deviation 0 "
            "median 800 p90 800 p95 800 p99 800 mad 0\n"
            "gap at 0 of 800 in :step during no call, mostly in :step for 550");
  EXPECT_TRUE(sheets.contains("path :fwd/LIB:k,1"));
}

// Whether an open push/pop range ends earlier in the host table than in the projection. It can then
// have parents in the one that do not hold what it holds in the other, and whose work follows its
// scope path.
bool OpenRangeHasTwoEnds(const RawTrace& raw) {
  int64_t push_pop = INT64_MIN;
  int64_t all = INT64_MIN;
  bool open = false;
  for (const test::RawEvent& event : raw.events) {
    if (event.type == 75) continue;
    const int64_t latest = std::max(event.start, event.end.value_or(event.start));
    all = std::max(all, latest);
    if (event.type != 59 && event.type != 70) continue;
    push_pop = std::max(push_pop, latest);
    open = open || !event.end;
  }
  return open && push_pop != all;
}

bool HasStartEndRange(const RawTrace& raw) {
  return std::any_of(raw.events.begin(), raw.events.end(), [](const test::RawEvent& event) {
    return event.type == 60 || event.type == 71;
  });
}

TEST_F(GpuWorkReference, OfRandomTracesIsThatOfTheReference) {
  constexpr int kTraces = 3000;
  constexpr uint64_t kSeed = 20261130;
  std::mt19937_64 random(kSeed);
  size_t compared = 0;
  size_t overlapping = 0;
  size_t unattributed = 0;
  for (int i = 0; i < kTraces; ++i) {
    const bool harness = random() % 2 == 0;
    const RawTrace raw = RandomGpuTrace(random, {.harness = harness, .only_nested = i % 4 == 0});
    GpuReferenceOptions options{.gap_threshold_ns = 4, .kernels = 2, .mask_numbers = i % 3 == 0};
    if (harness) options.capture_range = "capture";
    if (i % 5 == 0)
      options.classes = {{"mine_1", "special"}, {"mine_.*|\\[CUDA memset\\]", "communication"}};
    if (raw.events.empty() || raw.operations.empty() || OpenRangeHasTwoEnds(raw)) continue;
    SCOPED_TRACE(Format("trace {}", i));
    const GpuOutcome outcome = RunGpuPipeline(raw, folder_->path(), options, i % 16 == 0 ? 3 : 1);
    if (!outcome.analysis && outcome.computed.tables.host.empty())
      continue;  // an analysis needs a range
    GpuSheets reference = ComputeGpuReference(raw, options);
    ASSERT_TRUE(outcome.has_work()) << outcome.computed.no_activity;
    GpuSheets sheets = outcome.Sheets();
    if (harness && HasStartEndRange(raw)) {
      // A range around an iteration, that is no push/pop range, has total work that is the
      // iteration's own.
      reference.erase("overlapping");
      sheets.erase("overlapping");
    }
    ASSERT_EQ(DifferenceOf(sheets, reference), "") << Show(raw);
    compared += reference.size();
    EXPECT_EQ(outcome.diagnostics.Has(Code::kOverlappingRanges),
              outcome.work().overlapping_operations > 0);
    overlapping += outcome.work().overlapping_operations > 0 ? 1 : 0;
    unattributed += outcome.work().unattributed.without_call.instances > 0 ? 1 : 0;
  }
  std::printf(
      "%d random traces (seed %llu), %zu sheets; %zu with overlaps, %zu with unattributed work\n",
      kTraces, static_cast<unsigned long long>(kSeed), compared, overlapping, unattributed);
  EXPECT_GT(compared, 15000u);
  EXPECT_GT(overlapping, 100u);
  EXPECT_GT(unattributed, 1000u);
}

}  // namespace
}  // namespace rangewise
