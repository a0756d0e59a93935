#include "analysis/gpu_shapes.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/regex.h"
#include "base/text.h"

namespace rangewise::analysis {
namespace {

using model::ActivityShape;
using model::NameId;
using model::OperationKind;

constexpr std::string_view kCompute = "compute";
constexpr std::string_view kCommunication = "communication";
constexpr std::string_view kCopy = "copy";
constexpr std::string_view kSet = "set";

// The libraries' words at the head of a part of the function's name, before its template arguments
// and parameters, in which other names can stand: NCCL, RCCL, MSCCL and MSCCL++, NVSHMEM, oneCCL,
// DeepEP, the userbuffers of Transformer Engine, and the all-reduce kernels of vLLM, TensorRT-LLM
// and PyTorch's symmetric memory.
constexpr std::string_view kCommunicationPattern =
    "(?is)(?:\\(anonymous namespace\\)|[^<(])*"
    "\\b_*(?:nccl|rccl|msccl|nvshmem|oneccl|deep_?ep\\b|userbuffers_|cross_device_reduce|"
    "(?:one|two)_?shot_?all_?reduce|multimem_(?:one|two)_?shot|multimem_all_|all_?reduce_?fusion)"
    ".*";

std::string_view BuiltInClass(const ActivityShape& shape, std::string_view name) {
  if (shape.kind == OperationKind::kCopy) return kCopy;
  if (shape.kind == OperationKind::kSet) return kSet;
  return IsCommunicationKernel(name) ? kCommunication : kCompute;
}

// Sorts and drops what is there twice.
template <typename T, typename Less>
void SortDistinct(std::vector<T>& values, Less less) {
  std::sort(values.begin(), values.end(), less);
  values.erase(std::unique(values.begin(), values.end(),
                           [&](const T& a, const T& b) { return !less(a, b) && !less(b, a); }),
               values.end());
}

template <typename T, typename Less>
uint32_t IndexIn(const std::vector<T>& values, const T& value, Less less) {
  return static_cast<uint32_t>(std::lower_bound(values.begin(), values.end(), value, less) -
                               values.begin());
}

// A stream with the process that tells it from others of the same numbers.
using ProcessStream = std::tuple<uint32_t, int64_t, int64_t, uint32_t>;

// The class of each shape, as text.
Result<std::vector<std::string>> ClassesOf(std::span<const ActivityShape> shapes,
                                           const model::NamePool& names,
                                           std::span<const model::GpuClassRule> rules) {
  std::vector<Regex> patterns;
  for (const model::GpuClassRule& rule : rules) {
    ASSIGN_OR_RETURN(Regex pattern, Regex::Compile(rule.pattern));
    patterns.push_back(std::move(pattern));
  }
  std::vector<std::string> classes;
  classes.reserve(shapes.size());
  std::map<std::pair<NameId, OperationKind>, std::string> known;
  for (const ActivityShape& shape : shapes) {
    const auto [at, is_new] = known.try_emplace({shape.name, shape.kind});
    if (is_new) {
      const std::string_view name =
          shape.name == model::kNoName ? std::string_view() : names.At(shape.name);
      const auto rule = std::find_if(patterns.begin(), patterns.end(), [&](const Regex& pattern) {
        return pattern.FullMatch(name);
      });
      at->second = rule == patterns.end()
                       ? BuiltInClass(shape, name)
                       : rules[static_cast<size_t>(rule - patterns.begin())].gpu_class;
    }
    classes.push_back(at->second);
  }
  return classes;
}

}  // namespace

OverlapRole RoleOfClass(std::string_view class_name) {
  if (class_name == kCommunication) return OverlapRole::kCommunication;
  if (class_name == kCopy) return OverlapRole::kCopy;
  return class_name == kSet ? OverlapRole::kSet : OverlapRole::kComputing;
}

bool IsCommunicationKernel(std::string_view name) {
  static const Regex pattern = Regex::Compile(kCommunicationPattern).value();
  return pattern.FullMatch(name);
}

Result<GpuShapes> NumberShapes(const model::GpuActivity& activity, const model::NamePool& names,
                               std::span<const model::GpuClassRule> rules) {
  const std::vector<ActivityShape>& shapes = activity.shapes;
  ASSIGN_OR_RETURN(const std::vector<std::string> classes, ClassesOf(shapes, names, rules));
  const auto name_less = [&](NameId a, NameId b) {
    if (a == model::kNoName || b == model::kNoName) return a != b && b == model::kNoName;
    return names.At(a) < names.At(b);
  };
  const auto class_less = [](const DeviceClass& a, const DeviceClass& b) {
    return std::tie(a.device, a.class_name) < std::tie(b.device, b.class_name);
  };

  GpuShapes out;
  out.classes = classes;
  SortDistinct(out.classes, std::less<>());
  for (const ActivityShape& shape : shapes) {
    out.devices.push_back(shape.device);
    if (shape.kind == OperationKind::kKernel) out.kernels.push_back(shape.name);
    if (shape.kind == OperationKind::kCopy) out.directions.push_back(shape.direction);
  }
  SortDistinct(out.devices, std::less<>());
  SortDistinct(out.kernels, name_less);
  SortDistinct(out.directions, name_less);

  std::vector<ProcessStream> streams;
  for (size_t i = 0; i < shapes.size(); ++i) {
    const ActivityShape& shape = shapes[i];
    ShapeInfo info;
    info.device = IndexIn(out.devices, shape.device, std::less<>());
    if (shape.kind == OperationKind::kKernel) {
      info.kernel = IndexIn(out.kernels, shape.name, name_less);
    } else if (shape.kind == OperationKind::kCopy) {
      info.direction = IndexIn(out.directions, shape.direction, name_less);
    }
    info.role = RoleOfClass(classes[i]);
    out.device_classes.push_back({info.device, IndexIn(out.classes, classes[i], std::less<>())});
    streams.emplace_back(info.device, shape.context, shape.stream, shape.process);
    out.shapes.push_back(info);
  }
  const std::vector<DeviceClass> class_of = out.device_classes;
  const std::vector<ProcessStream> stream_of = streams;
  SortDistinct(out.device_classes, class_less);
  SortDistinct(streams, std::less<>());
  for (const auto& [device, context, stream, process] : streams) {
    out.streams.push_back({device, context, stream, process});
  }
  for (size_t i = 0; i < shapes.size(); ++i) {
    out.shapes[i].device_class = IndexIn(out.device_classes, class_of[i], class_less);
    out.shapes[i].stream = IndexIn(streams, stream_of[i], std::less<>());
  }
  return out;
}

}  // namespace rangewise::analysis
