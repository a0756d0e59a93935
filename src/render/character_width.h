// Owns how many columns of a terminal a text takes: two for East Asian wide and full-width
// characters and for most emoji, none for combining marks, one for the rest. And cutting a text to
// a number of columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rangewise::render {

// Columns of one character: 0, 1 or 2. From Unicode 14's East_Asian_Width (W, F) and general
// categories Mn and Me.
int CharacterWidth(char32_t character);

// Columns of `text`, which is in terminal form (base/text.h).
size_t DisplayWidth(std::string_view text);

// `text` (terminal form) in at most `width` columns: where it is longer, its middle is "..." and
// both ends stay, cut between characters with their combining marks. A width below 4 keeps the
// start only. More than eight combining marks on one character are dropped.
std::string Shortened(std::string_view text, size_t width);

}  // namespace rangewise::render
