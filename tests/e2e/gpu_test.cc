// `rangewise gpu` as a user meets it: on a run, on its analysis.json, in all forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/run_program.h"

namespace rangewise::test_support {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Gpu : public testing::Test {
 protected:
  Outcome Run(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"gpu"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunRangewise(std::move(arguments), {.set = {{"PATH", "/nonexistent"}}});
  }
  Json AsJson(std::vector<std::string> more) {
    more.insert(more.end(), {"--format", "json"});
    const Outcome outcome = Run(more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return Json::parse(outcome.out);
  }
  // The sample power-iteration, writable.
  std::string PowerIteration() { return CopyPowerIteration(scratch_.path()).string(); }
  ScratchFolder scratch_;
};

std::vector<std::string> Names(const Json& view) {
  std::vector<std::string> names;
  for (const Json& row : view["rows"]) names.push_back(row["name"]);
  return names;
}

TEST_F(Gpu, ARunAndItsAnalysisShowTheSame) {
  const std::string run = PowerIteration();
  const Json of_run = AsJson({run, "--by", "path", "--top", "0"});
  const Json of_file = AsJson({run + "/analysis.json", "--by", "path", "--top", "0"});
  EXPECT_EQ(of_run["rows"], of_file["rows"]);
  EXPECT_EQ(of_run["gaps"], of_file["gaps"]);
  ASSERT_EQ(of_run["rows_total"], of_run["rows"].size());
  // Of all 3,778 operations 13 lie outside of the capture range, and 8 of these in no range.
  EXPECT_EQ(of_run["rows"][0]["name"], "Loop");
  EXPECT_EQ(of_run["rows"][0]["operation_count"], 3765);
  EXPECT_EQ(of_run["devices"][0]["operation_count"], 3778);
  EXPECT_EQ(of_run["unattributed"]["outside_ranges"]["instances"], 8);
  for (const Json& row : of_run["rows"]) {
    if (row["busy_share_ratio"].is_null()) continue;
    EXPECT_LE(row["busy_ns"], row["projection_union_ns"]) << row["name"];
  }
}

TEST_F(Gpu, AnAnalysisWithoutGpuWorkIsMadeAgainWithItsOptions) {
  const std::string run = PowerIteration();
  ASSERT_EQ(RunRangewise({"analyze", run, "--gpu-work", "off", "--group", "Copy=>Move"},
                         {.set = {{"PATH", "/nonexistent"}}})
                .exit_code,
            0);
  const Json view = AsJson({run, "--top", "0"});
  EXPECT_TRUE(view["range_gpu_work_reason"].is_null());
  const std::vector<std::string> names = Names(view);
  EXPECT_NE(std::find(names.begin(), names.end(), "Move"), names.end());
}

TEST_F(Gpu, FiltersAndRulesChooseThePaths) {
  const std::string run = PowerIteration();
  const Json all = AsJson({run, "--top", "0"});
  const std::string before = Slurp(run + "/analysis.json");
  const Json some = AsJson({run, "--top", "0", "--exclude", "Compute.*", "--group", "Copy=>Move"});
  EXPECT_EQ(Slurp(run + "/analysis.json"), before);
  EXPECT_LT(some["rows_total"], all["rows_total"]);
  for (const std::string& name : Names(some)) EXPECT_EQ(name.find("Copy"), std::string::npos);
  EXPECT_EQ(some["devices"], all["devices"]);
  EXPECT_EQ(some["filters"], (Json{"--exclude Compute.*"}));
  EXPECT_EQ(Run({run, "--filter-nvtx", "nothing of this name"}).exit_code, 3);
}

TEST_F(Gpu, WhatCannotBeIsSaid) {
  const std::string run = PowerIteration();
  ASSERT_EQ(Run({run}).exit_code, 0);
  EXPECT_EQ(Run({run + "/analysis.json", "--exclude", "x"}).exit_code, 2);
  EXPECT_EQ(Run({run, "--by", "kernel", "--sort", "waits"}).exit_code, 2);
  EXPECT_EQ(Run({run, "--by", "device", "--sort", "busy-share"}).exit_code, 2);
  EXPECT_EQ(Run({run, "--by", "thread"}).exit_code, 2);
  EXPECT_EQ(Run({run, "--format", "xml"}).exit_code, 2);
  EXPECT_EQ(Run({scratch_.path().string() + "/none"}).exit_code, 3);
  // Without an export nothing is known of ranges' GPU work, and nothing is shown as zero.
  const fs::path csv_only = scratch_.path() / "smoke-local";
  fs::copy(fs::path(RANGEWISE_SOURCE_DIR) / "samples" / "smoke-local", csv_only,
           fs::copy_options::recursive);
  const Json view = AsJson({csv_only.string()});
  EXPECT_TRUE(view["rows"].is_null());
  EXPECT_TRUE(view["gaps"].is_null());
  EXPECT_FALSE(view["range_gpu_work_reason"].is_null());
  EXPECT_EQ(Run({csv_only.string(), "--group-numbers"}).exit_code, 3);
}

TEST_F(Gpu, CsvHasARecordForEachRow) {
  const std::string run = PowerIteration();
  for (const char* by : {"path", "kernel", "iteration", "device", "stream"}) {
    const Outcome outcome = Run({run, "--by", by, "--top", "0", "--format", "csv"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto lines = std::count(outcome.out.begin(), outcome.out.end(), '\n');
    EXPECT_EQ(lines, AsJson({run, "--by", by})["rows_total"].get<long>() + 1) << by;
    EXPECT_TRUE(outcome.out.ends_with("\r\n")) << by;
  }
  const fs::path file = scratch_.path() / "out.csv";
  const Outcome outcome = Run({run, "--format", "csv", "-o", file.string()});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(Slurp(file).starts_with("path,domain,operations,"));
}

TEST_F(Gpu, CsvIsForProgramsAndHasAllRows) {
  const std::string run = PowerIteration();
  const auto records = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {run, "--by", "iteration", "--format", "csv"});
    const Outcome outcome = Run(more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return std::count(outcome.out.begin(), outcome.out.end(), '\n') - 1;
  };
  const Json view = AsJson({run, "--by", "iteration"});
  ASSERT_GT(view["rows_total"], 10);
  EXPECT_EQ(view["rows"].size(), 10u);
  EXPECT_EQ(records({}), view["rows_total"].get<long>());
  EXPECT_EQ(records({"--top", "3"}), 3);
}

TEST_F(Gpu, CsvWithoutGpuWorkSaysWhy) {
  const fs::path csv_only = scratch_.path() / "smoke-local";
  fs::copy(fs::path(RANGEWISE_SOURCE_DIR) / "samples" / "smoke-local", csv_only,
           fs::copy_options::recursive);
  const Outcome outcome = Run({csv_only.string(), "--format", "csv"});
  EXPECT_EQ(outcome.exit_code, Run({csv_only.string()}).exit_code);
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1);
  EXPECT_NE(outcome.err.find("GPU work per range is not known: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find(AsJson({csv_only.string()})["range_gpu_work_reason"].get<std::string>()),
            std::string::npos)
      << outcome.err;
}

// A gap of power-iteration begins in the copy of a result and lasts while the next file is read.
TEST_F(Gpu, GapsSayWhatFillsThem) {
  const Json view = AsJson({PowerIteration()});
  const Json& window = view["gaps"]["capture_range"];
  const Json& gaps = window["devices"][0]["largest"];
  ASSERT_EQ(gaps.size(), 10u);
  for (const Json& gap : gaps) {
    EXPECT_GT(gap["filled_by"]["share_ratio"], 0.0);
    EXPECT_LE(gap["filled_by"]["host_ns"], gap["length_ns"]);
  }
  EXPECT_TRUE(gaps[0]["host_range"].back().get<std::string>().starts_with("Copy ")) << gaps[0];
  EXPECT_TRUE(gaps[0]["filled_by"]["host_range"].back().get<std::string>().starts_with("IO ")) << gaps[0];
  EXPECT_GT(gaps[0]["filled_by"]["share_ratio"], 0.9);
}

// The time to filter by of a gap is where the window begins and the gap's distance from there.
TEST_F(Gpu, AGapIsFoundAgainByFilterTime) {
  const std::string run = PowerIteration();
  const Json window = AsJson({run})["gaps"]["capture_range"];
  const Json& gap = window["devices"][0]["largest"][0];
  const int64_t begin = window["window_start_ns"].get<int64_t>() + gap["start_offset_ns"].get<int64_t>();
  const int64_t end = begin + gap["length_ns"].get<int64_t>();
  const Outcome outcome =
      RunRangewise({"summary", run, "--format", "json", "--top", "0", "--filter-time",
                    std::to_string(begin + 1) + "/" + std::to_string(end - 1)},
                   {.set = {{"PATH", "/nonexistent"}}});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string filling = gap["filled_by"]["host_range"].back();
  EXPECT_NE(outcome.out.find("\"" + filling + "\""), std::string::npos);
}

TEST_F(Gpu, FilteredWorkHasTheClassesOfTheAnalysis) {
  const std::string run = PowerIteration();
  std::string manifest = Slurp(run + "/manifest.yaml");
  Spill(run + "/manifest.yaml", "gpu_classes:\n- pattern: '\\[CUDA memcpy Device-to-Host\\]'\n  class: loading\n" + manifest);
  const Json analysed = AsJson({run});
  const Json rules = Json{{{"class", "loading"}, {"pattern", "\\[CUDA memcpy Device-to-Host\\]"}}};
  EXPECT_EQ(analysed["run"]["gpu_classes"], rules);
  const Json filtered = AsJson({run, "--exclude", "nothing"});
  EXPECT_EQ(filtered["rows"], analysed["rows"]);
  EXPECT_NE(filtered["rows"].dump().find("loading"), std::string::npos);
}

}  // namespace
}  // namespace rangewise::test_support
