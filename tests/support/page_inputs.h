// Owns runs that pages are tested with, each a run directory of a manifest and an export: what a
// page must bear in numbers of iterations and paths, in names, and in what is missing.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rangewise::test_support {

// Names that would be an element, a script, an end of a script, another direction or thousands of
// characters if they were taken for anything but text. Valid UTF-8 but for one.
const std::vector<std::string>& HostileNames();

struct PageInput {
  std::string name;  // of the run directory, "many-iterations"
  std::string what;  // in words
};
// Every run that WritePageInput makes.
const std::vector<PageInput>& PageInputs();

// Writes the run `name` of the list above to `folder`/`name`, which is made, and returns that path.
// The same bytes each time.
std::filesystem::path WritePageInput(const std::string& name, const std::filesystem::path& folder);

}  // namespace rangewise::test_support
