// What `cmake --install` and `cpack` make of this build: everything is there, works from where it
// lies, names every verb and option, and goes without a trace.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "support/run_program.h"

namespace rangewise::test_support {
namespace {

namespace fs = std::filesystem;

const fs::path kBuild = RANGEWISE_BUILD_DIR;
const fs::path kManifest = kBuild / "install_manifest.txt";
const fs::path kDestdir = kBuild / "install_destdir.txt";

// CMake keeps one list of installed files per build. It is put back afterwards, so that a test
// does not cost the developer the way to uninstall; tests of several processes take turns.
class InstallTurn {
 public:
  InstallTurn() : fd_(::open((kBuild / "install_test.lock").c_str(), O_RDWR | O_CREAT, 0600)) {
    ::flock(fd_, LOCK_EX);
    for (const fs::path& file : {kManifest, kDestdir}) {
      if (fs::exists(file)) before_[file] = Slurp(file);
    }
  }
  InstallTurn(const InstallTurn&) = delete;
  InstallTurn& operator=(const InstallTurn&) = delete;
  ~InstallTurn() {
    for (const fs::path& file : {kManifest, kDestdir}) {
      fs::remove(file);
      if (before_.contains(file)) Spill(file, before_[file]);
    }
    ::close(fd_);
  }

 private:
  int fd_;
  std::map<fs::path, std::string> before_;
};

Outcome RunAt(const fs::path& program, std::vector<std::string> arguments,
              const Environment& environment = {}) {
  arguments.insert(arguments.begin(), program.string());
  return RunningProgram(arguments, environment).Finish();
}

std::set<fs::path> FilesIn(const fs::path& folder) {
  std::set<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_directory()) files.insert(entry.path());
  }
  return files;
}

// The target `uninstall` with that DESTDIR.
Outcome Uninstall(const std::string& destdir) {
  return RunAt(RANGEWISE_CMAKE,
               {"-DMANIFEST=" + kManifest.string(), "-P",
                std::string(RANGEWISE_SOURCE_DIR) + "/cmake/Uninstall.cmake"},
               {.set = {{"DESTDIR", destdir}}, .working_folder = {}});
}

fs::path FindProgram(const std::string& name) {
  for (const char* folder : {"/usr/local/bin", "/usr/bin", "/bin"}) {
    if (fs::exists(fs::path(folder) / name)) return fs::path(folder) / name;
  }
  return {};
}

// What the program's own help says: the options of each verb, and under "" those of the program.
std::map<std::string, std::set<std::string>> VerbsAndOptions() {
  static const std::regex kVerb(R"(^  ([a-z][a-z-]*)  )");
  static const std::regex kOption(R"(--[a-z][a-z-]*)");
  const auto options_of = [](const std::string& help) {
    std::set<std::string> options;
    std::istringstream in(help);
    for (std::string line; std::getline(in, line);) {
      const size_t begin = line.find_first_not_of(' ');
      if (begin == std::string::npos || begin > 6 || line[begin] != '-') continue;
      // Names only: not what the text beside them mentions.
      const std::string names = line.substr(begin, line.find(' ', begin) - begin);
      for (auto at = std::sregex_iterator(names.begin(), names.end(), kOption);
           at != std::sregex_iterator(); ++at) {
        options.insert(at->str());
      }
    }
    return options;
  };
  const std::string help = RunRangewise({"--help"}).out;
  std::map<std::string, std::set<std::string>> verbs = {{"", options_of(help)}};
  std::istringstream in(help.substr(help.find("Subcommands:")));
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (!std::regex_search(line, match, kVerb)) continue;
    verbs[match[1]] = options_of(RunRangewise({match[1], "--help"}).out);
  }
  return verbs;
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

bool HasWord(const std::string& text, const std::string& word) {
  return std::regex_search(text, std::regex("(^|[^a-z-])" + word + "($|[^a-z-])"));
}

