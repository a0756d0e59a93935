// What `rangewise compare` refuses, and what it must name: outputs, folders, metrics, numbers,
// usage.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>

#include "support/compared_cohorts.h"

namespace rangewise::test_support {
namespace {

class CompareRefusals : public ComparedCohorts {};

TEST_F(CompareRefusals, AnOutputNeverDamagesARun) {
  fs::create_directory(scratch_.path() / "flat");
  for (const char* side : {"before", "after"}) {
    for (const char* run : {"run-01", "run-02"}) {
      fs::copy(scratch_.path() / side / run / "analysis.json",
               scratch_.path() / "flat" / (std::string(side) + run + ".json"));
    }
  }
  fs::create_symlink("flat/beforerun-01.json", scratch_.path() / "link");
  fs::create_symlink("before/run-01/new", scratch_.path() / "dangling");
  fs::create_hard_link(scratch_.path() / "flat/afterrun-01.json", scratch_.path() / "hard");
  const auto files = [&] {
    std::string all;
    for (const auto& entry : fs::recursive_directory_iterator(scratch_.path())) {
      if (entry.is_regular_file()) all += entry.path().string() + Slurp(entry.path());
    }
    return all.size();
  };
  const size_t before = files();
  const auto refused = [&](const Words& runs, const std::string& output) {
    Words words = runs;
    words.insert(words.end(), {"-o", output});
    const Outcome outcome = Run(words);
    EXPECT_EQ(outcome.exit_code, 2) << output << outcome.err;
    EXPECT_NE(outcome.err.find("which is compared"), std::string::npos) << outcome.err;
    EXPECT_EQ(files(), before) << output;
  };
  const Words flat = {"--baseline", "flat/before*.json", "--candidate", "flat/after*.json"};
  for (const char* output :
       {"flat/beforerun-01.json", "flat/../flat/afterrun-02.json", "link", "hard"})
    refused(flat, output);
  const Words folders = {"--baseline", "before", "--candidate", "after"};
  for (const char* output : {"before/run-01/manifest.yaml", "before/run-03/stats/x", "dangling",
                             "after/run-02/new.json"})
    refused(folders, output);
  refused({"--baseline", "before/run-0*/analysis.json", "--candidate", "after"},
          "before/run-02/comment.md");
  refused({"--aa", "before"}, "before/run-01/noise.json");
  // Beside runs there is room.
  Words beside = flat;
  beside.insert(beside.end(), {"-o", "flat/result"});
  EXPECT_EQ(Run(beside).exit_code, 0);
  Words above = folders;
  above.insert(above.end(), {"-o", "before/comment.md"});
  EXPECT_EQ(Run(above).exit_code, 0);
}

TEST_F(CompareRefusals, NothingInAFolderOfRunsIsPassedOverInSilence) {
  fs::create_directories(scratch_.path() / "before/notes");
  const Outcome outcome = BeforeAgainstAfter();
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "Passed over, as it is no run: before/notes\n");
  // A folder that only holds a trace or an export is a run, and one that cannot be analysed is
  // said.
  fs::create_directories(scratch_.path() / "before/traced");
  Spill(scratch_.path() / "before/traced/trace.sqlite", "no export");
  EXPECT_NE(BeforeAgainstAfter().exit_code, 0);
  EXPECT_NE(BeforeAgainstAfter().err.find("before/traced"), std::string::npos);
  fs::remove_all(scratch_.path() / "before/traced");
  fs::create_directories(scratch_.path() / "before/lost");
  fs::create_symlink("/nonexistent", scratch_.path() / "before/lost/analysis.json");
  EXPECT_NE(BeforeAgainstAfter().exit_code, 0);
  EXPECT_NE(BeforeAgainstAfter().err.find("before/lost"), std::string::npos);
}

TEST_F(CompareRefusals, ARangeOfSeveralDomainsMustBeNamedWithItsDomain) {
  for (const char* side : {"before", "after"}) {
    EditAll(side, [&](Json& analysis) {
      for (const Json& row : Json(analysis["host_ranges"])) {
        if (row["name"] != "Copy" && row["name"] != "IO") continue;
        Json other = row;
        other["name"] = "lib:A";
        other["path"] = {"lib:A"};
        other["domain"] = row["name"] == "IO" ? "lib" : "";
        analysis["host_ranges"].push_back(other);
      }
    });
  }
  const auto with = [&](const std::string& metric) {
    return BeforeAgainstAfter({"--primary", "host-inclusive:" + metric});
  };
  const Outcome ambiguous = with("lib:A");
  EXPECT_EQ(ambiguous.exit_code, 2) << ambiguous.out;
  EXPECT_NE(ambiguous.err.find("host-inclusive:lib:A@lib"), std::string::npos) << ambiguous.err;
  EXPECT_TRUE(with("lib:A@lib").out.starts_with("improved")) << with("lib:A@lib").err;
  EXPECT_TRUE(with("A@lib").out.starts_with("improved"));
  EXPECT_TRUE(with(R"(["lib:A"]@lib)").out.starts_with("improved"));
  EXPECT_TRUE(with("lib:A@").out.starts_with("regressed"));
  EXPECT_EQ(with("lib:A@else").exit_code, 2);
  EXPECT_EQ(BeforeAgainstAfter({"--gate", "--gate-on", "host-inclusive:lib:A"}).exit_code, 2);
}

TEST_F(CompareRefusals, MetricsAreThoseOfRunsThatTakePart) {
  const auto group = [](Json& analysis) {
    for (const char* table : {"host_ranges", "gpu_projected_ranges"}) {
      Json rows = analysis[table];
      for (Json& row : rows) {
        row["name"] = "all " + row["name"].get<std::string>();
        row["path"] = Json::array({row["name"]});
      }
      analysis[std::string("grouped_") + table] = rows;
    }
  };
  for (const char* side : {"before", "after"}) EditAll(side, group);
  Edit("before/run-01", [](Json& analysis) {
    analysis.erase("grouped_host_ranges");
    analysis.erase("grouped_gpu_projected_ranges");
    analysis["warnings"] = {"stale-reports: x"};
  });
  EXPECT_TRUE(BeforeAgainstAfter({"--primary", "host-inclusive:all Compute"})
                  .out.starts_with("regressed [runs-left-out 1]: "));
  EXPECT_EQ(BeforeAgainstAfter({"--primary", "host-inclusive:Compute"}).exit_code, 2);
}

TEST_F(CompareRefusals, NumbersThatCannotBeAreRefused) {
  const auto refused = [&](const std::function<void(Json&)>& edit, const std::string& said) {
    const std::string whole = Slurp(scratch_.path() / "before/run-01/analysis.json");
    Edit("before/run-01", edit);
    const Outcome outcome = BeforeAgainstAfter();
    EXPECT_EQ(outcome.exit_code, 3) << outcome.out;
    EXPECT_NE(outcome.err.find(said), std::string::npos) << outcome.err;
    Spill(scratch_.path() / "before/run-01/analysis.json", whole);
  };
  const char* const median = "a median that is not from";
  refused([](Json& a) { a["iteration_summary"]["gpu_projected"]["median_ns"] = 1; }, median);
  refused([](Json& a) { a["host_ranges"][0]["inclusive"]["median_ns"] = 1e15; }, median);
  refused([](Json& a) { a["host_ranges"][0]["instances"] = 0; }, "of no instance");
  refused([](Json& a) { a["iteration_summary"]["gpu_projected_iterations"] = 0; },
          "of no iteration");
}

TEST_F(CompareRefusals, WrongUsageIsRefused) {
  const auto refused = [&](const Words& more, const std::string& said, int exit_code = 2) {
    const Outcome outcome = BeforeAgainstAfter(more);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    EXPECT_NE(outcome.err.find(said), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  };
  refused({"--floor", "3"}, "3%");
  refused({"--floor", ""}, "3%");
  refused({"--floor", "2000%"}, "0% to 1000%");
  refused({"--alpha", "0"}, "above 0");
  refused({"--allow-different", "devise"}, "the nearest is 'device'");
  refused({"--primary", "gpu"}, "gpu-iterations");
  refused({"--primary", "gpu-iterations:Compute"}, "takes no range");
  refused({"--primary", "gpu-projection"}, "gpu-projection:RANGE");
  refused({"--primary", "gpu-projection:Compote"}, "the nearest is 'Compute'");
  refused({"--gate-on", "gpu-iterations"}, "--gate");
  refused({"--format", "html"}, "html");
  refused({"--aa", "before"}, "--aa");
  refused({"--baseline", "nowhere"}, "no such run", 3);
  refused({"--baseline", "nowhere*"}, "pattern", 3);
  Spill(scratch_.path() / "broken.json", "{\"run\": ");
  refused({"--baseline", "broken.json"}, "broken.json", 3);
  Spill(scratch_.path() / "other.json", "{\"run\": {}}");
  refused({"--baseline", "other.json"}, "not-an-analysis", 3);
  fs::create_directory(scratch_.path() / "empty");
  refused({"--baseline", "empty"}, "neither analysis.json nor manifest.yaml", 3);
  Spill(scratch_.path() / "result.json", BeforeAgainstAfter({"--format", "json"}).out);
  refused({"--baseline", "result.json"}, "the result of a comparison", 3);
  EXPECT_EQ(Run({"--baseline", "before"}).exit_code, 2);
  EXPECT_EQ(Run({}).exit_code, 2);
  EXPECT_EQ(Run({"--aa", "before", "--gate"}).exit_code, 2);
}

}  // namespace
}  // namespace rangewise::test_support
