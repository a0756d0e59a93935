#include "render/markdown.h"

#include <gtest/gtest.h>

namespace rangewise::render {
namespace {

TEST(Markdown, NamesAreCodeWhereTheyCanBe) {
  EXPECT_EQ(MarkdownName("void k<int>(T *, a_b)"), "`void k<int>(T *, a_b)`");
  EXPECT_EQ(MarkdownName("a\\"), "`a\\`");
  EXPECT_EQ(MarkdownName("line\nbreak"), "`line\\nbreak`");
  EXPECT_EQ(MarkdownName("\x1b[31m"), "`\\x1b[31m`");
  EXPECT_EQ(MarkdownName("\u202eabc"), "`\\u{202e}abc`");
}

TEST(Markdown, NamesThatCodeCannotHoldAreEscaped) {
  EXPECT_EQ(MarkdownName("a|b"), "a&#124;b");
  EXPECT_EQ(MarkdownName("\\|"), "\\\\&#124;");
  EXPECT_EQ(MarkdownName("`x` **b**"), "\\`x\\` \\*\\*b\\*\\*");
  EXPECT_EQ(MarkdownName(""), "(no name)");
  EXPECT_EQ(MarkdownName("  "), "(no name)");
  EXPECT_EQ(MarkdownName("  a"), "&nbsp;&nbsp;`a`");
}

TEST(Markdown, TextIsNoMarkup) {
  EXPECT_EQ(MarkdownText("<img> &amp; [a](b) _c_ ~d~ #1 @me $e$"),
            "\\<img\\> \\&amp; \\[a\\](b) \\_c\\_ \\~d\\~ \\#1 \\@me \\$e\\$");
  EXPECT_EQ(MarkdownText("https://example.org www.example.org"),
            "https\\://example.org www\\.example.org");
  EXPECT_EQ(MarkdownText("a | b\n"), "a &#124; b\\\\n");
  EXPECT_EQ(MarkdownText("10.5 ms, plain."), "10.5 ms, plain.");
}

}  // namespace
}  // namespace rangewise::render
