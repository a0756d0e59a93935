// What holds of GPU work per range whatever the trace: bounds, sums, and what must not change when
// times are shifted or scaled, rows permuted, processes apart or tables missing. Each test prints
// how many traces it saw.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <random>

#include "base/files.h"
#include "base/text.h"
#include "support/gpu_pipeline.h"
#include "support/random_gpu_trace.h"

namespace rangewise {
namespace {

using model::AdditiveWork;
using model::GpuWork;
using test::DifferenceOf;
using test::GpuOutcome;
using test::GpuReferenceOptions;
using test::GpuSheets;
using test::GpuTraceShape;
using test::RandomGpuTrace;
using test::RawTrace;
using test::RunGpuPipeline;

std::string PathOf(const GpuOutcome& outcome, model::ScopePath path) {
  std::string text;
  for (; path != model::kRootPath; path = outcome.analysis->paths[path].parent) {
    const model::NameId name = outcome.analysis->paths[path].name;
    text = "/" + std::to_string(outcome.computed.tables.names.DomainAt(name)) + " " +
           std::string(outcome.computed.tables.names.At(name)) + text;
  }
  return text;
}

// Figures of which each operation and call adds its own, by path.
using Figures = std::vector<int64_t>;
Figures FiguresOf(const AdditiveWork& work) {
  return {work.operations,           work.kernels.instances,   work.kernels.total.ns,
          work.copies.sum.instances, work.copies.sum.total.ns, work.sets.sum.instances,
          work.sets.sum.total.ns};
}
void Add(Figures& sum, const Figures& more) {
  sum.resize(std::max(sum.size(), more.size()));
  for (size_t i = 0; i < more.size(); ++i) sum[i] += more[i];
}
std::map<std::string, Figures> FiguresByPath(const GpuOutcome& outcome) {
  std::map<std::string, Figures> by_path;
  for (const model::PathGpuWork& path : outcome.work().paths) {
    Figures figures = FiguresOf(path.work.total);
    figures.push_back(path.work.launches);
    figures.push_back(path.work.graphs.records.instances);
    for (const model::CallTime& time : path.work.calls.value_or(model::CallTimes{})) {
      figures.push_back(time.calls);
      figures.push_back(time.total.ns);
    }
    by_path[PathOf(outcome, path.path)] = figures;
  }
  return by_path;
}

void EachWork(const model::RangeGpuWork& work, const std::function<void(const GpuWork&)>& visit) {
  for (const model::PathGpuWork& path : work.paths) visit(path.work);
  for (const model::IterationGpuWork& iteration : work.iterations) visit(iteration.work);
  if (!work.grouped_paths) return;
  for (const model::PathGpuWork& path : *work.grouped_paths) visit(path.work);
}

void EachTime(RawTrace& raw, const std::function<void(int64_t&)>& change) {
  for (auto& event : raw.events) {
    change(event.start);
    if (event.end) change(*event.end);
  }
  const auto both = [&](auto& rows) {
    for (auto& row : rows) {
      change(row.start);
      change(row.end);
    }
  };
  both(raw.calls);
  both(raw.operations);
  both(raw.graphs);
  both(raw.synchronisations);
}

class GpuWorkProperty : public testing::Test {
 protected:
  void SetUp() override {
    auto folder = TemporaryFolder::Create(fs::temp_directory_path());
    ASSERT_TRUE(folder.ok());
    folder_.emplace(std::move(*folder));
  }
  GpuOutcome Run(const RawTrace& raw, const GpuReferenceOptions& options, int threads = 1,
                 const std::string& extra_sql = "") const {
    return RunGpuPipeline(raw, folder_->path(), options, threads, extra_sql);
  }
  // Calls `test` with each of many random traces that have GPU work, and what the pipeline makes of
  // it.
  void EachTrace(uint64_t seed, int number, const GpuTraceShape& shape,
                 const std::function<void(const RawTrace&, const GpuReferenceOptions&,
                                          const GpuOutcome&)>& test) {
    std::mt19937_64 random(seed);
    int seen = 0;
    for (int i = 0; i < number; ++i) {
      const RawTrace raw = RandomGpuTrace(random, shape);
      if (raw.events.empty() || raw.operations.empty()) continue;
      GpuReferenceOptions options{.gap_threshold_ns = 4, .kernels = 3, .mask_numbers = i % 2 == 0};
      if (shape.harness) options.capture_range = "capture";
      const GpuOutcome outcome = Run(raw, options);
      if (!outcome.has_work()) continue;
      SCOPED_TRACE(Format("trace {}", i));
      test(raw, options, outcome);
      if (HasFailure()) FAIL() << Show(raw);
      ++seen;
    }
    std::printf("%d traces (seed %llu)\n", seen, static_cast<unsigned long long>(seed));
    EXPECT_GT(seen, number / 2);
  }

