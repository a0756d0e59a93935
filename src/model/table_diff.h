// Owns the result of comparing NVIDIA's tables with ours: per report how many rows are equal and
// how the others fare, what of that is documented, and the first differences side by side.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "model/rows.h"

namespace rangewise::model {

// A push/pop range whose thread the export does not know; NVIDIA's host table shows it by itself.
struct ThreadlessRange {
  int64_t range_id = 0;
  int64_t start_ns = 0;
  int64_t end_ns = 0;  // of an open one where the table ends it
  std::string name;    // ":text"
};

// A range whose domain several threads of its process created.
struct DoubledRange {
  int64_t pid = 0;
  int64_t tid = 0;
  int64_t range_id = 0;
  uint32_t domain = 0;  // index into OddRanges::domain_names
};

// The ranges of an export that NVIDIA's tables hold more often than ours.
struct OddRanges {
  std::vector<ThreadlessRange> threadless;
  std::vector<DoubledRange> doubled;
  // Of each such domain its name by each thread that created it; the first is the one in our tables.
  std::vector<std::vector<std::string>> domain_names;
};

// What an export lacks or holds that makes the official queries and ours part ways.
struct ExportTraits {
  bool no_gpu_names = false;       // the table TARGET_INFO_GPU
  bool no_copy_labels = false;     // ENUM_CUDA_MEMCPY_OPER, though there are copies
  bool no_memory_labels = false;   // ENUM_CUDA_MEM_KIND, though there are copies or sets
  bool no_green_contexts = false;  // the column greenContextId
  bool domain_created_twice = false;
  bool threadless_ranges = false;
  bool only_open_push_pop = false;  // there are push/pop ranges, and none has an end
  bool only_open_ranges = false;    // the same of all ranges that the projection knows
  OddRanges odd;                    // of domain_created_twice and threadless_ranges
};

enum class RowFate : uint8_t { kDifferent, kMissing, kAdded };
std::string_view RowFateName(RowFate fate);  // "different", "missing", "added"

// One cell that differs, or a whole row that only one side has. Bytes as the tables hold them.
struct CellDifference {
  RowFate fate = RowFate::kDifferent;
  std::string key;     // "PID 700, TID 701, RangeId 7"
  std::string column;  // empty for a whole row
  std::string theirs;  // the value, or the row's fields joined by commas; empty when only ours
  std::string ours;
};

// A documented difference that was met; its words are those of tables/documented_differences.h.
struct DocumentedCount {
  std::string_view word;
  std::string_view sentence;
  uint64_t rows = 0;  // concerned
};

struct TableDiff {
  Report report = Report::kPushPop;
  bool compared = true;  // false: the official side has no such file
  uint64_t theirs = 0;   // rows
  uint64_t ours = 0;
  // Of all rows, documented differences included.
  uint64_t equal = 0;
  uint64_t missing = 0;  // theirs only
  uint64_t added = 0;    // ours only
  uint64_t different = 0;
  uint64_t undocumented = 0;                 // of missing, added and different
  std::vector<std::string> columns_missing;  // theirs only
  std::vector<std::string> columns_added;    // ours only
  std::vector<DocumentedCount> documented;
  std::vector<CellDifference> differences;  // the first undocumented ones, in the order of rows

  bool passes() const {
    return undocumented == 0 && columns_missing.empty() && columns_added.empty();
  }
};

// The whole of `rangewise verify`.
struct Verification {
  std::string export_path;
  std::string tables_path;                  // the folder of the official tables; empty: made now
  std::optional<std::string> nsys_version;  // of the nsys that made them, when known
  std::vector<TableDiff> reports;           // in the order of kReports
  std::vector<Warning> warnings;            // what loosens the tie between tables and export

  bool passes() const {
    for (const TableDiff& diff : reports) {
      if (!diff.passes()) return false;
    }
    return true;
  }
};

}  // namespace rangewise::model
