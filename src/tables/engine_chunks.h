// Owns cutting a table's rows into pieces that are written in parallel: about half a megabyte each, so that rows of
// deep ranges (a stack of thousands of ids) do not fill the memory.
#pragma once

#include <cstddef>
#include <vector>

namespace rangewise::tables {

// Boundaries of pieces of [0, rows): from 0 to rows. `bytes_of(row)` estimates a row's length.
template <typename BytesOf>
std::vector<size_t> SplitByBytes(size_t rows, const BytesOf& bytes_of) {
  constexpr size_t kPieceBytes = size_t{1} << 19;
  std::vector<size_t> boundaries{0};
  size_t bytes = 0;
  for (size_t row = 0; row < rows; ++row) {
    bytes += bytes_of(row);
    if (bytes < kPieceBytes) continue;
    boundaries.push_back(row + 1);
    bytes = 0;
  }
  if (boundaries.back() != rows) boundaries.push_back(rows);
  return boundaries;
}

}  // namespace rangewise::tables
