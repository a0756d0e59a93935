#include "tables/source_record.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace rangewise::tables {
namespace {

const std::string kHash(32, 'a');

SourceRecord Example() {
  SourceRecord record;
  record.made_by = "nsys";
  record.nsys_version = "NVIDIA Nsight Systems version 2025.1.3.140-251335620677v0";
  record.input = InputRecord{"trace.nsys-rep", {123, kHash}};
  record.tables[model::Report::kPushPop] = {7, kHash};
  record.tables[model::Report::kGpuTrace] = {0, std::string(32, '0')};
  return record;
}

constexpr const char* kExampleText = R"({
  "input": {
    "name": "trace.nsys-rep",
    "size_bytes": 123,
    "xxh3_128": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
  },
  "made_by": "nsys",
  "nsys_version": "NVIDIA Nsight Systems version 2025.1.3.140-251335620677v0",
  "schema_version": 1,
  "sqlite_export": null,
  "tables": {
    "cuda_gpu_trace": {
      "size_bytes": 0,
      "xxh3_128": "00000000000000000000000000000000"
    },
    "nvtx_pushpop_trace": {
      "size_bytes": 7,
      "xxh3_128": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    }
  }
}
)";

std::string Refusal(std::string text) {
  const Result<SourceRecord> record = ParseSourceRecord(text, "stats/source.json");
  if (record.ok()) return "accepted";
  EXPECT_EQ(record.error().code, Code::kReadFailed);
  EXPECT_EQ(record.error().where.file, "stats/source.json");
  return record.error().message;
}

// The example with `from` replaced by `to`.
std::string Changed(const std::string& from, const std::string& to) {
  std::string text = kExampleText;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

class TestFolder {
 public:
  TestFolder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "source-record-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

TEST(SourceRecord, HasAFixedForm) { EXPECT_EQ(FormatSourceRecord(Example()), kExampleText); }

TEST(SourceRecord, ReadsBack) {
  SourceRecord record = Example();
  record.sqlite_export = InputRecord{"trace.sqlite", {uint64_t{1} << 40, kHash}};
  const std::string text = FormatSourceRecord(record);
  const Result<SourceRecord> again = ParseSourceRecord(text, "source.json");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again->made_by, record.made_by);
  EXPECT_EQ(again->nsys_version, record.nsys_version);
  EXPECT_EQ(again->input->name, "trace.nsys-rep");
  EXPECT_EQ(again->input->fingerprint, record.input->fingerprint);
  EXPECT_EQ(again->sqlite_export->fingerprint, record.sqlite_export->fingerprint);
  EXPECT_EQ(again->tables, record.tables);
  EXPECT_EQ(FormatSourceRecord(*again), text);
}

TEST(SourceRecord, UnknownKeysAreNoError) {
  EXPECT_EQ(Refusal(Changed("\"made_by\"", "\"later\": [1, {}], \"made_by\"")), "accepted");
  EXPECT_EQ(Refusal(Changed("\"cuda_gpu_trace\"", "\"another_table\"")), "accepted");
}

TEST(SourceRecord, TypesAreStrict) {
  const std::string prefix = "not a record of where tables came from: ";
  EXPECT_EQ(Refusal("[]"), prefix + "an object was expected");
  EXPECT_EQ(Refusal("{}"), prefix + "'schema_version' must be an integer of 64 bits, not negative");
  EXPECT_EQ(Refusal(Changed("\"schema_version\": 1", "\"schema_version\": 2")),
            prefix + "'schema_version' must be 1, and is 2");
  EXPECT_EQ(Refusal(Changed("\"made_by\": \"nsys\"", "\"made_by\": null")),
            prefix + "'made_by' must be a string");
  EXPECT_EQ(Refusal(Changed("\"made_by\": \"nsys\"", "\"made_by\": \"someone\"")),
            prefix + "'made_by' must be \"nsys\" or \"rangewise\"");
  EXPECT_EQ(Refusal(Changed("123", "-1")),
            prefix + "'input.size_bytes' must be an integer of 64 bits, not negative");
  EXPECT_EQ(Refusal(Changed("123", "123.0")),
            prefix + "'input.size_bytes' must be an integer of 64 bits, not negative");
  EXPECT_EQ(Refusal(Changed("123", "99999999999999999999")),
            prefix + "'input.size_bytes' must be an integer of 64 bits, not negative");
  EXPECT_EQ(Refusal(Changed("aaaa", "AAAA")),
            prefix + "'input.xxh3_128' must be 32 lower-case hex digits");
  EXPECT_EQ(Refusal(Changed("\"sqlite_export\": null", "\"sqlite_export\": \"x\"")),
            prefix + "'sqlite_export' must be an object or null");
  EXPECT_EQ(
      Refusal(Changed("\"size_bytes\": 7", "\"size_bytes\": \"7\"")),
      prefix +
          "'tables.nvtx_pushpop_trace.size_bytes' must be an integer of 64 bits, not negative");
}

TEST(SourceRecord, SyntaxErrorsHaveAPosition) {
  const Result<SourceRecord> record = ParseSourceRecord("{\n  \"input\": oops\n}", "source.json");
  ASSERT_FALSE(record.ok());
  EXPECT_EQ(record.error().code, Code::kReadFailed);
  EXPECT_EQ(record.error().where.line, 2u);
}

TEST(SourceRecord, LoadsFromAFolderThatMayLackIt) {
  const TestFolder folder;
  const auto absent = LoadSourceRecord(folder.path());
  ASSERT_TRUE(absent.ok());
  EXPECT_FALSE(absent->has_value());
  EXPECT_FALSE(LoadSourceRecord(folder.path() / "no-such-folder")->has_value());

  std::ofstream(folder.path() / kSourceFileName) << kExampleText;
  const auto present = LoadSourceRecord(folder.path());
  ASSERT_TRUE(present.ok());
  EXPECT_EQ((*present)->tables, Example().tables);

  std::ofstream(folder.path() / kSourceFileName) << "{";
  EXPECT_FALSE(LoadSourceRecord(folder.path()).ok());

  std::filesystem::remove(folder.path() / kSourceFileName);
  std::filesystem::create_directory(folder.path() / kSourceFileName);
  EXPECT_FALSE(LoadSourceRecord(folder.path()).ok());
}

}  // namespace
}  // namespace rangewise::tables
