// Documents show what the program prints: a fenced block below `<!-- command: … -->` must equal the
// command's output, and one below `<!-- excerpt: … -->` be made of whole lines of it, in order,
// with lines `...` for what is left out. RANGEWISE_UPDATE_DOCS=1 rewrites the former instead.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "support/run_program.h"

namespace rangewise::test_support {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = "<!-- command: ";
constexpr std::string_view kExcerptMark = "<!-- excerpt: ";
constexpr const char* kLeftOut = "...";

// Words as a shell makes them from blanks and single quotes.
std::vector<std::string> ShellWords(const std::string& line) {
  std::vector<std::string> words;
  bool in_word = false;
  bool quoted = false;
  for (const char c : line) {
    if (c == ' ' && !quoted) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == '\'') {
      quoted = !quoted;
    } else {
      words.back() += c;
    }
  }
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
    std::vector<std::string> words = ShellWords(command);
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

std::vector<std::string> LinesOf(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Holds each excerpt of `text` against what its command prints now; returns how many there are.
int CheckExcerpts(const std::string& text, const fs::path& checkout) {
  int excerpts = 0;
  for (size_t mark = text.find(kExcerptMark); mark != std::string::npos;
       mark = text.find(kExcerptMark, mark + 1)) {
    const size_t begin = mark + kExcerptMark.size();
    const std::string command = text.substr(begin, text.find(" -->", begin) - begin);
    const size_t fence = text.find("```\n", begin) + 4;
    const std::vector<std::string> shown =
        LinesOf(text.substr(fence, text.find("\n```", fence) - fence));
    std::vector<std::string> words = ShellWords(command);
    EXPECT_EQ(words.at(0), "rangewise");
    words.erase(words.begin());
    const Outcome outcome =
        RunRangewise(words, {.set = {{"PATH", "/nonexistent"}}, .working_folder = checkout});
    EXPECT_EQ(outcome.exit_code, 0) << command << "\n" << outcome.err;
    const std::vector<std::string> printed = LinesOf(outcome.out);
    EXPECT_EQ(shown.at(0), "$ " + command);
    auto at = printed.begin();
    for (size_t i = 1; i < shown.size(); ++i) {
      if (shown[i] == kLeftOut) continue;
      // Without a line of dots before it, it is the next one.
      const bool may_skip = i > 1 && shown[i - 1] == kLeftOut;
      const auto found = may_skip ? std::find(at, printed.end(), shown[i]) : at;
      if (found == printed.end() || *found != shown[i]) {
        ADD_FAILURE() << command << " does not print here: " << shown[i];
        break;
      }
      at = found + 1;
    }
    ++excerpts;
  }
  return excerpts;
}

TEST(Documents, ShowWhatTheCommandsPrint) {
  ScratchFolder scratch;
  const fs::path checkout = MakeCheckout(scratch.path());
  std::vector<fs::path> documents = {fs::path(RANGEWISE_SOURCE_DIR) / "README.md"};
  for (const auto& entry : fs::directory_iterator(fs::path(RANGEWISE_SOURCE_DIR) / "docs")) {
    if (entry.path().extension() == ".md") documents.push_back(entry.path());
  }
  int blocks = 0;
  int excerpts = 0;
  for (const fs::path& document : documents) {
    const std::string text = Slurp(document);
    const std::string renewed = WithRealOutput(text, checkout, &blocks);
    excerpts += CheckExcerpts(text, checkout);  // of what these commands made, too
    if (std::getenv("RANGEWISE_UPDATE_DOCS") != nullptr) {
      if (renewed != text) Spill(document, renewed);
    } else {
      EXPECT_EQ(text, renewed) << document;
    }
  }
  EXPECT_GE(blocks, 1);
  EXPECT_GE(excerpts, 1);
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
