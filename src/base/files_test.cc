#include "base/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "base/hash.h"
#include "base/regex.h"

namespace rangewise {
namespace {

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/rangewise-files-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

size_t EntriesIn(const fs::path& folder) {
  return static_cast<size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST_F(Files, AtomicFileReplacesOnlyWhenCommitted) {
  const fs::path target = folder_ / "out.json";
  ASSERT_TRUE(WriteFileAtomically(target, "old").ok());
  {
    auto file = AtomicFile::Create(target);
    ASSERT_TRUE(file.ok());
    file->Write("new");
  }
  EXPECT_EQ(*ReadFile(target), "old");
  EXPECT_EQ(EntriesIn(folder_), 1u);
  ASSERT_TRUE(WriteFileAtomically(target, "new").ok());
  EXPECT_EQ(*ReadFile(target), "new");
}

TEST_F(Files, MissingFolderIsNotWritable) {
  const auto file = AtomicFile::Create(folder_ / "absent" / "out.json");
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().code, Code::kOutputNotWritable);
}

TEST_F(Files, FullDiskIsToldApart) {
  EXPECT_EQ(WriteError("f", ENOSPC).code, Code::kDiskFull);
  EXPECT_EQ(WriteError("f", EDQUOT).code, Code::kDiskFull);
  EXPECT_EQ(WriteError("f", EACCES).code, Code::kOutputNotWritable);
  // /dev/full fails every write with ENOSPC.
  const int fd = ::open("/dev/full", O_WRONLY);
  ASSERT_GE(fd, 0);
  {
    DescriptorOutput out(fd);
    out.Write("text");
    out.Flush();
    EXPECT_EQ(out.error(), ENOSPC);
  }
  ::close(fd);
}

TEST_F(Files, ShrinkingFileIsAnError) {
  const fs::path path = folder_ / "table.csv";
  ASSERT_TRUE(WriteFileAtomically(path, std::string(1000, 'x')).ok());
  const auto file = InputFile::Open(path);
  ASSERT_TRUE(file.ok());
  fs::resize_file(path, 10);
  std::string buffer(1000, '\0');
  const Status status = file->ReadAt(0, buffer.data(), buffer.size());
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, Code::kFileShrank);
}

TEST_F(Files, FolderAndPipeAreNoFiles) {
  EXPECT_EQ(ReadFile(folder_).error().code, Code::kReadFailed);
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(ReadFile(folder_ / "pipe").error().code, Code::kReadFailed);
  EXPECT_EQ(ReadFile(folder_ / "absent").error().code, Code::kReadFailed);
}

TEST_F(Files, LimitIsKept) {
  ASSERT_TRUE(WriteFileAtomically(folder_ / "f", "12345").ok());
  EXPECT_TRUE(ReadFile(folder_ / "f", 5).ok());
  EXPECT_FALSE(ReadFile(folder_ / "f", 4).ok());
}

TEST_F(Files, TemporaryFolderGoesWithItsOwner) {
  {
    const auto temporary = TemporaryFolder::Create(folder_);
    ASSERT_TRUE(temporary.ok());
    ASSERT_TRUE(WriteFileAtomically(temporary->path() / "f", "x").ok());
  }
  EXPECT_EQ(EntriesIn(folder_), 0u);
}

TEST_F(Files, LockNamesItsHolderAndClearsLeftovers) {
  fs::create_directory(folder_ / ".rangewise-tmp-stale");
  std::ofstream(folder_ / ".rangewise-tmp-file") << "left";
  auto being_written = AtomicFile::Create(folder_ / "elsewhere.json");
  ASSERT_TRUE(being_written.ok());
  {
    const auto lock = FolderLock::Acquire(folder_, false);
    ASSERT_TRUE(lock.ok());
    EXPECT_FALSE(fs::exists(folder_ / ".rangewise-tmp-stale"));
    EXPECT_FALSE(fs::exists(folder_ / ".rangewise-tmp-file"));
    const auto second = FolderLock::Acquire(folder_, false);
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code, Code::kOutputLocked);
    EXPECT_NE(second.error().message.find("process " + std::to_string(::getpid())),
              std::string::npos);
  }
  EXPECT_TRUE(FolderLock::Acquire(folder_, false).ok());
  // A file that another writer has open survives the clearing.
  being_written->Write("x");
  EXPECT_TRUE(being_written->Commit().ok());
}

TEST_F(Files, LockOfAKilledHolderIsFree) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = FolderLock::Acquire(folder_, false);
    const char byte = lock.ok() ? '1' : '0';
    (void)!::write(ready[1], &byte, 1);
    ::pause();
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  ASSERT_EQ(byte, '1');
  EXPECT_FALSE(FolderLock::Acquire(folder_, false).ok());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(FolderLock::Acquire(folder_, true).ok());
  ::close(ready[0]);
  ::close(ready[1]);
}

// Expected values were printed by `xxh128sum`.
TEST_F(Files, FingerprintIsXxh3OfTheWholeFile) {
  EXPECT_EQ(Hash128Hex(""), "99aa06d3014798d86001c324468d497f");
  const std::string text(3'000'000, 'q');
  ASSERT_TRUE(WriteFileAtomically(folder_ / "f", text).ok());
  const auto fingerprint = FingerprintFile(folder_ / "f");
  ASSERT_TRUE(fingerprint.ok());
  EXPECT_EQ(fingerprint->size_bytes, text.size());
  EXPECT_EQ(fingerprint->xxh3_128, Hash128Hex(text));
  Hasher128 pieces;
  pieces.Update(std::string_view(text).substr(0, 1234567));
  pieces.Update(std::string_view(text).substr(1234567));
  EXPECT_EQ(pieces.Hex(), Hash128Hex(text));
}

TEST(Regex, MatchesWholeNamesAndFirstGroups) {
  const auto regex = Regex::Compile("Step (\\d+) to \\d+");
  ASSERT_TRUE(regex.ok());
  EXPECT_EQ(regex->FullMatchGroup1("Step 10 to 20"), "10");
  EXPECT_EQ(regex->FullMatchGroup1("a Step 10 to 20"), std::nullopt);
  const auto plain = Regex::Compile("step");
  EXPECT_EQ(plain->groups(), 0);
  EXPECT_TRUE(plain->FullMatch("step"));
  EXPECT_FALSE(plain->FullMatch("steps"));
}

TEST(Regex, ErrorPointsAtThePiece) {
  const auto regex = Regex::Compile("ab(?=c)");
  ASSERT_FALSE(regex.ok());
  EXPECT_EQ(regex.error().code, Code::kBadPattern);
  EXPECT_EQ(regex.error().where.column, 3u);
}

TEST(Regex, ReplacesEveryMatchAndKnowsItsGroups) {
  const auto regex = Regex::Compile(" (\\d+)");
  std::string text = "op 1 of 22";
  EXPECT_EQ(regex->ReplaceAll(text, "#\\1"), 2);
  EXPECT_EQ(text, "op#1 of#22");
  EXPECT_EQ(regex->CheckReplacement("\\1"), std::nullopt);
  EXPECT_NE(regex->CheckReplacement("\\2"), std::nullopt);
}

}  // namespace
}  // namespace rangewise
