// Owns the job of `rangewise compare` as calls: from the command line's runs to a comparison or to
// the noise of a cohort.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/compare.h"
#include "base/result.h"
#include "cli/load_runs.h"
#include "model/comparison.h"

namespace rangewise::cli {

// Of --gate-on: nothing counts but what it names and the primary metric.
inline constexpr const char* kGateOnPrimary = "primary";

struct CompareRequest {
  std::vector<std::string> baseline;
  std::vector<std::string> candidate;
  std::vector<std::string> aa;  // one cohort, instead of the two
  std::optional<std::string> primary;
  bool gate = false;
  std::vector<std::string> gate_on;   // metrics, and kGateOnPrimary
  std::optional<std::string> output;  // where the result goes: no place of a compared run
  analysis::CompareOptions options;   // without primary and with its allowed keys
  LoadOptions load;
  std::function<void(std::string_view)> on_passed_over;  // what lies among runs and is none
};

// kUsage (also for an output that is part of a compared run, before anything is read), kRunMissing,
// and what reading or analysing a run fails with.
Result<model::Comparison> CompareRuns(const CompareRequest& request);
Result<model::NoiseReport> MeasureRuns(const CompareRequest& request);

// The band that --floor asks for: "3%" or "auto"; nothing when `text` is neither.
std::optional<std::variant<std::monostate, double, analysis::FloorFromNoise>> ParseFloor(
    const std::string& text);

// What is wrong with a key of --allow-different; nothing when it is one of the contract, lies
// within one that is a mapping, or is a warning that leaves runs out.
std::optional<std::string> AllowedKeyProblem(const std::string& key);

}  // namespace rangewise::cli
