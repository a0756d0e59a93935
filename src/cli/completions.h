// Owns the completion scripts of bash, zsh and fish: verbs, options, and values where they are
// words or paths. The bytes depend on the description alone, and the scripts need nothing but their
// shell.
#pragma once

#include <string>

#include "cli/program_description.h"

namespace rangewise::cli {

std::string BashCompletion(const ProgramDescription& program);
std::string ZshCompletion(const ProgramDescription& program);
std::string FishCompletion(const ProgramDescription& program);

}  // namespace rangewise::cli
