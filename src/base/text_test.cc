#include "base/text.h"

#include <gtest/gtest.h>

namespace rangewise {
namespace {

TEST(Utf8, AcceptsWellFormedAndRefusesTheRest) {
  EXPECT_TRUE(IsUtf8(""));
  EXPECT_TRUE(IsUtf8("plain"));
  EXPECT_TRUE(IsUtf8("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"));
  EXPECT_FALSE(IsUtf8("\xC0\xAF"));          // overlong
  EXPECT_FALSE(IsUtf8("\xE0\x80\xAF"));      // overlong
  EXPECT_FALSE(IsUtf8("\xED\xA0\x80"));      // surrogate
  EXPECT_FALSE(IsUtf8("\xF4\x90\x80\x80"));  // beyond U+10FFFF
  EXPECT_FALSE(IsUtf8("\xE2\x82"));          // cut off
  EXPECT_FALSE(IsUtf8("\x80"));              // a continuation alone
}

TEST(Displayable, KeepsDistinctNamesDistinct) {
  EXPECT_EQ(Displayable("a\\b"), "a\\b");  // UTF-8: untouched
  EXPECT_EQ(Displayable("a\xFF"), "a\\xff");
  EXPECT_EQ(Displayable("a\\xff\xFF"), "a\\\\xff\\xff");
  EXPECT_NE(Displayable("\\xff\xFE"), Displayable("\xFF\xFE"));
}

TEST(Neutralised, ShowsWhatWouldMoveTheCursorOrTurnTheText) {
  EXPECT_EQ(Neutralised("a\x1b[31mred\n"), "a\\x1b[31mred\\n");
  EXPECT_EQ(Neutralised("\t\r\x7f"), "\\t\\r\\x7f");
  EXPECT_EQ(Neutralised("\xC2\x9B"), "\\x9b");  // C1 control sequence introducer
  EXPECT_EQ(Neutralised("\xE2\x80\xAE"
                        "abc"),
            "\\u{202e}abc");                                       // right-to-left override
  EXPECT_EQ(Neutralised("\xD7\xA9\xD7\x9C"), "\xD7\xA9\xD7\x9C");  // right-to-left letters stay
  EXPECT_EQ(Neutralised("\xF3\xA0\x80\xA1"), "\\u{e0021}");
}

// Of each range of Unicode's Default_Ignorable_Code_Point both ends, and what is invisible without
// being in it.
TEST(Neutralised, ShowsWhatCannotBeSeen) {
  for (const char* hidden :
       {"\u00ad",     "\u034f",     "\u061c",     "\u115f",     "\u1160",     "\u17b4",
        "\u17b5",     "\u180b",     "\u180e",     "\u180f",     "\u200b",     "\u200d",
        "\u200f",     "\u2028",     "\u202a",     "\u202e",     "\u2060",     "\u2065",
        "\u206a",     "\u206f",     "\u2800",     "\u3164",     "\ufe00",     "\ufe0f",
        "\ufeff",     "\uffa0",     "\ufff0",     "\ufff8",     "\ufffb",     "\U0001bca0",
        "\U0001bca3", "\U0001d173", "\U0001d17a", "\U000e0000", "\U000e0100", "\U000e0fff"}) {
    const std::string shown = Neutralised(std::string("a") + hidden + "b");
    EXPECT_EQ(shown.substr(0, 2), "a\\") << shown;
    EXPECT_EQ(shown.back(), 'b');
  }
  for (const char* seen : {"\u00a0", "\u00ac", "\u00ae", "\u0301", "\u1161", "\u180a", "\u2801",
                           "\u3163", "\ufe10", "\uffa1", "\ufffd", "\U0001f600", "\U0001d17b"}) {
    EXPECT_EQ(Neutralised(seen), seen);
  }
}

TEST(Quoted, ShortensInTheMiddleAtCharacterBoundaries) {
  EXPECT_EQ(Quoted("step"), "'step'");
  const std::string name = Quoted(std::string(100, 'a') + std::string(100, 'b'), 20);
  EXPECT_EQ(name, "'aaaaaaaaaa...bbbbbbb'");
  std::string wide;
  for (int i = 0; i < 100; ++i) wide += "\xE2\x82\xAC";
  EXPECT_TRUE(IsUtf8(Quoted(wide, 20)));
}

TEST(Lists, AreCutAndSaySo) {
  const std::vector<std::string> names = {"a", "b", "c"};
  EXPECT_EQ(QuotedList(names, 2), "'a', 'b' and 1 more");
  EXPECT_EQ(QuotedList(names, 0), "'a', 'b', 'c'");
  const std::vector<int64_t> indexes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(IndexList(indexes, 1'000'000'000'000),
            "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 999999999990 more");
  EXPECT_EQ(IndexList(std::vector<int64_t>{4}, 1), "4");
}

TEST(EditDistance, CountsEditsAndStopsAtTheLimit) {
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(EditDistance("", "abc"), 3u);
  EXPECT_EQ(EditDistance("aaaa", "bbbb", 2), 3u);
  EXPECT_EQ(NearestFirst("profile-targt", {"loop", "profile-target", "init"}).front(),
            "profile-target");
}

// Expected forms are those of Python's repr.
TEST(ShortestDecimal, HasAPointOrAnExponent) {
  EXPECT_EQ(ShortestDecimal(0.0), "0.0");
  EXPECT_EQ(ShortestDecimal(285021.5), "285021.5");
  EXPECT_EQ(ShortestDecimal(-3.0), "-3.0");
  EXPECT_EQ(ShortestDecimal(0.1), "0.1");
  EXPECT_EQ(ShortestDecimal(1e16), "1e+16");
  EXPECT_EQ(ShortestDecimal(9007199254740993.0), "9007199254740992.0");
  EXPECT_EQ(ShortestDecimal(0.00001), "1e-05");
  EXPECT_EQ(ShortestDecimal(0.0001), "0.0001");
  EXPECT_EQ(ShortestDecimal(1.7976931348623157e308), "1.7976931348623157e+308");
}

TEST(Grouped, SetsCommasByThousands) {
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(1234567), "1,234,567");
  EXPECT_EQ(Grouped(-1000), "-1,000");
}

TEST(ParseInt64, TakesWholeIntegersOnly) {
  EXPECT_EQ(ParseInt64("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(ParseInt64("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(ParseInt64("+7"), 7);
  EXPECT_EQ(ParseInt64("9223372036854775808"), std::nullopt);
  for (const char* bad : {"", "-", "+", "+-1", "1.0", " 1", "1 ", "0x1"})
    EXPECT_EQ(ParseInt64(bad), std::nullopt) << bad;
}

}  // namespace
}  // namespace rangewise
