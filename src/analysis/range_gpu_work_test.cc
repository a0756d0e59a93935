#include "analysis/range_gpu_work.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/analyze.h"
#include "support/activity_builder.h"
#include "support/tables_builder.h"

namespace rangewise::analysis {
namespace {

using model::AdditiveWork;
using model::CallClass;
using model::GpuWork;
using model::kNoCall;
using model::kOutsideRanges;
using testing::ActivityBuilder;
using testing::TablesBuilder;

constexpr int64_t kTop = model::kNoParent;

// Tables and activity made by hand, and what is made of them.
struct Bench {
  TablesBuilder tables;
  ActivityBuilder gpu{tables.tables().names};
  const model::NamePool& names = tables.tables().names;
  GpuWorkOptions options;
  std::vector<model::NameRule> rules;
  const RangeSelection* selection = nullptr;
  std::optional<std::string> capture;
  Diagnostics diagnostics;
  std::optional<model::GpuActivity> activity;
  std::optional<model::Analysis> analysis;

  Status Run(int threads = 2) {
    if (!activity) activity = gpu.Build();
    model::Harness harness;
    harness.capture_range = capture;
    Result<model::Analysis> made = Analyze(tables.tables(), harness,
                                           {.threads = threads,
                                            .name_rules = rules,
                                            .selection = selection,
                                            .gpu_activity = &*activity,
                                            .gpu_work = options},
                                           diagnostics);
    if (!made.ok()) return made.error();
    analysis = std::move(made).value();
    return Ok();
  }
  const model::RangeGpuWork& work() const { return *analysis->gpu_work; }


  std::string PathText(model::ScopePath path) const {
    std::string text;
    for (; path != kRootPath; path = analysis->paths[path].parent) {
      const std::string name(names.At(analysis->paths[path].name));
      text = text.empty() ? name : name + ">" + text;
    }
    return text;
  }
  const GpuWork& Path(const std::string& wanted) const {
    for (const model::PathGpuWork& path : work().paths) {
      if (PathText(path.path) == wanted) return path.work;
    }
    ADD_FAILURE() << "no path " << wanted;
    static const GpuWork none;
    return none;
  }
  std::vector<std::string> Paths() const {
    std::vector<std::string> texts;
    for (const model::PathGpuWork& path : work().paths) texts.push_back(PathText(path.path));
    return texts;
  }
};

TEST(RangeGpuWork, SumsWhatWasLaunchedInARangeAndInThoseBelow) {
  Bench bench;
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
  EXPECT_EQ(step.busy.ns, 200 + 50 + 100);
  EXPECT_EQ(step.projection.ns, 500);
  EXPECT_DOUBLE_EQ(*step.BusyShare(), 0.7);
  EXPECT_EQ(step.launches, 4);
  ASSERT_TRUE(step.queue_delay.has_value());
  EXPECT_EQ(step.queue_delay->started_during_call, 1);
  EXPECT_EQ(step.queue_delay->instances, 2);
  EXPECT_EQ(step.queue_delay->statistics->total.ns, 40);
  EXPECT_EQ(bench.Path("step>fwd").own.kernels, (model::OperationSum{1, {50}}));
  EXPECT_EQ(bench.Path("step>fwd").projection.ns, 300);
  EXPECT_EQ(bench.Path("step>fwd>gemm").busy.ns, 200);
  EXPECT_EQ(bench.work().overlapping_operations, 0);
}

}  // namespace
}  // namespace rangewise::analysis
