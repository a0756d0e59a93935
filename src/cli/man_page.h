// Owns the manual in man(7) form: the page of the program and one of each verb. The bytes depend on
// the description alone: no date, no locale.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/declaration.h"
#include "cli/program_description.h"

namespace rangewise::cli {

// What the pages say besides the description.
struct ManualFacts {
  std::string_view version;
  std::span<const ExitCodeRow> exit_codes;
  std::span<const EnvironmentRow> environment;
};

// rangewise.1
std::string ProgramManPage(const ProgramDescription& program, const ManualFacts& facts);

// rangewise-<verb>.1
std::string VerbManPage(const ProgramDescription& program, const VerbDescription& verb,
                        const ManualFacts& facts);

}  // namespace rangewise::cli
