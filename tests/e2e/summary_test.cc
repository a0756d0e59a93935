// `rangewise summary` as a user meets it: on runs, on an analysis.json, from standard input.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/export_files.h"
#include "support/run_program.h"

namespace rangewise::test_support {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Summary : public testing::Test {
 protected:
  Outcome Run(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"summary"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunRangewise(std::move(arguments), {.set = {{"PATH", "/nonexistent"}}});
  }
  std::string Text(const std::vector<std::string>& more) {
    const Outcome outcome = Run(more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  }
  Json AsJson(std::vector<std::string> more) {
    more.insert(more.end(), {"--format", "json"});
    return Json::parse(Text(more));
  }
  // The sample power-iteration, writable.
  std::string PowerIteration() { return CopyPowerIteration(scratch_.path()).string(); }
  ScratchFolder scratch_;
};

size_t LongestLine(const std::string& text) {
  std::istringstream lines(text);
  size_t longest = 0;
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  return longest;
}

std::vector<std::string> Paths(const Json& rows) {
  std::vector<std::string> names;
  for (const Json& row : rows["rows"]) names.push_back(row["name"]);
  return names;
}

TEST_F(Summary, AnalysesFirstAndThenReadsWhatIsThere) {
  const std::string run = PowerIteration();
  const std::string first = Text({run});
  const fs::path json = fs::path(run) / "analysis.json";
  ASSERT_TRUE(fs::exists(json));
  const auto written = fs::last_write_time(json);
  EXPECT_EQ(Text({run}), first);
  EXPECT_EQ(fs::last_write_time(json), written);
  // Of another input the analysis does not speak any more.
  const fs::path manifest = fs::path(run) / "manifest.yaml";
  Spill(manifest, Slurp(manifest) + "# changed\n");
  Text({run});
  EXPECT_NE(fs::last_write_time(json), written);
}

TEST_F(Summary, PowerIterationAsAnEngineerWouldSayIt) {
  const std::string text = Text({PowerIteration()});
  EXPECT_LE(LongestLine(text), 100U);
  const auto at = [&](const char* piece) {
    const size_t place = text.find(piece);
    EXPECT_NE(place, std::string::npos) << piece << "\n" << text;
    return place;
  };
  const std::vector<size_t> places = {
      at("Summary of run power-iteration"), at("\nRun\n"), at("\nWorkload\n"), at("\nWarnings"),
      at("\nIterations: 44"), at("\nFirst iteration, spread"), at("\nHost ranges"),
      at("\nGPU projection of ranges"), at("\nKernels and copies of the whole capture"),
      at("\nCoverage"), at("\nAnalysis\n")};
  EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
  // The first step and the one that wrote its result are far from the median on the host.
  at("19.72 ms");
  at("54.45 ms");
  at("incomplete-last-iteration");
  for (const char* once : {" Compute\n", " Copy\n", " IO\n"}) at(once);
}

TEST_F(Summary, FindingsOfPowerIterationNameItsSteps) {
  const Json summary = AsJson({PowerIteration()});
  const auto finding = [&](const char* code, const Json& clock) {
    for (const Json& entry : summary["findings"]) {
      if (entry["code"] == code && entry["clock"] == clock) return entry;
    }
    return Json();
  };
  const auto iterations = [](const Json& entry) {
    std::vector<int64_t> indexes;
    for (const Json& row : entry["rows"]) {
      if (row.contains("iteration")) indexes.push_back(row["iteration"]);
    }
    return indexes;
  };
  const std::vector<int64_t> host = iterations(finding("outlier-iterations", "host"));
  EXPECT_NE(std::find(host.begin(), host.end(), 0), host.end());
  EXPECT_NE(std::find(host.begin(), host.end(), 190), host.end());
  const std::vector<int64_t> projected =
      iterations(finding("outlier-iterations", "gpu_projected"));
  EXPECT_EQ(std::find(projected.begin(), projected.end(), 0), projected.end());
  EXPECT_FALSE(finding("incomplete-last-iteration", "host").is_null());
  EXPECT_TRUE(summary["grouped"]);
  std::vector<std::string> names = Paths(summary["host_ranges"]);
  for (const char* name : {"Compute", "Copy", "IO"}) {
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
  }
}

TEST_F(Summary, ALoneAnalysisAndStandardInputSayTheSame) {
  const std::string run = PowerIteration();
  const std::string of_run = Text({run});
  const std::string json = run + "/analysis.json";
  EXPECT_EQ(Text({json}), of_run);
  const std::string command =
      std::string(RANGEWISE_BINARY) + " summary - < '" + json + "'";
  RunningProgram program({"/bin/sh", "-c", command});
  const Outcome piped = program.Finish();
  EXPECT_EQ(piped.exit_code, 0) << piped.err;
  const std::string end = "\nAnalysis\n";
  EXPECT_EQ(piped.out.substr(0, piped.out.find(end)), of_run.substr(0, of_run.find(end)));
}

TEST_F(Summary, RulesAndFiltersNeedTheTables) {
  const std::string run = PowerIteration();
  Text({run});
  const std::string json = run + "/analysis.json";
  for (const std::vector<std::string>& option :
       {std::vector<std::string>{"--group-numbers"}, {"--group", "a=>b"}, {"--thread", "1"},
        {"--filter-time", "0/1s"}, {"--filter-nvtx", "Loop"}, {"--domain", ""}, {"--process", "1"},
        {"--exclude", "x"}}) {
    std::vector<std::string> arguments = {json};
    arguments.insert(arguments.end(), option.begin(), option.end());
    const Outcome outcome = Run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << option[0];
    EXPECT_NE(outcome.err.find("need the tables"), std::string::npos) << outcome.err;
  }
}

TEST_F(Summary, FiltersChooseRangesAndStandInTheHead) {
  const std::string run = PowerIteration();
  const Json all = AsJson({run, "--sort", "name", "--top", "0"});
  const Json step = AsJson({run, "--filter-nvtx", "Step 10 to 20", "--top", "0"});
  EXPECT_EQ(step["filters"], Json::array({"--filter-nvtx Step 10 to 20"}));
  EXPECT_EQ(step["iteration_summary"], all["iteration_summary"]);
  EXPECT_EQ(step["findings"], all["findings"]);
  for (const Json& row : step["host_ranges"]["rows"]) {
    if (row["name"] == "Compute") {
      EXPECT_EQ(row["instances"], 1);
    }
  }
  EXPECT_LT(step["host_ranges"]["rows"].size(), all["host_ranges"]["rows"].size() + 1);
  const std::string text = Text({run, "--exclude", "Compute.*"});
  EXPECT_NE(text.find("filter"), std::string::npos);
  EXPECT_EQ(text.find(" Compute\n"), std::string::npos) << text;
  const Outcome nothing = Run({run, "--filter-nvtx", "Step 10 to 21"});
  EXPECT_EQ(nothing.exit_code, 3);
  EXPECT_NE(nothing.err.find("nothing-selected"), std::string::npos);
  EXPECT_NE(nothing.err.find("'Step 10 to 20'"), std::string::npos) << nothing.err;
  EXPECT_EQ(Run({run, "--filter-time", "2/1"}).exit_code, 2);
  // Filters are of one summary: the analysis stays as it was.
  EXPECT_EQ(AsJson({run, "--sort", "name", "--top", "0"}), all);
}

TEST_F(Summary, TheTreeHasBarsAndFolds) {
  const std::string text = Text({PowerIteration(), "--tree", "--min-share", "5"});
  EXPECT_NE(text.find("Range tree of host time"), std::string::npos);
  EXPECT_NE(text.find("##"), std::string::npos);
  EXPECT_NE(text.find("below 5 %"), std::string::npos) << text;
  EXPECT_EQ(Run({PowerIteration(), "--min-share", "5"}).exit_code, 2);
}

TEST_F(Summary, ManyNamesBecomeFewInATrainingTrace) {
  const fs::path sqlite = test::UnpackExport("train_2gpu_2026.2.1", scratch_.path());
  const std::vector<std::string> raw_arguments = {sqlite.string(), "--capture-range", "none",
                                                  "--top", "0"};
  const Json raw = AsJson(raw_arguments);
  std::vector<std::string> arguments = raw_arguments;
  arguments.emplace_back("--group-numbers");
  const Json grouped = AsJson(arguments);
  EXPECT_EQ(raw["host_ranges"]["rows_total"], 18986);
  EXPECT_EQ(grouped["host_ranges"]["rows_total"], 121);
  const auto total = [](const Json& summary, const char* list, const char* clock) {
    int64_t sum = 0;
    for (const Json& row : summary[list]["rows"]) sum += row[clock]["total_ns"].get<int64_t>();
    return sum;
  };
  EXPECT_EQ(total(grouped, "host_ranges", "exclusive"), total(raw, "host_ranges", "exclusive"));
  EXPECT_EQ(total(grouped, "host_ranges", "inclusive"), total(raw, "host_ranges", "inclusive"));
  EXPECT_EQ(total(grouped, "gpu_projected_ranges", "projected"),
            total(raw, "gpu_projected_ranges", "projected"));
}

TEST_F(Summary, SortsAndLimitsAndWritesToAFile) {
  const std::string run = PowerIteration();
  const Json by_count = AsJson({run, "--sort", "count", "--top", "2"});
  EXPECT_EQ(by_count["host_ranges"]["rows"].size(), 2U);
  EXPECT_FALSE(by_count.contains("host_ranges_by_exclusive"));
  EXPECT_GE(by_count["host_ranges"]["rows"][0]["instances"],
            by_count["host_ranges"]["rows"][1]["instances"]);
  const std::string file = (scratch_.path() / "s.md").string();
  EXPECT_EQ(Text({run, "--format", "md", "-o", file}), "");
  EXPECT_EQ(Slurp(file), Text({run, "--format", "md"}));
  const std::string ns = Text({run, "--timeunit", "ns"});
  EXPECT_EQ(ns.find(" ms"), std::string::npos);
  EXPECT_LE(LongestLine(ns), 100U);
  EXPECT_EQ(Run({run, "--sort", "size"}).exit_code, 2);
}

TEST_F(Summary, NothingIsColouredInAPipe) {
  EXPECT_EQ(Text({PowerIteration()}).find('\x1b'), std::string::npos);
}

TEST_F(Summary, WhatIsNoAnalysisIsAnErrorWithItsPlace) {
  const fs::path file = scratch_.path() / "analysis.json";
  Spill(file, "{\"schema_version\": 3}");
  const Outcome version = Run({file.string()});
  EXPECT_EQ(version.exit_code, 3);
  EXPECT_NE(version.err.find("not-an-analysis"), std::string::npos) << version.err;
  Spill(file, "{\n  \"run\": {,}\n}");
  const Outcome syntax = Run({file.string()});
  EXPECT_EQ(syntax.exit_code, 3);
  EXPECT_NE(syntax.err.find(":2:11"), std::string::npos) << syntax.err;
  EXPECT_EQ(Run({(scratch_.path() / "absent").string()}).exit_code, 3);
}

TEST_F(Summary, ATruncatedAnalysisIsToBeMadeAgain) {
  const fs::path whole = fs::path(PowerIteration()) / "analysis.json";
  Text({PowerIteration()});
  const fs::path file = scratch_.path() / "cut.json";
  Spill(file, Slurp(whole).substr(0, 20'000));
  const Outcome cut = Run({file.string()});
  EXPECT_EQ(cut.exit_code, 3);
  EXPECT_NE(cut.err.find("not-an-analysis"), std::string::npos) << cut.err;
  EXPECT_NE(cut.err.find("make it again"), std::string::npos) << cut.err;
}

TEST_F(Summary, OptionsThatWouldDoNothingAreUsageErrors) {
  const std::string run = PowerIteration();
  Text({run});
  const std::string json = run + "/analysis.json";
  const auto refused = [&](const std::vector<std::string>& arguments, const char* why) {
    const Outcome outcome = Run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments.back();
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
  };
  for (const char* option : {"--capture-range", "--iterations", "--output-dir"})
    refused({json, option, "x"}, option);
  refused({run, "--filter-time", ""}, "takes A/B");
  refused({run, "--filter-time", "/"}, "takes A/B");
  refused({run, "--tree", "--min-share", "nan"}, "--min-share");
  refused({run, "--group", "a=>b\nc=>d"}, "on one line");
  refused({run, "-o", ""}, "an empty name is no file");
  refused({run, "--output-dir", ""}, "an empty name is no folder");
}

// The comparison of the sample cohorts.
class SummaryOfAComparison : public Summary {
 protected:
  std::string Comparison() {
    const fs::path file = scratch_.path() / "comparison.json";
    const fs::path cohorts = scratch_.path() / "cohorts";
    fs::copy(fs::path(RANGEWISE_SOURCE_DIR) / "samples" / "cohorts", cohorts,
             fs::copy_options::recursive);
    RunRangewise({"compare", "--baseline", cohorts / "before", "--candidate", cohorts / "after",
                  "--format", "json", "-o", file});
    EXPECT_TRUE(fs::exists(file));
    return file.string();
  }
};

TEST_F(SummaryOfAComparison, OptionsOfARunAreUsageErrors) {
  const std::string file = Comparison();
  for (const std::vector<std::string>& option :
       {std::vector<std::string>{"--filter-nvtx", "x"}, {"--group-numbers"}, {"--tree"},
        {"--timeunit", "ns"}, {"--top", "3"}, {"--sort", "name"}, {"--iterations", "x"}}) {
    std::vector<std::string> arguments = {file};
    arguments.insert(arguments.end(), option.begin(), option.end());
    const Outcome outcome = Run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << option[0];
    EXPECT_NE(outcome.err.find(option[0]), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
}

TEST_F(SummaryOfAComparison, ComesThroughAPipe) {
  const std::string file = Comparison();
  const std::string text = Text({file});
  const std::string program(RANGEWISE_BINARY);
  for (const std::string& way : {" summary - < '" + file + "'", " summary <(cat '" + file + "')",
                                 " summary /dev/stdin < <(cat '" + file + "')"}) {
    RunningProgram shell({"/bin/bash", "-c", program + way});
    const Outcome piped = shell.Finish();
    EXPECT_EQ(piped.exit_code, 0) << way << piped.err;
    EXPECT_EQ(piped.out, text) << way;
  }
}

TEST_F(Summary, AnAnalysisComesThroughAPipe) {
  const std::string run = PowerIteration();
  const std::string of_run = Text({run});
  const std::string program(RANGEWISE_BINARY);
  const std::string json = run + "/analysis.json";
  for (const std::string& way :
       {" summary <(cat '" + json + "')", " summary /dev/stdin < <(cat '" + json + "')"}) {
    RunningProgram shell({"/bin/bash", "-c", program + way});
    const Outcome piped = shell.Finish();
    EXPECT_EQ(piped.exit_code, 0) << way << piped.err;
    const std::string end = "\nAnalysis\n";
    EXPECT_EQ(piped.out.substr(0, piped.out.find(end)), of_run.substr(0, of_run.find(end)));
  }
  RunningProgram filtered(
      {"/bin/bash", "-c", program + " summary <(cat '" + json + "') --thread 1"});
  EXPECT_NE(filtered.Finish().err.find("need the tables"), std::string::npos);
  RunningProgram closed({"/bin/bash", "-c", program + " summary - <&-"});
  const Outcome refused = closed.Finish();
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_NE(refused.err.find("standard input must be open"), std::string::npos) << refused.err;
}

TEST_F(Summary, TheOutputOptionIsThatOfTheOtherVerbs) {
  const std::string run = PowerIteration();
  const std::string text = Text({run});
  const fs::path folder = scratch_.path() / "elsewhere";
  fs::create_directories(folder);
  const Outcome dash = RunRangewise({"summary", run, "-o", "-"}, {.working_folder = folder});
  EXPECT_EQ(dash.out, text);
  EXPECT_TRUE(fs::is_empty(folder));
  for (const char* verb : {"summary", "analyze"}) {
    const Outcome refused = RunRangewise({verb, run, "-o", "/nonexistent/x"});
    EXPECT_EQ(refused.exit_code, 74) << verb;
    EXPECT_NE(refused.err.find("with -o"), std::string::npos) << refused.err;
    EXPECT_EQ(refused.err.find("--output-dir"), std::string::npos) << refused.err;
  }
}

TEST_F(Summary, EveryFindingOfAnIterationIsNamedInTheText) {
  const std::string text = Text({PowerIteration()});
  const size_t row = text.find("\n        430 ");
  ASSERT_NE(row, std::string::npos) << text;
  const std::string line = text.substr(row + 1, text.find('\n', row + 1) - row - 1);
  EXPECT_NE(line.find("outlier (host, GPU)"), std::string::npos) << line;
  EXPECT_NE(line.find("incomplete"), std::string::npos) << line;
}

}  // namespace
}  // namespace rangewise::test_support
