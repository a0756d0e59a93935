// Owns finding a report's columns by their headings: which columns a table must have, in which unit
// each is printed, and what is said when one is missing or given twice.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/rows.h"

namespace rangewise::tables {

// How a heading is written: "PID", "Duration (ns)", "Bytes (B)".
enum class ColumnKind : uint8_t { kPlain, kTime, kMemory };

struct ColumnSpec {
  std::string_view name;  // without unit
  ColumnKind kind = ColumnKind::kPlain;
};

struct FoundColumn {
  size_t index = 0;
  // Of a time column: nanoseconds per unit, 1 to 10^9. Of a memory column: 1 for bytes, 0 for any
  // other unit.
  int64_t scale = 1;
  std::string heading;  // as it stands
};

// Looks for one report's columns in the records at the head of its file.
class ColumnFinder {
 public:
  ColumnFinder(model::Report report, std::filesystem::path file, std::string version_text,
               std::span<const ColumnSpec> specs)
      : report_(report),
        file_(std::move(file)),
        version_text_(std::move(version_text)),
        specs_(specs) {}

  // Whether `cells` has all columns; kDuplicateColumn when it has one of them twice. Time units are
  // ns, us, ms, s and sec; a time column in another unit is not recognised.
  Result<bool> Accept(std::span<const std::string> cells, uint64_t line);
  // In the order of the specs, after Accept said yes.
  const std::vector<FoundColumn>& columns() const { return columns_; }
  // kMissingColumn for the record that came nearest.
  Error Missing() const;

 private:
  model::Report report_;
  std::filesystem::path file_;
  std::string version_text_;
  std::span<const ColumnSpec> specs_;
  std::vector<FoundColumn> columns_;
  // The nearest record so far: most columns found, the first of equals.
  std::vector<std::string> nearest_;
  uint64_t nearest_line_ = 0;
  size_t nearest_count_ = 0;
};

}  // namespace rangewise::tables
