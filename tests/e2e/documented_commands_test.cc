// Documents name commands that work: each line of a fence marked sh that begins with `rangewise` is
// run, in order, and ends with the exit code that it says (`# exit 3`), or with 0.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "support/run_program.h"

namespace rangewise::test_support {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = RANGEWISE_SOURCE_DIR;

struct DocumentedCommand {
  std::string line;  // without the remark
  int exit_code = 0;
};

// The lines of all fences marked sh.
std::vector<std::string> ShellLines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) {
      inside = !inside && line == "```sh";
    } else if (inside && !line.empty()) {
      lines.push_back(line);
    }
  }
  return lines;
}

DocumentedCommand Parsed(const std::string& line) {
  static const std::regex kRemark(R"(^(.*?)\s+# exit (\d+)$)");
  std::smatch match;
  if (std::regex_match(line, match, kRemark)) return {match[1], std::stoi(match[2])};
  return {line, 0};
}

// Words as a shell makes them from blanks and single quotes; nothing else may be in a document.
std::vector<std::string> ShellWords(const std::string& line) {
  std::vector<std::string> words;
  bool in_word = false;
  bool quoted = false;
  for (const char c : line) {
    if (c == '\'') {
      quoted = !quoted;
      if (!in_word) words.emplace_back();
      in_word = true;
    } else if (c == ' ' && !quoted) {
      in_word = false;
    } else {
      EXPECT_TRUE(quoted || std::string_view("|&;<>()$`\\\"*?[]#~").find(c) == std::string::npos)
          << "a shell would read more into " << line;
      if (!in_word) words.emplace_back();
      in_word = true;
      words.back() += c;
    }
  }
  return words;
}

// Runs the document's commands on a copy of what they may use; returns the lines that were run.
std::set<std::string> RunCommandsOf(const fs::path& document) {
  ScratchFolder scratch;
  fs::copy(kSource / "samples", scratch.path() / "samples", fs::copy_options::recursive);
  fs::create_directories(scratch.path() / "build");
  std::set<std::string> run;
  for (const std::string& line : ShellLines(Slurp(document))) {
    if (!line.starts_with("rangewise ")) continue;
    const DocumentedCommand command = Parsed(line);
    std::vector<std::string> words = ShellWords(command.line);
    words.erase(words.begin());
    const Outcome outcome =
        RunRangewise(words, {.set = {{"PATH", "/nonexistent"}, {"RANGEWISE_NSYS", ""}},
                             .working_folder = scratch.path()});
    // A build without npm has no page, and says so.
    if (words[0] != "report" || outcome.err.find("page-template-missing") == std::string::npos) {
      EXPECT_EQ(outcome.exit_code, command.exit_code) << document << ": " << command.line << "\n"
                                                      << outcome.err;
    }
    run.insert(command.line);
  }
  return run;
}

TEST(DocumentedCommands, OfReadmeAndDocsWork) {
  RunCommandsOf(kSource / "README.md");
  for (const auto& entry : fs::directory_iterator(kSource / "docs")) {
    if (entry.path().extension() == ".md") RunCommandsOf(entry.path());
  }
}

TEST(DocumentedCommands, OfSkillsWorkAndAreAllRun) {
  int skills = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "skills")) {
    if (entry.path().filename() != "SKILL.md") continue;
    ++skills;
    const std::string text = Slurp(entry.path());
    const std::set<std::string> run = RunCommandsOf(entry.path());
    EXPECT_GE(run.size(), 10u) << entry.path();
    // An agent runs whatever stands in a fence, and takes a command from a sentence too.
    for (const std::string& line : ShellLines(text)) {
      EXPECT_TRUE(line.starts_with("rangewise ")) << entry.path() << ": " << line;
    }
    static const std::regex kInline("`(rangewise [^`\\n]+)`");
    for (auto at = std::sregex_iterator(text.begin(), text.end(), kInline);
         at != std::sregex_iterator(); ++at) {
      EXPECT_TRUE(run.contains((*at)[1])) << entry.path() << ": " << (*at)[1];
    }
  }
  EXPECT_EQ(skills, 1);
}

TEST(DocumentedCommands, LeaveNothingInACheckoutThatGitWouldAdd) {
  if (!fs::exists(kSource / ".git")) return;  // no checkout
  for (const char* file :
       {"samples/power-iteration/stats/source.json", "samples/power-iteration/analysis.json",
        "samples/power-iteration/.rangewise.lock", "samples/smoke-local/analysis.json"}) {
    RunningProgram git({"/usr/bin/env", "git", "-C", kSource.string(), "check-ignore", "-q", file});
    const int exit_code = git.Finish().exit_code;
    if (exit_code > 1) return;  // no git, or none that reads this checkout
    EXPECT_EQ(exit_code, 0) << file;
  }
}

TEST(DocumentedCommands, SkillsBeginWithNameAndDescription) {
  const std::string text = Slurp(kSource / "skills/trace-analysis/SKILL.md");
  const std::regex head("^---\nname: trace-analysis\ndescription: [^\n]{20,1024}\n---\n");
  EXPECT_TRUE(std::regex_search(text, head, std::regex_constants::match_continuous));
}

TEST(DocumentedCommands, CodesInTheSkillExist) {
  // What a table of the skill names as a warning is one that `rangewise explain` knows.
  const std::string text = Slurp(kSource / "skills/trace-analysis/SKILL.md");
  static const std::regex kCode("`([a-z]+(?:-[a-z0-9]+)+)`");
  const std::set<std::string> no_codes = {"trace-analysis"};
  int codes = 0;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), kCode);
       at != std::sregex_iterator(); ++at) {
    const std::string word = (*at)[1];
    if (no_codes.contains(word)) continue;
    EXPECT_EQ(RunRangewise({"explain", word}).exit_code, 0) << word;
    ++codes;
  }
  EXPECT_GE(codes, 8);
}

}  // namespace
}  // namespace rangewise::test_support
