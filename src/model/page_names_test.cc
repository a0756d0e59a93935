#include "model/page_names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/text.h"
#include "model/page_limits.h"

namespace rangewise::model {
namespace {

size_t Characters(const std::string& text) {
  size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0u) != 0x80 ? 1u : 0u;
  return count;
}

TEST(PageNames, ShortNamesStayInTerminalForm) {
  EXPECT_EQ(ShownName("forward <a & b>"), "forward <a & b>");
  EXPECT_EQ(ShownName("a\nb\x1b[31m"), "a\\nb\\x1b[31m");
  EXPECT_EQ(ShownName("\xe2\x80\xae"
                      "abc"),
            "\\u{202e}abc");
  EXPECT_EQ(ShownName("\xd7\xa9\xd7\x9c"), "\xd7\xa9\xd7\x9c");
  EXPECT_EQ(ShownName(std::string(kMostNameCharacters, 'x')),
            std::string(kMostNameCharacters, 'x'));
}

TEST(PageNames, ANameWithoutVisibleCharactersIsSaid) {
  EXPECT_EQ(ShownName(""), "(no name)");
  EXPECT_EQ(ShownName("  "), "(no name)");
}

TEST(PageNames, LongNamesKeepBothEndsAndSayTheirLength) {
  const std::string shown = ShownName("begin" + std::string(99'990, 'x') + "endin");
  EXPECT_TRUE(shown.starts_with("beginxxx")) << shown;
  EXPECT_TRUE(shown.ends_with("xxxendin")) << shown;
  EXPECT_NE(shown.find("[100,000 bytes in all]"), std::string::npos) << shown;
  EXPECT_LT(shown.size(), kMostNameCharacters + 40);
}

TEST(PageNames, AreCutBetweenCharacters) {
  // Characters of two, three and four bytes, at each offset.
  for (const char* character : {"\xd7\xa9", "\xe6\x97\xa5", "\xf0\x9f\x98\x80"}) {
    for (size_t offset = 0; offset < 4; ++offset) {
      std::string name(offset, 'a');
      for (int i = 0; i < 2'000; ++i) name += character;
      const std::string shown = ShownName(name);
      EXPECT_TRUE(IsUtf8(shown));
      EXPECT_EQ(shown.find("\\x"), std::string::npos) << "a cut left a part of a character";
      EXPECT_LE(Characters(shown), kMostNameCharacters + 40);
    }
  }
}

TEST(PageNames, WhatGetsLongerInTerminalFormIsBoundedToo) {
  std::string name;
  for (int i = 0; i < 300; ++i) name += "\xe2\x80\xae";
  EXPECT_LE(Characters(ShownName(name)), kMostNameCharacters + 40);
}

TEST(PageNames, APathIsItsNamesJoined) {
  NamePool names;
  const std::vector<PathNode> paths = {
      {kRootPath, names.Intern("step")}, {0, names.Intern("load")}, {1, names.Intern("a<b>")}};
  EXPECT_EQ(ShownPath(paths, names, 2), "step.load.a<b>");
  EXPECT_EQ(ShownPath(paths, names, 0), "step");
}

TEST(PageNames, ADeepPathShowsItsEnds) {
  NamePool names;
  std::vector<PathNode> paths;
  for (uint32_t i = 0; i < 100'000; ++i)
    paths.push_back({i == 0 ? kRootPath : i - 1, names.Intern(Format("level{}", i))});
  const std::string shown = ShownPath(paths, names, 99'999);
  EXPECT_TRUE(shown.starts_with("level0.level1.")) << shown;
  EXPECT_TRUE(shown.ends_with(".level99998.level99999")) << shown;
  EXPECT_LE(Characters(shown), kMostNameCharacters + 40);
}

TEST(PageNames, APathOfLongNamesShowsItsEnds) {
  NamePool names;
  const std::vector<PathNode> paths = {
      {kRootPath, names.Intern("first" + std::string(100'000, 'x'))},
      {0, names.Intern(std::string(100'000, 'y') + "last")}};
  const std::string shown = ShownPath(paths, names, 1);
  EXPECT_TRUE(shown.starts_with("firstxxx")) << shown;
  EXPECT_TRUE(shown.ends_with("yyylast")) << shown;
  EXPECT_NE(shown.find("[200,010 bytes in all]"), std::string::npos) << shown;
}

TEST(PageNames, ARangeOfAComparisonIsJoinedByArrows) {
  EXPECT_EQ(ShownRangePath({"step", "load"}), "step > load");
  EXPECT_LE(ShownRangePath(RangePath(10'000, "name")).size(), kMostNameCharacters + 60);
}

}  // namespace
}  // namespace rangewise::model
