// Owns what a RUN of a comparison may be on the command line: a run directory, a folder of run
// directories, an analysis.json, a bare export, or a pattern of any of these.
#pragma once

#include <filesystem>
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

// The runs that `arguments` name, in their order, those of a folder or pattern by name. An existing
// path is never taken for a pattern. A folder that is no run itself stands for the run directories
// in it. kRunMissing for a path that does not exist, a pattern that matches nothing and a folder
// without runs.
Result<std::vector<RunPlace>> FindRuns(std::span<const std::string> arguments);

}  // namespace rangewise::cli
