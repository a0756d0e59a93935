#include "ingest/nsys.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/files.h"
#include "base/interrupt.h"
#include "support/fake_nsys.h"
#include "support/process_gone.h"

namespace rangewise::ingest {
namespace {

using model::Report;
using test_support::FakeNsys;
using test_support::FakeNsysPath;
using test_support::ProcessGone;

constexpr char kVersion[] = "NVIDIA Nsight Systems version 2025.1.3.140-251335620677v0";

void WriteText(const fs::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string Text(const fs::path& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// A folder with recorded tables, a trace, and room for output; the stand-in is set up for it.
class Nsys : public testing::Test {
 protected:
  void SetUp() override {
    Result<TemporaryFolder> made = TemporaryFolder::Create(fs::temp_directory_path());
    ASSERT_TRUE(made.ok());
    folder_.emplace(std::move(made).value());
    for (const char* name : {"tables", "out", "marks"}) fs::create_directory(In(name));
    for (const Report report : model::kReports) {
      WriteText(In("tables") / model::ReportFileName(report),
                "Header of " + std::string(model::ReportName(report)) + "\n1,2\n");
    }
    trace_ = In("trace.nsys-rep");
    WriteText(trace_, "not read by the stand-in");
    fake_ = std::make_unique<FakeNsys>(In("tables"));
    fake_->SetMarks(In("marks"));
    path_ = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
  }
  void TearDown() override { setenv("PATH", path_.c_str(), 1); }

  fs::path In(const std::string& name) const { return folder_->path() / name; }

  NsysTool Tool() const {
    return NsysTool{FakeNsysPath(), kVersion, model::ParseNsysVersion(kVersion)};
  }

  Result<StatsOutput> Stats(const std::string& fault = "") {
    fake_->SetFault(fault);
    return RunNsysStats(Tool(), trace_, In("out"), nullptr);
  }

  // The failure of `nsys stats` with that fault; its text must show the version and `words`.
  Error StatsError(const std::string& fault, const std::string& words) {
    Result<StatsOutput> result = Stats(fault);
    if (result.ok()) {
      ADD_FAILURE() << "no failure with " << fault;
      return Error{};
    }
    const std::string text = Render(result.error());
    EXPECT_NE(text.find(kVersion), std::string::npos) << text;
    EXPECT_NE(text.find(words), std::string::npos) << text;
    EXPECT_NE(text.find("  next: "), std::string::npos) << text;
    return std::move(result).error();
  }

  // A link to the stand-in at `place`/nsys.
  fs::path Install(const std::string& place) const {
    fs::create_directories(In(place));
    fs::create_symlink(FakeNsysPath(), In(place) / "nsys");
    return In(place) / "nsys";
  }

  // A program at `place`/nsys that fails.
  fs::path InstallBroken(const std::string& place) const {
    fs::create_directories(In(place));
    WriteText(In(place) / "nsys", "#!/bin/sh\nexit 1\n");
    fs::permissions(In(place) / "nsys", fs::perms::owner_all);
    return In(place) / "nsys";
  }

  void PutInPath(const fs::path& folder) const {
    setenv("PATH", (folder.string() + ":" + path_).c_str(), 1);
  }

  NsysSearch Search() const {
    NsysSearch search;
    search.install_root = In("opt");
    return search;
  }

  Code NamedCode(const std::string& name) const {
    NsysSearch search = Search();
    search.named = name;
    const Result<std::optional<NsysTool>> found = FindNsys(search);
    return found.ok() ? Code::kCount : found.error().code;
  }

  std::optional<TemporaryFolder> folder_;
  std::unique_ptr<FakeNsys> fake_;
  fs::path trace_;
  std::string path_;
};

TEST_F(Nsys, TheNamedOneIsTakenBeforeTheEnvironmentAndThePath) {
  const fs::path named = Install("named");
  const fs::path environment = Install("environment");
  PutInPath(Install("path").parent_path());
  NsysSearch search = Search();
  search.named = named.string();
  search.environment = environment.string();
  Result<std::optional<NsysTool>> found = FindNsys(search);
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_EQ((*found)->path, named);
  EXPECT_EQ((*found)->version_text, kVersion);
  EXPECT_EQ((*found)->version, (model::NsysVersion{2025, 1, 3}));
  search.named.reset();
  found = FindNsys(search);
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_EQ((*found)->path, environment);
}

TEST_F(Nsys, ABareNameIsLookedUpInThePath) {
  const fs::path installed = Install("path");
  PutInPath(installed.parent_path());
  NsysSearch search = Search();
  search.named = "nsys";
  const Result<std::optional<NsysTool>> found = FindNsys(search);
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_EQ((*found)->path, installed);
}

TEST_F(Nsys, ANamedOneThatFailsIsAnErrorThoughAnotherWouldRun) {
  PutInPath(Install("path").parent_path());
  Install("opt/2025.1.3/bin");
  WriteText(In("plain"), "#!/bin/sh\n");
  WriteText(In("garbage"), std::string("\x7f") + "ELF of another machine");
  fs::permissions(In("garbage"), fs::perms::owner_all);
  EXPECT_EQ(NamedCode(In("missing").string()), Code::kNsysNotFound);
  EXPECT_EQ(NamedCode("no-such-nsys"), Code::kNsysNotFound);
  EXPECT_EQ(NamedCode(""), Code::kNsysNotFound);
  EXPECT_EQ(NamedCode(In("plain").string()), Code::kNsysNotRunnable);
  EXPECT_EQ(NamedCode(In("garbage").string()), Code::kNsysNotRunnable);
  EXPECT_EQ(NamedCode(In("tables").string()), Code::kNsysNotRunnable);
  EXPECT_EQ(NamedCode(InstallBroken("broken").string()), Code::kNsysNotRunnable);
}

TEST_F(Nsys, TheErrorSaysWhoNamedItAndWhatItSaid) {
  NsysSearch search = Search();
  search.environment = In("missing").string();
  Result<std::optional<NsysTool>> found = FindNsys(search);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, Code::kNsysNotFound);
  EXPECT_NE(found.error().message.find("RANGEWISE_NSYS"), std::string::npos);

  fake_->SetFault("version-fails");
  search.environment = FakeNsysPath().string();
  found = FindNsys(search);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, Code::kNsysNotRunnable);
  EXPECT_NE(Render(found.error()).find("cannot load libnvlog.so"), std::string::npos);
  EXPECT_NE(Render(found.error()).find("exit code 127"), std::string::npos);

  fake_->SetFault("version-hangs");
  search.timeout_ms = 200;
  found = FindNsys(search);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, Code::kNsysNotRunnable);
  EXPECT_NE(Render(found.error()).find("did not answer in time"), std::string::npos);
}

TEST_F(Nsys, SearchesThePathThenTheNewestInstallation) {
  const fs::path newest = Install("opt/2024.10.1/bin");
  Install("opt/2024.9.3/bin");
  Install("opt/old/bin");
  Result<std::optional<NsysTool>> found = FindNsys(Search());
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_EQ((*found)->path, newest);
  const fs::path in_path = Install("path");
  PutInPath(in_path.parent_path());
  found = FindNsys(Search());
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_EQ((*found)->path, in_path);
}

TEST_F(Nsys, PassesOverWhatItFindsItselfAndDoesNotRun) {
  PutInPath(InstallBroken("path").parent_path());
  InstallBroken("opt/2026.1.1/bin");
  const fs::path good = Install("opt/2025.1.3/bin");
  const Result<std::optional<NsysTool>> found = FindNsys(Search());
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_EQ((*found)->path, good);
}

TEST_F(Nsys, FindsNothingWithoutAnError) {
  NsysSearch search = Search();
  search.environment = "";  // an empty variable is as good as none
  const Result<std::optional<NsysTool>> found = FindNsys(search);
  ASSERT_TRUE(found.ok());
  EXPECT_FALSE(found->has_value());
}

TEST_F(Nsys, TheVersionIsUnknownWhereItSaysNothingUsable) {
  NsysSearch search = Search();
  search.named = FakeNsysPath().string();
  fake_->SetFault("version-silent");
  Result<std::optional<NsysTool>> found = FindNsys(search);
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_EQ((*found)->version_text, "unknown");
  EXPECT_FALSE((*found)->version.has_value());
  fake_->SetFault("version-odd");
  found = FindNsys(search);
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_EQ((*found)->version_text, "NVIDIA Nsight Systems, built for tests");
  EXPECT_FALSE((*found)->version.has_value());
}

TEST_F(Nsys, TheVersionIsOneLineWhateverIsPrintedAroundIt) {
  NsysSearch search = Search();
  search.named = FakeNsysPath().string();
  fake_->SetFault("");
  fake_->SetVersion("a notice\r\n\n  NVIDIA Nsight Systems version 2026.1.1.5-x \xff \nmore");
  const Result<std::optional<NsysTool>> found = FindNsys(search);
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_EQ((*found)->version_text, "NVIDIA Nsight Systems version 2026.1.1.5-x \\xff");
  EXPECT_EQ((*found)->version, (model::NsysVersion{2026, 1, 1}));
}

TEST_F(Nsys, KnowsTheReportsThatTheToolLists) {
  for (const char* fault : {"", "help-exit"}) {
    fake_->SetFault(fault);
    const Result<std::vector<std::string>> names = KnownReports(Tool());
    ASSERT_TRUE(names.ok());
    EXPECT_EQ(names.value(), (std::vector<std::string>{"cuda_api_sum", "cuda_gpu_kern_gb_sum",
                                                       "cuda_gpu_kern_sum", "cuda_gpu_trace",
                                                       "nvtx_gpu_proj_sum", "nvtx_gpu_proj_trace",
                                                       "nvtx_pushpop_sum", "nvtx_pushpop_trace"}));
  }
  fake_->SetFault("leave-out:nvtx_gpu_proj_trace");
  const Result<std::vector<std::string>> fewer = KnownReports(Tool());
  ASSERT_TRUE(fewer.ok());
  EXPECT_EQ(std::count(fewer->begin(), fewer->end(), "nvtx_gpu_proj_trace"), 0);
  EXPECT_EQ(fewer->size(), 7u);
}

TEST_F(Nsys, AToolThatListsNoReportsIsAFailure) {
  NsysTool tool = Tool();
  tool.path = InstallBroken("broken");
  const Result<std::vector<std::string>> names = KnownReports(tool);
  ASSERT_FALSE(names.ok());
  EXPECT_EQ(names.error().code, Code::kNsysFailed);
}

TEST_F(Nsys, AsksOnceForTheFourTables) {
  fake_->SetLog(In("log"));
  std::string seen;
  const Result<StatsOutput> output =
      RunNsysStats(Tool(), trace_, In("out"), [&seen](std::string_view piece) { seen += piece; });
  ASSERT_TRUE(output.ok()) << Render(output.error());
  EXPECT_EQ(fake_->Calls(),
            (std::vector<std::vector<std::string>>{
                {"stats", "--report", "nvtx_pushpop_trace", "--report", "nvtx_gpu_proj_trace",
                 "--report", "cuda_gpu_kern_sum", "--report", "cuda_gpu_trace", "--format",
                 "csv:mem=B", "--force-export=true", "--force-overwrite=true", "--sqlite",
                 In("out/trace.sqlite").string(), "--output", In("out/nsys").string(),
                 trace_.string()}}));
  EXPECT_EQ(output->sqlite, In("out/trace.sqlite"));
  EXPECT_TRUE(Text(*output->sqlite).starts_with("SQLite format 3"));
  ASSERT_EQ(output->tables.size(), 4u);
  for (const Report report : model::kReports) {
    EXPECT_EQ(output->tables.at(report), In("out") / model::ReportFileName(report));
    EXPECT_EQ(Text(output->tables.at(report)),
              "Header of " + std::string(model::ReportName(report)) + "\n1,2\n");
  }
  EXPECT_NE(seen.find("PROCESSED"), std::string::npos);
}

TEST_F(Nsys, PassesStrangePathsAsTheyAre) {
  const fs::path odd = In("a b, \"c\" 'd' $(touch pwned) `id` ; * \xff");
  fs::create_directories(odd / "out,put");
  trace_ = odd / "-t $(touch pwned).nsys-rep";
  WriteText(trace_, "x");
  fake_->SetLog(In("log"));
  Result<StatsOutput> output = RunNsysStats(Tool(), trace_, odd / "out,put", nullptr);
  ASSERT_TRUE(output.ok()) << Render(output.error());
  EXPECT_EQ(fake_->Calls().back().back(), trace_.string());
  EXPECT_TRUE(fs::exists(odd / "out,put" / "nsys_cuda_gpu_trace.csv"));
  EXPECT_TRUE(fs::exists(odd / "out,put" / "trace.sqlite"));
  for (const fs::path& folder : {folder_->path(), odd, odd / "out,put", fs::current_path()}) {
    EXPECT_FALSE(fs::exists(folder / "pwned"));
  }
}

TEST_F(Nsys, ARelativeTraceIsNoOptionAndIsMeantFromOurFolder) {
  WriteText(In("-trace.nsys-rep"), "x");
  const fs::path before = fs::current_path();
  fs::current_path(folder_->path());
  const Result<StatsOutput> output = RunNsysStats(Tool(), "-trace.nsys-rep", "out", nullptr);
  const Status exported = RunNsysExport(Tool(), "-trace.nsys-rep", "-export.sqlite", nullptr);
  fs::current_path(before);
  EXPECT_TRUE(output.ok()) << (output.ok() ? "" : Render(output.error()));
  EXPECT_TRUE(exported.ok()) << (exported.ok() ? "" : Render(exported.error()));
  EXPECT_TRUE(fs::exists(In("out/nsys_nvtx_pushpop_trace.csv")));
  EXPECT_TRUE(fs::exists(In("-export.sqlite")));
}

TEST_F(Nsys, FullPipesDoNotStopIt) {
  const Result<StatsOutput> output = Stats("flood");
  ASSERT_TRUE(output.ok()) << Render(output.error());
  EXPECT_EQ(output->tables.size(), 4u);
}

TEST_F(Nsys, EmptyGpuTablesAreACpuOnlyCapture) {
  const Result<StatsOutput> output = Stats("no-gpu");
  ASSERT_TRUE(output.ok()) << Render(output.error());
  EXPECT_EQ(fs::file_size(output->tables.at(Report::kGpuProjection)), 0u);
  EXPECT_GT(fs::file_size(output->tables.at(Report::kPushPop)), 0u);
}

TEST_F(Nsys, SaysThatTheTraceHasNoNvtxData) {
  EXPECT_EQ(StatsError("no-nvtx", "does not contain NV Tools Extension (NVTX) data.").code,
            Code::kNoNvtxData);
}

TEST_F(Nsys, AHostTableSkippedForAnotherReasonHasNoRanges) {
  EXPECT_EQ(StatsError("no-host-rows", "does not contain StringIds table.").code,
            Code::kNoHostRanges);
}

TEST_F(Nsys, NamesTheTableThatWasNotMade) {
  for (const Report report : model::kReports) {
    const std::string name(model::ReportName(report));
    const Error unknown =
        StatsError("leave-out:" + name, "ERROR: Report '" + name + "' could not be found.");
    EXPECT_EQ(unknown.code, Code::kReportNotMade);
    EXPECT_NE(unknown.message.find("did not make '" + name + "'"), std::string::npos);
    EXPECT_NE(unknown.hint.find("does not know the report"), std::string::npos);
    const Error silent = StatsError("no-table:" + name, "did not make '" + name + "'");
    EXPECT_EQ(silent.code, Code::kReportNotMade);
    EXPECT_EQ(silent.hint, "");
  }
}

TEST_F(Nsys, ATableOfAnEarlierCallIsNotTakenForANewOne) {
  ASSERT_TRUE(Stats().ok());
  EXPECT_EQ(StatsError("no-table:cuda_gpu_trace", "did not make").code, Code::kReportNotMade);
  EXPECT_EQ(StatsError("unreadable-quiet", "damaged").code, Code::kNsysCannotReadTrace);
}

TEST_F(Nsys, SaysThatTheTraceCannotBeRead) {
  for (const char* fault : {"unreadable", "unreadable-quiet"}) {
    const Error error = StatsError(fault, "the file is damaged or incomplete");
    EXPECT_EQ(error.code, Code::kNsysCannotReadTrace);
    EXPECT_NE(error.message.find(trace_.string()), std::string::npos);
  }
  const Error stale = StatsError("stale-export", "existing export older than input");
  EXPECT_EQ(stale.code, Code::kNsysCannotReadTrace);
  EXPECT_NE(stale.hint.find("remove the old .sqlite"), std::string::npos);
  fs::remove(trace_);
  EXPECT_EQ(StatsError("", "does not exist").code, Code::kNsysCannotReadTrace);
}

TEST_F(Nsys, ShowsItsLastWordsWhenItFails) {
  fake_->SetFailure("first\nthe \x1b[31mlicence\nsecond to last\nlast words", 9);
  for (const char* fault : {"fail", "fail-late"}) {
    const Error error = StatsError(fault, "nsys: last words");
    EXPECT_EQ(error.code, Code::kNsysFailed) << fault;
    EXPECT_NE(error.message.find("exit code 9"), std::string::npos);
    const std::string text = Render(error);
    EXPECT_NE(text.find("command: " + FakeNsysPath().string() + " stats --report"),
              std::string::npos);
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
  }
}

TEST_F(Nsys, OnlyTheEndOfMuchTextIsShown) {
  std::string words;
  for (int i = 0; i < 1000; ++i) words += "line " + std::to_string(i) + "\n";
  fake_->SetFailure(words + std::string(100'000, 'x'), 1);
  const Error error = StatsError("fail", "line 999");
  EXPECT_LT(Render(error).size(), 5000u);
  EXPECT_EQ(Render(error).find("line 990"), std::string::npos);
}

TEST_F(Nsys, FolderNamesAreNoWordsOfAFailedImport) {
  fs::create_directories(In("failed input error"));
  trace_ = In("failed input error/trace.nsys-rep");
  WriteText(trace_, "x");
  fake_->SetFailure("terminate called", 134);
  EXPECT_EQ(StatsError("fail", "terminate called").code, Code::kNsysFailed);
}

TEST_F(Nsys, SaysWhichSignalEndedIt) {
  const Error error = StatsError("signal:SEGV", "signal 11 (SIGSEGV)");
  EXPECT_EQ(error.code, Code::kNsysFailed);
}

TEST_F(Nsys, HalfATableIsAFailure) {
  EXPECT_EQ(StatsError("half-written", "before its table was complete").code, Code::kNsysFailed);
}

TEST_F(Nsys, SaysThatTheDiskIsFull) {
  EXPECT_EQ(StatsError("disk-full", "No space left on device").code, Code::kDiskFull);
}

TEST_F(Nsys, AToolThatVanishedCannotBeRun) {
  NsysTool tool = Tool();
  tool.path = In("vanished");
  const Result<StatsOutput> output = RunNsysStats(tool, trace_, In("out"), nullptr);
  ASSERT_FALSE(output.ok());
  EXPECT_EQ(output.error().code, Code::kNsysNotRunnable);
}

// In a process of its own, since the flag of an arrived signal stays.
TEST_F(Nsys, AnInterruptEndsItsWholeGroup) {
  fake_->SetFault("hang");
  const pid_t test = fork();
  ASSERT_GE(test, 0);
  if (test == 0) {
    std::signal(SIGTERM, SIG_DFL);
    InstallInterruptHandlers();
    const Result<StatsOutput> output = RunNsysStats(Tool(), trace_, In("out"), nullptr);
    _exit(!output.ok() && output.error().code == Code::kInterrupted ? 0 : 1);
  }
  for (int i = 0; i < 1000 && !fs::exists(In("marks/child")); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill(test, SIGTERM);
  int status = 0;
  ASSERT_EQ(waitpid(test, &status, 0), test);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_TRUE(ProcessGone(In("marks/leader")));
  EXPECT_TRUE(ProcessGone(In("marks/child")));
  EXPECT_EQ(Text(In("marks/child_ended")), "TERM\n");
}

TEST_F(Nsys, ExportsToWhereItIsTold) {
  fake_->SetLog(In("log"));
  WriteText(In("x.sqlite"), "an older one");
  const Status status = RunNsysExport(Tool(), trace_, In("x.sqlite"), nullptr);
  ASSERT_TRUE(status.ok()) << Render(status.error());
  EXPECT_TRUE(Text(In("x.sqlite")).starts_with("SQLite format 3"));
  EXPECT_EQ(fake_->Calls(), (std::vector<std::vector<std::string>>{
                                {"export", "--type", "sqlite", "--force-overwrite=true", "--output",
                                 In("x.sqlite").string(), trace_.string()}}));
}

TEST_F(Nsys, TellsFailuresOfAnExportApart) {
  const std::vector<std::pair<std::string, Code>> expected = {
      {"fail", Code::kNsysFailed},
      {"fail-late", Code::kNsysFailed},
      {"half-written", Code::kNsysFailed},
      {"signal:KILL", Code::kNsysFailed},
      {"disk-full", Code::kDiskFull},
      {"unreadable", Code::kNsysCannotReadTrace},
      {"unreadable-quiet", Code::kNsysCannotReadTrace}};
  for (const auto& [fault, code] : expected) {
    fake_->SetFault(fault);
    const Status status = RunNsysExport(Tool(), trace_, In("x.sqlite"), nullptr);
    ASSERT_FALSE(status.ok()) << fault;
    EXPECT_EQ(status.error().code, code) << fault;
    EXPECT_NE(status.error().message.find(kVersion), std::string::npos) << fault;
  }
}

TEST_F(Nsys, AToolOfUnknownVersionIsCalledThat) {
  NsysTool tool = Tool();
  tool.version_text = "unknown";
  tool.version.reset();
  fake_->SetFault("fail");
  const Result<StatsOutput> output = RunNsysStats(tool, trace_, In("out"), nullptr);
  ASSERT_FALSE(output.ok());
  EXPECT_TRUE(output.error().message.starts_with("nsys of unknown version ended with exit code 1"));
}

}  // namespace
}  // namespace rangewise::ingest
