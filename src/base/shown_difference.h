// Owns cutting texts for display so that a reader sees what matters of them: where two that differ
// do so, and no more of a long one than a line can hold. What comes out is not yet in terminal form
// (base/text.h); texts of any length cost no more than the pieces that are kept.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rangewise {

// The first `limit` bytes of `text`, at a character's boundary, and "…" where more follow.
std::string Clipped(std::string_view text, size_t limit);

struct ShownPair {
  std::string first;
  std::string second;
  bool cut = false;    // a piece of either is left out
  bool edges = false;  // one is empty or has a blank at an end, which only quotes show
};

// Of two texts that differ at most `limit` bytes (at least 8) around the first place where they do,
// with "…" for what is left out.
ShownPair ShowDifference(std::string_view first, std::string_view second, size_t limit);

}  // namespace rangewise
