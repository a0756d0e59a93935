// Owns the comparison of a report's table as NVIDIA's nsys made it with the one that our engine
// made, row by row. Columns are matched by heading, rows by key: (PID, TID, RangeId) for ranges,
// Name for kernels, (Start, CorrId, Strm, Name) for GPU operations; rows that share a key are
// matched as equal ones first, the rest in their order. Values are compared as text, without the
// quotes of CSV.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "model/table_diff.h"

namespace rangewise::tables {

struct DiffOptions {
  size_t shown = 10;       // how many differences are kept side by side
  int threads = 0;         // 0: as many as there are cores
  bool count_rows = true;  // also of identical files; false leaves their counts at zero
};

// Files with the same bytes are equal. Else both are read once more, and twice when there are
// differences to show. Memory: 24 bytes a row of either table, and 8 a row of theirs between the
// first and the last that differ; time is linear but for sorting those. An empty file is a report that does not apply. Errors:
// kMissingColumn (a key column), kDuplicateColumn, kCsvSyntax, kCsvEncoding, kFileShrank,
// kReadFailed, kInterrupted.
Result<model::TableDiff> CompareTables(model::Report report, const std::filesystem::path& theirs,
                                       const std::filesystem::path& ours,
                                       const model::ExportTraits& traits,
                                       const DiffOptions& options = {});

// The first difference that is not documented as one sentence; nothing when there is none. Reports
// that are not in both maps are passed over. Costs one reading of both files where they are
// identical. Errors: as CompareTables.
Result<std::optional<std::string>> FirstUndocumentedDifference(
    const std::map<model::Report, std::filesystem::path>& theirs,
    const std::map<model::Report, std::filesystem::path>& ours, const model::ExportTraits& traits);

}  // namespace rangewise::tables
