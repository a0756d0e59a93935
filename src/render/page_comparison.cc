#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "model/page_names.h"
#include "render/comparison_rows.h"
#include "render/comparison_words.h"
#include "render/html.h"
#include "render/page.h"
#include "render/page_sections.h"
#include "render/page_shell.h"
#include "render/redaction_section.h"

namespace rangewise::render {
namespace {

using model::Comparison;
using model::Metric;

constexpr std::string_view kWhere = "the comparison's JSON has all";
constexpr size_t kValueWidth = 120;

// A name within a sentence, in terminal form and isolated so that its direction ends with it. The
// isolating characters are ours: in terminal form a name has none.
std::string IsolatedName(std::string_view name) { return "\u2068" + Quoted(name, 120) + "\u2069"; }

// A value of the contract, in terminal form.
std::string ShownValueOf(std::string_view value) { return model::ShownName(value); }

// A sentence whose names are in terminal form.
std::string SentenceHtml(std::string_view sentence) {
  return "<p>" + HtmlEscaped(sentence) + "</p>\n";
}

std::string VerdictSection(const Comparison& comparison) {
  std::string html =
      Format("<p class=\"verdict\" data-verdict=\"{}\"><strong>{}</strong></p>\n",
             model::VerdictName(comparison.verdict), model::VerdictName(comparison.verdict));
  html += SentenceHtml(ComparisonHeadline(comparison, IsolatedName));
  for (const std::string& line : HowJudged(comparison, IsolatedName)) html += SentenceHtml(line);
  return HtmlSection("verdict", "Verdict", html);
}

std::string CaveatsSection(const Comparison& comparison) {
  if (comparison.caveats.empty()) return HtmlSection("caveats", "Caveats: none", "");
  Items items;
  for (const model::Caveat caveat : comparison.caveats)
    items.items.push_back({std::string(model::CaveatName(caveat)), CaveatText(caveat)});
  return HtmlSection("caveats", Format("Caveats: {}", comparison.caveats.size()), HtmlOf(items));
}

std::string Listed(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : ", ") + value;
  return text;
}

std::string ContractSection(const Comparison& comparison, TablesRoom& room) {
  const auto rows = Differences(comparison.contract);
  if (rows.empty()) {
    return HtmlSection(
        "contract", "What the runs differ in",
        Format("<p>Nothing: all {} keys of the contract are recorded and equal.</p>\n",
               comparison.contract.size()));
  }
  PageTable table(room, "contract", "What the runs differ in, or do not record",
                  {{"key", CellKind::kName, Term::kKey},
                   {"state", CellKind::kText, Term::kState},
                   {"allowed", CellKind::kText, Term::kAllowed},
                   {"baseline (runs)", CellKind::kName, Term::kKey},
                   {"candidate (runs)", CellKind::kName, Term::kKey}});
  const auto side = [](const std::vector<std::string>& values) {
    return values.empty() ? MissingCell("not recorded")
                          : NameCell(model::ShownText(Listed(values), 1'000));
  };
  for (const model::ContractRow* row : rows) {
    const ContractTexts values = ValuesOf(*row, kValueWidth, ShownValueOf);
    table.AddRow(
        {NameCell(model::ShownName(row->key)), TextCell(model::ContractStateName(row->state)),
         TextCell(row->allowed ? "yes" : "no"), side(values.baseline), side(values.candidate)});
  }
  return HtmlSection("contract", "What the runs differ in", table.Close(rows.size(), "", kWhere));
}

// One run's value in the primary metric.
struct RunValue {
  double median_ns = 0;
  int64_t minimum_ns = 0;
  int64_t maximum_ns = 0;
  int64_t instances = 0;
};
struct PrimaryValues {
  std::vector<std::optional<RunValue>> baseline;
  std::vector<std::optional<RunValue>> candidate;
};

PrimaryValues PrimaryOf(const Comparison& comparison) {
  PrimaryValues values;
  const auto copy = [](const auto& from, std::vector<std::optional<RunValue>>& to) {
    for (const auto& seen : from) {
      to.push_back(seen ? std::optional(RunValue{seen->median_ns, seen->minimum.ns,
                                                 seen->maximum.ns, seen->instances})
                        : std::nullopt);
    }
  };
  model::ForEachTable(comparison, [&](const auto& table) {
    for (const auto& row : table.rows) {
      if (!row.primary) continue;
      copy(row.baseline, values.baseline);
      copy(row.candidate, values.candidate);
    }
  });
  return values;
}

std::string RunsSection(const Comparison& comparison, TablesRoom& room) {
  PageTable table(room, "runs", "Runs with their value in the primary metric",
                  {{"side", CellKind::kText, Term::kRun},
                   {"run", CellKind::kName, Term::kRun},
                   {"commit", CellKind::kName, Term::kCommit},
                   {"began", CellKind::kName, Term::kBegan},
                   {"value", CellKind::kNs, Term::kValue},
                   {"smallest", CellKind::kNs, Term::kWithinRun},
                   {"largest", CellKind::kNs, Term::kWithinRun},
                   {"values", CellKind::kCount, Term::kWithinRun}});
  const PrimaryValues primary = PrimaryOf(comparison);
  const auto name = [](const std::optional<std::string>& text) {
    return text ? NameCell(model::ShownName(*text)) : MissingCell("not recorded");
  };
  const auto add = [&](model::Side side, const std::vector<model::ComparedRun>& runs,
                       const std::vector<std::optional<RunValue>>& values) {
    for (size_t i = 0; i < runs.size(); ++i) {
      std::vector<std::string> cells = {TextCell(model::SideName(side)),
                                        NameCell(model::ShownName(runs[i].label)),
                                        name(runs[i].commit), name(runs[i].started_at)};
      if (i < values.size() && values[i]) {
        cells.push_back(NsCell(values[i]->median_ns));
        cells.push_back(NsCell(values[i]->minimum_ns));
        cells.push_back(NsCell(values[i]->maximum_ns));
        cells.push_back(CountCell(values[i]->instances));
      } else {
        cells.insert(cells.end(), 4, MissingCell("the run does not have the primary metric"));
      }
      table.AddRow(cells);
    }
  };
  add(model::Side::kBaseline, comparison.baseline, primary.baseline);
  add(model::Side::kCandidate, comparison.candidate, primary.candidate);
  std::string html =
      table.Close(comparison.baseline.size() + comparison.candidate.size(), "by time", kWhere);
  Items items;
  for (const std::string& line : ExcludedRuns(comparison, QuotedName))
    items.items.push_back({"", line});
  for (const std::string& line : RunWarnings(comparison, QuotedName))
    items.items.push_back({"", "analysis warns: " + line});
  return HtmlSection("runs", Format("Runs: {}", RunCounts(comparison)), html + HtmlOf(items));
}

std::string TableOf(const ShownTable& shown, TablesRoom& room) {
  std::string title = MetricTitle(shown.metric);
  if (title[0] >= 'a') title[0] = static_cast<char>(title[0] - 'a' + 'A');
  if (shown.grouped) title += ", grouped";
  const std::string_view id = model::MetricName(shown.metric);
  PageTable table(room, id, title,
                  {{"range", CellKind::kName, Term::kName},
                   {"verdict", CellKind::kText, Term::kVerdict},
                   {"reason", CellKind::kText, Term::kVerdict},
                   {"ratio", CellKind::kRatio, Term::kRatio},
                   {"low", CellKind::kRatio, Term::kInterval},
                   {"high", CellKind::kRatio, Term::kInterval},
                   {"p or q", CellKind::kRatio, Term::kQ},
                   {"baseline", CellKind::kNs, Term::kBaseline},
                   {"candidate", CellKind::kNs, Term::kCandidate},
                   {"place", CellKind::kText, Term::kPlace}});
  const auto ratio = [](const std::optional<double>& logarithm, std::string_view why_not) {
    if (!logarithm) return MissingCell(why_not);
    return RatioCell(std::exp(*logarithm), RatioText(*logarithm), why_not);
  };
  for (const ShownRow& row : shown.rows) {
    const RowNumbers& numbers = row.numbers;
    const auto bound = [&](double model::LogInterval::*member) {
      return ratio(numbers.interval ? std::optional((*numbers.interval).*member) : std::nullopt,
                   "an interval needs five runs a side");
    };
    if (!table.AddRow({NameCell(model::ShownName(row.range)), TextCell(row.verdict),
                       TextCell(row.reason), ratio(numbers.log_ratio, "there is no ratio"),
                       bound(&model::LogInterval::low), bound(&model::LogInterval::high),
                       RatioCell(numbers.probability, row.probability, "not tested"),
                       NsCell(numbers.baseline_ns, "no run of the baseline has it"),
                       NsCell(numbers.candidate_ns, "no run of the candidate has it"),
                       TextCell(row.place)})) {
      break;
    }
  }
  std::string html = Format("<p>{}.</p>\n", HtmlText(shown.counts));
  html += table.Close(shown.rows_total, "by verdict, then change", kWhere);
  if (!shown.leaves.empty()) html += HtmlOf(Paragraph{shown.leaves});
  return HtmlSection(Format("tables-{}", id), title, html);
}

std::string AddedAndRemoved(const std::vector<ShownTable>& tables) {
  Items items;
  for (const ShownTable& table : tables) {
    for (const ShownRow& row : table.rows) {
      const bool added = row.verdict == model::VerdictName(model::Verdict::kAdded);
      const bool removed = row.verdict == model::VerdictName(model::Verdict::kRemoved);
      if (!added && !removed) continue;
      items.items.push_back(
          {row.verdict, Format("{} ({})", Quoted(row.range, 400), MetricTitle(table.metric))});
    }
  }
  if (items.items.empty())
    return HtmlSection("added-removed", "Ranges that came or went", "<p>None.</p>\n");
  return HtmlSection("added-removed", "Ranges that came or went", HtmlOf(items));
}

std::string ProvenanceSection(const Comparison& comparison) {
  Facts facts;
  facts.facts.push_back({"page made by rangewise", RANGEWISE_VERSION});
  facts.facts.push_back({"runs", RunCounts(comparison)});
  facts.facts.push_back({"tables came from", SourcesOf(comparison)});
  facts.facts.push_back({"primary metric", MetricOf(comparison.primary)});
  facts.facts.push_back({"alpha", Format("{}", comparison.alpha)});
  facts.facts.push_back({"floor", FloorText(comparison.floor)});
  return HtmlSection("provenance", "Where this came from", HtmlOf(facts));
}

// The last one is there in redacted pages only.
constexpr std::array<PageLink, 11> kLinks = {{{"verdict", "Verdict"},
                                              {"caveats", "Caveats"},
                                              {"contract", "Contract"},
                                              {"runs", "Runs"},
                                              {"strips", "Runs as points"},
                                              {"forest", "Ratios"},
                                              {"added-removed", "Came or went"},
                                              {"tables", "Tables"},
                                              {"glossary", "Glossary"},
                                              {"provenance", "Provenance"},
                                              {"redaction", "Redacted"}}};

std::string Sections(const Comparison& comparison, TablesRoom& room) {
  const std::vector<ShownTable> tables = ShownTables(comparison, model::kMostTableRows);
  std::string html = VerdictSection(comparison);
  html += CaveatsSection(comparison);
  html += ContractSection(comparison, room);
  html += RunsSection(comparison, room);
  html += HtmlSection(
      "strips", "Each run as a point",
      Figure("strips", "Values of the runs, metric by metric",
             "Each point is one run: its median in the metric. Host times, projections and GPU "
             "times have axes of their own. The table of runs has the primary metric's values."));
  html += HtmlSection(
      "forest", "Ratios with their intervals",
      Figure("forest", "Candidate over baseline, by effect",
             "Each line is a metric of one range: the ratio, and its interval where there are runs "
             "enough for one. The band around 1 is the floor. The tables have the same numbers."));
  html += AddedAndRemoved(tables);
  html += "<div id=\"tables\">\n";
  for (const ShownTable& table : tables) html += TableOf(table, room);
  if (tables.empty()) html += "<p>No metric has rows.</p>\n";
  html += "</div>\n" + GlossarySection(PageKind::kComparison);
  html += ProvenanceSection(comparison);
  if (!comparison.redaction) return html;
  const Section redaction = RedactionSection(*comparison.redaction);
  return html + HtmlSection("redaction", redaction.title, HtmlOf(redaction.blocks));
}

}  // namespace

PageParts MakeComparisonPage(const Comparison& comparison) {
  const std::string title =
      Format("Comparison of {}: {}", RunCounts(comparison), model::VerdictName(comparison.verdict));
  return {.title = HtmlEscaped(title),
          .body = PageHead(title, std::span(kLinks).first(kLinks.size() -
                                                          (comparison.redaction ? 0 : 1))) +
                  WithinRoom([&](TablesRoom& room) { return Sections(comparison, room); })};
}

}  // namespace rangewise::render
