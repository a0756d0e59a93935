// Owns the option --group, which several verbs take.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "model/run.h"

namespace rangewise::cli {

// Adds `--group PATTERN=>TEXT`, whose rules are appended to `rules` in the order given. `rules`
// must live until `verb` was parsed.
void AddGroupOption(CLI::App& verb, std::vector<model::NameRule>& rules, const std::string& help);

}  // namespace rangewise::cli
