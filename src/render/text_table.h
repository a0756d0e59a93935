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
};

// Rows under one line of headers. The last column gives way where a line would pass the limit.
// O(cells).
class TextTable {
 public:
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // As many cells as there are columns.
  void AddRow(std::vector<std::string> cells);

  // Lines that end in \n, each indented by two blanks, at most `line_width` columns, no blanks at
  // their ends.
  std::string Render(size_t line_width = kLineWidth) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;  // in terminal form
};

// `text` broken at blanks into lines of at most `line_width` columns, each ending in \n; the first
// begins with `first_indent` blanks and the others with `indent`. A longer word is shortened in its
// middle.
std::string Wrapped(std::string_view text, size_t first_indent, size_t indent,
                    size_t line_width = kLineWidth);

}  // namespace rangewise::render
