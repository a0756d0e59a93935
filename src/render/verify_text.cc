#include "render/verify_text.h"

#include "base/text.h"
#include "render/text_table.h"
#include "render/units.h"

namespace rangewise::render {
namespace {

using model::CellDifference;
using model::RowFate;
using model::TableDiff;
using model::Verification;

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
      text += Wrapped(Format("{}, {} ({}): {}", model::ReportName(diff.report), documented.word,
                             Counted(static_cast<int64_t>(documented.rows), "row", "rows"),
                             documented.sentence),
                      2, 4);
    }
  }
  return text.empty() ? text : "\nDocumented differences:\n" + text;
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
  TextTable table({{.header = "row", .max_width = 40},
                   {.header = "column", .max_width = 24},
                   {.header = "nsys", .max_width = 40},
                   {.header = "rangewise"}});
  for (const CellDifference& difference : diff.differences) {
    const bool whole = difference.fate != RowFate::kDifferent;
    table.AddRow({difference.key, whole ? "(whole row)" : difference.column,
                  difference.fate == RowFate::kAdded ? "-" : difference.theirs,
                  difference.fate == RowFate::kMissing ? "-" : difference.ours});
  }
  return text + table.Render(120);
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
                verification.reports.size(),
                Counted(static_cast<int64_t>(theirs), "row", "rows"), Count(ours));
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
  return text;
}

}  // namespace rangewise::render
