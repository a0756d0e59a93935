#include "render/text_table.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "base/text.h"
#include "render/character_width.h"

namespace rangewise::render {

namespace {

constexpr size_t kIndent = 2;
constexpr size_t kGap = 2;
constexpr size_t kNarrowest = 8;     // of a name, whatever the numbers take
constexpr size_t kReadable = 16;     // of the last column, before others are shortened, too
constexpr size_t kComfortable = 24;  // of a name, before columns that can be left out are

void AppendCell(std::string& line, const std::string& cell, size_t width, Align align) {
  const size_t used = DisplayWidth(cell);
  const size_t blanks = width > used ? width - used : 0;
  if (align == Align::kRight) line.append(blanks, ' ');
  line += cell;
  if (align == Align::kLeft) line.append(blanks, ' ');
}

void EndLine(std::string& text, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  text += line;
  text += '\n';
}

}  // namespace

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {
  for (Column& column : columns_) column.header = Neutralised(column.header);
}

void TextTable::AddRow(std::vector<std::string> cells) {
  assert(cells.size() == columns_.size());
  for (std::string& cell : cells) cell = Neutralised(cell);
  rows_.push_back(std::move(cells));
}

std::vector<size_t> TextTable::NaturalWidths() const {
  std::vector<size_t> widths;
  for (size_t i = 0; i < columns_.size(); ++i) {
    size_t width = DisplayWidth(columns_[i].header);
    for (const auto& row : rows_) width = std::max(width, DisplayWidth(row[i]));
    if (columns_[i].max_width > 0) width = std::min(width, columns_[i].max_width);
    widths.push_back(width);
  }
  return widths;
}

std::vector<size_t> TextTable::ShownColumns(const std::vector<size_t>& natural,
                                            size_t line_width) const {
  std::vector<size_t> shown(columns_.size());
  std::iota(shown.begin(), shown.end(), size_t{0});
  const auto needed = [&] {
    size_t width = kIndent;
    for (const size_t i : shown) {
      const bool is_name = columns_[i].align == Align::kLeft;
      width += kGap + (is_name ? std::min(natural[i], kComfortable) : natural[i]);
    }
    return width - kGap;
  };
  while (shown.size() > 1 && needed() > line_width) {
    const auto least = std::max_element(shown.begin(), shown.end(), [&](size_t a, size_t b) {
      return columns_[a].gives_way < columns_[b].gives_way;
    });
    if (columns_[*least].gives_way == 0) break;
    shown.erase(least);
  }
  return shown;
}

std::vector<size_t> TextTable::FittedWidths(const std::vector<size_t>& natural,
                                            const std::vector<size_t>& shown,
                                            size_t line_width) const {
  std::vector<size_t> widths = natural;
  if (shown.empty()) return widths;
  const size_t last = shown.back();
  const auto is_name = [&](size_t i) { return columns_[i].align == Align::kLeft; };
  size_t before_last = kIndent;
  for (const size_t i : shown) before_last += i == last ? 0 : natural[i] + kGap;
  const size_t left = line_width > before_last ? line_width - before_last : 0;
  if (left >= natural[last]) return widths;
  if (is_name(last) && left >= kReadable) {
    widths[last] = left;
    return widths;
  }
  // One limit for all names, the largest that fits.
  const auto fits = [&](size_t limit) {
    size_t width = before_last + natural[last];
    for (const size_t i : shown) {
      if (is_name(i)) width -= natural[i] - std::min(natural[i], limit);
    }
    return width <= line_width;
  };
  size_t limit = std::max(line_width, kNarrowest);
  while (limit > kNarrowest && !fits(limit)) --limit;
  for (const size_t i : shown) {
    if (is_name(i)) widths[i] = std::min(widths[i], limit);
  }
  return widths;
}

std::string TextTable::Render(size_t line_width) const {
  const std::vector<size_t> natural = NaturalWidths();
  const std::vector<size_t> shown = ShownColumns(natural, line_width);
  const std::vector<size_t> widths = FittedWidths(natural, shown, line_width);

  std::string text;
  const auto append_row = [&](const auto& cell_of) {
    std::string line(kIndent, ' ');
    for (const size_t i : shown) {
      const std::string& cell = cell_of(i);
      if (columns_[i].wraps && i == shown.back() && DisplayWidth(cell) > widths[i]) {
        const size_t indent = DisplayWidth(line);
        text += line + Wrapped(cell, indent, indent, indent + widths[i]).substr(indent);
        return;
      }
      AppendCell(line, Shortened(cell, widths[i]), widths[i], columns_[i].align);
      if (i != shown.back()) line.append(kGap, ' ');
    }
    EndLine(text, std::move(line));
  };
  append_row([&](size_t i) -> const std::string& { return columns_[i].header; });
  for (const auto& row : rows_) {
    append_row([&](size_t i) -> const std::string& { return row[i]; });
  }
  return text;
}

std::string Wrapped(std::string_view text, size_t first_indent, size_t indent, size_t line_width) {
  const std::string safe = Neutralised(text);
  std::string out;
  std::string line(first_indent, ' ');
  size_t used = first_indent;
  bool line_is_empty = true;
  for (size_t at = safe.find_first_not_of(' '); at < safe.size();) {
    const size_t end = std::min(safe.find(' ', at), safe.size());
    const size_t room = line_width > indent ? line_width - indent : 1;
    const std::string word = Shortened(std::string_view(safe).substr(at, end - at), room);
    const size_t width = DisplayWidth(word);
    if (!line_is_empty && used + 1 + width > line_width) {
      EndLine(out, std::move(line));
      line.assign(indent, ' ');
      used = indent;
      line_is_empty = true;
    }
    if (!line_is_empty) line += ' ';
    line += word;
    used += width + (line_is_empty ? 0 : 1);
    line_is_empty = false;
    at = safe.find_first_not_of(' ', end);
  }
  EndLine(out, std::move(line));
  return out;
}

}  // namespace rangewise::render
