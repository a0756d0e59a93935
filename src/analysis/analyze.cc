#include "analysis/analyze.h"

#include <algorithm>
#include <cstdint>
#include <future>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/collapse.h"
#include "analysis/cycle.h"
#include "analysis/findings.h"
#include "analysis/gpu_work.h"
#include "analysis/groups.h"
#include "analysis/harness.h"
#include "analysis/iterations.h"
#include "analysis/name_rules.h"
#include "analysis/projection.h"
#include "analysis/range_index.h"
#include "analysis/scope.h"
#include "base/text.h"

namespace rangewise::analysis {
namespace {

using model::Analysis;
using model::HostRange;
using model::ProjectedRange;
using model::ReportTables;

// Rows, and keys of twice their number, are counted in 32 bits, of which a few values are marks.
constexpr size_t kMostRows = (size_t{1} << 31) - 16;

// Calls both; at the same time when `parallel` and the system gives a thread.
template <typename First, typename Second>
void RunBoth(bool parallel, First first, Second second) {
  std::future<void> running;
  if (parallel) {
    try {
      running = std::async(std::launch::async, second);
    } catch (const std::system_error&) {
      parallel = false;  // no thread to be had: the same work, later
    }
  }
  first();
  if (parallel) {
    running.get();
  } else {
    second();
  }
}

Status CheckSizes(const ReportTables& tables) {
  if (tables.host.empty()) return Error{Code::kNoHostRanges, "the host table has no ranges"};
  if (tables.host.size() > kMostRows || tables.projected.size() > kMostRows) {
    return Error{Code::kOutOfMemory, Format("more than {} ranges in one table", kMostRows)};
  }
  return Ok();
}

Status CheckDuplicates(const ReportTables& tables, const HostIndex& index) {
  const std::optional<uint32_t> duplicate = index.FindDuplicate(tables.threads);
  if (!duplicate) return Ok();
  return Error{Code::kDuplicateRange,
               Format("the host table has more than one row for the range {}",
                      DescribeRange(tables, tables.host[*duplicate]))};
}

// Paths of all host rows: `host.capture` and `host.iterations` are known.
Status PlaceHostRows(const ReportTables& tables, const HostIndex& index, HostScopes& host,
                     PathTree& tree) {
  const std::span<const HostRange> rows(tables.host);
  host.paths.assign(rows.size(), kUnresolved);
  host.parents.assign(rows.size(), kNoRow);
  if (host.capture != kNoRow)
    host.paths[host.capture] = tree.Child(kRootPath, rows[host.capture].name);
  for (const NumberedRow& iteration : host.iterations) host.paths[iteration.row] = kRootPath;
  const auto parent_of = [&](uint32_t i) -> ParentLink {
    if (rows[i].parent_id == model::kNoParent) return {};
    const uint32_t parent = index.Find(rows[i].thread, rows[i].parent_id);
    host.parents[i] = parent == host.capture ? kNoRow : parent;
    return {host.parents[i], kRootPath};
  };
  CycleReport cycles(tables, rows);
  ResolvePaths(
      host.paths, tree, parent_of, [&](uint32_t i) { return rows[i].name; },
      [&](std::span<const uint32_t> cycle) { cycles.Add(cycle); });
  if (auto failure = cycles.Failure()) return std::move(*failure);
  return Ok();
}

// A number of host rows with the earliest as their example.
struct HostExample {
  size_t count = 0;
  const HostRange* earliest = nullptr;

  void Add(const ReportTables& tables, const HostRange& row) {
    ++count;
    if (earliest == nullptr || Before(tables, row, *earliest)) earliest = &row;
  }
  static bool Before(const ReportTables& tables, const HostRange& a, const HostRange& b) {
    return std::tie(a.start, tables.threads[a.thread], a.range_id) <
           std::tie(b.start, tables.threads[b.thread], b.range_id);
  }
};

// The same for rows of the projection, which have no host time: the example is that of the smallest
// thread and id.
struct ProjectedExample {
  size_t count = 0;
  const ProjectedRange* smallest = nullptr;

