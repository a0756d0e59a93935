#include "analysis/findings.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/mann_kendall.h"
#include "analysis/thresholds.h"
#include "base/text.h"
#include "support/analysis_outcome.h"
#include "support/tables_builder.h"

namespace rangewise::analysis {
namespace {

using model::Finding;
using model::FindingClock;
using model::FindingSeverity;
using testing::AnalyseTables;
using testing::HarnessOf;
using testing::Outcome;
using testing::TablesBuilder;

constexpr int64_t kTop = model::kNoParent;
using Indexes = std::vector<int64_t>;
using Strings = std::vector<std::string>;

// A capture of iterations with these host times, in microseconds, and nothing in them.
TablesBuilder HostIterations(const std::vector<int64_t>& microseconds) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 1'000'000'000);
  int64_t id = 2;
  for (const int64_t time : microseconds) {
    builder.Host(id, 1, "iteration " + std::to_string(id - 2), time * 1000);
    ++id;
  }
  return builder;
}

// The same times in the projection, and equal ones on the host.
TablesBuilder ProjectedIterations(const std::vector<int64_t>& microseconds) {
  TablesBuilder builder = HostIterations(std::vector<int64_t>(microseconds.size(), 50));
  int64_t id = 2;
  for (const int64_t time : microseconds) {
    builder.Projected(id, 1, "iteration " + std::to_string(id - 2), time * 1000);
    ++id;
  }
  return builder;
}

// Iterations that hold the ranges named in each list, a '>' before what lies in the one before.
TablesBuilder IterationsWith(const std::vector<Strings>& iterations) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 1'000'000'000);
  int64_t id = 2;
  int64_t index = 0;
  for (const Strings& ranges : iterations) {
    const int64_t iteration = id++;
    builder.Host(iteration, 1, "iteration " + std::to_string(index++), 50'000);
    int64_t outer = iteration;
    for (const std::string& range : ranges) {
      if (range[0] == '>') {
        builder.Host(id, outer, range.substr(1), 5'000);
      } else {
        builder.Host(id, iteration, range, 10'000);
        outer = id;
      }
      ++id;
    }
  }
  return builder;
}

// A capture with ranges named by `name(i)`, of `ns` each.
TablesBuilder Ranges(int64_t count, const std::function<std::string(int64_t)>& name, int64_t ns) {
  TablesBuilder builder;
  builder.Host(1, kTop, "capture", 1'000'000'000);
  for (int64_t i = 0; i < count; ++i) builder.Host(2 + i, 1, name(i), ns);
  return builder;
}

std::string Letters(int64_t i) {
  return std::string(1, static_cast<char>('a' + i / 26)) + static_cast<char>('a' + i % 26);
}

Outcome AnalyseCapture(TablesBuilder& builder) {
  return AnalyseTables(builder, HarnessOf("capture"));
}

const Finding* Find(const model::Analysis& analysis, Code code, FindingClock clock) {
  for (const Finding& finding : analysis.findings) {
    if (finding.code == code && finding.clock == clock) return &finding;
  }
  return nullptr;
}

struct Case {
  const char* what;
  Code code;
  FindingClock clock;
  bool raised;
  std::function<TablesBuilder()> tables;
  Indexes iterations = {};  // that it names
};

const std::vector<int64_t> kSteady = {100, 101, 99, 102, 98, 100, 103, 97};
constexpr FindingClock kHost = FindingClock::kHost;
constexpr FindingClock kProjected = FindingClock::kProjected;

// With `first` before, and `last` behind, steady times.
std::vector<int64_t> Times(std::vector<int64_t> first, std::vector<int64_t> last = {}) {
  first.insert(first.end(), kSteady.begin(), kSteady.end());
  first.insert(first.end(), last.begin(), last.end());
  return first;
}

std::vector<Strings> Alike(size_t count, const Strings& ranges, const Strings& last) {
  std::vector<Strings> iterations(count, ranges);
  iterations.push_back(last);
  return iterations;
}

// One that is over each threshold and one that just is not.
std::vector<Case> Cases() {
  return {
      {"first longer",
       Code::kFirstIterationDiffers,
       kHost,
       true,
       [] { return HostIterations(Times({150})); },
       {0}},
      {"first shorter",
       Code::kFirstIterationDiffers,
       kHost,
       true,
       [] { return HostIterations(Times({50})); },
       {0}},
      {"first within the score", Code::kFirstIterationDiffers, kHost, false,
       [] { return HostIterations(Times({107})); }},  // 0.6745 * 7 / 1.5 = 3.15
      {"first beyond the score, too near", Code::kFirstIterationDiffers, kHost, false,
       [] {
         return HostIterations({1040, 1000, 1001, 999, 1002, 998});
       }},
      {"projection longer",
       Code::kFirstIterationDiffers,
       kProjected,
       true,
       [] { return ProjectedIterations(Times({150})); },
       {0}},
      {"projection alike", Code::kFirstIterationDiffers, kProjected, false,
       [] { return ProjectedIterations(Times({101})); }},

      {"rising",
       Code::kIterationsDrift,
       kHost,
       true,
       [] {
         return HostIterations({100, 101, 102, 103, 104, 105, 106, 107});
       },
       {0, 1, 2, 3, 4, 5, 6, 7}},
      {"falling",
       Code::kIterationsDrift,
       kProjected,
       true,
       [] {
         return ProjectedIterations({107, 106, 105, 104, 103, 102, 100, 101});
       },
       {0, 1, 2, 3, 4, 5, 6, 7}},
      {"rising with p of 0.014", Code::kIterationsDrift, kHost, false,
       [] {
         return HostIterations({103, 101, 102, 100, 104, 105, 106, 107});
       }},
      {"no order", Code::kIterationsDrift, kProjected, false,
       [] { return ProjectedIterations(kSteady); }},

      {"a tenth and more",
       Code::kIterationsVary,
       kHost,
       true,
       [] {
         return HostIterations({100, 122, 100, 122, 100, 122});
       },
       {0, 1, 2, 3, 4, 5}},
      {"nearly a tenth", Code::kIterationsVary, kHost, false,
       [] {
         return HostIterations({100, 120, 100, 120, 100, 120});
       }},
      {"projection",
       Code::kIterationsVary,
       kProjected,
       true,
       [] {
         return ProjectedIterations({100, 122, 100, 122, 100, 122});
       },
       {0, 1, 2, 3, 4, 5}},
      {"projection nearly", Code::kIterationsVary, kProjected, false,
       [] {
         return ProjectedIterations({100, 120, 100, 120, 100, 120});
       }},

      {"both ways",
       Code::kOutlierIterations,
       kHost,
       true,
       [] { return HostIterations(Times({60}, {140})); },
       {0, 9}},
      {"within the score", Code::kOutlierIterations, kHost, false,
       [] { return HostIterations(Times({94}, {106})); }},  // 0.6745 * 6 / 2
      {"projection",
       Code::kOutlierIterations,
       kProjected,
       true,
       [] { return ProjectedIterations(Times({}, {140})); },
       {8}},
      {"projection within", Code::kOutlierIterations, kProjected, false,
       [] { return ProjectedIterations(Times({}, {106})); }},

      {"a missing range",
       Code::kIncompleteLastIteration,
       kHost,
       true,
       [] {
         return IterationsWith(Alike(3, {"load", "compute"}, {"load"}));
       },
       {3}},
      {"a missing range with a number",
       Code::kIncompleteLastIteration,
       kHost,
       true,
       [] {
         return IterationsWith({{"load 0", "compute 0"}, {"load 1", "compute 1"}, {"load 2"}});
       },
       {2}},
      {"one other lacks it too", Code::kIncompleteLastIteration, kHost, false,
       [] {
         return IterationsWith({{"load", "compute"}, {"load"}, {"load"}});
       }},
      {"other numbers", Code::kIncompleteLastIteration, kHost, false,
       [] {
         return IterationsWith({{"load 0"}, {"load 1"}, {"load 2"}});
       }},

      {"half collapse", Code::kManyNames, FindingClock::kNone, true,
       [] {
         return Ranges(
             60, [](int64_t i) { return "op " + std::to_string(i); }, 10'000);
       }},
      {"nothing to mask", Code::kManyNames, FindingClock::kNone, false,
       [] { return Ranges(60, Letters, 10'000); }},
      {"few rows", Code::kManyNames, FindingClock::kNone, false,
       [] {
         return Ranges(
             48, [](int64_t i) { return "op " + std::to_string(i); }, 10'000);
       }},

      {"all short", Code::kOverheadScaleRanges, kHost, true,
       [] { return Ranges(9, Letters, 1'999); }},
      {"just long enough", Code::kOverheadScaleRanges, kHost, false,
       [] { return Ranges(9, Letters, 2'000); }},
      {"a tenth", Code::kOverheadScaleRanges, kHost, false,
       [] {
         TablesBuilder builder = Ranges(8, Letters, 2'000);
         builder.Host(99, 1, "short", 5);  // one of ten
         return builder;
       }},

      {"always", Code::kOneRun, FindingClock::kNone, true, [] { return Ranges(1, Letters, 5); }},
  };
}

TEST(Findings, AreMadeWhereTheyHoldAndNotWhereTheyJustDoNot) {
  for (const Case& test : Cases()) {
    SCOPED_TRACE(std::string(Describe(test.code).word) + ": " + test.what);
    TablesBuilder builder = test.tables();
    const Outcome run = AnalyseCapture(builder);
    ASSERT_TRUE(run.result.ok());
    const Finding* finding = Find(run.analysis(), test.code, test.clock);
    EXPECT_EQ(finding != nullptr, test.raised);
    if (finding == nullptr) continue;
    EXPECT_TRUE(finding->computed) << finding->sentence;
    EXPECT_EQ(finding->iterations, test.iterations) << finding->sentence;
    EXPECT_FALSE(finding->sentence.empty());
    for (const auto& [name, number] : finding->numbers) {
      const std::string unit = name.substr(name.rfind('_'));
      EXPECT_TRUE(std::set<std::string>({"_ns", "_count", "_index", "_ratio", "_score", "_value"})
                      .contains(unit))
          << name;
    }
  }
}

TEST(Findings, HaveACaseAndANearMissForEveryCode) {
  std::set<Code> raised;
  std::set<Code> missed;
  for (const Case& test : Cases()) (test.raised ? raised : missed).insert(test.code);
  missed.insert(Code::kOneRun);  // it always holds
  for (const Code code : {Code::kGpuIdleInIterations, Code::kHostWaitsInSynchronisation,
                          Code::kLaunchCallsDominate}) {
    raised.insert(code);  // gpu_findings_test.cc
    missed.insert(code);
  }
  for (const CodeInfo& info : AllCodes()) {
    if (info.severity != Severity::kFinding) continue;
    EXPECT_TRUE(raised.contains(info.code)) << info.word << " has no case that raises it";
    EXPECT_TRUE(missed.contains(info.code)) << info.word << " has no near miss";
  }
}

TEST(Findings, SayWhyTheyCouldNotBeComputed) {
  struct Abstention {
    const char* what;
    std::function<TablesBuilder()> tables;
    Code code;
    FindingClock clock;
    std::string sentence;
  };
  const std::vector<Abstention> abstentions = {
      {"few",
       [] {
         return HostIterations({100, 100});
       },
       Code::kFirstIterationDiffers, kHost, "2 iterations have a host time; at least 5 are needed"},
      {"one", [] { return HostIterations({100}); }, Code::kIterationsDrift, kHost,
       "1 iteration has a host time; at least 8 are needed"},
      {"none", [] { return Ranges(3, Letters, 5000); }, Code::kIterationsVary, kHost,
       "no iteration has a host time"},
      {"no projection", [] { return HostIterations(kSteady); }, Code::kOutlierIterations,
       kProjected, "no iteration has a projected time"},
      {"few for the last",
       [] {
         return HostIterations({100, 100});
       },
       Code::kIncompleteLastIteration, kHost,
       "2 iterations have a host time; at least 3 are needed"},
      {"the first has no projection",
       [] {
         TablesBuilder builder = HostIterations({50, 50, 50, 50, 50, 50, 50});
         for (int64_t id = 3; id <= 8; ++id) {
           builder.Projected(id, 1, "iteration " + std::to_string(id - 2),
                             id == 3 ? 900'000 : 100'000 + id * 100);
         }
         return builder;
       },
       Code::kFirstIterationDiffers, kProjected, "iteration 0, the first, has no projected time"},
      {"no spread",
       [] {
         return HostIterations({100, 100, 100, 100, 100, 100, 400});
       },
       Code::kOutlierIterations, kHost,
       "the median absolute deviation of the host time is 0: at least half of the 7 iterations "
       "took 100,000 ns, so there is no modified z-score"},
      {"no spread behind the first",
       [] {
         return HostIterations({400, 100, 100, 100, 100});
       },
       Code::kFirstIterationDiffers, kHost,
       "the median absolute deviation of the other 4 is 0, so there is no modified z-score; the "
       "host time of iteration 0 is 400,000 ns, their median 100,000 ns"},
      {"no mean",
       [] {
         return HostIterations({-100, 100, -50, 50, 0});
       },
       Code::kIterationsVary, kHost, "the mean is 0, so there is no coefficient of variation"},
  };
  for (const Abstention& test : abstentions) {
    SCOPED_TRACE(test.what);
    TablesBuilder builder = test.tables();
    const Outcome run = AnalyseCapture(builder);
    ASSERT_TRUE(run.result.ok());
    const Finding* finding = Find(run.analysis(), test.code, test.clock);
    ASSERT_NE(finding, nullptr);
    EXPECT_FALSE(finding->computed);
    EXPECT_EQ(finding->severity, FindingSeverity::kInfo);
    EXPECT_EQ(finding->sentence, test.sentence);
    EXPECT_TRUE(finding->numbers.empty());
    EXPECT_TRUE(finding->iterations.empty() && finding->paths.empty());
  }
}

TEST(Findings, FindNothingInEqualTimes) {
  TablesBuilder builder = ProjectedIterations(std::vector<int64_t>(9, 50));
  const Outcome run = AnalyseCapture(builder);
  Strings words;
  for (const Finding& finding : run.analysis().findings) {
    words.emplace_back(Describe(finding.code).word);
  }
  EXPECT_EQ(words, Strings{"one-run"});
}

TEST(Findings, NameTheTopmostRangesThatTheLastIterationLacks) {
  TablesBuilder builder =
      IterationsWith(Alike(3, {"load", ">copy", "compute", ">gemm 7", ">norm"}, {"load", "extra"}));
  const Outcome run = AnalyseCapture(builder);
  const Finding* finding = Find(run.analysis(), Code::kIncompleteLastIteration, kHost);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->sentence,
            "iteration 3, the last, lacks what each of the other 3 has: 'compute', 'load.copy'");
  EXPECT_EQ(finding->paths, (std::vector<Strings>{{"compute"}, {"load", "copy"}}));
  EXPECT_EQ(finding->rows_total, 3);
  EXPECT_EQ(finding->severity, FindingSeverity::kWarning);
}

TEST(Findings, CountNamesAfterTheRulesThatAreThere) {
  TablesBuilder builder = Ranges(
      60, [](int64_t i) { return "op " + std::to_string(i); }, 10'000);
  Diagnostics diagnostics;
  const Result<model::Analysis> raw =
      Analyze(builder.tables(), HarnessOf("capture"), {.threads = 1}, diagnostics);
  ASSERT_TRUE(raw.ok());
  const Finding* finding = Find(*raw, Code::kManyNames, FindingClock::kNone);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(std::get<int64_t>(finding->numbers.at("rows_count")), 61);
  EXPECT_EQ(std::get<int64_t>(finding->numbers.at("masked_rows_count")), 2);
  EXPECT_EQ(finding->paths, (std::vector<Strings>{{"op 0"}}));

  const AnalyzeOptions masked{.threads = 1, .name_rules = {}, .mask_numbers = true};
  const Result<model::Analysis> grouped =
      Analyze(builder.tables(), HarnessOf("capture"), masked, diagnostics);
  ASSERT_TRUE(grouped.ok());
  EXPECT_EQ(Find(*grouped, Code::kManyNames, FindingClock::kNone), nullptr);
}

TEST(Findings, ListAtMostTenPathsAndCountAll) {
  TablesBuilder builder = Ranges(40, Letters, 1'000);
  const Outcome run = AnalyseCapture(builder);
  const Finding* finding = Find(run.analysis(), Code::kOverheadScaleRanges, kHost);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->paths.size(), kThresholds.most_paths);
  EXPECT_EQ(finding->paths.front(), Strings{"aa"});
  EXPECT_EQ(finding->rows_total, 40);
  EXPECT_EQ(std::get<double>(finding->numbers.at("short_share_ratio")), 40.0 / 41);
}

TEST(Findings, StandInTheOrderOfTheirCodesHostFirst) {
  TablesBuilder builder = ProjectedIterations({1});
  const Outcome run = AnalyseCapture(builder);
  const std::vector<Finding>& findings = run.analysis().findings;
  ASSERT_GT(findings.size(), 8u);
  for (size_t i = 1; i < findings.size(); ++i) {
    const Finding& before = findings[i - 1];
    EXPECT_TRUE(before.code < findings[i].code ||
                (before.code == findings[i].code && before.clock < findings[i].clock));
  }
}

// `rangewise explain` tells the thresholds in words.
TEST(Findings, AreExplainedWithTheirThresholds) {
  const auto says = [](Code code, std::string_view text) {
    const CodeInfo& info = Describe(code);
    return info.explanation.find(text) != std::string_view::npos ||
           info.meaning.find(text) != std::string_view::npos;
  };
  EXPECT_TRUE(says(Code::kFirstIterationDiffers, Format("beyond {}", kThresholds.outlier_z)));
  EXPECT_TRUE(says(Code::kFirstIterationDiffers,
                   Format("at least {} % away", 100 * kThresholds.first_least_change)));
  EXPECT_TRUE(says(Code::kFirstIterationDiffers,
                   Format("from {} iterations", kThresholds.first_fewest_others + 1)));
  EXPECT_TRUE(says(Code::kOutlierIterations, Format("beyond {}", kThresholds.outlier_z)));
  EXPECT_TRUE(says(Code::kOutlierIterations, Format("{} (x - median)", kThresholds.z_factor)));
  EXPECT_TRUE(
      says(Code::kOutlierIterations, Format("from {} iterations", kThresholds.outlier_fewest)));
  EXPECT_TRUE(says(Code::kIterationsDrift, Format("p below {}", kThresholds.drift_p)));
  EXPECT_TRUE(says(Code::kIterationsDrift, Format("at least {}", kThresholds.drift_least_tau)));
  EXPECT_TRUE(says(Code::kIterationsDrift, Format("up to {} values", kMostExact)));
  EXPECT_TRUE(says(Code::kIterationsDrift, Format("from {} iterations", kThresholds.drift_fewest)));
  EXPECT_TRUE(says(Code::kIterationsVary, Format("over {}", kThresholds.vary_cv)));
  EXPECT_TRUE(says(Code::kIterationsVary, Format("from {} iterations", kThresholds.vary_fewest)));
  EXPECT_TRUE(says(Code::kManyNames, Format("{} rows or more", kThresholds.many_fewest)));
  EXPECT_EQ(kThresholds.many_most_left, 0.5);
  EXPECT_TRUE(says(Code::kManyNames, "at most half"));
  EXPECT_EQ(kThresholds.overhead_ns, 2000);
  EXPECT_TRUE(says(Code::kOverheadScaleRanges, "less than 2 µs"));
  EXPECT_EQ(kThresholds.overhead_share, 0.1);
  EXPECT_TRUE(says(Code::kOverheadScaleRanges, "More than a tenth"));
  EXPECT_TRUE(says(Code::kIncompleteLastIteration,
                   Format("from {} iterations", kThresholds.incomplete_fewest)));
}

}  // namespace
}  // namespace rangewise::analysis
