#include "render/page_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "render/html.h"
#include "render/units.h"

namespace rangewise::render {
namespace {

constexpr std::string_view KindName(CellKind kind) {
  constexpr std::array<std::string_view, 7> kNames = {"text",  "text",  "count", "ns",
                                                      "bytes", "ratio", "rate"};
  return kNames[static_cast<size_t>(kind)];
}

std::string Cell(std::string_view raw, std::string_view shown) {
  return Format("<td data-v=\"{}\">{}</td>", raw, shown);
}

// As on the page's charts: "us" is for outputs of plain characters.
template <typename Ns>
std::string DurationOnPage(Ns ns) {
  std::string text = DurationOfNs(ns);
  if (text.ends_with(" us")) text.replace(text.size() - 2, 1, "µ");
  return text;
}

}  // namespace

std::string NsCell(int64_t ns) { return Cell(Format("{}", ns), DurationOnPage(ns)); }

std::string NsCell(double ns) {
  return std::isfinite(ns) ? Cell(ShortestDecimal(ns), DurationOnPage(ns)) : MissingCell("no number");
}

std::string NsCell(Int128 ns) {
  constexpr Int128 kMost = std::numeric_limits<int64_t>::max();
  return NsCell(static_cast<int64_t>(std::min(ns, kMost)));
}

std::string NsCell(const std::optional<double>& ns, std::string_view why_not) {
  return ns ? NsCell(*ns) : MissingCell(why_not);
}

std::string CountCell(int64_t count) { return Cell(Format("{}", count), Grouped(count)); }

std::string NumberCell(int64_t number) { return Cell(Format("{}", number), Format("{}", number)); }

std::string BytesCell(int64_t bytes) { return Cell(Format("{}", bytes), Bytes(bytes)); }

std::string RateCell(const std::optional<double>& bytes_per_second, std::string_view why_not) {
  if (!bytes_per_second) return MissingCell(why_not);
  constexpr double kMost = 9.2e18;
  return Cell(ShortestDecimal(*bytes_per_second),
              Bytes(static_cast<int64_t>(std::clamp(*bytes_per_second, -kMost, kMost))) + "/s");
}

std::string ShareCell(const std::optional<double>& share, std::string_view why_not) {
  if (!share) return MissingCell(why_not);
  return Cell(ShortestDecimal(*share), Format("{:.1f} %", *share * 100));
}

std::string RatioCell(const std::optional<double>& ratio, std::string_view shown,
                      std::string_view why_not) {
  if (!ratio || !std::isfinite(*ratio)) return MissingCell(why_not);
  return Cell(ShortestDecimal(*ratio), shown);
}

std::string TextCell(std::string_view text) { return "<td>" + HtmlText(text) + "</td>"; }

std::string NameCell(std::string_view shown) {
  return "<td class=\"name\"><bdi>" + HtmlEscaped(shown) + "</bdi></td>";
}

std::string MissingCell(std::string_view why_not) {
  return Format("<td data-v=\"\" title=\"{}\">–</td>", HtmlText(why_not));
}

PageTable::PageTable(TablesRoom& room, std::string_view id, std::string_view label,
                     std::vector<PageColumn> columns)
    : room_(room), id_(id), label_(label), columns_(std::move(columns)) {}

bool PageTable::AddRow(const std::vector<std::string>& cells) {
  if (full_) return false;
  size_t bytes = 10;
  for (const std::string& cell : cells) bytes += cell.size();
  if (rows_ == model::kMostTableRows || html_.size() + bytes > room_.bytes_each) {
    full_ = true;
    return false;
  }
  html_ += "<tr>";
  for (const std::string& cell : cells) html_ += cell;
  html_ += "</tr>\n";
  ++rows_;
  return true;
}

std::string PageTable::Close(size_t total, std::string_view order, std::string_view where) {
  room_.used += html_.size();
  std::string head;
  for (const PageColumn& column : columns_) {
    head += Format("<th scope=\"col\" data-kind=\"{}\" title=\"{}\">{}</th>", KindName(column.kind),
                   HtmlEscaped(Describe(column.term).line), HtmlEscaped(column.header));
  }
  const std::string rows = rows_ == total
                               ? Counted(static_cast<int64_t>(total), "row", "rows")
                               : Format("first {} of {} rows", Grouped(static_cast<int64_t>(rows_)),
                                        Grouped(static_cast<int64_t>(total)));
  std::string html = Format(
      "<div class=\"table-box\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n"
      "<table class=\"data\" data-table=\"{}\">\n<caption>{}: {}{}{}</caption>\n"
      "<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n</div>\n",
      HtmlEscaped(label_), id_, HtmlEscaped(label_), rows, order.empty() ? "" : " ", order, head,
      html_);
  if (rows_ < total) {
    html += Format("<p class=\"folded\">{} more rows are not on this page; {}.</p>\n",
                   Grouped(static_cast<int64_t>(total - rows_)), HtmlEscaped(where));
  }
  return html;
}

}  // namespace rangewise::render
