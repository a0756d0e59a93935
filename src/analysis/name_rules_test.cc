#include "analysis/name_rules.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace rangewise::analysis {
namespace {

using model::NameRule;

std::string Applied(const std::vector<NameRule>& rules, std::string_view name,
                    bool mask_numbers = false) {
  Result<NameRules> made = NameRules::Make(rules, mask_numbers);
  EXPECT_TRUE(made.ok());
  return made->Apply(name).value();
}

TEST(NameRules, ReplaceEveryMatchInOrder) {
  EXPECT_EQ(Applied({{"a", "b"}, {"b", "c"}}, "aba"), "ccc");
  EXPECT_EQ(Applied({{"b", "c"}, {"a", "b"}}, "aba"), "bcb");
  EXPECT_EQ(Applied({{R"(step (\d+) of (\d+))", R"(\2 steps, \1st)"}}, "step 3 of 8"),
            "8 steps, 3st");
  EXPECT_EQ(Applied({{R"( \d+$)", ""}}, "Compute 430"), "Compute");
  EXPECT_EQ(Applied({{R"( \d+$)", ""}}, "Compute 430 x"), "Compute 430 x");
  EXPECT_EQ(Applied({{"step", "pass"}}, "step 12", true), "pass #");
}

TEST(NameRules, RefuseAPatternWithItsPosition) {
  const std::vector<NameRule> rules = {{"fine", ""}, {"a(b", ""}};
  const Result<NameRules> bad = NameRules::Make(rules, false);
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().code, Code::kBadPattern);
  EXPECT_NE(bad.error().message.find("'a(b'"), std::string::npos);
  EXPECT_EQ(bad.error().where.column, 1u);  // the piece that RE2 names is the whole pattern

  const std::vector<NameRule> star = {{"ab**", ""}};
  const Result<NameRules> repeated = NameRules::Make(star, false);
  ASSERT_FALSE(repeated.ok());
  EXPECT_EQ(repeated.error().where.column, 3u);

  const std::vector<NameRule> group = {{"(a)", R"(\2)"}};
  EXPECT_EQ(NameRules::Make(group, false).error().code, Code::kBadPattern);
}

TEST(NameRules, WarnOfARuleThatMatchesNothing) {
  const std::vector<NameRule> rules = {{"a", "b"}, {"zeb", "horse"}};
  Result<NameRules> made = NameRules::Make(rules, true);
  ASSERT_TRUE(made.ok());
  ASSERT_TRUE(made->Apply("a").ok());
  Diagnostics diagnostics;
  made->WarnOfUnused(diagnostics);
  ASSERT_EQ(diagnostics.warnings().size(), 2u);
  EXPECT_EQ(diagnostics.warnings()[0].Text(),
            "rule-matches-nothing: the rule 'zeb' => 'horse' matches no name");
  EXPECT_EQ(diagnostics.warnings()[1].Text(),
            "rule-matches-nothing: no name holds a number to mask");

  ASSERT_TRUE(made->Apply("zeb 4").ok());
  Diagnostics none;
  made->WarnOfUnused(none);
  EXPECT_TRUE(none.warnings().empty());
}

TEST(NameRules, RefuseNamesThatGrowWithoutBound) {
  const std::vector<NameRule> rules(20, NameRule{".", "aaaaaaaaaaaaaaaa"});
  Result<NameRules> made = NameRules::Make(rules, false);
  ASSERT_TRUE(made.ok());
  const Result<std::string> grown = made->Apply("ab");
  ASSERT_FALSE(grown.ok());
  EXPECT_EQ(grown.error().code, Code::kBadPattern);
  // A long name may stay as long as it was.
  const std::string raw(100000, 'x');
  EXPECT_EQ(Applied({{"x", "y"}}, raw), std::string(100000, 'y'));
}

TEST(NameRules, GiveTextEvenWhenTheySplitACharacter) {
  EXPECT_EQ(Applied({{R"(\C$)", ""}}, "\xc3\xa9"), "\\xc3");
}

TEST(MaskNumbers, MasksDigitsAddressesAndUuids) {
  EXPECT_EQ(MaskNumbers(""), "");
  EXPECT_EQ(MaskNumbers("no number"), "no number");
  EXPECT_EQ(MaskNumbers("iter 0123, op_id = 91"), "iter #, op_id = #");
  EXPECT_EQ(MaskNumbers("at 0x7fFF12ab+16"), "at #+#");
  EXPECT_EQ(MaskNumbers("0X1g 0x 0xg"), "#g #x #xg");
  EXPECT_EQ(MaskNumbers("id f47ac10b-58cc-4372-A567-0e02b2c3d479!"), "id #!");
  EXPECT_EQ(MaskNumbers("f47ac10b-58cc-4372-A567-0e02b2c3d47"), "f#ac#b-#cc-#-A#-#e#b#c#d#");
  EXPECT_EQ(MaskNumbers("1.5e9"), "#.#e#");
  EXPECT_EQ(MaskNumbers("[256, 4]x2"), "[#, #]x#");
}

// The masking is what one regular expression would do, written by hand because it is applied to
// every name of every analysis.
TEST(MaskNumbers, EqualsARegularExpression) {
  const Result<Regex> regex = Regex::Compile(
      "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
      "|0[xX][0-9a-fA-F]+|[0-9]+");
  ASSERT_TRUE(regex.ok());
  std::mt19937_64 random(20260701);
  const std::vector<std::string> pieces = {"0",
                                           "7",
                                           "x",
                                           "X",
                                           "a",
                                           "F",
                                           "g",
                                           "-",
                                           " ",
                                           "0x",
                                           "f47ac10b-58cc-4372-a567-",
                                           "f",
                                           "9",
                                           "12",
                                           "0e02b2c3d479",
                                           "-0000-",
                                           "é"};
  for (int round = 0; round < 20000 && !HasFailure(); ++round) {
    std::string name;
    for (size_t i = random() % 12; i > 0; --i) name += pieces[random() % pieces.size()];
    std::string expected = name;
    regex->ReplaceAll(expected, "#");
    EXPECT_EQ(MaskNumbers(name), expected) << name;
  }
}

}  // namespace
}  // namespace rangewise::analysis
