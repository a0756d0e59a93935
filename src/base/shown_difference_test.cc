#include "base/shown_difference.h"

#include <gtest/gtest.h>

namespace rangewise {
namespace {

TEST(ShownDifference, ShortTextsStayWhole) {
  const ShownPair pair = ShowDifference("185688", "185687", 28);
  EXPECT_EQ(pair.first, "185688");
  EXPECT_EQ(pair.second, "185687");
  EXPECT_FALSE(pair.cut);
}

TEST(ShownDifference, LongTextsAreCutAroundTheFirstPlaceThatDiffers) {
  const std::string before(60, 'a');
  const std::string after(60, 'b');
  const ShownPair pair = ShowDifference(before + "X" + after, before + "Y" + after, 28);
  EXPECT_EQ(pair.first, "…" + std::string(9, 'a') + "X" + std::string(18, 'b') + "…");
  EXPECT_EQ(pair.second, "…" + std::string(9, 'a') + "Y" + std::string(18, 'b') + "…");
  EXPECT_TRUE(pair.cut);
  const ShownPair longer = ShowDifference(before, before + "c", 28);
  EXPECT_EQ(longer.first, "…" + std::string(9, 'a'));
  EXPECT_EQ(longer.second, "…" + std::string(9, 'a') + "c");
}

TEST(ShownDifference, SaysWhereBlanksAreAtAnEnd) {
  EXPECT_TRUE(ShowDifference(":other ", ":other", 28).edges);
  EXPECT_TRUE(ShowDifference(":other", "\t:other", 28).edges);
  EXPECT_TRUE(ShowDifference("", "0", 28).edges);
  EXPECT_FALSE(ShowDifference("a b", "a c", 28).edges);
}

TEST(ShownDifference, CharactersStayWhole) {
  std::string umlauts;
  for (int i = 0; i < 40; ++i) umlauts += "ä";
  for (size_t limit = 8; limit < 30; ++limit) {
    // "ä" and "ö" share their first byte.
    const ShownPair pair = ShowDifference(umlauts + "ä" + umlauts, umlauts + "ö" + umlauts, limit);
    for (const std::string& piece : {pair.first, pair.second}) {
      EXPECT_TRUE(piece.starts_with("…ä")) << limit << piece;
      EXPECT_TRUE(piece.ends_with("ä…")) << limit << piece;
    }
    EXPECT_NE(pair.first, pair.second);
    EXPECT_TRUE(Clipped(umlauts, limit).ends_with("ä…"));
  }
  EXPECT_EQ(Clipped("abc", 3), "abc");
  EXPECT_EQ(Clipped(std::string(20, '\x80'), 16).size(), 16 + std::string("…").size());
}

}  // namespace
}  // namespace rangewise
