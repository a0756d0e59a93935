// GPU work per range on random traces: equal to an answer by the definitions, and to itself
// whatever the order of rows, the number of threads and the zero of the time axis.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/analyze.h"
#include "base/text.h"
#include "support/random_gpu_work.h"

namespace rangewise::analysis {
namespace {

using model::GpuWork;
using model::OperationKind;
using testing::Intervals;
using testing::RandomOperation;
using testing::RandomTrace;
using testing::Reference;
using testing::ReferenceWork;
using testing::TablesAndActivity;

struct Made {
  TablesAndActivity input;
  model::Analysis analysis;
  Diagnostics diagnostics;

  const model::RangeGpuWork& work() const { return *analysis.gpu_work; }
  std::string PathText(model::ScopePath path) const {
    std::string text;
    for (; path != kRootPath; path = analysis.paths[path].parent) {
      const std::string name(input.tables.names.At(analysis.paths[path].name));
      text = text.empty() ? name : name + ">" + text;
    }
    return text;
  }
};

Made Make(const RandomTrace& trace, std::mt19937_64* shuffle = nullptr, int threads = 2) {
  Made made{testing::AsTables(trace, shuffle), {}, {}};
  model::Harness harness;
  harness.capture_range = "capture";
  Result<model::Analysis> result =
      Analyze(made.input.tables, harness,
              {.threads = threads, .gpu_activity = &made.input.activity, .gpu_work = {.kernels = 0}},
              made.diagnostics);
  EXPECT_TRUE(result.ok()) << Render(result.error());
  made.analysis = std::move(result).value();
  EXPECT_TRUE(made.analysis.gpu_work.has_value()) << made.analysis.no_gpu_work;
  return made;
}

std::string ClassOf(const RandomOperation& operation) {
  if (operation.kind == OperationKind::kCopy) return "copy";
  if (operation.kind == OperationKind::kSet) return "set";
  return operation.name.starts_with("nccl") ? "communication" : "compute";
}

int64_t Duration(const RandomOperation& operation) { return operation.end - operation.start; }

void ExpectAdditive(const RandomTrace& trace, const std::set<size_t>& operations,
                    const model::AdditiveWork& work) {
  model::AdditiveWork expected;
  expected.copies.bytes = expected.sets.bytes = 0;
  for (const size_t i : operations) {
    const RandomOperation& operation = trace.operations[i];
    ++expected.operations;
    model::OperationSum* sum = &expected.kernels;
    if (operation.kind != OperationKind::kKernel) {
      model::MemorySum& memory =
          operation.kind == OperationKind::kCopy ? expected.copies : expected.sets;
      *memory.bytes += operation.bytes;
      sum = &memory.sum;
    }
    ++sum->instances;
    sum->total.ns += Duration(operation);
  }
  EXPECT_EQ(work, expected);
}

void ExpectDevices(const RandomTrace& trace, const std::set<size_t>& operations,
                   const GpuWork& work) {
  std::map<int64_t, std::map<std::string, Intervals>> by_device;
  Intervals all;
  for (const size_t i : operations) {
    const RandomOperation& operation = trace.operations[i];
    by_device[operation.device][ClassOf(operation)].emplace_back(operation.start, operation.end);
    all.emplace_back(operation.start, operation.end);
  }
  EXPECT_EQ(work.busy.value().ns, testing::UnionNs(all));
  ASSERT_EQ(work.devices.size(), by_device.size());
  size_t number = 0;
  for (auto& [device, classes] : by_device) {
    const model::DeviceWork& found = work.devices[number++];
    EXPECT_EQ(found.device, device);
    Intervals of_device;
    std::map<std::string, int64_t> busy;
    for (const auto& [name, intervals] : classes) {
      of_device.insert(of_device.end(), intervals.begin(), intervals.end());
      busy[name] = testing::UnionNs(intervals);
    }
    EXPECT_EQ(found.operations, static_cast<int64_t>(of_device.size()));
    EXPECT_EQ(found.busy.ns, testing::UnionNs(of_device));
    ASSERT_EQ(found.classes.size(), classes.size());
    int64_t in_classes = 0;
    for (const model::ClassTime& of_class : found.classes) {
      EXPECT_EQ(of_class.busy.ns, busy[of_class.name]);
      in_classes += of_class.operations;
    }
    EXPECT_EQ(in_classes, found.operations) << "classes partition the operations";
    const int64_t overlapped =
        testing::OverlapNs(classes["communication"], classes["compute"]);
    EXPECT_EQ(found.communication_overlapped.ns, overlapped);
    EXPECT_EQ(found.communication_exposed.ns, busy["communication"] - overlapped);
    EXPECT_EQ(found.copy_exposed.ns,
              busy["copy"] - testing::OverlapNs(classes["copy"], classes["compute"]));
  }
}

void ExpectCalls(const RandomTrace& trace, const std::set<size_t>& calls,
                 const model::CallTimes& found) {
  model::CallTimes expected;
  for (const size_t i : calls) {
    model::CallTime& time = expected[static_cast<size_t>(trace.calls[i].call_class)];
    ++time.calls;
    time.total.ns += trace.calls[i].end - trace.calls[i].start;
  }
  EXPECT_EQ(found, expected);
}

void ExpectWork(const RandomTrace& trace, const ReferenceWork& expected, const GpuWork& work) {
  ExpectAdditive(trace, expected.operations, work.total);
  ExpectAdditive(trace, expected.own, work.own);
  ExpectDevices(trace, expected.operations, work);
  ExpectCalls(trace, expected.calls, *work.calls);
  ExpectCalls(trace, expected.own_calls, *work.own_calls);
  EXPECT_EQ(work.projection.ns, expected.projection_ns);

  std::map<std::string, model::OperationSum> kernels;
  int64_t delayed = 0;
  int64_t early = 0;
  for (const size_t i : expected.operations) {
    const RandomOperation& operation = trace.operations[i];
    if (operation.kind == OperationKind::kKernel) {
      ++kernels[operation.name].instances;
      kernels[operation.name].total.ns += Duration(operation);
    }
    if (operation.kind == OperationKind::kSet) continue;  // their delay is left open
    ++(operation.start >= trace.calls[operation.calls[0]].end ? delayed : early);
  }
  EXPECT_EQ(work.distinct_kernels, static_cast<int64_t>(kernels.size()));
  ASSERT_EQ(work.largest_kernels.size(), kernels.size());
  EXPECT_EQ(work.queue_delay ? work.queue_delay->instances : 0, delayed);
  EXPECT_EQ(work.queue_delay ? work.queue_delay->started_during_call : 0, early);

  const int64_t sum =
      work.total.kernels.total.ns + work.total.copies.sum.total.ns + work.total.sets.sum.total.ns;
  EXPECT_LE(work.busy.value().ns, sum) << "a union is no longer than the sum";
  EXPECT_LE(work.busy.value().ns, work.projection.ns);
}

void ExpectGaps(const RandomTrace& trace, const model::IdleWindow& window, int64_t begin,
                int64_t end) {
  EXPECT_EQ(window.length_ns, end - begin);
  for (const model::DeviceIdle& device : window.devices) {
    Intervals busy;
    for (const RandomOperation& operation : trace.operations) {
      if (operation.device == device.device) busy.emplace_back(operation.start, operation.end);
    }
    EXPECT_EQ(device.idle.ns, end - begin - testing::OverlapNs(busy, {{begin, end}}));
    EXPECT_EQ(device.gap_lengths ? device.gap_lengths->total.ns : 0, device.idle.ns);
  }
}

class RandomGpuWork : public ::testing::TestWithParam<bool> {};

TEST_P(RandomGpuWork, IsWhatTheDefinitionsSay) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const RandomTrace trace = testing::MakeRandomTrace(random, GetParam());
    const Reference reference = testing::AnswerSlowly(trace);
    const Made made = Make(trace);

