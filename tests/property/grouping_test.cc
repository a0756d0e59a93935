// Grouping names on recorded traces and on random ones: grouping moves rows together and loses
// none, so every sum over the grouped rows is that over the raw rows; and grouped rows equal the
// groups of tables whose names were changed beforehand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/analyze.h"
#include "analysis/name_rules.h"
#include "base/text.h"
#include "support/export_files.h"
#include "support/reference_analysis.h"
#include "support/run_program.h"
#include "support/tables_builder.h"
#include "tables/report_csv.h"

namespace rangewise::analysis {
namespace {

using model::Analysis;
using model::Finding;
using model::FindingClock;

model::ReportTables RecordedTables(std::string_view name) {
  const test_support::ScratchFolder folder;
  tables::ReadRequest request;
  for (const model::Report report : model::kReports) {
    const auto text = test::ExpectedTable(name, report);
    if (!text) continue;
    request.files[report] = folder.path() / model::ReportFileName(report);
    test_support::Spill(request.files[report], *text);
  }
  Diagnostics diagnostics;
  return tables::ReadReportTables(request, diagnostics).value().tables;
}

Analysis Analysed(const model::ReportTables& tables, const model::Harness& harness,
                  const std::vector<model::NameRule>& rules, bool mask_numbers) {
  Diagnostics diagnostics;
  return Analyze(tables, harness, {.threads = 2, .name_rules = rules, .mask_numbers = mask_numbers},
                 diagnostics)
      .value();
}

struct Sums {
  int64_t rows = 0;
  int64_t instances = 0;
  int64_t first = 0;
  int64_t second = 0;
  int64_t third = 0;
  bool operator==(const Sums&) const = default;

