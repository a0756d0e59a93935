// Owns reading a report's table for comparison: its headings, a hash of key and values per row, and
// the text of chosen rows. Rows are numbered from 0 in the order of the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "model/rows.h"

namespace rangewise::tables {

// The headings of the columns that identify a row of `report`.
std::span<const std::string_view> KeyColumns(model::Report report);

struct TableHead {
  std::filesystem::path path;
  std::vector<std::string> headings;  // none: the file is blank, the report does not apply

  bool blank() const { return headings.empty(); }
  // The column's number, or SIZE_MAX.
  size_t Find(std::string_view heading) const;
};

// The head of the table: the first record that has the key columns. kMissingColumn,
// kDuplicateColumn, kCsvEncoding, kReadFailed.
Result<TableHead> ReadTableHead(model::Report report, const std::filesystem::path& path);

struct HashedRow {
  uint64_t key = 0;
  uint64_t values = 0;
  uint64_t place = 0;  // its number, and kThreadless

  static constexpr uint64_t kThreadless = uint64_t{1} << 63;
  uint64_t number() const { return place & ~kThreadless; }
  // Whether its PID is empty.
  bool threadless() const { return (place & kThreadless) != 0; }
};

// The hash of a key or of values that lie in this order, as HashRows has it.
uint64_t HashOfValues(std::span<const std::string_view> values);

// Every row. `keys` and `values` are column numbers, in an order that both sides share.
Result<std::vector<HashedRow>> HashRows(const TableHead& head, std::span<const size_t> keys,
                                        std::span<const size_t> values);

// How many rows the table has. `threads` 0: as many as there are cores.
Result<uint64_t> CountRows(const TableHead& head, int threads);

// The fields of the rows whose numbers are `wanted` (ascending).
Result<std::map<uint64_t, std::vector<std::string>>> ReadRows(const TableHead& head,
                                                              std::span<const uint64_t> wanted);

// Calls `take` with the key and the fields of each row whose key, of the columns `keys`, is one of
// `wanted`.
using TakeRow = std::function<void(uint64_t key, std::span<const std::string> fields)>;
Status VisitRows(const TableHead& head, std::span<const size_t> keys,
                 const std::unordered_set<uint64_t>& wanted, const TakeRow& take);

// A sum over all rows as they are written, quotes included, that no order of rows changes.
Result<uint64_t> SumOfRows(const TableHead& head);

// Whether a value of the column holds `c`, and how many rows there are.
struct ColumnContents {
  uint64_t rows = 0;
  bool holds = false;
};
Result<ColumnContents> LookFor(char c, const TableHead& head, size_t column);

}  // namespace rangewise::tables