void ExpectManualNamesEverything(const fs::path& share) {
  const auto verbs = VerbsAndOptions();
  ASSERT_GE(verbs.size(), 6u);
  const std::string program_page = Slurp(share / "man/man1/rangewise.1");
  const std::string bash = Slurp(share / "bash-completion/completions/rangewise");
  const std::string zsh = Slurp(share / "zsh/site-functions/_rangewise");
  const std::string fish = Slurp(share / "fish/vendor_completions.d/rangewise.fish");
  for (const auto& [verb, options] : verbs) {
    EXPECT_GE(options.size(), 1u) << verb;
    std::string page = program_page;
    if (!verb.empty()) {
      page = Slurp(share / ("man/man1/rangewise-" + verb + ".1"));
      for (const std::string& text : {program_page, page, bash, zsh, fish}) {
        EXPECT_TRUE(HasWord(text, verb)) << verb << " is not in\n" << text;
      }
    }
    page = Replaced(page, "\\-", "-");
    for (const std::string& option : options) {
      EXPECT_TRUE(HasWord(page, option)) << "page of " << verb << ": " << option;
      EXPECT_TRUE(HasWord(bash, option)) << "bash: " << verb << option;
      EXPECT_TRUE(HasWord(zsh, option)) << "zsh: " << verb << option;
      EXPECT_TRUE(HasWord(fish, "-l " + option.substr(2))) << "fish: " << verb << option;
    }
  }
}

