#include "tables/table_diff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/files.h"
#include "base/text.h"
#include "support/run_program.h"
#include "tables/documented_differences.h"
#include "tables/row_matching.h"

namespace rangewise::tables {
namespace {

using model::ExportTraits;
using model::Report;
using model::RowFate;
using model::TableDiff;

constexpr const char* kHead = "Start (ns),Name,PID,TID,RangeId\n";

class TableDiffTest : public testing::Test {
 protected:
  TableDiff Compare(const std::string& theirs, const std::string& ours,
                    Report report = Report::kPushPop, const ExportTraits& traits = {}) {
    test_support::Spill(theirs_, theirs);
    test_support::Spill(ours_, ours);
    const auto diff = CompareTables(report, theirs_, ours_, traits);
    EXPECT_TRUE(diff.ok()) << Render(diff.error());
    return diff.ok() ? *diff : TableDiff{};
  }
  std::string First(const std::string& theirs, const std::string& ours) {
    test_support::Spill(theirs_, theirs);
    test_support::Spill(ours_, ours);
    const auto first =
        FirstUndocumentedDifference({{Report::kPushPop, theirs_}}, {{Report::kPushPop, ours_}}, {});
    EXPECT_TRUE(first.ok());
    return first->value_or("nothing");
  }
  Code ErrorOf(const std::string& theirs) {
    test_support::Spill(theirs_, theirs);
    test_support::Spill(ours_, kHead + std::string("1,:a,7,8,1\n"));
    const auto diff = CompareTables(Report::kPushPop, theirs_, ours_, {});
    return diff.ok() ? Code::kCount : diff.error().code;
  }

