// `--redact` of summary, compare and report as a user meets it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/run_program.h"
#include "support/schema_check.h"

namespace rangewise::test_support {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

const char* const kBefore = RANGEWISE_SOURCE_DIR "/samples/cohorts/before";
const char* const kAfter = RANGEWISE_SOURCE_DIR "/samples/cohorts/after";

class RedactTest : public testing::Test {
 protected:
  // The sample with a manifest that tells more than others should know.
  void SetUp() override {
    run_ = scratch_.path() / "zeldas run";
    fs::copy(RANGEWISE_SOURCE_DIR "/samples/power-iteration", run_, fs::copy_options::recursive);
    std::ofstream manifest(run_ / "manifest.yaml");
    manifest
        << "run_id: nightly-4711\n"
           "command_line: /home/zelda/venv/bin/python train.py --on gpu17.corp.example\n"
           "capture_range: Loop\n"
           "iteration_pattern: 'Step (\\d+) to \\d+'\n"
           "name_rules: [{pattern: ' \\d+$', replace: ''}]\n"
           "record_ids: [patient-0815]\n"
           "expected_trace_path: acme-7.nsys-rep\n"
           "device: 'A100 (UUID: GPU-5a1f0b2c-1111-2222-3333-444455556666) at 0000:3b:00.0'\n"
           "workload: {user: zelda, hostname: gpu17, note: 'zelda, see /srv/secret/plan.txt',\n"
           "  later: plan.txt again, user.name: yolanda, hosts: {gpu18: {gpus: 8}},\n"
           "  node: node-0123456789ab, stage: before Loop}\n";
  }

  Outcome Run(Words words) {
    return RunRangewise(std::move(words),
                        {.set = {{"PATH", "/nonexistent"}}, .working_folder = scratch_.path()});
  }
  std::string Out(Words words) {
    const Outcome outcome = Run(std::move(words));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  }
  std::string Summary(Words more) {
    more.insert(more.begin(), {"summary", run_.string()});
    return Out(std::move(more));
  }
  std::string Page(const std::string& what, Words more) {
    more.insert(more.begin(), {"report", what, "-o", "-"});
    const Outcome outcome = Run(std::move(more));
    if (outcome.err.find("page-template-missing") != std::string::npos) return "";
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  }

