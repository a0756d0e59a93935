#include "render/analysis_text.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "model/summary.h"
#include "render/character_width.h"
#include "render/phrases.h"
#include "render/text_table.h"
#include "render/units.h"

namespace rangewise::render {

namespace {

constexpr size_t kLargest = 5;
constexpr size_t kNameWidth = 40;  // of a name within a sentence

// A name or value from an input, for use within a sentence.
std::string Shown(std::string_view text) { return Shortened(Neutralised(text), kNameWidth); }
std::string ShownQuoted(std::string_view text) { return "'" + Shown(text) + "'"; }

std::string RunLine(const model::Manifest& manifest) {
  std::string line = manifest.run_id ? "Run " + Shown(*manifest.run_id) : "Run without a run_id";
  const char* separator = " (";
  const auto add = [&](const char* what, const std::optional<std::string>& text) {
    if (!text) return;
    line += separator;
    line += what;
    line += Shown(*text);
    separator = ", ";
  };
  add("profile ", manifest.profile_name);
  add("device ", manifest.device);
  add("commit ", manifest.git_commit);
  if (separator == std::string_view(", ")) line += ')';
  return Wrapped(line, 0, 2);
}

std::string SourceLine(const model::Provenance& provenance) {
  const std::string version = provenance.nsys_version
                                  ? Shortened(Neutralised(*provenance.nsys_version), 80)
                                  : "version of Nsight Systems not known";
  return Wrapped(Format("Tables: {}; {}", SourceInWords(provenance.source), version), 0, 2);
}

std::string HarnessLine(const model::Harness& harness) {
  std::string line = harness.capture_range
                         ? "Capture range " + ShownQuoted(*harness.capture_range)
                         : "No capture range: scopes start at each top-level range";
  if (harness.iteration_pattern)
    line += ", iterations by " + ShownQuoted(*harness.iteration_pattern);
  return Wrapped(line, 0, 2);
}

std::string Warnings(const std::vector<Warning>& warnings) {
  if (warnings.empty()) return "No warnings\n";
  std::string text = Counted(static_cast<int64_t>(warnings.size()), "warning", "warnings") + ":\n";
  for (const Warning& warning : warnings) text += Wrapped(warning.Text(), 2, 4);
  return text;
}

template <typename Ns>
void AddStatistics(TextTable& table, const char* title,
                   const std::optional<model::Statistics<Ns>>& values, int64_t count) {
  if (!values) return table.AddRow({title, kNotMeasured, "", "", "", "", ""});
  const std::string median = values->median_is_whole
                                 ? Duration(values->median_low)
                                 : DurationOfNs(static_cast<double>(values->median_low.ns) / 2 +
                                                static_cast<double>(values->median_high.ns) / 2);
  table.AddRow({title, Duration(values->total), DurationOfNs(values->mean_ns), median,
                Duration(values->minimum), Duration(values->maximum),
                DeviationIn(values->stddev_ns, count, TimeUnit::kAuto)});
}

std::string Iterations(const model::IterationSummary& summary) {
  if (summary.iterations == 0) return "Iterations: none found\n";
  std::string text = Format("Iterations: {} ({} with a host range, {} with a GPU projection)\n",
                            Grouped(summary.iterations), Grouped(summary.host_iterations),
                            Grouped(summary.projected_iterations));
  TextTable table({{.header = ""},
                   {.header = "total", .align = Align::kRight},
                   {.header = "mean", .align = Align::kRight},
                   {.header = "median", .align = Align::kRight},
                   {.header = "minimum", .align = Align::kRight},
                   {.header = "maximum", .align = Align::kRight},
                   {.header = "std. dev.", .align = Align::kRight}});
  AddStatistics(table, "host, inclusive", summary.host_inclusive, summary.host_iterations);
  AddStatistics(table, "GPU projection", summary.projected, summary.projected_iterations);
  return text + table.Render();
}

std::string PathText(const model::AnalysisDocument& document, model::ScopePath path) {
  return model::JoinedNames(document.analysis.paths, document.tables.names, path);
}

// The groups of the largest totals, largest first; equal ones keep their order.
template <typename Group, typename TotalOf>
std::vector<const Group*> LargestGroups(const std::vector<Group>& groups, TotalOf total_of) {
  std::vector<const Group*> largest;
  for (const Group& group : groups) {
    const auto place = std::upper_bound(
        largest.begin(), largest.end(), &group,
        [&](const Group* a, const Group* b) { return total_of(*a) > total_of(*b); });
    if (place == largest.end() && largest.size() == kLargest) continue;
    largest.insert(place, &group);
    if (largest.size() > kLargest) largest.pop_back();
  }
  return largest;
}

std::string SelectionText(const char* what, const char* by, size_t shown, size_t all) {
  if (shown == all) return Format("{}, by {}", what, by);
  return Format("{}, largest {} of {} by {}", what, shown, Grouped(static_cast<int64_t>(all)), by);
}

std::string HostGroups(const model::AnalysisDocument& document) {
  const auto& groups = document.analysis.host_groups;
  if (groups.empty()) return "Host ranges: none outside of iterations\n";
  const auto largest =
      LargestGroups(groups, [](const model::HostGroup& group) { return group.exclusive.total; });
  TextTable table({{.header = "exclusive", .align = Align::kRight},
                   {.header = "inclusive", .align = Align::kRight},
                   {.header = "ranges", .align = Align::kRight},
                   {.header = SelectionText("host ranges", "exclusive host time", largest.size(),
                                            groups.size())}});
  for (const model::HostGroup* group : largest) {
    table.AddRow({Duration(group->exclusive.total), Duration(group->inclusive.total),
                  Grouped(group->instances), PathText(document, group->path)});
  }
  return table.Render();
}

std::string ProjectedGroups(const model::AnalysisDocument& document) {
  const auto& groups = document.analysis.projected_groups;
  if (groups.empty()) {
    return document.analysis.iteration_summary.projected
               ? "GPU projection of ranges: not measured outside of iterations\n"
               : "No GPU projection: not measured\n";
  }
  const auto largest = LargestGroups(
      groups, [](const model::ProjectedGroup& group) { return group.projected.total; });
  TextTable table({{.header = "projected", .align = Align::kRight},
                   {.header = "GPU operations", .align = Align::kRight},
                   {.header = "ranges", .align = Align::kRight},
                   {.header = SelectionText("GPU projections", "projected time", largest.size(),
                                            groups.size())}});
  for (const model::ProjectedGroup* group : largest) {
    const char* suffix = group->style == model::Style::kStartEnd ? " (start/end)" : "";
    table.AddRow({Duration(group->projected.total), Grouped(group->operations),
                  Grouped(group->instances), PathText(document, group->path) + suffix});
  }
  return table.Render();
}

std::string CaptureGpuWork(const model::Analysis& analysis) {
  std::string kernels = "Kernels: not known";
  if (analysis.kernels) {
    int64_t launches = 0;
    for (const auto& kernel : *analysis.kernels) launches = CappedSum(launches, kernel.instances);
    kernels =
        analysis.kernels->empty()
            ? "Kernels: none"
            : Format("Kernels: {} in {}", Counted(launches, "launch", "launches"),
                     Counted(static_cast<int64_t>(analysis.kernels->size()), "name", "names"));
  }
  std::string copies = "copies: not known";
  if (analysis.copies) {
    int64_t count = 0;
    int64_t bytes = 0;
    for (const auto& copy : *analysis.copies) {
      count = CappedSum(count, copy.instances);
      bytes = CappedSum(bytes, copy.bytes);
    }
    copies = analysis.copies->empty() ? "copies: none"
                                      : Format("copies: {}, {}", Grouped(count), Bytes(bytes));
  }
  return Wrapped(kernels + "; " + copies + " (whole capture)", 0, 2);
}

}  // namespace

std::string RenderAnalyzeSummary(const model::AnalysisDocument& document) {
  std::string text = RunLine(document.manifest);
  text += SourceLine(document.provenance);
  text += HarnessLine(document.harness);
  text += Warnings(document.warnings);
  text += '\n';
  text += Iterations(document.analysis.iteration_summary);
  text += Wrapped(kTwoClocks, 2, 2);
  text += '\n';
  text += HostGroups(document);
  text += '\n';
  text += ProjectedGroups(document);
  text += '\n';
  text += CaptureGpuWork(document.analysis);
  return text;
}

}  // namespace rangewise::render
