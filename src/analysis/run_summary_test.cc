#include "analysis/run_summary.h"

#include <gtest/gtest.h>

#include "support/sample_document.h"

namespace rangewise::analysis {
namespace {

using model::RunSummary;
using test_support::SmokeDocument;

TEST(RunSummary, BringsTheRunsValues) {
  const RunSummary run = SummariseRun(SmokeDocument(), "runs/a", "digest");
  EXPECT_EQ(run.label, "runs/a");
  ASSERT_TRUE(run.host_iterations && run.projected_iterations);
  // Of two iterations the mean of both.
  EXPECT_EQ(run.host_iterations->median_ns, (431993 + 138050) / 2.0);
  EXPECT_EQ(run.host_iterations->instances, 2);
  EXPECT_EQ(run.host_iterations->minimum.ns, 138050);
  EXPECT_EQ(run.projected_iterations->median_ns, (191620 + 99714) / 2.0);
  EXPECT_TRUE(run.HasProjection());
  EXPECT_FALSE(run.grouped_host_ranges.has_value());
  bool found = false;
  for (const model::HostRangeSummary& range : run.host_ranges) {
    if (range.path != model::RangePath{"profile-target"}) continue;
    found = true;
    EXPECT_EQ(range.inclusive.median_ns, 700839);
    EXPECT_EQ(range.exclusive.median_ns, 130796);
    EXPECT_EQ(range.inclusive.instances, 1);
  }
  EXPECT_TRUE(found);
}

TEST(RunSummary, WhatTheManifestLeavesOutWasNotRecorded) {
  const RunSummary run = SummariseRun(model::AnalysisDocument{}, "x", "digest");
  for (const std::string_view key :
       {model::kContractTarget, model::kContractDataSource, model::kContractRecords,
        model::kContractWorkload, model::kContractSynchronisation, model::kContractDevice,
        model::kContractNsysVersion}) {
    EXPECT_FALSE(run.contract.contains(std::string(key))) << key;
  }
  EXPECT_TRUE(run.contract.at("capture_range").is_null());
  EXPECT_TRUE(run.contract.at("iteration_pattern").is_null());
  EXPECT_EQ(run.contract.at("name_rules"), Value{ValueList{}});
  EXPECT_FALSE(run.HasProjection());
  EXPECT_FALSE(run.host_iterations.has_value());
}

TEST(RunSummary, RulesOfTheCommandLineBelongToTheContract) {
  model::AnalysisDocument document;
  document.manifest.name_rules = {{"a", "b"}};
  const RunSummary plain = SummariseRun(document, "x", "");
  document.provenance.options["group_numbers"] = "true";
  const RunSummary grouped = SummariseRun(document, "x", "");
  EXPECT_NE(plain.contract.at("name_rules"), grouped.contract.at("name_rules"));
}

TEST(RunSummary, InputsTellRunsApartWhereTheyAreKnown) {
  model::AnalysisDocument document;
  EXPECT_EQ(SummariseRun(document, "x", "of the file").digest, "of the file");
  document.provenance.manifest_path = "manifest.yaml";
  document.provenance.inputs["manifest.yaml"] = {10, "00"};
  EXPECT_EQ(SummariseRun(document, "x", "of the file").digest, "of the file");
  document.provenance.inputs["stats/nsys_nvtx_pushpop_trace.csv"] = {20, "01"};
  const std::string tables = SummariseRun(document, "x", "of the file").digest;
  EXPECT_EQ(SummariseRun(document, "y", "of another file").digest, tables);
  // Another manifest beside the same tables is no other capture.
  document.provenance.inputs["manifest.yaml"] = {11, "00"};
  EXPECT_EQ(SummariseRun(document, "x", "of the file").digest, tables);
  document.provenance.inputs["stats/nsys_nvtx_pushpop_trace.csv"] = {20, "02"};
  EXPECT_NE(SummariseRun(document, "x", "of the file").digest, tables);
  // An export is the capture, whatever it is called and whatever else was read.
  document.provenance.inputs["trace.sqlite"] = {30, "03"};
  const std::string capture = SummariseRun(document, "x", "of the file").digest;
  model::AnalysisDocument bare;
  bare.provenance.inputs["copy.sqlite"] = {30, "03"};
  EXPECT_EQ(SummariseRun(bare, "x", "of the file").digest, capture);
  bare.provenance.inputs["copy.sqlite"] = {30, "04"};
  EXPECT_NE(SummariseRun(bare, "x", "of the file").digest, capture);
}

TEST(RunSummary, CountsOfIterationsTellWhatIsIncomplete) {
  model::AnalysisDocument document;
  model::IterationSummary& summary = document.analysis.iteration_summary;
  summary = {.iterations = 10, .host_iterations = 10, .projected_iterations = 10};
  EXPECT_FALSE(SummariseRun(document, "x", "").partly_projected);
  EXPECT_FALSE(SummariseRun(document, "x", "").partly_on_host);
  EXPECT_EQ(SummariseRun(document, "x", "").contract.at("iterations"), Value{Integer{"10"}});
  summary.projected_iterations = 2;
  EXPECT_TRUE(SummariseRun(document, "x", "").partly_projected);
  summary.projected_iterations = 0;  // not measured at all
  EXPECT_FALSE(SummariseRun(document, "x", "").partly_projected);
  summary.host_iterations = 9;
  EXPECT_TRUE(SummariseRun(document, "x", "").partly_on_host);
}

TEST(RunSummary, OpenRangesCountUnlessTheyAreKnownToLieElsewhere) {
  model::AnalysisDocument document;
  EXPECT_FALSE(SummariseRun(document, "x", "").open_range_in_capture);
  document.warnings = {{Code::kOpenRanges, "one"}, {Code::kOpenRanges, "two"}};
  const RunSummary run = SummariseRun(document, "x", "");
  EXPECT_TRUE(run.open_range_in_capture);
  EXPECT_EQ(run.warnings, std::vector<std::string>{"open-ranges"});
  document.coverage.emplace();
  EXPECT_TRUE(SummariseRun(document, "x", "").open_range_in_capture);
  document.coverage->open_ranges_in_capture = 0;
  EXPECT_FALSE(SummariseRun(document, "x", "").open_range_in_capture);
  document.coverage->open_ranges_in_capture = 2;
  EXPECT_TRUE(SummariseRun(document, "x", "").open_range_in_capture);
}

TEST(RunSummary, GroupedRowsComeWhereTheAnalysisHasThem) {
  model::AnalysisDocument document = SmokeDocument();
  document.analysis.grouped.emplace();
  model::GroupedRanges& grouped = *document.analysis.grouped;
  const model::NameId name = grouped.names.Intern("step #");
  grouped.paths.push_back({model::kRootPath, name});
  grouped.host.push_back({.group = {.path = 0,
                                    .instances = 3,
                                    .inclusive = test_support::Single<HostNs>(7),
                                    .exclusive = test_support::Single<HostNs>(-2)}});
  const RunSummary run = SummariseRun(document, "x", "");
  ASSERT_TRUE(run.grouped_host_ranges && run.grouped_projected_ranges);
  ASSERT_EQ(run.grouped_host_ranges->size(), 1u);
  EXPECT_EQ(run.grouped_host_ranges->front().path, model::RangePath{"step #"});
  EXPECT_EQ(run.grouped_host_ranges->front().exclusive.median_ns, -2);
  EXPECT_TRUE(run.grouped_projected_ranges->empty());
}

model::AnalysisDocument WithGpuWork() {
  model::AnalysisDocument document;
  const model::NameId outer = document.tables.names.Intern("outer");
  const model::NameId inner = document.tables.names.Intern("inner", 0);
  document.analysis.paths = {{model::kRootPath, outer}, {0, inner}};
  model::RangeGpuWork& work = document.analysis.gpu_work.emplace();
  model::GpuWork& total = work.paths.emplace_back(model::PathGpuWork{.path = 1, .work = {}}).work;
  total.busy = GpuNs{700};
  total.total.kernels = {.instances = 4, .total = GpuNs{1200}};
  total.calls.emplace();
  (*total.calls)[static_cast<size_t>(model::CallClass::kSynchronising)] = {2, HostNs{90}};
  (*total.calls)[static_cast<size_t>(model::CallClass::kLaunching)] = {4, HostNs{5000}};
  total.devices = {{.device = 0, .classes = {{"communication", 1, GpuNs{50}}}},
                   {.device = 1, .classes = {{"communication", 2, GpuNs{60}}}},
                   {.device = 2, .classes = {{"compute", 2, GpuNs{60}}}}};
  total.devices[0].communication_exposed = GpuNs{30};
  total.devices[1].communication_exposed = GpuNs{12};
  total.devices[2].communication_exposed = GpuNs{1000};  // of no communication: no such value
  for (const int64_t busy : {300, 100, 0, 250}) {
    work.iterations.push_back({.index = static_cast<int64_t>(work.iterations.size()), .work = {}});
    work.iterations.back().work.busy = GpuNs{busy};
  }
  return document;
}

TEST(RunSummary, BringsTotalsOfGpuWork) {
  const RunSummary run = SummariseRun(WithGpuWork(), "x", "");
  ASSERT_TRUE(run.gpu_work);
  EXPECT_EQ(run.no_gpu_work, "");
  ASSERT_EQ(run.gpu_work->ranges.size(), 1u);
  const model::GpuRangeSummary& range = run.gpu_work->ranges[0];
  EXPECT_EQ(range.path, (model::RangePath{"outer", "inner"}));
  EXPECT_FALSE(range.has_whole_graphs);
  ASSERT_TRUE(range.busy && range.kernels && range.waits && range.exposed_communication);
  EXPECT_EQ(range.busy->median_ns, 700);
  EXPECT_EQ(range.busy->instances, 1);
  EXPECT_EQ(range.kernels->median_ns, 1200);
  EXPECT_EQ(range.waits->maximum, HostNs{90});
  EXPECT_EQ(range.exposed_communication->minimum, GpuNs{42});
  // An iteration in which the GPU did nothing counts.
  ASSERT_TRUE(run.gpu_work->busy_iterations);
  EXPECT_EQ(run.gpu_work->busy_iterations->median_ns, 175);
  EXPECT_EQ(run.gpu_work->busy_iterations->instances, 4);
  EXPECT_FALSE(run.gpu_work->grouped.has_value());
}

TEST(RunSummary, GpuWorkThatIsNotKnownIsAbsentAndNotZero) {
  model::AnalysisDocument document = WithGpuWork();
  model::GpuWork& work = document.analysis.gpu_work->paths[0].work;
  work.calls.reset();
  document.analysis.gpu_work->null_reasons["calls"] = "no calls";
  work.devices.pop_back();
  work.devices[0].classes.clear();
  work.devices[1].classes.clear();
  RunSummary run = SummariseRun(document, "x", "");
  EXPECT_FALSE(run.gpu_work->ranges[0].waits.has_value());
  EXPECT_FALSE(run.gpu_work->ranges[0].exposed_communication.has_value());
  EXPECT_TRUE(run.gpu_work->ranges[0].busy.has_value());
  EXPECT_EQ(run.gpu_work->no_calls, "no calls");

  // Of a whole graph only the span is known: what ran in it is in no figure.
  work.graphs.records.instances = 1;
  document.analysis.gpu_work->iterations[1].work.graphs.records.instances = 1;
  run = SummariseRun(document, "x", "");
  EXPECT_TRUE(run.gpu_work->ranges[0].has_whole_graphs);
  EXPECT_FALSE(run.gpu_work->ranges[0].busy.has_value());
  EXPECT_FALSE(run.gpu_work->ranges[0].kernels.has_value());
  EXPECT_FALSE(run.gpu_work->busy_iterations.has_value());

  document.analysis.gpu_work.reset();
  document.analysis.no_gpu_work = "it was turned off";
  run = SummariseRun(document, "x", "");
  EXPECT_FALSE(run.gpu_work.has_value());
  EXPECT_EQ(run.no_gpu_work, "it was turned off");
  EXPECT_NE(SummariseRun(model::AnalysisDocument{}, "x", "").no_gpu_work, "");
}

}  // namespace
}  // namespace rangewise::analysis
