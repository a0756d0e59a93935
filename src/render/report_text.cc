#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/text.h"
#include "render/character_width.h"
#include "render/report.h"
#include "render/text_table.h"

namespace rangewise::render {

namespace {

constexpr size_t kIndent = 2;
constexpr const char* kBold = "\x1b[1m";
constexpr const char* kBoldYellow = "\x1b[1;33m";
constexpr const char* kReset = "\x1b[0m";

// `line` of which one end is a line break.
std::string Coloured(const char* colour, std::string line, const TextStyle& style) {
  if (!style.colours) return line;
  line.pop_back();
  return colour + std::move(line) + kReset + "\n";
}

std::string Text(const Paragraph& paragraph, const TextStyle& style) {
  return Wrapped(paragraph.text, kIndent, kIndent, style.width);
}

std::string Text(const Facts& facts, const TextStyle& style) {
  size_t width = 0;
  for (const Facts::Fact& fact : facts.facts) width = std::max(width, DisplayWidth(fact.label));
  std::string text;
  for (const Facts::Fact& fact : facts.facts) {
    std::string line(kIndent, ' ');
    line += fact.label;
    line.append(width - DisplayWidth(fact.label) + 2, ' ');
    const size_t indent = kIndent + width + 2;
    // The value is wrapped beside its label.
    const std::string value = Wrapped(fact.value, indent, indent, style.width);
    text += line + value.substr(std::min(indent, value.size() - 1));
  }
  return text;
}

std::string Text(const Items& items, const TextStyle& style) {
  std::string text;
  for (const Items::Item& item : items.items) {
    text += Wrapped(item.lead.empty() ? item.text : Format("{}: {}", item.lead, item.text), kIndent,
                    2 * kIndent, style.width);
  }
  return text;
}

std::string Text(const ReportTable& table, const TextStyle& style) {
  const auto is_shown = [&](size_t i) { return !table.columns[i].only_in_full; };
  std::vector<Column> columns;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (is_shown(i)) {
      columns.push_back({.header = table.columns[i].header,
                         .align = table.columns[i].align,
                         .max_width = table.columns[i].max_width});
    }
  }
  TextTable text(std::move(columns));
  for (const std::vector<std::string>& row : table.rows) {
    std::vector<std::string> cells;
    for (size_t i = 0; i < row.size(); ++i) {
      if (is_shown(i)) cells.push_back(row[i]);
    }
    text.AddRow(std::move(cells));
  }
  return text.Render(style.width);
}

}  // namespace

std::string RenderText(const Report& report, const TextStyle& style) {
  std::string text = Coloured(kBold, Wrapped(report.title, 0, kIndent, style.width), style);
  for (const Section& section : report.sections) {
    text += '\n';
    text += Coloured(section.is_alarming ? kBoldYellow : kBold,
                     Wrapped(section.title, 0, kIndent, style.width), style);
    for (const Block& block : section.blocks) {
      text += std::visit([&](const auto& part) { return Text(part, style); }, block);
    }
  }
  return text;
}

}  // namespace rangewise::render
