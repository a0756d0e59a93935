#include "tables/table_diff.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/files.h"
#include "base/interrupt.h"
#include "base/parallel.h"
#include "base/shown_difference.h"
#include "base/text.h"
#include "tables/documented_differences.h"
#include "tables/hashed_rows.h"
#include "tables/odd_rows.h"
#include "tables/row_matching.h"

namespace rangewise::tables {
namespace {

using model::CellDifference;
using model::Report;
using model::RowFate;
using model::TableDiff;

Result<bool> SameBytes(const fs::path& a_path, const fs::path& b_path) {
  constexpr size_t kPiece = size_t{1} << 20;
  ASSIGN_OR_RETURN(const InputFile a, InputFile::Open(a_path));
  ASSIGN_OR_RETURN(const InputFile b, InputFile::Open(b_path));
  if (a.size() != b.size()) return false;
  std::string a_piece(kPiece, '\0');
  std::string b_piece(kPiece, '\0');
  for (uint64_t at = 0; at < a.size(); at += kPiece) {
    RETURN_IF_ERROR(CheckInterrupt());
    const auto length = static_cast<size_t>(std::min<uint64_t>(kPiece, a.size() - at));
    RETURN_IF_ERROR(a.ReadAt(at, a_piece.data(), length));
    RETURN_IF_ERROR(b.ReadAt(at, b_piece.data(), length));
    if (std::memcmp(a_piece.data(), b_piece.data(), length) != 0) return false;
  }
  return true;
}

// The columns that both tables have, by their numbers in each, in the order of ours.
struct SharedColumns {
  std::vector<size_t> theirs;
  std::vector<size_t> ours;
};

SharedColumns Share(const TableHead& theirs, const TableHead& ours, TableDiff& diff) {
  SharedColumns shared;
  for (size_t column = 0; column < ours.headings.size(); ++column) {
    const size_t other = theirs.Find(ours.headings[column]);
    if (other == SIZE_MAX) {
      diff.columns_added.push_back(ours.headings[column]);
    } else {
      shared.theirs.push_back(other);
      shared.ours.push_back(column);
    }
  }
  for (const std::string& heading : theirs.headings) {
    if (ours.Find(heading) == SIZE_MAX) diff.columns_missing.push_back(heading);
  }
  return shared;
}

std::vector<size_t> KeyNumbers(Report report, const TableHead& head) {
  std::vector<size_t> numbers;
  for (const std::string_view key : KeyColumns(report)) numbers.push_back(head.Find(key));
  return numbers;
}

// A row to be shown: by its number on each side.
struct ShownRow {
  RowFate fate = RowFate::kDifferent;
  uint64_t theirs = 0;
  uint64_t ours = 0;
  uint64_t place() const { return fate == RowFate::kAdded ? ours : theirs; }
};

class TableComparison {
 public:
  TableComparison(Report report, TableHead theirs, TableHead ours,
                  const model::ExportTraits& traits, const DiffOptions& options)
      : report_(report),
        theirs_(std::move(theirs)),
        ours_(std::move(ours)),
        traits_(traits),
        options_(options) {
    diff_.report = report;
  }

  Result<TableDiff> Run() {
    if (theirs_.blank() || ours_.blank()) {
      RETURN_IF_ERROR(CompareWithBlank());
    } else {
      RETURN_IF_ERROR(CompareRows());
    }
    return std::move(diff_);
  }

 private:
  Status CompareWithBlank() {
    ASSIGN_OR_RETURN(diff_.missing, CountRows(theirs_, options_.threads));
    ASSIGN_OR_RETURN(diff_.added, CountRows(ours_, options_.threads));
    diff_.theirs = diff_.missing;
    diff_.ours = diff_.added;
    if (diff_.missing + diff_.added == 0) {
      // A header alone, or blanks, beside an empty file.
      Note(Documented::kCsvForm, 0);
      return Ok();
    }
    const std::vector<Documented> reasons =
        theirs_.blank() ? ReasonsForEmpty(report_, traits_) : std::vector<Documented>();
    for (const Documented reason : reasons) Note(reason, diff_.added);
    if (!reasons.empty()) return Ok();
    diff_.undocumented = diff_.missing + diff_.added;
    std::vector<ShownRow> rows;
    for (uint64_t i = 0; i < std::min<uint64_t>(diff_.undocumented, options_.shown); ++i) {
      rows.push_back({theirs_.blank() ? RowFate::kAdded : RowFate::kMissing, i, i});
    }
    return Show(rows, {});
  }

