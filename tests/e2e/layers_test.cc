// The include rule of ARCHITECTURE.md: which room may include which, and which library is known to
// which file.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"base", {"base"}},
    {"format", {"base", "format"}},
    {"model", {"base", "model"}},
    {"ingest", {"base", "format", "model", "ingest"}},
    {"tables", {"base", "format", "model", "tables"}},
    {"analysis", {"base", "model", "analysis"}},
    {"artifact", {"base", "format", "model", "artifact"}},
    {"render", {"base", "format", "model", "render"}},
    {"cli",
     {"base", "format", "model", "ingest", "tables", "analysis", "artifact", "render", "cli"}},
};

// Third-party headers by prefix, and the only files that may include them (paths below src/, by
// prefix).
const std::vector<std::pair<std::string, std::vector<std::string>>> kLibraries = {
    {"fmt/", {"base/text.h"}},
    {"re2/", {"base/regex.cc"}},
    {"xxh", {"base/hash.cc"}},
    {"nlohmann/", {"format/json.cc"}},
    {"yaml.h", {"format/yaml.cc"}},
    {"yaml-cpp/", {}},
    {"sqlite3.h", {"format/sqlite"}},
    {"CLI/", {"cli/"}},
    {"boost/multiprecision", {"base/wide", "analysis/"}},
    {"boost/math", {"analysis/"}},
};

struct Include {
  fs::path file;  // relative to src/
  int line;
  std::string target;
  bool quoted;
};

std::vector<Include> AllIncludes() {
  std::vector<Include> includes;
  const fs::path root = fs::path(RANGEWISE_SOURCE_DIR) / "src";
  const std::regex pattern(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".cc" && extension != ".h") continue;
    std::ifstream in(entry.path());
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
      std::smatch match;
      if (!std::regex_search(line, match, pattern)) continue;
      includes.push_back(
          {entry.path().lexically_relative(root), number, match[2], match[1] == "\""});
    }
  }
  return includes;
}

bool IsTest(const fs::path& file) { return file.stem().string().ends_with("_test"); }

TEST(Layers, RoomsIncludeOnlyWhatTheyMay) {
  size_t checked = 0;
  for (const Include& include : AllIncludes()) {
    if (!include.quoted) continue;
    const std::string room = include.file.begin()->string();
    const std::string target = fs::path(include.target).begin()->string();
    if (IsTest(include.file) && target == "support") continue;
    ASSERT_TRUE(kMayInclude.contains(room)) << room << " is no room";
    EXPECT_TRUE(kMayInclude.at(room).contains(target))
        << "src/" << include.file.string() << ":" << include.line << ": " << room
        << " may not include \"" << include.target << "\"";
    ++checked;
  }
  EXPECT_GT(checked, 100u);
}

TEST(Layers, LibrariesStayBehindTheirFile) {
  for (const Include& include : AllIncludes()) {
    if (include.quoted || IsTest(include.file)) continue;
    for (const auto& [prefix, allowed] : kLibraries) {
      if (!include.target.starts_with(prefix)) continue;
      bool ok = false;
      for (const std::string& file : allowed) ok |= include.file.generic_string().starts_with(file);
      EXPECT_TRUE(ok) << "src/" << include.file.string() << ":" << include.line
                      << " may not include <" << include.target << ">";
    }
  }
}

TEST(Layers, EveryHeaderOpensWithWhatItOwns) {
  const fs::path root = fs::path(RANGEWISE_SOURCE_DIR) / "src";
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".h") continue;
    std::ifstream in(entry.path());
    std::string first;
    std::getline(in, first);
    EXPECT_TRUE(first.starts_with("// Owns ")) << entry.path();
  }
}

TEST(Layers, NoFileIsAnAttic) {
  for (const char* folder : {"src", "tests", "fuzz", "bench"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(RANGEWISE_SOURCE_DIR) / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cc" && extension != ".h") continue;
      std::ifstream in(entry.path());
      size_t lines = 0;
      std::string line;
      while (std::getline(in, line)) ++lines;
      EXPECT_LE(lines, IsTest(entry.path()) ? 800u : 500u) << entry.path();
    }
  }
}

TEST(Layers, OnlyTheCommandLinePrints) {
  const fs::path root = fs::path(RANGEWISE_SOURCE_DIR) / "src";
  const std::regex prints(R"(\b(std::cout|std::cerr|printf|fprintf|puts|std::print)\b)");
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const fs::path relative = entry.path().lexically_relative(root);
    if (entry.path().extension() != ".cc" || IsTest(relative) || *relative.begin() == "cli")
      continue;
    std::ifstream in(entry.path());
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
      EXPECT_FALSE(std::regex_search(line, prints))
          << "src/" << relative.string() << ":" << number << ": " << line;
    }
  }
}

}  // namespace
