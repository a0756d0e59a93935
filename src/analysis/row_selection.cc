#include "analysis/row_selection.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <numeric>
#include <set>
#include <vector>

#include "base/checked.h"

namespace rangewise::analysis {

namespace {

using model::RowSelection;
using model::ShownRanges;
using model::SortKey;

size_t Shown(size_t count, size_t top) { return top == 0 ? count : std::min(count, top); }

// The first rows in their own order.
RowSelection FirstRows(size_t count, size_t top) {
  RowSelection selection{.total = count};
  selection.rows.resize(Shown(count, top));
  std::iota(selection.rows.begin(), selection.rows.end(), uint32_t{0});
  return selection;
}

// The rows for which `compare(a, b)`, a three-way comparison, is greatest.
template <typename Compare>
RowSelection LargestRows(size_t count, size_t top, Compare compare) {
  std::vector<uint32_t> rows(count);
  std::iota(rows.begin(), rows.end(), uint32_t{0});
  const size_t shown = Shown(count, top);
  std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(shown), rows.end(),
                    [&](uint32_t a, uint32_t b) {
                      const std::partial_ordering order = compare(a, b);
                      return order > 0 || (order == 0 && a < b);
                    });
  rows.resize(shown);
  return {.rows = std::move(rows), .total = count};
}

// By one measure of the statistics; an absent one is below all others.
template <typename Ns>
std::partial_ordering Compare(const model::Statistics<Ns>& a, const model::Statistics<Ns>& b,
                              SortKey key) {
  switch (key) {
    case SortKey::kMean:
      return a.mean_ns <=> b.mean_ns;
    case SortKey::kMedian:
      return Int128{a.median_low.ns} + a.median_high.ns <=>
             Int128{b.median_low.ns} + b.median_high.ns;
    case SortKey::kP95:
      return a.p95_ns <=> b.p95_ns;
    case SortKey::kMax:
      return a.maximum <=> b.maximum;
    default:
      return a.total <=> b.total;
  }
}

RowSelection HostRows(const ShownRanges& ranges, SortKey key, size_t top) {
  const size_t count = ranges.host_count();
  if (key == SortKey::kName) return FirstRows(count, top);
  return LargestRows(count, top, [&](uint32_t a, uint32_t b) -> std::partial_ordering {
    const model::HostGroup& left = ranges.Host(a);
    const model::HostGroup& right = ranges.Host(b);
    if (key == SortKey::kExclusive) return left.exclusive.total <=> right.exclusive.total;
    if (key == SortKey::kCount) return left.instances <=> right.instances;
    return Compare(left.inclusive, right.inclusive, key);
  });
}

RowSelection ProjectedRows(const ShownRanges& ranges, SortKey key, size_t top) {
  const size_t count = ranges.projected_count();
  if (key == SortKey::kName) return FirstRows(count, top);
  return LargestRows(count, top, [&](uint32_t a, uint32_t b) -> std::partial_ordering {
    const model::ProjectedGroup& left = ranges.Projected(a);
    const model::ProjectedGroup& right = ranges.Projected(b);
    if (key == SortKey::kCount) return left.instances <=> right.instances;
    return Compare(left.projected, right.projected, key);
  });
}

void SelectIterations(model::Summary& summary, size_t top) {
  const auto& iterations = summary.file.document.analysis.iterations;
  std::set<int64_t> named;
  for (const model::Finding& finding : summary.file.document.analysis.findings) {
    if (!model::NamesSingleIterations(finding, iterations.size())) continue;
    named.insert(finding.iterations.begin(), finding.iterations.end());
  }
  if (Shown(iterations.size(), top) == iterations.size()) {
    summary.iterations = FirstRows(iterations.size(), 0);
  } else {
    std::set<uint32_t> rows = {0};
    if (top > 1) rows.insert(static_cast<uint32_t>(iterations.size() - 1));
    for (uint32_t i = 0; i < iterations.size() && rows.size() < top; ++i) {
      if (named.contains(iterations[i].index)) rows.insert(i);
    }
    summary.iterations = {.rows = {rows.begin(), rows.end()}, .total = iterations.size()};
  }
  summary.named_iterations = {.total = named.size()};
  for (const uint32_t row : summary.iterations.rows) {
    if (named.contains(iterations[row].index)) ++summary.named_iterations.shown;
  }
}

}  // namespace

void SelectRows(model::Summary& summary, size_t top) {
  const model::Analysis& analysis = summary.file.document.analysis;
  const ShownRanges ranges(summary.file.document);
  const SortKey key = summary.sort.value_or(SortKey::kTotal);
  summary.host = HostRows(ranges, key, top);
  summary.host_by_exclusive = {};
  if (!summary.sort) summary.host_by_exclusive = HostRows(ranges, SortKey::kExclusive, top);
  summary.projected = ProjectedRows(ranges, key, top);
  summary.kernels = FirstRows(analysis.kernels ? analysis.kernels->size() : 0, top);
  summary.copies = FirstRows(analysis.copies ? analysis.copies->size() : 0, top);
  SelectIterations(summary, top);
}

}  // namespace rangewise::analysis
