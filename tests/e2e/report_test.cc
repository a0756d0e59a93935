// `rangewise report` as a user meets it: pages of runs, of an analysis.json, of comparisons.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "support/page_inputs.h"
#include "support/run_program.h"

namespace rangewise::test_support {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr size_t kMostBytes = 5'000'000;
constexpr size_t kMostSampleBytes = 2'000'000;

size_t Count(const std::string& text, std::string_view what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

// The data that the charts are drawn from.
Json DataOf(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"rangewise-data\">";
  const size_t begin = page.find(open);
  if (begin == std::string::npos) return Json();
  const size_t end = page.find("</script>", begin);
  return Json::parse(page.substr(begin + open.size(), end - begin - open.size()), nullptr, false);
}

// The cells of one column of a table, as raw values.
std::multiset<std::string> Column(const std::string& page, const std::string& table,
                                  size_t column) {
  std::multiset<std::string> values;
  const size_t begin = page.find("data-table=\"" + table + "\"");
  if (begin == std::string::npos) return values;
  const size_t end = page.find("</table>", begin);
  for (size_t row = page.find("<tr><td", begin); row < end; row = page.find("<tr><td", row + 1)) {
    size_t cell = row;
    for (size_t i = 0; i <= column; ++i) cell = page.find("<td", cell + 1);
    const size_t value = page.find("data-v=\"", cell) + 8;
    values.insert(page.substr(value, page.find('"', value) - value));
  }
  return values;
}

class ReportTest : public testing::Test {
 protected:
  void SetUp() override {
    const Outcome outcome =
        Report({RANGEWISE_SOURCE_DIR "/samples/power-iteration/manifest.yaml", "-o", "x.html"});
    if (outcome.err.find("page-template-missing") != std::string::npos)
      GTEST_SKIP() << "built without npm: " << outcome.err;
  }
  Outcome Report(std::vector<std::string> words) {
    words.insert(words.begin(), "report");
    return RunRangewise(std::move(words),
                        {.set = {{"PATH", "/nonexistent"}}, .working_folder = scratch_.path()});
  }
  // The page of `what`.
  std::string PageOf(const std::string& what, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {what, "-o", "page.html"});
    const Outcome outcome = Report(more);
    EXPECT_EQ(outcome.exit_code, 0) << what << "\n" << outcome.err;
    EXPECT_TRUE(outcome.out.starts_with("Wrote page.html (")) << outcome.out;
    return Slurp(scratch_.path() / "page.html");
  }
  std::string Comparison(const std::vector<std::string>& candidate) {
    std::vector<std::string> words = {
        "compare", "--baseline", RANGEWISE_SOURCE_DIR "/samples/cohorts/before", "--candidate"};
    words.insert(words.end(), candidate.begin(), candidate.end());
    words.insert(words.end(), {"--format", "json", "-o", "comparison.json"});
    RunRangewise(words, {.set = {{"PATH", "/nonexistent"}}, .working_folder = scratch_.path()});
    return (scratch_.path() / "comparison.json").string();
  }
  ScratchFolder scratch_;
};

TEST_F(ReportTest, OfARunHasTheNumbersOfItsAnalysis) {
  const fs::path run = CopyPowerIteration(scratch_.path());
  const std::string page = PageOf(run.string());
  const Json analysis = Json::parse(Slurp(run / "analysis.json"));
  EXPECT_LT(page.size(), kMostSampleBytes);
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_NE(page.find("Content-Security-Policy"), std::string::npos);

  const Json data = DataOf(page);
  const Json& iterations = analysis["iterations"];
  ASSERT_EQ(data["iterations"]["index"].size(), iterations.size());
  for (size_t i = 0; i < iterations.size(); ++i) {
    EXPECT_EQ(data["iterations"]["index"][i], iterations[i]["index"]);
    EXPECT_EQ(data["iterations"]["host_inclusive_ns"][i], iterations[i]["host"]["inclusive_ns"]);
  }
  std::multiset<std::string> exclusive;
  for (const Json& range : analysis["host_ranges"])
    exclusive.insert(range["exclusive"]["total_ns"].dump());
  ASSERT_FALSE(exclusive.empty());
  EXPECT_EQ(Column(page, "host-ranges", 1), exclusive);
  std::multiset<std::string> busy;
  for (const Json& path : analysis["range_gpu_work"]["paths"]) busy.insert(path["busy_ns"].dump());
  ASSERT_FALSE(busy.empty());
  EXPECT_EQ(Column(page, "gpu-ranges", 1), busy);

  const Json& timeline = data["timeline"];
  EXPECT_TRUE(timeline["reason"].is_null());
  ASSERT_GE(timeline["windows"].size(), 1u);
  EXPECT_GE(timeline["windows"][0]["host"].size(), 1u);
  EXPECT_GE(timeline["windows"][0]["gpu"].size(), 1u);
}

TEST_F(ReportTest, SameInputSameBytes) {
  const fs::path run = CopyPowerIteration(scratch_.path());
  const std::string first = PageOf(run.string(), {"--threads", "1"});
  EXPECT_EQ(first, PageOf(run.string(), {"--threads", "2"}));
  EXPECT_EQ(first, PageOf(run.string()));
}

TEST_F(ReportTest, OfAnAnalysisAloneSaysWhyItHasNoTimeline) {
  const fs::path run = CopyPowerIteration(scratch_.path());
  PageOf(run.string());
  const std::string file = (run / "analysis.json").string();
  const std::string page = PageOf(file);
  EXPECT_NE(page.find("made of an analysis alone"), std::string::npos);
  EXPECT_EQ(Count(page, "data-chart=\"timeline\""), 0u);
  EXPECT_EQ(Count(page, "data-chart=\"iterations\""), 1u);

  RunningProgram piped(
      {"/bin/sh", "-c", std::string(RANGEWISE_BINARY) + " report - < '" + file + "'"});
  const Outcome outcome = piped.Finish();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("read from a pipe"), std::string::npos);
  EXPECT_EQ(DataOf(outcome.out)["iterations"], DataOf(page)["iterations"]);
}

