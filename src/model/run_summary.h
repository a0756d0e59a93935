// Owns what one run brings to a comparison: who it is, the contract under which it was measured,
// what its analysis warned of, and one observation per metric. It is made from an analysis.json or
// from an analysis just made; a comparison needs nothing else of a run.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "base/value.h"
#include "model/rows.h"

namespace rangewise::model {

// A range's place: names from the nearest harness range (exclusive) down to the range itself.
using RangePath = std::vector<std::string>;

// One metric in one run. The run's value is the median over its iterations, or over its instances
// of a range; the rest is the spread within the run, which is shown and never used for a claim.
template <typename Ns>
struct Observation {
  double median_ns = 0;
  int64_t instances = 0;
  Ns minimum;
  Ns maximum;
  double stddev_ns = 0;
  bool operator==(const Observation&) const = default;
};

struct HostRangeSummary {
  RangePath path;
  Observation<HostNs> inclusive;
  Observation<HostNs> exclusive;
  std::string domain = {};  // of the innermost name; empty: the default one, or not known
  bool operator==(const HostRangeSummary&) const = default;
};

struct ProjectedRangeSummary {
  RangePath path;
  Style style = Style::kPushPop;
  Observation<ProjectedNs> projected;
  std::string domain = {};  // as above
  bool operator==(const ProjectedRangeSummary&) const = default;
};

// GPU work of a range over the whole run: one number a run, no median, so instances are 1 and there
// is no spread. Absent: not known, or not there, as said.
struct GpuRangeSummary {
  RangePath path;
  std::string domain = {};                    // as above
  bool has_whole_graphs = false;              // of which only the span is known
  std::optional<Observation<GpuNs>> busy;     // union over all devices; absent with whole graphs
  std::optional<Observation<GpuNs>> kernels;  // summed durations; absent with whole graphs
  std::optional<Observation<HostNs>>
      waits;  // in synchronising calls; absent without the run's calls
  // Communication while nothing computed on the same device, summed over devices; absent with whole
  // graphs, and where nothing communicated.
  std::optional<Observation<GpuNs>> exposed_communication;
  bool operator==(const GpuRangeSummary&) const = default;
};

struct GpuWorkSummary {
  // Median over iterations; absent without any, and with whole graphs in one.
  std::optional<Observation<GpuNs>> busy_iterations;
  std::vector<GpuRangeSummary> ranges;                  // each path and domain once
  std::optional<std::vector<GpuRangeSummary>> grouped;  // after name rules; absent without
  std::string no_calls;  // why no host time in CUDA calls is known; empty: it is known
  bool operator==(const GpuWorkSummary&) const = default;
};

// What must be the same for two runs to be compared, in the order that differences are shown in.
inline constexpr std::string_view kContractTarget = "target";
inline constexpr std::string_view kContractDataSource = "data_source";
inline constexpr std::string_view kContractRecords = "records";  // {count, ids_digest}
inline constexpr std::string_view kContractWorkload = "workload";
inline constexpr std::string_view kContractSynchronisation = "cuda";
inline constexpr std::string_view kContractCaptureRange = "capture_range";
inline constexpr std::string_view kContractIterationPattern = "iteration_pattern";
inline constexpr std::string_view kContractIterations = "iterations";  // how many were found
inline constexpr std::string_view kContractNameRules = "name_rules";
inline constexpr std::string_view kContractDevice = "device";
inline constexpr std::string_view kContractNsysVersion = "nsys_version";
inline constexpr std::array kContractKeys = {
    kContractTarget,          kContractDataSource,   kContractRecords,          kContractWorkload,
    kContractSynchronisation, kContractCaptureRange, kContractIterationPattern, kContractIterations,
    kContractNameRules,       kContractDevice,       kContractNsysVersion};

struct RunSummary {
  std::string label;  // where it came from, as the user named it
  // Hash of the capture, or of what else tells it from others; empty: unknown, and never taken for
  // a duplicate.
  std::string digest;
  std::optional<std::string> id;
  std::optional<std::string> commit;
  std::optional<std::string> started_at;     // ISO 8601 as it stands
  std::optional<std::string> report_source;  // "nsys", "csv", "sqlite"; stated, never a difference
  // By the keys above. A key that the run did not record is not in the map; a null value was
  // recorded as null (capture_range: no harness).
  ValueMap contract;
  std::vector<std::string> warnings;   // words of the codes, as in base/codes.h
  bool open_range_in_capture = false;  // an open range is the capture range or lies in it
  bool partly_projected = false;       // some iterations have a projection, and some have none
  bool partly_on_host = false;         // some iterations have no host range
  std::optional<Observation<HostNs>> host_iterations;  // inclusive
  std::optional<Observation<ProjectedNs>> projected_iterations;
  std::vector<HostRangeSummary> host_ranges;            // each path and domain once
  std::vector<ProjectedRangeSummary> projected_ranges;  // each path, style and domain once
  // The same after name rules; absent without rules.
  std::optional<std::vector<HostRangeSummary>> grouped_host_ranges;
  std::optional<std::vector<ProjectedRangeSummary>> grouped_projected_ranges;
  std::optional<GpuWorkSummary> gpu_work;  // absent: never computed, which is not 0
  std::string no_gpu_work;                 // why

  // Whether the run holds any projection: without, its GPU side is unknown, not zero.
  bool HasProjection() const { return projected_iterations || !projected_ranges.empty(); }
};

}  // namespace rangewise::model
