#include "analysis/run_summary.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "analysis/statistics.h"
#include "base/checked.h"
#include "base/hash.h"
#include "base/text.h"

namespace rangewise::analysis {
namespace {

constexpr std::string_view kCommunicationClass = "communication";  // docs/gpu-work.md

using model::AnalysisDocument;
using model::Observation;
using model::RunSummary;
using model::Statistics;

template <typename Ns>
Observation<Ns> Observe(const Statistics<Ns>& statistics, int64_t instances) {
  return {.median_ns = statistics.median_is_whole ? static_cast<double>(statistics.median_low.ns)
                                                  : model::MedianNs(statistics),
          .instances = instances,
          .minimum = statistics.minimum,
          .maximum = statistics.maximum,
          .stddev_ns = statistics.stddev_ns};
}

model::RangePath PathOf(model::ScopePath path, const std::vector<model::PathNode>& nodes,
                        const model::NamePool& names) {
  model::RangePath steps;
  for (model::ScopePath at = path; at != model::kRootPath; at = nodes[at].parent)
    steps.emplace_back(names.At(nodes[at].name));
  std::reverse(steps.begin(), steps.end());
  return steps;
}

// Empty for the default domain and where the tables do not tell.
std::string DomainOf(model::ScopePath path, const std::vector<model::PathNode>& nodes,
                     const model::NamePool& names) {
  return std::string(names.Domain(nodes[path].name).value_or(""));
}

model::HostRangeSummary Summarise(const model::HostGroup& group,
                                  const std::vector<model::PathNode>& nodes,
                                  const model::NamePool& names) {
  return {PathOf(group.path, nodes, names), Observe(group.inclusive, group.instances),
          Observe(group.exclusive, group.instances), DomainOf(group.path, nodes, names)};
}

model::ProjectedRangeSummary Summarise(const model::ProjectedGroup& group,
                                       const std::vector<model::PathNode>& nodes,
                                       const model::NamePool& names) {
  return {PathOf(group.path, nodes, names), group.style, Observe(group.projected, group.instances),
          DomainOf(group.path, nodes, names)};
}

// A run's total: nothing lies within it that it could be spread over.
template <typename Ns>
Observation<Ns> Total(Ns total) {
  return {.median_ns = static_cast<double>(total.ns),
          .instances = 1,
          .minimum = total,
          .maximum = total};
}

// Nothing where no device has communication, and where the sum needs more than 64 bits.
std::optional<GpuNs> ExposedCommunication(const model::GpuWork& work) {
  std::optional<Int128> total;
  for (const model::DeviceWork& device : work.devices) {
    const bool communicates = std::any_of(
        device.classes.begin(), device.classes.end(), [](const model::ClassTime& of_class) {
          return of_class.operations > 0 && of_class.name == kCommunicationClass;
        });
    if (communicates) total = total.value_or(0) + device.communication_exposed.ns;
  }
  if (!total || *total > INT64_MAX) return std::nullopt;
  return GpuNs{static_cast<int64_t>(*total)};
}

model::GpuRangeSummary Summarise(const model::PathGpuWork& row,
                                 const std::vector<model::PathNode>& nodes,
                                 const model::NamePool& names) {
  const model::GpuWork& work = row.work;
  model::GpuRangeSummary out{.path = PathOf(row.path, nodes, names),
                             .domain = DomainOf(row.path, nodes, names),
                             .has_whole_graphs = work.MayHaveWholeGraphs()};
  if (!out.has_whole_graphs && work.busy) {
    out.busy = Total(*work.busy);
    out.kernels = Total(work.total.kernels.total);
    if (const auto exposed = ExposedCommunication(work))
      out.exposed_communication = Total(*exposed);
  }
  if (work.calls)
    out.waits = Total((*work.calls)[static_cast<size_t>(model::CallClass::kSynchronising)].total);
  return out;
}

std::optional<Observation<GpuNs>> BusyOfIterations(
    const std::vector<model::IterationGpuWork>& iterations) {
  std::vector<int64_t> busy;
  for (const model::IterationGpuWork& iteration : iterations) {
    if (iteration.work.MayHaveWholeGraphs() || !iteration.work.busy) return std::nullopt;
    busy.push_back(iteration.work.busy->ns);
  }
  if (busy.empty()) return std::nullopt;
  const auto statistics = SummariseAs<GpuNs>(busy);
  if (!statistics) return std::nullopt;
  return Observe(*statistics, static_cast<int64_t>(iterations.size()));
}

std::vector<model::GpuRangeSummary> SummariseAll(const std::vector<model::PathGpuWork>& rows,
                                                 const std::vector<model::PathNode>& nodes,
                                                 const model::NamePool& names) {
  std::vector<model::GpuRangeSummary> ranges;
  ranges.reserve(rows.size());
  for (const model::PathGpuWork& row : rows) ranges.push_back(Summarise(row, nodes, names));
  return ranges;
}

model::GpuWorkSummary SummariseGpuWork(const AnalysisDocument& document) {
  const model::Analysis& analysis = document.analysis;
  const model::RangeGpuWork& work = *analysis.gpu_work;
  model::GpuWorkSummary out{
      .busy_iterations = BusyOfIterations(work.iterations),
      .ranges = SummariseAll(work.paths, analysis.paths, document.tables.names)};
  if (analysis.grouped && work.grouped_paths) {
    out.grouped =
        SummariseAll(*work.grouped_paths, analysis.grouped->paths, analysis.grouped->names);
  }
  const auto no_calls = work.null_reasons.find("calls");
  if (no_calls != work.null_reasons.end()) out.no_calls = no_calls->second;
  return out;
}

Value TextOrNull(const std::optional<std::string>& text) { return text ? Value{*text} : Value{}; }

// Rules of the command line group ranges as the manifest's do.
Value NameRules(const AnalysisDocument& document) {
  ValueList rules;
  for (const model::NameRule& rule : document.manifest.name_rules) {
    rules.emplace_back();
    rules.back().data = ValueMap{{"pattern", {rule.pattern}}, {"replace", {rule.replace}}};
  }
  for (const char* option : {"group", "group_numbers"}) {
    const auto given = document.provenance.options.find(option);
    if (given == document.provenance.options.end()) continue;
    rules.emplace_back();
    rules.back().data = ValueMap{{option, {given->second}}};
  }
  return {std::move(rules)};
}

ValueMap ContractOf(const AnalysisDocument& document) {
  const model::Manifest& manifest = document.manifest;
  ValueMap contract;
  const auto record = [&](std::string_view key, Value value) {
    contract.emplace(std::string(key), std::move(value));
  };
  if (manifest.target) record(model::kContractTarget, {*manifest.target});
  if (manifest.data_source) record(model::kContractDataSource, {*manifest.data_source});
  if (manifest.record_count != 0 || manifest.record_ids_digest) {
    record(model::kContractRecords,
           {ValueMap{{"count", {Integer{Format("{}", manifest.record_count)}}},
                     {"ids_digest", TextOrNull(manifest.record_ids_digest)}}});
  }
  if (!manifest.workload.empty()) record(model::kContractWorkload, {manifest.workload});
  if (!manifest.cuda.empty()) record(model::kContractSynchronisation, {manifest.cuda});
  record(model::kContractCaptureRange, TextOrNull(document.harness.capture_range));
  record(model::kContractIterationPattern, TextOrNull(document.harness.iteration_pattern));
  record(model::kContractIterations,
         {Integer{Format("{}", document.analysis.iteration_summary.iterations)}});
  record(model::kContractNameRules, NameRules(document));
  if (manifest.device) record(model::kContractDevice, {*manifest.device});
  if (document.provenance.nsys_version)
    record(model::kContractNsysVersion, {*document.provenance.nsys_version});
  return contract;
}

// Of the inputs, the manifest says nothing of the capture, and tables can be made of one in several
// ways.
std::string DigestOf(const model::Provenance& provenance, std::string file_digest) {
  Hasher128 captures;
  Hasher128 tables;
  bool has_capture = false;
  bool has_tables = false;
  for (const auto& [name, fingerprint] : provenance.inputs) {
    const std::string print = Format("{} {}\n", fingerprint.size_bytes, fingerprint.xxh3_128);
    if (name == provenance.manifest_path || name == "manifest.yaml") continue;
    if (name.starts_with("stats/")) {
      tables.Update(Format("{} {} {}", name.size(), name, print));
      has_tables = true;
    } else {
      captures.Update(print);
      has_capture = true;
    }
  }
  if (has_capture) return captures.Hex();
  return has_tables ? tables.Hex() : file_digest;
}

bool OpenRangeInCapture(const AnalysisDocument& document) {
  const bool warned =
      std::any_of(document.warnings.begin(), document.warnings.end(),
                  [](const Warning& warning) { return warning.code == Code::kOpenRanges; });
  const bool known_elsewhere =
      document.coverage && document.coverage->open_ranges_in_capture == uint64_t{0};
  return warned && !known_elsewhere;
}

}  // namespace

RunSummary SummariseRun(const AnalysisDocument& document, std::string label,
                        std::string file_digest) {
  const model::Analysis& analysis = document.analysis;
  RunSummary run{.label = std::move(label),
                 .digest = DigestOf(document.provenance, std::move(file_digest)),
                 .id = document.manifest.run_id,
                 .commit = document.manifest.git_commit,
                 .started_at = document.manifest.started_at,
                 .report_source = std::string(model::ReportSourceName(document.provenance.source)),
                 .contract = ContractOf(document),
                 .open_range_in_capture = OpenRangeInCapture(document)};
  std::set<std::string> words;
  for (const Warning& warning : document.warnings) words.emplace(warning.Word());
  run.warnings.assign(words.begin(), words.end());

  const model::IterationSummary& iterations = analysis.iteration_summary;
  if (iterations.host_inclusive)
    run.host_iterations = Observe(*iterations.host_inclusive, iterations.host_iterations);
  if (iterations.projected)
    run.projected_iterations = Observe(*iterations.projected, iterations.projected_iterations);
  run.partly_projected = iterations.projected_iterations > 0 &&
                         iterations.projected_iterations < iterations.iterations;
  run.partly_on_host = iterations.host_iterations < iterations.iterations;

  const model::NamePool& names = document.tables.names;
  for (const model::HostGroup& group : analysis.host_groups)
    run.host_ranges.push_back(Summarise(group, analysis.paths, names));
  for (const model::ProjectedGroup& group : analysis.projected_groups)
    run.projected_ranges.push_back(Summarise(group, analysis.paths, names));
  if (analysis.grouped) {
    const model::GroupedRanges& grouped = *analysis.grouped;
    run.grouped_host_ranges.emplace();
    for (const model::GroupedHostRange& row : grouped.host)
      run.grouped_host_ranges->push_back(Summarise(row.group, grouped.paths, grouped.names));
    run.grouped_projected_ranges.emplace();
    for (const model::GroupedProjectedRange& row : grouped.projected)
      run.grouped_projected_ranges->push_back(Summarise(row.group, grouped.paths, grouped.names));
  }
  if (analysis.gpu_work) {
    run.gpu_work = SummariseGpuWork(document);
  } else {
    run.no_gpu_work = analysis.no_gpu_work.empty() ? "it was not computed" : analysis.no_gpu_work;
  }
  return run;
}

}  // namespace rangewise::analysis
