// Owns summing up GPU operations: counts, durations and bytes by kind, and for operations in the
// order of their starts the unions of their intervals, in one pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "analysis/gpu_shapes.h"
#include "base/interval_union.h"
#include "base/result.h"
#include "model/gpu_activity.h"
#include "model/range_gpu_work.h"

namespace rangewise::analysis {

// kTotalOverflow unless durations, bytes and delays of all operations, and the times of all calls,
// whatever their signs, each fit 64 bits together. Sums of some of them then fit as well.
Status CheckTotals(const model::GpuActivity& activity);

// Operations of one shape.
struct ShapeSum {
  int64_t instances = 0;
  int64_t total_ns = 0;
  int64_t bytes = 0;          // of copies and sets
  int64_t unknown_bytes = 0;  // how many do not say

  void Add(const model::GpuActivity& activity, uint32_t operation) {
    ++instances;
    total_ns += activity.DurationNs(activity.operations[operation]);
    if (operation < activity.kernel_count) return;
    const int64_t size = activity.memory_bytes[operation - activity.kernel_count];
    if (size == model::kNullInteger) {
      ++unknown_bytes;
    } else {
      bytes += size;
    }
  }
};

// AdditiveWork in the making.
class AdditiveSum {
 public:
  void Add(model::OperationKind kind, const ShapeSum& sum);
  model::AdditiveWork work() const;

 private:
  ShapeSum of_kind_[3];
};

// Sums of one range after another; what was taken is empty again.
class WorkSum {
 public:
  // `kernels`: how many of the largest are kept; 0: all. Both outlive this.
  WorkSum(const model::GpuActivity& activity, const GpuShapes& shapes, size_t kernels);

  // How many operations the next range has, at most.
  void Expect(size_t operations);
  // By number in the activity; starts never fall.
  void Add(uint32_t operation);
  // Fills total, launches, copies, kernels, busy, devices, graph nodes and queue delay. `work` has
  // none of them.
  void Take(model::GpuWork& work);

  // The same for sums alone, in any order. Not mixed with Add.
  void AddPlain(uint32_t operation) { SumOf(operation).Add(activity_, operation); }
  model::AdditiveWork TakePlain();

 private:
  struct DeviceSum {
    int64_t operations = 0;
    IntervalUnion busy;
    IntervalUnion computing;
    IntervalUnion computing_or_communication;
    IntervalUnion computing_or_copy;
  };
  struct ClassSum {
    int64_t operations = 0;
    IntervalUnion busy;
  };

  ShapeSum& SumOf(uint32_t operation);
  void TakeShapes(model::GpuWork& work);
  void TakeKernels(model::GpuWork& work);
  void TakeDevices(model::GpuWork& work);
  void TakeDelays(model::GpuWork& work);

  const model::GpuActivity& activity_;
  const GpuShapes& shapes_;
  size_t kernels_;
  std::vector<ShapeSum> sums_;  // by shape
  std::vector<uint32_t> seen_shapes_;
  std::vector<DeviceSum> devices_;  // by device
  std::vector<uint32_t> seen_devices_;
  std::vector<ClassSum> classes_;  // by device and class
  std::vector<model::OperationSum> kernel_sums_;  // by kernel
  IntervalUnion busy_;
  int64_t launches_ = 0;
  int64_t started_during_call_ = 0;
  std::vector<int64_t> delays_;
  // Scratch, so that what is kept of each range has no room to spare: there are many ranges.
  std::vector<std::pair<uint32_t, int64_t>> streams_;  // device, stream
  std::vector<uint32_t> device_classes_;
};

}  // namespace rangewise::analysis
