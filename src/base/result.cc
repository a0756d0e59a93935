#include "base/result.h"

#include "base/text.h"

namespace rangewise {
namespace {

std::string Position(const Where& where) {
  std::string text = Neutralised(where.file);
  if (where.line > 0) text += Format(":{}", where.line);
  if (where.line > 0 && where.column > 0) text += Format(":{}", where.column);
  if (!where.table.empty()) {
    if (!text.empty()) text += ", ";
    text += "table " + Neutralised(where.table);
    if (where.row != 0) text += Format(", row {}", where.row);
  }
  return text;
}

// The source line with a caret under `column`. A long line is shown around that column; every byte
// before the caret is one character wide after neutralising only if it was plain, so the caret
// counts neutralised text.
std::string Excerpt(const Where& where) {
  constexpr size_t kWidth = 96;
  std::string_view line = where.source_line;
  size_t column = where.column > 0 ? where.column - 1 : 0;
  if (column > line.size()) column = line.size();
  size_t begin = column > kWidth / 2 ? column - kWidth / 2 : 0;
  while (begin > 0 && begin < line.size() && (static_cast<uint8_t>(line[begin]) & 0xC0u) == 0x80)
    --begin;
  std::string_view shown = line.substr(begin);
  if (shown.size() > kWidth) {
    size_t end = kWidth;
    while (end > 0 && (static_cast<uint8_t>(shown[end]) & 0xC0u) == 0x80) --end;
    shown = shown.substr(0, end);
  }
  std::string text = "  | " + Neutralised(shown) + "\n";
  if (where.column > 0) {
    const std::string before = Neutralised(line.substr(begin, column - begin));
    size_t width = 0;
    for (const char c : before) {
      if ((static_cast<uint8_t>(c) & 0xC0u) != 0x80) ++width;
    }
    text += "  | " + std::string(width, ' ') + "^\n";
  }
  return text;
}

}  // namespace

std::string Render(const Error& error) {
  const CodeInfo& info = Describe(error.code);
  std::string text = Format("error[{}]: {}\n", info.word, Neutralised(error.message));
  if (const std::string position = Position(error.where); !position.empty()) {
    text += "  at " + position + "\n";
  }
  if (!error.where.source_line.empty()) text += Excerpt(error.where);
  for (const std::string& detail : error.details) text += "  " + Neutralised(detail) + "\n";
  const std::string hint = error.hint.empty() ? std::string(info.action) : Neutralised(error.hint);
  if (!hint.empty()) text += "  next: " + hint + "\n";
  return text;
}

}  // namespace rangewise
