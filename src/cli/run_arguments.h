// Owns what a RUN of a comparison may be on the command line: a run directory, a folder of run
// directories, an analysis.json, a bare export, or a pattern of any of these.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace rangewise::cli {

struct RunPlace {
  std::string label;  // as the user would name it: the argument, or what its pattern became
  std::filesystem::path run;
  std::filesystem::path analysis;  // the analysis.json to read; empty: there is none yet
};

struct FoundRuns {
  std::vector<RunPlace> places;
  // What lies in a folder of runs and is none: other folders, exports and traces. To be named.
  std::vector<std::string> passed_over;
};

// The runs that `arguments` name, in their order, those of a folder or pattern by name. An existing
// path is never taken for a pattern. A folder that is no run itself stands for the run directories
// in it: those that hold analysis.json (be it a link that leads nowhere, which reading tells),
// manifest.yaml, a trace, an export or stats/. kRunMissing for a path that does not exist, a
// pattern that matches nothing and a folder without runs.
Result<FoundRuns> FindRuns(std::span<const std::string> arguments);

// The run of `places` that a file written to `output` would damage, by its label: it is one of the
// run's files or lies in its folder, by whatever name, links followed. Nothing when there is none.
std::optional<std::string> RunHolding(const std::filesystem::path& output,
                                      std::span<const RunPlace> places);

}  // namespace rangewise::cli