  void Add(const model::HostGroup& group) {
    instances += group.instances;
    first += group.inclusive.total.ns;
    second += group.exclusive.total.ns;
    third += group.child_total.ns;
  }
  void Add(const model::ProjectedGroup& group) {
    instances += group.instances;
    first += group.projected.total.ns;
    second += group.host_total.ns;
    third += group.operations;
  }
};

template <typename Raw, typename Grouped>
void ExpectSameTotals(const std::vector<Raw>& raw, const std::vector<Grouped>& grouped) {
  Sums of_raw;
  for (const Raw& row : raw) of_raw.Add(row);
  of_raw.rows = static_cast<int64_t>(raw.size());
  Sums of_grouped;
  for (const Grouped& row : grouped) {
    of_grouped.Add(row.group);
    of_grouped.rows += row.raw.distinct_names;
    EXPECT_EQ(row.raw.examples.size(),
              std::min<size_t>(static_cast<size_t>(row.raw.distinct_names), 3));
    EXPECT_TRUE(std::is_sorted(row.raw.examples.begin(), row.raw.examples.end()));
  }
  EXPECT_EQ(of_grouped, of_raw);
}

std::vector<std::string> NamesOf(const std::vector<model::PathNode>& nodes, model::ScopePath path,
                                 const model::NamePool& names) {
  std::vector<std::string> list;
  for (; path != model::kRootPath; path = nodes[path].parent) {
    list.insert(list.begin(), std::string(names.At(nodes[path].name)));
  }
  return list;
}

const Finding* FindFinding(const Analysis& analysis, Code code, FindingClock clock) {
  for (const Finding& finding : analysis.findings) {
    if (finding.code == code && finding.clock == clock) return &finding;
  }
  return nullptr;
}

TEST(Grouping, OfARecordedTrainingStepLeaves121Rows) {
  const model::ReportTables tables = RecordedTables("train_2gpu_2026.2.1");
  const Analysis analysis = Analysed(tables, {}, {}, true);
  EXPECT_EQ(analysis.host_groups.size(), 18986u);
  ASSERT_TRUE(analysis.grouped.has_value());
  EXPECT_EQ(analysis.grouped->host.size(), 121u);
  ExpectSameTotals(analysis.host_groups, analysis.grouped->host);
  ExpectSameTotals(analysis.projected_groups, analysis.grouped->projected);

  const Analysis raw = Analysed(tables, {}, {}, false);
  EXPECT_FALSE(raw.grouped.has_value());
  const Finding* many = FindFinding(raw, Code::kManyNames, FindingClock::kNone);
  ASSERT_NE(many, nullptr);
  EXPECT_EQ(std::get<int64_t>(many->numbers.at("masked_rows_count")), 121);
}

TEST(Grouping, OfThePowerIterationByItsRules) {
  const model::ReportTables tables = RecordedTables("power_iteration_2025.3.1");
  model::Harness harness;
  harness.capture_range = "Loop";
  harness.iteration_pattern = R"(Step (\d+) to \d+)";
  const Analysis analysis = Analysed(tables, harness, {{R"( \d+$)", ""}}, false);
  ASSERT_TRUE(analysis.grouped.has_value());
  std::map<std::string, int> rows;
  for (const model::GroupedHostRange& row : analysis.grouped->host) {
    const auto path = NamesOf(analysis.grouped->paths, row.group.path, analysis.grouped->names);
    ++rows[path.back()];
  }
  EXPECT_EQ(rows["Compute"], 1);
  EXPECT_EQ(rows["Copy"], 1);
  EXPECT_EQ(rows["IO"], 1);
  ExpectSameTotals(analysis.host_groups, analysis.grouped->host);
  ExpectSameTotals(analysis.projected_groups, analysis.grouped->projected);

  const Finding* outliers = FindFinding(analysis, Code::kOutlierIterations, FindingClock::kHost);
  ASSERT_NE(outliers, nullptr);
  ASSERT_TRUE(outliers->computed);
  const std::set<int64_t> named(outliers->iterations.begin(), outliers->iterations.end());
  EXPECT_TRUE(named.contains(0));
  EXPECT_TRUE(named.contains(190));
  EXPECT_EQ(std::llround(std::get<double>(outliers->numbers.at("median_ns")) / 1e5), 408);
  const Finding* projected =
      FindFinding(analysis, Code::kOutlierIterations, FindingClock::kProjected);
  if (projected != nullptr) {
    EXPECT_EQ(std::count(projected->iterations.begin(), projected->iterations.end(), 0), 0);
  }
  EXPECT_EQ(FindFinding(analysis, Code::kFirstIterationDiffers, FindingClock::kProjected), nullptr);
  const Finding* last = FindFinding(analysis, Code::kIncompleteLastIteration, FindingClock::kHost);
  ASSERT_NE(last, nullptr);
  ASSERT_TRUE(last->computed) << last->sentence;
  EXPECT_EQ(last->iterations, std::vector<int64_t>{430});
  EXPECT_EQ(last->paths, (std::vector<std::vector<std::string>>{{"Compute"}}));
}

// A forest whose names hold numbers, its rows in any order.
model::ReportTables NumberedForest(std::mt19937_64& random) {
  testing::TablesBuilder builder;
  const auto count = static_cast<int64_t>(1 + random() % 60);
  builder.Host(1, model::kNoParent, "capture", 1'000'000);
  for (int64_t id = 2; id < 2 + count; ++id) {
    const auto parent = static_cast<int64_t>(1 + random() % static_cast<uint64_t>(id - 1));
    const char* const of = random() % 2 == 0 ? "a" : "b1";
    const std::string name = Format("op {} of {}", random() % 3, of);
    const auto time = static_cast<int64_t>(random() % 100'000);
    builder.Host(id, parent, name, time, time / 3);
    if (random() % 2 == 0) {
      builder.Projected(id, parent, name, static_cast<int64_t>(random() % 100'000), time);
    }
  }
  std::shuffle(builder.tables().host.begin(), builder.tables().host.end(), random);
  return std::move(builder.tables());
}

std::string TextOf(const model::HostGroup& group) {
  return Format("x{} {} {} {}", group.instances, testing::Text(group.inclusive),
                testing::Text(group.exclusive), group.child_total.ns);
}
std::string TextOf(const model::ProjectedGroup& group) {
  return Format("x{} {} {} {} {}", group.instances, static_cast<int>(group.style),
                testing::Text(group.projected), group.host_total.ns, group.operations);
}

TEST(Grouping, EqualsAnalysingRenamedRows) {
  std::mt19937_64 random(20260704);
  model::Harness harness;
  harness.capture_range = "capture";
  for (int round = 0; round < 150 && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    model::ReportTables tables = NumberedForest(random);
    const Analysis analysis = Analysed(tables, harness, {}, true);
    ASSERT_TRUE(analysis.grouped.has_value());
    ExpectSameTotals(analysis.host_groups, analysis.grouped->host);
    ExpectSameTotals(analysis.projected_groups, analysis.grouped->projected);

    for (model::HostRange& row : tables.host) {
      row.name = tables.names.Intern(MaskNumbers(tables.names.At(row.name)));
    }
    for (model::ProjectedRange& row : tables.projected) {
      row.name = tables.names.Intern(MaskNumbers(tables.names.At(row.name)));
    }
    const Analysis renamed = Analysed(tables, harness, {}, false);
    ASSERT_EQ(renamed.host_groups.size(), analysis.grouped->host.size());
    for (size_t i = 0; i < renamed.host_groups.size(); ++i) {
      const model::HostGroup& group = analysis.grouped->host[i].group;
      EXPECT_EQ(NamesOf(analysis.grouped->paths, group.path, analysis.grouped->names),
                NamesOf(renamed.paths, renamed.host_groups[i].path, tables.names));
      EXPECT_EQ(TextOf(group), TextOf(renamed.host_groups[i]));
    }
    ASSERT_EQ(renamed.projected_groups.size(), analysis.grouped->projected.size());
    for (size_t i = 0; i < renamed.projected_groups.size(); ++i) {
      EXPECT_EQ(TextOf(analysis.grouped->projected[i].group), TextOf(renamed.projected_groups[i]));
    }
  }
}

}  // namespace
}  // namespace rangewise::analysis
