#include "analysis/range_tree.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "base/text.h"
#include "support/sample_document.h"

namespace rangewise::analysis {
namespace {

using test_support::AddPath;
using test_support::Single;

void AddHost(model::AnalysisDocument& document, std::initializer_list<std::string_view> path,
             int64_t inclusive, int64_t exclusive) {
  document.analysis.host_groups.push_back({AddPath(document, path), 1, Single<HostNs>(inclusive),
                                           Single<HostNs>(exclusive),
                                           {inclusive - exclusive}});
}

// A line a row: depth, name, self, with nested, share in percent.
std::vector<std::string> Lines(const model::AnalysisDocument& document, double min_share,
                               bool with_iterations = false) {
  const model::ShownRanges ranges(document);
  std::vector<std::string> lines;
  for (const model::TreeRow& row : MakeRangeTree(document, min_share, with_iterations).rows) {
    const std::string name = row.folded > 0         ? Format("({} folded)", row.folded)
                             : row.is_iterations    ? "(iterations)"
                                                    : ranges.Name(row.path);
    lines.push_back(Format("{} {} {} {} {:.0f}", row.depth, name,
                           row.has_row ? Format("{}", row.self.ns) : std::string("-"),
                           row.self_and_below.ns, 100 * row.share));
  }
  return lines;
}

using List = std::vector<std::string>;

model::AnalysisDocument Sample() {
  model::AnalysisDocument document;
  AddHost(document, {"a"}, 60, 20);
  AddHost(document, {"a", "x"}, 30, 30);
  AddHost(document, {"a", "y"}, 10, 5);
  AddHost(document, {"a", "y", "z"}, 5, 5);
  AddHost(document, {"b", "only below"}, 40, 40);
  return document;
}

TEST(RangeTree, ParentsStandBeforeChildrenAndLargeBeforeSmall) {
  EXPECT_EQ(Lines(Sample(), 0), (List{"0 a 20 60 60", "1 a.x 30 30 30", "1 a.y 5 10 10",
                                      "2 a.y.z 5 5 5", "0 b - 40 40", "1 b.only below 40 40 40"}));
}

TEST(RangeTree, SmallSharesAreFoldedUnderTheirParent) {
  EXPECT_EQ(Lines(Sample(), 0.2), (List{"0 a 20 60 60", "1 a.x 30 30 30", "1 (2 folded) - 10 10",
                                        "0 b - 40 40", "1 b.only below 40 40 40"}));
  EXPECT_EQ(Lines(Sample(), 1), (List{"0 (5 folded) - 100 100"}));
}

TEST(RangeTree, IterationsHaveALineOfTheirOwn) {
  model::AnalysisDocument document = Sample();
  document.analysis.iteration_summary.host_exclusive = Single<HostNs>(100);
  EXPECT_EQ(Lines(document, 0.25, true), (List{"0 (iterations) 100 100 50", "0 a 20 60 30",
                                               "1 (3 folded) - 40 20", "0 (1 folded) - 40 20"}));
  EXPECT_EQ(Lines(document, 0.25, false).size(), 5U);
}

TEST(RangeTree, PathsOfOneTextAreOneLine) {
  model::AnalysisDocument document;
  model::NamePool& names = document.tables.names;
  for (const model::DomainLength domain : {model::kDefaultDomain, model::DomainLength{4}}) {
    document.analysis.paths.push_back({model::kRootPath, names.Intern("aten::mul", domain)});
    const auto path = static_cast<model::ScopePath>(document.analysis.paths.size() - 1);
    document.analysis.host_groups.push_back(
        {path, 1, Single<HostNs>(3), Single<HostNs>(3), {0}});
  }
  EXPECT_EQ(Lines(document, 0), (List{"0 aten::mul 6 6 100"}));
}

TEST(RangeTree, OverlapAndHugeSumsAreNoShareBeyondOne) {
  model::AnalysisDocument document;
  AddHost(document, {"a"}, 10, -5);
  AddHost(document, {"b"}, 10, 5);
  EXPECT_EQ(Lines(document, 0), (List{"0 b 5 5 0", "0 a -5 -5 0"}));
  model::AnalysisDocument huge;
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  AddHost(huge, {"a"}, kMax, kMax);
  AddHost(huge, {"a", "b"}, kMax, kMax);
  EXPECT_EQ(Lines(huge, 0), (List{Format("0 a {} {} 100", kMax, kMax),
                                  Format("1 a.b {} {} 50", kMax, kMax)}));
}

TEST(RangeTree, OfNoRangesIsEmpty) {
  EXPECT_EQ(Lines(model::AnalysisDocument{}, 0), List{});
}

}  // namespace
}  // namespace rangewise::analysis
