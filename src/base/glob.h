// Owns the expansion of file name patterns, by the C library and without a shell.
#pragma once

#include <string>
#include <vector>

namespace rangewise {

// Whether `text` holds a character that a pattern would need: *, ? or [.
bool LooksLikeGlob(const std::string& text);

// The existing paths that `pattern` (POSIX glob: *, ?, [...], \ before a literal) matches, by
// bytes; empty when there are none or a folder cannot be read. Names that begin with a dot need one
// in the pattern.
std::vector<std::string> ExpandGlob(const std::string& pattern);

}  // namespace rangewise
