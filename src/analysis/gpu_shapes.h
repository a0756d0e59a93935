// Owns what the kinds of operations of a trace mean for sums: the device, stream, kernel, direction
// and class of each shape, numbered in the order that they are shown in.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/gpu_activity.h"
#include "model/run.h"

namespace rangewise::analysis {

// How an operation counts for overlap. Computing is what is neither communication, copy nor set.
enum class OverlapRole : uint8_t { kComputing, kCommunication, kCopy, kSet };
OverlapRole RoleOfClass(std::string_view class_name);

inline constexpr uint32_t kNotNumbered = UINT32_MAX;

struct ShapeInfo {
  uint32_t device = 0;        // index into devices
  uint32_t stream = 0;        // index into streams
  uint32_t device_class = 0;  // index into device_classes
  uint32_t kernel = kNotNumbered;     // index into kernels; of kernels only
  uint32_t direction = kNotNumbered;  // index into directions; of copies only
  OverlapRole role = OverlapRole::kComputing;
};

struct ShapeStream {
  uint32_t device = 0;  // index into devices
  int64_t context = model::kNullInteger;
  int64_t stream = model::kNullInteger;
  uint32_t process = UINT32_MAX;  // as the shapes have it
};

struct DeviceClass {
  uint32_t device = 0;      // index into devices
  uint32_t class_name = 0;  // index into classes
};

struct GpuShapes {
  std::vector<ShapeInfo> shapes;  // by shape of the activity
  std::vector<int64_t> devices;   // ascending
  std::vector<ShapeStream> streams;  // by device, context, stream; of equal ones each process's
  std::vector<std::string> classes;  // by name
  std::vector<DeviceClass> device_classes;  // by device, then class
  std::vector<model::NameId> kernels;       // by name
  std::vector<model::NameId> directions;    // by name; kNoName last
};

// The class of an operation is that of the first rule whose pattern matches its whole name, else
// `communication` for kernels of communication libraries, else `compute`, `copy` or `set` by kind.
// kBadPattern when a rule does not compile. O(names * rules) beside sorting.
Result<GpuShapes> NumberShapes(const model::GpuActivity& activity, const model::NamePool& names,
                               std::span<const model::GpuClassRule> rules);

// Whether a kernel of this name is one of NCCL, RCCL, MSCCL(++), NVSHMEM, DeepEP and peers.
bool IsCommunicationKernel(std::string_view name);

}  // namespace rangewise::analysis
