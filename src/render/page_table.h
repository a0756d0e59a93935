// Owns the tables of a page: each number is shown with its unit and carries its exact raw value,
// each heading carries what it means, and rows beyond the limits are folded and counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/wide.h"
#include "model/page_limits.h"
#include "model/statistics.h"
#include "render/glossary.h"

namespace rangewise::render {

// What a column's raw values are, for scripts that sort and convert them.
enum class CellKind : uint8_t { kText, kName, kCount, kNs, kBytes, kRatio, kRate };

struct PageColumn {
  std::string_view header;  // our own words
  CellKind kind = CellKind::kText;
  Term term = Term::kName;
};

// Cells as HTML. A missing one says why, in our own words.
std::string NsCell(int64_t ns);
std::string NsCell(double ns);
std::string NsCell(Int128 ns);
std::string NsCell(const std::optional<double>& ns, std::string_view why_not);
std::string CountCell(int64_t count);
std::string NumberCell(int64_t number);  // an index, without grouping
std::string BytesCell(int64_t bytes);
std::string RateCell(const std::optional<double>& bytes_per_second, std::string_view why_not);
// From 0 to 1, in percent.
std::string ShareCell(const std::optional<double>& share, std::string_view why_not);
// A ratio that is none of a whole, as a comparison shows it.
std::string RatioCell(const std::optional<double>& ratio, std::string_view shown,
                      std::string_view why_not);
std::string TextCell(std::string_view text);   // may hold names from inputs
std::string NameCell(std::string_view shown);  // in a shown form (model/page_names.h)
std::string MissingCell(std::string_view why_not);

template <typename Ns>
std::string MedianCell(const model::Statistics<Ns>& values) {
  return values.median_is_whole ? NsCell(values.median_low.ns) : NsCell(model::MedianNs(values));
}

// How much the tables of a page may hold, each of them, and what they came to.
struct TablesRoom {
  size_t bytes_each = model::kMostTableBytes;
  size_t used = 0;
};

class PageTable {
 public:
  // `id` is that of the table for scripts and tests, `label` what it holds.
  PageTable(TablesRoom& room, std::string_view id, std::string_view label,
            std::vector<PageColumn> columns);

  // As many cells as columns; false: the table is full, and takes no more rows.
  bool AddRow(const std::vector<std::string>& cells);

  // The table; `total`: how many rows there are in all, `order`: how they are sorted ("by total"),
  // `where`: which output has all of them. Once.
  std::string Close(size_t total, std::string_view order,
                    std::string_view where = "analysis.json has all");

 private:
  TablesRoom& room_;
  std::string id_;
  std::string label_;
  std::vector<PageColumn> columns_;
  std::string html_;
  size_t rows_ = 0;
  bool full_ = false;
};

}  // namespace rangewise::render