  Status CompareRows() {
    const SharedColumns shared = Share(theirs_, ours_, diff_);
    ASSIGN_OR_RETURN(RowMatching matching, Match(shared));
    diff_.equal = matching.equal;
    diff_.different = matching.different.size();
    diff_.added = matching.added.size();
    diff_.missing = matching.missing.size() + matching.doubled.size() + matching.threadless.size();
    diff_.theirs = diff_.equal + diff_.different + diff_.missing;
    diff_.ours = diff_.equal + diff_.different + diff_.added;
    RETURN_IF_ERROR(DocumentOddRows(shared, matching));
    diff_.undocumented = matching.missing.size() + diff_.different + diff_.added;
    if (matching.displaced > 0) Note(Documented::kRowOrder, matching.displaced);
    if (diff_.passes() && diff_.missing == 0) {
      bool other_form = matching.displaced == 0;
      if (!other_form) {
        ASSIGN_OR_RETURN(other_form, FormsDiffer());
      }
      if (other_form) Note(Documented::kCsvForm, diff_.equal);
    }
    return Show(FirstRows(matching), shared);
  }

  Result<RowMatching> Match(const SharedColumns& shared) {
    const std::array<const TableHead*, 2> heads = {&theirs_, &ours_};
    const std::array<const std::vector<size_t>*, 2> columns = {&shared.theirs, &shared.ours};
    std::array<std::vector<HashedRow>, 2> rows;
    std::array<Status, 2> states = {Ok(), Ok()};
    ParallelFor(ThreadCount(options_.threads), heads.size(), [&](int, size_t side) {
      auto read = HashRows(*heads[side], KeyNumbers(report_, *heads[side]), *columns[side]);
      if (read.ok()) {
        rows[side] = std::move(*read);
      } else {
        states[side] = std::move(read).error();
      }
    });
    for (Status& state : states) RETURN_IF_ERROR(std::move(state));
    return MatchRows(std::move(rows[0]), std::move(rows[1]));
  }

  // Rows that the export explains are documented, the others count as missing.
  Status DocumentOddRows(const SharedColumns& shared, RowMatching& matching) {
    // Kernels and operations have no domains and threads; a range without a thread launches nothing
    // that its projection could show.
    const bool of_ranges = report_ == Report::kPushPop || report_ == Report::kGpuProjection;
    const model::OddRanges none;
    const std::vector<size_t> keys = KeyNumbers(report_, ours_);
    const ComparedColumns columns{.keys = keys, .values = shared.ours};
    RETURN_IF_ERROR(SplitDoubled(of_ranges ? traits_.odd : none, ours_, columns, matching.doubled,
                                 matching.missing));
    SplitThreadless(report_ == Report::kPushPop ? traits_.odd : none, ours_, columns,
                    matching.threadless, matching.missing);
    std::sort(matching.missing.begin(), matching.missing.end());
    if (!matching.doubled.empty()) {
      Note(Documented::kDomainCreatedTwice, matching.doubled.size());
    }
    if (!matching.threadless.empty()) {
      Note(Documented::kThreadlessRanges, matching.threadless.size());
    }
    return Ok();
  }

  // Whether tables with the same rows in another order differ in more than that order.
  Result<bool> FormsDiffer() const {
    if (theirs_.headings != ours_.headings) return true;
    std::error_code error;
    if (fs::file_size(theirs_.path, error) != fs::file_size(ours_.path, error)) return true;
    ASSIGN_OR_RETURN(const uint64_t their_sum, SumOfRows(theirs_));
    ASSIGN_OR_RETURN(const uint64_t our_sum, SumOfRows(ours_));
    return their_sum != our_sum;
  }

  void Note(Documented difference, uint64_t rows) {
    const DocumentedInfo& info = Describe(difference);
    diff_.documented.push_back({info.word, info.sentence, rows});
  }

  std::vector<ShownRow> FirstRows(const RowMatching& matching) const {
    const auto few = [this](const auto& list) { return std::min(list.size(), options_.shown); };
    std::vector<ShownRow> rows;
    for (size_t i = 0; i < few(matching.different); ++i) {
      rows.push_back(
          {RowFate::kDifferent, matching.different[i].theirs, matching.different[i].ours});
    }
    for (size_t i = 0; i < few(matching.missing); ++i) {
      rows.push_back({RowFate::kMissing, matching.missing[i], 0});
    }
    for (size_t i = 0; i < few(matching.added); ++i) {
      rows.push_back({RowFate::kAdded, 0, matching.added[i]});
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const ShownRow& a, const ShownRow& b) { return a.place() < b.place(); });
    rows.resize(few(rows));
    return rows;
  }

  // Reads the rows again, to show them.
  Status Show(const std::vector<ShownRow>& rows, const SharedColumns& shared) {
    std::vector<uint64_t> wanted_theirs;
    std::vector<uint64_t> wanted_ours;
    for (const ShownRow& row : rows) {
      if (row.fate != RowFate::kAdded) wanted_theirs.push_back(row.theirs);
      if (row.fate != RowFate::kMissing) wanted_ours.push_back(row.ours);
    }
    std::sort(wanted_ours.begin(), wanted_ours.end());
    ASSIGN_OR_RETURN(auto theirs, ReadRows(theirs_, wanted_theirs));
    ASSIGN_OR_RETURN(auto ours, ReadRows(ours_, wanted_ours));
    for (const ShownRow& row : rows) {
      if (row.fate == RowFate::kMissing) {
        ShowWhole(row.fate, theirs_, theirs[row.theirs]);
      } else if (row.fate == RowFate::kAdded) {
        ShowWhole(row.fate, ours_, ours[row.ours]);
      } else {
        ShowCells(shared, theirs[row.theirs], ours[row.ours]);
      }
    }
    if (diff_.differences.size() > options_.shown) diff_.differences.resize(options_.shown);
    return Ok();
  }

