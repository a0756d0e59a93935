#include "render/comparison_text.h"

#include <algorithm>

#include "base/text.h"
#include "render/comparison_gate.h"
#include "render/comparison_rows.h"
#include "render/comparison_words.h"
#include "render/redaction_section.h"
#include "render/text_table.h"
#include "render/units.h"

namespace rangewise::render {
namespace {

using model::ComparedRun;
using model::Comparison;
using model::ContractRow;

constexpr size_t kMostRows = 20;
constexpr size_t kMostRuns = 40;  // of one side
constexpr size_t kMostDifferences = 40;
constexpr size_t kMostValues = 5;  // distinct ones of a key, of one side
constexpr size_t kValueWidth = 40;
constexpr size_t kMostWarnings = 40;  // runs
constexpr size_t kMostGateRows = 20;

std::string AsItIs(std::string_view text) { return std::string(text); }

std::string Listed(const std::vector<std::string>& values) {
  std::string text;
  for (size_t i = 0; i < values.size() && i < kMostValues; ++i)
    text += (i > 0 ? ", " : "") + values[i];
  if (values.size() > kMostValues) text += Format(" and {} more", values.size() - kMostValues);
  return text.empty() ? "-" : text;
}

// Whether the gate passed, and the rows that kept it from passing.
std::string GateText(const Comparison& comparison) {
  if (!comparison.gate) return "";
  std::string text = "\n" + Wrapped("Gate " + GateSentence(*comparison.gate), 0, 2);
  TextTable table({{.header = "verdict"},
                   {.header = "ratio", .align = Align::kRight},
                   {.header = "interval", .align = Align::kRight},
                   {.header = "p or q", .align = Align::kRight},
                   {.header = "metric"},
                   {.header = "range"}});
  const std::vector<ShownRow> rows = ShownGateRows(comparison, kMostGateRows);
  for (const ShownRow& row : rows) {
    table.AddRow({row.reason.empty() ? row.verdict : Format("{}: {}", row.verdict, row.reason),
                  row.ratio, row.interval, row.probability, row.metric, row.range});
  }
  if (!rows.empty()) text += table.Render();
  if (const size_t all = comparison.gate->rows.size(); all > rows.size())
    text += Format("  and {} more rows (--format json has all)\n", all - rows.size());
  for (const std::string& note : GateNotes(comparison, QuotedName)) text += Wrapped(note, 2, 2);
  return text;
}

// A line for each key rather than columns, which would cut values where they differ.
std::string DifferencesText(const std::vector<ContractRow>& contract, bool one_cohort) {
  const std::vector<const ContractRow*> rows = Differences(contract);
  if (rows.empty()) return "";
  std::string text = "\nWhat the runs differ in, or do not record (value, how many runs):\n";
  for (size_t i = 0; i < rows.size() && i < kMostDifferences; ++i) {
    const ContractTexts values = ValuesOf(*rows[i], kValueWidth, AsItIs);
    std::string line =
        Format("{} ({}{}): {}{}", rows[i]->key, model::ContractStateName(rows[i]->state),
               rows[i]->allowed ? ", allowed" : "", one_cohort ? "" : "baseline ",
               Listed(values.baseline));
    if (!one_cohort) line += "; candidate " + Listed(values.candidate);
    text += Wrapped(line, 2, 4);
  }
  if (rows.size() > kMostDifferences)
    text += Format("  and {} more\n", rows.size() - kMostDifferences);
  return text;
}

template <typename Document>
std::string ExcludedText(const Document& document) {
  std::string text;
  if (!document.left_out.empty()) text += "\nLeft out because of what their analyses warn of:\n";
  for (const model::LeftOutRun& left : document.left_out) {
    text += Wrapped(Format("{} ({}): {}", left.run.label, model::SideName(left.side),
                           fmt::join(left.codes, ", ")),
                    2, 4);
  }
  if (!document.duplicates.empty())
    text += "\nCounted once, as they were made of the same capture:\n";
  for (const model::DuplicateRun& duplicate : document.duplicates) {
    text += Wrapped(
        Format("{} ({}) is {}{}", duplicate.label, model::SideName(duplicate.side),
               duplicate.same_as, duplicate.same_numbers ? "" : ", though with other numbers"),
        2, 4);
  }
  return text;
}

std::string WarningsText(const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string text = "\nWhat the analyses of runs that take part warn of:\n";
  for (size_t i = 0; i < lines.size() && i < kMostWarnings; ++i) text += Wrapped(lines[i], 2, 4);
  if (lines.size() > kMostWarnings)
    text += Format("  and {} more runs\n", lines.size() - kMostWarnings);
  return text;
}

std::string Or(const std::optional<std::string>& text, const char* otherwise) {
  return text ? *text : otherwise;
}

// Runs with their values of the primary metric, as far as there are any.
std::string RunsText(const Comparison& comparison) {
  const ShownPrimary primary = ShownPrimaryValues(comparison);
  TextTable table({{.header = "run", .max_width = 28},
                   {.header = "commit", .max_width = 10},
                   {.header = "began", .max_width = 20},
                   {.header = "value", .align = Align::kRight},
                   {.header = "within the run"}});
  std::string more;
  const auto add = [&](const char* side, const std::vector<ComparedRun>& runs,
                       const std::vector<ShownValue>& values) {
    for (size_t i = 0; i < runs.size() && i < kMostRuns; ++i) {
      const ShownValue value = i < values.size() ? values[i] : ShownValue{"-", "-"};
      table.AddRow({Format("{} {}", side, runs[i].label), Or(runs[i].commit, "-"),
                    Or(runs[i].started_at, "-"), value.value, value.within_run});
    }
    if (runs.size() > kMostRuns)
      more += Format("  and {} more of {}\n", runs.size() - kMostRuns, side);
  };
  add("B", comparison.baseline, primary.baseline);
  add("C", comparison.candidate, primary.candidate);
  return "\n" +
         Wrapped(Format("Runs (B: baseline, C: candidate) with their median of {}:",
                        MetricOf(comparison.primary)),
                 0, 2) +
         table.Render() + more +
         Wrapped(
             "A run counts once, with its median. What lies within a run (of how many values) is "
             "shown, "
             "and is evidence of nothing between runs.",
             2, 2);
}

std::string TableText(const ShownTable& shown) {
  TextTable table({{.header = "verdict"},
                   {.header = "ratio", .align = Align::kRight},
                   {.header = "interval", .align = Align::kRight},
                   {.header = "p or q", .align = Align::kRight},
                   {.header = "baseline", .align = Align::kRight},
                   {.header = "candidate", .align = Align::kRight},
                   {.header = "range"}});
  for (const ShownRow& row : shown.rows) {
    table.AddRow({row.verdict, row.ratio, row.interval, row.probability, row.baseline,
                  row.candidate, (row.place.empty() ? "" : "+ ") + row.range});
  }
  std::string title = MetricTitle(shown.metric);
  title[0] = static_cast<char>(title[0] >= 'a' ? title[0] - 'a' + 'A' : title[0]);
  std::string text =
      "\n" +
      Wrapped(Format("{}{}: {}", title, shown.grouped ? ", grouped" : "", shown.counts), 0, 2) +
      table.Render();
  if (shown.rows_total > shown.rows.size()) {
    text += Format("  and {} more rows (--format json has all)\n",
                   Grouped(static_cast<int64_t>(shown.rows_total - shown.rows.size())));
  }
  if (!shown.leaves.empty()) text += Wrapped(shown.leaves, 2, 2);
  return text;
}

std::string HowText(const Comparison& comparison) {
  std::string text = "\n";
  text += Wrapped(
      Format("A change needs p (of the rows that are tested together q) of at most {} and a ratio "
             "outside of the floor, {}; no-change needs the whole interval inside of it.",
             comparison.alpha, FloorText(comparison.floor)),
      0, 0);
  if (comparison.family_size > 0 && !comparison.family_can_pass) {
    text += Wrapped(Format("{} rows are tested together: for one of them alone to pass, {} runs a "
                           "side are needed.",
                           Grouped(static_cast<int64_t>(comparison.family_size)),
                           comparison.family_runs_needed),
                    0, 0);
  }
  for (const std::string& note : GpuWorkNotes(comparison, QuotedName)) text += Wrapped(note, 0, 0);
  text += Wrapped(Format("Tables came from: {}.", SourcesOf(comparison)), 0, 0);
  text += Wrapped(
      "Ratios are candidate / baseline over runs; + marks a range that lies in another row or "
      "holds "
      "one: its time counts in both. Host time is no GPU time: never combine the two.",
      0, 0);
  return text;
}

}  // namespace

std::string RenderComparisonText(const Comparison& comparison) {
  std::string text = ComparisonHeadline(comparison) + "\n";
  for (const model::Caveat caveat : comparison.caveats) {
    text += Wrapped(Format("{}: {}", model::CaveatName(caveat), CaveatText(caveat)), 2, 4);
  }
  text += GateText(comparison);
  text += DifferencesText(comparison.contract, false);
  text += ExcludedText(comparison);
  text += WarningsText(RunWarnings(comparison, AsItIs));
  text += RunsText(comparison);
  for (const ShownTable& table : ShownTables(comparison, kMostRows)) text += TableText(table);
  return text + HowText(comparison) + RedactionText(comparison.redaction);
}

std::string RenderNoiseText(const model::NoiseReport& report) {
  std::string text = NoiseHeadline(report) + "\n";
  text += DifferencesText(report.contract, true);
  text += ExcludedText(report);
  text += WarningsText(RunWarnings(report, AsItIs));
  TextTable table({{.header = "run", .max_width = 40},
                   {.header = "began", .max_width = 25},
                   {.header = "value", .align = Align::kRight}});
  for (size_t i = 0; i < report.runs.size() && i < kMostRuns; ++i) {
    table.AddRow({report.runs[i].label, Or(report.runs[i].started_at, "-"),
                  i < report.values.size() ? DurationOfNs(report.values[i]) : "-"});
  }
  if (!report.runs.empty()) {
    text += "\n";
    text += Wrapped(Format("Runs with their median of {}:", MetricOf(report.primary)), 0, 2);
    text += table.Render();
  }
  if (report.runs.size() > kMostRuns)
    text += Format("  and {} more\n", report.runs.size() - kMostRuns);
  if (report.noise) {
    text += "\n";
    text += Wrapped(
        Format(
            "{} into halves. `compare --floor auto` takes this from the baseline where it "
            "is more than 3 %.",
            report.noise->all_splits
                ? Format("All {} ways to split the runs", report.noise->splits)
                : Format("{} splits of the runs, drawn from a fixed seed,", report.noise->splits)),
        0, 0);
  }
  return text + RedactionText(report.redaction);
}

}  // namespace rangewise::render
