#include "analysis/range_gpu_work.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

#include "analysis/gap_filling.h"
#include "analysis/gpu_devices.h"
#include "analysis/gpu_extents.h"
#include "analysis/gpu_gather.h"
#include "analysis/gpu_shapes.h"
#include "analysis/gpu_sites.h"
#include "analysis/gpu_sums.h"
#include "analysis/gpu_totals.h"
#include "analysis/idle_gaps.h"
#include "analysis/path_shape.h"
#include "base/checked.h"
#include "base/parallel.h"
#include "base/text.h"

namespace rangewise::analysis {
namespace {

using model::GpuActivity;
using model::GpuWork;
using model::PathGpuWork;
using model::RangeGpuWork;

// What every path and iteration is computed from.
struct Inputs {
  const GpuActivity& activity;
  const GpuShapes& shapes;
  const GpuSites& sites;
  const SyncTypes& sync_types;
  std::span<const uint32_t> order;
  size_t kernels;
  int workers;
};

// What one worker computes in.
struct Scratch {
  explicit Scratch(const Inputs& in) : sum(in.activity, in.shapes, in.kernels) {}
  WorkSum sum;
  RankUnion ranks;
};

// Calls body(scratch, i) for the numbers below `sizes.size()` that are not 0 there; the large ones
// first, so that no worker is left with one at the end.
template <typename Body>
void ForEachBySize(const Inputs& in, std::span<const int64_t> sizes, Body body) {
  std::vector<uint32_t> tasks;
  for (uint32_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] > 0) tasks.push_back(i);
  }
  std::stable_sort(tasks.begin(), tasks.end(),
                   [&](uint32_t a, uint32_t b) { return sizes[a] > sizes[b]; });
  std::vector<std::unique_ptr<Scratch>> scratch(static_cast<size_t>(in.workers));
  ParallelFor(in.workers, tasks.size(), [&](int worker, size_t task) {
    std::unique_ptr<Scratch>& own = scratch[static_cast<size_t>(worker)];
    if (!own) own = std::make_unique<Scratch>(in);
    body(*own, tasks[task]);
  });
}

model::AdditiveWork OwnWork(const Inputs& in, std::span<const RankEntry> entries, WorkSum& sum) {
  for (const RankEntry& entry : entries) {
    if (entry.own()) sum.AddPlain(in.order[entry.rank()]);
  }
  return sum.TakePlain();
}

std::vector<int64_t> OperationsOf(const SiteTotals& totals) {
  std::vector<int64_t> operations;
  for (const SiteTotal& total : totals.total) operations.push_back(total.operations);
  return operations;
}

uint64_t PairsOf(const SiteTotals& totals) {
  uint64_t pairs = 0;
  for (const SiteTotal& total : totals.total) pairs += static_cast<uint64_t>(total.operations);
  return pairs;
}

void SetTotals(const Inputs& in, const SiteTotals& totals, size_t i, GpuWork& work) {
  work.graphs.records = totals.total[i].graphs;
  work.graphs_unreadable = in.activity.graphs_unreadable;
  if (totals.total[i].operations == 0 && work.MayHaveWholeGraphs()) work.busy.reset();
  if (!in.activity.no_sync_records) {
    work.synchronisations = in.sync_types.Named(totals.total[i].synchronisations);
  }
  if (in.activity.no_calls) return;
  work.calls = totals.total[i].calls;
  work.own_calls = totals.own_calls.empty() ? model::CallTimes{} : totals.own_calls[i];
}

// A range in which no operation was launched, as WorkSum would have it.
GpuWork EmptyWork() {
  GpuWork work;
  work.total = work.own = work.graphs.nodes = AdditiveSum().work();
  return work;
}

// By path: how much of the time axis the projections of its instances cover.
std::vector<int64_t> CoveredByPath(const SitePaths& paths, const GpuRanges& ranges,
                                   const RangeExtents& extents, int workers) {
  PathInstances instances(paths, ranges, extents);
  std::vector<int64_t> covered(paths.shape().size());
  ParallelFor(workers, covered.size(), [&](int, size_t path) {
    covered[path] = instances.CoveredNs(static_cast<ScopePath>(path));
  });
  return covered;
}