  std::optional<TemporaryFolder> folder_;
};

TEST_F(GpuWorkProperty, TimesKeepTheirBoundsAndClassesPartitionTheOperations) {
  EachTrace(1, 300, {.harness = true},
            [](const RawTrace&, const GpuReferenceOptions&, const GpuOutcome& outcome) {
              EachWork(outcome.work(), [](const GpuWork& work) {
                const Figures total = FiguresOf(work.total);
                const Figures own = FiguresOf(work.own);
                for (size_t i = 0; i < total.size(); ++i) EXPECT_LE(own[i], total[i]) << i;
                EXPECT_EQ(work.total.operations, work.total.kernels.instances +
                                                     work.total.copies.sum.instances +
                                                     work.total.sets.sum.instances);
                const int64_t sum = work.total.kernels.total.ns + work.total.copies.sum.total.ns +
                                    work.total.sets.sum.total.ns;
                EXPECT_EQ(!work.busy, work.total.operations == 0 && work.graphs.records.instances > 0);
                if (!work.busy) return;
                EXPECT_LE(work.busy->ns, sum);
                EXPECT_LE(work.busy.value().ns, work.projection.ns);
                EXPECT_LE(work.launches, work.total.operations);
                EXPECT_LE(work.BusyShare().value_or(0), 1.0);
                EXPECT_TRUE(work.graphs.records.instances == 0 || !work.BusyShare().has_value());
                if (work.queue_delay) {
                  EXPECT_EQ(work.queue_delay->started_during_call + work.queue_delay->instances,
                            work.total.operations);
                }
                int64_t on_devices = 0;
                for (const model::DeviceWork& device : work.devices) {
                  on_devices += device.operations;
                  EXPECT_LE(device.busy.ns, work.busy.value().ns);
                  int64_t in_classes = 0, longest = 0, together = 0;
                  for (const model::ClassTime& one : device.classes) {
                    in_classes += one.operations;
                    longest = std::max(longest, one.busy.ns);
                    together += one.busy.ns;
                    if (one.name == "communication") {
                      EXPECT_EQ(one.busy.ns, device.communication_overlapped.ns +
                                                 device.communication_exposed.ns);
                    }
                    EXPECT_TRUE(one.name != "copy" || device.copy_exposed.ns <= one.busy.ns);
                  }
                  EXPECT_EQ(in_classes, device.operations);
                  EXPECT_LE(longest, device.busy.ns);
                  EXPECT_LE(device.busy.ns, together);
                }
                EXPECT_EQ(on_devices, work.total.operations);
              });
            });
}

TEST_F(GpuWorkProperty, OwnAndChildrenAreTheTotalWhereRangesNest) {
  EachTrace(2, 300, {.only_nested = true},
            [](const RawTrace&, const GpuReferenceOptions&, const GpuOutcome& outcome) {
              if (outcome.work().overlapping_operations > 0) return;
              std::map<model::ScopePath, Figures> children;
              for (const model::PathGpuWork& path : outcome.work().paths) {
                Add(children[outcome.analysis->paths[path.path].parent],
                    FiguresOf(path.work.total));
              }
              for (const model::PathGpuWork& path : outcome.work().paths) {
                Figures sum = FiguresOf(path.work.own);
                Add(sum, children[path.path]);
                EXPECT_EQ(sum, FiguresOf(path.work.total)) << PathOf(outcome, path.path);
              }
            });
}

TEST_F(GpuWorkProperty, NothingChangesWhenTimesAreShifted) {
  EachTrace(3, 200, {.harness = true},
            [&](RawTrace raw, const GpuReferenceOptions& options, const GpuOutcome& outcome) {
              EachTime(raw, [](int64_t& time) { time += 1234567890123; });
              EXPECT_EQ(DifferenceOf(Run(raw, options).Sheets(), outcome.Sheets()), "");
            });
}

TEST_F(GpuWorkProperty, TimesScaleAndCountsStay) {
  constexpr int64_t kFactor = 7;
  EachTrace(4, 200, {},
            [&](RawTrace raw, const GpuReferenceOptions& options, const GpuOutcome& outcome) {
              EachTime(raw, [](int64_t& time) { time *= kFactor; });
              const GpuOutcome scaled = Run(raw, options);
              ASSERT_EQ(scaled.work().paths.size(), outcome.work().paths.size());
              for (size_t i = 0; i < outcome.work().paths.size(); ++i) {
                const GpuWork& before = outcome.work().paths[i].work;
                const GpuWork& after = scaled.work().paths[i].work;
                EXPECT_EQ(after.total.operations, before.total.operations);
                EXPECT_EQ(after.launches, before.launches);
                EXPECT_EQ(after.total.kernels.total.ns, kFactor * before.total.kernels.total.ns);
                ASSERT_EQ(after.busy.has_value(), before.busy.has_value());
                if (before.busy) { EXPECT_EQ(after.busy->ns, kFactor * before.busy->ns); }
                EXPECT_EQ(after.projection.ns, kFactor * before.projection.ns);
                EXPECT_EQ(after.graphs.records.total.ns, kFactor * before.graphs.records.total.ns);
                ASSERT_EQ(after.calls.has_value(), before.calls.has_value());
                for (size_t c = 0; before.calls && c < model::kCallClasses; ++c) {
                  EXPECT_EQ((*after.calls)[c].total.ns, kFactor * (*before.calls)[c].total.ns);
                }
                ASSERT_EQ(after.queue_delay.has_value(), before.queue_delay.has_value());
                if (before.queue_delay && before.queue_delay->statistics) {
                  EXPECT_EQ(after.queue_delay->statistics->total.ns,
                            kFactor * before.queue_delay->statistics->total.ns);
                }
                for (size_t d = 0; d < before.devices.size(); ++d) {
                  EXPECT_EQ(after.devices[d].communication_exposed.ns,
                            kFactor * before.devices[d].communication_exposed.ns);
                  EXPECT_EQ(after.devices[d].copy_exposed.ns,
                            kFactor * before.devices[d].copy_exposed.ns);
                }
              }
            });
}

TEST_F(GpuWorkProperty, NeitherTheOrderOfRowsNorThreadsMatter) {
  std::mt19937_64 random(55);
  EachTrace(5, 250, {.harness = true},
            [&](RawTrace raw, const GpuReferenceOptions& options, const GpuOutcome& outcome) {
              if (!RowIdsMatter(raw, false)) {
                std::vector<int64_t> row_ids;
                for (const auto& event : raw.events) row_ids.push_back(event.row_id);
                std::shuffle(row_ids.begin(), row_ids.end(), random);
                for (size_t i = 0; i < row_ids.size(); ++i) raw.events[i].row_id = row_ids[i];
              }
              std::shuffle(raw.calls.begin(), raw.calls.end(), random);
              std::shuffle(raw.operations.begin(), raw.operations.end(), random);
              std::shuffle(raw.graphs.begin(), raw.graphs.end(), random);
              std::shuffle(raw.synchronisations.begin(), raw.synchronisations.end(), random);
              EXPECT_EQ(DifferenceOf(Run(raw, options, random() % 8 == 0 ? 3 : 1).Sheets(),
                                     outcome.Sheets()),
                        "");
            });
}

TEST_F(GpuWorkProperty, ProcessesApartAddUp) {
  EachTrace(
      6, 200, {.open_ranges = false},
      [&](const RawTrace& raw, const GpuReferenceOptions& options, const GpuOutcome& outcome) {
        std::map<std::string, Figures> apart;
        for (const int64_t process : {700, 800}) {
          const auto of_process = [&](int64_t global_id) {
            return (global_id >> 24 & 0xFFFFFF) == process;
          };
          RawTrace part;
          for (const auto& event : raw.events) {
            if (of_process(event.global_tid)) part.events.push_back(event);
          }
          for (const auto& call : raw.calls) {
            if (of_process(call.global_tid)) part.calls.push_back(call);
          }
          for (const auto& operation : raw.operations) {
            if (of_process(operation.global_pid.value_or(0))) part.operations.push_back(operation);
          }
          for (const auto& graph : raw.graphs) {
            if (of_process(graph.global_pid.value_or(0))) part.graphs.push_back(graph);
          }
          if (part.events.empty() || part.calls.empty()) continue;
          const GpuOutcome one = Run(part, options);
          if (!one.has_work()) return;  // its only ranges are start/end ones
          for (const auto& [path, figures] : FiguresByPath(one)) Add(apart[path], figures);
        }
        EXPECT_EQ(apart, FiguresByPath(outcome));
      });
}

TEST_F(GpuWorkProperty, MissingTablesGiveReasonsAndNoZeros) {
  EachTrace(
      7, 100, {.harness = true},
      [&](const RawTrace& raw, const GpuReferenceOptions& options, const GpuOutcome& outcome) {
        EXPECT_EQ(outcome.work().null_reasons.contains("graphs"), raw.graphs.empty());
        EXPECT_EQ(outcome.work().null_reasons.contains("synchronisations"),
                  raw.synchronisations.empty());
        EXPECT_EQ(outcome.work().null_reasons.contains("calls"), raw.calls.empty());
        if (raw.calls.empty()) return;
        const GpuOutcome without = Run(raw, options, 1, "DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME");
        ASSERT_TRUE(without.has_work());
        EXPECT_NE(without.work().null_reasons.at("calls"), "");
        EXPECT_NE(without.work().null_reasons.at("queue_delay"), "");
        EachWork(without.work(), [](const GpuWork& work) {
          EXPECT_FALSE(work.calls.has_value());
          EXPECT_FALSE(work.own_calls.has_value());
          EXPECT_FALSE(work.queue_delay.has_value());
        });
        EXPECT_EQ(without.work().unattributed.without_call.instances,
                  static_cast<int64_t>(raw.operations.size()));
      });
}

// One thread in `step`, whose call launched a kernel.
RawTrace OneLaunch() {
  RawTrace raw;
  raw.events = {{.row_id = 1, .start = 0, .end = 1000, .text = "step", .global_tid = test::GlobalTid(700, 1)}};
  raw.calls = {{.start = 10, .end = 20, .global_tid = test::GlobalTid(700, 1), .correlation = 1}};
  raw.operations = {{.start = 50, .end = 120, .correlation = 1, .global_pid = test::GlobalPid(700)}};
  return raw;
}

TEST_F(GpuWorkProperty, ATableOfGraphsThatCannotBeReadIsNotOneWithoutGraphs) {
  RawTrace raw = OneLaunch();
  raw.graphs = {{.start = 300, .end = 400, .correlation = 2, .global_pid = test::GlobalPid(700)}};
  const GpuReferenceOptions options{.capture_range = "step"};
  for (const char* damage : {"UPDATE CUPTI_ACTIVITY_KIND_GRAPH_TRACE SET end = 'late'",
                             "ALTER TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE RENAME COLUMN globalPid TO pid"}) {
    const GpuOutcome outcome = Run(raw, options, 1, damage);
    ASSERT_TRUE(outcome.has_work());
    EXPECT_FALSE(outcome.work().gaps.capture.has_value()) << damage;
    for (const char* section : {"busy_share", "gaps", "graphs"}) {
      EXPECT_TRUE(outcome.work().null_reasons.contains(section)) << damage << ": " << section;
    }
    EachWork(outcome.work(), [](const GpuWork& work) {
      EXPECT_FALSE(work.BusyShare().has_value());
      EXPECT_EQ(work.busy, GpuNs{70});  // at least
    });
  }
  // Without rows it says that there was none, whatever its columns.
  const GpuOutcome outcome = Run(raw, options, 1, "DELETE FROM CUPTI_ACTIVITY_KIND_GRAPH_TRACE");
  EXPECT_TRUE(outcome.work().gaps.capture.has_value());
  EXPECT_FALSE(outcome.work().null_reasons.contains("busy_share"));
}

TEST_F(GpuWorkProperty, CallsOfOneIntervalAreToldApartByWhatTheyAre) {
  RawTrace raw = OneLaunch();
  for (const char* name : {"cuLaunchKernel", "cudaStreamSynchronize_v3020", "cudaDeviceSynchronize_v3020", "cudaMalloc_v3020"}) {
    raw.calls.push_back({.start = 100, .end = 200, .global_tid = test::GlobalTid(700, 1), .name = name});
  }
  const GpuReferenceOptions options{.capture_range = "step"};
  const GpuSheets expected = ComputeGpuReference(raw, options);
  EXPECT_NE(expected.at("path :step").find("synchronising 1 of 100 ns"), std::string::npos);
  EXPECT_NE(expected.at("gaps of the capture").find("during cudaDeviceSynchronize"), std::string::npos);
  std::sort(raw.calls.begin(), raw.calls.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  do {
    EXPECT_EQ(DifferenceOf(Run(raw, options).Sheets(), expected), "");
  } while (std::next_permutation(raw.calls.begin(), raw.calls.end(),
                                 [](const auto& a, const auto& b) { return a.name < b.name; }));
}

TEST_F(GpuWorkProperty, NegativeNumbersOfOperationsAreKeptAndSaid) {
  const GpuOutcome sound = Run(OneLaunch(), {});
  EXPECT_FALSE(sound.diagnostics.Has(Code::kNegativeDuration));
  EXPECT_FALSE(sound.diagnostics.Has(Code::kNegativeBytes));
  RawTrace raw = OneLaunch();
  raw.operations.push_back({.start = 300, .end = 290, .correlation = 1, .global_pid = test::GlobalPid(700)});
  raw.operations.push_back({.kind = model::OperationKind::kCopy, .start = 400, .end = 410, .correlation = 1,
                            .global_pid = test::GlobalPid(700), .bytes = -64});
  const GpuOutcome outcome = Run(raw, {});
  EXPECT_TRUE(outcome.diagnostics.Has(Code::kNegativeDuration));
  EXPECT_TRUE(outcome.diagnostics.Has(Code::kNegativeBytes));
  const GpuWork& step = outcome.work().paths.at(0).work;
  EXPECT_EQ(step.total.kernels, (model::OperationSum{2, {60}}));
  EXPECT_EQ(step.total.copies.bytes, -64);
  EXPECT_EQ(step.busy, GpuNs{80});
}

TEST_F(GpuWorkProperty, OfAKindWithoutATableNoneWasRecorded) {
  const GpuOutcome outcome = Run(OneLaunch(), {});
  const GpuWork& step = outcome.work().paths.at(0).work;
  EXPECT_EQ(step.total.sets.sum, model::OperationSum());
  EXPECT_EQ(step.total.copies.sum, model::OperationSum());
  EXPECT_EQ(step.total.kernels.instances, 1);
}

}  // namespace
}  // namespace rangewise