void ExpectAnalysisOfTheSample(const fs::path& binary, const fs::path& sample,
                               const fs::path& scratch) {
  const Environment environment{.set = {{"PATH", "/nonexistent"}, {"RANGEWISE_NSYS", ""}},
                                .working_folder = {}};
  const std::string there = (scratch / "there").string();
  const std::string here = (scratch / "here").string();
  const Outcome installed =
      RunAt(binary, {"analyze", sample.string(), "--output-dir", there, "--quiet"}, environment);
  EXPECT_EQ(installed.exit_code, 0) << installed.err;
  const std::string own = std::string(RANGEWISE_SOURCE_DIR) + "/samples/power-iteration";
  ASSERT_EQ(RunRangewise({"analyze", own, "--output-dir", here, "--quiet"}, environment).exit_code,
            0);
  EXPECT_EQ(Slurp(scratch / "there/analysis.json"), Slurp(scratch / "here/analysis.json"));
  EXPECT_GT(fs::file_size(scratch / "there/analysis.json"), 10'000u);
}

TEST(Install, WorksFromAPrefixAndLeavesNothingBehind) {
  InstallTurn turn;
  ScratchFolder scratch;
  const fs::path prefix = scratch.path() / "prefix";
  for (const char* file : {"bin/other", "share/man/man1/other.1", "share/doc/other/README"}) {
    fs::create_directories((prefix / file).parent_path());
    Spill(prefix / file, "not ours");
  }
  const auto before = Snapshot(prefix);
  const Outcome install =
      RunAt(RANGEWISE_CMAKE, {"--install", kBuild.string(), "--prefix", prefix.string()});
  ASSERT_EQ(install.exit_code, 0) << install.err;

  const fs::path share = prefix / "share";
  for (const char* file :
       {"bin/rangewise", "share/rangewise/schema/analysis-2.schema.json",
        "share/rangewise/skills/trace-analysis/SKILL.md",
        "share/rangewise/samples/power-iteration/trace.sqlite", "share/doc/rangewise/LICENSE",
        "share/doc/rangewise/README.md", "share/doc/rangewise/docs/semantics.md"}) {
    EXPECT_TRUE(fs::is_regular_file(prefix / file)) << file;
  }
  EXPECT_EQ(RunAt(prefix / "bin/rangewise", {"schema"}).out,
            Slurp(share / "rangewise/schema/analysis-2.schema.json"));
  ExpectAnalysisOfTheSample(prefix / "bin/rangewise", share / "rangewise/samples/power-iteration",
                            scratch.path());
  ExpectManualNamesEverything(share);

  const Outcome uninstall = Uninstall("");
  EXPECT_EQ(uninstall.exit_code, 0) << uninstall.err;
  EXPECT_EQ(Snapshot(prefix), before);
  for (const auto& entry : fs::recursive_directory_iterator(prefix)) {
    EXPECT_EQ(entry.path().filename().string().find("rangewise"), std::string::npos) << entry;
  }
  EXPECT_FALSE(fs::exists(kManifest));
}

TEST(Install, UninstallsOnlyBelowTheDestdirOfTheInstall) {
  InstallTurn turn;
  ScratchFolder scratch;
  // A prefix in which another rangewise lives, and a stage in which ours is put for a package.
  const fs::path live = scratch.path() / "live";
  const fs::path stage = scratch.path() / "stage";
  fs::create_directories(live / "bin");
  Spill(live / "bin/rangewise", "another one, which is in use");
  const auto before = Snapshot(live);
  const auto install = [&](const std::string& destdir) {
    return RunAt(RANGEWISE_CMAKE, {"--install", kBuild.string(), "--prefix", live.string()},
                 {.set = {{"DESTDIR", destdir}}, .working_folder = {}})
        .exit_code;
  };
  ASSERT_EQ(install(stage.string()), 0);
  ASSERT_EQ(Snapshot(live), before);
  const std::set<fs::path> staged = FilesIn(stage);
  ASSERT_GT(staged.size(), 20u);

  for (const std::string& other : {std::string(), (scratch.path() / "other").string()}) {
    const Outcome refused = Uninstall(other);
    EXPECT_NE(refused.exit_code, 0) << other;
    EXPECT_NE(refused.err.find("DESTDIR=" + stage.string()), std::string::npos) << refused.err;
    EXPECT_EQ(Snapshot(live), before);
    EXPECT_EQ(FilesIn(stage), staged);
    EXPECT_TRUE(fs::exists(kManifest));
  }
  const Outcome removed = Uninstall(stage.string() + "/");
  EXPECT_EQ(removed.exit_code, 0) << removed.err;
  EXPECT_TRUE(FilesIn(stage).empty());
  EXPECT_EQ(Snapshot(live), before);
  EXPECT_FALSE(fs::exists(kManifest));

  // What was installed without it is not looked for below one, and the list stays.
  const fs::path plain = scratch.path() / "plain";
  ASSERT_EQ(RunAt(RANGEWISE_CMAKE, {"--install", kBuild.string(), "--prefix", plain.string()},
                  {.set = {{"DESTDIR", ""}}, .working_folder = {}})
                .exit_code,
            0);
  EXPECT_NE(Uninstall(stage.string()).exit_code, 0);
  fs::rename(plain, scratch.path() / "moved");
  EXPECT_NE(Uninstall("").exit_code, 0);
  EXPECT_TRUE(fs::exists(kManifest));
  fs::rename(scratch.path() / "moved", plain);
  EXPECT_EQ(Uninstall("").exit_code, 0);
}

TEST(Install, ADebianPackageRunsAndIsTheSameTwice) {
  const fs::path dpkg_deb = FindProgram("dpkg-deb");
  if (dpkg_deb.empty()) return;  // no Debian: cpack has nothing to make here
  InstallTurn turn;
  ScratchFolder scratch;
  std::vector<std::string> packages;
  for (const char* folder : {"first", "second"}) {
    const Outcome made =
        RunAt(RANGEWISE_CPACK,
              {"--config", (kBuild / "CPackConfig.cmake").string(), "-G", "DEB", "-B",
               (scratch.path() / folder).string()},
              {.set = {{"SOURCE_DATE_EPOCH", "1700000000"}}, .working_folder = kBuild});
    ASSERT_EQ(made.exit_code, 0) << made.out << made.err;
    for (const auto& entry : fs::directory_iterator(scratch.path() / folder)) {
      if (entry.path().extension() == ".deb") packages.push_back(entry.path().string());
    }
  }
  ASSERT_EQ(packages.size(), 2u);
  // No EXPECT_EQ, which would look for the difference of two packages in all of the memory.
  EXPECT_TRUE(Slurp(packages[0]) == Slurp(packages[1]));
  const std::string depends = RunAt(dpkg_deb, {"-f", packages[0], "Depends"}).out;
  for (const char* library : {"libc6", "libsqlite3-0", "libyaml-0-2", "libre2-", "libfmt"}) {
    EXPECT_NE(depends.find(library), std::string::npos) << library << " not in " << depends;
  }
  const fs::path root = scratch.path() / "root";
  ASSERT_EQ(RunAt(dpkg_deb, {"-x", packages[0], root.string()}).exit_code, 0);
  for (const char* file :
       {"usr/share/man/man1/rangewise.1", "usr/share/zsh/vendor-completions/_rangewise",
        "usr/share/doc/rangewise/copyright"}) {
    EXPECT_TRUE(fs::is_regular_file(root / file)) << file;
  }
  EXPECT_FALSE(fs::exists(root / "usr/share/zsh/site-functions"));
  ExpectAnalysisOfTheSample(root / "usr/bin/rangewise",
                            root / "usr/share/rangewise/samples/power-iteration", scratch.path());
}

// What bash offers for the last of `words`.
std::string Offered(const std::string& words, const fs::path& working_folder) {
  const std::string script =
      "source '" + (kBuild / "manual/bash/rangewise").string() + "'\n" +
      "compopt() { :; }  # exists only while a shell completes\n"
      "COMP_WORDS=(" +
      words + ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_rangewise\necho \"${COMPREPLY[*]}\"\n";
  const Outcome outcome = RunAt(FindProgram("bash"), {"--norc", "-c", script},
                                {.set = {}, .working_folder = working_folder});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  return outcome.out.substr(0, outcome.out.find('\n'));
}

TEST(Completions, BashOffersVerbsOptionsAndValues) {
  const fs::path bash = FindProgram("bash");
  if (bash.empty()) return;
  const std::string script = (kBuild / "manual/bash/rangewise").string();
  EXPECT_EQ(RunAt(bash, {"-n", script}).exit_code, 0);
  EXPECT_EQ(RunAt(bash, {"-c", "source '" + script + "'; complete -p rangewise"}).out,
            "complete -F _rangewise rangewise\n");
  ScratchFolder scratch;
  fs::create_directories(scratch.path() / "a folder");
  Spill(scratch.path() / "a file", "");
  EXPECT_EQ(Offered("rangewise anal", scratch.path()), "analyze");
  EXPECT_EQ(Offered("rangewise --ver", scratch.path()), "--version");
  EXPECT_EQ(Offered("rangewise analyze --repo", scratch.path()), "--reports");
  EXPECT_EQ(Offered("rangewise analyze --reports s", scratch.path()), "sqlite");
  EXPECT_EQ(Offered("rangewise analyze --reports = c", scratch.path()), "csv");
  EXPECT_EQ(Offered("rangewise check --format =", scratch.path()), "text json");
  EXPECT_EQ(Offered("rangewise analyze --output-dir a", scratch.path()), "a folder");
  EXPECT_EQ(Offered("rangewise analyze a", scratch.path()), "a file a folder");
  EXPECT_EQ(Offered("rangewise analyze --capture-range a", scratch.path()), "");
  EXPECT_EQ(Offered("rangewise schema ''", scratch.path()), "analysis comparison summary");
}

TEST(Completions, OtherShellsReadTheirs) {
  const std::map<std::string, std::string> scripts = {{"zsh", "zsh/_rangewise"},
                                                      {"fish", "fish/rangewise.fish"}};
  for (const auto& [shell, script] : scripts) {
    ASSERT_TRUE(fs::is_regular_file(kBuild / "manual" / script));
    const fs::path program = FindProgram(shell);
    if (program.empty()) continue;
    const Outcome outcome = RunAt(program, {"-n", (kBuild / "manual" / script).string()});
    EXPECT_EQ(outcome.exit_code, 0) << shell << outcome.err;
    EXPECT_EQ(outcome.err, "") << shell;
  }
}

TEST(ManPages, RenderWithoutWarnings) {
  const fs::path groff = FindProgram("groff");
  int pages = 0;
  for (const auto& entry : fs::directory_iterator(kBuild / "manual/man")) {
    ++pages;
    for (const unsigned char c : Slurp(entry.path())) ASSERT_LT(c, 0x80) << entry.path();
    if (groff.empty()) continue;
    const Outcome outcome = RunAt(groff, {"-ww", "-man", "-Tutf8", entry.path().string()});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.err, "") << entry.path();
    EXPECT_NE(outcome.out.find("wrong usage."), std::string::npos) << outcome.out;
  }
  EXPECT_GE(pages, 6);
}

TEST(ManPages, NameEveryEnvironmentVariableThatIsRead) {
  const std::string page = Slurp(kBuild / "manual/man/rangewise.1");
  static const std::regex kRead(R"re((?:getenv|Environment)\("([A-Z_]+)"\))re");
  int variables = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(RANGEWISE_SOURCE_DIR) / "src")) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".cc") || name.ends_with("_test.cc")) continue;
    const std::string text = Slurp(entry.path());
    for (auto at = std::sregex_iterator(text.begin(), text.end(), kRead);
         at != std::sregex_iterator(); ++at) {
      EXPECT_NE(page.find((*at)[1]), std::string::npos) << (*at)[1] << " of " << name;
      ++variables;
    }
  }
  EXPECT_GE(variables, 2);
}

}  // namespace
}  // namespace rangewise::test_support
