#include "support/run_summaries.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"

namespace rangewise::test_support {

using model::RunSummary;

ValueMap SampleContract() {
  const auto number = [](std::string digits) { return Value{Integer{std::move(digits)}}; };
  return {
      {"target", Value{ValueMap{{"name", Value{std::string("smoke")}}}}},
      {"data_source", Value{ValueMap{{"name", Value{std::string("synthetic")}}}}},
      {"records",
       Value{ValueMap{{"count", number("2")}, {"ids_digest", Value{std::string("0f0f")}}}}},
      {"workload",
       Value{
           ValueMap{{"iterations", number("10")}, {"seed", number("7")}, {"warmup", number("3")}}}},
      {"cuda", Value{ValueMap{{"synchronize_each_iteration", Value{true}}}}},
      {"capture_range", Value{std::string("capture")}},
      {"iteration_pattern", Value{}},
      {"iterations", number("10")},
      {"name_rules", Value{ValueList{}}},
      {"device", Value{std::string("L4")}},
      {"nsys_version", Value{std::string("2025.1.3")}},
  };
}

RunSummary MakeRun(int number, double host_ns, double projected_ns) {
  RunSummary run;
  run.label = Format("runs/{:03}", number);
  run.digest = Format("digest-{:03}", number);
  run.id = Format("run-{:03}", number);
  run.commit = Format("commit-{:03}", number);
  run.started_at = Format("2026-01-31T{:02}:{:02}:00Z", number / 60, number % 60);
  run.report_source = "csv";
  run.contract = SampleContract();
  run.host_iterations = Observed<HostNs>(host_ns);
  if (projected_ns != 0) run.projected_iterations = Observed<ProjectedNs>(projected_ns);
  return run;
}

std::vector<RunSummary> MakeCohort(const std::vector<double>& host_ns, int first, int step) {
  std::vector<RunSummary> runs;
  for (const double value : host_ns) {
    runs.push_back(MakeRun(first, value));
    first += step;
  }
  return runs;
}

void AddRange(RunSummary& run, const model::RangePath& path, double host_ns, double projected_ns) {
  run.host_ranges.push_back({path, Observed<HostNs>(host_ns), Observed<HostNs>(host_ns / 2)});
  run.projected_ranges.push_back(
      {path, model::Style::kPushPop, Observed<ProjectedNs>(projected_ns)});
}

void AddGpuWork(RunSummary& run, const model::RangePath& path, int64_t kernels_ns) {
  if (!run.gpu_work) run.gpu_work.emplace();
  run.gpu_work->busy_iterations = Observed<GpuNs>(static_cast<double>(kernels_ns) / 10);
  run.gpu_work->ranges.push_back({.path = path,
                                  .busy = TotalOf<GpuNs>(kernels_ns / 10 * 9),
                                  .kernels = TotalOf<GpuNs>(kernels_ns),
                                  .waits = TotalOf<HostNs>(kernels_ns / 3),
                                  .exposed_communication = TotalOf<GpuNs>(kernels_ns / 5)});
}

std::vector<model::RunSummary> Fast() { return MakeCohort({1.00e6, 1.01e6, 1.02e6, 1.03e6, 1.04e6}, 0); }
std::vector<model::RunSummary> Slow() { return MakeCohort({1.20e6, 1.21e6, 1.22e6, 1.23e6, 1.24e6}, 1); }

bool Has(const model::Comparison& comparison, model::Caveat caveat) {
  return std::find(comparison.caveats.begin(), comparison.caveats.end(), caveat) !=
         comparison.caveats.end();
}

const model::ContractRow& RowOf(const model::Comparison& comparison, std::string_view key) {
  static const model::ContractRow kNothing;
  for (const model::ContractRow& row : comparison.contract) {
    if (row.key == key) return row;
  }
  ADD_FAILURE() << "no row " << key;
  return kNothing;
}

}  // namespace rangewise::test_support
