// Documents show what the program prints: a fenced block below `<!-- command: … -->` must equal the
// command's output. RANGEWISE_UPDATE_DOCS=1 rewrites the blocks instead.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "support/run_program.h"

namespace rangewise::test_support {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = "<!-- command: ";

std::vector<std::string> Words(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// A copy of what the documented commands may read and write, so that a test leaves the checkout
// alone.
fs::path MakeCheckout(const fs::path& folder) {
  fs::copy(fs::path(RANGEWISE_SOURCE_DIR) / "samples", folder / "samples",
           fs::copy_options::recursive);
  fs::create_directories(folder / "build");
  return folder;
}

// `text` with each marked block replaced by what its command prints now; counts the blocks.
std::string WithRealOutput(const std::string& text, const fs::path& checkout, int* blocks) {
  std::string result;
  size_t at = 0;
  for (size_t mark = text.find(kMark); mark != std::string::npos; mark = text.find(kMark, at)) {
    const size_t begin = mark + kMark.size();
    const std::string command = text.substr(begin, text.find(" -->", begin) - begin);
    const size_t fence = text.find("```\n", begin);
    const size_t close = text.find("\n```", fence);
    EXPECT_NE(close, std::string::npos) << command;
    std::vector<std::string> words = Words(command);
    EXPECT_EQ(words.at(0), "rangewise");
    words.erase(words.begin());
    const Outcome outcome =
        RunRangewise(words, {.set = {{"PATH", "/nonexistent"}}, .working_folder = checkout});
    EXPECT_EQ(outcome.exit_code, 0) << command << "\n" << outcome.err;
    result += text.substr(at, fence + 4 - at) + "$ " + command + "\n" + outcome.out;
    if (result.ends_with('\n')) result.pop_back();
    at = close;
    ++*blocks;
  }
  return result + text.substr(at);
}

TEST(Documents, ShowWhatTheCommandsPrint) {
  ScratchFolder scratch;
  const fs::path checkout = MakeCheckout(scratch.path());
  std::vector<fs::path> documents = {fs::path(RANGEWISE_SOURCE_DIR) / "README.md"};
  for (const auto& entry : fs::directory_iterator(fs::path(RANGEWISE_SOURCE_DIR) / "docs")) {
    if (entry.path().extension() == ".md") documents.push_back(entry.path());
  }
  int blocks = 0;
  for (const fs::path& document : documents) {
    const std::string text = Slurp(document);
    const std::string renewed = WithRealOutput(text, checkout, &blocks);
    if (std::getenv("RANGEWISE_UPDATE_DOCS") != nullptr) {
      if (renewed != text) Spill(document, renewed);
    } else {
      EXPECT_EQ(text, renewed) << document;
    }
  }
  EXPECT_GE(blocks, 1);
}

TEST(Documents, LinksOfTheReadmeExist) {
  const std::string text = Slurp(fs::path(RANGEWISE_SOURCE_DIR) / "README.md");
  int links = 0;
  for (size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
    const std::string target = text.substr(at + 2, text.find(')', at) - at - 2);
    if (target.starts_with("http")) continue;
    EXPECT_TRUE(fs::exists(fs::path(RANGEWISE_SOURCE_DIR) / target)) << target;
    ++links;
  }
  EXPECT_GE(links, 4);
}

}  // namespace
}  // namespace rangewise::test_support
