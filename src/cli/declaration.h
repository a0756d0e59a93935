// Owns the declaration of the program as a whole: the root of the CLI11 tree with every verb on it,
// and what is the same for all verbs (exit codes, environment variables). Parsing, help, man pages
// and completions all start from here.
#pragma once

#include <memory>
#include <string_view>

#include "cli/command.h"

namespace rangewise::cli {

struct ExitCodeRow {
  std::string_view codes;  // as people write them: "3", "130, 143"
  std::string_view meaning;
};

inline constexpr ExitCodeRow kExitCodes[] = {
    {"0", "done"},
    {"1", "a gate failed (--strict with warnings, verify, compare --gate)"},
    {"2", "wrong usage"},
    {"3", "bad or missing input"},
    {"4", "inconclusive or not comparable"},
    {"5", "no report source, nsys failed, or no page was built in"},
    {"70", "internal error or out of memory"},
    {"74", "output could not be written"},
    {"130, 143", "ended by a signal"},
};

struct EnvironmentRow {
  std::string_view name;
  std::string_view meaning;
};

inline constexpr EnvironmentRow kEnvironment[] = {
    {"NO_COLOR", "when set and not empty, nothing is printed in colour"},
    {"PATH", "where nsys is looked for when nothing else names it"},
    {"RANGEWISE_NSYS", "the nsys to ask, where --nsys does not say"},
    {"TERM", "a terminal called dumb gets no colour"},
};

// The tree with every verb. A chosen verb leaves what is to be run in `action`, which outlives the
// tree.
std::unique_ptr<CLI::App> DeclareProgram(Action& action);

}  // namespace rangewise::cli
