#include "analysis/gpu_selection.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "base/wide.h"

namespace rangewise::analysis {

namespace {

using model::GpuBy;
using model::GpuSortKey;
using model::GpuWork;
using model::RowSelection;

// What rows are compared by: exact, and absent values below all others.
struct Measure {
  bool known = true;
  Int128 whole = 0;
  double ratio = 0;
};

bool Above(const Measure& a, const Measure& b) {
  if (a.known != b.known) return a.known;
  if (a.whole != b.whole) return a.whole > b.whole;
  return a.ratio > b.ratio;
}

RowSelection Largest(const std::vector<Measure>& measures, size_t top) {
  RowSelection selection{.rows = std::vector<uint32_t>(measures.size()), .total = measures.size()};
  std::iota(selection.rows.begin(), selection.rows.end(), uint32_t{0});
  const size_t shown = top == 0 ? measures.size() : std::min(measures.size(), top);
  std::partial_sort(selection.rows.begin(),
                    selection.rows.begin() + static_cast<std::ptrdiff_t>(shown),
                    selection.rows.end(), [&](uint32_t a, uint32_t b) {
                      if (Above(measures[a], measures[b])) return true;
                      return !Above(measures[b], measures[a]) && a < b;
                    });
  selection.rows.resize(shown);
  return selection;
}

Measure Of(const GpuWork& work, GpuSortKey key) {
  switch (key) {
    case GpuSortKey::kBusy:
      return {.known = work.busy.has_value(), .whole = work.busy.value_or(GpuNs{}).ns};
    case GpuSortKey::kBusyShare: {
      const std::optional<double> share = work.BusyShare();
      return {.known = share.has_value(), .ratio = share.value_or(0)};
    }
    case GpuSortKey::kKernels:
      return {.whole = work.total.kernels.total.ns};
    case GpuSortKey::kCopies:
      return {.whole = work.total.copies.sum.total.ns};
    case GpuSortKey::kOperations:
      return {.whole = work.total.operations};
    case GpuSortKey::kWaits:
      if (!work.calls) return {.known = false};
      return {.whole =
                  (*work.calls)[static_cast<size_t>(model::CallClass::kSynchronising)].total.ns};
    case GpuSortKey::kOwn:
      return {.whole = model::SummedDurations(work.own)};
    case GpuSortKey::kDelay:
      if (!work.queue_delay || !work.queue_delay->statistics) return {.known = false};
      return {.whole = Int128{work.queue_delay->statistics->median_low.ns} +
                       work.queue_delay->statistics->median_high.ns};
    case GpuSortKey::kExposedCommunication:
      return {.known = work.busy.has_value(), .whole = model::ExposedCommunication(work)};
    case GpuSortKey::kName:
      break;
  }
  return {};
}

// Of a whole device or stream.
template <typename Row>
Measure OfWhole(const Row& row, GpuSortKey key) {
  switch (key) {
    case GpuSortKey::kBusy:
      return {.whole = row.busy.ns};
    case GpuSortKey::kKernels:
      return {.whole = row.work.kernels.total.ns};
    case GpuSortKey::kCopies:
      return {.whole = row.work.copies.sum.total.ns};
    case GpuSortKey::kOperations:
      return {.whole = row.work.operations};
    default:
      return {};
  }
}

RowSelection Kernels(const model::AnalysisDocument& document, GpuSortKey key, size_t top) {
  if (!document.analysis.kernels) return {};
  const std::vector<model::KernelTotal>& kernels = *document.analysis.kernels;
  std::vector<Measure> measures;
  if (key == GpuSortKey::kName) {
    std::vector<uint32_t> order(kernels.size());
    std::iota(order.begin(), order.end(), uint32_t{0});
    const model::NamePool& names = document.tables.names;
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return names.At(kernels[a].name) < names.At(kernels[b].name);
    });
    measures.resize(kernels.size());
    for (size_t i = 0; i < order.size(); ++i) measures[order[i]].whole = -static_cast<Int128>(i);
    return Largest(measures, top);
  }
  for (const model::KernelTotal& kernel : kernels) {
    measures.push_back(
        {.whole = key == GpuSortKey::kOperations ? kernel.instances : kernel.duration_ns});
  }
  return Largest(measures, top);
}

}  // namespace

void SelectGpuRows(model::GpuView& view, size_t top) {
  const model::AnalysisDocument& document = view.file.document;
  view.rows = {};
  if (view.by == GpuBy::kKernel) {
    view.rows = Kernels(document, view.sort, top);
    return;
  }
  if (!document.analysis.gpu_work) return;
  const model::RangeGpuWork& work = *document.analysis.gpu_work;
  std::vector<Measure> measures;
  switch (view.by) {
    case GpuBy::kOverview:
    case GpuBy::kPath: {
      const model::ShownGpuPaths paths(document);
      for (const model::PathGpuWork& row : paths.rows) measures.push_back(Of(row.work, view.sort));
      break;
    }
    case GpuBy::kIteration:
      for (const auto& row : work.iterations) measures.push_back(Of(row.work, view.sort));
      break;
    case GpuBy::kDevice:
      for (const auto& row : work.devices) measures.push_back(OfWhole(row, view.sort));
      break;
    case GpuBy::kStream:
      for (const auto& [device, stream] : model::StreamsOf(work)) {
        measures.push_back(OfWhole(*stream, view.sort));
      }
      break;
    case GpuBy::kKernel:
      break;
  }
  view.rows = Largest(measures, top);
}

}  // namespace rangewise::analysis
