#include "render/page_table.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>

#include "base/text.h"
#include "render/page_shell.h"

namespace rangewise::render {
namespace {

TEST(PageTable, CellsCarryTheExactNumber) {
  EXPECT_EQ(NsCell(int64_t{123'456}), "<td data-v=\"123456\">123.5 µs</td>");
  EXPECT_EQ(NsCell(0.1), "<td data-v=\"0.1\">0.10 ns</td>");
  EXPECT_EQ(NsCell(std::numeric_limits<int64_t>::min()).substr(0, 33),
            "<td data-v=\"-9223372036854775808\"");
  EXPECT_EQ(CountCell(1'234'567), "<td data-v=\"1234567\">1,234,567</td>");
  EXPECT_EQ(BytesCell(2048), "<td data-v=\"2048\">2.000 KiB</td>");
  EXPECT_EQ(ShareCell(0.123456789, ""), "<td data-v=\"0.123456789\">12.3 %</td>");
  EXPECT_EQ(RateCell(1024.0, ""), "<td data-v=\"1024.0\">1.000 KiB/s</td>");
  EXPECT_EQ(NumberCell(1234), "<td data-v=\"1234\">1234</td>");
}

TEST(PageTable, AMissingNumberIsNoZeroAndSaysWhy) {
  const std::string missing = "<td data-v=\"\" title=\"not &lt;there&gt;\">–</td>";
  EXPECT_EQ(MissingCell("not <there>"), missing);
  EXPECT_EQ(NsCell(std::optional<double>(), "not <there>"), missing);
  EXPECT_EQ(ShareCell(std::nullopt, "not <there>"), missing);
  EXPECT_EQ(RateCell(std::nullopt, "not <there>"), missing);
  EXPECT_EQ(RatioCell(std::nullopt, "1.0", "not <there>"), missing);
  EXPECT_EQ(NsCell(std::numeric_limits<double>::quiet_NaN()).substr(0, 14), "<td data-v=\"\" ");
}

TEST(PageTable, HeadingsCarryTheGlossary) {
  TablesRoom room;
  PageTable table(room, "t", "Things", {{"busy", CellKind::kNs, Term::kBusy}});
  table.AddRow({NsCell(int64_t{1})});
  const std::string html = table.Close(1, "by name");
  EXPECT_NE(html.find("<caption>Things: 1 row by name</caption>"), std::string::npos) << html;
  EXPECT_NE(html.find(Format("<th scope=\"col\" data-kind=\"ns\" title=\"{}\">busy</th>",
                             Describe(Term::kBusy).line)),
            std::string::npos)
      << html;
  EXPECT_EQ(html.find("folded"), std::string::npos);
}

TEST(PageTable, RowsBeyondALimitAreFoldedAndCounted) {
  TablesRoom room;
  PageTable table(room, "t", "Things", {{"n", CellKind::kCount, Term::kInstances}});
  size_t taken = 0;
  for (size_t i = 0; i < model::kMostTableRows + 5; ++i)
    taken += table.AddRow({CountCell(1)}) ? 1 : 0;
  EXPECT_EQ(taken, model::kMostTableRows);
  const std::string html = table.Close(model::kMostTableRows + 5, "");
  EXPECT_NE(html.find("first 1,000 of 1,005 rows"), std::string::npos);
  EXPECT_NE(
      html.find("<p class=\"folded\">5 more rows are not on this page; analysis.json has all.</p>"),
      std::string::npos);
}

TEST(PageTable, BytesBeyondALimitAreFoldedToo) {
  TablesRoom room{.bytes_each = 1'000};
  PageTable table(room, "t", "Things", {{"n", CellKind::kName, Term::kName}});
  EXPECT_TRUE(table.AddRow({NameCell(std::string(600, 'x'))}));
  EXPECT_FALSE(table.AddRow({NameCell(std::string(600, 'x'))}));
  // A row that would fit does not come before one that did not.
  EXPECT_FALSE(table.AddRow({NameCell("x")}));
  table.Close(3, "");
  EXPECT_GT(room.used, 600u);
  EXPECT_LE(room.used, 1'000u);
}

TEST(PageTable, AllTablesTogetherStayWithinTheirLimit) {
  const auto sections = [](TablesRoom& room) {
    std::string html;
    for (int t = 0; t < 12; ++t) {
      PageTable table(room, "t", "Things", {{"n", CellKind::kName, Term::kName}});
      for (int i = 0; i < 900; ++i) table.AddRow({NameCell(std::string(400, 'x'))});
      html += table.Close(900, "");
    }
    return html;
  };
  const std::string html = WithinRoom(sections);
  EXPECT_LE(html.size(), model::kMostTablesBytes + 12 * 1'000);
  EXPECT_GT(html.size(), model::kMostTablesBytes / 2);
}

TEST(Glossary, EachTermHasAWordAndASentence) {
  for (const TermInfo& term : AllTerms()) {
    EXPECT_FALSE(term.word.empty());
    EXPECT_TRUE(term.line.ends_with('.')) << term.word;
    EXPECT_TRUE(term.of_runs || term.of_comparisons) << term.word;
  }
}

TEST(Glossary, ListsTheTermsOfItsKindOfPage) {
  const std::string run = GlossarySection(PageKind::kRun);
  const std::string comparison = GlossarySection(PageKind::kComparison);
  EXPECT_NE(run.find("<dt>busy share</dt>"), std::string::npos);
  EXPECT_EQ(comparison.find("<dt>busy share</dt>"), std::string::npos);
  EXPECT_NE(comparison.find("<dt>verdict</dt>"), std::string::npos);
  EXPECT_EQ(run.find("<dt>verdict</dt>"), std::string::npos);
}

}  // namespace
}  // namespace rangewise::render
