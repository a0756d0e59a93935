// Owns the program's outermost layer: which verb, its streams, and the translation of every failure
// to an exit code, out of memory and internal errors included. Only this room prints.
#pragma once

namespace rangewise::cli {

// Runs the program. Exit codes: base/codes.h.
int Main(int argc, char** argv);

}  // namespace rangewise::cli
