// Owns finding two rows of an NVTX table that are the same range: equal process, thread and
// RangeId.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/rows.h"

namespace rangewise::tables {

// Whether two rows have the same thread and RangeId. O(n log n).
template <typename Range>
bool HasDuplicates(std::span<const Range> rows) {
  std::vector<std::pair<int64_t, uint32_t>> keys;
  keys.reserve(rows.size());
  for (const Range& row : rows) keys.emplace_back(row.range_id, row.thread);
  std::sort(keys.begin(), keys.end());
  return std::adjacent_find(keys.begin(), keys.end()) != keys.end();
}

// The error that names both rows: reads the table again, to the first row whose range stands there
// before. (An error of another kind when the file is no longer what it was.)
Error DuplicateRange(model::Report report, const std::filesystem::path& file,
                     const std::string& version_text);

}  // namespace rangewise::tables
