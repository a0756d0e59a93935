// Owns the result of an analysis, field for field what analysis.json says (docs/analysis-json.md).
// Host and projected durations stay different types; a measurement that does not exist is an empty
// optional.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "base/wide.h"
#include "model/names.h"
#include "model/rows.h"

namespace rangewise::model {

// Statistics over instances, of one clock. `Ns` is HostNs or ProjectedNs. mean_ns and stddev_ns are
// the doubles nearest to the exact rational results; of an even count the median is the mean of the
// middle two.
template <typename Ns>
struct Statistics {
  Ns total;
  Ns minimum;
  Ns maximum;
  double mean_ns = 0;
  double stddev_ns = 0;         // sample (n - 1); 0.0 for one value
  Ns median_low;                // the middle value, or the lower of the middle two
  Ns median_high;               // equal to median_low for an odd count
  bool median_is_whole = true;  // odd count: the median is an integer, median_low
};

// The median of an even count, whose median_is_whole is false: the double nearest to the mean of
// the middle two.
template <typename Ns>
double MedianNs(const Statistics<Ns>& statistics) {
  return NearestQuotient(Int128{statistics.median_low.ns} + statistics.median_high.ns, 2);
}

using ScopePath = uint32_t;  // index into Analysis::paths

// Scope paths as a tree: each node is a name below a parent path; the root is kRootPath. A path as
// a list of names is read by walking to the root.
inline constexpr ScopePath kRootPath = UINT32_MAX;
struct PathNode {
  ScopePath parent = kRootPath;
  NameId name{};
};

struct HostGroup {
  ScopePath path = kRootPath;
  int64_t instances = 0;
  Statistics<HostNs> inclusive;
  Statistics<HostNs> exclusive;
  HostNs child_total;
};

struct ProjectedGroup {
  ScopePath path = kRootPath;
  Style style = Style::kPushPop;
  int64_t instances = 0;
  Statistics<ProjectedNs> projected;
  HostNs host_total;
  int64_t operations = 0;
};

struct HostIteration {
  HostNs inclusive;
  HostNs exclusive;
  HostNs children;
};

struct ProjectedIteration {
  ProjectedNs projected;
  HostNs host_range_total;
  int64_t operations = 0;
};

struct Iteration {
  int64_t index = 0;
  std::optional<HostIteration> host;
  std::optional<ProjectedIteration> projection;
};

struct IterationSummary {
  int64_t iterations = 0;
  int64_t host_iterations = 0;
  int64_t projected_iterations = 0;
  std::optional<Statistics<HostNs>> host_inclusive;
  std::optional<Statistics<HostNs>> host_exclusive;
  std::optional<Statistics<ProjectedNs>> projected;
};

// Groups and iterations in the order of analysis.json. Names are in the ReportTables' pool, which
// must outlive this; `paths` belongs to it.
struct Analysis {
  std::vector<PathNode> paths;
  std::vector<HostGroup> host_groups;            // by path
  std::vector<ProjectedGroup> projected_groups;  // by path, then style
  std::vector<Iteration> iterations;             // by index
  IterationSummary iteration_summary;
  std::optional<std::vector<KernelTotal>> kernels;  // by duration descending, then name
  std::optional<std::vector<CopyTotal>> copies;     // by duration descending, then kinds
};

}  // namespace rangewise::model
