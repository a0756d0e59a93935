#include "render/html.h"

#include <gtest/gtest.h>

#include <string>

#include "base/text.h"
#include "model/page_limits.h"

namespace rangewise::render {
namespace {

TEST(Html, TextBecomesNoMarkup) {
  EXPECT_EQ(HtmlText("</script><img src=x onerror=\"a('b')\">&amp;"),
            "&lt;/script&gt;&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;amp;");
}

TEST(Html, ControlsAndTurningCharactersAreSpelledOut) {
  EXPECT_EQ(HtmlText("\x1b[31m\n\xe2\x80\xa8\xe2\x80\xae"), "\\x1b[31m\\n\\u{2028}\\u{202e}");
  EXPECT_EQ(HtmlText("\xff"), "\\xff");
}

TEST(Html, NamesAreIsolated) {
  EXPECT_EQ(HtmlName("\xd7\xa9 <b>"), "<bdi>\xd7\xa9 &lt;b&gt;</bdi>");
  EXPECT_EQ(HtmlName(""), "<bdi>(no name)</bdi>");
}

TEST(Html, FactsAndItemsEscapeBothSides) {
  EXPECT_EQ(
      HtmlOf(Facts{{{"<a>", "<b>", true, true}, {"<c>", "<d>"}}}),
      "<dl "
      "class=\"facts\">\n<div><dt><bdi>&lt;a&gt;</bdi></dt><dd><bdi>&lt;b&gt;</bdi></dd></div>\n"
      "<div><dt>&lt;c&gt;</dt><dd>&lt;d&gt;</dd></div>\n</dl>\n");
  EXPECT_EQ(HtmlOf(Items{{{"<a>", "<b>"}, {"", "<c>"}}}),
            "<ul class=\"items\">\n<li><code>&lt;a&gt;</code> "
            "&lt;b&gt;</li>\n<li>&lt;c&gt;</li>\n</ul>\n");
  EXPECT_EQ(HtmlOf(Items{}), "");
}

TEST(Html, CommandsInParagraphsAreCode) {
  EXPECT_EQ(HtmlOf(Paragraph{"see `a <b>` and `c`, not ` alone"}),
            "<p>see <code>a &lt;b&gt;</code> and <code>c</code>, not ` alone</p>\n");
}

TEST(Html, ListsAreBoundedAndSaySo) {
  Items many;
  for (size_t i = 0; i < model::kMostItems + 3; ++i) many.items.push_back({"", "x"});
  EXPECT_NE(HtmlOf(many).find("<p class=\"folded\">3 more not shown here.</p>"), std::string::npos);

  Items long_ones;
  for (int i = 0; i < 150; ++i) long_ones.items.push_back({"", std::string(100'000, '<')});
  const std::string html = HtmlOf(long_ones);
  EXPECT_LE(html.size(), model::kMostListBytes + 200);
  EXPECT_NE(html.find("more not shown here"), std::string::npos);
}

TEST(Html, ATableEscapesHeadersAndCells) {
  const ReportTable table{.columns = {{"<h>"}, {"n", Align::kLeft, true}},
                          .rows = {{"<c>", "<n>"}}};
  const std::string html = HtmlOf(table);
  EXPECT_NE(html.find("<th scope=\"col\">&lt;h&gt;</th>"), std::string::npos) << html;
  EXPECT_NE(
      html.find("<td class=\"number\">&lt;c&gt;</td><td class=\"name\"><bdi>&lt;n&gt;</bdi></td>"),
      std::string::npos)
      << html;
}

}  // namespace
}  // namespace rangewise::render
