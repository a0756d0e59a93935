// Prints the power table of docs/compare.md: how often `rangewise compare` finds a true change, by
// runs a side, size of the change and noise between runs, for the primary metric and for one range
// among 100. Seeded; the noise of a run is lognormal, the sides take turns.
//
//   power [COMPARISONS=2000]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "analysis/compare.h"
#include "base/text.h"

namespace rangewise {
namespace {

using model::RunSummary;
using model::Verdict;

constexpr size_t kRanges = 100;
constexpr size_t kChanged = 37;

double Normal(std::mt19937_64& random) {
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

std::vector<RunSummary> Cohort(int runs, int first) {
  std::vector<RunSummary> cohort;
  for (int i = 0; i < runs; ++i) {
    RunSummary run;
    run.label = run.digest = Format("run {}", first + 2 * i);
    run.started_at = Format("2026-01-31T10:{:02}:00Z", first + 2 * i);
    for (const std::string_view key : model::kContractKeys)
      run.contract.emplace(std::string(key), Value{std::string("same")});
    run.projected_iterations.emplace();
    for (size_t range = 0; range < kRanges; ++range)
      run.projected_ranges.push_back({{Format("range {:03}", range)}, model::Style::kPushPop, {}});
    cohort.push_back(std::move(run));
  }
  return cohort;
}

struct Share {
  double primary = 0;
  double range = 0;
};

Share Power(int runs, double change, double noise, int comparisons, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<RunSummary> sides[2] = {Cohort(runs, 0), Cohort(runs, 1)};
  int primary = 0;
  int range = 0;
  for (int i = 0; i < comparisons; ++i) {
    for (int side = 0; side < 2; ++side) {
      const double factor = side == 1 ? 1 + change : 1;
      for (RunSummary& run : sides[side]) {
        run.projected_iterations->median_ns = 1e7 * factor * std::exp(noise * Normal(random));
        for (size_t at = 0; at < kRanges; ++at) {
          run.projected_ranges[at].projected.median_ns =
              1e6 * (at == kChanged ? factor : 1) * std::exp(noise * Normal(random));
        }
      }
    }
    const model::Comparison comparison = analysis::Compare(sides[0], sides[1], {});
    primary += comparison.verdict == Verdict::kRegressed ? 1 : 0;
    range += comparison.projected.rows[kChanged].verdict == Verdict::kRegressed ? 1 : 0;
  }
  return {100.0 * primary / comparisons, 100.0 * range / comparisons};
}

int Main(int argc, char** argv) {
  const int comparisons = argc > 1 ? std::atoi(argv[1]) : 2000;
  if (comparisons < 1) return 2;
  std::fputs("| change | noise | 5 runs | 6 | 8 | 10 | 12 |\n|---|---|---|---|---|---|---|\n",
             stdout);
  uint64_t seed = 20261130;
  for (const double change : {0.04, 0.05, 0.1}) {
    for (const double noise : {0.01, 0.03}) {
      std::string line = Format("| {:.0f} % | {:.0f} % |", change * 100, noise * 100);
      for (const int runs : {5, 6, 8, 10, 12}) {
        const Share share = Power(runs, change, noise, comparisons, seed++);
        line += Format(" {:.0f} / {:.0f} |", share.primary, share.range);
      }
      std::fputs((line + "\n").c_str(), stdout);
    }
  }
  return 0;
}

}  // namespace
}  // namespace rangewise

int main(int argc, char** argv) { return rangewise::Main(argc, argv); }
