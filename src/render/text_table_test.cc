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
            "  a column of its own  ano...ne\n");
}

TEST(TextTable, RespectsAColumnsLimit) {
  TextTable table({{.header = "name", .max_width = 7}, {.header = "n"}});
  table.AddRow({"abcdefghij", "1"});
  EXPECT_EQ(table.Render(),
            "  name     n\n"
            "  ab...ij  1\n");
}

TEST(TextTable, NeutralisesCells) {
  TextTable table({{.header = "name"}});
  table.AddRow({"\x1b[31mred\n\u202ex"});
  EXPECT_EQ(table.Render(), "  name\n  \\x1b[31mred\\n\\u{202e}x\n");
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
