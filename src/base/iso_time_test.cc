#include "base/iso_time.h"

#include <gtest/gtest.h>

#include <ctime>

namespace rangewise {
namespace {

IsoTime Parsed(std::string_view text) {
  const std::optional<IsoTime> time = ParseIsoTime(text);
  EXPECT_TRUE(time.has_value()) << text;
  return time.value_or(IsoTime{});
}

TEST(IsoTime, CountsSecondsAsTheSystemDoes) {
  EXPECT_EQ(Parsed("1970-01-01T00:00:00Z").seconds, 0);
  EXPECT_EQ(Parsed("1969-12-31T23:59:59Z").seconds, -1);
  for (int year = 1900; year <= 2400; ++year) {
    for (const int month : {1, 2, 3, 12}) {
      std::tm fields{};
      fields.tm_year = year - 1900;
      fields.tm_mon = month - 1;
      fields.tm_mday = 28;
      fields.tm_hour = 13;
      char text[40];
      ASSERT_GT(std::strftime(text, sizeof text, "%Y-%m-%dT13:00Z", &fields), 0u);
      EXPECT_EQ(Parsed(text).seconds, static_cast<int64_t>(timegm(&fields))) << text;
    }
  }
}

TEST(IsoTime, ReadsEveryFormOfOneMoment) {
  const IsoTime moment = Parsed("2026-01-31T08:30:00.25Z");
  EXPECT_EQ(moment.nanoseconds, 250000000);
  for (const std::string_view text :
       {"2026-01-31 09:30:00.25+01:00", "2026-01-31t09:30:00,250+01",
        "2026-01-31T03:00:00.25 -0530", "2026-01-30T23:30:00.2500000001-09"}) {
    EXPECT_EQ(Parsed(text), moment) << text;
  }
  EXPECT_LT(Parsed("2026-01-31T08:30Z"), moment);
  EXPECT_GT(Parsed("2026-01-31T08:30:00.250000001Z"), moment);
  EXPECT_EQ(Parsed("2026-01-31"), Parsed("2026-01-31T00:00"));
}

TEST(IsoTime, DoesNotOrderATimeOfUnknownPlaceAgainstOneOfAKnownPlace) {
  const IsoTime local = Parsed("2026-01-31T08:30:00");
  const IsoTime zoned = Parsed("2026-01-31T08:30:00Z");
  EXPECT_EQ(local <=> zoned, std::partial_ordering::unordered);
  EXPECT_FALSE(local == zoned);
  EXPECT_LT(local, Parsed("2026-01-31T08:31:00"));
}

TEST(IsoTime, RefusesOtherText) {
  for (const std::string_view text : {"",
                                      "2026",
                                      "2026-02-30",
                                      "2025-02-29",
                                      "0000-01-01",
                                      "2026-13-01",
                                      "2026-1-1",
                                      "20260131",
                                      "2026-01-31T",
                                      "2026-01-31T08",
                                      "2026-01-31T24:00",
                                      "2026-01-31T08:60",
                                      "2026-01-31T08:30:",
                                      "2026-01-31T08:30:61",
                                      "2026-01-31T08:30:00.",
                                      "2026-01-31T08:30X",
                                      "2026-01-31T08:30+1",
                                      "2026-01-31T08:30+01:",
                                      "2026-01-31T08:30+24",
                                      "2026-01-31T08:30ZZ",
                                      "2026-01-31Z",
                                      " 2026-01-31",
                                      "2026-01-31T08:30Z "}) {
    EXPECT_FALSE(ParseIsoTime(text).has_value()) << text;
  }
  EXPECT_TRUE(ParseIsoTime("2024-02-29").has_value());
}

}  // namespace
}  // namespace rangewise
