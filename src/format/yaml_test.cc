#include "format/yaml.h"

#include <gtest/gtest.h>

#include <string>

#include "base/text.h"

namespace rangewise::format {
namespace {

using Kind = YamlNode::Kind;

// A tree as one line: scalars as kind and text, so that a test reads at a glance.
std::string Shown(const YamlNode& node) {
  std::string out;
  switch (node.kind) {
    case Kind::kList:
      for (const YamlNodePtr& item : node.items) out += (out.empty() ? "" : ", ") + Shown(*item);
      return "[" + out + "]";
    case Kind::kMap:
      for (const auto& [key, value] : node.entries) {
        out += (out.empty() ? "" : ", ") + key->text + ": " + Shown(*value);
      }
      return "{" + out + "}";
    default:
      return std::string(KindName(node.kind)) + " " + Quoted(node.text);
  }
}

std::string Parsed(std::string_view text) {
  Result<YamlNodePtr> tree = ParseYaml(text, "m.yaml");
  return tree.ok() ? Shown(**tree) : Render(tree.error());
}

// The error as "code line:column message", or the tree where there is none.
std::string Failure(std::string_view text) {
  Result<YamlNodePtr> tree = ParseYaml(text, "m.yaml");
  if (tree.ok()) return Shown(**tree);
  const Error& error = tree.error();
  return Format("{} {}:{} {}", Describe(error.code).word, error.where.line, error.where.column,
                error.message);
}

std::string ValueFailure(std::string_view text) {
  Result<YamlNodePtr> tree = ParseYaml(text, "m.yaml");
  if (!tree.ok()) return "not parsed: " + Render(tree.error());
  Result<Value> value = ToValue(**tree, text, "m.yaml");
  if (value.ok()) return "no failure";
  const Error& error = value.error();
  return Format("{} {}:{} {}", Describe(error.code).word, error.where.line, error.where.column,
                error.message);
}

Value ValueOf(std::string_view text) {
  Result<YamlNodePtr> tree = ParseYaml(text, "m.yaml");
  EXPECT_TRUE(tree.ok()) << Render(tree.error());
  if (!tree.ok()) return {};
  Result<Value> value = ToValue(**tree, text, "m.yaml");
  EXPECT_TRUE(value.ok()) << Render(value.error());
  return value.ok() ? *value : Value{};
}

std::string Repeated(std::string_view piece, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += piece;
  return out;
}

TEST(Yaml, ScalarsKeepTheirTextBesideTheirKind) {
  EXPECT_EQ(Parsed("{a: 1_0, b: yes, c: ~, d: 1.50, e: 2001-12-14, f: word}"),
            "{a: an integer '1_0', b: a boolean 'yes', c: null '~', d: a float '1.50', "
            "e: a time '2001-12-14', f: a string 'word'}");
}

TEST(Yaml, QuotedAndBlockScalarsAreStrings) {
  EXPECT_EQ(Parsed("['1', \"yes\", \"\"]"), "[a string '1', a string 'yes', a string '']");
  EXPECT_EQ(Parsed("a: |\n  12\n"), "{a: a string '12\\n'}");
  EXPECT_EQ(Parsed("a: >-\n  12\n  13\n"), "{a: a string '12 13'}");
}

TEST(Yaml, EscapesAndFoldingAreApplied) {
  const YamlNodePtr node = ParseYaml("\"a\\tb\\u00e9\\U0001F600\\0c\"", "m.yaml").value();
  EXPECT_EQ(node->text, std::string("a\tb\xC3\xA9\xF0\x9F\x98\x80\0c", 11));
  EXPECT_EQ(ParseYaml("one\n two\n\n three", "m.yaml").value()->text, "one two\nthree");
}

TEST(Yaml, EmptyDocumentsAreNull) {
  for (const char* text :
       {"", "\n\n", "# only a comment\n", "---\n", "--- \n...\n", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(Parsed(text), "null ''") << text;
  }
}

TEST(Yaml, MissingValuesAreNull) {
  EXPECT_EQ(Parsed("a:\nb: \n"), "{a: null '', b: null ''}");
  EXPECT_EQ(Parsed("- \n- x\n"), "[null '', a string 'x']");
}

TEST(Yaml, TagsOfTheStandardTypesAreHonoured) {
  EXPECT_EQ(Parsed("[!!str 12, !!int \"12\", !!float 1, !!bool \"Yes\", !!null x, !!timestamp "
                   "\"2001-01-01\"]"),
            "[a string '12', an integer '12', a float '1', a boolean 'Yes', null 'x', a time "
            "'2001-01-01']");
  EXPECT_EQ(
      Parsed("{a: !!seq [], b: !!map {}, c: !!str , d: ! 12, e: ! [1], f: ! \"1\"}"),
      "{a: [], b: {}, c: a string '', d: an integer '12', e: [an integer '1'], f: an integer '1'}");
  EXPECT_EQ(Parsed("!<tag:yaml.org,2002:str> 12"), "a string '12'");
}

TEST(Yaml, TagsThatDoNotSuitTheirTextAreRefused) {
  EXPECT_EQ(Failure("a: !!int x1"), "manifest-not-yaml 1:4 'x1' is not what its tag !!int says");
  EXPECT_EQ(Failure("a: !!float x"), "manifest-not-yaml 1:4 'x' is not what its tag !!float says");
  EXPECT_EQ(Failure("a: !!bool 1"), "manifest-not-yaml 1:4 '1' is not what its tag !!bool says");
  EXPECT_EQ(Failure("a: !!timestamp 1"),
            "manifest-not-yaml 1:4 '1' is not what its tag !!timestamp says");
  EXPECT_EQ(Failure("a: !!map x"), "manifest-not-yaml 1:4 'x' is not what its tag !!map says");
  EXPECT_EQ(Failure("a: !!str [x]"), "manifest-not-yaml 1:4 a list is not what the tag !!str says");
  EXPECT_EQ(Failure("a: !!seq {x: 1}"),
            "manifest-not-yaml 1:4 a mapping is not what the tag !!seq says");
}

TEST(Yaml, OtherTagsAreRefused) {
  EXPECT_EQ(Failure("a: 1\nb: !color red"), "manifest-not-yaml 2:4 unknown tag '!color'");
  EXPECT_EQ(Failure("b: !!python/object:os.system [x]"),
            "manifest-not-yaml 1:4 a list is not what the tag !!python/object:os.system says");
  EXPECT_EQ(Failure("b: !!binary aGk="),
            "manifest-not-yaml 1:4 unknown tag 'tag:yaml.org,2002:binary'");
  EXPECT_EQ(Failure("b: !x {}"), "manifest-not-yaml 1:4 unknown tag '!x'");
}

TEST(Yaml, DuplicateKeysNameBothLines) {
  EXPECT_EQ(Failure("a: 1\nb: 2\n\na: 3\n"),
            "manifest-duplicate-key 4:1 the key 'a' stands twice in one mapping, at line 1 and at "
            "line 4");
  EXPECT_EQ(Failure("x:\n  - {k: 1, \"k\": 2}\n"),
            "manifest-duplicate-key 2:12 the key 'k' stands twice in one mapping, at line 2 and at "
            "line 2");
  EXPECT_EQ(Failure("1: a\n'1': b\n"),
            "manifest-duplicate-key 2:1 the key '1' stands twice in one mapping, at line 1 and at "
            "line 2");
  EXPECT_EQ(Failure("a: &k key\n*k : 1\nkey: 2\n"),
            "manifest-duplicate-key 3:1 the key 'key' stands twice in one mapping, at line 2 and "
            "at line 3");
  EXPECT_EQ(Failure("a: 1\nb: {a: 1}\n"), "{a: an integer '1', b: {a: an integer '1'}}");
}

TEST(Yaml, MergedKeysYieldToOwnKeys) {
  EXPECT_EQ(Parsed("base: &b {x: 1, y: 2}\nown:\n  <<: *b\n  y: 3\n"),
            "{base: {x: an integer '1', y: an integer '2'}, own: {y: an integer '3', x: an integer "
            "'1'}}");
  EXPECT_EQ(Parsed("base: &b {x: 1}\nown:\n  x: 3\n  <<: *b\n"),
            "{base: {x: an integer '1'}, own: {x: an integer '3'}}");
}

TEST(Yaml, OfMergedMappingsTheEarlierWins) {
  EXPECT_EQ(Parsed("- &a {x: 1}\n- &b {x: 2, y: 2}\n- {<<: [*a, *b]}\n"),
            "[{x: an integer '1'}, {x: an integer '2', y: an integer '2'}, {x: an integer '1', y: "
            "an integer '2'}]");
}

TEST(Yaml, MergesOfMergesAreApplied) {
  EXPECT_EQ(Parsed("- &a {x: 1}\n- &b {<<: *a, y: 2}\n- {<<: *b, z: 3}\n"),
            "[{x: an integer '1'}, {y: an integer '2', x: an integer '1'}, "
            "{z: an integer '3', y: an integer '2', x: an integer '1'}]");
  EXPECT_EQ(Parsed("<<: {x: 1, <<: {x: 2, y: 3}}"), "{x: an integer '1', y: an integer '3'}");
}

TEST(Yaml, MergeKeysAreRefusedWhereTheyMeanNothing) {
  EXPECT_EQ(
      Failure("a: 1\n<<: 3\n"),
      "manifest-not-yaml 2:1 a merge key takes a mapping or a list of mappings, found an integer");
  EXPECT_EQ(
      Failure("<<: [{}, x]"),
      "manifest-not-yaml 1:1 a merge key takes a mapping or a list of mappings, found a string");
  EXPECT_EQ(Failure("<<: {a: 1}\n<<: {b: 1}\n"),
            "manifest-duplicate-key 2:1 the key '<<' stands twice in one mapping, at line 1 and at "
            "line 2");
  EXPECT_EQ(Failure("a: <<"),
            "manifest-not-yaml 1:4 the bare value '<<' has a meaning of its own in YAML 1.1 and is "
            "none here");
  EXPECT_EQ(Failure("- ="),
            "manifest-not-yaml 1:3 the bare value '=' has a meaning of its own in YAML 1.1 and is "
            "none here");
  EXPECT_EQ(Failure("&m <<: {}"), "manifest-not-yaml 1:1 a merge key cannot bear an anchor");
}

TEST(Yaml, QuotedMergeKeysAndEqualsKeysAreOrdinary) {
  EXPECT_EQ(Parsed("\"<<\": 1"), "{<<: an integer '1'}");
  EXPECT_EQ(Parsed("!!str <<: 1"), "{<<: an integer '1'}");
  EXPECT_EQ(Parsed("=: 1"), "{=: an integer '1'}");
}

TEST(Yaml, KeysAreScalars) {
  EXPECT_EQ(Failure("? [a]\n: 1\n"), "manifest-not-yaml 1:3 a key must be a scalar, found a list");
  EXPECT_EQ(Failure("{{a: 1}: 1}"),
            "manifest-not-yaml 1:2 a key must be a scalar, found a mapping");
  EXPECT_EQ(Failure("a: &l [1]\n*l : 1\n"),
            "manifest-not-yaml 2:1 a key must be a scalar, found a list");
  EXPECT_EQ(Parsed("{1: a, ~: b, yes: c}"),
            "{1: a string 'a', ~: a string 'b', yes: a string 'c'}");
}

TEST(Yaml, SeveralDocumentsAreRefused) {
  EXPECT_EQ(Failure("a: 1\n---\nb: 2\n"),
            "manifest-not-yaml 2:1 a second document begins here; one is expected");
  EXPECT_EQ(Failure("---\n---\n"),
            "manifest-not-yaml 2:1 a second document begins here; one is expected");
  EXPECT_EQ(Failure("--- {a: 1}\n...\n# end\n"), "{a: an integer '1'}");
}

TEST(Yaml, SyntaxErrorsPointAtTheLine) {
  EXPECT_EQ(Parsed("a: 1\nb: [1, 2\nc: 3\n"),
            "error[manifest-not-yaml]: not valid YAML: did not find expected ',' or ']', while "
            "parsing a flow sequence\n"
            "  at m.yaml:3:2\n"
            "  | c: 3\n"
            "  |  ^\n"
            "  it begins at line 2, column 4\n"
            "  next: Correct the line shown.\n");
}

TEST(Yaml, TabsAsIndentationPointAtTheTab) {
  EXPECT_EQ(Parsed("workload:\n\twarmup: 1\n"),
            "error[manifest-not-yaml]: not valid YAML: found character that cannot start any "
            "token, while scanning for "
            "the next token\n"
            "  at m.yaml:2:1\n"
            "  | \\twarmup: 1\n"
            "  | ^\n"
            "  next: YAML indents by spaces only: replace the tab shown.\n");
}

TEST(Yaml, ColumnsCountBytesBeyondAscii) {
  EXPECT_EQ(Failure("{\"\xC3\xA9\xC3\xA9\": !x 1}"), "manifest-not-yaml 1:10 unknown tag '!x'");
  const std::string padding = "# " + Repeated("\xE2\x82\xAC", 200) + "\n";
  EXPECT_EQ(Failure(padding + "a: \xF0\x9F\x98\x80\nb: [\xC3\xA9, !x y]"),
            "manifest-not-yaml 3:9 unknown tag '!x'");
}

TEST(Yaml, AllLineEndsCountAlike) {
  for (const char* end : {"\n", "\r\n", "\r"}) {
    const std::string e = end;
    const std::string text = "a: 1" + e + e + "b:" + e + "  c: !x 1" + e + "d: 2" + e;
    EXPECT_EQ(Failure(text), "manifest-not-yaml 4:6 unknown tag '!x'");
    EXPECT_EQ(SourceLine(text, 4), "  c: !x 1");
    EXPECT_EQ(SourceLine(text, 2), "");
    EXPECT_EQ(SourceLine(text, 5), "d: 2");
    EXPECT_EQ(SourceLine(text, 6), "");
  }
  EXPECT_EQ(Parsed("a: 1\r\nb: |\r\n  x\r\n  y\r\n"),
            "{a: an integer '1', b: a string 'x\\ny\\n'}");
}

TEST(Yaml, SeparatorsThatEditorsDoNotKnowEndNoLine) {
  // NEL and LS: libyaml counts a line each.
  EXPECT_EQ(Failure("a: 'x\xC2\x85y\xE2\x80\xA8z'\nb: !x 1"),
            "manifest-not-yaml 2:4 unknown tag '!x'");
}

TEST(Yaml, ByteOrderMarkIsNotCounted) {
  EXPECT_EQ(Parsed("\xEF\xBB\xBF"
                   "a: 1\n"),
            "{a: an integer '1'}");
  EXPECT_EQ(Failure("\xEF\xBB\xBF"
                    "a: !x 1\n"),
            "manifest-not-yaml 1:4 unknown tag '!x'");
  EXPECT_EQ(SourceLine("\xEF\xBB\xBF"
                       "a: !x 1\n",
                       1),
            "a: !x 1");
}

TEST(Yaml, Utf16IsRefusedByName) {
  const std::string expected =
      "manifest-not-yaml 1:1 the file is UTF-16; YAML is read as UTF-8 only";
  EXPECT_EQ(Failure(std::string_view("\xFF\xFE"
                                     "a\0:\0",
                                     6)),
            expected);
  EXPECT_EQ(Failure(std::string_view("\xFE\xFF\0a\0:", 6)), expected);
  EXPECT_EQ(Failure(std::string_view("a\0:\0", 4)), expected);
  EXPECT_EQ(Failure(std::string_view("\0a\0:", 4)), expected);
}

TEST(Yaml, InvalidUtf8AndControlCharactersPointAtTheByte) {
  EXPECT_EQ(Failure("a: 1\nb: x\xFFy\n"),
            "manifest-not-yaml 2:5 not valid YAML: invalid leading UTF-8 octet (0xff)");
  EXPECT_EQ(Failure("a: \xC3("),
            "manifest-not-yaml 1:5 not valid YAML: invalid trailing UTF-8 octet (0x28)");
  EXPECT_EQ(Failure("a: \xC0\xAF"),
            "manifest-not-yaml 1:4 not valid YAML: invalid length of a UTF-8 sequence");
  EXPECT_EQ(Failure("a: \xED\xA0\x80"),
            "manifest-not-yaml 1:4 not valid YAML: invalid Unicode character (0xd800)");
  EXPECT_EQ(Failure("a: x\xE2\x82"),
            "manifest-not-yaml 1:5 not valid YAML: incomplete UTF-8 octet sequence");
  EXPECT_EQ(Failure("\xEF\xBB\xBF"
                    "a: 1\nb: \x01"),
            "manifest-not-yaml 2:4 not valid YAML: control characters are not allowed (0x01)");
}

TEST(Yaml, AliasesShareTheNode) {
  const YamlNodePtr tree = ParseYaml("a: &x [1]\nb: *x\n", "m.yaml").value();
  EXPECT_EQ(tree->entries[0].second.get(), tree->entries[1].second.get());
  EXPECT_EQ(tree->entries[1].second->position.line, 1u);
  EXPECT_EQ(tree->entries[1].second->position.column, 4u);
}

TEST(Yaml, AliasesNeedOneFinishedAnchorBefore) {
  EXPECT_EQ(Failure("a: *x\n"), "manifest-not-yaml 1:4 the alias 'x' has no anchor before it");
  EXPECT_EQ(Failure("a: &x\n  b: *x\n"),
            "manifest-not-yaml 2:6 the alias 'x' names the node that contains it (line 1)");
  EXPECT_EQ(Failure("&x [*x]"),
            "manifest-not-yaml 1:5 the alias 'x' names the node that contains it (line 1)");
  EXPECT_EQ(Failure("- &x 1\n- &x 2\n"),
            "manifest-not-yaml 2:3 the anchor 'x' is given twice, first at line 1");
}

TEST(Yaml, NestingIsLimited) {
  EXPECT_EQ(Failure(Repeated("[", 100) + Repeated("]", 100)),
            Repeated("[", 100) + Repeated("]", 100));
  EXPECT_EQ(Failure(Repeated("[", 101)),
            "manifest-not-yaml 1:101 nested deeper than 100 levels, aliases followed");
  EXPECT_EQ(Failure(Repeated("[", 1'000'000)),
            "manifest-not-yaml 1:101 nested deeper than 100 levels, aliases followed");
  EXPECT_EQ(Failure(Repeated("- ", 101) + "x"),
            "manifest-not-yaml 1:201 nested deeper than 100 levels, aliases followed");
  EXPECT_EQ(Failure(Repeated("{a: ", 1'000)),
            "manifest-not-yaml 1:401 nested deeper than 100 levels, aliases followed");
}

TEST(Yaml, AliasesCannotNestDeeperThanText) {
  std::string chain = "- &a0 [x]\n";
  for (int i = 1; i < 5'000; ++i) chain += Format("- &a{} [*a{}]\n", i, i - 1);
  // a98 is 99 levels high and stands on the second level.
  EXPECT_EQ(Failure(chain),
            "manifest-not-yaml 100:9 nested deeper than 100 levels, aliases followed");
}

TEST(Yaml, AliasBombsParseAndStopWhenWalked) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 20; ++i) {
    bomb += Format("a{0}: &a{0} [{1}*a{2}]\n", i, Repeated(Format("*a{}, ", i - 1), 9), i - 1);
  }
  EXPECT_TRUE(ParseYaml(bomb, "m.yaml").ok());
  EXPECT_EQ(ValueFailure(bomb),
            "manifest-value 1:37 too much is copied through aliases: a manifest's values may hold "
            "1,000,000 nodes and "
            "64 MiB of text in all");
}

TEST(Yaml, LongTextsBehindAliasesStopWhenWalked) {
  const std::string text = "- &a " + std::string(1 << 20, 'x') + "\n" + Repeated("- *a\n", 64);
  EXPECT_EQ(ValueFailure(text).substr(0, 64),
            "manifest-value 1:3 too much is copied through aliases: a manifes");
  const std::string keys =
      "- &k " + std::string(1 << 20, 'x') + "\n" + Repeated("- {*k : 1}\n", 64);
  EXPECT_EQ(ValueFailure(keys), "manifest-value 1:3 too much text in keys");
}

TEST(Yaml, MergeBombsAreCounted) {
  std::string text = "base: &b {";
  for (int i = 0; i < 1'000; ++i) text += Format("k{}: 1, ", i);
  text += "}\nlist:\n" + Repeated("- {<<: *b}\n", 150);
  EXPECT_EQ(Failure(text), "manifest-not-yaml 102:4 merge keys visit more than 100000 entries");
}

TEST(Yaml, DirectivesAreCounted) {
  EXPECT_EQ(Failure("%YAML 1.1\n%TAG !y! tag:yaml.org,2002:\n--- !y!str 12\n"), "a string '12'");
  EXPECT_EQ(Failure(Repeated("%TAG !a! b\n", 101)),
            "manifest-not-yaml 101:1 more than 100 lines begin with '%', as directives do");
}

TEST(Yaml, SizeIsLimited) {
  const std::string text(kYamlSizeLimit + 1, '\n');
  EXPECT_EQ(Failure(text),
            "manifest-value 0:0 the file has 16777217 bytes; at most 16777216 are read");
}

TEST(Yaml, ValuesAreTyped) {
  const Value expected{ValueMap{
      {"1", Value{std::string("key")}},
      {"bool", Value{true}},
      {"float", Value{0.5}},
      {"hex", Value{Integer{"-255"}}},
      {"list", Value{ValueList{Value{}, Value{std::string("1")}, Value{false}}}},
      {"map", Value{ValueMap{}}},
      {"octal", Value{Integer{"8"}}},
      {"sexagesimal", Value{Integer{"5400"}}},
      {"time", Value{std::string("2001-12-14 21:59:43")}},
  }};
  EXPECT_EQ(
      ValueOf("{map: {}, hex: -0xFF, octal: 010, sexagesimal: 1:30:00, bool: on, float: 5.0e-1, "
              "list: [~, '1', No], time: 2001-12-14 21:59:43, 1: key}"),
      expected);
}

TEST(Yaml, HugeIntegersKeepTheirDigits) {
  EXPECT_EQ(ValueOf("123_456_789_012_345_678_901_234_567_890"),
            Value{Integer{"123456789012345678901234567890"}});
  EXPECT_EQ(ValueOf("0xffffffffffffffffffffffffffffffff"),
            Value{Integer{"340282366920938463463374607431768211455"}});
}

TEST(Yaml, ValuesThatJsonLacksAreRefused) {
  EXPECT_EQ(ValueFailure("a:\n- .nan"),
            "manifest-value 2:3 '.nan' is no number that JSON can hold");
  EXPECT_EQ(ValueFailure("a: -.INF"), "manifest-value 1:4 '-.INF' is no number that JSON can hold");
  EXPECT_EQ(ValueFailure("a: 1.0e+400"),
            "manifest-value 1:4 the number '1.0e+400' is outside of what a double can hold");
  EXPECT_EQ(ValueFailure("a: 0x_"), "manifest-value 1:4 the integer '0x_' has no digits");
  EXPECT_EQ(ValueFailure("a: 0x" + std::string(2'000, '1')),
            "manifest-value 1:4 an integer of 2002 characters that is not decimal; at most 1024 "
            "are converted");
}

TEST(Yaml, OneBudgetBoundsSeveralCalls) {
  const std::string text = "[1, 2, 3]";
  const YamlNodePtr tree = ParseYaml(text, "m.yaml").value();
  ValueBudget budget{.nodes = 6, .bytes = 100};
  EXPECT_TRUE(ToValue(*tree, text, "m.yaml", budget).ok());
  EXPECT_EQ(budget.nodes, 2u);
  EXPECT_EQ(budget.bytes, 97u);
  EXPECT_FALSE(ToValue(*tree, text, "m.yaml", budget).ok());
}

}  // namespace
}  // namespace rangewise::format