  test_support::ScratchFolder scratch_;
  fs::path theirs_ = scratch_.path() / "theirs.csv";
  fs::path ours_ = scratch_.path() / "ours.csv";
};

std::vector<std::string> Words(const TableDiff& diff) {
  std::vector<std::string> words;
  for (const auto& documented : diff.documented) words.emplace_back(documented.word);
  return words;
}

// equal/missing/added/different/undocumented
std::string Counts(const TableDiff& diff) {
  return Format("{}/{}/{}/{}/{}", diff.equal, diff.missing, diff.added, diff.different,
                diff.undocumented);
}

const std::string kThree = kHead + std::string("1,:a,7,8,1\n2,\":b,c\",7,8,2\n3,:d,7,9,1\n");

TEST_F(TableDiffTest, SameBytesAreEqual) {
  const TableDiff diff = Compare(kThree, kThree);
  EXPECT_EQ(Counts(diff), "3/0/0/0/0");
  EXPECT_TRUE(diff.passes());
  EXPECT_TRUE(diff.documented.empty());
  EXPECT_EQ(Counts(Compare("", "")), "0/0/0/0/0");
}

TEST_F(TableDiffTest, AnotherOrderOfRowsIsDocumented) {
  const TableDiff diff =
      Compare(kHead + std::string("3,:d,7,9,1\n1,:a,7,8,1\n2,\":b,c\",7,8,2\n"), kThree);
  EXPECT_EQ(Counts(diff), "3/0/0/0/0");
  EXPECT_TRUE(diff.passes());
  EXPECT_EQ(Words(diff), std::vector<std::string>{"row-order"});
  EXPECT_EQ(diff.documented[0].rows, 1u);  // the one that has moved
}

TEST_F(TableDiffTest, AnotherFormIsNamedBesideAnotherOrder) {
  const TableDiff diff =
      Compare("Start (ns),Name,PID,TID,RangeId\r\n3,:d,7,9,1\r\n1,:a,7,8,1\r\n2,\":b,c\",7,8,2\r\n",
              kThree);
  EXPECT_TRUE(diff.passes());
  EXPECT_EQ(Words(diff), (std::vector<std::string>{"row-order", "csv-form"}));
  // Of the same size, with quotes in place of a line end.
  const TableDiff quoted =
      Compare(kHead + std::string("3,\":d\",7,9,1\n1,:a,7,8,1\n2,\":b,c\",7,8,2"), kThree);
  EXPECT_EQ(Words(quoted), (std::vector<std::string>{"row-order", "csv-form"}));
}

TEST_F(TableDiffTest, AHeaderAloneIsAnotherFormOfAnEmptyFile) {
  for (const std::string& theirs : {std::string(kHead), std::string("\n")}) {
    const TableDiff diff = Compare(theirs, "");
    EXPECT_TRUE(diff.passes());
    EXPECT_EQ(Words(diff), std::vector<std::string>{"csv-form"});
  }
}

TEST_F(TableDiffTest, LinesThatEndInCrAloneAreNamed) {
  EXPECT_EQ(ErrorOf("PID,TID,\"RangeId\"\r1,2,3\r"), Code::kCsvSyntax);
}

TEST_F(TableDiffTest, ColumnsAreMatchedByHeading) {
  const TableDiff diff = Compare(
      "TID,PID,RangeId,Name,Start (ns)\n8,7,1,:a,1\n8,7,2,\":b,c\",2\n9,7,1,:d,3\n", kThree);
  EXPECT_EQ(Counts(diff), "3/0/0/0/0");
  EXPECT_TRUE(diff.passes());
  EXPECT_EQ(Words(diff), std::vector<std::string>{"csv-form"});
}

TEST_F(TableDiffTest, QuotesAndLineEndsAreForm) {
  const TableDiff diff =
      Compare("Start (ns),Name,PID,TID,RangeId\r\n\"1\",:a,7,8,1\r\n2,\":b,c\",7,8,2\r\n3,:d,7,9,1",
              kThree);
  EXPECT_EQ(Counts(diff), "3/0/0/0/0");
  EXPECT_EQ(Words(diff), std::vector<std::string>{"csv-form"});
}

TEST_F(TableDiffTest, AColumnOfOneSideIsNamedOnce) {
  TableDiff diff = Compare(
      "Start (ns),Name,PID,TID,RangeId,More\n1,:a,7,8,1,\n2,\":b,c\",7,8,2,\n3,:d,7,9,1,x\n",
      kThree);
  EXPECT_EQ(Counts(diff), "3/0/0/0/0");
  EXPECT_EQ(diff.columns_missing, std::vector<std::string>{"More"});
  EXPECT_FALSE(diff.passes());
  diff = Compare("Name,PID,TID,RangeId\n:a,7,8,1\n\":b,c\",7,8,2\n:d,7,9,1\n", kThree);
  EXPECT_EQ(diff.columns_added, std::vector<std::string>{"Start (ns)"});
  EXPECT_EQ(Counts(diff), "3/0/0/0/0");
  EXPECT_FALSE(diff.passes());
}

TEST_F(TableDiffTest, ShowsWhatDiffersSideBySide) {
  const TableDiff diff = Compare(kHead + std::string("1,:a,7,8,1\n2,\":b,c\",7,8,2\n4,:e,7,9,5\n"),
                                 kHead + std::string("1,:a,7,8,1\n2,\":b,x\",7,8,2\n3,:d,7,9,1\n"));
  EXPECT_EQ(Counts(diff), "1/1/1/1/3");
  EXPECT_FALSE(diff.passes());
  ASSERT_EQ(diff.differences.size(), 3u);
  EXPECT_EQ(diff.differences[0].fate, RowFate::kDifferent);
  EXPECT_EQ(diff.differences[0].key, "PID 7, TID 8, RangeId 2");
  EXPECT_EQ(diff.differences[0].column, "Name");
  EXPECT_EQ(diff.differences[0].theirs, ":b,c");
  EXPECT_EQ(diff.differences[0].ours, ":b,x");
  EXPECT_EQ(diff.differences[1].fate, RowFate::kMissing);
  EXPECT_EQ(diff.differences[1].theirs, "4,:e,7,9,5");
  EXPECT_EQ(diff.differences[2].fate, RowFate::kAdded);
  EXPECT_EQ(diff.differences[2].key, "PID 7, TID 9, RangeId 1");
}

TEST_F(TableDiffTest, ShowsTheFirstTen) {
  std::string theirs = kHead;
  std::string ours = kHead;
  for (int i = 0; i < 30; ++i) {
    theirs += Format("{},:a,7,8,{}\n", i, i);
    ours += Format("{},:a,7,8,{}\n", i + 1, i);
  }
  const TableDiff diff = Compare(theirs, ours);
  EXPECT_EQ(Counts(diff), "0/0/0/30/30");
  ASSERT_EQ(diff.differences.size(), 10u);
  EXPECT_EQ(diff.differences[9].theirs, "9");
  EXPECT_EQ(diff.differences[9].ours, "10");
}

TEST_F(TableDiffTest, OperationsThatShareAKeyAreCounted) {
  const std::string head = "Start (ns),Duration (ns),CorrId,Strm,Name\n";
  const TableDiff diff =
      Compare(head + "1,5,3,7,k\n1,6,3,7,k\n1,6,3,7,k\n2,1,4,7,k\n",
              head + "1,6,3,7,k\n1,5,3,7,k\n1,8,3,7,k\n2,1,4,7,k\n", Report::kGpuTrace);
  EXPECT_EQ(Counts(diff), "3/0/0/1/1");
  ASSERT_EQ(diff.differences.size(), 1u);
  EXPECT_EQ(diff.differences[0].column, "Duration (ns)");
  EXPECT_EQ(diff.differences[0].theirs, "6");
  EXPECT_EQ(diff.differences[0].ours, "8");
}

TEST_F(TableDiffTest, AnEmptyTableIsDocumentedWhereTheExportExplainsIt) {
  const std::string ours = "Start (ns),CorrId,Strm,Name\n1,3,7,k\n2,4,7,k\n";
  TableDiff diff =
      Compare("", ours, Report::kGpuTrace, {.no_gpu_names = true, .no_green_contexts = true});
  EXPECT_EQ(Counts(diff), "0/0/2/0/0");
  EXPECT_TRUE(diff.passes());
  EXPECT_EQ(Words(diff), (std::vector<std::string>{"no-target-info-gpu", "no-green-context"}));
  diff = Compare("", ours, Report::kGpuTrace);
  EXPECT_EQ(Counts(diff), "0/0/2/0/2");
  EXPECT_FALSE(diff.passes());
  EXPECT_EQ(diff.differences.size(), 2u);
  // The other way round nothing explains it.
  diff = Compare(ours, "", Report::kGpuTrace, {.no_gpu_names = true});
  EXPECT_EQ(Counts(diff), "0/2/0/0/2");
  EXPECT_FALSE(diff.passes());
  // Nor does the lack of GPU names explain an empty host table.
  EXPECT_FALSE(Compare("", kThree, Report::kPushPop, {.no_gpu_names = true}).passes());
  EXPECT_TRUE(Compare("", kThree, Report::kPushPop, {.domain_created_twice = true}).passes());
  EXPECT_TRUE(Compare("", kThree, Report::kPushPop, {.only_open_push_pop = true}).passes());
}

TEST_F(TableDiffTest, DoubledAndThreadlessRowsAreDocumentedWhereTheExportExplainsThem) {
  const std::string ours = kHead + std::string("1,:a,7,8,1\n2,\":b,c\",7,8,2\n3,L:d,7,9,3\n");
  const ExportTraits traits{.domain_created_twice = true,
                            .threadless_ranges = true,
                            .odd = {.threadless = {{6, 5, 9, ":n"}},
                                    .doubled = {{7, 9, 3, 0}},
                                    .domain_names = {{"L", "L2", "L"}}}};
  const auto compare = [&](const std::string& more) {
    return Compare(ours + more, ours, Report::kPushPop, traits);
  };
  TableDiff diff = compare("3,L:d,7,9,3\n5,:n,,,6\n");
  EXPECT_EQ(Counts(diff), "3/2/0/0/0");
  EXPECT_TRUE(diff.passes());
  EXPECT_EQ(Words(diff), (std::vector<std::string>{"domain-created-twice", "threadless-ranges"}));
  // Three threads created the domain, one of them by another name.
  EXPECT_EQ(Counts(compare("3,L2:d,7,9,3\n3,L:d,7,9,3\n")), "3/2/0/0/0");
  EXPECT_EQ(Counts(compare("3,L:d,7,9,3\n3,L:d,7,9,3\n3,L:d,7,9,3\n")), "3/3/0/0/1");
  EXPECT_EQ(Counts(compare("3,L3:d,7,9,3\n")), "3/1/0/0/1");
  EXPECT_EQ(Counts(compare("4,L:d,7,9,3\n")), "3/1/0/0/1");
  // A range of another domain, a thread's range twice, one that the export does not have.
  EXPECT_EQ(Counts(compare("1,:a,7,8,1\n")), "3/1/0/0/1");
  EXPECT_EQ(Counts(compare("5,:n,,,6\n5,:n,,,6\n")), "3/2/0/0/1");
  EXPECT_EQ(Counts(compare("5,:x,,,6\n")), "3/1/0/0/1");
  EXPECT_EQ(Counts(compare("5,:n,,,7\n")), "3/1/0/0/1");
  // A range without a thread has no projection.
  EXPECT_FALSE(Compare(ours + "5,:n,,,6\n", ours, Report::kGpuProjection, traits).passes());
  diff = Compare(ours + "3,L:d,7,9,3\n5,:n,,,6\n", ours);
  EXPECT_EQ(Counts(diff), "3/2/0/0/2");
  EXPECT_EQ(diff.differences.size(), 2u);
}

TEST_F(TableDiffTest, SaysTheFirstDifferenceInASentence) {
  EXPECT_EQ(First(kThree, kThree), "nothing");
  EXPECT_EQ(First(kHead + std::string("3,:d,7,9,1\n1,:a,7,8,1\n2,\":b,c\",7,8,2\n"), kThree),
            "nothing");
  EXPECT_EQ(First(kHead + std::string("1,:x,7,8,1\n2,\":b,c\",7,8,2\n3,:d,7,9,1\n"), kThree),
            "nvtx_pushpop_trace, row PID 7, TID 8, RangeId 1, column 'Name': ':x' in the table of "
            "nsys, ':a' in ours");
  EXPECT_EQ(First(kHead + std::string("1,:a,7,8,1\n2,\":b,c\",7,8,2\n"), kThree),
            "nvtx_pushpop_trace: only our table has the row PID 7, TID 9, RangeId 1");
}

TEST_F(TableDiffTest, RefusesWhatIsNoSuchTable) {
  EXPECT_EQ(ErrorOf("Name,Total\nx,1\n"), Code::kMissingColumn);
  EXPECT_EQ(ErrorOf("PID,TID,RangeId,PID\n1,2,3,4\n"), Code::kDuplicateColumn);
  EXPECT_EQ(ErrorOf(kHead + std::string("1,:a,7\n")), Code::kCsvSyntax);
}

// Every permutation and removal against counting by hand.
TEST(RowMatching, AgreesWithMultisets) {
  std::mt19937 random(20240917);
  for (int round = 0; round < 2000; ++round) {
    std::vector<HashedRow> sides[2];
    std::map<uint64_t, std::map<uint64_t, int>> counts[2];
    for (int side = 0; side < 2; ++side) {
      const uint64_t rows = random() % 7;
      for (uint64_t i = 0; i < rows; ++i) {
        const HashedRow row{.key = random() % 3, .values = random() % 2, .place = i};
        sides[side].push_back(row);
        ++counts[side][row.key][row.values];
      }
    }
    uint64_t equal = 0, different = 0, missing = 0, doubled = 0, added = 0;
    for (uint64_t key = 0; key < 3; ++key) {
      int all[2] = {0, 0};
      int same = 0;
      for (uint64_t value = 0; value < 2; ++value) {
        same += std::min(counts[0][key][value], counts[1][key][value]);
        for (int side = 0; side < 2; ++side) all[side] += counts[side][key][value];
      }
      const int paired = std::min(all[0], all[1]);
      equal += static_cast<uint64_t>(same);
      different += static_cast<uint64_t>(paired - same);
      (all[1] == 0 ? missing : doubled) += static_cast<uint64_t>(all[0] - paired);
      added += static_cast<uint64_t>(all[1] - paired);
    }
    const bool identical = std::equal(sides[0].begin(), sides[0].end(), sides[1].begin(),
                                      sides[1].end(), [](const HashedRow& a, const HashedRow& b) {
                                        return a.key == b.key && a.values == b.values;
                                      });
    const RowMatching matching = MatchRows(sides[0], sides[1]);
    EXPECT_EQ(matching.equal, equal);
    EXPECT_EQ(matching.different.size(), different);
    EXPECT_EQ(matching.missing.size(), missing);
    EXPECT_EQ(matching.doubled.size(), doubled);
    EXPECT_EQ(matching.added.size(), added);
    EXPECT_LE(matching.displaced, equal + different);
    if (identical) {
      EXPECT_EQ(matching.displaced, 0u);
    }
  }
}

TEST(DocumentedDifferences, StandInTheDocument) {
  const std::string text = test_support::Slurp(fs::path(RANGEWISE_SOURCE_DIR) / "docs/reports.md");
  const size_t section = text.find("## Documented differences");
  ASSERT_NE(section, std::string::npos);
  size_t at = 0;
  for (const DocumentedInfo& info : AllDocumented()) {
    EXPECT_EQ(static_cast<size_t>(info.difference), at++);
    EXPECT_NE(text.find(Format("\n| `{}` |", info.word), section), std::string::npos) << info.word;
  }
}

}  // namespace
}  // namespace rangewise::tables
