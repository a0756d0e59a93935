// Owns what a run directory says about itself: the manifest's values, typed, and the harness shape
// that follows from manifest and command line. The manifest's own keys are described in
// docs/manifest.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/value.h"

namespace rangewise::model {

struct NameRule {
  std::string pattern;
  std::string replace;
  bool operator==(const NameRule&) const = default;
};

// Of the manifest's `gpu_classes`: operations whose whole name matches belong to the class.
struct GpuClassRule {
  std::string pattern;
  std::string gpu_class;
  bool operator==(const GpuClassRule&) const = default;
};

// manifest.yaml, validated. Scalars keep their text as it stands in the file.
struct Manifest {
  std::optional<std::string> profile_name;
  std::optional<std::string> run_id;
  std::optional<std::string> device;
  std::optional<std::string> git_commit;
  std::optional<std::string> command_line;
  std::optional<std::string> capture_range;  // null: no harness
  bool capture_range_given = false;          // the key is there, even if null
  int64_t record_count = 0;
  std::optional<std::string> record_ids_digest;  // XXH3-128 in hex; absent without record_ids
  ValueMap workload;
  ValueMap cuda;
  std::optional<ValueMap> target;
  std::optional<ValueMap> data_source;
  std::optional<int64_t>
      expected_iterations;  // workload.iterations when it is an integer of 64 bits
  std::optional<std::string> expected_trace_path;
  std::optional<std::string> started_at;  // ISO 8601 as it stands
  std::optional<std::string> iteration_pattern;
  std::vector<NameRule> name_rules;
  std::vector<GpuClassRule> gpu_classes;
};

// The shape that the analysis looks for.
struct Harness {
  std::optional<std::string> capture_range;      // none: no harness, scopes from each top level
  std::optional<std::string> iteration_pattern;  // none: `iteration <digits>`
  std::optional<int64_t> expected_iterations;
};

}  // namespace rangewise::model
