// Owns the shape of a verb: a declaration on the CLI11 tree that fills an options struct and, when
// the verb is chosen, leaves the action to run after parsing. Parsing opens nothing.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "cli/console.h"

namespace rangewise::cli {

// Returns the exit code.
using Action = std::function<int(Console&)>;

using DeclareVerb = void (*)(CLI::App& root, Action& action);

void DeclareAnalyze(CLI::App& root, Action& action);
void DeclareCheck(CLI::App& root, Action& action);
void DeclareSummary(CLI::App& root, Action& action);
void DeclareGpu(CLI::App& root, Action& action);
void DeclareCompare(CLI::App& root, Action& action);
void DeclareReport(CLI::App& root, Action& action);
void DeclareVerify(CLI::App& root, Action& action);
void DeclareSchema(CLI::App& root, Action& action);
void DeclareExplain(CLI::App& root, Action& action);

// Every verb, in the order of the help text.
inline constexpr DeclareVerb kVerbs[] = {DeclareAnalyze, DeclareSummary, DeclareGpu,
                                         DeclareCompare, DeclareReport,  DeclareCheck,
                                         DeclareVerify,  DeclareSchema,  DeclareExplain};

}  // namespace rangewise::cli
