// Owns the question whether a process has ended, for tests that start programs.
#pragma once

#include <filesystem>

namespace rangewise::test_support {

// Waits, for at most ten seconds, until the process whose number the file holds is gone; an ended
// one that nobody has reaped yet is gone too. False as well where the file holds no number.
bool ProcessGone(const std::filesystem::path& number_file);

}  // namespace rangewise::test_support
