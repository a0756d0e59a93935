// Owns the options that say how much is found out about GPU work per range, which several verbs take.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/analyze_run.h"

namespace rangewise::cli {

// Adds --gpu-work, --kernels and --gap-threshold. `request` must live until `verb` was parsed.
void AddGpuOptions(CLI::App& verb, AnalyzeRequest& request);

}  // namespace rangewise::cli
