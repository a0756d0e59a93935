// Owns made-up runs for tests of comparisons.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/comparison.h"
#include "model/run_summary.h"

namespace rangewise::test_support {

// The observation of a metric whose median is `ns`.
template <typename Ns>
model::Observation<Ns> Observed(double ns) {
  const auto whole = static_cast<int64_t>(ns);
  return {.median_ns = ns,
          .instances = 10,
          .minimum = Ns{whole - 10},
          .maximum = Ns{whole + 10},
          .stddev_ns = 5};
}

// A whole contract with the values of the sample smoke-local.
ValueMap SampleContract();

// Run number `number`, begun `number` minutes after a fixed time: iterations of `host_ns` on the
// host, and of `projected_ns` in the projection unless that is 0. No ranges.
model::RunSummary MakeRun(int number, double host_ns, double projected_ns = 0);

// As many runs as values, numbered from `first` by steps of `step`.
std::vector<model::RunSummary> MakeCohort(const std::vector<double>& host_ns, int first,
                                          int step = 2);

// Five runs around 1 ms and five around 1.2 ms, interleaved.
std::vector<model::RunSummary> Fast();
std::vector<model::RunSummary> Slow();

bool Has(const model::Comparison& comparison, model::Caveat caveat);
// The row of `key`, which a test that lacks it fails of.
const model::ContractRow& RowOf(const model::Comparison& comparison, std::string_view key);

// Adds a range to both tables of a run.
void AddRange(model::RunSummary& run, const model::RangePath& path, double host_ns,
              double projected_ns);

// A run's total as a comparison takes it.
template <typename Ns>
model::Observation<Ns> TotalOf(int64_t ns) {
  return {
      .median_ns = static_cast<double>(ns), .instances = 1, .minimum = Ns{ns}, .maximum = Ns{ns}};
}

// Adds a range to a run's GPU work, which is there from then on: kernels of `kernels_ns`, busy for
// nine tenths of it, waits of a third and exposed communication of a fifth.
void AddGpuWork(model::RunSummary& run, const model::RangePath& path, int64_t kernels_ns);

}  // namespace rangewise::test_support