// By iteration: the extent of what was launched in it.
std::vector<Extent> OfIterations(const GpuRanges& ranges, const RangeExtents& extents) {
  std::vector<Extent> of_iterations;
  for (const uint32_t row : ranges.iteration_rows()) {
    of_iterations.push_back(row == kNoRow ? Extent() : extents.Of(row));
  }
  return of_iterations;
}

// By path of the tree; those with work or calls. `capture_path`: kRootPath, or the path that also
// holds all in the capture range. `covered`: by path.
std::vector<PathGpuWork> WorkByPath(const Inputs& in, const SitePaths& paths,
                                    ScopePath capture_path, const SiteTotals& totals,
                                    std::span<const int64_t> covered) {
  const PathShape& shape = paths.shape();
  const RankLists lists(in.activity, in.order, shape.size(), [&](model::Site site, auto visit) {
    paths.EachPath(site, visit);
  });
  std::vector<bool> has_range(shape.size(), false);
  for (uint32_t row = 0; row < in.sites.ranges().size(); ++row) {
    if (in.sites.ranges()[row].selected != 0) has_range[paths.PathOf(row)] = true;
  }
  std::vector<uint32_t> slot(shape.size(), UINT32_MAX);
  std::vector<PathGpuWork> out;
  std::vector<int64_t> sizes = OperationsOf(totals);
  for (ScopePath path = 0; path < shape.size(); ++path) {
    if (!has_range[path] || totals.total[path].IsEmpty()) {
      sizes[path] = 0;
      continue;
    }
    slot[path] = static_cast<uint32_t>(out.size());
    out.push_back({path, EmptyWork()});
    SetTotals(in, totals, path, out.back().work);
  }
  const auto ranks = static_cast<uint32_t>(in.order.size());
  ForEachBySize(in, sizes, [&](Scratch& scratch, uint32_t path) {
    GpuWork& work = out[slot[path]].work;
    const std::span<const RankEntry> own = lists.Of(path, path + 1);
    const std::span<const RankEntry> all = lists.Of(path, shape.end(path));
    work.own = OwnWork(in, own, scratch.sum);
    scratch.sum.Expect(static_cast<size_t>(sizes[path]));
    const auto add = [&](uint32_t rank) { scratch.sum.Add(in.order[rank]); };
    if (path == capture_path) {
      const auto in_capture = [&](uint32_t rank) {
        return in.sites.InCapture(in.activity.operations[in.order[rank]].site);
      };
      scratch.ranks.EachAnd(all, ranks, in_capture, add);
    } else if (own.size() == all.size()) {
      for (const RankEntry& entry : own) add(entry.rank());
    } else {
      scratch.ranks.Each(all, add);
    }
    scratch.sum.Take(work);
    work.projection = {covered[path]};
  });
  return out;
}

std::vector<model::IterationGpuWork> WorkByIteration(const Inputs& in, const RangeSource& source,
                                                     const SiteTotals& totals,
                                                     std::span<const Extent> extents) {
  const size_t count = source.iterations.size();
  const RankLists lists(in.activity, in.order, count, [&](model::Site site, auto visit) {
    in.sites.EachIteration(site, visit);
  });
  std::vector<model::IterationGpuWork> out(count);
  for (size_t i = 0; i < count; ++i) {
    out[i] = {source.iterations[i].index, EmptyWork()};
    SetTotals(in, totals, i, out[i].work);
  }
  ForEachBySize(in, OperationsOf(totals), [&](Scratch& scratch, uint32_t i) {
    GpuWork& work = out[i].work;
    const std::span<const RankEntry> all = lists.Of(i, i + 1);
    work.own = OwnWork(in, all, scratch.sum);
    for (const RankEntry& entry : all) scratch.sum.Add(in.order[entry.rank()]);
    scratch.sum.Take(work);
    work.projection = {extents[i].length_ns()};
  });
  return out;
}

// Times of tables made elsewhere may be of any size.
int64_t Bounded(Int128 time) {
  constexpr int64_t kMost = (int64_t{1} << 62) - 1;
  return static_cast<int64_t>(std::clamp<Int128>(time, -kMost, kMost));
}

GpuWorkOutcome TooMuch(std::string_view what, uint64_t most) {
  return {std::nullopt, Format("there are more than {} {}", Grouped(static_cast<int64_t>(most)),
                               what)};
}

