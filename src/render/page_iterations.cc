#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "render/html.h"
#include "render/page_sections.h"
#include "render/phrases.h"
#include "render/summary_sections.h"

namespace rangewise::render {
namespace {

constexpr size_t kMeasures = 11;

// One column of the table of statistics: its cells from the top, in the order of MeasureTerms.
template <typename Ns>
std::vector<std::string> Measures(const std::optional<model::Statistics<Ns>>& values,
                                  int64_t count) {
  if (!values) return std::vector<std::string>(kMeasures, MissingCell(kNotMeasured));
  const bool one = count == 1;
  const std::optional<double> ratio = model::CvRatio(*values);
  return {NsCell(values->total.ns),
          NsCell(values->mean_ns),
          MedianCell(*values),
          NsCell(values->minimum.ns),
          NsCell(values->maximum.ns),
          NsCell(values->p90_ns, kNotInThisFile),
          NsCell(values->p95_ns, kNotInThisFile),
          NsCell(values->p99_ns, kNotInThisFile),
          one ? MissingCell(kNoNumberOfOne) : NsCell(values->stddev_ns),
          NsCell(values->mad_ns, kNotInThisFile),
          one ? MissingCell(kNoNumberOfOne)
              : RatioCell(ratio, Format("{:.3f}", ratio.value_or(0)), "the mean is 0")};
}

constexpr Term kMeasureTerms[] = {Term::kTotal,     Term::kMean, Term::kMedian,   Term::kMinimum,
                                  Term::kMaximum,   Term::kP90,  Term::kP95,      Term::kP99,
                                  Term::kDeviation, Term::kMad,  Term::kVariation};
static_assert(std::size(kMeasureTerms) == kMeasures);

std::string StatisticsTable(const model::IterationSummary& all, TablesRoom& room) {
  PageTable table(room, "iteration-statistics", "Iterations together",
                  {{"measure", CellKind::kText, Term::kMeasure},
                   {"host inclusive", CellKind::kNs, Term::kHostInclusive},
                   {"GPU projection", CellKind::kNs, Term::kGpuProjection}});
  const auto host = Measures(all.host_inclusive, all.host_iterations);
  const auto projected = Measures(all.projected, all.projected_iterations);
  for (size_t i = 0; i < kMeasures; ++i) {
    const TermInfo& measure = Describe(kMeasureTerms[i]);
    table.AddRow({Format("<th scope=\"row\" title=\"{}\">{}</th>", HtmlEscaped(measure.line),
                         HtmlEscaped(measure.word)),
                  host[i], projected[i]});
  }
  return table.Close(kMeasures, "");
}

std::string IterationsTable(const model::RunPage& page, TablesRoom& room) {
  const model::Analysis& analysis = page.document().analysis;
  const std::map<int64_t, std::string> named = FindingsByIteration(analysis);
  PageTable table(room, "iterations", "Iterations",
                  {{"iteration", CellKind::kCount, Term::kIteration},
                   {"host inclusive", CellKind::kNs, Term::kHostInclusive},
                   {"host exclusive", CellKind::kNs, Term::kHostExclusive},
                   {"GPU projection", CellKind::kNs, Term::kGpuProjection},
                   {"GPU ops", CellKind::kCount, Term::kOperations},
                   {"named by", CellKind::kText, Term::kNamedBy}});
  for (const uint32_t row : page.iterations.rows) {
    const model::Iteration& iteration = analysis.iterations[row];
    const std::string no_host = MissingCell("no host range of this iteration was recorded");
    const std::string no_gpu = MissingCell("no GPU projection of this iteration");
    const auto names = named.find(iteration.index);
    table.AddRow(
        {NumberCell(iteration.index),
         iteration.host ? NsCell(iteration.host->inclusive.ns) : no_host,
         iteration.host ? NsCell(iteration.host->exclusive.ns) : no_host,
         iteration.projection ? NsCell(iteration.projection->projected.ns) : no_gpu,
         iteration.projection ? CountCell(iteration.projection->operations) : no_gpu,
         TextCell(names == named.end() ? std::string_view() : std::string_view(names->second))});
  }
  const bool whole = page.iterations.rows.size() == page.iterations.total;
  return table.Close(page.iterations.total,
                     whole ? "in their order"
                           : "in their order: from the first on, those that a finding names, and "
                             "the last");
}

}  // namespace

std::string Figure(std::string_view chart, std::string_view caption, std::string_view meaning) {
  return Format(
      "<figure class=\"chart\" data-chart=\"{}\"><figcaption>{}</figcaption>"
      "<div class=\"plot\"></div></figure>\n<p class=\"meaning\">{}</p>\n",
      chart, HtmlEscaped(caption), HtmlEscaped(meaning));
}

std::string IterationsSections(const model::RunPage& page, TablesRoom& room) {
  const model::IterationSummary& all = page.document().analysis.iteration_summary;
  const std::string none =
      "<p>No iteration was found, so nothing here says how steady the run was.</p>\n";
  if (page.document().analysis.iterations.empty()) {
    return HtmlSection("iterations", "Iterations: none", none) +
           HtmlSection("distribution", "Distribution of the iterations",
                       "<p>No iteration was found.</p>\n");
  }
  const std::string title = Format(
      "Iterations: {} ({} with a host range, {} with a GPU projection)", Grouped(all.iterations),
      Grouped(all.host_iterations), Grouped(all.projected_iterations));
  return HtmlSection(
             "iterations", title,
             Figure(
                 "iterations", "Host inclusive time and GPU projection of each iteration",
                 "Each iteration's host inclusive time, and below it its GPU projection, on axes "
                 "of their own; the band is the median plus and minus the median absolute "
                 "deviation. The same numbers are in the table of iterations.") +
                 HtmlOf(Paragraph{kTwoClocks}) + IterationsTable(page, room)) +
         HtmlSection(
             "distribution", "Distribution of the iterations",
             Figure("distribution", "How the iterations' times are distributed",
                    "How many iterations took how long, for host inclusive time and for the GPU "
                    "projection apart. The table below has the same in numbers.") +
                 StatisticsTable(all, room));
}

}  // namespace rangewise::render
