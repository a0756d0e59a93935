#include "artifact/analysis_reader.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "artifact/analysis_in.h"
#include "artifact/analysis_json.h"
#include "artifact/findings_reader.h"
#include "artifact/gpu_work_reader.h"
#include "artifact/json_object.h"
#include "artifact/ranges_reader.h"
#include "artifact/run_reader.h"
#include "artifact/statistics_reader.h"
#include "base/files.h"
#include "base/text.h"

namespace rangewise::artifact {

namespace {

using model::Analysis;
using model::AnalysisFile;
using model::CopyTotal;
using model::Coverage;
using model::HostIteration;
using model::Iteration;
using model::IterationSummary;
using model::KernelTotal;
using model::ProjectedIteration;

constexpr const char* kNoGpuWorkKey =
    "the analysis.json was written by a version that did not compute it";

// The whole file's state: what the parts share, and the paths, which several lists speak of.
struct In : AnalysisIn {
  In(format::JsonReader& json_reader, AnalysisFile& out)
      : AnalysisIn{json_reader, out},
        paths(out.document.tables.names, out.document.analysis.paths) {}

  model::NamePool& names() { return file.document.tables.names; }
  // The grouped ranges, which are there once one of their lists is.
  model::GroupedRanges& grouped() {
    std::optional<model::GroupedRanges>& ranges = file.document.analysis.grouped;
    if (!ranges) {
      ranges.emplace();
      grouped_paths.emplace(ranges->names, ranges->paths);
    }
    return *ranges;
  }