  void Add(const ReportTables& tables, const ProjectedRange& row) {
    ++count;
    if (smallest == nullptr || Before(tables, row, *smallest)) smallest = &row;
  }
  static bool Before(const ReportTables& tables, const ProjectedRange& a, const ProjectedRange& b) {
    return std::tie(tables.threads[a.thread], a.range_id) <
           std::tie(tables.threads[b.thread], b.range_id);
  }
};

void WarnOfNegativeDurations(const ReportTables& tables, std::span<const uint32_t> unknown,
                             Diagnostics& diagnostics) {
  HostExample host;
  for (const HostRange& row : tables.host) {
    if (row.inclusive.ns < 0) host.Add(tables, row);
  }
  if (host.count > 0) {
    diagnostics.Warn(
        Code::kNegativeDuration,
        Format("{} host {}; the earliest is {}", host.count,
               host.count == 1 ? "range ends before it starts" : "ranges end before they start",
               DescribeRange(tables, *host.earliest)));
  }
  ProjectedExample projected;
  for (const ProjectedRange& row : tables.projected) {
    if (row.projected.ns < 0) projected.Add(tables, row);
  }
  for (const uint32_t i : unknown) {
    const ProjectedRange& row = tables.projected[i];
    if (row.original.ns < 0 && row.projected.ns >= 0) projected.Add(tables, row);
  }
  if (projected.count > 0) {
    diagnostics.Warn(
        Code::kNegativeDuration,
        Format("{} of the GPU projection {} a negative duration, for example {}",
               projected.count == 1 ? std::string("1 row") : Format("{} rows", projected.count),
               projected.count == 1 ? "has" : "have", DescribeRange(tables, *projected.smallest)));
  }
}

void WarnOfCaptureName(const ReportTables& tables, const HostScopes& host,
                       Diagnostics& diagnostics) {
  HostExample reused;
  const ScopePath capture_path = host.paths[host.capture];
  for (uint32_t i = 0; i < host.paths.size(); ++i) {
    if (host.paths[i] == capture_path && i != host.capture) reused.Add(tables, tables.host[i]);
  }
  if (reused.count == 0) return;
  diagnostics.Warn(
      Code::kCaptureNameReused,
      Format("{} more {} the capture range's name and scope, so the totals of its group count time "
             "twice; the earliest is {}",
             reused.count, reused.count == 1 ? "range has" : "ranges have",
             DescribeRange(tables, *reused.earliest)));
}

void WarnOfOrphans(const ReportTables& tables, std::span<const uint32_t> unknown,
                   Diagnostics& diagnostics) {
  ProjectedExample orphans;
  const auto is_orphan = [](const ProjectedRange& row) {
    return row.style == model::Style::kPushPop;
  };
  for (const uint32_t i : unknown) {
    if (is_orphan(tables.projected[i]) && tables.projected[i].has_level)
      orphans.Add(tables, tables.projected[i]);
  }
  for (const ProjectedRange& row : tables.projected) {
    if (is_orphan(row) && !row.has_level) orphans.Add(tables, row);
  }
  if (orphans.count == 0) return;
  diagnostics.Warn(
      Code::kOrphanedGpuRanges,
      Format("{} push/pop {} of the GPU projection {} not in the host table or without a level, "
             "for example {}",
             orphans.count, orphans.count == 1 ? "range" : "ranges",
             orphans.count == 1 ? "is" : "are", DescribeRange(tables, *orphans.smallest)));
}

// The paths of the rows that were selected; the others are in no group.
std::vector<ScopePath> OfSelected(std::span<const ScopePath> paths,
                                  const std::vector<bool>& selected) {
  std::vector<ScopePath> out(paths.begin(), paths.end());
  for (size_t i = 0; i < out.size(); ++i) {
    if (!selected[i]) out[i] = kRootPath;
  }
  return out;
}

}  // namespace

Result<Analysis> Analyze(const ReportTables& tables, const model::Harness& harness,
                         const AnalyzeOptions& options, Diagnostics& diagnostics) {
  RETURN_IF_ERROR(CheckSizes(tables));
  const int threads =
      options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());
  const bool parallel = threads > 1;

  ASSIGN_OR_RETURN(const IterationNames names, IterationNames::Make(harness));
  ASSIGN_OR_RETURN(NameRules rules, NameRules::Make(options.name_rules, options.mask_numbers));
  HostScopes host;
  ASSIGN_OR_RETURN(host.capture, FindCaptureRange(tables, harness));
  const HostIndex host_index{std::span<const HostRange>(tables.host)};
  RETURN_IF_ERROR(CheckDuplicates(tables, host_index));
  if (host.capture != kNoRow) {
    ASSIGN_OR_RETURN(host.iterations, FindHostIterations(tables, host.capture, names));
  }