constexpr std::string_view kGraphsHideIdle =
    "whole CUDA graphs ran, of which only the span is known: what was idle is not";

// What is not known where whole graphs ran, or may have.
void ExplainWholeGraphs(const GpuActivity& activity, RangeGpuWork& work) {
  if (activity.graph_records.empty() && !activity.graphs_unreadable) return;
  const std::string why =
      activity.graphs_unreadable
          ? Format("{}: whole CUDA graphs ran, and where is not known", *activity.no_graph_records)
          : std::string("whole CUDA graphs ran in it, of which only the span is known");
  work.null_reasons["gaps"] =
      activity.graphs_unreadable ? why : std::string(kGraphsHideIdle);
  const auto explain = [&](const GpuWork& row) {
    if (row.MayHaveWholeGraphs()) work.null_reasons["busy_share"] = why;
    if (!row.busy) work.null_reasons["busy"] = why;
  };
  for (const PathGpuWork& row : work.paths) explain(row.work);
  if (work.grouped_paths) {
    for (const PathGpuWork& row : *work.grouped_paths) explain(row.work);
  }
  for (const model::IterationGpuWork& row : work.iterations) explain(row.work);
}

// False where gaps and windows are too many pairs; `no_filling` says why it is not known what fills them.
bool AddGaps(const Inputs& in, const RangeSource& source, std::span<const Extent> extents,
             const GpuWorkOptions& options, model::Gaps& gaps, std::string& no_filling) {
  const uint64_t most_pairs = options.most_pairs;
  std::vector<GapWindow> windows;
  const uint32_t capture = source.host.capture;
  if (capture != kNoRow) {
    const model::HostRange& range = source.tables.host[capture];
    windows.push_back({std::nullopt, Bounded(range.start.ns),
                       Bounded(Int128{range.start.ns} + range.inclusive.ns)});
  }
  for (size_t i = 0; i < source.iterations.size(); ++i) {
    if (extents[i].empty()) continue;
    windows.push_back({source.iterations[i].index, extents[i].first_ns, extents[i].last_ns});
  }
  auto found = FindIdle(in.activity, in.shapes, in.order, windows, options.gap_threshold_ns,
                        most_pairs, in.workers);
  if (!found) return false;
  auto first_iteration = found->begin();
  if (capture != kNoRow) {
    gaps.capture = std::move(*first_iteration++);
    NameGaps(in.activity, source.tables, in.sites.ranges(), capture, windows[0].begin_ns,
             *gaps.capture);
    if (!FillGaps(source.tables, in.sites.ranges(), source.tables.host[capture].thread,
                  windows[0].begin_ns, most_pairs, *gaps.capture)) {
      no_filling = TooMuch("pairs of a gap and a time in one range", most_pairs).reason;
    }
  }
  gaps.iterations.assign(std::make_move_iterator(first_iteration),
                         std::make_move_iterator(found->end()));
  return true;
}

// Operations whose ranges do not nest, and the first two paths that show it.
void FindOverlaps(const Inputs& in, const SitePaths& paths, ScopePath capture_path,
                  std::span<const PathNode> nodes, const model::NamePool& names, int64_t& count,
                  Diagnostics& diagnostics) {
  std::optional<std::pair<ScopePath, ScopePath>> example;
  for (const model::ActivityOperation& operation : in.activity.operations) {
    const auto overlap = paths.Overlap(operation.site, capture_path);
    if (!overlap) continue;
    ++count;
    if (!example || *overlap < *example) example = overlap;
  }
  if (count == 0) return;
  diagnostics.Warn(
      Code::kOverlappingRanges,
      Format("{} GPU {} in ranges that do not nest, for example in {} and in {}", count,
             count == 1 ? "operation lies" : "operations lie",
             Quoted(JoinedPath(nodes, example->first, names)),
             Quoted(JoinedPath(nodes, example->second, names))));
}

}  // namespace

