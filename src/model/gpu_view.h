// Owns what `rangewise gpu` shows of an analysis: the analysis itself, which list of its GPU work,
// and which rows of it in which order. Text, Markdown, JSON and CSV are written from this one value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/wide.h"
#include "model/analysis_file.h"
#include "model/summary.h"

namespace rangewise::model {

// kOverview: paths, and beside them what belongs to the run as a whole.
enum class GpuBy : uint8_t { kOverview, kPath, kKernel, kIteration, kDevice, kStream };
inline constexpr GpuBy kGpuByOptions[] = {GpuBy::kPath, GpuBy::kKernel, GpuBy::kIteration,
                                          GpuBy::kDevice, GpuBy::kStream};
std::string_view GpuByName(GpuBy by);  // "overview", "path"

enum class GpuSortKey : uint8_t {
  kBusy,
  kBusyShare,
  kKernels,                // summed durations
  kCopies,                 // summed durations
  kOperations,
  kWaits,                  // host time in synchronising calls
  kOwn,                    // summed durations of what was launched in no smaller range
  kDelay,                  // median queue delay
  kExposedCommunication,   // over devices
  kName,                   // the analysis's order: by path, index or number
};
std::string_view GpuSortKeyName(GpuSortKey key);  // "busy-share"

// The keys that a list can be sorted by, the default first.
std::span<const GpuSortKey> GpuSortKeys(GpuBy by);

struct GpuView {
  AnalysisFile file;
  std::optional<std::string> analysis_path;  // where analysis.json is; absent: standard input
  std::vector<std::string> filters;          // in words, as they were given
  GpuBy by = GpuBy::kOverview;
  GpuSortKey sort = GpuSortKey::kBusy;
  // Of paths the grouped ones where there are any; of streams as StreamsOf lists them.
  RowSelection rows;
};

// The paths that a view shows; the analysis has GPU work.
struct ShownGpuPaths {
  explicit ShownGpuPaths(const AnalysisDocument& document);

  bool grouped = false;
  const std::vector<PathGpuWork>& rows;
  const std::vector<PathNode>& paths;
  const NamePool& names;
};

// The streams of all devices, in their order.
std::vector<std::pair<const DeviceTotal*, const StreamWork*>> StreamsOf(const RangeGpuWork& work);

// Sums over kinds and devices; 128 bits hold them exactly.
Int128 SummedDurations(const AdditiveWork& work);
Int128 ExposedCommunication(const GpuWork& work);

}  // namespace rangewise::model