TEST_F(ReportTest, OfARunWithoutExportSaysWhyItHasNoTimeline) {
  const fs::path run = MakeSmokeRun(scratch_.path(), true);
  fs::remove(run / "trace.nsys-rep");
  const std::string page = PageOf(run.string());
  EXPECT_LT(page.size(), kMostSampleBytes);
  EXPECT_NE(page.find("no SQLite export that it could be drawn from"), std::string::npos);
}

TEST_F(ReportTest, AnAnalysisWithoutGpuWorkIsMadeAgain) {
  const fs::path run = CopyPowerIteration(scratch_.path());
  ASSERT_EQ(
      RunRangewise({"analyze", run.string(), "--reports", "sqlite", "--gpu-work", "off"}).exit_code,
      0);
  ASSERT_TRUE(Json::parse(Slurp(run / "analysis.json"))["range_gpu_work"].is_null());
  EXPECT_EQ(Count(PageOf(run.string()), "data-table=\"gpu-ranges\""), 1u);
}

TEST_F(ReportTest, NoInputIsEverOverwritten) {
  const fs::path run = CopyPowerIteration(scratch_.path());
  PageOf(run.string());
  const auto before = Snapshot(run);
  for (const char* name : {"analysis.json", "manifest.yaml", "trace.sqlite", "stats/source.json",
                           "stats/nsys_nvtx_pushpop_trace.csv"}) {
    const std::string target = (run / name).string();
    const Outcome outcome = Report({run.string(), "-o", target});
    EXPECT_EQ(outcome.exit_code, 2) << name << outcome.err;
    const Outcome alone =
        Report({(run / "analysis.json").string(), "-o", (run / "analysis.json").string()});
    EXPECT_EQ(alone.exit_code, 2) << alone.err;
  }
  const std::string comparison = Comparison({RANGEWISE_SOURCE_DIR "/samples/cohorts/after"});
  const std::string text = Slurp(comparison);
  EXPECT_EQ(Report({comparison, "-o", comparison}).exit_code, 2);
  EXPECT_EQ(Slurp(comparison), text);
  EXPECT_EQ(Snapshot(run), before);
}

TEST_F(ReportTest, OfAComparison) {
  const std::string file = Comparison({RANGEWISE_SOURCE_DIR "/samples/cohorts/after"});
  const Json comparison = Json::parse(Slurp(file));
  const std::string page = PageOf(file);
  EXPECT_LT(page.size(), kMostSampleBytes);
  EXPECT_NE(page.find("data-verdict=\"" + comparison["verdict"].get<std::string>() + "\""),
            std::string::npos);
  const Json data = DataOf(page);
  EXPECT_EQ(data["kind"], "comparison");
  EXPECT_EQ(data["runs"]["baseline"].size(), 10u);
  for (const Json& metric : data["metrics"]) {
    EXPECT_EQ(Count(page, "data-table=\"" + metric["id"].get<std::string>() + "\""), 1u);
    EXPECT_EQ(metric["rows"].size(), Column(page, metric["id"], 3).size()) << metric["id"];
  }
}