    std::map<std::string, const ReferenceWork*> expected;
    for (const auto& [path, work] : reference.paths) {
      if (!work.operations.empty() || !work.calls.empty()) expected[path] = &work;
    }
    ASSERT_EQ(made.work().paths.size(), expected.size());
    for (const model::PathGpuWork& path : made.work().paths) {
      SCOPED_TRACE(made.PathText(path.path));
      ASSERT_TRUE(expected.contains(made.PathText(path.path)));
      ExpectWork(trace, *expected[made.PathText(path.path)], path.work);
    }
    for (const model::IterationGpuWork& iteration : made.work().iterations) {
      SCOPED_TRACE(iteration.index);
      const auto at = reference.iterations.find(iteration.index);
      ExpectWork(trace, at == reference.iterations.end() ? ReferenceWork{} : at->second,
                 iteration.work);
    }
    ASSERT_TRUE(made.work().gaps.capture.has_value());
    ExpectGaps(trace, *made.work().gaps.capture, 0, 600);
    EXPECT_EQ(made.work().overlapping_operations > 0,
              made.diagnostics.Has(Code::kOverlappingRanges));
  }
}

// Everything in a text, so that two results are compared whole. Names are told by their text.
class Dump {
 public:
  explicit Dump(const Made& made) : made_(made) {
    for (const model::PathGpuWork& path : made.work().paths) {
      text_ += made.PathText(path.path) + ":";
      Add(path.work);
    }
    for (const model::IterationGpuWork& iteration : made.work().iterations) {
      Number(iteration.index);
      Add(iteration.work);
    }
    for (const model::DeviceTotal& device : made.work().devices) {
      Number(device.device);
      Add(device.work);
      for (const model::StreamWork& stream : device.streams) {
        Number(stream.stream);
        Number(stream.busy.ns);
        Add(stream.work);
      }
    }
    Add(*made.work().gaps.capture);
    for (const model::IdleWindow& window : made.work().gaps.iterations) Add(window);
    Number(made.work().overlapping_operations);
    Number(made.work().unattributed.without_call.instances);
    Number(made.work().unattributed.outside_ranges.instances);
    for (const Warning& warning : made.diagnostics.warnings()) text_ += warning.Text() + "\n";
  }
  const std::string& text() const { return text_; }

