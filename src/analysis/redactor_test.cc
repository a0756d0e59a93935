#include "analysis/redactor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

namespace rangewise::analysis {
namespace {

using model::RedactedKind;

std::string Sentence(Redactor& redactor, std::string text) {
  redactor.Sentence(text);
  return text;
}
bool Has(const std::string& text, std::string_view what) {
  return text.find(what) != std::string::npos;
}

TEST(Redactor, WhatWasReplacedIsReplacedInSentences) {
  Redactor redactor({});
  std::string command = "/home/alice/bin/train --host gpu17";
  redactor.Whole(RedactedKind::kCommand, command);
  std::string host = "gpu17";
  redactor.Whole(RedactedKind::kHost, host);
  const std::string text = Sentence(redactor, "alice ran it on gpu17, not on gpu171 (malice)");
  EXPECT_EQ(text.find("alice"), text.find("malice") + 1) << text;
  EXPECT_FALSE(Has(text, "gpu17,"));
  EXPECT_TRUE(Has(text, host + ","));
  EXPECT_TRUE(Has(text, "gpu171"));
  const std::string loud = Sentence(redactor, "ALICE or Alice on GPU17");
  EXPECT_FALSE(Has(loud, "ALICE") || Has(loud, "Alice") || Has(loud, "GPU17")) << loud;
}

TEST(Redactor, PathsAreCalledByTheirLastName) {
  Redactor redactor({});
  std::string path = "/data/vault/crown.bin";
  redactor.Path(path);
  const std::string text = Sentence(redactor, "crown.bin was read");
  EXPECT_TRUE(text.starts_with("path-") && text.ends_with(" was read")) << text;
}

TEST(Redactor, AKnownPathMayHaveSpaces) {
  Redactor redactor({});
  std::string path = "/data/my vault/crown jewels";
  redactor.Path(path);
  EXPECT_EQ(Sentence(redactor, "in /data/my vault/crown jewels, and there"),
            "in " + path + ", and there");
}

TEST(Redactor, WhatIsNoWordOrANumberIsLookedForInNoSentence) {
  Redactor redactor({});
  for (std::string path : {".", "/", "1", "ab"}) redactor.Path(path);
  const std::string text = "1 of 57.7 GB/s, ab. initio";
  EXPECT_EQ(Sentence(redactor, text), text);
}

TEST(Redactor, TextsThatLookLikePseudonymsAreReplaced) {
  Redactor redactor({});
  const std::string name = "host-0123456789ab";
  std::string host = name;
  redactor.Whole(RedactedKind::kHost, host);
  EXPECT_NE(host, name);
  EXPECT_EQ(Sentence(redactor, "on " + name + "!"), "on " + host + "!");
  // What an earlier redaction left is one.
  Redactor later({});
  later.Keep(model::Redaction{.replaced = {{RedactedKind::kHost, host, 1}}});
  std::string kept = host;
  later.Whole(RedactedKind::kHost, kept);
  EXPECT_EQ(kept, host);
}

TEST(Redactor, NamesStayUntilTheyAreAskedFor) {
  Redactor redactor({});
  EXPECT_EQ(redactor.RangeName("Copy 190"), "Copy 190");
  EXPECT_EQ(redactor.KernelName("void k<int>(int*)"), "void k<int>(int*)");
  EXPECT_EQ(Sentence(redactor, "lacks 'Copy 190'"), "lacks 'Copy 190'");
  EXPECT_FALSE(Has(redactor.RangeName("load /data/secret.bin"), "secret"));
}

TEST(Redactor, DomainsHaveTheirOwnPseudonyms) {
  Redactor redactor({.range_names = true});
  std::string domain = "CCCL";
  redactor.RangeText(domain);
  const std::string name = redactor.RangeName("CCCL:cub::Sum");
  EXPECT_TRUE(name.starts_with(domain + ":range-")) << name;
  model::NamePool pool;
  const model::NameId id = redactor.RangeName(pool, pool.Intern("CCCL:cub::Sum", 4));
  EXPECT_EQ(pool.At(id), name);
  EXPECT_EQ(pool.Domain(id), domain);
  const model::NameId plain = redactor.RangeName(pool, pool.Intern("step", model::kDefaultDomain));
  EXPECT_EQ(pool.Domain(plain), "");
}

TEST(Redactor, QuotedNamesGoWholeOrInParts) {
  Redactor redactor({.range_names = true});
  const std::string loop = redactor.RangeName("Loop");
  const std::string one = redactor.RangeName("1");
  EXPECT_EQ(Sentence(redactor, "the gap of 1 ns lies in 'Loop.1'"),
            "the gap of 1 ns lies in '" + loop + "." + one + "'");
  // Shortened, or not met before.
  const std::string cut = Sentence(redactor, "lies in 'Loop.A secret na...ending', and more");
  EXPECT_FALSE(Has(cut, "secret")) << cut;
  EXPECT_TRUE(cut.ends_with("', and more"));
  EXPECT_FALSE(Has(Sentence(redactor, "in 'it's a secret'"), "secret"));
  EXPECT_EQ(Sentence(redactor, "use '--capture-range'"), "use '--capture-range'");
}

TEST(Redactor, ValuesAreOfTheKindOfTheirKeys) {
  Redactor redactor({});
  ValueMap values = {
      {"record_ids", {ValueList{{std::string("patient-1")}, {Integer{"17"}}}}},
      {"inner", {ValueMap{{"user", {std::string("alice")}}, {"seed", {Integer{"17"}}}}}},
      {"note", {std::string("by alice in /home/alice/x")}},
      {"model", {std::string("resnet")}},
      {"hosts", {ValueMap{{"gpu17", {ValueMap{{"gpus", {Integer{"8"}}}}}}, {"path", {}}}}},
      {"flag", {true}}};
  redactor.Learn(values);
  redactor.Values(values);
  std::string sentence = "gpu17 has gpus";
  redactor.Sentence(sentence);
  EXPECT_TRUE(sentence.starts_with("host-") && sentence.ends_with(" has gpus")) << sentence;
  const auto& hosts = std::get<ValueMap>(values["hosts"].data);
  EXPECT_EQ(hosts.size(), 2u);
  EXPECT_TRUE(hosts.contains("path"));
  EXPECT_FALSE(hosts.contains("gpu17"));
  const auto& ids = std::get<ValueList>(values["record_ids"].data);
  EXPECT_TRUE(std::get<std::string>(ids[0].data).starts_with("id-"));
  EXPECT_TRUE(std::get<std::string>(ids[1].data).starts_with("id-"));
  const auto& inner = std::get<ValueMap>(values["inner"].data);
  EXPECT_TRUE(std::get<std::string>(inner.at("user").data).starts_with("user-"));
  EXPECT_EQ(inner.at("seed"), (Value{Integer{"17"}}));
  EXPECT_FALSE(Has(std::get<std::string>(values["note"].data), "alice"));
  EXPECT_EQ(values["model"], (Value{std::string("resnet")}));
  EXPECT_EQ(values["flag"], (Value{true}));
}

TEST(Redactor, TellsWhatItReplacedOnTopOfWhatHadBeen) {
  Redactor first({.range_names = true, .key = "k"});
  const std::string name = first.RangeName("Loop");
  std::optional<model::Redaction> redaction;
  first.DoneWith(redaction);
  Redactor second({});
  std::string path = "/data/x";
  second.Path(path);
  second.DoneWith(redaction);
  ASSERT_TRUE(redaction);
  EXPECT_TRUE(redaction->keyed);
  EXPECT_TRUE(redaction->range_names);
  EXPECT_FALSE(redaction->kernel_names);
  ASSERT_EQ(redaction->replaced.size(), 2u);
  EXPECT_EQ(redaction->replaced[0], (model::Replaced{RedactedKind::kPath, path, 1}));
  EXPECT_EQ(redaction->replaced[1], (model::Replaced{RedactedKind::kRange, name, 1}));
}

}  // namespace
}  // namespace rangewise::analysis
