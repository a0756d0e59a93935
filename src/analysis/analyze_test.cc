#include "analysis/analyze.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/analysis_outcome.h"
#include "support/tables_builder.h"

namespace rangewise::analysis {
namespace {

using model::Harness;
using testing::AnalyseTables;
using testing::HarnessOf;
using testing::Outcome;
using testing::TablesBuilder;

constexpr int64_t kTop = model::kNoParent;
using Strings = std::vector<std::string>;

TablesBuilder SmokeLocal() {
  TablesBuilder builder;
  builder.Thread(2124, 2124)
      .Host(1, kTop, "profile-target", 700839, 570043, 11070091)
      .Host(2, 1, "iteration 0", 431993, 321345, 11187261)
      .Host(3, 2, "smoke multiply", 210176, 0, 11239119)
      .Host(4, 2, "smoke reduction", 63790, 0, 11470845)
      .Host(5, 2, "smoke multiply", 23985, 0, 11554853)
      .Host(6, 2, "smoke reduction", 23394, 0, 11589208)
      .Host(7, 1, "iteration 1", 138050, 87655, 11629554)
      .Host(8, 7, "smoke multiply", 22943, 0, 11639212)
      .Host(9, 7, "smoke reduction", 24015, 0, 11671433)
      .Host(10, 7, "smoke multiply", 20188, 0, 11707140)
      .Host(11, 7, "smoke reduction", 20509, 0, 11736174)
      .Projected(1, kTop, "profile-target", 336423, 700839, 8)
      .Projected(2, 1, "iteration 0", 191620, 431993, 4)
      .Projected(3, 2, "smoke multiply", 2112, 210176)
      .Projected(4, 2, "smoke reduction", 4192, 63790)
      .Projected(5, 2, "smoke multiply", 1920, 23985)
      .Projected(6, 2, "smoke reduction", 4000, 23394)
      .Projected(7, 1, "iteration 1", 99714, 138050, 4)
      .Projected(8, 7, "smoke multiply", 1920, 22943)
      .Projected(9, 7, "smoke reduction", 4000, 24015)
      .Projected(10, 7, "smoke multiply", 1920, 20188)
      .Projected(11, 7, "smoke reduction", 4000, 20509);
  return builder;
}

TEST(Analyze, KeepsNamesOfOneTextAndTwoDomainsApart) {
  TablesBuilder builder;
  builder.Thread(1, 1)
      .Host(1, kTop, "capture", 100, 30)
      .Host(2, 1, "aten::mul", 10)
      .Host(3, 1, "aten::mul", 20);
  model::ReportTables& tables = builder.tables();
  tables.host[1].name = tables.names.Intern("aten::mul", 4);
  tables.host[2].name = tables.names.Intern("aten::mul", model::kDefaultDomain);
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  ASSERT_TRUE(run.result.ok());
  EXPECT_EQ(run.HostPaths(), (Strings{"aten::mul", "aten::mul", "capture"}));
  const model::Analysis& analysis = run.analysis();
  const auto domain = [&](size_t group) {
    return run.tables.names.Domain(analysis.paths[analysis.host_groups[group].path].name);
  };
  EXPECT_EQ(domain(0), "");
  EXPECT_EQ(analysis.host_groups[0].inclusive.total.ns, 20);
  EXPECT_EQ(domain(1), "aten");
}

TEST(Analyze, GivesTheWorkedValuesOfTheSample) {
  TablesBuilder builder = SmokeLocal();
  const Outcome run = AnalyseTables(builder, HarnessOf("profile-target", 2));
  ASSERT_TRUE(run.result.ok());
  EXPECT_EQ(run.Codes(), Strings{});
  EXPECT_EQ(run.HostPaths(), (Strings{"profile-target", "smoke multiply", "smoke reduction"}));

  const model::HostGroup& capture = run.Host("profile-target");
  EXPECT_EQ(capture.inclusive.total.ns, 700839);
  EXPECT_EQ(capture.exclusive.total.ns, 130796);
  EXPECT_EQ(capture.child_total.ns, 570043);
  EXPECT_EQ(capture.inclusive.stddev_ns, 0.0);
  EXPECT_TRUE(capture.inclusive.median_is_whole);
  const model::HostGroup& multiply = run.Host("smoke multiply");
  EXPECT_EQ(multiply.instances, 4);
  EXPECT_EQ(multiply.inclusive.total.ns, 277292);
  EXPECT_EQ(multiply.inclusive.mean_ns, 69323.0);
  EXPECT_EQ(multiply.inclusive.minimum.ns, 20188);
  EXPECT_EQ(multiply.inclusive.maximum.ns, 210176);
  EXPECT_FALSE(multiply.inclusive.median_is_whole);
  EXPECT_EQ(model::MedianNs(multiply.inclusive), 23464.0);

  ASSERT_EQ(run.analysis().projected_groups.size(), 3u);
  EXPECT_EQ(run.analysis().projected_groups[0].projected.total.ns, 336423);
  EXPECT_EQ(run.analysis().projected_groups[0].operations, 8);
  EXPECT_EQ(run.analysis().projected_groups[1].host_total.ns, 277292);

  ASSERT_EQ(run.analysis().iterations.size(), 2u);
  const model::Iteration& first = run.analysis().iterations[0];
  EXPECT_EQ(first.host->inclusive.ns, 431993);
  EXPECT_EQ(first.host->exclusive.ns, 110648);
  EXPECT_EQ(first.host->children.ns, 321345);
  EXPECT_EQ(first.projection->projected.ns, 191620);
  EXPECT_EQ(first.projection->host_range_total.ns, 431993);
  EXPECT_EQ(first.projection->operations, 4);
  const model::Iteration& second = run.analysis().iterations[1];
  EXPECT_EQ(second.host->inclusive.ns, 138050);
  EXPECT_EQ(second.host->exclusive.ns, 50395);
  EXPECT_EQ(second.host->children.ns, 87655);
  EXPECT_EQ(second.projection->projected.ns, 99714);
  EXPECT_EQ(run.analysis().iteration_summary.host_inclusive->total.ns, 570043);
  EXPECT_EQ(run.analysis().iteration_summary.projected->total.ns, 291334);
  EXPECT_EQ(run.analysis().iteration_summary.host_iterations, 2);
}

TEST(Analyze, RefusesTotalsBeyond64Bits) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 1).Host(2, 1, "a", INT64_MAX).Host(3, 1, "a", 1);
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  ASSERT_FALSE(run.result.ok());
  EXPECT_EQ(run.result.error().code, Code::kTotalOverflow);
  EXPECT_EQ(run.result.error().message, "the total duration of 'a' does not fit into 64 bits");

