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
#include "model/finding.h"
#include "model/names.h"
#include "model/rows.h"

namespace rangewise::model {

// Statistics over instances, of one clock. `Ns` is HostNs or ProjectedNs. Every double is the one
// nearest to the exact result; of an even count the median is the mean of the middle two.
// Percentiles are Hyndman and Fan's type 7: linear between the values around rank 1 + (n - 1) p.
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
  // Absent only where an older analysis.json was read.
  std::optional<double> p90_ns;
  std::optional<double> p95_ns;
  std::optional<double> p99_ns;
  std::optional<double> mad_ns;  // median of the absolute deviations from the median, not scaled
};

// The median of an even count, whose median_is_whole is false: the double nearest to the mean of
// the middle two.
template <typename Ns>
double MedianNs(const Statistics<Ns>& statistics) {
  return NearestQuotient(Int128{statistics.median_low.ns} + statistics.median_high.ns, 2);
}

// The coefficient of variation, stddev_ns / mean_ns; nothing where the mean is 0.
template <typename Ns>
std::optional<double> CvRatio(const Statistics<Ns>& statistics) {
  if (statistics.mean_ns == 0) return std::nullopt;
  return statistics.stddev_ns / statistics.mean_ns;
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

// What a row of grouped ranges stands for: rows of the raw ranges, whose paths became one by the
// name rules.
struct Collapsed {
  int64_t distinct_names = 0;       // raw rows: distinct scope paths (of one style)
  std::vector<ScopePath> examples;  // the first kMostExamples of their paths, in Analysis::paths
};
inline constexpr size_t kMostExamples = 3;

struct GroupedHostRange {
  HostGroup group;  // its path is in GroupedRanges::paths
  Collapsed raw;
};

struct GroupedProjectedRange {
  ProjectedGroup group;
  Collapsed raw;
};

// Ranges once more, grouped by their scope paths after the name rules were applied to each name.
struct GroupedRanges {
  NamePool names;               // of `paths`
  std::vector<PathNode> paths;  // in the order that they are shown in
  std::vector<GroupedHostRange> host;
  std::vector<GroupedProjectedRange> projected;
};

// Groups and iterations in the order of analysis.json. Names are in the ReportTables' pool, which
// must outlive this; `paths` belongs to it.
struct Analysis {
  std::vector<PathNode> paths;
  std::vector<HostGroup> host_groups;            // by path
  std::vector<ProjectedGroup> projected_groups;  // by path, then style
  std::optional<GroupedRanges> grouped;          // absent without name rules
  std::vector<Iteration> iterations;             // by index
  IterationSummary iteration_summary;
  std::optional<std::vector<KernelTotal>> kernels;  // by duration descending, then name
  std::optional<std::vector<CopyTotal>> copies;     // by duration descending, then kinds
  std::vector<Finding> findings;                    // by code, host before projection
};

}  // namespace rangewise::model
