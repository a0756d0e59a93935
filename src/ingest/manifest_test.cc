#include "ingest/manifest.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <string>

#include "base/files.h"
#include "base/text.h"

namespace rangewise::ingest {
namespace {

model::Manifest Parsed(std::string_view text) {
  Result<model::Manifest> manifest = ParseManifest(text, "m.yaml");
  EXPECT_TRUE(manifest.ok()) << Render(manifest.error());
  return manifest.ok() ? *manifest : model::Manifest{};
}

// The error as "code line:column message".
std::string Failure(std::string_view text) {
  Result<model::Manifest> manifest = ParseManifest(text, "m.yaml");
  if (manifest.ok()) return "no failure";
  const Error& error = manifest.error();
  return Format("{} {}:{} {}", Describe(error.code).word, error.where.line, error.where.column,
                error.message);
}

std::optional<std::string> DigestOf(std::string_view ids) {
  return Parsed(Format("record_ids: {}", ids)).record_ids_digest;
}

TEST(Manifest, AHarnessRunIsRead) {
  const model::Manifest manifest = Parsed(R"(
capture_range: profile-target
command_line: main.py --config smoke_config.yaml
cuda:
  synchronize_after_capture: true
  synchronize_each_iteration: false
data_source:
  description:
    tensor_shape: [4, 4]
  name: dummy
device: cuda:0
expected_trace_path: runs/smoke-local/trace.nsys-rep
git_commit: abc123
output_summaries:
- mean: .nan
profile_name: smoke-tensor
record_ids:
- dummy-0
- dummy-1
run_id: smoke-local
started_at: 2026-01-31 09:30:00.25+01:00
target:
  import_path: null
  name: smoke-tensor
workload:
  iterations: 2
  seed: 123456789012345678901234567890
  warmup: 1
)");
  EXPECT_EQ(manifest.profile_name, "smoke-tensor");
  EXPECT_EQ(manifest.run_id, "smoke-local");
  EXPECT_EQ(manifest.device, "cuda:0");
  EXPECT_EQ(manifest.git_commit, "abc123");
  EXPECT_EQ(manifest.command_line, "main.py --config smoke_config.yaml");
  EXPECT_EQ(manifest.capture_range, "profile-target");
  EXPECT_TRUE(manifest.capture_range_given);
  EXPECT_EQ(manifest.record_count, 2);
  EXPECT_EQ(manifest.expected_iterations, 2);
  EXPECT_EQ(manifest.expected_trace_path, "runs/smoke-local/trace.nsys-rep");
  EXPECT_EQ(manifest.started_at, "2026-01-31 09:30:00.25+01:00");
  EXPECT_EQ(manifest.iteration_pattern, std::nullopt);
  EXPECT_TRUE(manifest.name_rules.empty());
  EXPECT_EQ(manifest.workload, (ValueMap{{"iterations", Value{Integer{"2"}}},
                                         {"seed", Value{Integer{"123456789012345678901234567890"}}},
                                         {"warmup", Value{Integer{"1"}}}}));
  EXPECT_EQ(manifest.cuda, (ValueMap{{"synchronize_after_capture", Value{true}},
                                     {"synchronize_each_iteration", Value{false}}}));
  EXPECT_EQ(manifest.target,
            (ValueMap{{"import_path", Value{}}, {"name", Value{std::string("smoke-tensor")}}}));
  ASSERT_TRUE(manifest.data_source.has_value());
  EXPECT_EQ(manifest.data_source->at("description"),
            (Value{ValueMap{
                {"tensor_shape", Value{ValueList{Value{Integer{"4"}}, Value{Integer{"4"}}}}}}}));
}

TEST(Manifest, AnEmptyMappingLeavesAllAbsent) {
  const model::Manifest manifest = Parsed("{}");
  EXPECT_EQ(manifest.profile_name, std::nullopt);
  EXPECT_EQ(manifest.capture_range, std::nullopt);
  EXPECT_FALSE(manifest.capture_range_given);
  EXPECT_EQ(manifest.record_count, 0);
  EXPECT_EQ(manifest.record_ids_digest, std::nullopt);
  EXPECT_TRUE(manifest.workload.empty());
  EXPECT_TRUE(manifest.cuda.empty());
  EXPECT_EQ(manifest.target, std::nullopt);
  EXPECT_EQ(manifest.data_source, std::nullopt);
  EXPECT_EQ(manifest.expected_iterations, std::nullopt);
  EXPECT_EQ(manifest.started_at, std::nullopt);
}

TEST(Manifest, NullIsTheSameAsAbsentButForTheCaptureRange) {
  const model::Manifest manifest = Parsed(
      "{profile_name: null, run_id: ~, device: , git_commit: Null, command_line: NULL, "
      "capture_range: null, "
      "record_ids: null, workload: null, cuda: ~, target: null, data_source: null, "
      "expected_trace_path: null, "
      "started_at: null, iteration_pattern: null, name_rules: null}");
  EXPECT_EQ(manifest.profile_name, std::nullopt);
  EXPECT_EQ(manifest.device, std::nullopt);
  EXPECT_EQ(manifest.capture_range, std::nullopt);
  EXPECT_TRUE(manifest.capture_range_given);
  EXPECT_EQ(manifest.record_count, 0);
  EXPECT_EQ(manifest.record_ids_digest, std::nullopt);
  EXPECT_EQ(manifest.target, std::nullopt);
}

TEST(Manifest, IdentityScalarsKeepTheirText) {
  const char* texts[] = {"0123456", "1e5",       "12345678901234567890123",
                         "yes",     "1.50",      "2001-12-14",
                         "0x1F",    "1:30",      ".nan",
                         "0x_",     "2001-99-99"};
  for (const char* text : texts) {
    const model::Manifest manifest = Parsed(Format(
        "profile_name: {0}\nrun_id: {0}\ndevice: {0}\ngit_commit: {0}\ncommand_line: {0}\n", text));
    EXPECT_EQ(manifest.profile_name, text);
    EXPECT_EQ(manifest.run_id, text);
    EXPECT_EQ(manifest.device, text);
    EXPECT_EQ(manifest.git_commit, text);
    EXPECT_EQ(manifest.command_line, text);
  }
  EXPECT_EQ(Parsed("git_commit: 'null'").git_commit, "null");
  EXPECT_EQ(Parsed("git_commit: ''").git_commit, "");
  EXPECT_EQ(Parsed("command_line: >-\n  a\n  b").command_line, "a b");
}

TEST(Manifest, WrongTypesNameKeyTypesAndPosition) {
  EXPECT_EQ(Failure("a: 1\nprofile_name: [x]"),
            "manifest-wrong-type 2:15 'profile_name' is a list, expected a scalar or null");
  EXPECT_EQ(Failure("run_id: {x: 1}"),
            "manifest-wrong-type 1:9 'run_id' is a mapping, expected a scalar or null");
  EXPECT_EQ(Failure("device:\n- x"),
            "manifest-wrong-type 2:1 'device' is a list, expected a scalar or null");
  EXPECT_EQ(Failure("git_commit: []"),
            "manifest-wrong-type 1:13 'git_commit' is a list, expected a scalar or null");
  EXPECT_EQ(Failure("command_line: [python, main.py]"),
            "manifest-wrong-type 1:15 'command_line' is a list, expected a scalar or null");
  EXPECT_EQ(
      Failure("capture_range: 12"),
      "manifest-wrong-type 1:16 'capture_range' is an integer ('12'), expected a string or null");
  EXPECT_EQ(
      Failure("capture_range: on"),
      "manifest-wrong-type 1:16 'capture_range' is a boolean ('on'), expected a string or null");
  EXPECT_EQ(Failure("capture_range: 2001-01-01"),
            "manifest-wrong-type 1:16 'capture_range' is a time ('2001-01-01'), expected a string "
            "or null");
  EXPECT_EQ(Failure("expected_trace_path: 1.5"),
            "manifest-wrong-type 1:22 'expected_trace_path' is a float ('1.5'), expected a string "
            "or null");
  EXPECT_EQ(Failure("iteration_pattern: [a]"),
            "manifest-wrong-type 1:20 'iteration_pattern' is a list, expected a string or null");
  EXPECT_EQ(Failure("record_ids: 3"),
            "manifest-wrong-type 1:13 'record_ids' is an integer ('3'), expected a list or null");
  EXPECT_EQ(Failure("record_ids: {a: 1}"),
            "manifest-wrong-type 1:13 'record_ids' is a mapping, expected a list or null");
  EXPECT_EQ(Failure("workload: fast"),
            "manifest-wrong-type 1:11 'workload' is a string ('fast'), expected a mapping or null");
  EXPECT_EQ(Failure("cuda: [1]"),
            "manifest-wrong-type 1:7 'cuda' is a list, expected a mapping or null");
  EXPECT_EQ(Failure("target: true"),
            "manifest-wrong-type 1:9 'target' is a boolean ('true'), expected a mapping or null");
  EXPECT_EQ(
      Failure("data_source: 0"),
      "manifest-wrong-type 1:14 'data_source' is an integer ('0'), expected a mapping or null");
  EXPECT_EQ(Failure("name_rules: {}"),
            "manifest-wrong-type 1:13 'name_rules' is a mapping, expected a list of {pattern, "
            "replace}, or null");
}

TEST(Manifest, WrongTypesShowLineAndCaret) {
  EXPECT_EQ(
      Render(ParseManifest("run_id: x\r\ncapture_range: 12\r\n", "runs/a/manifest.yaml").error()),
      "error[manifest-wrong-type]: 'capture_range' is an integer ('12'), expected a string or "
      "null\n"
      "  at runs/a/manifest.yaml:2:16\n"
      "  | capture_range: 12\n"
      "  |                ^\n"
      "  next: Quote the value to make it a string.\n");
}

TEST(Manifest, OnlyMappingsAreManifests) {
  EXPECT_EQ(Failure(""),
            "manifest-not-a-mapping 1:1 expected a mapping of keys to values, found nothing");
  EXPECT_EQ(Failure("# nothing yet\n"),
            "manifest-not-a-mapping 1:1 expected a mapping of keys to values, found nothing");
  EXPECT_EQ(Failure("\n- a\n"),
            "manifest-not-a-mapping 2:1 expected a mapping of keys to values, found a list");
  EXPECT_EQ(Failure("some words"),
            "manifest-not-a-mapping 1:1 expected a mapping of keys to values, found a string");
  EXPECT_EQ(Failure("null"),
            "manifest-not-a-mapping 1:1 expected a mapping of keys to values, found null");
}

TEST(Manifest, YamlErrorsComeThrough) {
  EXPECT_EQ(Failure("run_id: a\nrun_id: b\n"),
            "manifest-duplicate-key 2:1 the key 'run_id' stands twice in one mapping, at line 1 "
            "and at line 2");
  EXPECT_EQ(Failure("run_id: a\n---\nrun_id: b\n"),
            "manifest-not-yaml 2:1 a second document begins here; one is expected");
  EXPECT_EQ(Failure("workload:\n  seed: .nan\n"),
            "manifest-value 2:9 '.nan' is no number that JSON can hold");
  EXPECT_EQ(Failure("cuda: {x: [-.inf]}"),
            "manifest-value 1:12 '-.inf' is no number that JSON can hold");
}

TEST(Manifest, OtherKeysMayHoldAnything) {
  EXPECT_EQ(
      Parsed("output_summaries: [.nan, .inf, 0x_]\nfuture: {a: [1]}\n1: 2\nrun_id: x\n").run_id,
      "x");
}

TEST(Manifest, MergedKeysCount) {
  EXPECT_EQ(Parsed("defaults: &d {device: cpu, run_id: a}\n<<: *d\nrun_id: b\n").device, "cpu");
  EXPECT_EQ(Parsed("defaults: &d {device: cpu, run_id: a}\n<<: *d\nrun_id: b\n").run_id, "b");
  EXPECT_EQ(Parsed("base: &b {iterations: 3, seed: 1}\nworkload: {<<: *b, seed: 2}\n").workload,
            (ValueMap{{"iterations", Value{Integer{"3"}}}, {"seed", Value{Integer{"2"}}}}));
}

TEST(Manifest, OnlyIntegersAnnounceIterations) {
  const auto expected = [](std::string_view value) {
    return Parsed(Format("workload: {{iterations: {}}}", value)).expected_iterations;
  };
  EXPECT_EQ(expected("0"), 0);
  EXPECT_EQ(expected("20"), 20);
  EXPECT_EQ(expected("0x10"), 16);
  EXPECT_EQ(expected("1:30"), 90);
  EXPECT_EQ(expected("1_000_000_000_000"), 1'000'000'000'000);
  EXPECT_EQ(expected("9223372036854775807"), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(expected("!!int \"7\""), 7);
  for (const char* other :
       {"null", "true", "2.0", "'2'", "2e0", "[2]", "{n: 2}", "2001-01-01", ""}) {
    EXPECT_EQ(expected(other), std::nullopt) << other;
  }
  EXPECT_EQ(Parsed("workload: {warmup: 1}").expected_iterations, std::nullopt);
}

TEST(Manifest, IterationsBeyondSixtyFourBitsSaturateAndKeepTheirDigits) {
  const model::Manifest manifest = Parsed("workload: {iterations: 9223372036854775808}");
  EXPECT_EQ(manifest.expected_iterations, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(manifest.workload.at("iterations"), Value{Integer{"9223372036854775808"}});
  EXPECT_EQ(Parsed("workload: {iterations: 123456789012345678901234567890}").expected_iterations,
            std::numeric_limits<int64_t>::max());
}

TEST(Manifest, IterationsBelowZeroExpectNone) {
  const model::Manifest manifest = Parsed("workload: {iterations: -3}");
  EXPECT_EQ(manifest.expected_iterations, 0);
  EXPECT_EQ(manifest.workload.at("iterations"), Value{Integer{"-3"}});
}

TEST(Manifest, RecordIdsAreCountedAndDigested) {
  const model::Manifest manifest = Parsed("record_ids: [dummy-0, \"dummy-1\"]");
  EXPECT_EQ(manifest.record_count, 2);
  EXPECT_EQ(manifest.record_ids_digest, Hash128Hex("7:dummy-0,7:dummy-1,"));
  EXPECT_EQ(DigestOf("[]"), Hash128Hex(""));
  EXPECT_EQ(Parsed("record_ids: []").record_count, 0);
}

TEST(Manifest, RecordIdsAreDigestedAsTheyStand) {
  EXPECT_EQ(DigestOf("[1, 01, 1.0, yes, ~, '', 2001-01-01, .nan]"),
            Hash128Hex("1:1,2:01,3:1.0,3:yes,1:~,0:,10:2001-01-01,4:.nan,"));
  EXPECT_EQ(DigestOf("[\xC3\xA9]"), Hash128Hex("2:\xC3\xA9,"));
  EXPECT_NE(DigestOf("[ab, c]"), DigestOf("[a, bc]"));
  EXPECT_NE(DigestOf("[a, b]"), DigestOf("[b, a]"));
  EXPECT_EQ(DigestOf("[&a x, *a]"), Hash128Hex("1:x,1:x,"));
}

TEST(Manifest, CompositeRecordIdsAreDigestedByValue) {
  const std::string canonical = R"({"a":[1,1.5,true,null,"x\"\\\u0001"],"b":{}})";
  EXPECT_EQ(DigestOf(R"([{b: {}, a: [0x1, 1.50, yes, ~, "x\"\\\x01"]}])"),
            Hash128Hex(Format("{}:{},", canonical.size(), canonical)));
  EXPECT_EQ(Failure("record_ids: [[.nan]]"),
            "manifest-value 1:15 '.nan' is no number that JSON can hold");
}

