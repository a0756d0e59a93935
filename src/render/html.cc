#include "render/html.h"

#include <algorithm>
#include <cstdint>
#include <variant>

#include "base/text.h"
#include "model/page_limits.h"
#include "model/page_names.h"

namespace rangewise::render {
namespace {

// Entries of a list until one of its limits is reached, and how many were left out.
class BoundedList {
 public:
  explicit BoundedList(size_t most) : most_(most) {}

  void Add(std::string_view entry) {
    if (left_out_ > 0 || entries_ == most_ || html_.size() + entry.size() > model::kMostListBytes) {
      ++left_out_;
      return;
    }
    html_ += entry;
    ++entries_;
  }

  std::string Close(std::string_view element, std::string_view attributes) const {
    std::string html;
    if (entries_ > 0) html = Format("<{}{}>\n{}</{}>\n", element, attributes, html_, element);
    if (left_out_ > 0) {
      html += Format("<p class=\"folded\">{} more not shown here.</p>\n",
                     Grouped(static_cast<int64_t>(left_out_)));
    }
    return html;
  }

 private:
  size_t most_;
  size_t entries_ = 0;
  size_t left_out_ = 0;
  std::string html_;
};

// Commands between grave accents, of escaped text, as code.
std::string WithCode(std::string_view escaped) {
  std::string html;
  while (true) {
    const size_t open = escaped.find('`');
    const size_t close = open == std::string_view::npos ? open : escaped.find('`', open + 1);
    if (close == std::string_view::npos) return html + std::string(escaped);
    html += escaped.substr(0, open);
    html += Format("<code>{}</code>", escaped.substr(open + 1, close - open - 1));
    escaped.remove_prefix(close + 1);
  }
}

}  // namespace

std::string HtmlEscaped(std::string_view text) {
  std::string html;
  html.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      case '\'':
        html += "&#39;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

std::string HtmlText(std::string_view text) {
  return HtmlEscaped(model::ShownText(text, model::kMostSentenceCharacters));
}

std::string HtmlName(std::string_view name) {
  return "<bdi>" + HtmlEscaped(model::ShownName(name)) + "</bdi>";
}

std::string HtmlOf(const Paragraph& paragraph) {
  return "<p>" + WithCode(HtmlText(paragraph.text)) + "</p>\n";
}

std::string HtmlOf(const Facts& facts) {
  BoundedList list(model::kMostFacts);
  for (const Facts::Fact& fact : facts.facts) {
    list.Add(Format("<div><dt>{}</dt><dd>{}</dd></div>\n",
                    fact.label_is_name ? HtmlName(fact.label) : HtmlText(fact.label),
                    fact.is_name ? HtmlName(fact.value) : HtmlText(fact.value)));
  }
  return list.Close("dl", " class=\"facts\"");
}

std::string HtmlItems(const std::vector<std::string>& entries) {
  BoundedList list(model::kMostItems);
  for (const std::string& entry : entries) list.Add(entry);
  return list.Close("ul", " class=\"items\"");
}

std::string HtmlOf(const Items& items) {
  std::vector<std::string> entries;
  for (const Items::Item& item : items.items) {
    entries.push_back(item.lead.empty() ? Format("<li>{}</li>\n", HtmlText(item.text))
                                        : Format("<li><code>{}</code> {}</li>\n",
                                                 HtmlText(item.lead), HtmlText(item.text)));
  }
  return HtmlItems(entries);
}

std::string HtmlOf(const ReportTable& table) {
  std::string head;
  for (const ReportColumn& column : table.columns) {
    head += "<th scope=\"col\">" + HtmlText(column.header) + "</th>";
  }
  BoundedList rows(model::kMostTableRows);
  for (const std::vector<std::string>& row : table.rows) {
    std::string cells;
    for (size_t i = 0; i < row.size(); ++i) {
      cells += table.columns[i].is_name
                   ? "<td class=\"name\">" + HtmlName(row[i]) + "</td>"
                   : Format("<td{}>{}</td>",
                            table.columns[i].align == Align::kRight ? " class=\"number\"" : "",
                            HtmlText(row[i]));
    }
    rows.Add("<tr>" + cells + "</tr>\n");
  }
  return Format(
      "<div class=\"table-box\" tabindex=\"0\">\n<table "
      "class=\"plain\">\n<thead><tr>{}</tr></thead>\n"
      "{}</table>\n</div>\n",
      head, rows.Close("tbody", ""));
}

std::string HtmlOf(const std::vector<Block>& blocks) {
  std::string html;
  for (const Block& block : blocks) {
    html += std::visit([](const auto& part) { return HtmlOf(part); }, block);
  }
  return html;
}

std::string HtmlSection(std::string_view id, std::string_view title, std::string_view html) {
  return Format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", id, HtmlText(title), html);
}

}  // namespace rangewise::render