TEST_F(ReportTest, OptionsThatWouldDoNothingAreRefused) {
  const std::string file = Comparison({RANGEWISE_SOURCE_DIR "/samples/cohorts/after"});
  const Outcome outcome = Report({file, "-o", "page.html", "--capture-range", "x"});
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("--capture-range has no use with a comparison"), std::string::npos);
}

TEST_F(ReportTest, ADamagedExportIsAnErrorAndWritesNoPage) {
  const fs::path run = MakeSmokeRun(scratch_.path(), true);
  fs::remove(run / "trace.nsys-rep");
  ASSERT_EQ(RunRangewise({"analyze", run.string(), "--reports", "csv"}).exit_code, 0);
  Spill(run / "trace.sqlite", "no database");
  const Outcome outcome = Report({run.string(), "-o", "page.html"});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_NE(outcome.err.find("not-an-export"), std::string::npos) << outcome.err;
  EXPECT_FALSE(fs::exists(scratch_.path() / "page.html"));
}

TEST_F(ReportTest, OfWhatIsNotComparable) {
  const fs::path other = WritePageInput("cpu-only", scratch_.path());
  const std::string page = PageOf(Comparison({other.string()}));
  EXPECT_NE(page.find("data-verdict=\"not-comparable\""), std::string::npos);
  EXPECT_GE(Column(page, "contract", 0).size(), 1u);
}

TEST_F(ReportTest, ANoiseReportHasNoPage) {
  RunRangewise({"compare", "--aa", RANGEWISE_SOURCE_DIR "/samples/cohorts/before", "--format",
                "json", "-o", "noise.json"},
               {.set = {{"PATH", "/nonexistent"}}, .working_folder = scratch_.path()});
  const Outcome outcome = Report({"noise.json", "-o", "page.html"});
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("rangewise summary"), std::string::npos) << outcome.err;
}

TEST_F(ReportTest, EveryKindOfRunHasItsPage) {
  for (const PageInput& input : PageInputs()) {
    const fs::path run = WritePageInput(input.name, scratch_.path());
    const std::string page = PageOf(run.string());
    EXPECT_LT(page.size(), kMostBytes) << input.what;
    EXPECT_EQ(Count(page, "<section "), 18u) << input.what;
    const Json data = DataOf(page);
    EXPECT_EQ(data["page_version"], 1) << input.what;
    const std::string& name = input.name;
    if (name == "many-iterations") {
      EXPECT_EQ(data["iterations"]["index"].size(), 10'000u);
    }
    if (name == "many-paths") {
      EXPECT_EQ(data["scopes"]["name"].size(), 5'003u);  // and those around the 5,000
    }
    if (name == "too-many-paths") {
      EXPECT_GT(data["scopes"]["folded"], 30'000);
    }
    if (name == "no-iterations") {
      EXPECT_EQ(data["timeline"]["reason"], "the run has no iterations");
    }
    if (name == "cpu-only") {
      EXPECT_EQ(data["timeline"]["gpu_reason"], "the export holds no GPU work");
    }
  }
}

TEST_F(ReportTest, HostileNamesAreText) {
  const std::string harmless = PageOf(WritePageInput("one-iteration", scratch_.path()).string());
  const std::string page = PageOf(WritePageInput("hostile", scratch_.path()).string());
  // As many elements that could do something as on a page without such names.
  for (const char* element : {"<script", "</script", "<img", "<style", "</title", "<iframe", "<!--",
                              "onerror=\"", "href=\"http", "javascript:alert(1)\""}) {
    EXPECT_EQ(Count(page, element), Count(harmless, element)) << element;
  }
  for (const char* character : {"\xe2\x80\xae", "\xe2\x80\xa8", "\x1b", "\x07"})
    EXPECT_EQ(page.find(character), std::string::npos);
  EXPECT_NE(page.find("&lt;/script&gt;&lt;script&gt;document.title=&#39;owned&#39;"),
            std::string::npos);
  EXPECT_NE(page.find("bytes in all]"), std::string::npos);
  EXPECT_EQ(DataOf(page)["kind"], "run");
}

TEST(ReportBuiltWithoutNpm, SaysWhatIsMissing) {
  ScratchFolder scratch;
  const Outcome outcome =
      RunRangewise({"report", RANGEWISE_SOURCE_DIR "/samples/power-iteration/analysis.json"},
                   {.working_folder = scratch.path()});
  if (outcome.err.find("page-template-missing") == std::string::npos)
    GTEST_SKIP() << "this build has its page";
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_NE(outcome.err.find("scripts/setup"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace rangewise::test_support
