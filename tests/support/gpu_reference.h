// Owns a second computation of GPU work per range, slow and obvious: every definition of
// docs/gpu-work.md written down as it reads, each range tried against each call. It shares no code
// with the engine and the analysis under test. Both results are brought into one form, sheets of
// text, so that a difference shows as two lines.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/analysis.h"
#include "model/names.h"
#include "support/raw_trace.h"

namespace rangewise::test {

struct GpuReferenceOptions {
  std::optional<std::string> capture_range = {};  // without a leading ':'
  std::string iteration_pattern = "iteration (\\d+)";
  int64_t gap_threshold_ns = 10000;
  size_t kernels = 10;
  std::vector<std::pair<std::string, std::string>> classes = {};  // pattern of a whole name, class
  bool mask_numbers = false;  // also grouped paths, in which digits are '#'
};

// By what a sheet is about: "path :step/:fwd", "grouped step/fwd #", "iteration 3", "device 0",
// "unattributed", "gaps of the capture", "gaps of iteration 3", "overlapping". Paths and iterations
// without work have none.
using GpuSheets = std::map<std::string, std::string>;

GpuSheets ComputeGpuReference(const RawTrace& raw, const GpuReferenceOptions& options);

// The same of the pipeline's result, which must have GPU work. `names` are those of its tables.
GpuSheets SheetsOf(const model::Analysis& analysis, const model::NamePool& names);

// Sheets that differ, both sides; empty when none does.
std::string DifferenceOf(const GpuSheets& pipeline, const GpuSheets& reference);

}  // namespace rangewise::test
