#include "tables/csv_columns.h"

#include <optional>

#include "base/text.h"

namespace rangewise::tables {
namespace {

// "Duration (ns)" is name "Duration" and unit "ns"; without brackets at its end the unit is empty.
struct Heading {
  std::string_view name;
  std::string_view unit;
};

Heading Split(std::string_view heading) {
  if (heading.empty() || heading.back() != ')') return {heading, {}};
  const size_t open = heading.rfind('(');
  if (open == std::string_view::npos) return {heading, {}};
  return {Trimmed(heading.substr(0, open)),
          Trimmed(heading.substr(open + 1, heading.size() - open - 2))};
}

int64_t NanosecondsPer(std::string_view unit) {
  if (unit == "ns") return 1;
  if (unit == "us") return 1'000;
  if (unit == "ms") return 1'000'000;
  if (unit == "s" || unit == "sec") return 1'000'000'000;
  return 0;
}

// The column of `spec` under `heading`, if it is one.
std::optional<FoundColumn> Match(const ColumnSpec& spec, std::string_view heading, size_t index) {
  if (spec.kind == ColumnKind::kPlain) {
    if (heading != spec.name) return std::nullopt;
    return FoundColumn{index, 1, std::string(heading)};
  }
  const Heading parts = Split(heading);
  if (parts.name != spec.name || parts.unit.empty()) return std::nullopt;
  if (spec.kind == ColumnKind::kMemory) {
    return FoundColumn{index, parts.unit == "B" ? 1 : 0, std::string(heading)};
  }
  const int64_t scale = NanosecondsPer(parts.unit);
  if (scale == 0) return std::nullopt;
  return FoundColumn{index, scale, std::string(heading)};
}

std::string_view ExampleUnit(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kPlain:
      return "";
    case ColumnKind::kTime:
      return " (ns)";
    case ColumnKind::kMemory:
      return " (B)";
  }
  return "";
}

}  // namespace

Result<bool> ColumnFinder::Accept(std::span<const std::string> cells, uint64_t line) {
  std::vector<FoundColumn> found;
  std::optional<Error> twice;
  size_t count = 0;
  for (const ColumnSpec& spec : specs_) {
    const size_t before = found.size();
    for (size_t index = 0; index < cells.size(); ++index) {
      std::optional<FoundColumn> column = Match(spec, cells[index], index);
      if (!column) continue;
      if (found.size() > before && !twice) {
        twice = Error{
            Code::kDuplicateColumn,
            Format("the table {} has the column {} twice, as {} (number {}) and {} (number {})",
                   model::ReportName(report_), Quoted(spec.name), Quoted(found.back().heading),
                   found.back().index + 1, Quoted(cells[index]), index + 1)};
        twice->where.file = file_.string();
        twice->where.line = line;
      }
      if (found.size() == before) found.push_back(std::move(*column));
    }
    if (found.size() > before) ++count;
  }
  if (count == specs_.size()) {
    if (twice) return std::move(*twice);
    columns_ = std::move(found);
    return true;
  }
  if (nearest_line_ == 0 || count > nearest_count_) {
    nearest_.assign(cells.begin(), cells.end());
    nearest_line_ = line;
    nearest_count_ = count;
  }
  return false;
}

Error ColumnFinder::Missing() const {
  std::string wanted;
  for (const ColumnSpec& spec : specs_) {
    bool present = false;
    for (size_t index = 0; index < nearest_.size() && !present; ++index) {
      present = Match(spec, nearest_[index], index).has_value();
    }
    if (present) continue;
    wanted = std::string(spec.name) + std::string(ExampleUnit(spec.kind));
    break;
  }
  Error error{Code::kMissingColumn,
              Format("the table {} of Nsight Systems {} has no column {}",
                     model::ReportName(report_), version_text_, Quoted(wanted))};
  error.where.file = file_.string();
  error.where.line = nearest_line_;
  if (!nearest_.empty()) {
    error.details.push_back("header found: " + QuotedList(nearest_, 30));
    error.details.push_back("nearest column: " + Quoted(NearestFirst(wanted, nearest_).front()));
  }
  return error;
}

}  // namespace rangewise::tables
