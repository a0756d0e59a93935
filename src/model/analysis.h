// Owns the result of an analysis, field for field what analysis.json says (docs/analysis-json.md).
// Host and projected durations stay different types; a measurement that does not exist is an empty
// optional.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "model/finding.h"
#include "model/names.h"
#include "model/range_gpu_work.h"
#include "model/rows.h"
#include "model/scope_path.h"
#include "model/statistics.h"

namespace rangewise::model {

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
  std::optional<RangeGpuWork> gpu_work;  // absent: no_gpu_work says why
  std::string no_gpu_work;
};

}  // namespace rangewise::model
