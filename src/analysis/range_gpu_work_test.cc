#include "analysis/range_gpu_work.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/gpu_work_bench.h"

namespace rangewise::analysis {
namespace {

using model::AdditiveWork;
using model::CallClass;
using model::GpuWork;
using model::kNoCall;
using model::kOutsideRanges;
using testing::ActivityBuilder;
using testing::GpuWorkBench;

constexpr int64_t kTop = model::kNoParent;

TEST(RangeGpuWork, SumsWhatWasLaunchedInARangeAndInThoseBelow) {
  GpuWorkBench bench;
  bench.tables.Host(1, kTop, "step", 1000).Host(2, 1, "fwd", 400).Host(3, 2, "gemm", 100);
  bench.gpu.Kernel("k", 100, 200, ActivityBuilder::In(3), 10)
      .Kernel("k", 150, 300, ActivityBuilder::In(3), 30)
      .Kernel("other", 350, 400, ActivityBuilder::In(2), -5)
      .Copy("Host-to-Device", 64, 500, 600, ActivityBuilder::In(1));
  ASSERT_TRUE(bench.Run().ok());
  EXPECT_EQ(bench.Paths(), (std::vector<std::string>{"step", "step>fwd", "step>fwd>gemm"}));

  const GpuWork& step = bench.Path("step");
  EXPECT_EQ(step.total.operations, 4);
  EXPECT_EQ(step.total.kernels, (model::OperationSum{3, {300}}));
  EXPECT_EQ(step.total.copies, (model::MemorySum{{1, {100}}, 64}));
  EXPECT_EQ(step.own.operations, 1);
  EXPECT_EQ(step.own.kernels.instances, 0);
  EXPECT_EQ(step.busy.value().ns, 200 + 50 + 100);
  EXPECT_EQ(step.projection.ns, 500);
  EXPECT_DOUBLE_EQ(*step.BusyShare(), 0.7);
  EXPECT_EQ(step.launches, 4);
  ASSERT_TRUE(step.queue_delay.has_value());
  EXPECT_EQ(step.queue_delay->started_during_call, 1);
  EXPECT_EQ(step.queue_delay->instances, 2);
  EXPECT_EQ(step.queue_delay->statistics->total.ns, 40);
  EXPECT_EQ(bench.Path("step>fwd").own.kernels, (model::OperationSum{1, {50}}));
  EXPECT_EQ(bench.Path("step>fwd").projection.ns, 300);
  EXPECT_EQ(bench.Path("step>fwd>gemm").busy.value().ns, 200);
  EXPECT_EQ(bench.work().overlapping_operations, 0);
}


// Ranges that overlap, two processes with one correlation id, a launch of two kernels, and a
// start/end range that the host table does not know.
TEST(RangeGpuWork, AttributesTheReferenceVectors) {
  GpuWorkBench bench;
  bench.tables.Thread(700, 700)
      .Host(2, kTop, "step", 900, 250, 100)
      .Host(3, 2, "fwd", 250, 140, 150)
      .Host(4, 3, "k,1", 140, 0, 160)
      .Host(5, kTop, "open", 1600, 100, 500)
      .Host(9, 5, "empty", 100, 0, 2000)
      .Projected(2, kTop, "step", 1500, 900, 3)
      .Projected(3, 6, "fwd", 700, 250, 2)
      .Projected(4, 3, "k,1", 500, 140)
      .Projected(5, kTop, "open", 500, 1600)
      .Projected(6, 2, "se", 1500, 780, 3)
      .StartEnd()
      .Thread(700, 701)
      .Host(7, kTop, "other", 900, 0, 100)
      .Projected(7, kTop, "other", 100, 900)
      .Thread(800, 800)
      .Host(8, kTop, "p2", 850, 0, 100)
      .Projected(8, kTop, "p2", 100, 850);
  // Call 170-180 in step, fwd, k,1 and se; 310-320 in step, fwd and se; 520-540 in step, se, open.
  const model::Site first = bench.gpu.InAll({{4, true}, {6, false}});
  const model::Site second = bench.gpu.InAll({{3, true}, {6, false}});
  const model::Site third = bench.gpu.InAll({{6, true}, {5, true}});
  bench.gpu.Kernel("gemm(float, int)", 1000, 1500, first, 820)
      .Kernel("gemm(float, int)", 2000, 2100, third, 1460, 3)
      .Kernel("gemm(float, int)", 2200, 2500, third, 1660, 3)
      .Kernel("gemm(float, int)", 1200, 1300, ActivityBuilder::In(7), 1060)
      .Kernel("gemm(float, int)", 4000, 4100, kOutsideRanges, 990)
      .Copy("Host-to-Device", 2097152, 1600, 1700, second, 1280)
      .On(0, 7, 1)
      .Kernel("gemm(float, int)", 900, 1000, ActivityBuilder::In(8), 690);
  bench.gpu.Call(CallClass::kLaunching, 10, first)
      .Call(CallClass::kSynchronising, 10, second)
      .Call(CallClass::kLaunching, 20, third)
      .Call(CallClass::kLaunching, 10, ActivityBuilder::In(7))
      .Call(CallClass::kLaunching, 10, ActivityBuilder::In(8));
  ASSERT_TRUE(bench.Run().ok());
  EXPECT_EQ(bench.Paths(), (std::vector<std::string>{"open", "other", "p2", "step", "step>fwd",
                                                     "step>fwd>k,1", "step>se"}));

  const GpuWork& step = bench.Path("step");
  EXPECT_EQ(step.total.kernels, (model::OperationSum{3, {900}}));
  EXPECT_EQ(step.total.copies, (model::MemorySum{{1, {100}}, 2097152}));
  EXPECT_EQ(step.launches, 3);
  EXPECT_EQ(step.projection.ns, 1500);
  EXPECT_EQ(step.busy.value().ns, 1000);
  EXPECT_EQ(step.own.operations, 0);
  EXPECT_DOUBLE_EQ(*step.copies.at(0).memory.BytesPerSecond(), 20971520e6);
  EXPECT_EQ((*step.calls)[static_cast<size_t>(CallClass::kLaunching)], (model::CallTime{2, {30}}));
  EXPECT_EQ((*step.calls)[static_cast<size_t>(CallClass::kSynchronising)],
            (model::CallTime{1, {10}}));
  EXPECT_EQ(bench.Path("step>se").total, step.total);
  EXPECT_EQ(bench.Path("step>se").own.kernels, (model::OperationSum{2, {400}}));
  EXPECT_EQ(bench.Path("step>fwd").projection.ns, 700);
  EXPECT_EQ(bench.Path("step>fwd").own.copies.sum.instances, 1);
  EXPECT_EQ(bench.Path("step>fwd>k,1").busy.value().ns, 500);
  EXPECT_EQ(bench.Path("open").launches, 1);
  EXPECT_EQ(bench.Path("open").total.kernels, (model::OperationSum{2, {400}}));
  EXPECT_EQ(bench.Path("open").projection.ns, 500);
  EXPECT_EQ(bench.Path("other").busy.value().ns, 100);
  EXPECT_EQ(bench.Path("p2").total.operations, 1);
  EXPECT_EQ(bench.work().unattributed.outside_ranges, (model::OperationSum{1, {100}}));
  EXPECT_EQ(bench.work().overlapping_operations, 4);
  ASSERT_TRUE(bench.diagnostics.Has(Code::kOverlappingRanges));
  EXPECT_EQ(bench.diagnostics.warnings().back().sentence,
            "4 GPU operations lie in ranges that do not nest, for example in 'open' and in "
            "'step.se'");
  // Two processes have a stream 7 each.
  ASSERT_EQ(bench.work().devices.size(), 1u);
  EXPECT_EQ(bench.work().devices[0].streams.size(), 2u);
  EXPECT_EQ(bench.work().devices[0].work.operations, 7);
}

TEST(RangeGpuWork, KeepsDevicesApart) {
  GpuWorkBench bench;
  bench.tables.Host(1, kTop, "a", 1000);
  bench.gpu.activity().gpus = {{0, "GPU X"}, {1, "GPU Y"}};
  bench.gpu.On(1, 9)
      .Kernel("k", 0, 100, ActivityBuilder::In(1))
      .On(0, 8)
      .Kernel("k", 50, 150, ActivityBuilder::In(1))
      .On(0, 7)
      .Kernel("k", 100, 180, ActivityBuilder::In(1))
      .On(model::kNullInteger, model::kNullInteger)
      .Kernel("k", 400, 410, ActivityBuilder::In(1));
  ASSERT_TRUE(bench.Run().ok());
  const GpuWork& work = bench.Path("a");
  EXPECT_EQ(work.busy.value().ns, 190);
  ASSERT_EQ(work.devices.size(), 3u);
  EXPECT_EQ(work.devices[0].device, model::kNullInteger);
  EXPECT_EQ(work.devices[1].busy.ns, 130);
  EXPECT_EQ(work.devices[1].streams, (std::vector<int64_t>{7, 8}));
  EXPECT_EQ(work.devices[2].busy.ns, 100);
  ASSERT_EQ(bench.work().devices.size(), 3u);
  EXPECT_EQ(bench.work().devices[1].name, "GPU X");
  EXPECT_EQ(bench.work().devices[2].streams.at(0).busy.ns, 100);
}

TEST(RangeGpuWork, CountsAnOperationOfTwoCallsOnce) {
  GpuWorkBench bench;
  bench.tables.Host(1, kTop, "a", 1000).Host(2, 1, "b", 10).Host(3, 1, "c", 10);
  const model::Site both = bench.gpu.InAll({{2, true}, {3, true}});
  const model::Site unknown = bench.gpu.InAll({{99, true}, {1, false}});
  bench.gpu.Kernel("k", 0, 100, both).Kernel("k", 200, 250, unknown);
  ASSERT_TRUE(bench.Run().ok());
  EXPECT_EQ(bench.Path("a").total.operations, 2);
  EXPECT_EQ(bench.Path("a").own.operations, 0);
  EXPECT_EQ(bench.Path("a>b").own.operations, 1);
  EXPECT_EQ(bench.Path("a>c").total.operations, 1);
  EXPECT_EQ(bench.work().overlapping_operations, 1);
}

// The inner range's path is that of the capture range, and no path below "step": step's total is
// nobody's own.
TEST(RangeGpuWork, SeesAnOverlapBehindARangeOfTheCaptureRangesName) {
  GpuWorkBench bench;
  bench.capture = "capture";
  bench.tables.Host(1, kTop, "capture", 1000).Host(2, kTop, "step", 1100).Host(3, 1, "capture", 10);
  bench.gpu.Kernel("k", 0, 100, bench.gpu.InAll({{2, false}, {3, true}}))
      .Kernel("k", 200, 300, bench.gpu.InAll({{1, true}}));
  ASSERT_TRUE(bench.Run().ok());
  EXPECT_EQ(bench.Path("step").total.operations, 1);
  EXPECT_EQ(bench.Path("step").own.operations, 0);
  EXPECT_EQ(bench.Path("capture").own.operations, 2);
  EXPECT_EQ(bench.work().overlapping_operations, 1);
}

// A capture range with two iterations, the second without GPU work; 100 ns of idle time at most is
// short.
struct Captured : GpuWorkBench {
  Captured();
};
Captured::Captured() {
  capture = "capture";
  options.gap_threshold_ns = 101;
  tables.Host(1, kTop, "capture", 1000, 0, 0)
      .Host(2, 1, "iteration 0", 300, 0, 100)
      .Host(3, 1, "iteration 1", 300, 0, 500)
      .Host(4, 2, "fwd", 200, 0, 150)
      .Host(5, kTop, "warm-up", 50, 0, 2000);
  gpu.Kernel("k", 200, 300, ActivityBuilder::In(4))
      .Kernel("k", 400, 450, ActivityBuilder::In(2))
      .Kernel("k", 1200, 1300, ActivityBuilder::In(1))
      .Kernel("k", 2050, 2060, ActivityBuilder::In(5));
}

TEST(RangeGpuWork, BelongsToTheCaptureRangeAndItsIterations) {
  Captured bench;
  ASSERT_TRUE(bench.Run().ok());
  EXPECT_EQ(bench.Paths(), (std::vector<std::string>{"capture", "fwd", "warm-up"}));
  EXPECT_EQ(bench.Path("capture").total.operations, 3);
  EXPECT_EQ(bench.Path("capture").own.operations, 1);
  EXPECT_EQ(bench.Path("capture").projection.ns, 1100);
  ASSERT_EQ(bench.work().iterations.size(), 2u);
  const GpuWork& first = bench.work().iterations[0].work;
  EXPECT_EQ(first.total.operations, 2);
  EXPECT_EQ(first.own.operations, 1);
  EXPECT_EQ(first.projection.ns, 250);
  EXPECT_DOUBLE_EQ(*first.BusyShare(), 0.6);
  const GpuWork& second = bench.work().iterations[1].work;
  EXPECT_EQ(second.total.operations, 0);
  EXPECT_FALSE(second.BusyShare().has_value());
  EXPECT_EQ(second.total.copies.bytes, 0);
}

TEST(RangeGpuWork, FindsIdleTimesWithinWindows) {
  Captured bench;
  bench.gpu.activity().gap_calls = {{1, 0, 300, "cudaStreamSynchronize"}, {1, 0, 450, ""}};
  ASSERT_TRUE(bench.Run().ok());
  const model::IdleWindow& capture = *bench.work().gaps.capture;
  EXPECT_EQ(capture.length_ns, 1000);
  ASSERT_EQ(capture.devices.size(), 1u);
  const model::DeviceIdle& device = capture.devices[0];
  EXPECT_EQ(device.idle.ns, 200 + 100 + 550);
  EXPECT_EQ(device.gaps, 3);
  EXPECT_EQ(device.long_gaps, 2);
  EXPECT_EQ(device.idle_in_long_gaps.ns, 750);
  EXPECT_EQ(device.gap_lengths->maximum.ns, 550);
  ASSERT_EQ(device.largest.size(), 3u);
  EXPECT_EQ(device.largest[0].start_ns, 450);
  EXPECT_EQ(device.largest[0].call, "");
  EXPECT_EQ(device.largest[1].start_ns, 0);
  EXPECT_EQ(device.largest[2].call, "cudaStreamSynchronize");
  std::vector<std::string> names;
  for (const model::NameId name : device.largest[2].host_range) names.emplace_back(bench.names.At(name));
  EXPECT_EQ(names, (std::vector<std::string>{"capture", "iteration 0", "fwd"}));
  EXPECT_EQ(device.largest[0].host_range.size(), 1u);
  ASSERT_EQ(bench.work().gaps.iterations.size(), 1u);
  EXPECT_EQ(bench.work().gaps.iterations[0].iteration, 0);
  EXPECT_EQ(bench.work().gaps.iterations[0].devices.at(0).idle.ns, 100);
  EXPECT_TRUE(bench.work().gaps.iterations[0].devices.at(0).largest.empty());
}

TEST(RangeGpuWork, ClassesOverlapPerDevice) {
  GpuWorkBench bench;
  bench.options.classes = {{"flash_.*", "attention"}, {"\\[CUDA memcpy Peer-to-Peer\\]", "communication"}};
  bench.tables.Host(1, kTop, "a", 1000);
  const model::Site in = ActivityBuilder::In(1);
  bench.gpu.Kernel("gemm", 0, 100, in)
      .Kernel("ncclDevKernel_AllReduce_Sum_f32(ncclArgs)", 50, 150, in)
      .Kernel("flash_fwd", 140, 160, in)
      .Copy("Peer-to-Peer", 1, 155, 200, in)
      .Copy("Host-to-Device", 1, 90, 145, in)
      .Set(8, 500, 510, in);
  ASSERT_TRUE(bench.Run().ok());
  const model::DeviceWork& device = bench.Path("a").devices.at(0);
  std::vector<std::string> classes;
  for (const model::ClassTime& of_class : device.classes) {
    classes.push_back(of_class.name + " " + std::to_string(of_class.busy.ns));
  }
  EXPECT_EQ(classes, (std::vector<std::string>{"attention 20", "communication 145", "compute 100",
                                               "copy 55", "set 10"}));
  // Computing is [0, 100] and [140, 160]; communication [50, 150] and [155, 200].
  EXPECT_EQ(device.communication_overlapped.ns, 50 + 10 + 5);
  EXPECT_EQ(device.communication_exposed.ns, 40 + 40);
  EXPECT_EQ(device.copy_exposed.ns, 40);

  bench.options.classes = {{"(", "x"}};
  const Status status = bench.Run();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, Code::kBadPattern);
}

TEST(RangeGpuWork, WholeGraphsAloneHaveNoBusyTime) {
  GpuWorkBench bench;
  bench.tables.Host(1, kTop, "graph", 500).Host(2, kTop, "both", 500, 0, 1000).Host(3, kTop, "host", 9, 0, 2000);
  bench.gpu.Graph(100, 200, ActivityBuilder::In(1)).Graph(1100, 1200, ActivityBuilder::In(2));
  bench.gpu.Kernel("k", 1300, 1350, ActivityBuilder::In(2)).Call(CallClass::kOther, 3, ActivityBuilder::In(3));
  ASSERT_TRUE(bench.Run().ok());
  EXPECT_FALSE(bench.Path("graph").busy.has_value());
  EXPECT_EQ(bench.Path("both").busy, GpuNs{50});  // at least
  EXPECT_FALSE(bench.Path("both").BusyShare().has_value());
  EXPECT_EQ(bench.Path("host").busy, GpuNs{0});
  EXPECT_TRUE(bench.work().null_reasons.contains("busy"));
  EXPECT_TRUE(bench.work().null_reasons.contains("busy_share"));
}

TEST(RangeGpuWork, AnUnreadableTableOfGraphsHidesWhatItCouldSay) {
  Captured bench;
  bench.gpu.activity().no_graph_records = "the table has no column end";
  bench.gpu.activity().graphs_unreadable = true;
  bench.gpu.Call(CallClass::kLaunching, 3, ActivityBuilder::In(4));
  ASSERT_TRUE(bench.Run().ok());
  for (const model::PathGpuWork& path : bench.work().paths) {
    EXPECT_FALSE(path.work.BusyShare().has_value());
    EXPECT_EQ(path.work.busy.has_value(), path.work.total.operations > 0);
  }
  EXPECT_FALSE(bench.work().gaps.capture.has_value());
  EXPECT_TRUE(bench.work().gaps.iterations.empty());
  for (const char* section : {"busy_share", "gaps", "graphs"}) {
    ASSERT_TRUE(bench.work().null_reasons.contains(section)) << section;
    EXPECT_NE(bench.work().null_reasons.at(section).find("no column end"), std::string::npos);
  }
}

TEST(RangeGpuWork, StreamsHaveTheirProcesses) {
  GpuWorkBench bench;
  bench.tables.Host(1, kTop, "step", 1000);
  bench.gpu.activity().processes = {800, 700};
  bench.gpu.On(0, 7, 0).Kernel("k", 100, 200, ActivityBuilder::In(1));
  bench.gpu.On(0, 7, 1).Kernel("k", 300, 450, ActivityBuilder::In(1));
  bench.gpu.On(0, 7, 2).Kernel("k", 500, 510, ActivityBuilder::In(1));
  ASSERT_TRUE(bench.Run().ok());
  const auto& streams = bench.work().devices.at(0).streams;
  ASSERT_EQ(streams.size(), 3u);
  EXPECT_EQ(streams[0].process, model::kNullInteger);
  EXPECT_EQ(streams[1].process, 700);
  EXPECT_EQ(streams[1].busy.ns, 150);
  EXPECT_EQ(streams[2].process, 800);
}

TEST(RangeGpuWork, KeepsWholeGraphsApart) {
  Captured bench;
  bench.gpu.FromGraph().Kernel("node", 420, 460, ActivityBuilder::In(2)).FromGraph(false);
  bench.gpu.Graph(600, 700, ActivityBuilder::In(4)).Graph(800, 850, kNoCall);
  ASSERT_TRUE(bench.Run().ok());
  const GpuWork& fwd = bench.Path("fwd");
  EXPECT_EQ(fwd.graphs.records, (model::OperationSum{1, {100}}));
  EXPECT_EQ(fwd.graphs.nodes.operations, 0);
  EXPECT_EQ(fwd.busy.value().ns, 100);
  EXPECT_FALSE(fwd.BusyShare().has_value());
  EXPECT_EQ(bench.Path("capture").graphs.records.instances, 1);
  EXPECT_EQ(bench.Path("capture").graphs.nodes.kernels, (model::OperationSum{1, {40}}));
  EXPECT_EQ(bench.work().iterations[0].work.graphs.records.total.ns, 100);
  EXPECT_TRUE(bench.work().null_reasons.contains("gaps"));
  EXPECT_FALSE(bench.work().gaps.capture.has_value());
}

TEST(RangeGpuWork, SumsSynchronisationsByType) {
  Captured bench;
  const model::NameId stream = bench.tables.tables().names.Intern("Stream sync");
  const model::NameId device = bench.tables.tables().names.Intern("Context sync");
  bench.gpu.activity().sync_records = {{10, stream, ActivityBuilder::In(4)},
                                       {20, device, ActivityBuilder::In(2)},
                                       {30, model::kNoName, ActivityBuilder::In(2)},
                                       {40, stream, kOutsideRanges}};
  ASSERT_TRUE(bench.Run().ok());
  ASSERT_EQ(bench.Path("fwd").synchronisations->size(), 1u);
  EXPECT_EQ(bench.Path("fwd").synchronisations->at(0).total.ns, 10);
  const auto& capture = *bench.Path("capture").synchronisations;
  ASSERT_EQ(capture.size(), 3u);
  EXPECT_EQ(capture[0].type, device);
  EXPECT_EQ(capture[1].type, stream);
  EXPECT_EQ(capture[2].type, model::kNoName);
  EXPECT_EQ(bench.work().iterations[0].work.synchronisations->size(), 3u);
}

TEST(RangeGpuWork, MissingTablesAreReasons) {
  Captured bench;
  bench.gpu.activity().no_calls = "no RUNTIME";
  bench.gpu.activity().no_graph_records = "no GRAPH_TRACE";
  bench.gpu.activity().no_sync_records = "no SYNCHRONIZATION";
  ASSERT_TRUE(bench.Run().ok());
  EXPECT_FALSE(bench.Path("fwd").calls.has_value());
  EXPECT_FALSE(bench.Path("fwd").own_calls.has_value());
  EXPECT_FALSE(bench.Path("fwd").queue_delay.has_value());
  EXPECT_FALSE(bench.Path("fwd").synchronisations.has_value());
  EXPECT_EQ(bench.work().null_reasons,
            (std::map<std::string, std::string>{{"calls", "no RUNTIME"},
                                                {"graphs", "no GRAPH_TRACE"},
                                                {"queue_delay", "no RUNTIME"},
                                                {"synchronisations", "no SYNCHRONIZATION"}}));
}

TEST(RangeGpuWork, BearsOddTimes) {
  GpuWorkBench bench;
  bench.tables.Host(1, kTop, "a", 1000);
  bench.gpu.Kernel("late end", 0, 1000, ActivityBuilder::In(1))
      .Kernel("inside", 100, 200, ActivityBuilder::In(1))
      .Kernel("nothing", 300, 300, ActivityBuilder::In(1))
      .Kernel("backwards", 1500, 1400, ActivityBuilder::In(1))
      .Copy("", model::kNullInteger, 50, 60, ActivityBuilder::In(1));
  ASSERT_TRUE(bench.Run().ok());
  const GpuWork& work = bench.Path("a");
  EXPECT_EQ(work.total.kernels, (model::OperationSum{4, {1000}}));
  EXPECT_EQ(work.busy.value().ns, 1000);
  EXPECT_LE(work.busy.value().ns, work.projection.ns);
  EXPECT_FALSE(work.total.copies.bytes.has_value());
  EXPECT_EQ(work.copies.at(0).direction, model::kNoName);
}

TEST(RangeGpuWork, NamesTheLargestKernels) {
  GpuWorkBench bench;
  bench.options.kernels = 2;
  bench.tables.Host(1, kTop, "a", 1000);
  const model::Site in = ActivityBuilder::In(1);
  bench.gpu.Kernel("b", 0, 10, in).Kernel("a", 0, 10, in).Kernel("c", 0, 9, in).Kernel("c", 0, 2, in);
  ASSERT_TRUE(bench.Run().ok());
  const GpuWork& work = bench.Path("a");
  ASSERT_EQ(work.largest_kernels.size(), 2u);
  EXPECT_EQ(bench.names.At(work.largest_kernels[0].name), "c");
  EXPECT_EQ(bench.names.At(work.largest_kernels[1].name), "a");
  EXPECT_EQ(work.distinct_kernels, 3);
  EXPECT_DOUBLE_EQ(*work.ShareOf(work.largest_kernels[0]), 11.0 / 31.0);
}

TEST(RangeGpuWork, GroupsPathsByNameRules) {
  GpuWorkBench bench;
  bench.rules = {{" \\d+", ""}};
  bench.tables.Host(1, kTop, "step 1", 100).Host(2, 1, "op 7", 50).Host(3, kTop, "step 2", 100);
  bench.gpu.Kernel("k", 0, 10, ActivityBuilder::In(2))
      .Kernel("k", 5, 20, ActivityBuilder::In(3))
      .Kernel("k", 30, 40, ActivityBuilder::In(1));
  ASSERT_TRUE(bench.Run().ok());
  ASSERT_TRUE(bench.work().grouped_paths.has_value());
  const auto& grouped = *bench.work().grouped_paths;
  ASSERT_EQ(grouped.size(), 2u);
  EXPECT_EQ(grouped[0].work.total.operations, 3);
  EXPECT_EQ(grouped[0].work.own.operations, 2);
  EXPECT_EQ(grouped[0].work.busy.value().ns, 30);
  EXPECT_EQ(grouped[0].work.projection.ns, 40) << "[0, 40] and [5, 20]";
  EXPECT_EQ(grouped[1].work.total.operations, 1);
}

TEST(RangeGpuWork, OfASelectionIsThatOfItsRanges) {
  GpuWorkBench bench;
  bench.tables.Host(1, kTop, "a", 1000).Host(2, 1, "b", 100).Host(3, 2, "c", 50);
  bench.gpu.Kernel("k", 0, 10, ActivityBuilder::In(3)).Kernel("k", 20, 30, ActivityBuilder::In(1));
  const RangeSelection selection{.host = {true, true, false}, .projected = {}};
  bench.selection = &selection;
  ASSERT_TRUE(bench.Run().ok());
  EXPECT_EQ(bench.Paths(), (std::vector<std::string>{"a", "a>b"}));
  EXPECT_EQ(bench.Path("a").total.operations, 2);
  EXPECT_EQ(bench.Path("a>b").own.operations, 1);
}

TEST(RangeGpuWork, IsNotMadeWhereTotalsNeedMoreThan64Bits) {
  GpuWorkBench bench;
  bench.tables.Host(1, kTop, "a", 1000);
  constexpr int64_t kHuge = (int64_t{1} << 62) - 1;
  for (int i = 0; i < 3; ++i) bench.gpu.Kernel("k", 0, kHuge, ActivityBuilder::In(1));
  ASSERT_TRUE(bench.Run().ok());
  EXPECT_FALSE(bench.made->gpu_work.has_value());
  EXPECT_EQ(bench.made->no_gpu_work,
            "the total duration of the GPU operations does not fit into 64 bits");
}

// 2,000 levels with 1,000 operations at the bottom are 2,000,000 pairs; each holds them all.
TEST(RangeGpuWork, IsDeep) {
  GpuWorkBench bench;
  constexpr int64_t kLevels = 2000;
  for (int64_t i = 1; i <= kLevels; ++i) {
    bench.tables.Host(i, i == 1 ? kTop : i - 1, "n", 10 * kLevels - i);
  }
  for (int64_t i = 0; i < 1000; ++i) {
    bench.gpu.Kernel("k", 10 * i, 10 * i + 5, ActivityBuilder::In(kLevels));
  }
  ASSERT_TRUE(bench.Run().ok());
  ASSERT_EQ(bench.work().paths.size(), static_cast<size_t>(kLevels));
  EXPECT_EQ(bench.work().paths.front().work.busy.value().ns, 5000);
  EXPECT_EQ(bench.work().paths.front().work.own.operations, 0);
  EXPECT_EQ(bench.work().paths.back().work.own.operations, 1000);
}

}  // namespace
}  // namespace rangewise::analysis
