#include "support/golden.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "render/character_width.h"
#include "support/run_program.h"

namespace rangewise::test_support {

void ExpectGolden(const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(RANGEWISE_SOURCE_DIR) / "tests/data" / name;
  if (std::getenv("RANGEWISE_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    Spill(path, text);
    return;
  }
  const Result<std::string> expected = ReadFile(path);
  ASSERT_TRUE(expected.ok()) << name;
  EXPECT_EQ(text, *expected) << name;
}

bool ActsOnATerminal(const std::string& text, bool may_return) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool ends_line = c == '\n' || (may_return && c == '\r' && text[i + 1] == '\n');
    if ((c < 0x20 && !ends_line) || c == 0x7f) return true;
    for (const char* mark : {"\u202e", "\u202c", "\u200b"}) {
      if (text.compare(i, 3, mark) == 0) return true;
    }
  }
  return false;
}

void ExpectWithinColumns(const std::string& text, size_t columns) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    EXPECT_LE(render::DisplayWidth(text.substr(at, end - at)), columns) << text.substr(at, end - at);
    at = end + 1;
  }
}

}  // namespace rangewise::test_support
