#include <string>
#include <variant>
#include <vector>

#include "base/text.h"
#include "render/markdown.h"
#include "render/report.h"

namespace rangewise::render {

namespace {

std::string Markdown(const Paragraph& paragraph) { return MarkdownText(paragraph.text) + "\n"; }

std::string Markdown(const Facts& facts) {
  std::string text;
  for (const Facts::Fact& fact : facts.facts) {
    text += Format("- {}: {}\n",
                   fact.label_is_name ? MarkdownName(fact.label) : MarkdownText(fact.label),
                   fact.is_name ? MarkdownName(fact.value) : MarkdownText(fact.value));
  }
  return text;
}

std::string Markdown(const Items& items) {
  std::string text;
  for (const Items::Item& item : items.items) {
    text += item.lead.empty() ? Format("- {}\n", MarkdownText(item.text))
                              : Format("- {}: {}\n", MarkdownName(item.lead),
                                       MarkdownText(item.text));
  }
  return text;
}

std::string Markdown(const ReportTable& table) {
  std::string text = "|";
  for (const ReportColumn& column : table.columns) {
    text += " " + MarkdownText(column.header) + " |";
  }
  text += "\n|";
  for (const ReportColumn& column : table.columns) {
    text += column.align == Align::kRight ? " ---: |" : " --- |";
  }
  text += '\n';
  for (const std::vector<std::string>& row : table.rows) {
    text += '|';
    for (size_t i = 0; i < row.size(); ++i) {
      text += " " + (table.columns[i].is_name ? MarkdownName(row[i]) : MarkdownText(row[i])) + " |";
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::string RenderMarkdown(const Report& report) {
  std::string text = "# " + MarkdownText(report.title) + "\n";
  for (const Section& section : report.sections) {
    text += "\n## " + MarkdownText(section.title) + "\n";
    for (const Block& block : section.blocks) {
      text += '\n';
      text += std::visit([](const auto& part) { return Markdown(part); }, block);
    }
  }
  return text;
}

}  // namespace rangewise::render