  PathTree paths;
  std::optional<PathTree> grouped_paths;
  bool has_gpu_work_key = false;
};

constexpr JsonKey<In, KernelTotal> kKernelKeys[] = {
    {"cumulative_duration_ns", Presence::kRequired,
     [](In& in, KernelTotal& out) { out.duration_ns = in.json.Int64(); }},
    {"instances", Presence::kRequired,
     [](In& in, KernelTotal& out) { out.instances = ReadCount(in.json); }},
    {"name", Presence::kRequired,
     [](In& in, KernelTotal& out) { out.name = in.names().Intern(in.json.String()); }},
};

model::NameId ReadKind(In& in) {
  return in.json.TakeNull() ? model::kNoName : in.names().Intern(in.json.String());
}

constexpr JsonKey<In, CopyTotal> kCopyKeys[] = {
    {"cumulative_duration_ns", Presence::kRequired,
     [](In& in, CopyTotal& out) { out.duration_ns = in.json.Int64(); }},
    {"destination_memory_kind", Presence::kRequired,
     [](In& in, CopyTotal& out) { out.destination = ReadKind(in); }},
    {"instances", Presence::kRequired,
     [](In& in, CopyTotal& out) { out.instances = ReadCount(in.json); }},
    {"source_memory_kind", Presence::kRequired,
     [](In& in, CopyTotal& out) { out.source = ReadKind(in); }},
    {"total_bytes", Presence::kRequired,
     [](In& in, CopyTotal& out) { out.bytes = ReadCount(in.json); }},
};

template <typename Row, size_t kCount>
std::optional<std::vector<Row>> ReadOptionalRows(In& in, const JsonKey<In, Row> (&keys)[kCount]) {
  if (in.json.TakeNull()) return std::nullopt;
  std::vector<Row> rows;
  in.json.BeginList();
  while (in.json.NextItem()) ReadObject(in, keys, rows.emplace_back());
  return rows;
}

constexpr JsonKey<In, Analysis> kGpuWorkKeys[] = {
    {"kernels", Presence::kRequired,
     [](In& in, Analysis& out) { out.kernels = ReadOptionalRows(in, kKernelKeys); }},
    {"memory_transfers", Presence::kRequired,
     [](In& in, Analysis& out) { out.copies = ReadOptionalRows(in, kCopyKeys); }},
};

// The share is computed again from the operations.
constexpr JsonKey<In, uint64_t> kPartKeys[] = {
    {"operations", Presence::kRequired,
     [](In& in, uint64_t& out) { out = static_cast<uint64_t>(ReadCount(in.json)); }},
};

constexpr JsonKey<In, Coverage> kCoverageKeys[] = {
    {"gpu_operations", Presence::kRequired,
     [](In& in, Coverage& out) { out.gpu_operations = static_cast<uint64_t>(ReadCount(in.json)); }},
    {"in_capture_range", Presence::kRequired,
     [](In& in, Coverage& out) {
       if (!in.json.TakeNull()) ReadObject(in, kPartKeys, out.in_capture_range.emplace());
     }},
    {"in_ranges", Presence::kRequired,
     [](In& in, Coverage& out) { ReadObject(in, kPartKeys, out.in_ranges); }},
    {"open_ranges_in_capture", Presence::kOptional,
     [](In& in, Coverage& out) {
       if (!in.json.TakeNull())
         out.open_ranges_in_capture = static_cast<uint64_t>(ReadCount(in.json));
     }},
    {"with_api_call", Presence::kRequired,
     [](In& in, Coverage& out) { ReadObject(in, kPartKeys, out.with_api_call); }},
};

constexpr JsonKey<In, HostIteration> kHostIterationKeys[] = {
    {"child_total_ns", Presence::kRequired,
     [](In& in, HostIteration& out) { out.children = {in.json.Int64()}; }},
    {"exclusive_ns", Presence::kRequired,
     [](In& in, HostIteration& out) { out.exclusive = {in.json.Int64()}; }},
    {"inclusive_ns", Presence::kRequired,
     [](In& in, HostIteration& out) { out.inclusive = {in.json.Int64()}; }},
};

constexpr JsonKey<In, ProjectedIteration> kProjectedIterationKeys[] = {
    {"gpu_operation_count", Presence::kRequired,
     [](In& in, ProjectedIteration& out) { out.operations = ReadCount(in.json); }},
    {"host_range_total_ns", Presence::kRequired,
     [](In& in, ProjectedIteration& out) { out.host_range_total = {in.json.Int64()}; }},
    {"projected_ns", Presence::kRequired,
     [](In& in, ProjectedIteration& out) { out.projected = {in.json.Int64()}; }},
};

constexpr JsonKey<In, Iteration> kIterationKeys[] = {
    {"gpu_projection", Presence::kRequired,
     [](In& in, Iteration& out) {
       if (!in.json.TakeNull()) ReadObject(in, kProjectedIterationKeys, out.projection.emplace());
     }},
    {"host", Presence::kRequired,
     [](In& in, Iteration& out) {
       if (!in.json.TakeNull()) ReadObject(in, kHostIterationKeys, out.host.emplace());
     }},
    {"index", Presence::kRequired,
     [](In& in, Iteration& out) { out.index = ReadCount(in.json); }},
};

void ReadIterations(In& in, std::vector<Iteration>& out) {
  in.json.BeginList();
  while (in.json.NextItem()) {
    Iteration iteration;
    ReadObject(in, kIterationKeys, iteration);
    if (in.json.ok() && !out.empty() && out.back().index >= iteration.index) {
      return in.json.Refuse("an index that is not above the one before");
    }
    out.push_back(iteration);
  }
}

constexpr JsonKey<In, IterationSummary> kIterationSummaryKeys[] = {
    {"gpu_projected", Presence::kRequired,
     [](In& in, IterationSummary& out) {
       out.projected = ReadOptionalStatistics<ProjectedNs>(in.json);
     }},
    {"gpu_projected_iterations", Presence::kRequired,
     [](In& in, IterationSummary& out) { out.projected_iterations = ReadCount(in.json); }},
    {"host_exclusive", Presence::kRequired,
     [](In& in, IterationSummary& out) {
       out.host_exclusive = ReadOptionalStatistics<HostNs>(in.json);
     }},
    {"host_inclusive", Presence::kRequired,
     [](In& in, IterationSummary& out) {
       out.host_inclusive = ReadOptionalStatistics<HostNs>(in.json);
     }},
    {"host_iterations", Presence::kRequired,
     [](In& in, IterationSummary& out) { out.host_iterations = ReadCount(in.json); }},
    {"iterations", Presence::kRequired,
     [](In& in, IterationSummary& out) { out.iterations = ReadCount(in.json); }},
};

// `code: sentence`.
Warning WarningOf(std::string_view text) {
  const size_t colon = text.find(": ");
  if (colon == std::string_view::npos) return {Code::kCount, "", std::string(text)};
  const CodeInfo* known = FindCode(text.substr(0, colon));
  std::string sentence(text.substr(colon + 2));
  if (known != nullptr) return {known->code, std::move(sentence)};
  return {Code::kCount, std::move(sentence), std::string(text.substr(0, colon))};
}

void ReadVersion(In& in, AnalysisFile& /*out*/) {
  const int64_t version = in.json.Int64();
  if (version != kAnalysisSchemaVersion) {
    in.json.Refuse(
        Format("schema_version {}, and {} was expected", version, kAnalysisSchemaVersion));
  }
}

constexpr JsonKey<In, AnalysisFile> kTopKeys[] = {
    {"capture_gpu_work", Presence::kRequired,
     [](In& in, AnalysisFile& out) { ReadObject(in, kGpuWorkKeys, out.document.analysis); }},
    {"coverage", Presence::kOptional,
     [](In& in, AnalysisFile& out) {
       if (!in.json.TakeNull()) ReadObject(in, kCoverageKeys, out.document.coverage.emplace());
     }},
    {"findings", Presence::kOptional,
     [](In& in, AnalysisFile& out) {
       out.document.analysis.findings = ReadFindings(in.json);
       out.has_findings = true;
     }},
    {"gpu_projected_ranges", Presence::kRequired,
     [](In& in, AnalysisFile& out) {
       ReadProjectedRanges(in.json, in.paths, out.document.analysis.projected_groups);
     }},
    {"grouped_gpu_projected_ranges", Presence::kOptional,
     [](In& in, AnalysisFile& /*out*/) {
       model::GroupedRanges& grouped = in.grouped();
       ReadGroupedProjectedRanges(in.json, *in.grouped_paths, in.paths, grouped.projected);
     }},
    {"grouped_host_ranges", Presence::kOptional,
     [](In& in, AnalysisFile& /*out*/) {
       model::GroupedRanges& grouped = in.grouped();
       ReadGroupedHostRanges(in.json, *in.grouped_paths, in.paths, grouped.host);
     }},
    {"host_ranges", Presence::kRequired,
     [](In& in, AnalysisFile& out) {
       ReadHostRanges(in.json, in.paths, out.document.analysis.host_groups);
     }},
    {"iteration_summary", Presence::kRequired,
     [](In& in, AnalysisFile& out) {
       IterationSummary& summary = out.document.analysis.iteration_summary;
       ReadObject(in, kIterationSummaryKeys, summary);
       const bool of_none = (summary.projected && summary.projected_iterations == 0) ||
                            (summary.host_inclusive && summary.host_iterations == 0);
       if (in.json.ok() && of_none) in.json.Refuse("statistics of no iteration");
     }},
    {"iterations", Presence::kRequired,
     [](In& in, AnalysisFile& out) { ReadIterations(in, out.document.analysis.iterations); }},
    {"provenance", Presence::kRequired,
     [](In& in, AnalysisFile& /*out*/) { ReadProvenance(in); }},
    {"range_gpu_work", Presence::kOptional,
     [](In& in, AnalysisFile& out) {
       in.has_gpu_work_key = true;
       out.document.analysis.gpu_work = ReadRangeGpuWork(in.json, {.names = in.names(),
                                                                   .paths = in.paths,
                                                                   .grouped_paths = [&]() -> auto& {
                                                                     in.grouped();
                                                                     return *in.grouped_paths;
                                                                   }});
     }},
    {"range_gpu_work_reason", Presence::kOptional,
     [](In& in, AnalysisFile& out) {
       out.document.analysis.no_gpu_work = ReadOptionalText(in.json).value_or("");
     }},
    {"run", Presence::kRequired, [](In& in, AnalysisFile& /*out*/) { ReadRun(in); }},
    {"schema_version", Presence::kRequired, ReadVersion},
    {"warnings", Presence::kRequired,
     [](In& in, AnalysisFile& out) {
       in.json.BeginList();
       while (in.json.NextItem()) out.document.warnings.push_back(WarningOf(in.json.String()));
     }},
};

}  // namespace

Result<AnalysisFile> ReadAnalysis(format::ByteSource source, std::string file_name) {
  format::JsonReader json(std::move(source), std::move(file_name), Code::kNotAnAnalysis);
  AnalysisFile file;
  In in(json, file);
  ReadObject(in, kTopKeys, file);
  if (!in.has_gpu_work_key) file.document.analysis.no_gpu_work = kNoGpuWorkKey;
  Status read = json.Finish();
  if (!read.ok()) return NoDocument(std::move(read).error());
  return file;
}

Result<AnalysisFile> ReadAnalysisFile(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(const InputFile input, InputFile::Open(path));
  uint64_t offset = 0;
  return ReadAnalysis(
      [&](char* buffer, size_t capacity) -> Result<size_t> {
        const size_t count =
            static_cast<size_t>(std::min<uint64_t>(capacity, input.size() - offset));
        RETURN_IF_ERROR(input.ReadAt(offset, buffer, count));
        offset += count;
        return count;
      },
      path.string());
}

}  // namespace rangewise::artifact
