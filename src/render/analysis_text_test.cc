#include "render/analysis_text.h"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <string>

#include "base/text.h"
#include "render/character_width.h"
#include "support/sample_document.h"

namespace rangewise::render {
namespace {

using test_support::AddPath;
using test_support::Single;
using test_support::SmokeDocument;

TEST(AnalysisText, SummarisesARun) {
  EXPECT_EQ(RenderAnalyzeSummary(SmokeDocument()),
            R"(Run smoke-local (profile smoke-tensor, device cuda:0, commit abc123)
Tables: made by nsys in this analysis; NVIDIA Nsight Systems version 2025.1.3.140-251335620677v0
Capture range 'profile-target'
1 warning:
  nsys-version-unvalidated: Nsight Systems 2099.1 — 'Zukünftiges' is not one of 2023.2 to 2026.3

Iterations: 2 (2 with a host range, 2 with a GPU projection)
                      total      mean    median   minimum   maximum  std. dev.
  host, inclusive  570.0 us  285.0 us  285.0 us  138.1 us  432.0 us   207.8 us
  GPU projection   291.3 us  145.7 us  145.7 us  99.71 us  191.6 us   64.99 us
  Host time is CPU time between push and pop, not GPU latency. A GPU projection spans the first to
  the last GPU operation launched inside a range: it is not busy time. Never combine the two clocks,
  and never add the totals of a range and its children.

  exclusive  inclusive  ranges  host ranges, by exclusive host time
   277.3 us   277.3 us       4  smoke multiply
   131.7 us   131.7 us       4  smoke reduction
   130.8 us   700.8 us       1  profile-target

  projected  GPU operations  ranges  GPU projections, by projected time
   336.4 us               8       1  profile-target
   16.19 us               4       4  smoke reduction
   7.872 us               4       4  smoke multiply

Kernels: 1 launch in 1 name; copies: 2, 2.000 MiB (whole capture)
)");
}

TEST(AnalysisText, SaysWhatWasNotMeasured) {
  EXPECT_EQ(RenderAnalyzeSummary(model::AnalysisDocument{}),
            R"(Run without a run_id
Tables: CSV files that were there already; version of Nsight Systems not known
No capture range: scopes start at each top-level range
No warnings

Iterations: none found
  Host time is CPU time between push and pop, not GPU latency. A GPU projection spans the first to
  the last GPU operation launched inside a range: it is not busy time. Never combine the two clocks,
  and never add the totals of a range and its children.

Host ranges: none outside of iterations

No GPU projection: not measured

Kernels: not known; copies: not known (whole capture)
)");
}

TEST(AnalysisText, AnUnmeasuredProjectionIsNoZero) {
  model::AnalysisDocument document = SmokeDocument();
  document.analysis.projected_groups.clear();
  document.analysis.iteration_summary.projected.reset();
  document.analysis.iteration_summary.projected_iterations = 0;
  document.analysis.kernels.emplace();
  document.analysis.copies.emplace();
  const std::string text = RenderAnalyzeSummary(document);
  EXPECT_NE(text.find("Iterations: 2 (2 with a host range, 0 with a GPU projection)\n"),
            std::string::npos);
  EXPECT_NE(text.find("\n  GPU projection   not measured\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nNo GPU projection: not measured\n"), std::string::npos);
  EXPECT_NE(text.find("\nKernels: none; copies: none (whole capture)\n"), std::string::npos);
  EXPECT_EQ(text.find("0 ns"), std::string::npos);
}

TEST(AnalysisText, ShowsTheLargestFiveGroupsOfEachClock) {
  model::AnalysisDocument document;
  for (const int64_t total : {3000, 5000, 1000, 5000, 2000, 4000, 6000}) {
    const std::string name = "g" + std::to_string(document.analysis.host_groups.size());
    const auto path = AddPath(document, {"outer", name});
    document.analysis.host_groups.push_back(
        {path, 1, Single<HostNs>(total + 1), Single<HostNs>(total), {1}});
    document.analysis.projected_groups.push_back(
        {path, model::Style::kStartEnd, 1, Single<ProjectedNs>(7000 - total), {total}, 2});
  }
  const std::string text = RenderAnalyzeSummary(document);
  EXPECT_NE(
      text.find(
          "  exclusive  inclusive  ranges  host ranges, largest 5 of 7 by exclusive host time\n"
          "   6.000 us   6.001 us       1  outer.g6\n"
          "   5.000 us   5.001 us       1  outer.g1\n"
          "   5.000 us   5.001 us       1  outer.g3\n"
          "   4.000 us   4.001 us       1  outer.g5\n"
          "   3.000 us   3.001 us       1  outer.g0\n\n"),
      std::string::npos)
      << text;
  EXPECT_NE(
      text.find(
          "  projected  GPU operations  ranges  GPU projections, largest 5 of 7 by projected time\n"
          "   6.000 us               2       1  outer.g2 (start/end)\n"
          "   5.000 us               2       1  outer.g4 (start/end)\n"
          "   4.000 us               2       1  outer.g0 (start/end)\n"
          "   3.000 us               2       1  outer.g5 (start/end)\n"
          "   2.000 us               2       1  outer.g1 (start/end)\n\n"),
      std::string::npos)
      << text;
}

TEST(AnalysisText, HostileNamesStayOnTheirLine) {
  model::AnalysisDocument document;
  document.manifest.run_id = "\x1b]0;title\x07run\nsecond line";
  document.harness.capture_range = "\u202egnp.exe";
  document.provenance.nsys_version = "2025\r1";
  document.warnings = {{Code::kInvalidUtf8, "a name\x1b[2J " + std::string(600, 'w') + " ends"}};
  std::string marks = "e";
  for (int i = 0; i < 600; ++i) marks += "\u0301";
  std::string wide;
  for (int i = 0; i < 300; ++i) wide += "漢";
  int64_t total = 5000;
  for (const std::string& name :
       {std::string("\x1b[31mred\x1b[0m"), std::string("two\nlines\u2066x"), std::string(600, 'n'),
        wide, marks}) {
    document.analysis.host_groups.push_back(
        {AddPath(document, {name}), 1, Single<HostNs>(total), Single<HostNs>(total), {0}});
    total -= 1000;
  }
  std::string kept = "e";
  for (int i = 0; i < 8; ++i) kept += "\u0301";
  std::string half;
  for (int i = 0; i < 15; ++i) half += "漢";

  const std::string text = RenderAnalyzeSummary(document);
  EXPECT_EQ(text.substr(0, text.find("\nIterations")),
            "Run \\x1b]0;title\\x07run\\nsecond line\n"
            "Tables: CSV files that were there already; 2025\\r1\n"
            "Capture range '\\u{202e}gnp.exe'\n"
            "1 warning:\n"
            "  invalid-utf8: a name\\x1b[2J\n"
            "    " +
                std::string(47, 'w') + "..." + std::string(46, 'w') +
                "\n"
                "    ends\n");
  const size_t hosts = text.find("  exclusive");
  EXPECT_EQ(text.substr(hosts, text.find("\n\n", hosts) + 1 - hosts),
            "  exclusive  inclusive  ranges  host ranges, by exclusive host time\n"
            "   5.000 us   5.000 us       1  \\x1b[31mred\\x1b[0m\n"
            "   4.000 us   4.000 us       1  two\\nlines\\u{2066}x\n"
            "   3.000 us   3.000 us       1  " +
                std::string(33, 'n') + "..." + std::string(32, 'n') +
                "\n"
                "   2.000 us   2.000 us       1  " +
                half + "漢..." + half +
                "漢\n"
                "   1.000 us   1.000 us       1  " +
                kept + "\n");
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(DisplayWidth(line), 100u) << line;
    EXPECT_EQ(Neutralised(line), line);
  }
}

TEST(AnalysisText, SumsBeyond64BitsAreHeld) {
  model::AnalysisDocument document;
  const auto name = document.tables.names.Intern("k");
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  document.analysis.kernels = {{name, kMax, kMax}, {name, kMax, kMax}};
  document.analysis.copies = {{name, name, 1, kMax, 1}, {name, name, 1, kMax, 1}};
  const std::string text = RenderAnalyzeSummary(document);
  EXPECT_NE(text.find("Kernels: 9,223,372,036,854,775,807 launches in 2 names; copies: 2, "
                      "8,388,608.0 TiB (whole capture)\n"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace rangewise::render
