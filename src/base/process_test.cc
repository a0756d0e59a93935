#include "base/process.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/files.h"
#include "base/interrupt.h"
#include "support/process_gone.h"

namespace rangewise {
namespace {

using test_support::ProcessGone;

// /bin/sh with a script and its arguments from $1 on.
ProcessRequest Shell(std::string script, std::vector<std::string> arguments = {}) {
  ProcessRequest request;
  request.program = "/bin/sh";
  request.grace_ms = 300;
  request.arguments = {"-c", std::move(script), "sh"};
  request.arguments.insert(request.arguments.end(), arguments.begin(), arguments.end());
  return request;
}

ProcessResult RunToEnd(const ProcessRequest& request) {
  Result<ProcessResult> result = RunProcess(request);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return result.ok() ? std::move(result).value() : ProcessResult{};
}

class ProcessInFolder : public testing::Test {
 protected:
  void SetUp() override {
    Result<TemporaryFolder> made = TemporaryFolder::Create(fs::temp_directory_path());
    ASSERT_TRUE(made.ok());
    folder_.emplace(std::move(made).value());
  }
  fs::path File(const std::string& name) const { return folder_->path() / name; }
  std::string Text(const std::string& name) const {
    std::stringstream text;
    text << std::ifstream(File(name)).rdbuf();
    return text.str();
  }
  std::optional<TemporaryFolder> folder_;
};

TEST(Process, ReportsExitCodeAndBothStreams) {
  const ProcessResult result = RunToEnd(Shell("echo out; echo err >&2; exit 7"));
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_EQ(result.signal, 0);
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.standard_output, "out\n");
  EXPECT_EQ(result.standard_error, "err\n");
}

TEST(Process, ReportsTheSignalThatEndedTheProgram) {
  const ProcessResult result = RunToEnd(Shell("kill -SEGV $$"));
  EXPECT_EQ(result.exit_code, -1);
  EXPECT_EQ(result.signal, SIGSEGV);
}

TEST(Process, PassesArgumentsAsTheyAre) {
  const std::vector<std::string> arguments = {"a b",  "",   "$(echo no)", "`id`",      "\"quoted\"",
                                              "it's", "-x", "*",          "new\nline", "\xff"};
  std::string expected;
  for (const std::string& argument : arguments) expected += "<" + argument + ">";
  EXPECT_EQ(RunToEnd(Shell("for a do printf '<%s>' \"$a\"; done", arguments)).standard_output,
            expected);
}

TEST(Process, GivesAnEmptyInputAndThePlainLocale) {
  ASSERT_EQ(setenv("LC_ALL", "de_DE.UTF-8", 1), 0);
  const ProcessResult result = RunToEnd(Shell("cat; echo \"$LC_ALL\"; env | grep -c ^LC_ALL="));
  unsetenv("LC_ALL");
  EXPECT_EQ(result.standard_output, "C\n1\n");
}

TEST(Process, GivesDefaultSignalsWhateverOursAre) {
  ASSERT_NE(std::signal(SIGPIPE, SIG_IGN), SIG_ERR);
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  ASSERT_EQ(sigprocmask(SIG_BLOCK, &blocked, &before), 0);
  const ProcessResult result = RunToEnd(Shell("grep -E '^Sig(Blk|Ign)' /proc/self/status"));
  sigprocmask(SIG_SETMASK, &before, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  EXPECT_NE(result.standard_output.find("SigBlk:\t0000000000000000\n"), std::string::npos);
  const size_t ignored = result.standard_output.find("SigIgn:\t");
  ASSERT_NE(ignored, std::string::npos);
  // But for signals 32 and 33, which belong to the thread library and cannot be set.
  EXPECT_EQ(std::stoull(result.standard_output.substr(ignored + 8), nullptr, 16) & ~0x180000000ull,
            0u);
}

TEST(Process, KnowsHowItEndedWhereOurParentIgnoredChildren) {
  ASSERT_NE(std::signal(SIGCHLD, SIG_IGN), SIG_ERR);
  const ProcessResult result = RunToEnd(Shell("exit 9"));
  std::signal(SIGCHLD, SIG_DFL);
  EXPECT_EQ(result.exit_code, 9);
}

TEST(Process, DrainsBothFullPipesAndKeepsTheEnds) {
  ProcessRequest request = Shell(
      "yes oooooooooooooooo | head -c 3000000; yes eeeeeeeeeeeeeeee | head -c 3000000 >&2;"
      "yes oooooooooooooooo | head -c 3000000; echo last out; echo last err >&2");
  request.keep_bytes = 100;
  size_t seen = 0;
  request.on_output = [&seen](std::string_view piece) { seen += piece.size(); };
  const ProcessResult result = RunToEnd(request);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(seen, 9'000'000 + std::string_view("last out\nlast err\n").size());
  ASSERT_EQ(result.standard_output.size(), 100u);
  ASSERT_EQ(result.standard_error.size(), 100u);
  EXPECT_TRUE(result.standard_output.ends_with("last out\n"));
  EXPECT_TRUE(result.standard_error.ends_with("last err\n"));
}

TEST_F(ProcessInFolder, RunsInTheFolderItIsGiven) {
  ProcessRequest request = Shell("pwd -P");
  request.working_folder = folder_->path();
  EXPECT_EQ(RunToEnd(request).standard_output, fs::canonical(folder_->path()).string() + "\n");
}

TEST_F(ProcessInFolder, SaysWhyAProgramCannotStart) {
  ProcessRequest request;
  request.program = File("nothing here");
  Result<ProcessResult> missing = RunProcess(request);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, Code::kNsysNotRunnable);
  EXPECT_NE(missing.error().message.find("nothing here"), std::string::npos);
  EXPECT_NE(missing.error().message.find("No such file"), std::string::npos);

  request.program = File("plain");
  std::ofstream(request.program) << "#!/bin/sh\n";
  Result<ProcessResult> plain = RunProcess(request);
  ASSERT_FALSE(plain.ok());
  EXPECT_EQ(plain.error().code, Code::kNsysNotRunnable);
  EXPECT_NE(plain.error().message.find("Permission denied"), std::string::npos);
}

TEST_F(ProcessInFolder, EndsTheWholeGroupWhenTheLimitIsOver) {
  ProcessRequest request = Shell(
      "cd \"$1\"; echo $$ > leader;"
      "sh -c 'trap \"echo TERM > child_heard; exit 0\" TERM; echo $$ > child;"
      "       while :; do sleep 0.02; done' & wait",
      {folder_->path().string()});
  request.timeout_ms = 700;
  const ProcessResult result = RunToEnd(request);
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.signal, SIGTERM);
  EXPECT_EQ(Text("child_heard"), "TERM\n");
  EXPECT_TRUE(ProcessGone(File("leader")));
  EXPECT_TRUE(ProcessGone(File("child")));
}

