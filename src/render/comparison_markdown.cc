#include "render/comparison_markdown.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "render/character_width.h"
#include "render/comparison_gate.h"
#include "render/comparison_rows.h"
#include "render/comparison_words.h"
#include "render/redaction_section.h"
#include "render/units.h"

namespace rangewise::render {
namespace {

using model::ComparedRun;
using model::Comparison;
using model::ContractRow;

constexpr size_t kNameWidth = 60;
constexpr size_t kNameBytes = 240;
constexpr size_t kValueWidth = 48;
constexpr size_t kValueBytes = 1000;
constexpr size_t kMostValues = 3;  // distinct values of a key, of one side
constexpr size_t kMostRows = 200;  // of one table
constexpr size_t kTail = 200;      // bytes kept for what ends a table
// With names of kNameBytes the first line, the list of caveats and the notes on the gate stay below
// 12,000 bytes, so that with these three half of the page is left for the folds.
constexpr size_t kGateRoom = 5'000;
constexpr size_t kDifferencesRoom = 9'000;
constexpr size_t kExcludedRoom = 4'000;

// The lines that fit into `room` bytes; the number of the others stands behind `more_begins`.
std::string Fitting(const std::vector<std::string>& lines, size_t room,
                    std::string_view more_begins) {
  std::string text;
  size_t taken = 0;
  while (taken < lines.size() && text.size() + lines[taken].size() <= room) text += lines[taken++];
  if (taken < lines.size()) text += Format("{}{} more\n", more_begins, lines.size() - taken);
  return text;
}

// A table in a fold, whose rows stop where the room for it ends.
class Fold {
 public:
  Fold(std::string_view summary, std::string_view header, size_t room)
      : text_(Format("\n<details><summary>{}</summary>\n\n{}", summary, header)), room_(room) {}

  void AddRow(const std::string& row) {
    if (full_ || text_.size() + row.size() + kTail > room_) {
      full_ = true;
      ++left_out_;
      return;
    }
    text_ += row;
  }

  // `also`: rows that were never given.
  std::string Close(size_t also, std::string_view last_line) {
    const size_t missing = left_out_ + also;
    if (missing > 0) text_ += Format("\n{} more rows: `--format json` has all.\n", missing);
    if (!last_line.empty()) text_ += Format("\n{}\n", last_line);
    return text_ + "\n</details>\n";
  }

