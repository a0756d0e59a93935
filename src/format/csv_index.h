// Owns finding the separators of a piece of CSV, 64 bytes at a time: the inner loop of the parallel
// reader. It takes every '"' to open or close a quoted field and proves that by looking at the
// bytes around it; where the proof fails, it says so and the sequential parser decides
// (csv_record.h). The technique of bit masks per block, and of the running exclusive-or that marks
// what lies within quotes, is that of simdjson (Langdale and Lemire 2019).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace rangewise::format {

inline constexpr size_t kIndexPadding =
    64;  // readable bytes behind a piece, and spare slots behind `ends`

// Writes the offsets of all separators of `piece` to `ends`, which has room for piece.size() +
// kIndexPadding. The piece begins with a record, ends with an LF outside quotes, is below 4 GiB and
// has kIndexPadding bytes after it that hold none of `,"\n`. Returns the number of records when all
// of them have `columns` fields, there is no blank line, and each quote opens, closes or is doubled
// within a quoted field; nothing otherwise.
std::optional<size_t> IndexPiece(std::string_view piece, size_t columns, uint32_t* ends);

// Whether the number of '"' in `text` is odd.
bool HasOddQuotes(std::string_view text);

}  // namespace rangewise::format
