// Owns the main job as one call: a run directory to an analysis, with the tables and the export it
// rests on put in place. The verbs that need an analysis call this; what is printed is theirs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/files.h"
#include "base/result.h"
#include "cli/report_source.h"
#include "cli/run_files.h"
#include "model/provenance.h"

namespace rangewise::cli {

struct AnalyzeRequest {
  std::string run;
  std::optional<std::string> output_folder;
  ReportsChoice reports = ReportsChoice::kAuto;
  std::optional<std::string> nsys;           // --nsys
  std::optional<std::string> capture_range;  // --capture-range
  std::optional<std::string> iterations;     // --iterations
  std::vector<model::NameRule> group_rules;  // --group, after the manifest's name_rules
  bool group_numbers = false;                // --group-numbers
  bool gpu_work = true;                      // --gpu-work
  size_t kernels = model::kDefaultKernels;          // --kernels: of each path's largest
  int64_t gap_threshold_ns = model::kDefaultGapThresholdNs;  // --gap-threshold
  std::optional<std::string>
      json_target;  // -o: the JSON alone elsewhere; "-" is the caller's output
  bool wait = false;
  int threads = 0;
  std::function<void(std::string_view)> progress;  // another tool's output
  std::function<void(std::string_view)> on_step;   // the name of each step as it begins
};

struct AnalyzedRun {
  RunFiles files;
  fs::path json_path;  // where the JSON is; empty when it went to `output`
  model::AnalysisDocument document;
};

// `PATTERN=>TEXT` as --group takes it, split at the first `=>`; nothing without one.
std::optional<model::NameRule> ParseGroupRule(std::string_view text);

// The search for nsys that --nsys and $RANGEWISE_NSYS ask for.
ingest::NsysSearch SearchFor(const std::optional<std::string>& named);

// Reads, analyses and writes. The JSON goes to `standard_output` when the target is "-". On an
// error the run directory is as it was, but that whole new tables may be in place when the analysis
// of them failed.
Result<AnalyzedRun> AnalyzeRun(const AnalyzeRequest& request, Output& standard_output);

}  // namespace rangewise::cli