  TablesBuilder projected;
  projected.Host(1, kTop, "capture", 1)
      .Projected(8, 1, "b", 1, INT64_MAX)
      .Projected(9, 1, "b", 1, 1);
  EXPECT_EQ(AnalyseTables(projected, HarnessOf("capture")).result.error().message,
            "the total host duration of 'b' does not fit into 64 bits");

  TablesBuilder iterations;
  iterations.Host(1, kTop, "capture", 1)
      .Host(2, 1, "iteration 0", INT64_MAX)
      .Host(3, 1, "iteration 1", 1);
  EXPECT_EQ(AnalyseTables(iterations, HarnessOf("capture")).result.error().message,
            "the total duration of all iterations does not fit into 64 bits");
}

TEST(Analyze, SumsKernelsByNameAndSortsByDuration) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 1);
  builder.Kernel("b", 1, 10).Kernel("a", 1, 10).Kernel("c", 2, 15).Kernel("c", 1, 5);
  builder.Copy("Pageable", "Device", 1, 100, 5)
      .Copy("Device", "", 1, 7, 9)
      .Copy("Device", "Pageable", 1, 7, 9);
  builder.Copy("Device", "", 1, 3, 0);
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  ASSERT_TRUE(run.result.ok());
  const auto& kernels = *run.analysis().kernels;
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_EQ(run.tables.names.At(kernels[0].name), "c");
  EXPECT_EQ(kernels[0].instances, 3);
  EXPECT_EQ(kernels[0].duration_ns, 20);
  EXPECT_EQ(run.tables.names.At(kernels[1].name), "a");
  EXPECT_EQ(run.tables.names.At(kernels[2].name), "b");
  const auto& copies = *run.analysis().copies;
  ASSERT_EQ(copies.size(), 3u);
  EXPECT_EQ(run.tables.names.At(copies[0].destination), "");
  EXPECT_EQ(copies[0].bytes, 10);
  EXPECT_EQ(run.tables.names.At(copies[1].destination), "Pageable");
  EXPECT_EQ(run.tables.names.At(copies[2].source), "Pageable");
}

TEST(Analyze, KeepsAbsentGpuTablesAbsent) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 1);
  builder.tables().kernels.emplace();
  const Outcome run = AnalyseTables(builder, HarnessOf("capture"));
  ASSERT_TRUE(run.analysis().kernels.has_value());
  EXPECT_TRUE(run.analysis().kernels->empty());
  EXPECT_FALSE(run.analysis().copies.has_value());
}

}  // namespace
}  // namespace rangewise::analysis
