// Owns the ranges that can hold a CUDA call, host rows and those that only the projection knows, as
// one list: each with its scope path, its iteration and the range around it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/projection.h"
#include "analysis/range_filter.h"
#include "analysis/range_index.h"
#include "analysis/scope.h"
#include "model/analysis.h"
#include "model/rows.h"

namespace rangewise::analysis {

// What the analysis knows of the rows. Everything outlives whoever holds this.
struct RangeSource {
  const model::ReportTables& tables;
  const HostIndex& host_index;
  const HostScopes& host;
  const ProjectionScopes& projection;
  std::span<const uint32_t> unknown;  // rows of the projection that the host table does not know
  std::span<const ScopePath> place;   // by path's number in the tree: the index into the paths
  std::span<const model::Iteration> iterations;  // by index
  const RangeSelection* selection = nullptr;     // null: all rows have their paths
};

inline constexpr uint32_t kNoIteration = (1u << 30) - 1;

// A range, 12 bytes: there are millions.
struct GpuRange {
  // Of the innermost range from this one outwards that was selected; kRootPath: none up to the
  // harness range that paths start below.
  ScopePath path = kRootPath;
  uint32_t parent = kNoRow;  // the range around it, harness ranges too
  uint32_t iteration : 30 = kNoIteration;  // which it lies in or is, as an index into the iterations
  uint32_t in_capture : 1 = 0;             // it lies in the capture range or is it
  uint32_t selected : 1 = 0;               // an instance of its path
};
static_assert(sizeof(GpuRange) == 12);

class GpuRanges {
 public:
  explicit GpuRanges(const RangeSource& source);

  size_t size() const { return ranges_.size(); }
  const GpuRange& operator[](uint32_t row) const { return ranges_[row]; }
  // RangeIds are row numbers of one table, so that the id alone tells the range. kNoRow: no table
  // has it.
  uint32_t Find(int64_t range_id) const;

  uint32_t capture() const { return capture_; }  // kNoRow: there is none, or it was not selected
  // By iteration: its row.
  std::span<const uint32_t> iteration_rows() const { return iteration_rows_; }

 private:
  void Link(const RangeSource& source);
  void Place(const RangeSource& source);
  uint32_t RowOfUnknown(uint32_t projected) const;

  const HostIndex& host_index_;
  std::span<const uint32_t> unknown_;
  RangeIndex<model::ProjectedRange> unknown_index_;
  size_t host_rows_;
  uint32_t capture_ = kNoRow;
  std::vector<GpuRange> ranges_;  // host rows, then the unknown ones
  std::vector<uint32_t> iteration_rows_;
};

}  // namespace rangewise::analysis
