#include "model/names.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace rangewise::model {
namespace {

TEST(NamePool, GivesOneIdPerDistinctName) {
  NamePool pool;
  const NameId a = pool.Intern("alpha");
  const NameId b = pool.Intern("beta");
  EXPECT_NE(a, b);
  EXPECT_EQ(pool.Intern("alpha"), a);
  EXPECT_EQ(pool.Find("beta"), b);
  EXPECT_EQ(pool.Find("gamma"), kNoName);
  EXPECT_EQ(pool.size(), 2U);
  EXPECT_EQ(pool.At(a), "alpha");
}

TEST(NamePool, KeepsOneTextOfTwoDomainsApart) {
  NamePool pool;
  const NameId default_domain = pool.Intern("aten::mul", kDefaultDomain);
  const NameId named = pool.Intern("aten::mul", 4);
  const NameId unknown = pool.Intern("aten::mul");
  EXPECT_NE(default_domain, named);
  EXPECT_NE(named, unknown);
  EXPECT_EQ(pool.Intern("aten::mul", 4), named);
  EXPECT_EQ(pool.Find("aten::mul", kDefaultDomain), default_domain);
  EXPECT_EQ(pool.At(named), pool.At(default_domain));
  EXPECT_EQ(pool.Domain(default_domain), "");
  EXPECT_EQ(pool.Domain(named), "aten");
  EXPECT_EQ(pool.Domain(unknown), std::nullopt);
}

TEST(RangeName, IsTakenApartAtTheFirstColon) {
  const auto split = [](std::string_view full) {
    const RangeName name = SplitRangeName(full);
    return std::pair(std::string(name.text), name.domain);
  };
  EXPECT_EQ(split(":step"), std::pair(std::string("step"), kDefaultDomain));
  EXPECT_EQ(split(":aten::mul"), std::pair(std::string("aten::mul"), kDefaultDomain));
  EXPECT_EQ(split("aten::mul"), std::pair(std::string("aten::mul"), DomainLength{4}));
  EXPECT_EQ(split("NCCL:"), std::pair(std::string("NCCL:"), DomainLength{4}));
  EXPECT_EQ(split(":"), std::pair(std::string(), kDefaultDomain));
  EXPECT_EQ(split("plain"), std::pair(std::string("plain"), kUnknownDomain));
  EXPECT_EQ(split(""), std::pair(std::string(), kUnknownDomain));
}

TEST(RangeName, HasItsDomainAlsoInDisplayForm) {
  std::string kept;
  const RangeName shown = DisplayForm(SplitRangeName("d\xff:x"), kept);
  EXPECT_EQ(shown.text, "d\\xff:x");
  EXPECT_EQ(shown.domain, 5);
  EXPECT_EQ(DisplayForm(SplitRangeName("d:x"), kept).domain, 1);
}

TEST(NamePool, KeepsEmptyNamesAndNulBytes) {
  NamePool pool;
  const NameId empty = pool.Intern("");
  const NameId nul = pool.Intern(std::string_view("\0", 1));
  EXPECT_NE(empty, nul);
  EXPECT_EQ(pool.At(empty), "");
  EXPECT_EQ(pool.At(nul).size(), 1U);
  EXPECT_EQ(pool.Intern(""), empty);
}

TEST(NamePool, KeepsManyNamesOfAllLengthsWhereTheyAre) {
  NamePool pool;
  std::vector<std::string> names;
  std::vector<std::string_view> views;
  for (size_t i = 0; i < 60'000; ++i) {
    // Now and then a name that is longer than a block.
    const size_t length = i % 10'007 == 0 ? 1'500'000 : i % 701 == 0 ? 5'000 : i % 37;
    names.push_back(std::to_string(i) + std::string(length, static_cast<char>('a' + i % 26)));
    const NameId id = pool.Intern(names.back());
    EXPECT_EQ(static_cast<uint32_t>(id), i);
    views.push_back(pool.At(id));
  }
  for (size_t i = 0; i < names.size(); ++i) {
    ASSERT_EQ(views[i], names[i]);  // the bytes did not move
    ASSERT_EQ(pool.Find(names[i]), NameId{static_cast<uint32_t>(i)});
  }
}

TEST(NamePool, CanBeMovedAndTheSourceUsedAgain) {
  NamePool pool;
  const NameId a = pool.Intern("alpha");
  NamePool other = std::move(pool);
  EXPECT_EQ(other.At(a), "alpha");
  EXPECT_EQ(other.Find("alpha"), a);
  pool = NamePool();
  pool.Intern(std::string(100'000, 'x'));
  EXPECT_EQ(pool.At(pool.Intern("beta")), "beta");
  EXPECT_EQ(other.size(), 1U);
}

}  // namespace
}  // namespace rangewise::model