 private:
  void Number(int64_t number) { text_ += " " + std::to_string(number); }
  void Add(const model::OperationSum& sum) {
    Number(sum.instances);
    Number(sum.total.ns);
  }
  void Add(const model::AdditiveWork& work) {
    Number(work.operations);
    Add(work.kernels);
    Add(work.copies.sum);
    Add(work.sets.sum);
    Number(work.copies.bytes.value_or(-1));
  }
  void Add(const GpuWork& work) {
    Add(work.total);
    Add(work.own);
    Number(work.launches);
    Number(work.busy.value().ns);
    Number(work.projection.ns);
    for (const model::CopySum& copy : work.copies) {
      text_ += " " + std::string(made_.input.tables.names.At(copy.direction));
      Add(copy.memory.sum);
    }
    for (const model::KernelSum& kernel : work.largest_kernels) {
      text_ += " " + std::string(made_.input.tables.names.At(kernel.name));
      Add(kernel.sum);
    }
    for (const model::DeviceWork& device : work.devices) {
      Number(device.device);
      Number(device.communication_exposed.ns);
      for (const int64_t stream : device.streams) Number(stream);
    }
    for (const model::CallTime& time : *work.calls) Number(time.total.ns);
    if (work.queue_delay && work.queue_delay->statistics) {
      Number(work.queue_delay->statistics->total.ns);
      text_ += " " + ShortestDecimal(*work.queue_delay->statistics->p90_ns);
    }
    text_ += "\n";
  }
  void Add(const model::IdleWindow& window) {
    Number(window.length_ns);
    for (const model::DeviceIdle& device : window.devices) {
      Number(device.idle.ns);
      Number(device.gaps);
      for (const model::IdleGap& gap : device.largest) {
        Number(gap.start_ns);
        Number(gap.length.ns);
        for (const model::NameId name : gap.host_range) {
          text_ += " " + std::string(made_.input.tables.names.At(name));
        }
      }
    }
    text_ += "\n";
  }

  const Made& made_;
  std::string text_;
};

