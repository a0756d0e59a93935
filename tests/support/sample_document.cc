#include "support/sample_document.h"

#include <string>

namespace rangewise::test_support {

namespace {

// What the tests expect of an even number of instances.
struct Even {
  int64_t total;
  double mean;
  int64_t median_low;
  int64_t median_high;
  int64_t minimum;
  int64_t maximum;
  double deviation;
  double p90;
  double p95;
  double p99;
  double mad;
};

template <typename Ns>
model::Statistics<Ns> Of(const Even& even) {
  return {.total = {even.total},
          .minimum = {even.minimum},
          .maximum = {even.maximum},
          .mean_ns = even.mean,
          .stddev_ns = even.deviation,
          .median_low = {even.median_low},
          .median_high = {even.median_high},
          .median_is_whole = false,
          .p90_ns = even.p90,
          .p95_ns = even.p95,
          .p99_ns = even.p99,
          .mad_ns = even.mad};
}

Value Int(const char* digits) { return {Integer{digits}}; }
Value Text(const char* text) { return {std::string(text)}; }

model::Manifest SmokeManifest() {
  model::Manifest manifest;
  manifest.profile_name = "smoke-tensor";
  manifest.run_id = "smoke-local";
  manifest.device = "cuda:0";
  manifest.git_commit = "abc123";
  manifest.capture_range = "profile-target";
  manifest.capture_range_given = true;
  manifest.record_count = 2;
  manifest.record_ids_digest = "0123456789abcdef0123456789abcdef";
  manifest.workload = {{"iterations", Int("2")},
                       {"record_loading", Text("eager")},
                       {"seed", Int("1000000000000000000000000000000")},
                       {"validate_output", {true}},
                       {"warmup", Int("1")}};
  manifest.cuda = {{"synchronize_after_capture", {true}}, {"synchronize_each_iteration", {false}}};
  manifest.target =
      ValueMap{{"import_path", {}}, {"name", Text("smoke-tensor")}, {"profile_prepare", {false}}};
  manifest.data_source = ValueMap{
      {"description",
       {ValueMap{{"record_count", Int("2")}, {"tensor_shape", {ValueList{Int("4"), Int("4")}}}}}},
      {"name", Text("dummy")}};
  manifest.expected_iterations = 2;
  manifest.started_at = "2025-06-01T12:00:00Z";
  manifest.name_rules = {{"step \\d+", "step"}};
  return manifest;
}

model::Provenance SmokeProvenance() {
  model::Provenance provenance;
  provenance.nsys_version = "NVIDIA Nsight Systems version 2025.1.3.140-251335620677v0";
  provenance.manifest_path = "manifest.yaml";
  provenance.trace_path = "trace.nsys-rep";
  for (const model::Report report : model::kReports) {
    provenance.reports[std::string(model::ReportName(report))] =
        "stats/" + model::ReportFileName(report);
  }
  provenance.source = model::ReportSource::kNsys;
  provenance.inputs = {{"manifest.yaml", {840, "00112233445566778899aabbccddeeff"}},
                       {"stats/nsys_nvtx_pushpop_trace.csv",
                        {uint64_t{1} << 40, "ffeeddccbbaa99887766554433221100"}}};
  provenance.options = {{"capture_range", "profile-target"}};
  return provenance;
}

}  // namespace

model::ScopePath AddPath(model::AnalysisDocument& document,
                         std::initializer_list<std::string_view> names) {
  model::ScopePath path = model::kRootPath;
  for (const std::string_view name : names) {
    document.analysis.paths.push_back({path, document.tables.names.Intern(name, model::kDefaultDomain)});
    path = static_cast<model::ScopePath>(document.analysis.paths.size() - 1);
  }
  return path;
}

model::AnalysisDocument SmokeDocument() {
  model::AnalysisDocument document;
  document.manifest = SmokeManifest();
  document.harness = {
      .capture_range = "profile-target", .iteration_pattern = {}, .expected_iterations = 2};
  document.provenance = SmokeProvenance();
  document.warnings = {{Code::kNsysVersionUnvalidated,
                        "Nsight Systems 2099.1 — 'Zukünftiges' is not one of 2023.2 to 2026.3"}};
  const model::ScopePath capture = AddPath(document, {"profile-target"});
  const model::ScopePath multiply = AddPath(document, {"smoke multiply"});
  const model::ScopePath reduction = AddPath(document, {"smoke reduction"});
  const Even multiply_host = {277292, 69323.0,           22943,    23985,     20188,
                              210176, 93915.66159414875, 154318.7, 182247.35, 204590.27,
                              1898.5};
  const Even reduction_host = {131708,  32927.0,  23394,    24015, 20509, 63790, 20631.96004584473,
                               51857.5, 57823.75, 62596.75, 1753.0};

  model::Analysis& analysis = document.analysis;
  analysis.host_groups = {
      {capture, 1, Single<HostNs>(700839), Single<HostNs>(130796), {570043}},
      {multiply, 4, Of<HostNs>(multiply_host), Of<HostNs>(multiply_host), {0}},
      {reduction, 4, Of<HostNs>(reduction_host), Of<HostNs>(reduction_host), {0}}};
  analysis.projected_groups = {
      {capture, model::Style::kPushPop, 1, Single<ProjectedNs>(336423), {700839}, 8},
      {multiply,
       model::Style::kPushPop,
       4,
       Of<ProjectedNs>({7872, 1968.0, 1920, 1920, 1920, 2112, 96.0, 2054.4, 2083.2, 2106.24, 0.0}),
       {277292},
       4},
      {reduction,
       model::Style::kPushPop,
       4,
       Of<ProjectedNs>({16192, 4048.0, 4000, 4000, 4000, 4192, 96.0, 4134.4, 4163.2, 4186.24, 0.0}),
       {131708},
       4}};
  analysis.iterations = {{0, model::HostIteration{{431993}, {110648}, {321345}},
                          model::ProjectedIteration{{191620}, {431993}, 4}},
                         {1, model::HostIteration{{138050}, {50395}, {87655}},
                          model::ProjectedIteration{{99714}, {138050}, 4}}};
  analysis.iteration_summary = {
      .iterations = 2,
      .host_iterations = 2,
      .projected_iterations = 2,
      .host_inclusive = Of<HostNs>({570043, 285021.5, 138050, 431993, 138050, 431993,
                                    207849.08858231734, 402598.7, 417295.85, 429053.57, 146971.5}),
      .host_exclusive = Of<HostNs>({161043, 80521.5, 50395, 110648, 50395, 110648,
                                    42605.30488683305, 104622.7, 107635.35, 110045.47, 30126.5}),
      .projected = Of<ProjectedNs>({291334, 145667.0, 99714, 191620, 99714, 191620,
                                    64987.355831730834, 182429.4, 187024.7, 190700.94, 45953.0})};

  model::NamePool& names = document.tables.names;
  analysis.kernels = {{names.Intern("void at::native::vectorized_elementwise_kernel<(int)4, "
                                    "at::native::CUDAFunctorOnSelf_add<unsigned char>, "
                                    "std::array<char *, (unsigned long)2>>(int, T2, T3)"),
                       1, 6464}};
  analysis.copies = {{names.Intern("Device"), names.Intern("Pageable"), 1, 1048576, 44031},
                     {names.Intern("Pinned"), names.Intern(""), 1, 1048576, 41280}};
  return document;
}

}  // namespace rangewise::test_support
