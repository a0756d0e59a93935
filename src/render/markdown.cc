#include "render/markdown.h"

#include <algorithm>

#include "base/text.h"

namespace rangewise::render {

std::string MarkdownText(std::string_view text) {
  const std::string safe = Neutralised(text);
  std::string out;
  out.reserve(safe.size() + safe.size() / 8);
  for (size_t i = 0; i < safe.size(); ++i) {
    const char c = safe[i];
    if (c == '|') {
      // A table's row is split before escapes of the text are looked at.
      out += "&#124;";
      continue;
    }
    const bool is_markup = std::string_view("\\`*_[]<>#~$@&").find(c) != std::string_view::npos;
    // Addresses that GitHub would link without any markup.
    const bool makes_link = (c == ':' && safe.compare(i, 3, "://") == 0) ||
                            (c == '.' && i >= 3 && (safe[i - 1] | 0x20) == 'w');
    if (is_markup || makes_link) out += '\\';
    out += c;
  }
  return out;
}

std::string MarkdownName(std::string_view name) {
  std::string safe = Neutralised(name);
  const size_t blanks = std::min(safe.find_first_not_of(' '), safe.size());
  if (blanks == safe.size()) return "(no name)";
  // Blanks at the front would be lost, in a table and in a code span.
  std::string indent;
  for (size_t i = 0; i < blanks; ++i) indent += "&nbsp;";
  safe.erase(0, blanks);
  const bool fits = safe.find_first_of("`|") == std::string::npos;
  return indent + (fits ? "`" + safe + "`" : MarkdownText(safe));
}

}  // namespace rangewise::render
