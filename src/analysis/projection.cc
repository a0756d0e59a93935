#include "analysis/projection.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "analysis/cycle.h"
#include "base/text.h"

namespace rangewise::analysis {
namespace {

using model::kNoParent;
using model::ProjectedRange;
using model::ReportTables;

Error DuplicateRow(const ReportTables& tables, uint32_t row) {
  return {Code::kDuplicateRange, Format("the GPU projection has more than one row for the range {}",
                                        DescribeRange(tables, tables.projected[row]))};
}

// Which of two rows has the smaller key.
bool KeyLess(const ReportTables& tables, const ProjectedRange& a, const ProjectedRange& b) {
  return std::tie(a.range_id, tables.threads[a.thread]) <
         std::tie(b.range_id, tables.threads[b.thread]);
}

// Both sorted by index, into one. kDuplicateIteration when an index is in both.
Result<std::vector<NumberedRow>> MergeByIndex(const ReportTables& tables,
                                              const std::vector<NumberedRow>& known,
                                              const std::vector<NumberedRow>& unknown) {
  std::vector<NumberedRow> merged(known.size() + unknown.size());
  std::merge(known.begin(), known.end(), unknown.begin(), unknown.end(), merged.begin(),
             [](const NumberedRow& a, const NumberedRow& b) { return a.index < b.index; });
  for (size_t i = 1; i < merged.size(); ++i) {
    if (merged[i].index != merged[i - 1].index) continue;
    return DuplicateIteration(merged[i].index,
                              DescribeRange(tables, tables.projected[merged[i - 1].row]),
                              DescribeRange(tables, tables.projected[merged[i].row]));
  }
  return merged;
}

// A range that only the projection knows may not bear the index of a host iteration, projected or
// not.
Status CheckAgainstHost(const ReportTables& tables, const HostScopes& host,
                        const std::vector<NumberedRow>& unknown) {
  for (const NumberedRow& row : unknown) {
    const auto same =
        std::lower_bound(host.iterations.begin(), host.iterations.end(), row.index,
                         [](const NumberedRow& a, int64_t index) { return a.index < index; });
    if (same == host.iterations.end() || same->index != row.index) continue;
    return DuplicateIteration(row.index, DescribeRange(tables, tables.host[same->row]),
                              DescribeRange(tables, tables.projected[row.row]));
  }
  return Ok();
}

// Host iterations by row, so that a host row finds its index.
class IndexByRow {
 public:
  explicit IndexByRow(std::vector<NumberedRow> iterations) : rows_(std::move(iterations)) {
    std::sort(rows_.begin(), rows_.end(),
              [](const auto& a, const auto& b) { return a.row < b.row; });
  }
  int64_t At(uint32_t row) const {
    return std::lower_bound(rows_.begin(), rows_.end(), row,
                            [](const NumberedRow& a, uint32_t wanted) { return a.row < wanted; })
        ->index;
  }

 private:
  std::vector<NumberedRow> rows_;
};

}  // namespace

Result<JoinedProjection> JoinProjection(const ReportTables& tables, const HostIndex& host_index) {
  JoinedProjection joined;
  joined.host_rows.resize(tables.projected.size());
  std::vector<bool> taken(tables.host.size(), false);
  std::optional<uint32_t> duplicate;
  for (uint32_t i = 0; i < tables.projected.size(); ++i) {
    const ProjectedRange& row = tables.projected[i];
    const uint32_t host_row = host_index.Find(row.thread, row.range_id);
    joined.host_rows[i] = host_row;
    if (host_row == kNoRow) {
      joined.unknown.push_back(i);
    } else if (taken[host_row]) {
      if (!duplicate || KeyLess(tables, row, tables.projected[*duplicate])) duplicate = i;
    } else {
      taken[host_row] = true;
    }
  }
  if (duplicate) return DuplicateRow(tables, *duplicate);
  return joined;
}

Result<ProjectionScopes> PlaceProjection(const ReportTables& tables, const HostIndex& host_index,
                                         const HostScopes& host, const IterationNames& names,
                                         JoinedProjection joined, PathTree& tree) {
  ProjectionScopes scopes;
  const IndexByRow index_by_row(host.iterations);
  std::vector<NumberedRow> known;
  scopes.paths = std::move(joined.host_rows);
  for (uint32_t i = 0; i < scopes.paths.size(); ++i) {
    const uint32_t host_row = scopes.paths[i];
    if (host_row == kNoRow) {
      scopes.paths[i] = kUnresolved;
      continue;
    }
    if (host_row == host.capture) scopes.has_capture = true;
    scopes.paths[i] = host.paths[host_row];
    if (scopes.paths[i] == kRootPath) known.push_back({index_by_row.At(host_row), i});
  }
  std::sort(known.begin(), known.end(),
            [](const auto& a, const auto& b) { return a.index < b.index; });

  std::vector<NumberedRow> unknown;
  if (host.capture != kNoRow) {
    const auto next_index = static_cast<int64_t>(host.iterations.size());
    ASSIGN_OR_RETURN(
        unknown, FindProjectedIterations(tables, host.capture, names, joined.unknown, next_index));
  }
  RETURN_IF_ERROR(CheckAgainstHost(tables, host, unknown));
  for (const NumberedRow& iteration : unknown) scopes.paths[iteration.row] = kRootPath;
  ASSIGN_OR_RETURN(scopes.iterations, MergeByIndex(tables, known, unknown));

  const std::span<const ProjectedRange> rows(tables.projected);
  const RangeIndex<ProjectedRange> unknown_index(rows, joined.unknown);
  if (const auto duplicate = unknown_index.FindDuplicate(tables.threads))
    return DuplicateRow(tables, *duplicate);
  const auto parent_of = [&](uint32_t i) -> ParentLink {
    if (rows[i].parent_id == kNoParent) return {};
    const uint32_t host_row = host_index.Find(rows[i].thread, rows[i].parent_id);
    if (host_row == kNoRow)
      return {unknown_index.Find(rows[i].thread, rows[i].parent_id), kRootPath};
    return {kNoRow, host_row == host.capture ? kRootPath : host.paths[host_row]};
  };
  CycleReport cycles(tables, rows);
  ResolvePaths(
      scopes.paths, tree, parent_of, [&](uint32_t i) { return rows[i].name; },
      [&](std::span<const uint32_t> cycle) { cycles.Add(cycle); });
  if (auto failure = cycles.Failure()) return std::move(*failure);
  return scopes;
}

}  // namespace rangewise::analysis
