#include "support/comparisons.h"

#include "analysis/compare.h"
#include "base/text.h"
#include "support/run_summaries.h"

namespace rangewise::test_support {
namespace {

using analysis::Compare;
using analysis::CompareOptions;
using model::Comparison;
using model::RunSummary;
using Runs = std::vector<RunSummary>;

// `count` runs around `host_ns`, numbered from `first` by twos, with projections and three ranges.
Runs Cohort(int count, int first, double host_ns) {
  Runs runs;
  for (int i = 0; i < count; ++i) {
    RunSummary run = MakeRun(first + 2 * i, host_ns + i * 1000.0, host_ns / 2 + i * 700.0);
    AddRange(run, {"load"}, host_ns / 4 + i * 10.0, host_ns / 8 + i * 10.0);
    AddRange(run, {"load", "copy"}, host_ns / 8 + i * 10.0, host_ns / 16 + i * 10.0);
    AddRange(run, {"a.b"}, host_ns / 9 + i * 10.0, host_ns / 19 + i * 10.0);
    runs.push_back(std::move(run));
  }
  return runs;
}

// Its text changes from place to place, so that no two names are the same.
std::string HostileName(size_t number) {
  const std::vector<std::string>& texts = HostileTexts();
  std::string name = texts[number % texts.size()];
  name += Format(" {} ", number);
  name += texts[(number / texts.size()) % texts.size()];
  if (number % 3 == 0) name += std::string(400, 'x');
  if (number % 5 == 0) {
    for (int i = 0; i < 200; ++i) name += "e\xcc\x81\xcc\x82\xcc\x83";
  }
  return name;
}

}  // namespace

const std::vector<std::string>& HostileTexts() {
  static const std::vector<std::string> kTexts = {"</details><script>alert(1)</script>",
                                                  "| a | b |\n|---|",
                                                  "``` ` ```",
                                                  "@everyone #1 https://example.test/",
                                                  "[x](javascript:1)",
                                                  "![i](http://example.test/i)",
                                                  "\x1b[31mred\x07",
                                                  "\xe2\x80\xae"
                                                  "dlrow",
                                                  "<!-- -->",
                                                  "\r\n\r\n# heading",
                                                  "\\| \\` \\",
                                                  "\xff\xfe bytes"};
  return kTexts;
}

Comparison Regression() {
  return Compare(MakeCohort({1.00e6, 1.01e6, 1.02e6, 1.03e6, 1.04e6}, 0),
                 MakeCohort({1.20e6, 1.21e6, 1.22e6, 1.23e6, 1.24e6}, 1), {});
}

Comparison WithoutGpuInOneRun() {
  Runs candidate = Cohort(6, 1, 1e6);
  candidate[2].projected_iterations.reset();
  candidate[2].projected_ranges.clear();
  return Compare(Cohort(6, 0, 2e6), candidate, {});
}

Comparison WithGpuWork(bool one_without) {
  Runs sides[2] = {Cohort(8, 0, 1e6), Cohort(8, 1, 1e6)};
  for (int side = 0; side < 2; ++side) {
    int64_t noise = 0;
    for (RunSummary& run : sides[side]) {
      noise += 1000;
      AddGpuWork(run, {"load"}, (side == 0 ? 1000000 : 1100000) + noise);
      AddGpuWork(run, {"load", "copy"}, 500000 + noise);
    }
  }
  if (one_without) {
    sides[1][2].gpu_work.reset();
    sides[1][2].no_gpu_work = "it was turned off by --gpu-work off";
  }
  return Compare(sides[0], sides[1], {});
}

Comparison Hostile(int ranges) {
  Runs sides[2];
  size_t number = 0;
  for (int side = 0; side < 2; ++side) {
    sides[side] = Cohort(12, side, 1e6 + side * 2e5);
    for (RunSummary& run : sides[side]) {
      run.label = HostileName(number++) + run.label;
      run.commit = HostileName(number++);
      run.id = HostileName(number++);
      if (number % 16 == 3) run.warnings.push_back("missing-iterations");
      ValueMap workload;
      for (int key = 0; key < 50; ++key) {
        workload[HostileName(static_cast<size_t>(key))] =
            Value{ValueMap{{HostileName(number), Value{HostileName(number + 1)}}}};
      }
      run.contract["workload"] = Value{std::move(workload)};
      for (int i = 0; i < ranges; ++i) {
        const auto at = static_cast<size_t>(i);
        AddRange(run, {HostileName(at), HostileName(at + 1)}, 1e5 + static_cast<double>(number),
                 1e4 + static_cast<double>(number));
        AddGpuWork(run, {HostileName(at), HostileName(at + 1)},
                   10000 + static_cast<int64_t>(number));
      }
      if (number % 8 == 5) {
        run.gpu_work.reset();
        run.no_gpu_work = HostileName(number);
      }
      ++number;
    }
  }
  CompareOptions options;
  options.allowed = {"workload"};
  return Compare(sides[0], sides[1], options);
}

std::vector<Comparison> SampleComparisons() {
  std::vector<Comparison> comparisons = {Regression(), WithoutGpuInOneRun(), Hostile(3),
                                         WithGpuWork(false), WithGpuWork(true)};
  const auto add = [&](const Runs& baseline, const Runs& candidate, CompareOptions options = {}) {
    comparisons.push_back(Compare(baseline, candidate, options));
  };
  add(Cohort(8, 0, 1e6), Cohort(8, 1, 1e6));
  add(Cohort(8, 0, 1e6), Cohort(8, 1, 0.9e6));
  add(Cohort(6, 0, 1e6), Cohort(6, 1, 1.02e6));
  add(Cohort(1, 0, 1e6), Cohort(1, 1, 1e6));
  add(Cohort(3, 0, 1e6), Cohort(4, 1, 1e6));
  add({}, Cohort(5, 1, 1e6));
  add(Cohort(5, 0, 900), Cohort(5, 1, 1800));
  const Runs same = Cohort(5, 0, 1e6);
  add(same, same);

  Runs other = Cohort(6, 100, 1e6);
  for (RunSummary& run : other) {
    run.contract["workload"] = Value{std::string("other")};
    run.contract.erase("device");
    run.commit = "commit-000";
    run.projected_ranges.pop_back();
    run.host_ranges.front().path = {"new"};
    run.host_ranges.back().exclusive.median_ns = -4;
  }
  other.push_back(other.front());
  other.back().label = "again";
  other[1].warnings.push_back("stale-reports");
  add(Cohort(6, 0, 1e6), other);
  CompareOptions options;
  options.allowed = {"workload", "device"};
  options.floor = analysis::FloorFromNoise{};
  options.primary = model::MetricKey{.metric = model::Metric::kProjected, .path = {"load"}};
  add(Cohort(12, 0, 1e6), other, options);
  Runs doubtful = Cohort(6, 1, 1e6);
  doubtful[1].id = doubtful[0].id;
  doubtful[2].warnings = {"missing-iterations", "negative-duration"};
  doubtful[3].host_ranges.front().inclusive.instances = 100;
  doubtful.push_back(doubtful[4]);
  doubtful.back().label = "the same with other numbers";
  doubtful.back().host_iterations->median_ns += 1;
  add(Cohort(6, 0, 1e6), doubtful, {.allowed = {"missing-iterations"}});
  Runs gaps = Cohort(12, 0, 1e6);
  add(gaps, Cohort(12, 1, 1e6), {.floor = analysis::FloorFromNoise{}});
  gaps[3].projected_iterations->median_ns = 0;
  add(gaps, Cohort(12, 1, 1e6), {.floor = analysis::FloorFromNoise{}});
  gaps[3].projected_iterations.reset();
  add(gaps, Cohort(12, 1, 1e6), {.floor = analysis::FloorFromNoise{}});
  options.primary = model::MetricKey{.metric = model::Metric::kHostInclusive, .path = {"nowhere"}};
  options.floor = 0.1;
  add(Cohort(6, 0, 1e6), other, options);
  return comparisons;
}

std::vector<model::NoiseReport> SampleNoiseReports() {
  Runs differing = Cohort(12, 0, 1e6);
  differing[3].contract["device"] = Value{std::string("another")};
  differing[4].warnings.push_back("stale-reports");
  differing.push_back(differing.front());
  return {analysis::CompareWithItself(Cohort(10, 0, 1e6), {}),
          analysis::CompareWithItself(Cohort(30, 0, 1e6), {}),
          analysis::CompareWithItself(Cohort(9, 0, 1e6), {}),
          analysis::CompareWithItself(differing, {}), analysis::CompareWithItself({}, {})};
}

}  // namespace rangewise::test_support