  ScratchFolder scratch_;
  fs::path run_;
};

void ExpectNone(const std::string& text, const Words& secrets) {
  for (const std::string& secret : secrets) {
    const size_t at = text.find(secret);
    EXPECT_EQ(at, std::string::npos) << secret << " in " << text.substr(at > 80 ? at - 80 : 0, 200);
  }
}

const Words kPrivate = {"zelda",    "gpu17",   "corp.example", "secret",    "plan.txt", "venv",
                        "train.py", "patient", "nightly-4711", "acme-7",    "5a1f0b2c", "3b:00",
                        "yolanda",  "gpu18",   "0123456789ab", "zeldas run"};
const Words kNames = {"before Loop", "DeviceReduce", "CCCL", "Residual",
                      "gemv2T",      "splitKreduce", "Step "};

TEST_F(RedactTest, NoFormOfARunTellsWhatIsPrivate) {
  for (const char* format : {"text", "md", "json"}) {
    SCOPED_TRACE(format);
    const std::string plain = Summary({"--format", format, "--tree", "--top", "0"});
    EXPECT_NE(plain.find("gpu17"), std::string::npos);
    EXPECT_NE(plain.find("DeviceReduce"), std::string::npos);
    const std::string some = Summary({"--format", format, "--tree", "--top", "0", "--redact"});
    ExpectNone(some, kPrivate);
    EXPECT_NE(some.find("DeviceReduce"), std::string::npos);
    const std::string all =
        Summary({"--format", format, "--tree", "--top", "0", "--redact-names", "all"});
    ExpectNone(all, kPrivate);
    ExpectNone(all, kNames);
  }
}

TEST_F(RedactTest, NoPageTellsWhatIsPrivate) {
  const std::string page = Page(run_.string(), {"--redact-names", "all"});
  if (page.empty()) GTEST_SKIP() << "built without npm";
  ExpectNone(page, kPrivate);
  ExpectNone(page, kNames);
  EXPECT_NE(page.find("id=\"redaction\""), std::string::npos);
  EXPECT_NE(page.find("\"windows\""), std::string::npos);
}

TEST_F(RedactTest, ComparisonsAndTheirPagesTellNothing) {
  const Words secrets = {"cohorts", "synthetic-before", "synthetic-after",
                         scratch_.path().string()};
  for (const char* format : {"text", "md", "json"}) {
    SCOPED_TRACE(format);
    const Outcome plain =
        Run({"compare", "--baseline", kBefore, "--candidate", kAfter, "--format", format});
    const Outcome redacted = Run({"compare", "--baseline", kBefore, "--candidate", kAfter,
                                  "--format", format, "--redact-names", "all"});
    EXPECT_EQ(redacted.exit_code, plain.exit_code);
    // The text's labels are cut short.
    const bool has_labels = format != std::string_view("text");
    EXPECT_EQ(plain.out.find("before") != std::string::npos, has_labels);
    ExpectNone(redacted.out, secrets);
    ExpectNone(redacted.out, kNames);
    EXPECT_NE(redacted.out.find("edact"), std::string::npos);
  }
  Run({"compare", "--baseline", kBefore, "--candidate", kAfter, "--format", "json", "-o",
       "c.json"});
  ExpectNone(Out({"summary", "c.json", "--redact"}), secrets);
  const std::string page = Page("c.json", {"--redact"});
  ExpectNone(page, secrets);
}

TEST_F(RedactTest, WhatTheContractTellsGoesToo) {
  const fs::path other = scratch_.path() / "other-run";
  fs::copy(run_, other, fs::copy_options::recursive);
  for (const char* format : {"text", "md", "json"}) {
    SCOPED_TRACE(format);
    const Outcome compared = Run({"compare", "--baseline", run_.string(), "--candidate",
                                  "other-run", "--format", format, "--redact-names", "all"});
    EXPECT_NE(compared.out, "") << compared.err;
    ExpectNone(compared.out, kPrivate);
    ExpectNone(compared.out, {"other-run", "before Loop"});
  }
}

TEST_F(RedactTest, RedactedComparisonsAreRedactedOnceMore) {
  Run({"compare", "--baseline", kBefore, "--candidate", kAfter, "--format", "json", "-o", "c.json",
       "--redact"});
  Run({"summary", "c.json", "--format", "json", "-o", "d.json", "--redact-names", "all"});
  const std::string again = Out({"summary", "c.json", "--format", "json", "--redact"});
  const Json once = Json::parse(Out({"summary", "c.json", "--format", "json"}));
  EXPECT_EQ(Json::parse(again)["baseline"], once["baseline"]);
  ExpectNone(Out({"summary", "d.json"}), kNames);
}

TEST_F(RedactTest, OneTextHasOnePseudonymEverywhere) {
  const auto id_of = [](const std::string& text) {
    EXPECT_EQ(SchemaProblems(text, "summary-1.schema.json"), Words());
    const Json summary = Json::parse(text);
    return summary["run"]["run_id"].get<std::string>();
  };
  const std::string once = Summary({"--format", "json", "--redact"});
  EXPECT_EQ(once, Summary({"--format", "json", "--redact", "--threads", "1"}));
  const std::string id = id_of(once);
  EXPECT_TRUE(id.starts_with("id-")) << id;
  const std::string page = Page(run_.string(), {"--redact"});
  EXPECT_TRUE(page.empty() || page.find(id) != std::string::npos);

  std::ofstream(scratch_.path() / "key") << "correct horse";
  const std::string keyed = Summary({"--format", "json", "--redact", "--redact-key", "key"});
  EXPECT_NE(id_of(keyed), id);
  EXPECT_TRUE(Json::parse(keyed)["redaction"]["keyed"].get<bool>());
  const Json redaction = Json::parse(once)["redaction"];
  EXPECT_FALSE(redaction["keyed"].get<bool>());
  EXPECT_FALSE(redaction["range_names"].get<bool>());
  bool is_listed = false;
  for (const Json& one : redaction["replaced"]) {
    is_listed |= one["kind"] == "id" && one["pseudonym"] == id && one["places"] >= 1;
  }
  EXPECT_TRUE(is_listed) << redaction;
  EXPECT_FALSE(Json::parse(Summary({"--format", "json"})).contains("redaction"));
}

TEST_F(RedactTest, OptionsThatMakeNoSenseAreRefused) {
  std::ofstream(scratch_.path() / "empty").flush();
  std::ofstream(scratch_.path() / "key") << "k";
  EXPECT_EQ(Run({"summary", run_.string(), "--redact-key", "key"}).exit_code, 2);
  EXPECT_EQ(Run({"summary", run_.string(), "--redact", "--redact-key", "empty"}).exit_code, 2);
  EXPECT_EQ(Run({"summary", run_.string(), "--redact", "--redact-key", "none"}).exit_code, 3);
  EXPECT_EQ(Run({"summary", run_.string(), "--redact-names", "some"}).exit_code, 2);
}

}  // namespace
}  // namespace rangewise::test_support
