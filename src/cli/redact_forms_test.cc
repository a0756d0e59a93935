// Every text of a document that can be private bears a mark, and no form of the redacted document
// shows one. It stands here since forms belong to rooms that do not know each other.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "analysis/page_selection.h"
#include "analysis/redact_analysis.h"
#include "analysis/redact_comparison.h"
#include "artifact/summary_json.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/comparison_forms.h"
#include "cli/page_making.h"
#include "render/summary_report.h"
#include "support/comparisons.h"
#include "support/sample_document.h"
#include "support/sample_gpu_work.h"

namespace rangewise::cli {
namespace {

constexpr const char* kMark = "Zq";
constexpr const char* kTemplate =
    "<title><!--rangewise:title--></title><!--rangewise:body--><!--rangewise:data-->";

analysis::RedactOptions All() { return {.range_names = true, .kernel_names = true, .key = "k"}; }

// A text that nothing but its place tells to be private, another each time.
std::string Fresh() {
  static int number = 0;
  return Format("{}{}x", kMark, ++number);
}

void MarkNames(model::NamePool& names, std::vector<model::PathNode>& paths) {
  for (model::PathNode& node : paths) node.name = names.Intern(Fresh() + ":" + Fresh(), -1);
}

model::Summary MarkedSummary() {
  model::Summary summary;
  model::AnalysisDocument& document = summary.file.document;
  document = test_support::SmokeDocument();
  test_support::AddGpuWork(document, {.kernel = Fresh(), .collective = Fresh()});
  summary.analysis_path = Fresh();
  summary.filters = {Fresh()};
  model::Manifest& manifest = document.manifest;
  manifest.run_id = Fresh();
  manifest.command_line = Fresh() + " --flag";
  manifest.record_ids_digest = Fresh();
  manifest.expected_trace_path = Fresh();
  manifest.profile_name = "/home/" + Fresh() + "/x";
  manifest.device = Fresh() + "@" + Fresh();
  manifest.workload["user"] = {Fresh()};
  manifest.workload["note"] = {"see ~/" + Fresh() + " of " + *manifest.run_id};
  manifest.workload["/srv/" + Fresh()] = {true};
  manifest.workload["hosts"] = {ValueMap{{Fresh(), {Integer{"8"}}}}};
  manifest.target = ValueMap{{"import_path", {Fresh()}}, {"ids", {ValueList{{Fresh()}}}}};
  manifest.data_source = ValueMap{{"inner", {ValueMap{{"host", {Fresh()}}}}}};
  manifest.capture_range = document.harness.capture_range = Fresh();
  manifest.iteration_pattern = document.harness.iteration_pattern = Fresh() + " \\d+";
  manifest.name_rules = {{Fresh(), Fresh()}};
  model::Provenance& provenance = document.provenance;
  provenance.manifest_path = Fresh();
  provenance.trace_path = Fresh();
  provenance.reports["nvtx_pushpop_trace"] = Fresh();
  provenance.inputs[Fresh()] = {};
  provenance.options = {{"capture_range", Fresh()}, {"iterations", Fresh()}};
  model::Analysis& analysis = document.analysis;
  model::NamePool& names = document.tables.names;
  MarkNames(names, analysis.paths);
  if (analysis.grouped) MarkNames(analysis.grouped->names, analysis.grouped->paths);
  for (model::KernelTotal& kernel : *analysis.kernels) kernel.name = names.Intern(Fresh());
  const std::string known(names.At(analysis.paths.at(0).name));
  const std::string_view kernel = names.At(analysis.kernels->at(0).name);
  manifest.workload["stage"] = {"in " + known + " before " + std::string(kernel)};
  manifest.workload["file"] = {"/srv/vault/" + Fresh() + ".bin"};
  manifest.workload["remark"] = {std::get<std::string>(manifest.workload["file"].data).substr(11) +
                                 " is good"};
  document.warnings = {
      {Code::kOpenRanges, "'" + Fresh() + "...' and " + known + " of /tmp/" + Fresh()}};
  for (model::Finding& finding : analysis.findings) {
    finding.sentence += " of '" + Fresh() + "'";
    finding.paths = {{Fresh(), Fresh()}};
  }
  model::RangeGpuWork& work = *analysis.gpu_work;
  work.null_reasons["gaps"] = "no gaps in '" + Fresh() + "'";
  for (model::DeviceIdle& device : work.gaps.capture->devices) {
    for (model::IdleGap& gap : device.largest) {
      gap.host_range = {names.Intern(Fresh())};
      gap.filling = {.range = {names.Intern(Fresh())}, .time = {1}};
    }
  }
  for (size_t i = 0; i < analysis.host_groups.size(); ++i)
    summary.host.rows.push_back(static_cast<uint32_t>(i));
  for (size_t i = 0; i < analysis.projected_groups.size(); ++i)
    summary.projected.rows.push_back(static_cast<uint32_t>(i));
  for (size_t i = 0; i < analysis.kernels->size(); ++i)
    summary.kernels.rows.push_back(static_cast<uint32_t>(i));
  summary.host.total = summary.host.rows.size();
  summary.projected.total = summary.projected.rows.size();
  summary.kernels.total = summary.kernels.rows.size();
  return summary;
}

model::Timeline MarkedTimeline() {
  model::TimelineWindow window{.label = "slowest iteration (1)", .length_ns = 100};
  window.names = {Fresh(), Fresh(), "[CUDA memset]", Fresh()};
  window.host = {
      {.label = "thread 1", .items = {{.length_ns = 50, .name = 0}, {.length_ns = 20, .name = 3}}}};
  window.gpu = {
      {.label = "device 0, stream 7",
       .items = {{.length_ns = 5, .name = 1},
                 {.start_ns = 9, .length_ns = 5, .name = 2, .kind = model::TimelineKind::kSet},
                 {.start_ns = 20, .length_ns = 5, .name = 3}}}};
  return {.gpu_reason = "as in '" + Fresh() + "'", .windows = {window}};
}

std::vector<std::string> FormsOf(const model::Summary& summary) {
  const render::Report report = render::MakeSummaryReport(summary, render::TimeUnit::kAuto);
  StringOutput json;
  artifact::WriteSummaryJson(summary, json);
  return {render::RenderText(report, {.width = 400}), render::RenderMarkdown(report), json.text()};
}

template <typename Document>
std::vector<std::string> FormsOf(const Document& document) {
  return {InForm(document, "text"), InForm(document, "md"), InForm(document, "json")};
}

void ExpectNoMark(const std::string& form) {
  const size_t at = form.find(kMark);
  EXPECT_EQ(at, std::string::npos) << form.substr(at > 100 ? at - 100 : 0, 220);
}

TEST(RedactForms, SummariesShowNothingPrivate) {
  model::Summary summary = MarkedSummary();
  for (const std::string& form : FormsOf(summary)) EXPECT_NE(form.find(kMark), std::string::npos);
  analysis::Redact(summary, All());
  for (const std::string& form : FormsOf(summary)) {
    ExpectNoMark(form);
    EXPECT_NE(form.find(summary.file.document.redaction->replaced.at(0).pseudonym),
              std::string::npos);
  }
}

TEST(RedactForms, PagesShowNothingPrivate) {
  model::RunPage page;
  page.summary = MarkedSummary();
  page.timeline = MarkedTimeline();
  analysis::SelectPageRows(page);
  analysis::Redact(page, All());
  const Result<std::string> html = PageOf(page, kTemplate);
  ASSERT_TRUE(html.ok()) << html.error().message;
  ExpectNoMark(*html);
  EXPECT_NE(html->find("id=\"redaction\""), std::string::npos);
  EXPECT_NE(html->find("[CUDA memset]"), std::string::npos);
  const std::vector<std::string>& names = page.timeline.windows[0].names;
  // One name of a range and of a kernel has two pseudonyms.
  EXPECT_EQ(names.size(), 5u);
}

void MarkRun(model::ComparedRun& run) {
  run.label = Fresh();
  run.id = Fresh();
  run.commit = "by " + Fresh() + "@host";
}

void MarkKey(model::MetricKey& key) {
  key.path = {Fresh(), Fresh()};
  key.domain = Fresh();
}

template <typename Document>
void MarkShared(Document& document) {
  MarkKey(document.primary);
  document.left_out = {{.run = {.label = Fresh(), .id = Fresh()}, .codes = {"open-ranges"}}};
  document.duplicates = {{.label = Fresh(), .same_as = Fresh()}};
  model::ContractValue value{.value = Value{Fresh()}, .runs = {0}};
  for (const char* key : {"workload.user", "workload.user.name", "capture_range",
                          "iteration_pattern", "target.import_path"}) {
    document.contract.push_back({.key = key,
                                 .state = model::ContractState::kDifferent,
                                 .baseline = {value},
                                 .candidate = {value}});
  }
  value.value = Value{ValueMap{{"count", {Integer{"1"}}}, {"ids_digest", {Fresh()}}}};
  document.contract.push_back(
      {.key = "records", .state = model::ContractState::kDifferent, .baseline = {value}});
  value.value = Value{ValueMap{{Fresh(), {Integer{"8"}}}}};
  document.contract.push_back(
      {.key = "workload.hosts", .state = model::ContractState::kDifferent, .baseline = {value}});
  value.value = Value{ValueList{{ValueMap{{"pattern", {Fresh()}}, {"replace", {Fresh()}}}}}};
  document.contract.push_back(
      {.key = "name_rules", .state = model::ContractState::kDifferent, .baseline = {value}});
}

TEST(RedactForms, ComparisonsShowNothingPrivate) {
  for (model::Comparison comparison : test_support::SampleComparisons()) {
    comparison.contract.clear();
    for (auto* runs : {&comparison.baseline, &comparison.candidate}) {
      for (model::ComparedRun& run : *runs) MarkRun(run);
    }
    MarkShared(comparison);
    comparison.gate.emplace();
    MarkKey(comparison.gate->on.emplace_back());
    MarkKey(comparison.gate->rows.emplace_back().key);
    // A range's name in a value.
    const model::ContractValue note{.value = Value{"in " + comparison.gate->on[0].path[0]},
                                    .runs = {0}};
    comparison.contract.push_back(
        {.key = "workload.stage", .state = model::ContractState::kDifferent, .baseline = {note}});
    model::ForEachTable(comparison, [](auto& table) {
      for (auto& row : table.rows) {
        row.path = {Fresh()};
        row.domain = Fresh();
      }
    });
    for (model::GpuFamily& family : comparison.gpu_families) {
      family.missing = {{.reason = "not in /srv/" + Fresh()}};
    }
    analysis::Redact(comparison, All());
    for (const std::string& form : FormsOf(comparison)) ExpectNoMark(form);
    const Result<std::string> html = PageOf(comparison, kTemplate);
    ASSERT_TRUE(html.ok());
    ExpectNoMark(*html);
    // It is read back as it was written.
    const auto read = artifact::ReadComparison(InForm(comparison, "json"), "c.json");
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(InForm(std::get<model::Comparison>(*read), "json"), InForm(comparison, "json"));
  }
}

TEST(RedactForms, NoiseReportsShowNothingPrivate) {
  for (model::NoiseReport report : test_support::SampleNoiseReports()) {
    report.contract.clear();
    for (model::ComparedRun& run : report.runs) MarkRun(run);
    MarkShared(report);
    analysis::Redact(report, All());
    for (const std::string& form : FormsOf(report)) ExpectNoMark(form);
    const auto read = artifact::ReadComparison(InForm(report, "json"), "n.json");
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(InForm(std::get<model::NoiseReport>(*read), "json"), InForm(report, "json"));
  }
}

TEST(RedactForms, WhatIsNotRedactedSaysNothingOfIt) {
  const model::Comparison comparison = test_support::Regression();
  for (const std::string& form : FormsOf(comparison)) {
    EXPECT_EQ(form.find("edact"), std::string::npos);
  }
}

}  // namespace
}  // namespace rangewise::cli
