// Owns text that people see: formatting (fmt, included nowhere else), making names from strangers
// safe to display, quoting, edit distance for suggestions, and numbers in text. Two forms of a name
// must not be confused:
//   * display form (Displayable): valid UTF-8. A byte that is not UTF-8 becomes the text \xNN, and
//   in such a
//     name, and only there, a backslash is doubled, so that distinct names stay distinct. Used in
//     analysis.json and for grouping, sorting and joining messages.
//   * terminal form (Neutralised): display form in which control characters, escape sequences,
//     bidirectional overrides and characters that cannot be seen appear as visible text too.
//     Everything printed for people passes through it.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rangewise {

template <typename... Args>
std::string Format(fmt::format_string<Args...> pattern, Args&&... args) {
  return fmt::format(pattern, std::forward<Args>(args)...);
}

// Whether `bytes` is well-formed UTF-8 (no surrogates, no overlong forms).
bool IsUtf8(std::string_view bytes);

// `bytes` in display form.
std::string Displayable(std::string_view bytes);

// `text` in terminal form: on one line, nothing in it moves the cursor or changes direction.
std::string Neutralised(std::string_view text);

// `name` in terminal form between single quotes, shortened in the middle beyond `limit` bytes.
std::string Quoted(std::string_view name, size_t limit = 120);

// At most `limit` (0: all) of `items`, quoted, joined by ", " and followed by "and N more" where
// cut.
std::string QuotedList(std::span<const std::string> items, size_t limit = 10);

// At most ten of `indexes`, joined by ", " and followed by "and N more" where `total` says so.
std::string IndexList(std::span<const int64_t> indexes, uint64_t total);

// Levenshtein distance in bytes; at most `limit` + 1 is ever returned.
size_t EditDistance(std::string_view a, std::string_view b, size_t limit = 64);

// `candidates` ordered by edit distance to `wanted`, ties by text; all are kept.
std::vector<std::string> NearestFirst(std::string_view wanted, std::vector<std::string> candidates);

// The shortest decimal that reads back as `value`, always with a point or an exponent: "1.0",
// "23.5", "1e+16"; the form of Python's repr. `value` is finite.
std::string ShortestDecimal(double value);

// `value` as digits grouped by thousands for people: "1,234,567".
std::string Grouped(int64_t value);

// A whole decimal integer with optional sign, nothing around it; nothing on any other text or
// overflow.
std::optional<int64_t> ParseInt64(std::string_view text);

// `text` without ASCII blanks at both ends.
std::string_view Trimmed(std::string_view text);

}  // namespace rangewise