 private:
  std::string text_;
  size_t room_;
  size_t left_out_ = 0;
  bool full_ = false;
};

// `shown`, of which at most `most_bytes` are kept, as code in a table's cell.
std::string CodeOf(std::string shown, size_t most_bytes) {
  if (shown.size() > most_bytes) {
    size_t end = most_bytes - 3;
    while (end > 0 && (static_cast<unsigned char>(shown[end]) & 0xC0u) == 0x80) --end;
    shown = shown.substr(0, end) + "...";
  }
  if (shown.find_first_not_of(' ') == std::string::npos) return "(blank)";
  std::string code = "`";
  for (const char c : shown) {
    if (c == '`') {
      code += "\\u{60}";
    } else if (c == '|') {
      code += "\\u{7c}";
    } else {
      code += c;
    }
  }
  return code + "`";
}

// Not shortened in its middle, where two values may differ.
std::string WholeMarkdownCode(std::string_view name) {
  return CodeOf(Neutralised(name), kValueBytes);
}

std::string Listed(const std::vector<std::string>& values) {
  std::string text;
  for (size_t i = 0; i < values.size() && i < kMostValues; ++i)
    text += (i > 0 ? ", " : "") + values[i];
  if (values.size() > kMostValues) text += Format(" and {} more", values.size() - kMostValues);
  return text.empty() ? "–" : text;
}

// Whether the gate passed, and the rows that kept it from passing: not in a fold.
std::string GateTable(const Comparison& comparison) {
  if (!comparison.gate) return "";
  std::string text = Format("\n**Gate {}**\n", GateSentence(*comparison.gate));
  std::vector<std::string> lines;
  for (const ShownRow& row : ShownGateRows(comparison, kMostRows)) {
    lines.push_back(Format("| {}{} | {} | {} | {} | {} | {} |\n", row.verdict,
                           row.reason.empty() ? "" : ": " + row.reason, row.ratio, row.interval,
                           row.probability, row.metric, MarkdownCode(row.range)));
  }
  if (!lines.empty()) {
    text +=
        "\n| verdict | ratio | interval | p or q | metric | range |\n"
        "|---|---:|---:|---:|---|---|\n";
    text += Fitting(lines, kGateRoom, "\n");
  }
  if (const size_t all = comparison.gate->rows.size(); all > lines.size())
    text += Format("\n{} more rows: `--format json` has all.\n", all - lines.size());
  for (const std::string& note : GateNotes(comparison, MarkdownCode)) text += "\n" + note + "\n";
  return text;
}

std::string DifferencesTable(const std::vector<ContractRow>& contract) {
  const std::vector<const ContractRow*> rows = Differences(contract);
  if (rows.empty()) return "";
  std::vector<std::string> lines;
  for (const ContractRow* row : rows) {
    const ContractTexts values = ValuesOf(*row, kValueWidth, WholeMarkdownCode);
    lines.push_back(Format("| {} | {} | {} | {} | {} |\n", MarkdownCode(row->key),
                           model::ContractStateName(row->state), row->allowed ? "yes" : "no",
                           Listed(values.baseline), Listed(values.candidate)));
  }
  return "\nWhat the runs differ in, or do not record:\n\n| key | state | allowed | baseline "
         "(runs) | "
         "candidate (runs) |\n|---|---|---|---|---|\n" +
         Fitting(lines, kDifferencesRoom, "\n");
}

template <typename Document>
std::string ExcludedList(const Document& document) {
  std::vector<std::string> lines;
  for (const std::string& line : ExcludedRuns(document, MarkdownCode))
    lines.push_back("- " + line + "\n");
  for (const std::string& line : RunWarnings(document, MarkdownCode))
    lines.push_back(Format("- analysis warns: {}\n", line));
  return (lines.empty() ? "" : "\n") + Fitting(lines, kExcludedRoom, "- ");
}

std::string CodeOr(const std::optional<std::string>& text) {
  return text ? MarkdownCode(*text) : "–";
}

std::string RunsFold(const Comparison& comparison, size_t room) {
  const ShownPrimary primary = ShownPrimaryValues(comparison);
  Fold fold(Format("{}, each with its median", RunCounts(comparison)),
            "| side | run | commit | began | value | within the run (no evidence) |\n"
            "|---|---|---|---|---:|---|\n",
            room);
  const auto add = [&](model::Side side, const std::vector<ComparedRun>& runs,
                       const std::vector<ShownValue>& values) {
    for (size_t i = 0; i < runs.size(); ++i) {
      const ShownValue value = i < values.size() ? values[i] : ShownValue{"-", "-"};
      fold.AddRow(Format("| {} | {} | {} | {} | {} | {} |\n", model::SideName(side),
                         MarkdownCode(runs[i].label), CodeOr(runs[i].commit),
                         CodeOr(runs[i].started_at), value.value, value.within_run));
    }
  };
  add(model::Side::kBaseline, comparison.baseline, primary.baseline);
  add(model::Side::kCandidate, comparison.candidate, primary.candidate);
  return fold.Close(0, "");
}

std::string TableFold(const ShownTable& table, size_t room) {
  Fold fold(
      Format("{}{}: {}", MetricTitle(table.metric), table.grouped ? ", grouped" : "", table.counts),
      "| verdict | ratio | interval | p or q | baseline | candidate | range |\n"
      "|---|---:|---:|---:|---:|---:|---|\n",
      room);
  for (const ShownRow& row : table.rows) {
    fold.AddRow(Format("| {}{} | {} | {} | {} | {} | {} | {}{} |\n", row.verdict,
                       row.reason.empty() ? "" : ": " + row.reason, row.ratio, row.interval,
                       row.probability, row.baseline, row.candidate, MarkdownCode(row.range),
                       row.place.empty() ? "" : " (" + row.place + ")"));
  }
  return fold.Close(table.rows_total - table.rows.size(), table.leaves);
}

std::string HowText(const Comparison& comparison) {
  std::string text = "\n";
  for (const std::string& line : HowJudged(comparison, MarkdownCode)) text += line + "\n";
  return text;
}

}  // namespace

std::string MarkdownCode(std::string_view name) {
  return CodeOf(Shortened(Neutralised(name), kNameWidth), kNameBytes);
}

std::string RenderComparisonMarkdown(const Comparison& comparison) {
  std::string text = ComparisonHeadline(comparison, MarkdownCode) + "\n";
  if (!comparison.caveats.empty()) text += "\n";
  for (const model::Caveat caveat : comparison.caveats)
    text += Format("- {}: {}\n", model::CaveatName(caveat), CaveatText(caveat));
  text += GateTable(comparison);
  text += DifferencesTable(comparison.contract);
  text += ExcludedList(comparison);
  const std::string how = HowText(comparison) + RedactionMarkdown(comparison.redaction);

  // The room that is left is shared out evenly; what a part does not use goes to those behind it.
  const std::vector<ShownTable> tables = ShownTables(comparison, kMostRows);
  size_t parts = tables.size() + 1;
  const auto room = [&] { return (kMostMarkdownBytes - how.size() - text.size()) / parts--; };
  text += RunsFold(comparison, room());
  for (const ShownTable& table : tables) text += TableFold(table, room());
  return text + how;
}

std::string RenderNoiseMarkdown(const model::NoiseReport& report) {
  std::string text = NoiseHeadline(report, MarkdownCode) + "\n";
  text += DifferencesTable(report.contract);
  text += ExcludedList(report);
  Fold fold(Format("{}, each with its median",
                   Counted(static_cast<int64_t>(report.runs.size()), "run", "runs")),
            "| run | began | value |\n|---|---|---:|\n", kMostMarkdownBytes - text.size());
  for (size_t i = 0; i < report.runs.size(); ++i) {
    fold.AddRow(Format("| {} | {} | {} |\n", MarkdownCode(report.runs[i].label),
                       CodeOr(report.runs[i].started_at),
                       i < report.values.size() ? DurationOfNs(report.values[i]) : "–"));
  }
  return text + fold.Close(0, "") + RedactionMarkdown(report.redaction);
}

}  // namespace rangewise::render
