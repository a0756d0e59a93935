// The manual is made from the declaration: what a tree says appears in all of its forms.
#include "cli/manual.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "cli/completions.h"
#include "cli/declaration.h"
#include "cli/man_page.h"
#include "cli/program_description.h"

namespace rangewise::cli {
namespace {

// A small tree with everything that a declaration can hold.
struct Tree {
  CLI::App root{"Says it's done: `this`, \\that", "tool"};
  std::string run, mode = "fast", name;
  std::vector<std::string> words;
  int threads = 0;
  bool wait = false;

  Tree() {
    CLI::App* verb = root.add_subcommand("go", "Go there; and more");
    auto* group = verb->add_option_group("run", "")->require_option(1);
    group->add_option("RUN,--run-dir", run, ".starts with a point")->type_name("DIR");
    verb->add_option("-m,--mode", mode, "How: it's 'fast' or -slow, \\1 and [x]")
        ->check(CLI::IsMember({"fast", "slow"}))
        ->type_name("MODE")
        ->default_str("fast");
    verb->add_option("--name", name, "Caf\xC3\xA9 of a name")->type_name("NAME");
    verb->add_option("--word", words, "A word")->type_name("WORD")->allow_extra_args(false);
    verb->add_option("--threads", threads, "Threads")->check(CLI::Range(0, 8))->type_name("N");
    verb->add_option("--runs", words, "Runs")->type_name("RUN...");
    verb->add_flag("--wait", wait, "Wait");
    verb->add_flag("--secret", wait, "Hidden")->group("");
  }
};

constexpr ExitCodeRow kCodes[] = {{"0", "done"}, {"7, 8", "not done"}};
constexpr EnvironmentRow kVariables[] = {{"TOOL_MODE", "the mode"}};
constexpr ManualFacts kFacts{.version = "1.2", .exit_codes = kCodes, .environment = kVariables};

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ProgramDescription, IsWhatTheTreeSays) {
  const Tree tree;
  const ProgramDescription program = DescribeProgram(tree.root);
  ASSERT_EQ(program.verbs.size(), 1u);
  const auto& options = program.verbs[0].options;
  ASSERT_EQ(options.size(),
            8u);  // RUN, help, mode, name, word, threads, runs, wait; not the hidden one
  EXPECT_EQ(options[0].positional, "RUN");
  EXPECT_TRUE(options[0].required);
  EXPECT_EQ(options[0].kind, ValueKind::kFile);
  EXPECT_EQ(options[1].names, (std::vector<std::string>{"-h", "--help"}));
  EXPECT_EQ(options[1].kind, ValueKind::kNone);
  EXPECT_EQ(options[2].kind, ValueKind::kChoice);
  EXPECT_EQ(options[2].choices, (std::vector<std::string>{"fast", "slow"}));
  EXPECT_EQ(options[2].default_text, "fast");
  EXPECT_EQ(options[3].kind, ValueKind::kText);
  EXPECT_FALSE(options[3].repeatable);
  EXPECT_TRUE(options[4].repeatable);
  EXPECT_EQ(options[5].value, "N");
  EXPECT_EQ(options[5].bounds, "INT in [0 - 8]");
  EXPECT_FALSE(options[4].takes_several);
  EXPECT_EQ(options[6].kind, ValueKind::kFile);
  EXPECT_TRUE(options[6].takes_several);
  EXPECT_EQ(options[7].value, "");
}

TEST(ManPage, ShowsTextAsItIs) {
  const Tree tree;
  const ProgramDescription program = DescribeProgram(tree.root);
  const std::string page = ProgramManPage(program, kFacts);
  EXPECT_TRUE(Has(page, "Says it\\(aqs done: \\(gathis\\(ga, \\ethat.")) << page;
  EXPECT_TRUE(Has(page, "\\fB7, 8\\fR\nnot done.")) << page;
  EXPECT_TRUE(Has(page, "\\fBTOOL_MODE\\fR")) << page;
  const std::string verb = VerbManPage(program, program.verbs[0], kFacts);
  EXPECT_TRUE(Has(verb, "tool\\-go \\- Go there\n")) << verb;
  EXPECT_TRUE(Has(verb, "\\fBtool\\fR \\fBgo\\fR [\\fIOPTIONS\\fR] \\fIRUN\\fR\n")) << verb;
  EXPECT_TRUE(Has(verb, "\\fIRUN\\fR, \\fB\\-\\-run\\-dir\\fR \\fIDIR\\fR\n\\&.starts")) << verb;
  EXPECT_TRUE(Has(verb, "it\\(aqs \\(aqfast\\(aq or \\-slow, \\e1 and [x].\n")) << verb;
  EXPECT_TRUE(Has(verb, "One of \\fBfast\\fR, \\fBslow\\fR.\nDefault: \\fBfast\\fR.\n")) << verb;
  EXPECT_TRUE(Has(verb, "Caf\\[u00E9] of")) << verb;
  EXPECT_TRUE(Has(verb, "INT in [0 \\- 8].\n")) << verb;
  EXPECT_FALSE(Has(verb, "secret")) << verb;
}

TEST(Completions, QuoteForTheirShell) {
  const Tree tree;
  const ProgramDescription program = DescribeProgram(tree.root);
  const std::string bash = BashCompletion(program);
  EXPECT_TRUE(Has(bash, "-m|--mode) mapfile -t COMPREPLY < <(compgen -W 'fast slow'")) << bash;
  EXPECT_TRUE(Has(bash, "--name) :; return")) << bash;
  EXPECT_FALSE(Has(bash, "--secret"));
  EXPECT_TRUE(Has(bash, "case \"$last\" in\n          --runs) compopt -o filenames; ")) << bash;
  const std::string zsh = ZshCompletion(program);
  EXPECT_TRUE(Has(zsh, "'(-m --mode)--mode=[How]:MODE:(fast slow)'")) << zsh;
  EXPECT_TRUE(Has(zsh, "'*--word=[A word]:WORD: '")) << zsh;
  EXPECT_TRUE(Has(zsh, "':RUN:_files'")) << zsh;
  EXPECT_TRUE(Has(zsh, "'*--runs=[Runs]:*-*:RUN...:_files'")) << zsh;
  const std::string fish = FishCompletion(program);
  EXPECT_TRUE(Has(fish, "-s m -l mode -x -a 'fast slow' -d 'How'")) << fish;
  EXPECT_TRUE(Has(fish, "-a go -d 'Go there'")) << fish;
}

TEST(Completions, FirstClauseEndsBeforeTheDetail) {
  EXPECT_EQ(FirstClause("Write it; - for output"), "Write it");
  EXPECT_EQ(FirstClause("A pattern (RE2) of names"), "A pattern");
  EXPECT_EQ(FirstClause("Plain"), "Plain");
}

TEST(Manual, IsTheSameEveryTimeAndHoldsEveryVerb) {
  const auto files = ManualFiles();
  EXPECT_EQ(files, ManualFiles());
  EXPECT_EQ(files.size(), std::size(kVerbs) + 4);
  for (const auto& [name, bytes] : files) EXPECT_TRUE(bytes.ends_with('\n')) << name;
}

}  // namespace
}  // namespace rangewise::cli
