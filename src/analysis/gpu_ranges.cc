#include "analysis/gpu_ranges.h"

#include <algorithm>

namespace rangewise::analysis {
namespace {

// What a range has from the one around it.
struct Inherited {
  ScopePath path = kRootPath;
  uint32_t iteration = kNoIteration;
  bool in_capture = false;
};

uint32_t NumberOf(std::span<const model::Iteration> iterations, int64_t index) {
  const auto at = std::lower_bound(
      iterations.begin(), iterations.end(), index,
      [](const model::Iteration& iteration, int64_t wanted) { return iteration.index < wanted; });
  return static_cast<uint32_t>(at - iterations.begin());
}

}  // namespace

GpuRanges::GpuRanges(const RangeSource& source)
    : host_index_(source.host_index),
      unknown_(source.unknown),
      unknown_index_(std::span<const model::ProjectedRange>(source.tables.projected),
                     source.unknown),
      host_rows_(source.tables.host.size()),
      ranges_(host_rows_ + source.unknown.size()) {
  Link(source);
  Place(source);
}

uint32_t GpuRanges::RowOfUnknown(uint32_t projected) const {
  const auto at = std::lower_bound(unknown_.begin(), unknown_.end(), projected);
  return static_cast<uint32_t>(host_rows_ + static_cast<size_t>(at - unknown_.begin()));
}

uint32_t GpuRanges::Find(int64_t range_id) const {
  const uint32_t host_row = host_index_.FindOnAnyThread(range_id);
  if (host_row != kNoRow) return host_row;
  const uint32_t projected = unknown_index_.FindOnAnyThread(range_id);
  return projected == kNoRow ? kNoRow : RowOfUnknown(projected);
}

void GpuRanges::Link(const RangeSource& source) {
  const HostScopes& host = source.host;
  const std::vector<model::HostRange>& rows = source.tables.host;
  for (uint32_t i = 0; i < host_rows_; ++i) {
    ranges_[i].parent = host.parents[i];
    // Scope paths end below the capture range, which is around the range all the same.
    if (host.parents[i] != kNoRow || host.capture == kNoRow || i == host.capture) continue;
    if (rows[i].parent_id == rows[host.capture].range_id &&
        rows[i].thread == rows[host.capture].thread) {
      ranges_[i].parent = host.capture;
    }
  }
  for (size_t i = 0; i < unknown_.size(); ++i) {
    const model::ProjectedRange& row = source.tables.projected[unknown_[i]];
    if (row.parent_id == model::kNoParent) continue;
    uint32_t& parent = ranges_[host_rows_ + i].parent;
    parent = host_index_.Find(row.thread, row.parent_id);
    if (parent != kNoRow) continue;
    const uint32_t projected = unknown_index_.Find(row.thread, row.parent_id);
    if (projected != kNoRow) parent = RowOfUnknown(projected);
  }
}

void GpuRanges::Place(const RangeSource& source) {
  const RangeSelection* selection = source.selection;
  std::vector<bool> is_placed(ranges_.size(), false);
  iteration_rows_.assign(source.iterations.size(), kNoRow);
  const auto set_iteration = [&](uint32_t row, int64_t index) {
    const uint32_t number = NumberOf(source.iterations, index);
    ranges_[row].iteration = number & kNoIteration;
    iteration_rows_[number] = row;
  };
  for (const NumberedRow& iteration : source.host.iterations) {
    set_iteration(iteration.row, iteration.index);
  }
  for (const NumberedRow& iteration : source.projection.iterations) {
    if (std::binary_search(unknown_.begin(), unknown_.end(), iteration.row)) {
      set_iteration(RowOfUnknown(iteration.row), iteration.index);
    }
  }

  const auto raw_path = [&](uint32_t row) {
    const ScopePath path = row < host_rows_ ? source.host.paths[row]
                                            : source.projection.paths[unknown_[row - host_rows_]];
    return path == kRootPath ? kRootPath : source.place[path];
  };
  const auto is_selected = [&](uint32_t row) {
    if (selection == nullptr) return true;
    return row < host_rows_ ? bool{selection->host[row]}
                            : bool{selection->projected[unknown_[row - host_rows_]]};
  };
  std::vector<uint32_t> chain;
  for (uint32_t first = 0; first < ranges_.size(); ++first) {
    uint32_t row = first;
    for (; row != kNoRow && !is_placed[row]; row = ranges_[row].parent) chain.push_back(row);
    Inherited around;
    if (row != kNoRow) {
      around = {ranges_[row].path, ranges_[row].iteration, ranges_[row].in_capture != 0};
    }
    for (; !chain.empty(); chain.pop_back()) {
      row = chain.back();
      GpuRange& range = ranges_[row];
      if (range.iteration == kNoIteration) range.iteration = around.iteration & kNoIteration;
      range.in_capture = around.in_capture || row == source.host.capture ? 1 : 0;
      const ScopePath path = raw_path(row);
      range.selected = path != kRootPath && is_selected(row) ? 1 : 0;
      if (range.selected != 0) {
        range.path = path;
      } else if (path != kRootPath) {
        range.path = around.path;
      }
      around = {range.path, range.iteration, range.in_capture != 0};
      is_placed[row] = true;
    }
  }
  if (source.host.capture != kNoRow && ranges_[source.host.capture].selected != 0) {
    capture_ = source.host.capture;
  }
}

}  // namespace rangewise::analysis