TEST_F(ProcessInFolder, KillsAGroupThatDoesNotHear) {
  ProcessRequest request = Shell(
      "cd \"$1\"; trap '' TERM; echo $$ > leader;"
      "sh -c 'echo $$ > child; while :; do sleep 0.02; done' & wait",
      {folder_->path().string()});
  request.timeout_ms = 700;
  const ProcessResult result = RunToEnd(request);
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_TRUE(ProcessGone(File("leader")));
  EXPECT_TRUE(ProcessGone(File("child")));
}

TEST_F(ProcessInFolder, DoesNotHangOnWhatAProgramLeavesRunning) {
  const ProcessResult result =
      RunToEnd(Shell("cd \"$1\"; sh -c 'echo $$ > child; exec sleep 600' & "
                     "while ! [ -s child ]; do sleep 0.01; done; echo done; exit 3",
                     {folder_->path().string()}));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.standard_output, "done\n");
  EXPECT_TRUE(ProcessGone(File("child")));
}

TEST_F(ProcessInFolder, DoesNotHangOnAPipeHeldFromOutsideOfTheGroup) {
  const ProcessResult result =
      RunToEnd(Shell("cd \"$1\"; setsid sh -c 'echo $$ > child; exec sleep 600' & "
                     "while ! [ -s child ]; do sleep 0.01; done; exit 4",
                     {folder_->path().string()}));
  EXPECT_EQ(result.exit_code, 4);
  kill(std::atoi(Text("child").c_str()), SIGKILL);
  EXPECT_TRUE(ProcessGone(File("child")));
}

