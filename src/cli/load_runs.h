// Owns getting from places of runs to what a comparison needs of them: analyses are read, and made
// where there are none yet.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/run_arguments.h"
#include "model/run_summary.h"

namespace rangewise::cli {

struct LoadOptions {
  std::optional<std::string> nsys;  // --nsys, for runs without an analysis
  int threads = 0;
  std::function<void(std::string_view)> progress;    // another tool's output
  std::function<void(std::string_view)> on_analyse;  // the label of a run that is analysed now
};

// In the order of `places`. A run without analysis.json gets one, as `rangewise analyze` makes it;
// the first error ends the loading.
Result<std::vector<model::RunSummary>> LoadRuns(std::span<const RunPlace> places,
                                                const LoadOptions& options);

}  // namespace rangewise::cli
