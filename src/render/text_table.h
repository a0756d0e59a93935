// Owns tables and paragraphs of plain text for a terminal: columns aligned by what characters
// occupy (wide and combining ones included), long cells shortened in the middle, words wrapped.
// Everything is put into terminal form (base/text.h) here, so no caller can forget it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rangewise::render {

inline constexpr size_t kLineWidth = 100;

enum class Align { kLeft, kRight };

struct Column {
  std::string header;
  Align align = Align::kLeft;
  size_t max_width = 0;  // columns of the terminal; 0: no limit of its own
  // Above 0: left out where the line is too narrow, the highest first, before names are squeezed.
  int gives_way = 0;
  bool wraps = false;  // of the last column: a cell that is too long goes on in further lines
};

// Rows under one line of headers. Where a line would pass the limit columns that give way are left
// out, then the last column is shortened, then all that are aligned left. Columns that are aligned
// right hold numbers, which are never shortened: a line of them alone can pass the limit. O(cells).
class TextTable {
 public:
  explicit TextTable(std::vector<Column> columns);

  // As many cells as there are columns.
  void AddRow(std::vector<std::string> cells);

  // Lines that end in \n, each indented by two blanks, at most `line_width` columns, no blanks at
  // their ends.
  std::string Render(size_t line_width = kLineWidth) const;

 private:
  // Of columns, in their order.
  std::vector<size_t> NaturalWidths() const;
  std::vector<size_t> ShownColumns(const std::vector<size_t>& natural, size_t line_width) const;
  std::vector<size_t> FittedWidths(const std::vector<size_t>& natural,
                                   const std::vector<size_t>& shown, size_t line_width) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;  // in terminal form
};

// `text` broken at blanks into lines of at most `line_width` columns, each ending in \n; the first
// begins with `first_indent` blanks and the others with `indent`. A longer word is shortened in its
// middle.
std::string Wrapped(std::string_view text, size_t first_indent, size_t indent,
                    size_t line_width = kLineWidth);

}  // namespace rangewise::render
