#include "analysis/pseudonyms.h"

#include <gtest/gtest.h>

namespace rangewise::analysis {
namespace {

using model::RedactedKind;

TEST(Pseudonyms, AreOfTextKindAndKeyAlone) {
  Pseudonyms first("key");
  Pseudonyms second("key");
  Pseudonyms other("another");
  second.Of(RedactedKind::kHost, "before it");
  const std::string host = first.Of(RedactedKind::kHost, "gpu17");
  EXPECT_EQ(host, second.Of(RedactedKind::kHost, "gpu17"));
  EXPECT_NE(host, other.Of(RedactedKind::kHost, "gpu17"));
  EXPECT_NE(host.substr(5), first.Of(RedactedKind::kUser, "gpu17").substr(5));
  EXPECT_TRUE(host.starts_with("host-"));
  EXPECT_EQ(host.size(), 5u + 12u);
  EXPECT_EQ(host.find("gpu17"), std::string::npos);
}

TEST(Pseudonyms, CountTheirPlaces) {
  Pseudonyms pseudonyms("");
  const std::string user = pseudonyms.Of(RedactedKind::kUser, "alice");
  pseudonyms.Of(RedactedKind::kPath, "/data");
  pseudonyms.Of(RedactedKind::kUser, "alice");
  const std::vector<model::Replaced> replaced = pseudonyms.Replaced();
  ASSERT_EQ(replaced.size(), 2u);
  EXPECT_EQ(replaced[0].kind, RedactedKind::kPath);
  EXPECT_EQ(replaced[1], (model::Replaced{RedactedKind::kUser, user, 2}));
}

TEST(Pseudonyms, StayWhatTheyAre) {
  Pseudonyms pseudonyms("");
  const std::string id = pseudonyms.Of(RedactedKind::kId, "record 1");
  EXPECT_EQ(pseudonyms.Of(RedactedKind::kRange, id), id);
  EXPECT_EQ(pseudonyms.Replaced().size(), 1u);
  EXPECT_EQ(pseudonyms.LengthAt(id + " more"), id.size());
  EXPECT_EQ(pseudonyms.LengthAt("id-0123"), 0u);
  EXPECT_EQ(pseudonyms.LengthAt("path"), 0u);
  EXPECT_EQ(pseudonyms.LengthAt("idle-0123456789ab"), 0u);
}

TEST(Pseudonyms, TextsOfTheirFormAreTexts) {
  const std::string host = "host-0123456789ab";
  Pseudonyms pseudonyms("");
  EXPECT_EQ(pseudonyms.LengthAt(host), 0u);
  EXPECT_NE(pseudonyms.Of(RedactedKind::kHost, host), host);
  Pseudonyms later("");
  later.Keep(host);
  EXPECT_EQ(later.Of(RedactedKind::kHost, host), host);
  EXPECT_TRUE(later.Replaced().empty());
}

}  // namespace
}  // namespace rangewise::analysis
