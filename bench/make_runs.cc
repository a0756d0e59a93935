// Writes two cohorts of made-up analyses, FOLDER/before and FOLDER/after with run directories that
// hold an analysis.json each, for timing `rangewise compare`. The same arguments give the same
// bytes.
//
//   make_runs FOLDER RUNS RANGES [gpu]
//
// RANGES counts the scope paths, each with a row on the host and one in the projection; with `gpu`
// each has GPU work, too. The runs take turns; `after` is 8 % slower.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "artifact/analysis_json.h"
#include "base/files.h"
#include "base/text.h"
#include "model/provenance.h"

namespace rangewise {
namespace {

constexpr int64_t kIterations = 20;

// A small generator of our own (SplitMix64's step), so that the bytes do not depend on a library.
class Random {
 public:
  uint64_t Next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  // From 1 - spread to 1 + spread.
  double Factor(double spread) {
    return 1 + spread * (static_cast<double>(Next() >> 11) * 0x1p-52 - 1);
  }

 private:
  uint64_t state_ = 20261130;
};

template <typename Ns>
model::Statistics<Ns> Around(double ns) {
  const auto whole = static_cast<int64_t>(ns);
  return {.total = {whole * kIterations},
          .minimum = {whole - whole / 50},
          .maximum = {whole + whole / 40},
          .mean_ns = ns,
          .stddev_ns = ns / 100,
          .median_low = {whole},
          .median_high = {whole},
          .median_is_whole = true,
          .p90_ns = ns * 1.01,
          .p95_ns = ns * 1.015,
          .p99_ns = ns * 1.02,
          .mad_ns = ns / 150};
}

// Work of `busy_ns` on one device: as many kernels, classes and calls as a path of a training loop
// has.
model::GpuWork WorkOf(double busy_ns, model::NamePool& names) {
  const auto busy = static_cast<int64_t>(busy_ns);
  model::GpuWork work;
  work.total = {.operations = 7 * kIterations,
                .kernels = {6 * kIterations, {busy}},
                .copies = {{kIterations, {busy / 9}}, int64_t{1} << 20},
                .sets = {{}, 0}};
  work.own = work.total;
  work.launches = 7 * kIterations;
  work.copies = {{names.Intern("Host-to-Device"), work.total.copies}};
  for (int kernel = 0; kernel < 5; ++kernel) {
    const auto name = names.Intern(Format("void kernel_{}<float, 128>(float const*, int)", kernel));
    work.largest_kernels.push_back({name, {kIterations, {busy / (5 + kernel)}}});
  }
  work.distinct_kernels = 6;
  work.busy = {busy};
  work.projection = {busy * 2};
  work.devices = {{.device = 0,
                   .operations = work.total.operations,
                   .busy = {busy},
                   .streams = {7, 13},
                   .classes = {{"communication", kIterations, {busy / 5}},
                               {"compute", 5 * kIterations, {busy / 2}},
                               {"copy", kIterations, {busy / 9}}},
                   .communication_overlapped = {busy / 10},
                   .communication_exposed = {busy / 10},
                   .copy_exposed = {busy / 18}}};
  model::CallTimes calls;
  for (model::CallTime& call : calls) call = {2 * kIterations, {busy / 40}};
  work.calls = work.own_calls = calls;
  return work;
}

model::AnalysisDocument MakeRun(int number, bool after, int ranges, bool gpu, Random& random) {
  model::AnalysisDocument document;
  model::Manifest& manifest = document.manifest;
  manifest.run_id = Format("{}-{:03}", after ? "after" : "before", number);
  manifest.device = "cuda:0";
  manifest.git_commit = after ? "22222222" : "11111111";
  manifest.record_count = 1;
  manifest.started_at = Format("2026-01-31T{:02}:{:02}:00Z", number / 30, number % 30 * 2 + after);
  manifest.workload = {{"iterations", {Integer{Format("{}", kIterations)}}}};
  manifest.cuda = {{"synchronize_each_iteration", {false}}};
  manifest.target = ValueMap{{"name", {std::string("made-up")}}};
  manifest.data_source = ValueMap{{"name", {std::string("made-up")}}};
  document.harness.capture_range = "Loop";
  document.provenance.nsys_version = "2025.3.1.90";
  document.provenance.source = model::ReportSource::kSqlite;

  model::Analysis& analysis = document.analysis;
  const double run = random.Factor(0.01) * (after ? 1.08 : 1);
  for (int i = 0; i < ranges; ++i) {
    // Ten ranges of the top level, below each the others.
    const auto path = static_cast<model::ScopePath>(i);
    const model::NameId name = document.tables.names.Intern(Format("range {:05}", i));
    analysis.paths.push_back(
        {i < 10 ? model::kRootPath : static_cast<model::ScopePath>(i % 10), name});
    const double host = 1e5 * (1 + i % 17) * run * random.Factor(0.01);
    analysis.host_groups.push_back({.path = path,
                                    .instances = kIterations,
                                    .inclusive = Around<HostNs>(host),
                                    .exclusive = Around<HostNs>(host / 3)});
    analysis.projected_groups.push_back(
        {.path = path,
         .instances = kIterations,
         .projected = Around<ProjectedNs>(host / 2 * random.Factor(0.01)),
         .operations = 7});
    if (gpu) {
      if (!analysis.gpu_work) analysis.gpu_work.emplace();
      const double busy = host / 4 * kIterations * random.Factor(0.01);
      analysis.gpu_work->paths.push_back({path, WorkOf(busy, document.tables.names)});
    }
  }
  model::IterationSummary& summary = analysis.iteration_summary;
  summary.iterations = summary.host_iterations = summary.projected_iterations = kIterations;
  summary.host_inclusive = Around<HostNs>(5e7 * run);
  summary.host_exclusive = Around<HostNs>(5e5 * run);
  summary.projected = Around<ProjectedNs>(4e7 * run);
  return document;
}

int Main(int argc, char** argv) {
  const bool gpu = argc == 5 && std::string_view(argv[4]) == "gpu";
  const bool counted = argc == 4 || gpu;
  const int runs = counted ? std::atoi(argv[2]) : 0;
  const int ranges = counted ? std::atoi(argv[3]) : 0;
  if (runs < 1 || ranges < 1) {
    std::fputs("usage: make_runs FOLDER RUNS RANGES [gpu]\n", stderr);
    return 2;
  }
  Random random;
  for (int number = 0; number < runs; ++number) {
    for (const bool after : {false, true}) {
      const fs::path folder =
          fs::path(argv[1]) / (after ? "after" : "before") / Format("run-{:03}", number);
      StringOutput out;
      artifact::WriteAnalysisJson(MakeRun(number, after, ranges, gpu, random), out);
      Status status = MakeDirectories(folder);
      if (status.ok()) status = WriteFileAtomically(folder / "analysis.json", out.text());
      if (!status.ok()) {
        std::fputs(Render(status.error()).c_str(), stderr);
        return 1;
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace rangewise

int main(int argc, char** argv) { return rangewise::Main(argc, argv); }
