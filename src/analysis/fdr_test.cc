#include "analysis/fdr.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace rangewise::analysis {
namespace {

using Probabilities = std::vector<std::optional<double>>;

TEST(Fdr, AdjustsTheExampleOfBenjaminiAndHochberg) {
  // The fifteen probabilities of their paper; at 0.05 the first four are rejected.
  const Probabilities p = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                           0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
  const Probabilities q = AdjustForFamily(p);
  EXPECT_DOUBLE_EQ(*q[0], 0.0015);
  EXPECT_DOUBLE_EQ(*q[1], 0.0030);
  EXPECT_DOUBLE_EQ(*q[2], 0.0095);
  EXPECT_DOUBLE_EQ(*q[3], 0.0095 * 15 / 4);
  EXPECT_LE(*q[3], 0.05);
  EXPECT_GT(*q[4], 0.05);
  EXPECT_DOUBLE_EQ(*q[6], *q[5]);  // 0.0298 * 15 / 7 is below 0.0278 * 15 / 6
  EXPECT_DOUBLE_EQ(*q[14], 1);
}

TEST(Fdr, SkipsWhatHasNoProbability) {
  EXPECT_TRUE(AdjustForFamily({}).empty());
  const Probabilities q = AdjustForFamily(Probabilities{std::nullopt, 0.01, std::nullopt, 0.04});
  EXPECT_FALSE(q[0].has_value());
  EXPECT_FALSE(q[2].has_value());
  EXPECT_DOUBLE_EQ(*q[1], 0.02);
  EXPECT_DOUBLE_EQ(*q[3], 0.04);
}

TEST(Fdr, IsMonotoneAndFollowsItsDefinitionInAnyOrder) {
  std::mt19937_64 random(20261105);
  for (int round = 0; round < 200; ++round) {
    Probabilities p(1 + random() % 40);
    for (auto& value : p) value = static_cast<double>(random() % 50) / 49;
    const Probabilities q = AdjustForFamily(p);
    const auto family = static_cast<double>(p.size());
    for (size_t i = 0; i < p.size(); ++i) {
      EXPECT_GE(*q[i], *p[i]);
      double least = 1;
      for (size_t j = 0; j < p.size(); ++j) {
        if (*p[j] < *p[i]) {
          EXPECT_LE(*q[j], *q[i]);
          continue;
        }
        if (*p[j] == *p[i]) {
          EXPECT_EQ(*q[j], *q[i]);
        }
        const auto rank = static_cast<double>(
            std::count_if(p.begin(), p.end(), [&](const auto& other) { return *other <= *p[j]; }));
        least = std::min(least, *p[j] * (family / rank));
      }
      EXPECT_EQ(*q[i], least);
    }
  }
}

}  // namespace
}  // namespace rangewise::analysis
