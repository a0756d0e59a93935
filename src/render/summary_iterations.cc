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
                                  int64_t count, TimeUnit unit) {
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
          DeviationIn(values->stddev_ns, count, unit),
          optional(values->mad_ns),
          count == 1 ? kUnknownOfOne
          : ratio    ? Format("{:.3f}", *ratio)
                     : std::string(kNotMeasured)};
}

// A finding about single iterations in a few words, for a cell.
std::string ShortWords(Code code) {
  switch (code) {
    case Code::kFirstIterationDiffers:
      return "first differs";
    case Code::kIncompleteLastIteration:
      return "incomplete";
    case Code::kOutlierIterations:
      return "outlier";
    default:
      return std::string(Describe(code).word);
  }
}

const char* ClockWord(const model::Finding& finding) {
  // What an iteration lacks is lacking on no clock.
  if (finding.code == Code::kIncompleteLastIteration) return "";
  switch (finding.clock) {
    case model::FindingClock::kHost:
      return "host";
    case model::FindingClock::kProjected:
      return "GPU";
    case model::FindingClock::kNone:
      break;
  }
  return "";
}

ReportTable IterationRows(const model::Summary& summary, TimeUnit unit) {
  const model::Analysis& analysis = summary.file.document.analysis;
  const std::map<int64_t, std::string> named = FindingsByIteration(analysis);
  ReportTable table{.columns = {{"iteration"},
                                {"host inclusive"},
                                {.header = "host exclusive", .gives_way = 1},
                                {"GPU projection"},
                                {.header = "GPU ops", .only_in_full = true},
                                {.header = "named by", .align = Align::kLeft, .wraps = true}}};
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

// Which iterations stand in the table, if not all do.
std::string ChoiceInWords(const model::Summary& summary) {
  const model::RowSelection& shown = summary.iterations;
  std::vector<std::string> chosen = {"the first"};
  if (shown.rows.size() > 1 && shown.rows.back() + size_t{1} == shown.total)
    chosen.emplace_back("the last");
  const model::NamedIterations& named = summary.named_iterations;
  if (named.total > 0 && named.shown == named.total) {
    chosen.emplace_back("those that a finding names");
  } else if (named.total > 0) {
    chosen.push_back(Format("{} of the {} that a finding names",
                            named.shown == 0 ? "none"
                                             : Grouped(static_cast<int64_t>(named.shown)),
                            Grouped(static_cast<int64_t>(named.total))));
  }
  std::string text = Format("{} of {} iterations: {}",
                            Grouped(static_cast<int64_t>(shown.rows.size())),
                            Grouped(static_cast<int64_t>(shown.total)), chosen[0]);
  for (size_t i = 1; i < chosen.size(); ++i) {
    const bool is_last = i + 1 == chosen.size();
    text += (!is_last || chosen.size() > 2 ? ", " : " ") + std::string(is_last ? "and " : "");
    text += chosen[i];
  }
  return text;
}

}  // namespace

std::map<int64_t, std::string> FindingsByIteration(const model::Analysis& analysis) {
  std::map<int64_t, std::map<Code, std::string>> clocks;
  for (const model::Finding& finding : analysis.findings) {
    if (!model::NamesSingleIterations(finding, analysis.iterations.size())) continue;
    const std::string_view clock = ClockWord(finding);
    for (const int64_t index : finding.iterations) {
      std::string& all = clocks[index][finding.code];
      if (!all.empty() && !clock.empty()) all += ", ";
      all += clock;
    }
  }
  std::map<int64_t, std::string> named;
  for (const auto& [index, codes] : clocks) {
    std::string& text = named[index];
    for (const auto& [code, of] : codes) {
      text += (text.empty() ? "" : ", ") + ShortWords(code);
      if (!of.empty()) text += " (" + of + ")";
    }
  }
  return named;
}

Section IterationsSection(const model::Summary& summary, TimeUnit unit) {
  const model::IterationSummary& all = summary.file.document.analysis.iteration_summary;
  if (all.iterations == 0) {
    return {.title = "Iterations: none",
            .blocks = {Paragraph{"No iteration was found, so nothing here says how steady the run "
                                 "was."}}};
  }
  ReportTable table{.columns = {{"", Align::kLeft}, {"host inclusive"}, {"GPU projection"}}};
  const std::vector<std::string> host = Measures(all.host_inclusive, all.host_iterations, unit);
  const std::vector<std::string> projected = Measures(all.projected, all.projected_iterations, unit);
  for (size_t i = 0; i < std::size(kMeasures); ++i) {
    table.rows.push_back({kMeasures[i], host[i], projected[i]});
  }
  return {.title = Format("Iterations: {} ({} with a host range, {} with a GPU projection)",
                          Grouped(all.iterations), Grouped(all.host_iterations),
                          Grouped(all.projected_iterations)),
          .blocks = {std::move(table), Paragraph{kTwoClocks}}};
}

Block FindingsBlock(const model::Summary& summary) {
  if (!summary.file.has_findings) {
    return Paragraph{"This analysis was written without findings; analyse the run again for them."};
  }
  Items items;
  for (const model::Finding& finding : summary.file.document.analysis.findings) {
    std::string lead(finding.Word());
    if (!finding.computed) lead += " (not computed)";
    items.items.push_back({std::move(lead), finding.sentence});
  }
  return items;
}

Section FindingsSection(const model::Summary& summary, TimeUnit unit) {
  Section section{.title = "First iteration, spread, outliers, and what else the numbers show"};
  section.blocks.push_back(FindingsBlock(summary));
  if (!summary.iterations.rows.empty()) {
    section.blocks.push_back(IterationRows(summary, unit));
    const bool whole = summary.iterations.rows.size() == summary.iterations.total;
    section.blocks.push_back(
        Paragraph{(whole ? std::string("Every iteration") : ChoiceInWords(summary)) +
                  "; no value of one clock says anything about the other."});
  }
  return section;
}

}  // namespace rangewise::render
