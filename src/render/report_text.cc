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

// A label in terminal form; one from an input must leave room for the value.
std::string LabelOf(const Facts::Fact& fact) {
  constexpr size_t kMostColumns = 30;
  if (fact.label.empty()) return "(no name)";
  return Shortened(Neutralised(fact.label), kMostColumns);
}

// A number is never shortened: one that is longer than `room` goes on in the next line.
std::string Breakable(const std::string& value, size_t room) {
  if (value.find_first_not_of("+-.0123456789e") != std::string::npos) return value;
  std::string text;
  for (size_t at = 0; at < value.size(); at += room) {
    text += (at > 0 ? " " : "") + value.substr(at, room);
  }
  return text;
}

std::string Text(const Facts& facts, const TextStyle& style) {
  size_t width = 0;
  for (const Facts::Fact& fact : facts.facts) width = std::max(width, DisplayWidth(LabelOf(fact)));
  const size_t indent = kIndent + width + 2;
  const size_t room = style.width > indent ? style.width - indent : 1;
  std::string text;
  for (const Facts::Fact& fact : facts.facts) {
    const std::string label = LabelOf(fact);
    std::string line = std::string(kIndent, ' ') + label;
    line.append(width - DisplayWidth(label) + 2, ' ');
    // The value is wrapped beside its label.
    const std::string value = Wrapped(Breakable(fact.value, room), indent, indent, style.width);
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
                         .max_width = table.columns[i].max_width,
                         .gives_way = table.columns[i].gives_way,
                         .wraps = table.columns[i].wraps});
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
