// Owns telling, of the rows that only NVIDIA's table has, those that are documented: copies of
// ranges whose domain several threads created, and ranges without a thread. A row counts as such
// when the export has its range, the values are those that the range must have, and it stands no
// more often than the official queries give it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "model/table_diff.h"
#include "tables/hashed_rows.h"

namespace rangewise::tables {

// The columns of our table that are compared, by number.
struct ComparedColumns {
  std::span<const size_t> keys;
  std::span<const size_t> values;
};

// Moves the numbers of rows that are not documented from `rows` to `others`, in no order. `rows`
// have the keys of rows of ours. At most one copy less than there are threads that created the
// domain passes; it equals our row, but that it may bear the domain's name of another thread.
Status SplitDoubled(const model::OddRanges& odd, const TableHead& ours,
                    const ComparedColumns& columns, std::vector<HashedRow>& rows,
                    std::vector<uint64_t>& others);

// The same of rows without PID. Each range passes once.
void SplitThreadless(const model::OddRanges& odd, const TableHead& ours,
                     const ComparedColumns& columns, std::vector<HashedRow>& rows,
                     std::vector<uint64_t>& others);

}  // namespace rangewise::tables
