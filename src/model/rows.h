// Owns the rows of NVIDIA's four report tables as the analysis needs them. Rows from `nsys stats`
// and rows that our own engine computes are this same type: it is the contract between sources and
// analysis. Row order carries no meaning. Times are nanoseconds whatever unit a table was printed
// in.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "model/names.h"

namespace rangewise::model {

// The four report tables, by NVIDIA's names.
enum class Report : uint8_t { kPushPop, kGpuProjection, kKernelSummary, kGpuTrace };
inline constexpr std::array<Report, 4> kReports = {Report::kPushPop, Report::kGpuProjection,
                                                   Report::kKernelSummary, Report::kGpuTrace};
std::string_view ReportName(Report report);  // "nvtx_pushpop_trace"
std::string ReportFileName(Report report);   // "nsys_nvtx_pushpop_trace.csv"

// A thread of a process. Rows refer to it by index into ReportTables::threads.
struct ThreadKey {
  int64_t process_id = 0;
  int64_t thread_id = 0;
  auto operator<=>(const ThreadKey&) const = default;
};

// More threads than any table has: their numbers share a word with two marks.
inline constexpr uint32_t kMostThreads = 1u << 30;

inline constexpr int64_t kNoParent = std::numeric_limits<int64_t>::min();

// A row of nvtx_pushpop_trace. (PID, TID, RangeId) identifies it.
struct HostRange {
  TimestampNs start;
  HostNs inclusive;  // Duration; can be negative when a range ends before it starts
  HostNs children;   // DurChild
  HostNs exclusive;  // DurNonChild; can be negative when children overlap
  int64_t range_id = 0;
  int64_t parent_id = kNoParent;  // kNoParent: top level
  NameId name{};                  // display form, a default domain's leading ':' dropped; its domain
  uint32_t thread = 0;
};

enum class Style : uint8_t { kPushPop, kStartEnd };
std::string_view StyleName(Style style);  // "PushPop", "StartEnd"

// A row of nvtx_gpu_proj_trace that has a RangeId (the nameless row of old versions is skipped). 48
// bytes: a trace has millions.
struct ProjectedRange {
  ProjectedNs projected;  // first to last GPU operation launched inside the range
  HostNs original;        // the range's own duration on the host
  int64_t range_id = 0;
  int64_t parent_id = kNoParent;
  int64_t operations = 0;  // NumGPUOps: distinct correlation ids of launching calls
  NameId name{};
  uint32_t thread : 30 = 0;
  Style style : 1 = Style::kPushPop;
  bool has_level : 1 = true;  // false where the Lvl field is empty (REPORTS.md 8.2)
};
static_assert(sizeof(ProjectedRange) == 48);

// A row of cuda_gpu_kern_sum.
struct KernelTotal {
  NameId name{};
  int64_t instances = 0;
  int64_t duration_ns = 0;  // summed over instances: not wall time
};

// Copies of cuda_gpu_trace summed by (source kind, destination kind). An empty kind was missing.
struct CopyTotal {
  NameId source{};
  NameId destination{};
  int64_t instances = 0;
  int64_t bytes = 0;
  int64_t duration_ns = 0;
};

struct ReportTables {
  NamePool names;
  std::vector<ThreadKey> threads;
  std::vector<HostRange> host;
  std::vector<ProjectedRange> projected;
  // Absent when the table is, or when its unit is not bytes, or when nsys left it empty beside GPU
  // rows; the reader has then warned (missing-gpu-tables). An empty list is a capture without
  // kernels or copies.
  std::optional<std::vector<KernelTotal>> kernels;
  std::optional<std::vector<CopyTotal>> copies;
  // Whether names carry their domain as "domain:name" (nsys 2024.4 and later); before, a ':' can be
  // part of a plain name, and all domains are unknown in `names`.
  bool names_carry_domains = true;
};

}  // namespace rangewise::model
