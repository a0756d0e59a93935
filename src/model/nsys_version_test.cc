#include "model/nsys_version.h"

#include <gtest/gtest.h>

namespace rangewise::model {
namespace {

NsysVersion Parsed(std::string_view text) {
  return ParseNsysVersion(text).value_or(NsysVersion{-1, -1, -1});
}

TEST(NsysVersion, ReadsWhatTheToolPrints) {
  EXPECT_EQ(Parsed("NVIDIA Nsight Systems version 2025.1.3.140-251335620677v0"),
            (NsysVersion{2025, 1, 3}));
  EXPECT_EQ(Parsed("NVIDIA Nsight Systems version 2023.2.1.122-32598524v0 \n"),
            (NsysVersion{2023, 2, 1}));
  EXPECT_EQ(Parsed("2026.3"), (NsysVersion{2026, 3, 0}));
  EXPECT_EQ(Parsed("version 2024.4."), (NsysVersion{2024, 4, 0}));
  EXPECT_EQ(Parsed("built 1999.1.2, version v2024.10.0-x"), (NsysVersion{2024, 10, 0}));
}

TEST(NsysVersion, TakesNoOtherNumberForAVersion) {
  for (const std::string_view text :
       {"", "unknown", "2025", "2025.", "12025.1.3", "1.2025.1", "20251.3", "1999.5.1",
        "2025.99999.1", "Nsight Compute 2.1.0", "99999999999999999999.1"}) {
    EXPECT_FALSE(ParseNsysVersion(text).has_value()) << text;
  }
}

TEST(NsysVersion, OrdersByNumberAndNotByText) {
  EXPECT_LT((NsysVersion{2024, 9, 9}), (NsysVersion{2024, 10, 0}));
  EXPECT_LT((NsysVersion{2024, 10, 9}), (NsysVersion{2025, 1, 0}));
}

TEST(NsysVersion, ValidatesTheFamiliesThatOurFactsRestOn) {
  EXPECT_FALSE((NsysVersion{2023, 1, 9}).validated());
  EXPECT_TRUE((NsysVersion{2023, 2, 0}).validated());
  EXPECT_TRUE((NsysVersion{2025, 6, 3}).validated());
  EXPECT_TRUE((NsysVersion{2026, 3, 99}).validated());
  EXPECT_FALSE((NsysVersion{2026, 4, 0}).validated());
}

TEST(NsysVersion, NamesCarryDomainsFrom2024Point4On) {
  EXPECT_FALSE((NsysVersion{2024, 3, 9}).names_carry_domains());
  EXPECT_TRUE((NsysVersion{2024, 4, 0}).names_carry_domains());
  EXPECT_TRUE((NsysVersion{2025, 1, 3}).names_carry_domains());
}

}  // namespace
}  // namespace rangewise::model
