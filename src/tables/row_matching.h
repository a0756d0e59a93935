// Owns matching the rows of two tables by the hashes of their keys and values.
#pragma once

#include <cstdint>
#include <vector>

#include "tables/hashed_rows.h"

namespace rangewise::tables {

struct RowPair {
  uint64_t theirs = 0;
  uint64_t ours = 0;
};

// Rows and their numbers; each list ascends.
struct RowMatching {
  uint64_t equal = 0;
  std::vector<RowPair> different;
  std::vector<uint64_t> missing;      // theirs only
  std::vector<HashedRow> doubled;     // theirs only, though ours has a row with the key
  std::vector<HashedRow> threadless;  // theirs only, without PID
  std::vector<uint64_t> added;        // ours only
  uint64_t displaced = 0;  // the fewest matched rows whose removal leaves the others in one order
};

// What both begin and end with is matched as it stands, the rest by sorting: n log n of that rest.
// Within a key equal rows are matched first, then the others in their order.
RowMatching MatchRows(std::vector<HashedRow> theirs, std::vector<HashedRow> ours);

}  // namespace rangewise::tables