TEST(Manifest, LongIdsBehindAliasesAreBounded) {
  std::string text = "record_ids:\n- &a " + std::string(1 << 20, 'x') + "\n";
  for (int i = 0; i < 64; ++i) text += "- *a\n";
  EXPECT_EQ(
      Failure(text),
      "manifest-value 2:3 the ids of 'record_ids' have more than 64 MiB of text, aliases followed");
}

TEST(Manifest, OneBudgetServesTheWholeManifest) {
  std::string text = "x: &x " + std::string(1 << 20, 'x') + "\nworkload:\n  y: &y [";
  for (int i = 0; i < 40; ++i) text += "*x, ";
  text += "]\n";
  EXPECT_TRUE(ParseManifest(text, "m.yaml").ok());
  EXPECT_EQ(Failure(text + "cuda: {z: *y}\n").substr(0, 38),
            "manifest-value 1:4 too much is copied ");
}

TEST(Manifest, StartedAtIsAnIsoTime) {
  const char* good[] = {"2026-01-31T09:30:00Z",
                        "2026-01-31",
                        "2026-01-31 09:30:00",
                        "2026-01-31t09:30:00.123456789+01:00",
                        "'2026-01-31T09:30:00Z'",
                        "2024-02-29",
                        "2000-02-29",
                        "2026-12-31T23:59:60Z",
                        "2026-01-31T09:30",
                        "2026-01-31T09:30+0100",
                        "2026-01-31 09:30:00 +01",
                        "2026-01-31T09:30:00,5Z"};
  for (const char* text : good) {
    std::string bare = text;
    std::erase(bare, '\'');
    EXPECT_EQ(Parsed(Format("started_at: {}", text)).started_at, bare);
  }
  const char* bad[] = {"2026-02-29",
                       "1900-02-29",
                       "2026-13-01",
                       "2026-00-01",
                       "2026-01-32",
                       "0000-01-01",
                       "2026-1-1 1:00:00",
                       "2026-01-31T24:00:00Z",
                       "2026-01-31T09:60:00Z",
                       "2026-01-31T09:30:61Z",
                       "2026-01-31T09:30:00.",
                       "2026-01-31T09:30:00+24:00",
                       "2026-01-31T09:30:00+01:60",
                       "2026-01-31T09",
                       "2026-01-31X09:30:00",
                       "2026-01-31T09:30:00 CET",
                       "yesterday",
                       "''",
                       "2026-01-31T09:30:00+1",
                       "'2026-01-31T09:30:00+01:'"};
  for (const char* text : bad) {
    EXPECT_EQ(Failure(Format("started_at: {}", text)).substr(0, 40),
              "manifest-wrong-type 1:13 'started_at' is")
        << text;
  }
  EXPECT_EQ(Failure("started_at: 1769851800"),
            "manifest-wrong-type 1:13 'started_at' is an integer ('1769851800'), expected an ISO "
            "8601 time such as "
            "2026-01-31T09:30:00Z, or null");
  EXPECT_EQ(Failure("started_at: 2026-02-30"),
            "manifest-wrong-type 1:13 'started_at' is a time ('2026-02-30'), expected an ISO 8601 "
            "time such as "
            "2026-01-31T09:30:00Z, or null");
}