TEST_P(RandomGpuWork, DoesNotDependOnRowsThreadsOrTheZeroOfTime) {
  for (uint64_t seed = 100; seed < 120; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    RandomTrace trace = testing::MakeRandomTrace(random, GetParam());
    const std::string expected = Dump(Make(trace)).text();
    EXPECT_EQ(Dump(Make(trace, &random, 1)).text(), expected);
    EXPECT_EQ(Dump(Make(trace, &random, 4)).text(), expected);
    constexpr int64_t kShift = int64_t{1} << 60;
    for (testing::RandomRange& range : trace.ranges) {
      range.start -= kShift;
      range.end -= kShift;
    }
    for (testing::RandomCall& call : trace.calls) {
      call.start -= kShift;
      call.end -= kShift;
    }
    for (RandomOperation& operation : trace.operations) {
      operation.start -= kShift;
      operation.end -= kShift;
    }
    EXPECT_EQ(Dump(Make(trace)).text(), expected);
  }
}

TEST_P(RandomGpuWork, GrowsWithTheTimeScale) {
  for (uint64_t seed = 200; seed < 210; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    RandomTrace trace = testing::MakeRandomTrace(random, GetParam());
    const Made before = Make(trace);
    constexpr int64_t kScale = 1000;
    for (testing::RandomRange& range : trace.ranges) {
      range.start *= kScale;
      range.end *= kScale;
    }
    for (testing::RandomCall& call : trace.calls) {
      call.start *= kScale;
      call.end *= kScale;
    }
    for (RandomOperation& operation : trace.operations) {
      operation.start *= kScale;
      operation.end *= kScale;
    }
    const Made after = Make(trace);
    ASSERT_EQ(after.work().paths.size(), before.work().paths.size());
    for (size_t i = 0; i < after.work().paths.size(); ++i) {
      const GpuWork& small = before.work().paths[i].work;
      const GpuWork& large = after.work().paths[i].work;
      EXPECT_EQ(large.busy.value().ns, small.busy.value().ns * kScale);
      EXPECT_EQ(large.projection.ns, small.projection.ns * kScale);
      EXPECT_EQ(large.total.kernels.total.ns, small.total.kernels.total.ns * kScale);
      EXPECT_EQ(large.launches, small.launches);
    }
    EXPECT_EQ(after.work().gaps.capture->devices[0].idle.ns,
              before.work().gaps.capture->devices[0].idle.ns * kScale);
  }
}

INSTANTIATE_TEST_SUITE_P(Ranges, RandomGpuWork, ::testing::Values(true, false),
                         [](const auto& which) { return which.param ? "Nested" : "Overlapping"; });

// Where ranges nest, what is a path's own and the totals below it are its total.
TEST(RandomGpuWorkOfNestedRanges, AddsUp) {
  for (uint64_t seed = 300; seed < 330; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const Made made = Make(testing::MakeRandomTrace(random, true));
    EXPECT_EQ(made.work().overlapping_operations, 0);
    EXPECT_FALSE(made.diagnostics.Has(Code::kOverlappingRanges));
    struct Sum {
      int64_t operations = 0;
      int64_t time_ns = 0;
      int64_t bytes = 0;
      int64_t call_ns = 0;
      bool operator==(const Sum&) const = default;
    };
    const auto sum_of = [](const model::AdditiveWork& work, const model::CallTimes& calls) {
      Sum sum{work.operations,
              work.kernels.total.ns + work.copies.sum.total.ns + work.sets.sum.total.ns,
              *work.copies.bytes + *work.sets.bytes, 0};
      for (const model::CallTime& time : calls) sum.call_ns += time.total.ns;
      return sum;
    };
    std::map<model::ScopePath, Sum> parts;
    for (const model::PathGpuWork& path : made.work().paths) {
      const Sum own = sum_of(path.work.own, *path.work.own_calls);
      const Sum total = sum_of(path.work.total, *path.work.calls);
      for (const auto& [to, sum] : {std::pair(path.path, own),
                                    std::pair(made.analysis.paths[path.path].parent, total)}) {
        parts[to].operations += sum.operations;
        parts[to].time_ns += sum.time_ns;
        parts[to].bytes += sum.bytes;
        parts[to].call_ns += sum.call_ns;
      }
    }
    for (const model::PathGpuWork& path : made.work().paths) {
      if (made.PathText(path.path) == "capture") continue;  // paths start anew below it
      EXPECT_EQ(parts[path.path], sum_of(path.work.total, *path.work.calls))
          << made.PathText(path.path);
    }
  }
}

}  // namespace
}  // namespace rangewise::analysis
