#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "render/phrases.h"
#include "render/summary_sections.h"

namespace rangewise::render {

namespace {

using model::SortKey;

template <typename Ns>
std::string Median(const model::Statistics<Ns>& values, TimeUnit unit) {
  return values.median_is_whole ? DurationIn(values.median_low.ns, unit)
                                : DurationIn(model::MedianNs(values), unit);
}

std::string OptionalDuration(const std::optional<double>& ns, TimeUnit unit) {
  return ns ? DurationIn(*ns, unit) : std::string(kNotMeasured);
}

// What gives way on a narrow terminal, and when.
constexpr int kStays = 0;
constexpr int kLast = 1;
constexpr int kThird = 2;
constexpr int kSecond = 3;
constexpr int kFirst = 4;

// Of the measures in the middle of a row the text has two: the one that rows are sorted by, and the
// median or the 95th percentile.
struct Middle {
  bool mean;
  bool median;
  bool p95;
  bool maximum;

  explicit Middle(std::optional<SortKey> sort)
      : mean(sort == SortKey::kMean),
        median(sort != SortKey::kMean),
        p95(sort != SortKey::kMax),
        maximum(sort == SortKey::kMax) {}
};

template <typename Ns>
void AddMiddle(std::vector<std::string>& cells, const model::Statistics<Ns>& values,
               int64_t instances, TimeUnit unit) {
  cells.push_back(DurationIn(values.mean_ns, unit));
  cells.push_back(Median(values, unit));
  cells.push_back(OptionalDuration(values.p95_ns, unit));
  cells.push_back(DurationIn(values.minimum.ns, unit));
  cells.push_back(DurationIn(values.maximum.ns, unit));
  cells.push_back(DeviationIn(values.stddev_ns, instances, unit));
}

void AddMiddle(std::vector<ReportColumn>& columns, const char* of, std::optional<SortKey> sort) {
  const Middle shown(sort);
  const auto add = [&](const char* measure, bool in_text, int gives_way) {
    columns.push_back({.header = Format("{}{}", of, measure),
                       .only_in_full = !in_text,
                       .gives_way = gives_way});
  };
  add("mean", shown.mean, kStays);
  add("median", shown.median, sort == SortKey::kMedian ? kStays : kThird);
  add("p95", shown.p95, sort == SortKey::kP95 ? kStays : kFirst);
  add("minimum", false, kStays);
  add("maximum", shown.maximum, kStays);
  add("std. dev.", false, kStays);
}

// How many ranges a row is of, and how many names.
ReportColumn RangesColumn(std::optional<SortKey> sort) {
  return {.header = "ranges", .gives_way = sort == SortKey::kCount ? kStays : kLast};
}
ReportColumn NamesColumn() { return {.header = "names", .gives_way = kSecond}; }

ReportTable HostTable(const model::Summary& summary, const model::RowSelection& selection,
                      TimeUnit unit) {
  const model::ShownRanges ranges(summary.file.document);
  ReportTable table;
  table.columns = {{"exclusive"}, {"inclusive"}, RangesColumn(summary.sort)};
  AddMiddle(table.columns, "incl. ", summary.sort);
  if (ranges.grouped) table.columns.push_back(NamesColumn());
  table.columns.push_back({"host ranges", Align::kLeft, true});
  for (const uint32_t row : selection.rows) {
    const model::HostGroup& group = ranges.Host(row);
    std::vector<std::string> cells = {DurationIn(group.exclusive.total.ns, unit),
                                      DurationIn(group.inclusive.total.ns, unit),
                                      Grouped(group.instances)};
    AddMiddle(cells, group.inclusive, group.instances, unit);
    if (ranges.grouped) cells.push_back(Grouped(ranges.grouped->host[row].raw.distinct_names));
    cells.push_back(ranges.Name(group.path));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// What a key means for the host ranges, and for the projections.
const char* HostOrder(SortKey key) {
  switch (key) {
    case SortKey::kTotal:
      return "inclusive total";
    case SortKey::kMean:
      return "inclusive mean";
    case SortKey::kMedian:
      return "inclusive median";
    case SortKey::kP95:
      return "95th percentile of inclusive time";
    case SortKey::kMax:
      return "inclusive maximum";
    case SortKey::kExclusive:
      return "exclusive total";
    case SortKey::kCount:
      return "number of ranges";
    case SortKey::kName:
      return "name";
  }
  return "";
}

const char* ProjectedOrder(SortKey key) {
  switch (key) {
    case SortKey::kTotal:
    case SortKey::kExclusive:
      return "projected total";
    case SortKey::kMean:
      return "projected mean";
    case SortKey::kMedian:
      return "projected median";
    case SortKey::kP95:
      return "95th percentile of projected time";
    case SortKey::kMax:
      return "projected maximum";
    case SortKey::kCount:
      return "number of ranges";
    case SortKey::kName:
      return "name";
  }
  return "";
}

const char* RangesTitle(const model::Summary& summary, const char* raw, const char* grouped) {
  return summary.file.document.analysis.grouped ? grouped : raw;
}

std::string Bar(double share) {
  constexpr int kWidth = 10;
  const int filled = std::clamp(static_cast<int>(share * kWidth + 0.5), 0, kWidth);
  return std::string(static_cast<size_t>(filled), '#') +
         std::string(static_cast<size_t>(kWidth - filled), '.');
}

}  // namespace

Section HostRangesSection(const model::Summary& summary, TimeUnit unit) {
  Section section{.title = RangesTitle(summary, "Host ranges", "Host ranges, grouped by name")};
  if (summary.host.total == 0) {
    section.blocks.push_back(Paragraph{"None outside of iterations."});
    return section;
  }
  const auto add = [&](const model::RowSelection& selection, SortKey key, const char* meaning) {
    section.blocks.push_back(HostTable(summary, selection, unit));
    std::string order = OrderInWords(selection, HostOrder(key));
    order[0] = static_cast<char>(order[0] - 'a' + 'A');
    section.blocks.push_back(Paragraph{Format("{}. {}", order, meaning)});
  };
  if (!summary.sort) {
    add(summary.host_by_exclusive, SortKey::kExclusive,
        "Exclusive time is host time outside of nested ranges: where the CPU's time goes, range by "
        "range.");
    add(summary.host, SortKey::kTotal,
        "Inclusive time contains nested ranges; do not add a parent and its child.");
  } else {
    add(summary.host, *summary.sort,
        "Inclusive time contains nested ranges; do not add a parent and its child.");
  }
  return section;
}

Section ProjectedRangesSection(const model::Summary& summary, TimeUnit unit) {
  Section section{.title = RangesTitle(summary, "GPU projection of ranges",
                                       "GPU projection of ranges, grouped by name")};
  if (summary.projected.total == 0) {
    section.blocks.push_back(
        Paragraph{summary.file.document.analysis.iteration_summary.projected
                      ? "Not measured outside of iterations."
                      : "Not measured: no range launched GPU work, or none was recorded."});
    return section;
  }
  const model::ShownRanges ranges(summary.file.document);
  ReportTable table;
  table.columns = {{"projected"},
                   {.header = "GPU ops", .gives_way = kSecond},
                   RangesColumn(summary.sort)};
  AddMiddle(table.columns, "", summary.sort);
  if (ranges.grouped) table.columns.push_back(NamesColumn());
  table.columns.push_back({"style", Align::kLeft, false, true});
  table.columns.push_back({"projected ranges", Align::kLeft, true});
  for (const uint32_t row : summary.projected.rows) {
    const model::ProjectedGroup& group = ranges.Projected(row);
    std::vector<std::string> cells = {DurationIn(group.projected.total.ns, unit),
                                      Grouped(group.operations), Grouped(group.instances)};
    AddMiddle(cells, group.projected, group.instances, unit);
    if (ranges.grouped) {
      cells.push_back(Grouped(ranges.grouped->projected[row].raw.distinct_names));
    }
    cells.emplace_back(model::StyleName(group.style));
    cells.push_back(ranges.Name(group.path));
    table.rows.push_back(std::move(cells));
  }
  section.blocks.push_back(std::move(table));
  std::string order = OrderInWords(summary.projected,
                                   ProjectedOrder(summary.sort.value_or(SortKey::kTotal)));
  order[0] = static_cast<char>(order[0] - 'a' + 'A');
  section.blocks.push_back(Paragraph{
      Format("{}. A projection spans the first to the last GPU operation that was launched inside "
             "the range, gaps included: it is not busy time, and those of a parent and its child "
             "overlap.",
             order)});
  return section;
}

Section TreeSection(const model::Summary& summary, TimeUnit unit) {
  const model::ShownRanges ranges(summary.file.document);
  const model::RangeTree& tree = *summary.tree;
  ReportTable table{.columns = {{"self"},
                                {"with nested"},
                                {"share"},
                                {.header = "", .align = Align::kLeft, .gives_way = kFirst},
                                {.header = "ranges", .gives_way = kLast},
                                {"range tree", Align::kLeft, true}}};
  for (const model::TreeRow& row : tree.rows) {
    std::string name(2 * size_t{std::min(row.depth, 20U)}, ' ');
    if (row.folded > 0) {
      name += Format("({} below {:.3g} %)",
                     Counted(static_cast<int64_t>(row.folded), "path", "paths"),
                     100 * tree.min_share);
    } else if (row.is_iterations) {
      name += "(iterations themselves)";
    } else {
      name += ranges.names.At(ranges.paths[row.path].name);
    }
    table.rows.push_back({row.has_row ? DurationIn(row.self.ns, unit) : std::string(),
                          DurationIn(row.self_and_below.ns, unit),
                          Format("{:.1f} %", 100 * row.share), Bar(row.share),
                          row.instances > 0 ? Grouped(row.instances) : std::string(),
                          std::move(name)});
  }
  return {.title = "Range tree of host time",
          .blocks = {std::move(table),
                     Paragraph{Format(
                         "Self time is exclusive host time, summed over a path's ranges. Shares are "
                         "of all self time, {}; each line's share is that of the path and all below "
                         "it.",
                         DurationIn(tree.total_self.ns, unit))}}};
}

Section CaptureGpuWorkSection(const model::Summary& summary, TimeUnit unit) {
  const model::AnalysisDocument& document = summary.file.document;
  const model::Analysis& analysis = document.analysis;
  const model::NamePool& names = document.tables.names;
  Section section{.title = "Kernels and copies of the whole capture"};
  const auto more = [](const model::RowSelection& selection, const char* what) {
    return selection.rows.size() == selection.total
               ? Format("All {}.", what)
               : Format("First {} of {} {}.", Grouped(static_cast<int64_t>(selection.rows.size())),
                        Grouped(static_cast<int64_t>(selection.total)), what);
  };
  if (!analysis.kernels) {
    section.blocks.push_back(Paragraph{"Kernels: not known; the table of kernels is not there."});
  } else if (analysis.kernels->empty()) {
    section.blocks.push_back(Paragraph{"Kernels: none."});
  } else {
    ReportTable table{.columns = {{"run time"}, {"launches"}, {"kernels", Align::kLeft, true}}};
    for (const uint32_t row : summary.kernels.rows) {
      const model::KernelTotal& kernel = (*analysis.kernels)[row];
      table.rows.push_back({DurationIn(kernel.duration_ns, unit), Grouped(kernel.instances),
                            std::string(names.At(kernel.name))});
    }
    section.blocks.push_back(std::move(table));
    section.blocks.push_back(
        Paragraph{more(summary.kernels, "kernels") +
                  " Run times are summed over launches, which can overlap. They belong to the "
                  "capture as a whole and to no stage of it."});
  }
  if (!analysis.copies) {
    section.blocks.push_back(Paragraph{"Copies: not known; the trace of GPU operations is not "
                                       "there."});
  } else if (analysis.copies->empty()) {
    section.blocks.push_back(Paragraph{"Copies: none."});
  } else {
    ReportTable table{.columns = {{"copy time"},
                                  {"copies"},
                                  {"bytes"},
                                  {"from", Align::kLeft, true},
                                  {"to", Align::kLeft, true}}};
    const auto kind = [&](model::NameId id) {
      const std::string_view text = id == model::kNoName ? "" : names.At(id);
      return std::string(text.empty() ? "not known" : text);
    };
    for (const uint32_t row : summary.copies.rows) {
      const model::CopyTotal& copy = (*analysis.copies)[row];
      table.rows.push_back({DurationIn(copy.duration_ns, unit), Grouped(copy.instances),
                            Bytes(copy.bytes), kind(copy.source), kind(copy.destination)});
    }
    section.blocks.push_back(std::move(table));
    section.blocks.push_back(
        Paragraph{more(summary.copies, "kinds of copies") +
                  " Copies, too, belong to the capture as a whole and to no stage of it."});
  }
  return section;
}

}  // namespace rangewise::render
