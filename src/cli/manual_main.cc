// A tool of the build: writes man pages and completions into the folder it is given.
#include <cstdio>
#include <filesystem>

#include "base/files.h"
#include "cli/manual.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: rangewise_manual FOLDER\n", stderr);
    return 2;
  }
  const rangewise::fs::path folder = argv[1];
  for (const auto& [name, bytes] : rangewise::cli::ManualFiles()) {
    const rangewise::fs::path path = folder / name;
    std::error_code failed;
    rangewise::fs::create_directories(path.parent_path(), failed);
    if (failed || !rangewise::WriteFileAtomically(path, bytes).ok()) {
      std::fprintf(stderr, "rangewise_manual: cannot write %s\n", path.c_str());
      return 74;
    }
  }
  return 0;
}