TEST_F(ProcessInFolder, WaitsForAProgramThatClosedItsStreams) {
  const ProcessResult result = RunToEnd(Shell("exec >&- 2>&-; sleep 0.2; exit 5"));
  EXPECT_EQ(result.exit_code, 5);
}

// In a process of its own, since the flag of an arrived signal stays. The program itself tells us
// to stop; then its group must be gone and the answer be kInterrupted.
TEST_F(ProcessInFolder, StopsWhenWeAreInterrupted) {
  for (const int signal_number : {SIGINT, SIGTERM}) {
    const pid_t test = fork();
    ASSERT_GE(test, 0);
    if (test == 0) {
      std::signal(signal_number, SIG_DFL);
      InstallInterruptHandlers();
      InstallInterruptHandlers();
      if (InterruptDescriptor() < 0 || InterruptSignal() != 0 || !CheckInterrupt().ok()) _exit(1);
      const Result<ProcessResult> result =
          RunProcess(Shell("cd \"$1\"; echo $$ > leader; sh -c 'echo $$ > child; sleep 600' & "
                           "while ! [ -s child ]; do sleep 0.01; done; kill -$2 $PPID; wait",
                           {folder_->path().string(), std::to_string(signal_number)}));
      if (result.ok() || result.error().code != Code::kInterrupted) _exit(2);
      if (InterruptSignal() != signal_number || CheckInterrupt().ok()) _exit(3);
      // Once told, nothing is started any more.
      if (RunProcess(Shell("exit 0")).ok()) _exit(4);
      _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(test, &status, 0), test);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    EXPECT_TRUE(ProcessGone(File("leader")));
    EXPECT_TRUE(ProcessGone(File("child")));
    fs::remove(File("child"));
  }
}

TEST(Interrupt, TheSecondSignalOfAKindEndsTheProcess) {
  const pid_t test = fork();
  ASSERT_GE(test, 0);
  if (test == 0) {
    std::signal(SIGTERM, SIG_DFL);
    InstallInterruptHandlers();
    raise(SIGTERM);
    raise(SIGTERM);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(test, &status, 0), test);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) << status;
}

TEST(Interrupt, LeavesAnIgnoredSignalIgnored) {
  const pid_t test = fork();
  ASSERT_GE(test, 0);
  if (test == 0) {
    std::signal(SIGINT, SIG_IGN);
    InstallInterruptHandlers();
    raise(SIGINT);
    _exit(InterruptSignal() == 0 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(test, &status, 0), test);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST_F(ProcessInFolder, FindsExecutablesInAbsoluteFoldersOfThePath) {
  const std::string saved = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
  fs::create_directories(File("one/tool"));
  fs::create_directories(File("two"));
  fs::create_directories(File("three"));
  std::ofstream(File("two/tool")) << "#!/bin/sh\n";
  std::ofstream(File("three/tool")) << "#!/bin/sh\n";
  fs::permissions(File("three/tool"), fs::perms::owner_all);
  const std::string path = ":relative::" + File("one").string() + ":" + File("two").string() + ":" +
                           File("three").string();
  setenv("PATH", path.c_str(), 1);
  const std::optional<fs::path> found = FindInPath("tool");
  const std::optional<fs::path> none = FindInPath("no such tool");
  const std::optional<fs::path> with_slash = FindInPath("three/tool");
  setenv("PATH", saved.c_str(), 1);
  EXPECT_EQ(found, File("three/tool"));
  EXPECT_EQ(none, std::nullopt);
  EXPECT_EQ(with_slash, std::nullopt);
}

}  // namespace
}  // namespace rangewise
