#include "render/report.h"

#include <gtest/gtest.h>

#include <string>

namespace rangewise::render {
namespace {

std::string FactsText(Facts facts, size_t width = kLineWidth) {
  return RenderText({.title = "t", .sections = {{.title = "s", .blocks = {std::move(facts)}}}},
                    {.width = width});
}

TEST(Report, LabelsFromInputsAreMadeSafe) {
  const Facts facts{{{"\x1b[31mred\n\u202eabc", "1", true, true}, {"plain", "2"}}};
  EXPECT_EQ(FactsText(facts),
            "t\n\ns\n"
            "  \\x1b[31mred\\n\\u{202e}abc  1\n"
            "  plain                     2\n");
}

TEST(Report, ALongLabelLeavesItsValueWhole) {
  const Facts facts{{{std::string(95, 'k'), "18446744073709551615", true, true}, {"seed", "7"}}};
  const std::string label = std::string(14, 'k') + "..." + std::string(13, 'k');
  EXPECT_EQ(FactsText(facts, 60), "t\n\ns\n  " + label + "  18446744073709551615\n  seed" +
                                      std::string(28, ' ') + "7\n");
}

TEST(Report, ALongNumberGoesOnInTheNextLine) {
  const std::string digits(45, '9');
  EXPECT_EQ(FactsText({{{"seed", digits}}}, 38), "t\n\ns\n  seed  " + digits.substr(0, 30) +
                                                     "\n        " + digits.substr(30) + "\n");
}

TEST(Report, LabelsFromInputsAreNoMarkup) {
  const Facts facts{{{"- x", "2", true, true}, {"1. y", "3", true, true}, {"", "4", true, true}}};
  EXPECT_EQ(RenderMarkdown({.title = "t", .sections = {{.title = "s", .blocks = {facts}}}}),
            "# t\n\n## s\n\n- `- x`: `2`\n- `1. y`: `3`\n- (no name): `4`\n");
}

}  // namespace
}  // namespace rangewise::render
