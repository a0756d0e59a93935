// Owns what golden tests of shown text have in common: files below tests/data to compare with, and what no shown text
// may hold.
#pragma once

#include <cstddef>
#include <string>

namespace rangewise::test_support {

// Expects `text` in the file tests/data/`name`, byte for byte. With RANGEWISE_UPDATE_GOLDEN set the file is written
// anew instead; read the difference before it is committed.
void ExpectGolden(const std::string& name, const std::string& text);

// Whether a character would act on a terminal or turn the direction of a line. `may_return`: CR before LF may stand.
bool ActsOnATerminal(const std::string& text, bool may_return = false);

// Expects every line within `columns`; text has 100.
void ExpectWithinColumns(const std::string& text, size_t columns = 100);

}  // namespace rangewise::test_support
