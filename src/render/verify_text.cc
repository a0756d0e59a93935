#include "render/verify_text.h"

#include "base/shown_difference.h"
#include "base/text.h"
#include "render/character_width.h"
#include "render/text_table.h"
#include "render/units.h"

namespace rangewise::render {
namespace {

using model::CellDifference;
using model::RowFate;
using model::TableDiff;
using model::Verification;

// Columns of the terminal.
constexpr size_t kKeyWidth = 38;
constexpr size_t kHeadingWidth = 23;
constexpr size_t kValueWidth = 28;
constexpr size_t kLongestCell = 400;  // bytes that are looked at

std::string Count(uint64_t count) { return Grouped(static_cast<int64_t>(count)); }

std::string Verdict(const TableDiff& diff) {
  if (!diff.compared) return "not compared: nsys's table is not there";
  if (!diff.passes()) return "differs";
  if (diff.documented.empty()) return "equal";
  std::string words;
  for (const model::DocumentedCount& documented : diff.documented) {
    words += (words.empty() ? "documented: " : ", ") + std::string(documented.word);
  }
  return words;
}

std::string CountTable(const Verification& verification) {
  TextTable table({{.header = "report"},
                   {.header = "equal", .align = Align::kRight},
                   {.header = "missing", .align = Align::kRight},
                   {.header = "added", .align = Align::kRight},
                   {.header = "different", .align = Align::kRight},
                   {.header = "result"}});
  for (const TableDiff& diff : verification.reports) {
    std::vector<std::string> cells = {std::string(model::ReportName(diff.report))};
    for (const uint64_t count : {diff.equal, diff.missing, diff.added, diff.different}) {
      cells.push_back(diff.compared ? Count(count) : "-");
    }
    cells.push_back(Verdict(diff));
    table.AddRow(std::move(cells));
  }
  return table.Render();
}

std::string DocumentedText(const Verification& verification) {
  std::string text;
  for (const TableDiff& diff : verification.reports) {
    for (const model::DocumentedCount& documented : diff.documented) {
      const char* of_order = documented.word == "row-order" ? " out of order" : "";
      text += Wrapped(Format("{}, {} ({}{}): {}", model::ReportName(diff.report), documented.word,
                             Counted(static_cast<int64_t>(documented.rows), "row", "rows"),
                             of_order, documented.sentence),
                      2, 4);
    }
  }
  return text.empty() ? text : "\nDocumented differences:\n" + text;
}

// Both values in as much room as a cell has, also once characters that cannot be printed are spelt
// out.
ShownPair SideBySide(const std::string& theirs, const std::string& ours) {
  ShownPair pair;
  for (const size_t limit : {size_t{64}, size_t{24}, size_t{16}, size_t{8}}) {
    pair = ShowDifference(theirs, ours, limit);
    if (pair.edges) {
      pair.first = "'" + pair.first + "'";
      pair.second = "'" + pair.second + "'";
    }
    if (DisplayWidth(Neutralised(pair.first)) <= kValueWidth &&
        DisplayWidth(Neutralised(pair.second)) <= kValueWidth) {
      break;
    }
  }
  return pair;
}

std::string DifferencesText(const TableDiff& diff) {
  if (diff.passes()) return "";
  std::string text = Format("\nFirst differences of {}:\n", model::ReportName(diff.report));
  for (const std::string& heading : diff.columns_missing) {
    text += Wrapped(Format("only the table of nsys has the column {}", Quoted(heading)), 2, 4);
  }
  for (const std::string& heading : diff.columns_added) {
    text += Wrapped(Format("only our table has the column {}", Quoted(heading)), 2, 4);
  }
  if (diff.differences.empty()) return text;
  TextTable table({{.header = "row", .max_width = kKeyWidth},
                   {.header = "column", .max_width = kHeadingWidth},
                   {.header = "nsys", .max_width = kValueWidth},
                   {.header = "rangewise", .max_width = kValueWidth}});
  bool cut = false;
  for (const CellDifference& difference : diff.differences) {
    std::string key = Clipped(difference.key, kLongestCell);
    if (difference.fate == RowFate::kDifferent) {
      ShownPair pair = SideBySide(difference.theirs, difference.ours);
      cut = cut || pair.cut;
      table.AddRow({std::move(key), Clipped(difference.column, kLongestCell), std::move(pair.first),
                    std::move(pair.second)});
    } else {
      const bool ours = difference.fate == RowFate::kAdded;
      std::string row = Clipped(ours ? difference.ours : difference.theirs, kLongestCell);
      cut = cut || DisplayWidth(Neutralised(row)) > kValueWidth;
      table.AddRow({std::move(key), "(whole row)", ours ? "-" : row, ours ? row : "-"});
    }
  }
  // Each column has its limit, so that none is shortened further: the place that differs would go.
  text += table.Render(kKeyWidth + kHeadingWidth + 2 * kValueWidth + 8);
  if (cut) text += "  …: shortened; --format json has the whole values\n";
  return text;
}

// What to do about differences.
std::string NextStep(const Verification& verification) {
  if (!verification.warnings.empty()) {
    return Wrapped("next: see to the warnings first; `rangewise explain CODE` says what to do", 0,
                   2);
  }
  return Wrapped(
      "next: see whether these tables were made of the same recording as the export (the first "
      "differences tell); if they were, report the rows of --format json as a defect",
      0, 2);
}

// How much the verdict rests on.
std::string ComparedText(const Verification& verification) {
  uint64_t reports = 0;
  uint64_t theirs = 0;
  uint64_t ours = 0;
  for (const TableDiff& diff : verification.reports) {
    if (!diff.compared) continue;
    ++reports;
    theirs += diff.theirs;
    ours += diff.ours;
  }
  return Format("{} of {} reports compared: {} of nsys, {} of ours", reports,
                verification.reports.size(), Counted(static_cast<int64_t>(theirs), "row", "rows"),
                Count(ours));
}

}  // namespace

std::string RenderVerification(const Verification& verification) {
  std::string text = Format(
      "Tables of rangewise from {}\nagainst those of nsys {}{}\n\n",
      Neutralised(verification.export_path),
      verification.tables_path.empty() ? "made now" : "in " + Neutralised(verification.tables_path),
      verification.nsys_version ? " (" + Neutralised(*verification.nsys_version) + ")"
                                : " (of unknown version)");
  for (const Warning& warning : verification.warnings) {
    text += Wrapped("warning: " + warning.Text(), 0, 2);
  }
  text += CountTable(verification);
  text += DocumentedText(verification);
  for (const TableDiff& diff : verification.reports) text += DifferencesText(diff);
  text += Format("\n{} ({})\n",
                 verification.passes() ? "Nothing differs that is not documented"
                                       : "The tables differ in ways that are not documented",
                 ComparedText(verification));
  if (!verification.passes()) text += NextStep(verification);
  return text;
}

}  // namespace rangewise::render
