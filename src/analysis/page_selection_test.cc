#include "analysis/page_selection.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "model/page_limits.h"

namespace rangewise::analysis {
namespace {

using model::RunPage;

TEST(PageSelection, LargestFirstAndEqualOnesInTheirOrder) {
  RunPage page;
  model::Analysis& analysis = page.summary.file.document.analysis;
  for (const int64_t ns : {5, 9, 9, -1}) {
    analysis.host_groups.push_back({.exclusive = {.total = {ns}}});
    analysis.projected_groups.push_back({.projected = {.total = {ns}}});
  }
  SelectPageRows(page);
  EXPECT_EQ(page.host.rows, (std::vector<uint32_t>{1, 2, 0, 3}));
  EXPECT_EQ(page.projected.rows, (std::vector<uint32_t>{1, 2, 0, 3}));
  EXPECT_EQ(page.host.total, 4u);
  EXPECT_EQ(page.grouped_host.total, 0u);
  EXPECT_EQ(page.gpu_paths.total, 0u);
}

TEST(PageSelection, GroupedRangesAndGpuWorkAreChosenToo) {
  RunPage page;
  model::Analysis& analysis = page.summary.file.document.analysis;
  analysis.grouped.emplace();
  analysis.gpu_work.emplace();
  analysis.gpu_work->grouped_paths.emplace();
  for (const int64_t ns : {1, 2}) {
    analysis.grouped->host.push_back({.group = {.exclusive = {.total = {ns}}}});
    analysis.grouped->projected.push_back({.group = {.projected = {.total = {ns}}}});
    analysis.gpu_work->paths.push_back({.work = {.busy = GpuNs{ns}}});
    analysis.gpu_work->grouped_paths->push_back({.work = {.busy = GpuNs{-ns}}});
  }
  SelectPageRows(page);
  EXPECT_EQ(page.grouped_host.rows, (std::vector<uint32_t>{1, 0}));
  EXPECT_EQ(page.grouped_projected.rows, (std::vector<uint32_t>{1, 0}));
  EXPECT_EQ(page.gpu_paths.rows, (std::vector<uint32_t>{1, 0}));
  EXPECT_EQ(page.grouped_gpu_paths.rows, (std::vector<uint32_t>{0, 1}));
}

TEST(PageSelection, NoMoreRowsThanATableHolds) {
  RunPage page;
  page.summary.file.document.analysis.host_groups.resize(model::kMostTableRows + 1);
  SelectPageRows(page);
  EXPECT_EQ(page.host.rows.size(), model::kMostTableRows);
  EXPECT_EQ(page.host.total, model::kMostTableRows + 1);
}

TEST(PageSelection, FewIterationsAreAllShown) {
  RunPage page;
  model::Analysis& analysis = page.summary.file.document.analysis;
  for (int64_t i = 0; i < 3; ++i) analysis.iterations.push_back({.index = i});
  SelectPageRows(page);
  EXPECT_EQ(page.iterations.rows, (std::vector<uint32_t>{0, 1, 2}));
}

TEST(PageSelection, OfManyIterationsTheLastAndTheNamedOnesStay) {
  RunPage page;
  model::Analysis& analysis = page.summary.file.document.analysis;
  const auto total = static_cast<int64_t>(model::kMostIterationRows) + 1'000;
  for (int64_t i = 0; i < total; ++i) analysis.iterations.push_back({.index = 10 + i});
  analysis.findings = {{.code = Code::kOutlierIterations, .iterations = {10 + total - 5}}};
  SelectPageRows(page);
  const std::vector<uint32_t>& rows = page.iterations.rows;
  ASSERT_EQ(rows.size(), model::kMostIterationRows);
  EXPECT_EQ(rows.front(), 0u);
  EXPECT_EQ(rows[rows.size() - 2], total - 5);
  EXPECT_EQ(rows.back(), total - 1);
  EXPECT_EQ(rows[rows.size() - 3], model::kMostIterationRows - 3);
}

}  // namespace
}  // namespace rangewise::analysis