Result<GpuWorkOutcome> MakeRangeGpuWork(const GpuActivity& activity, const RangeSource& source,
                                        const GpuWorkPaths& paths, const GpuWorkOptions& options,
                                        int threads, Diagnostics& diagnostics) {
  const uint64_t most_pairs = options.most_pairs;
  if (activity.operations.size() >= kMostRanks) return TooMuch("GPU operations", kMostRanks - 1);
  if (const Status fits = CheckTotals(activity); !fits.ok()) {
    return GpuWorkOutcome{std::nullopt, fits.error().message};
  }
  ASSIGN_OR_RETURN(const GpuShapes shapes,
                   NumberShapes(activity, source.tables.names, options.classes));
  const GpuRanges ranges(source);
  const GpuSites sites(activity, ranges);
  const PathShape raw_shape(paths.raw);
  const SitePaths raw_paths(sites, raw_shape, {});
  const ScopePath capture_path =
      ranges.capture() == kNoRow ? kRootPath : ranges[ranges.capture()].path;
  const SyncTypes sync_types(activity, source.tables.names);
  const int workers = ThreadCount(threads);
  SiteTotals by_path;
  SiteTotals by_iteration;
  ParallelFor(workers, 2, [&](int, size_t task) {
    if (task == 0) {
      by_path = TotalsByPath(activity, sync_types, sites, raw_paths, capture_path);
    } else {
      by_iteration = TotalsByIteration(activity, sync_types, sites, source.iterations.size());
    }
  });

  // The tree of grouped paths holds each operation as often as that of the raw ones, or less often.
  const uint64_t trees = paths.grouped.empty() ? 1 : 2;
  if (trees * PairsOf(by_path) + PairsOf(by_iteration) > most_pairs) {
    return TooMuch("pairs of a GPU operation and a range path that it lies in", most_pairs);
  }
  std::optional<PathShape> grouped_shape;
  std::optional<SitePaths> grouped_paths;
  if (!paths.grouped.empty()) {
    grouped_shape.emplace(paths.grouped);
    grouped_paths.emplace(sites, *grouped_shape, paths.grouped_place);
  }
  // Extents of all rows are the largest thing here: they go before the operations are gathered.
  std::vector<int64_t> covered;
  std::vector<int64_t> covered_grouped;
  std::vector<Extent> of_iterations;
  {
    const RangeExtents extents(activity, sites);
    covered = CoveredByPath(raw_paths, ranges, extents, workers);
    if (grouped_paths) covered_grouped = CoveredByPath(*grouped_paths, ranges, extents, workers);
    of_iterations = OfIterations(ranges, extents);
  }
  const std::vector<uint32_t> order = StartOrder(activity);
  const Inputs in{activity, shapes, sites, sync_types, order, options.kernels, workers};

  RangeGpuWork work;
  work.gaps.threshold_ns = options.gap_threshold_ns;
  std::string no_filling;
  // Whole graphs leave nothing to say of idle times; ExplainWholeGraphs says so.
  if (activity.graph_records.empty() && !activity.graphs_unreadable &&
      !AddGaps(in, source, of_iterations, options, work.gaps, no_filling)) {
    work.null_reasons["gaps"] = TooMuch("pairs of a gap and an iteration", most_pairs).reason;
  }
  if (!no_filling.empty()) work.null_reasons["gap_filling"] = no_filling;
  work.paths = WorkByPath(in, raw_paths, capture_path, std::exchange(by_path, {}), covered);
  if (grouped_paths) {
    const ScopePath capture =
        capture_path == kRootPath ? kRootPath : paths.grouped_place[capture_path];
    work.grouped_paths = WorkByPath(
        in, *grouped_paths, capture,
        TotalsByPath(activity, sync_types, sites, *grouped_paths, capture), covered_grouped);
  }
  work.iterations = WorkByIteration(in, source, by_iteration, of_iterations);
  ExplainWholeGraphs(activity, work);
  work.devices = SumDevices(activity, shapes, order);
  work.unattributed = SumUnattributed(activity, sites);
  FindOverlaps(in, raw_paths, capture_path, paths.raw, source.tables.names,
               work.overlapping_operations, diagnostics);
  if (activity.no_calls) {
    work.null_reasons["calls"] = *activity.no_calls;
    work.null_reasons["queue_delay"] = *activity.no_calls;
  }
  if (activity.no_sync_records) work.null_reasons["synchronisations"] = *activity.no_sync_records;
  if (activity.no_graph_records) work.null_reasons["graphs"] = *activity.no_graph_records;
  return GpuWorkOutcome{std::move(work), {}};
}

}  // namespace rangewise::analysis