  std::string KeyText(const TableHead& head, const std::vector<std::string>& fields) const {
    std::string text;
    for (const std::string_view key : KeyColumns(report_)) {
      if (!text.empty()) text += ", ";
      text += Format("{} {}", key, fields.at(head.Find(key)));
    }
    return text;
  }

  void ShowWhole(RowFate fate, const TableHead& head, const std::vector<std::string>& fields) {
    std::string row;
    for (const std::string& field : fields) {
      if (&field != &fields.front()) row += ',';
      row += field;
    }
    CellDifference difference{.fate = fate, .key = KeyText(head, fields), .column = {}};
    (fate == RowFate::kMissing ? difference.theirs : difference.ours) = std::move(row);
    diff_.differences.push_back(std::move(difference));
  }

  void ShowCells(const SharedColumns& shared, const std::vector<std::string>& theirs,
                 const std::vector<std::string>& ours) {
    for (size_t i = 0; i < shared.ours.size(); ++i) {
      const std::string& their_value = theirs.at(shared.theirs[i]);
      const std::string& our_value = ours.at(shared.ours[i]);
      if (their_value == our_value) continue;
      diff_.differences.push_back({.fate = RowFate::kDifferent,
                                   .key = KeyText(ours_, ours),
                                   .column = ours_.headings[shared.ours[i]],
                                   .theirs = their_value,
                                   .ours = our_value});
    }
  }

  Report report_;
  TableHead theirs_;
  TableHead ours_;
  const model::ExportTraits& traits_;
  const DiffOptions& options_;
  TableDiff diff_;
};

std::string Sentence(const TableDiff& diff) {
  const std::string_view report = model::ReportName(diff.report);
  if (!diff.differences.empty()) {
    const CellDifference& first = diff.differences.front();
    const std::string key = Displayable(Clipped(first.key, 400));
    switch (first.fate) {
      case RowFate::kMissing:
        return Format("{}: only the table of nsys has the row {}", report, key);
      case RowFate::kAdded:
        return Format("{}: only our table has the row {}", report, key);
      case RowFate::kDifferent: {
        const ShownPair pair = ShowDifference(first.theirs, first.ours, 120);
        return Format("{}, row {}, column {}: {} in the table of nsys, {} in ours", report, key,
                      Quoted(first.column), Quoted(pair.first, 1000), Quoted(pair.second, 1000));
      }
    }
  }
  if (!diff.columns_missing.empty()) {
    return Format("{}: only the table of nsys has the column {}", report,
                  Quoted(diff.columns_missing.front()));
  }
  return Format("{}: only our table has the column {}", report, Quoted(diff.columns_added.front()));
}

}  // namespace

Result<TableDiff> CompareTables(Report report, const std::filesystem::path& theirs,
                                const std::filesystem::path& ours,
                                const model::ExportTraits& traits, const DiffOptions& options) {
  ASSIGN_OR_RETURN(const bool same, SameBytes(theirs, ours));
  if (same && !options.count_rows) return TableDiff{.report = report};
  ASSIGN_OR_RETURN(TableHead our_head, ReadTableHead(report, ours));
  if (same) {
    ASSIGN_OR_RETURN(const uint64_t rows, CountRows(our_head, options.threads));
    return TableDiff{.report = report, .theirs = rows, .ours = rows, .equal = rows};
  }
  ASSIGN_OR_RETURN(TableHead their_head, ReadTableHead(report, theirs));
  return TableComparison(report, std::move(their_head), std::move(our_head), traits, options).Run();
}

Result<std::optional<std::string>> FirstUndocumentedDifference(
    const std::map<Report, std::filesystem::path>& theirs,
    const std::map<Report, std::filesystem::path>& ours, const model::ExportTraits& traits) {
  const DiffOptions options{.shown = 1, .threads = 0, .count_rows = false};
  for (const Report report : model::kReports) {
    const auto their_table = theirs.find(report);
    const auto our_table = ours.find(report);
    if (their_table == theirs.end() || our_table == ours.end()) continue;
    ASSIGN_OR_RETURN(const TableDiff diff, CompareTables(report, their_table->second,
                                                         our_table->second, traits, options));
    if (!diff.passes()) return std::optional<std::string>(Sentence(diff));
  }
  return std::optional<std::string>();
}

}  // namespace rangewise::tables
