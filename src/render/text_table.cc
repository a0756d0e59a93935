#include "render/text_table.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/text.h"
#include "render/character_width.h"

namespace rangewise::render {

namespace {

constexpr size_t kIndent = 2;
constexpr size_t kGap = 2;
constexpr size_t kNarrowest = 8;  // of the last column, whatever the others take

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

void TextTable::AddRow(std::vector<std::string> cells) {
  assert(cells.size() == columns_.size());
  for (std::string& cell : cells) cell = Neutralised(cell);
  rows_.push_back(std::move(cells));
}

std::string TextTable::Render(size_t line_width) const {
  std::vector<size_t> widths;
  size_t before_last = kIndent;
  for (size_t i = 0; i < columns_.size(); ++i) {
    size_t width = DisplayWidth(columns_[i].header);
    for (const auto& row : rows_) width = std::max(width, DisplayWidth(row[i]));
    if (columns_[i].max_width > 0) width = std::min(width, columns_[i].max_width);
    if (i + 1 < columns_.size()) before_last += width + kGap;
    widths.push_back(width);
  }
  const size_t left = line_width > before_last ? line_width - before_last : 0;
  if (!widths.empty()) widths.back() = std::min(widths.back(), std::max(left, kNarrowest));

  std::string text;
  const auto append_line = [&](const auto& cell_of) {
    std::string line(kIndent, ' ');
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (i > 0) line.append(kGap, ' ');
      AppendCell(line, Shortened(cell_of(i), widths[i]), widths[i], columns_[i].align);
    }
    EndLine(text, std::move(line));
  };
  append_line([&](size_t i) { return columns_[i].header; });
  for (const auto& row : rows_) {
    append_line([&](size_t i) { return row[i]; });
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
