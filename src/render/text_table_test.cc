#include "render/text_table.h"

#include <gtest/gtest.h>

#include <string>

#include "base/text.h"
#include "render/character_width.h"

namespace rangewise::render {
namespace {

TEST(CharacterWidth, CountsWhatATerminalShows) {
  EXPECT_EQ(DisplayWidth(""), 0u);
  EXPECT_EQ(DisplayWidth("plain"), 5u);
  EXPECT_EQ(DisplayWidth("äß"), 2u);
  EXPECT_EQ(DisplayWidth("漢字"), 4u);
  EXPECT_EQ(DisplayWidth("한글"), 4u);
  EXPECT_EQ(DisplayWidth("Ａ"), 2u);       // full width
  EXPECT_EQ(DisplayWidth("ｱ"), 1u);        // half width
  EXPECT_EQ(DisplayWidth("e\u0301"), 1u);  // combining acute
  EXPECT_EQ(DisplayWidth("😀"), 2u);
  EXPECT_EQ(DisplayWidth("か\u3099"), 2u);  // a combining mark among wide characters
  EXPECT_EQ(DisplayWidth("\U00020000"), 2u);
  EXPECT_EQ(DisplayWidth("\U0010ffff"), 1u);
}

TEST(Shortened, KeepsBothEnds) {
  EXPECT_EQ(Shortened("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(Shortened("abcdefghijk", 10), "abcd...ijk");
  EXPECT_EQ(Shortened("abcdefghijk", 4), "a...");
  EXPECT_EQ(Shortened("abcdefghijk", 3), "abc");
  EXPECT_EQ(Shortened("abcdefghijk", 0), "");
}

TEST(Shortened, CutsBetweenCharacters) {
  EXPECT_EQ(Shortened("漢字漢字漢字", 8), "漢...字");
  EXPECT_EQ(Shortened("漢字漢字漢字", 11), "漢字...漢字");
  EXPECT_EQ(Shortened("漢字", 3), "漢");
  EXPECT_EQ(Shortened("xe\u0301xxxxxxxe\u0301", 5), "x...e\u0301");
  EXPECT_EQ(Shortened("e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301", 5), "e\u0301...e\u0301");
}

TEST(Shortened, DropsMarksWithoutEnd) {
  std::string name = "a";
  for (int i = 0; i < 600; ++i) name += "\u0301";
  std::string kept = "a";
  for (int i = 0; i < 8; ++i) kept += "\u0301";
  EXPECT_EQ(Shortened(name + "b", 5), kept + "b");
}

TEST(TextTable, AlignsColumns) {
  TextTable table({{.header = "ns", .align = Align::kRight}, {.header = "name"}, {.header = "n"}});
  table.AddRow({"7", "漢字", "a"});
  table.AddRow({"1,234", "e\u0301", ""});
  table.AddRow({"12", "plain", "b"});
  EXPECT_EQ(table.Render(),
            "     ns  name   n\n"
            "      7  漢字   a\n"
            "  1,234  e\u0301\n"
            "     12  plain  b\n");
}

TEST(TextTable, LastColumnGivesWay) {
  TextTable table({{.header = "total"}, {.header = "name"}});
  table.AddRow({"1 ns", std::string(300, 'x') + "end"});
  table.AddRow({"2 ns", "short"});
  EXPECT_EQ(table.Render(24),
            "  total  name\n"
            "  1 ns   xxxxxx...xxxend\n"
            "  2 ns   short\n");
  EXPECT_EQ(TextTable({{.header = "a column of its own"}, {.header = "another one"}}).Render(10),
            "  a c...wn  ano...ne\n");
}

TEST(TextTable, RespectsAColumnsLimit) {
  TextTable table({{.header = "name", .max_width = 7}, {.header = "n"}});
  table.AddRow({"abcdefghij", "1"});
  EXPECT_EQ(table.Render(),
            "  name     n\n"
            "  ab...ij  1\n");
}

TEST(TextTable, NumbersAreNeverShortened) {
  TextTable table({{.header = "name"}, {.header = "ns", .align = Align::kRight}});
  table.AddRow({std::string(60, 'x'), "1,234,567,890"});
  EXPECT_EQ(table.Render(30),
            "  name                      ns\n"
            "  xxxxx...xxxxx  1,234,567,890\n");
  EXPECT_EQ(table.Render(5),
            "  name                 ns\n"
            "  xxx...xx  1,234,567,890\n");
}

TEST(TextTable, SeveralLongColumnsShareTheLine) {
  TextTable table({{.header = "n", .align = Align::kRight}, {.header = "from"}, {.header = "to"}});
  table.AddRow({"1", std::string(200, 'a'), std::string(200, 'b')});
  table.AddRow({"2", "short", "short"});
  const std::string text = table.Render(40);
  EXPECT_EQ(text.substr(0, text.find('\n', text.find("aaa"))),
            "  n  from              to\n"
            "  1  aaaaaaa...aaaaaa  bbbbbbb...bbbbbb");
}

TEST(TextTable, LeavesOutWhatGivesWayBeforeItSqueezesNames) {
  TextTable table({{.header = "total", .align = Align::kRight},
                   {.header = "median", .align = Align::kRight, .gives_way = 1},
                   {.header = "p95", .align = Align::kRight, .gives_way = 2},
                   {.header = "name"}});
  table.AddRow({"100.0 ms", "10.00 ms", "20.00 ms", "a name of 20 columns"});
  EXPECT_EQ(table.Render(52),
            "     total    median       p95  name\n"
            "  100.0 ms  10.00 ms  20.00 ms  a name of 20 columns\n");
  EXPECT_EQ(table.Render(51),
            "     total    median  name\n"
            "  100.0 ms  10.00 ms  a name of 20 columns\n");
  EXPECT_EQ(table.Render(41),
            "     total  name\n"
            "  100.0 ms  a name of 20 columns\n");
  EXPECT_EQ(table.Render(24),
            "     total  name\n"
            "  100.0 ms  a nam...umns\n");
}

TEST(TextTable, ALastColumnCanWrap) {
  TextTable table({{.header = "n", .align = Align::kRight}, {.header = "words", .wraps = true}});
  table.AddRow({"1", "one two three four"});
  table.AddRow({"2", ""});
  EXPECT_EQ(table.Render(15),
            "  n  words\n"
            "  1  one two\n"
            "     three four\n"
            "  2\n");
}

TEST(TextTable, NeutralisesCells) {
  TextTable table({{.header = "\x1b[1mname"}});
  table.AddRow({"\x1b[31mred\n\u202ex"});
  EXPECT_EQ(table.Render(), "  \\x1b[1mname\n  \\x1b[31mred\\n\\u{202e}x\n");
}

TEST(Wrapped, BreaksAtBlanks) {
  EXPECT_EQ(Wrapped("one two three four", 0, 2, 10), "one two\n  three\n  four\n");
  EXPECT_EQ(Wrapped("one two three", 2, 4, 100), "  one two three\n");
  EXPECT_EQ(Wrapped("", 0, 2, 10), "\n");
  EXPECT_EQ(Wrapped("a " + std::string(50, 'x') + " b", 0, 2, 12), "a xxxx...xxx\n  b\n");
  EXPECT_EQ(Wrapped("漢字 漢字 漢字", 0, 0, 9), "漢字 漢字\n漢字\n");
}

}  // namespace
}  // namespace rangewise::render
