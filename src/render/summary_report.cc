#include "render/summary_report.h"

#include <optional>
#include <string>
#include <utility>

#include "base/text.h"
#include "render/phrases.h"
#include "render/redaction_section.h"
#include "render/summary_sections.h"

namespace rangewise::render {

namespace {

void AddFact(Facts& facts, const char* label, const std::optional<std::string>& value) {
  if (value) facts.facts.push_back({label, *value, true});
}

}  // namespace

std::string OrderInWords(const model::RowSelection& selection, const char* by) {
  if (selection.rows.size() == selection.total) return Format("by {}", by);
  return Format("first {} of {} by {}", Grouped(static_cast<int64_t>(selection.rows.size())),
                Grouped(static_cast<int64_t>(selection.total)), by);
}

Section IdentitySection(const model::Summary& summary) {
  const model::AnalysisDocument& document = summary.file.document;
  const model::Manifest& manifest = document.manifest;
  Facts facts;
  AddFact(facts, "run", manifest.run_id);
  AddFact(facts, "profile", manifest.profile_name);
  AddFact(facts, "commit", manifest.git_commit);
  AddFact(facts, "device", manifest.device);
  AddFact(facts, "started", manifest.started_at);
  AddFact(facts, "Nsight Systems", document.provenance.nsys_version.value_or("not known"));
  facts.facts.push_back({"report tables", summary.file.has_report_source
                                              ? SourceInWords(document.provenance.source)
                                              : "where they came from is not recorded"});
  if (document.harness.capture_range) {
    AddFact(facts, "capture range", document.harness.capture_range);
  } else {
    facts.facts.push_back({"capture range", "none: scopes start at each top-level range"});
  }
  AddFact(facts, "iterations by", document.harness.iteration_pattern);
  for (const std::string& filter : summary.filters) AddFact(facts, "filter", filter);
  Section section{.title = "Run", .blocks = {std::move(facts)}};
  if (!summary.filters.empty()) {
    section.blocks.push_back(
        Paragraph{"The filters choose the ranges of the tables of ranges below. Warnings, "
                  "iterations, findings, kernels and copies are those of the whole run."});
  }
  return section;
}

Section WorkloadSection(const model::Summary& summary) {
  const model::Manifest& manifest = summary.file.document.manifest;
  Facts facts;
  const auto workload = [&](const char* label, const char* key) {
    const auto entry = manifest.workload.find(key);
    const bool recorded = entry != manifest.workload.end() && !entry->second.is_null();
    facts.facts.push_back({label, recorded ? ValueInWords(entry->second) : "not recorded"});
  };
  workload("warm-up passes", "warmup");
  workload("iterations asked for", "iterations");
  facts.facts.push_back({"records", Grouped(manifest.record_count)});
  for (const auto& [key, value] : manifest.workload) {
    if (key == "warmup" || key == "iterations") continue;
    facts.facts.push_back({key, ValueInWords(value), true, true});
  }
  facts.facts.push_back({"device synchronised", SynchronisationInWords(manifest.cuda)});
  return {.title = "Workload", .blocks = {std::move(facts)}};
}

Section WarningsSection(const std::vector<Warning>& warnings) {
  if (warnings.empty()) return {.title = "Warnings: none"};
  Items items;
  for (const Warning& warning : warnings) {
    items.items.push_back({std::string(warning.Word()), warning.sentence});
  }
  return {.title = Format("Warnings: {}", warnings.size()),
          .blocks = {std::move(items),
                     Paragraph{"`rangewise explain CODE` says what a code implies for the numbers "
                               "below."}},
          .is_alarming = true};
}

Section CoverageSection(const model::Summary& summary) {
  const std::optional<model::Coverage>& coverage = summary.file.document.coverage;
  if (!coverage) {
    return {.title = "Coverage",
            .blocks = {Paragraph{"Not known: it is counted when rangewise reads the SQLite export "
                                 "itself."}}};
  }
  ReportTable table{.columns = {{"GPU operations"}, {"share"}, {"which", Align::kLeft}}};
  const auto add = [&](uint64_t part, const char* which) {
    const std::optional<double> share = coverage->Share(part);
    table.rows.push_back({Grouped(static_cast<int64_t>(part)),
                          share ? Format("{:.1f} %", *share * 100) : kNotMeasured, which});
  };
  add(coverage->gpu_operations, "all");
  add(coverage->with_api_call, "launched by a call that was recorded");
  add(coverage->in_ranges, "launched inside a range");
  if (coverage->in_capture_range) {
    add(*coverage->in_capture_range, "launched inside the capture range");
  }
  return {.title = "Coverage",
          .blocks = {std::move(table),
                     Paragraph{"Only operations that were launched inside a range are in its GPU "
                               "projection; what is missing here is missing there."}}};
}

Report MakeSummaryReport(const model::Summary& summary, TimeUnit unit) {
  const model::Manifest& manifest = summary.file.document.manifest;
  Report report;
  report.title = manifest.run_id ? Format("Summary of run {}", *manifest.run_id)
                                 : std::string("Summary of a run without a run_id");
  report.sections = {IdentitySection(summary),
                     WorkloadSection(summary),
                     WarningsSection(summary.file.document.warnings),
                     IterationsSection(summary, unit),
                     FindingsSection(summary, unit),
                     HostRangesSection(summary, unit)};
  if (summary.tree) report.sections.push_back(TreeSection(summary, unit));
  report.sections.push_back(ProjectedRangesSection(summary, unit));
  report.sections.push_back(CaptureGpuWorkSection(summary, unit));
  report.sections.push_back(CoverageSection(summary));
  Section end{.title = "Analysis"};
  if (summary.analysis_path) {
    Facts facts;
    facts.facts.push_back({"file", *summary.analysis_path, true});
    end.blocks.push_back(std::move(facts));
  } else {
    end.blocks.push_back(Paragraph{"Read from standard input or a pipe."});
  }
  report.sections.push_back(std::move(end));
  if (const auto& redaction = summary.file.document.redaction)
    report.sections.push_back(RedactionSection(*redaction));
  return report;
}

}  // namespace rangewise::render
