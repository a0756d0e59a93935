#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "render/phrases.h"
#include "render/summary_sections.h"

namespace rangewise::render {

namespace {

// The statistics of one clock, in the order of kMeasures.
constexpr const char* kMeasures[] = {"total",   "mean",          "median",        "minimum",
                                     "maximum", "90th percentile", "95th percentile",
                                     "99th percentile", "standard deviation",
                                     "median absolute deviation", "coefficient of variation"};

template <typename Ns>
std::vector<std::string> Measures(const std::optional<model::Statistics<Ns>>& values,
                                  TimeUnit unit) {
  if (!values) return std::vector<std::string>(std::size(kMeasures), kNotMeasured);
  const auto optional = [&](const std::optional<double>& value) {
    return value ? DurationIn(*value, unit) : std::string(kNotMeasured);
  };
  const std::optional<double> ratio = model::CvRatio(*values);
  return {DurationIn(values->total.ns, unit),
          DurationIn(values->mean_ns, unit),
          values->median_is_whole ? DurationIn(values->median_low.ns, unit)
                                  : DurationIn(model::MedianNs(*values), unit),
          DurationIn(values->minimum.ns, unit),
          DurationIn(values->maximum.ns, unit),
          optional(values->p90_ns),
          optional(values->p95_ns),
          optional(values->p99_ns),
          DurationIn(values->stddev_ns, unit),
          optional(values->mad_ns),
          ratio ? Format("{:.3f}", *ratio) : std::string(kNotMeasured)};
}

// A finding about single iterations in a few words, for a cell.
std::string ShortWords(const model::Finding& finding) {
  std::string words;
  switch (finding.code) {
    case Code::kFirstIterationDiffers:
      words = "first differs";
      break;
    case Code::kIncompleteLastIteration:
      words = "incomplete";
      break;
    case Code::kOutlierIterations:
      words = "outlier";
      break;
    default:
      words = finding.Word();
  }
  if (finding.code == Code::kIncompleteLastIteration || finding.clock == model::FindingClock::kNone)
    return words;
  return words + (finding.clock == model::FindingClock::kHost ? " (host)" : " (GPU)");
}

// By iteration, the findings that name it.
std::map<int64_t, std::string> NamedBy(const model::Analysis& analysis) {
  std::map<int64_t, std::string> named;
  for (const model::Finding& finding : analysis.findings) {
    if (!model::NamesSingleIterations(finding, analysis.iterations.size())) continue;
    const std::string words = ShortWords(finding);
    for (const int64_t index : finding.iterations) {
      std::string& text = named[index];
      if (!text.empty()) text += ", ";
      text += words;
    }
  }
  return named;
}

ReportTable IterationRows(const model::Summary& summary, TimeUnit unit) {
  const model::Analysis& analysis = summary.file.document.analysis;
  const std::map<int64_t, std::string> named = NamedBy(analysis);
  ReportTable table{.columns = {{"iteration"},
                                {"host inclusive"},
                                {"host exclusive"},
                                {"GPU projection"},
                                {.header = "GPU ops", .only_in_full = true},
                                {"named by", Align::kLeft}}};
  for (const uint32_t row : summary.iterations.rows) {
    const model::Iteration& iteration = analysis.iterations[row];
    std::vector<std::string> cells = {Format("{}", iteration.index)};
    if (iteration.host) {
      cells.push_back(DurationIn(iteration.host->inclusive.ns, unit));
      cells.push_back(DurationIn(iteration.host->exclusive.ns, unit));
    } else {
      cells.insert(cells.end(), 2, kNotMeasured);
    }
    if (iteration.projection) {
      cells.push_back(DurationIn(iteration.projection->projected.ns, unit));
      cells.push_back(Grouped(iteration.projection->operations));
    } else {
      cells.insert(cells.end(), 2, kNotMeasured);
    }
    const auto names = named.find(iteration.index);
    cells.push_back(names == named.end() ? "" : names->second);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace

Section IterationsSection(const model::Summary& summary, TimeUnit unit) {
  const model::IterationSummary& all = summary.file.document.analysis.iteration_summary;
  if (all.iterations == 0) {
    return {.title = "Iterations: none",
            .blocks = {Paragraph{"No iteration was found, so nothing here says how steady the run "
                                 "was."}}};
  }
  ReportTable table{.columns = {{"", Align::kLeft}, {"host inclusive"}, {"GPU projection"}}};
  const std::vector<std::string> host = Measures(all.host_inclusive, unit);
  const std::vector<std::string> projected = Measures(all.projected, unit);
  for (size_t i = 0; i < std::size(kMeasures); ++i) {
    table.rows.push_back({kMeasures[i], host[i], projected[i]});
  }
  return {.title = Format("Iterations: {} ({} with a host range, {} with a GPU projection)",
                          Grouped(all.iterations), Grouped(all.host_iterations),
                          Grouped(all.projected_iterations)),
          .blocks = {std::move(table), Paragraph{kTwoClocks}}};
}

Section FindingsSection(const model::Summary& summary, TimeUnit unit) {
  const model::Analysis& analysis = summary.file.document.analysis;
  Section section{.title = "First iteration, spread, outliers, and what else the numbers show"};
  if (!summary.file.has_findings) {
    section.blocks.push_back(
        Paragraph{"This analysis was written without findings; analyse the run again for them."});
  } else {
    Items items;
    for (const model::Finding& finding : analysis.findings) {
      std::string lead(finding.Word());
      if (!finding.computed) lead += " (not computed)";
      items.items.push_back({std::move(lead), finding.sentence});
    }
    section.blocks.push_back(std::move(items));
  }
  if (!summary.iterations.rows.empty()) {
    section.blocks.push_back(IterationRows(summary, unit));
    const bool whole = summary.iterations.rows.size() == summary.iterations.total;
    section.blocks.push_back(Paragraph{
        whole ? "Every iteration; no value of one clock says anything about the other."
              : Format("{} of {} iterations: the first, the last, and those that a finding names; "
                       "no value of one clock says anything about the other.",
                       Grouped(static_cast<int64_t>(summary.iterations.rows.size())),
                       Grouped(static_cast<int64_t>(summary.iterations.total)))});
  }
  return section;
}

}  // namespace rangewise::render
