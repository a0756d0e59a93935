#include "analysis/redact_analysis.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/memory.h"

namespace rangewise::analysis {
namespace {

using model::RedactedKind;

void Whole(Redactor& redactor, RedactedKind kind, std::optional<std::string>& text) {
  if (text) redactor.Whole(kind, *text);
}
void Path(Redactor& redactor, std::optional<std::string>& text) {
  if (text) redactor.Path(*text);
}

// Calls visit(text) for every sentence, and for every text that its place says nothing of.
template <typename Visit>
void EachSentence(model::AnalysisDocument& document, Visit visit) {
  model::Manifest& manifest = document.manifest;
  for (std::optional<std::string>* text :
       {&manifest.profile_name, &manifest.device, &manifest.git_commit, &manifest.started_at,
        &document.provenance.nsys_version}) {
    if (*text) visit(**text);
  }
  for (Warning& warning : document.warnings) {
    visit(warning.sentence);
    visit(warning.later_word);
  }
  model::Analysis& analysis = document.analysis;
  for (model::Finding& finding : analysis.findings) {
    visit(finding.sentence);
    visit(finding.later_word);
  }
  visit(analysis.no_gpu_work);
  if (!analysis.gpu_work) return;
  for (auto& [section, reason] : analysis.gpu_work->null_reasons) visit(reason);
}

// Names of classes are the manifest's, but for ours.
void RedactClasses(Redactor& redactor, model::GpuWork& work) {
  for (model::DeviceWork& device : work.devices) {
    for (model::ClassTime& of_class : device.classes) redactor.Sentence(of_class.name);
  }
}

void RedactGpuWork(Redactor& redactor, model::NamePool& names, model::RangeGpuWork& work) {
  const auto redact_work = [&](model::GpuWork& one) {
    for (model::KernelSum& kernel : one.largest_kernels) {
      kernel.name = redactor.KernelName(names, kernel.name);
    }
    RedactClasses(redactor, one);
  };
  for (model::PathGpuWork& path : work.paths) redact_work(path.work);
  if (work.grouped_paths) {
    for (model::PathGpuWork& path : *work.grouped_paths) redact_work(path.work);
  }
  for (model::IterationGpuWork& iteration : work.iterations) redact_work(iteration.work);
  for (model::DeviceTotal& device : work.devices) redactor.Sentence(device.name);
  const auto redact_path = [&](std::vector<model::NameId>& path) {
    for (model::NameId& name : path) name = redactor.RangeName(names, name);
  };
  const auto redact_window = [&](model::IdleWindow& window) {
    for (model::DeviceIdle& device : window.devices) {
      for (model::IdleGap& gap : device.largest) {
        redact_path(gap.host_range);
        redactor.Sentence(gap.call);
        if (gap.filling) redact_path(gap.filling->range);
      }
    }
  };
  if (work.gaps.capture) redact_window(*work.gaps.capture);
  for (model::IdleWindow& window : work.gaps.iterations) redact_window(window);
}

void RedactPaths(Redactor& redactor, model::NamePool& names, std::vector<model::PathNode>& paths) {
  for (model::PathNode& node : paths) node.name = redactor.RangeName(names, node.name);
}

// Texts whose place says what they are.
void RedactPlaces(Redactor& redactor, model::AnalysisDocument& document) {
  model::Manifest& manifest = document.manifest;
  // No form shows these two, but warnings may quote them.
  for (auto [key, text] : {std::pair{"command_line", &manifest.command_line},
                           std::pair{"expected_trace_path", &manifest.expected_trace_path}}) {
    if (*text) redactor.Learn(key, Value{**text});
    text->reset();
  }
  Whole(redactor, RedactedKind::kId, manifest.run_id);
  manifest.record_ids_digest.reset();  // it is no text, and who guesses the ids can check them
  model::Provenance& provenance = document.provenance;
  Path(redactor, provenance.manifest_path);
  Path(redactor, provenance.trace_path);
  for (auto& [report, path] : provenance.reports) redactor.Path(path);
  std::map<std::string, Fingerprint> inputs;
  for (auto& [name, fingerprint] : provenance.inputs) {
    std::string shown = name;
    redactor.Path(shown);
    inputs.emplace(std::move(shown), std::move(fingerprint));
  }
  provenance.inputs = std::move(inputs);
}

// Names of ranges and kernels, and what is written in terms of them.
void RedactNames(Redactor& redactor, model::AnalysisDocument& document) {
  model::NamePool& names = document.tables.names;
  model::Analysis& analysis = document.analysis;
  for (std::optional<std::string>* text :
       {&document.manifest.capture_range, &document.harness.capture_range}) {
    if (*text) **text = redactor.RangeName(**text);
  }
  for (std::optional<std::string>* text :
       {&document.manifest.iteration_pattern, &document.harness.iteration_pattern}) {
    if (*text) redactor.RangeText(**text);
  }
  for (auto& [option, value] : document.provenance.options) {
    value = option == "capture_range" ? redactor.RangeName(value) : value;
    if (option != "capture_range") redactor.RangeText(value);
  }
  for (model::NameRule& rule : document.manifest.name_rules) {
    redactor.RangeText(rule.pattern);
    redactor.RangeText(rule.replace);
  }
  for (model::GpuClassRule& rule : document.manifest.gpu_classes) {
    rule.pattern = redactor.KernelName(rule.pattern);
    redactor.Sentence(rule.gpu_class);
  }
  RedactPaths(redactor, names, analysis.paths);
  if (analysis.grouped) RedactPaths(redactor, analysis.grouped->names, analysis.grouped->paths);
  if (analysis.kernels) {
    for (model::KernelTotal& kernel : *analysis.kernels) {
      kernel.name = redactor.KernelName(names, kernel.name);
    }
  }
  for (model::Finding& finding : analysis.findings) {
    for (std::vector<std::string>& path : finding.paths) {
      for (std::string& name : path) name = redactor.RangeName(name);
    }
  }
  if (analysis.gpu_work) RedactGpuWork(redactor, names, *analysis.gpu_work);
}

void RedactDocument(Redactor& redactor, model::AnalysisDocument& document) {
  EachSentence(document, [&](const std::string& text) { redactor.Learn(text); });
  const model::Manifest& manifest = document.manifest;
  for (const ValueMap* values : {&manifest.workload, &manifest.cuda}) redactor.Learn(*values);
  for (const std::optional<ValueMap>* values : {&manifest.target, &manifest.data_source}) {
    if (*values) redactor.Learn(**values);
  }
  RedactPlaces(redactor, document);
  // Before the values, in which names may stand.
  RedactNames(redactor, document);
  for (ValueMap* values : {&document.manifest.workload, &document.manifest.cuda})
    redactor.Values(*values);
  for (std::optional<ValueMap>* values :
       {&document.manifest.target, &document.manifest.data_source}) {
    if (*values) redactor.Values(**values);
  }
  EachSentence(document, [&](std::string& text) { redactor.Sentence(text); });
  Free(document.tables.host);
  Free(document.tables.projected);
}

// Paths of analysis and filters; before the document, whose sentences can hold them.
void RedactPlaces(Redactor& redactor, model::Summary& summary) {
  Path(redactor, summary.analysis_path);
  for (std::string& filter : summary.filters) redactor.RangeText(filter);
}

// Read from a file, as it stands there.
void RedactTool(Redactor& redactor, model::Summary& summary) {
  if (summary.file.tool_version) redactor.Sentence(*summary.file.tool_version);
}

// A lane of the host names ranges, one of the GPU kernels; copies and sets have names of ours.
void RedactWindow(Redactor& redactor, model::TimelineWindow& window) {
  std::vector<std::string> names;
  std::map<std::string, uint32_t> numbers;
  const auto number_of = [&](std::string name) {
    const auto [at, fresh] = numbers.try_emplace(name, static_cast<uint32_t>(names.size()));
    if (fresh) names.push_back(std::move(name));
    return at->second;
  };
  const auto redact = [&](std::vector<model::TimelineLane>& lanes, bool host) {
    for (model::TimelineLane& lane : lanes) {
      redactor.Sentence(lane.label);
      for (model::TimelineItem& item : lane.items) {
        const std::string& name = window.names[item.name];
        const bool is_ours =
            item.kind == model::TimelineKind::kCopy || item.kind == model::TimelineKind::kSet;
        item.name = number_of(host      ? redactor.RangeName(name)
                              : is_ours ? name
                                        : redactor.KernelName(name));
      }
    }
  };
  redact(window.host, true);
  redact(window.gpu, false);
  window.names = std::move(names);
}

}  // namespace

void Redact(model::Summary& summary, const RedactOptions& options) {
  Redactor redactor(options);
  RedactPlaces(redactor, summary);
  RedactDocument(redactor, summary.file.document);
  RedactTool(redactor, summary);
  redactor.DoneWith(summary.file.document.redaction);
}

void Redact(model::RunPage& page, const RedactOptions& options) {
  Redactor redactor(options);
  RedactPlaces(redactor, page.summary);
  redactor.Learn(page.timeline.reason);
  redactor.Learn(page.timeline.gpu_reason);
  model::AnalysisDocument& document = page.summary.file.document;
  RedactDocument(redactor, document);
  redactor.Sentence(page.timeline.reason);
  redactor.Sentence(page.timeline.gpu_reason);
  RedactTool(redactor, page.summary);
  for (model::TimelineWindow& window : page.timeline.windows) RedactWindow(redactor, window);
  redactor.DoneWith(document.redaction);
}

}  // namespace rangewise::analysis
