#include "analysis/page_selection.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <vector>

#include "model/page_limits.h"

namespace rangewise::analysis {
namespace {

using model::RowSelection;

// The rows for which `value_of(row)` is largest, equal ones in their own order.
template <typename Rows, typename ValueOf>
RowSelection Largest(const Rows& rows, ValueOf value_of) {
  RowSelection selection{.total = rows.size()};
  selection.rows.resize(rows.size());
  std::iota(selection.rows.begin(), selection.rows.end(), uint32_t{0});
  const size_t shown = std::min(rows.size(), model::kMostTableRows);
  std::partial_sort(selection.rows.begin(),
                    selection.rows.begin() + static_cast<std::ptrdiff_t>(shown),
                    selection.rows.end(), [&](uint32_t a, uint32_t b) {
                      const auto left = value_of(rows[a]);
                      const auto right = value_of(rows[b]);
                      return left > right || (left == right && a < b);
                    });
  selection.rows.resize(shown);
  return selection;
}

RowSelection ShownIterations(const model::Analysis& analysis) {
  const size_t total = analysis.iterations.size();
  const size_t shown = std::min(total, model::kMostIterationRows);
  std::set<uint32_t> rows;
  if (shown < total) {
    std::set<int64_t> named;
    for (const model::Finding& finding : analysis.findings) {
      if (model::NamesSingleIterations(finding, total))
        named.insert(finding.iterations.begin(), finding.iterations.end());
    }
    rows.insert(0);
    rows.insert(static_cast<uint32_t>(total - 1));
    for (uint32_t i = 0; i < total && rows.size() < shown; ++i) {
      if (named.contains(analysis.iterations[i].index)) rows.insert(i);
    }
  }
  for (uint32_t i = 0; i < total && rows.size() < shown; ++i) rows.insert(i);
  return {.rows = {rows.begin(), rows.end()}, .total = total};
}

}  // namespace

void SelectPageRows(model::RunPage& page) {
  const model::Analysis& analysis = page.document().analysis;
  page.host = Largest(analysis.host_groups,
                      [](const model::HostGroup& group) { return group.exclusive.total.ns; });
  page.projected = Largest(analysis.projected_groups, [](const model::ProjectedGroup& group) {
    return group.projected.total.ns;
  });
  page.grouped_host = {};
  page.grouped_projected = {};
  if (analysis.grouped) {
    page.grouped_host = Largest(analysis.grouped->host, [](const model::GroupedHostRange& row) {
      return row.group.exclusive.total.ns;
    });
    page.grouped_projected = Largest(
        analysis.grouped->projected,
        [](const model::GroupedProjectedRange& row) { return row.group.projected.total.ns; });
  }
  page.gpu_paths = {};
  page.grouped_gpu_paths = {};
  if (analysis.gpu_work) {
    const auto busy = [](const model::PathGpuWork& row) { return row.work.busy.value_or(GpuNs{}).ns; };
    page.gpu_paths = Largest(analysis.gpu_work->paths, busy);
    if (analysis.gpu_work->grouped_paths)
      page.grouped_gpu_paths = Largest(*analysis.gpu_work->grouped_paths, busy);
  }
  page.iterations = ShownIterations(analysis);
}

}  // namespace rangewise::analysis