TEST(Manifest, PatternsAreCompiled) {
  EXPECT_EQ(Parsed(R"(iteration_pattern: Step (\d+) to \d+)").iteration_pattern,
            R"(Step (\d+) to \d+)");
  EXPECT_EQ(Failure("a: 1\niteration_pattern: 'Step ('"),
            "bad-pattern 2:20 'iteration_pattern': the pattern 'Step (' is not RE2 syntax: missing "
            "): Step (");
  EXPECT_EQ(Failure("iteration_pattern: " + std::string(2'001, 'a')),
            "bad-pattern 1:20 'iteration_pattern' has 2001 bytes, at most 2000 are compiled");
}

TEST(Manifest, NameRulesAreRead) {
  const model::Manifest manifest = Parsed(R"(
name_rules:
- pattern: ' \d+$'
  replace: ''
- {pattern: '(a)(b)', replace: '\2\1\0'}
)");
  EXPECT_EQ(manifest.name_rules,
            (std::vector<model::NameRule>{{" \\d+$", ""}, {"(a)(b)", "\\2\\1\\0"}}));
  EXPECT_TRUE(Parsed("name_rules: []").name_rules.empty());
}

TEST(Manifest, GpuClassesAreRead) {
  const model::Manifest manifest = Parsed(R"(
gpu_classes:
- pattern: 'flash_.*'
  class: attention
- {pattern: '\[CUDA memcpy Peer-to-Peer\]', class: communication}
)");
  EXPECT_EQ(manifest.gpu_classes,
            (std::vector<model::GpuClassRule>{
                {"flash_.*", "attention"}, {"\\[CUDA memcpy Peer-to-Peer\\]", "communication"}}));
  EXPECT_TRUE(Parsed("gpu_classes: null").gpu_classes.empty());
  EXPECT_EQ(Parsed("gpu_classes: [{pattern: a, class: " + std::string(64, 'c') + "}]")
                .gpu_classes[0]
                .gpu_class,
            std::string(64, 'c'));
}

TEST(Manifest, GpuClassesAreValidated) {
  EXPECT_EQ(Failure("gpu_classes: {}"),
            "manifest-wrong-type 1:14 'gpu_classes' is a mapping, expected a list of {pattern, "
            "class}, or null");
  EXPECT_EQ(Failure("gpu_classes: [x]"),
            "manifest-wrong-type 1:15 'gpu_classes[0]' is a string ('x'), expected a mapping of "
            "'pattern' and 'class'");
  EXPECT_EQ(Failure("gpu_classes: [{pattern: a}]"),
            "manifest-value 1:15 'gpu_classes[0]' lacks 'class'");
  EXPECT_EQ(Failure("gpu_classes: [{pattern: a, class: b, replace: c}]"),
            "manifest-value 1:38 'gpu_classes[0]' has the key 'replace'; it takes 'pattern' and "
            "'class'");
  EXPECT_EQ(Failure("gpu_classes: [{pattern: a, class: 1}]"),
            "manifest-wrong-type 1:35 'gpu_classes[0].class' is an integer ('1'), expected a string");
  EXPECT_EQ(Failure("gpu_classes: [{pattern: a, class: ''}]"),
            "manifest-value 1:35 'gpu_classes[0].class' has 0 bytes; a class has a name of 1 to 64");
  EXPECT_EQ(Failure("gpu_classes: [{pattern: a, class: " + std::string(65, 'c') + "}]"),
            "manifest-value 1:35 'gpu_classes[0].class' has 65 bytes; a class has a name of 1 to 64");
  EXPECT_EQ(Failure("gpu_classes: [{pattern: '[', class: b}]"),
            "bad-pattern 1:25 'gpu_classes[0].pattern': the pattern '[' is not RE2 syntax: missing "
            "]: [");
}

TEST(Manifest, NameRulesAreValidated) {
  EXPECT_EQ(Failure("name_rules: [x]"),
            "manifest-wrong-type 1:14 'name_rules[0]' is a string ('x'), expected a mapping of "
            "'pattern' and 'replace'");
  EXPECT_EQ(Failure("name_rules:\n- {pattern: a, replace: b}\n- {pattern: a}\n"),
            "manifest-value 3:3 'name_rules[1]' lacks 'replace'");
  EXPECT_EQ(Failure("name_rules: [{replace: a}]"),
            "manifest-value 1:14 'name_rules[0]' lacks 'pattern'");
  EXPECT_EQ(
      Failure("name_rules: [{pattern: 1, replace: a}]"),
      "manifest-wrong-type 1:24 'name_rules[0].pattern' is an integer ('1'), expected a string");
  EXPECT_EQ(Failure("name_rules: [{pattern: a, replace: }]"),
            "manifest-wrong-type 1:36 'name_rules[0].replace' is null, expected a string");
  EXPECT_EQ(
      Failure("name_rules: [{pattern: a, replace: b, flags: i}]"),
      "manifest-value 1:39 'name_rules[0]' has the key 'flags'; it takes 'pattern' and 'replace'");
  EXPECT_EQ(
      Failure("name_rules: [{pattern: '[', replace: b}]"),
      "bad-pattern 1:24 'name_rules[0].pattern': the pattern '[' is not RE2 syntax: missing ]: [");
  EXPECT_EQ(Failure("name_rules: [{pattern: '(a)', replace: '\\2'}]").substr(0, 67),
            "bad-pattern 1:40 'name_rules[0].replace' does not fit its pattern: ");
}

TEST(Manifest, NameRulesAreBounded) {
  std::string text = "name_rules:\n- &r {pattern: a, replace: b}\n";
  for (int i = 0; i < 1'000; ++i) text += "- *r\n";
  EXPECT_EQ(Failure(text),
            "manifest-value 2:1 'name_rules' has 1001 rules, at most 1000 are applied");
  EXPECT_EQ(Failure("name_rules: [{pattern: a, replace: " + std::string(2'001, 'b') + "}]"),
            "manifest-value 1:36 'name_rules[0].replace' has 2001 bytes, at most 2000 are used");
}

class ManifestFile : public ::testing::Test {
 protected:
  TemporaryFolder folder_ = TemporaryFolder::Create(std::filesystem::temp_directory_path()).value();
  std::filesystem::path path_ = folder_.path() / "manifest.yaml";
};

TEST_F(ManifestFile, IsLoadedWithItsFingerprint) {
  const std::string text = "run_id: x\n";
  std::ofstream(path_, std::ios::binary) << text;
  const Result<LoadedManifest> loaded = LoadManifest(path_);
  ASSERT_TRUE(loaded.ok()) << Render(loaded.error());
  EXPECT_EQ(loaded->manifest.run_id, "x");
  EXPECT_EQ(loaded->fingerprint, FingerprintFile(path_).value());
  EXPECT_EQ(loaded->fingerprint.size_bytes, text.size());
}

TEST_F(ManifestFile, MissingIsAnErrorOfItsOwn) {
  const Result<LoadedManifest> loaded = LoadManifest(path_);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code, Code::kManifestMissing);
  EXPECT_EQ(loaded.error().where.file, path_.string());
}

TEST_F(ManifestFile, AFolderOrAGiantIsNotRead) {
  const Result<LoadedManifest> folder = LoadManifest(folder_.path());
  ASSERT_FALSE(folder.ok());
  EXPECT_EQ(folder.error().code, Code::kReadFailed);
  std::ofstream(path_).close();
  std::filesystem::resize_file(path_, (uint64_t{16} << 20) + 1);
  const Result<LoadedManifest> giant = LoadManifest(path_);
  ASSERT_FALSE(giant.ok());
  EXPECT_EQ(giant.error().code, Code::kReadFailed);
}

TEST_F(ManifestFile, ErrorsNameThePath) {
  std::ofstream(path_) << "run_id: [\n";
  const Result<LoadedManifest> loaded = LoadManifest(path_);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code, Code::kManifestNotYaml);
  EXPECT_EQ(loaded.error().where.file, path_.string());
}

}  // namespace
}  // namespace rangewise::ingest
