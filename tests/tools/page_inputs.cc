// `page_inputs FOLDER [NAME...]` writes the runs that pages are tested with (support/page_inputs.h)
// below FOLDER, all of them or those named, for the browser tests of web/tests and for looking at
// pages by hand.
#include "support/page_inputs.h"

#include <cstdio>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  using rangewise::test_support::PageInput;
  if (argc < 2) {
    std::fprintf(stderr, "page_inputs FOLDER [NAME...]\n");
    for (const PageInput& input : rangewise::test_support::PageInputs())
      std::fprintf(stderr, "  %-18s %s\n", input.name.c_str(), input.what.c_str());
    return 2;
  }
  std::vector<std::string> names(argv + 2, argv + argc);
  if (names.empty()) {
    for (const PageInput& input : rangewise::test_support::PageInputs())
      names.push_back(input.name);
  }
  for (const std::string& name : names) {
    const auto run = rangewise::test_support::WritePageInput(name, argv[1]);
    std::printf("%s\n", run.c_str());
  }
  return 0;
}