  PathTree tree;
  Status placed = Ok();
  Result<JoinedProjection> joined = JoinedProjection{};
  RunBoth(
      parallel, [&] { placed = PlaceHostRows(tables, host_index, host, tree); },
      [&] { joined = JoinProjection(tables, host_index); });
  RETURN_IF_ERROR(std::move(placed));
  if (!joined.ok()) return std::move(joined).error();
  const std::vector<uint32_t> unknown = joined->unknown;
  ASSIGN_OR_RETURN(
      const ProjectionScopes projection,
      PlaceProjection(tables, host_index, host, names, std::move(joined).value(), tree));
  OrderedPaths ordered = OrderPaths(tree, tables.names);

  std::span<const ScopePath> host_paths = host.paths;
  std::span<const ScopePath> projected_paths = projection.paths;
  std::vector<ScopePath> selected_host;
  std::vector<ScopePath> selected_projected;
  if (options.selection != nullptr) {
    host_paths = selected_host = OfSelected(host_paths, options.selection->host);
    projected_paths = selected_projected =
        OfSelected(projected_paths, options.selection->projected);
  }
  Analysis analysis;
  Status host_grouped = Ok();
  Status projection_grouped = Ok();
  RunBoth(
      parallel,
      [&] {
        host_grouped =
            GroupHostRows(tables, host_paths, ordered, tables.names, analysis.host_groups);
      },
      [&] {
        projection_grouped = GroupProjectedRows(tables, projected_paths, ordered, tables.names,
                                                analysis.projected_groups);
      });
  RETURN_IF_ERROR(std::move(host_grouped));
  RETURN_IF_ERROR(std::move(projection_grouped));
  analysis.paths = std::move(ordered.nodes);
  std::vector<ScopePath> grouped_place;
  if (!rules.empty()) {
    const auto rename = [&](std::string_view name) { return rules.Apply(name); };
    ASSIGN_OR_RETURN(CollapsedPaths collapsed, Collapse(analysis.paths, tables.names, rename));
    grouped_place = collapsed.place;
    ASSIGN_OR_RETURN(analysis.grouped,
                     GroupCollapsed(tables, host_paths, projected_paths, ordered.place,
                                    std::move(collapsed), analysis));
  }
  analysis.iterations = MergeIterations(tables, host.iterations, projection.iterations);
  ASSIGN_OR_RETURN(analysis.iteration_summary, SummariseIterations(analysis.iterations));
  ASSIGN_OR_RETURN(analysis.kernels, SumKernels(tables));
  ASSIGN_OR_RETURN(analysis.copies, SumCopies(tables));

  if (options.gpu_activity != nullptr) {
    const RangeSource source{.tables = tables,
                             .host_index = host_index,
                             .host = host,
                             .projection = projection,
                             .unknown = unknown,
                             .place = ordered.place,
                             .iterations = analysis.iterations,
                             .selection = options.selection};
    GpuWorkPaths gpu_paths{.raw = analysis.paths, .grouped = {}, .grouped_place = grouped_place};
    if (analysis.grouped) gpu_paths.grouped = analysis.grouped->paths;
    ASSIGN_OR_RETURN(GpuWorkOutcome made,
                     MakeRangeGpuWork(*options.gpu_activity, source, gpu_paths, options.gpu_work,
                                      threads, diagnostics));
    analysis.gpu_work = std::move(made.work);
    analysis.no_gpu_work = std::move(made.reason);
  }

  WarnOfIterations(analysis.iterations, harness, !tables.projected.empty(), diagnostics);
  if (host.capture != kNoRow && !projection.has_capture) {
    diagnostics.Warn(
        Code::kMissingGpuCaptureRange,
        Format("the capture range {} has no GPU projection", Quoted(*harness.capture_range)));
  }
  WarnOfNegativeDurations(tables, unknown, diagnostics);
  if (host.capture != kNoRow) WarnOfCaptureName(tables, host, diagnostics);
  WarnOfOrphans(tables, unknown, diagnostics);
  rules.WarnOfUnused(diagnostics);
  if (options.selection != nullptr) return analysis;
  analysis.findings = FindAll({.tables = tables,
                               .analysis = analysis,
                               .host = host,
                               .place = ordered.place,
                               .grouped_place = grouped_place});
  return analysis;
}

}  // namespace rangewise::analysis
