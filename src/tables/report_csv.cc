#include "tables/report_csv.h"

#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "base/text.h"
#include "format/csv.h"
#include "tables/csv_duplicates.h"
#include "tables/csv_gpu_trace.h"
#include "tables/csv_kernels.h"
#include "tables/csv_projection.h"
#include "tables/csv_pushpop.h"

namespace rangewise::tables {
namespace {

using model::Report;

Status NeedNvtxTables(const ReadRequest& request) {
  for (const Report report : {Report::kPushPop, Report::kGpuProjection}) {
    if (request.files.contains(report)) continue;
    Error error{Code::kReportMissing,
                Format("the table {} is not there", model::ReportName(report))};
    if (!request.files.empty()) {
      error.where.file =
          (request.files.begin()->second.parent_path() / model::ReportFileName(report)).string();
    }
    return error;
  }
  return Ok();
}

template <typename Range>
Status CheckDuplicates(Report report, const ReadRequest& request, const std::vector<Range>& rows,
                       bool ids_differ) {
  // Row ids are unique in one export, so the sorting is for tables of other makers.
  if (ids_differ || !HasDuplicates<Range>(rows)) return Ok();
  return DuplicateRange(report, request.files.at(report), request.version_text);
}

template <typename Range>
void Renumber(const std::vector<uint32_t>& renumbered, std::vector<Range>& rows) {
  for (Range& row : rows) row.thread = renumbered[row.thread] & (model::kMostThreads - 1);
}

// Threads in ascending order, so that their numbers do not depend on which was met first.
void SortThreads(const SharedInterning& shared, model::ReportTables& tables) {
  std::vector<uint32_t> renumbered;
  tables.threads = shared.SortedThreads(renumbered);
  for (uint32_t index = 0; index < renumbered.size(); ++index) {
    if (renumbered[index] == index) continue;
    Renumber(renumbered, tables.host);
    Renumber(renumbered, tables.projected);
    return;
  }
}

// Names of rows that came from bytes that are not UTF-8. The pool can hold others, of rows that
// were read twice.
void WarnOfInvalidNames(const SharedInterning& shared, const model::ReportTables& tables,
                        Diagnostics& diagnostics) {
  if (!shared.any_invalid()) return;
  std::set<std::string_view> names;
  auto look = [&](model::NameId id) {
    if (shared.IsInvalid(id)) names.insert(tables.names.At(id));
  };
  for (const model::HostRange& row : tables.host) look(row.name);
  for (const model::ProjectedRange& row : tables.projected) look(row.name);
  if (tables.kernels) {
    for (const model::KernelTotal& row : *tables.kernels) look(row.name);
  }
  if (tables.copies) {
    for (const model::CopyTotal& row : *tables.copies) {
      look(row.source);
      look(row.destination);
    }
  }
  if (names.empty()) return;
  diagnostics.Warn(
      Code::kInvalidUtf8,
      Format("{} {} bytes that are not UTF-8, shown as \\xNN; the first is {}", names.size(),
             names.size() == 1 ? "name holds" : "names hold", Quoted(*names.begin())));
}

// A ':' in the names said nothing of domains after all.
void ForgetDomains(model::ReportTables& tables) {
  model::NamePool names;
  std::vector<model::NameId> renamed;
  for (uint32_t id = 0; id < tables.names.size(); ++id)
    renamed.push_back(names.Intern(tables.names.At(model::NameId{id})));
  auto rename = [&](model::NameId& id) { id = renamed[static_cast<uint32_t>(id)]; };
  for (model::HostRange& row : tables.host) rename(row.name);
  for (model::ProjectedRange& row : tables.projected) rename(row.name);
  if (tables.kernels) {
    for (model::KernelTotal& row : *tables.kernels) rename(row.name);
  }
  if (tables.copies) {
    for (model::CopyTotal& row : *tables.copies) {
      rename(row.source);
      rename(row.destination);
    }
  }
  tables.names = std::move(names);
}

void WarnOfMissingKinds(const model::ReportTables& tables, Diagnostics& diagnostics) {
  if (!tables.copies) return;
  int64_t copies = 0;
  for (const model::CopyTotal& total : *tables.copies) {
    if (tables.names.At(total.source).empty() || tables.names.At(total.destination).empty())
      copies += total.instances;
  }
  if (copies == 0) return;
  diagnostics.Warn(
      Code::kCopyKindMissing,
      Format("{} {} no source or destination kind of memory in {}; the kind is null", copies,
             copies == 1 ? "copy has" : "copies have", model::ReportName(Report::kGpuTrace)));
}

// All sinks of one reading.
struct Sinks {
  std::unique_ptr<PushPopSink> host;
  std::unique_ptr<ProjectionSink> projected;
  std::unique_ptr<KernelSink> kernels;  // null: no such file
  std::unique_ptr<GpuTraceSink> trace;  // null: no such file

  format::CsvSink* Of(Report report) const {
    switch (report) {
      case Report::kPushPop:
        return host.get();
      case Report::kGpuProjection:
        return projected.get();
      case Report::kKernelSummary:
        return kernels.get();
      case Report::kGpuTrace:
        return trace.get();
    }
    return nullptr;
  }
};

Sinks MakeSinks(const ReadRequest& request, ReadContext& context, model::ReportTables& tables) {
  Sinks sinks;
  auto file = [&](Report report) { return request.files.at(report); };
  sinks.host = std::make_unique<PushPopSink>(file(Report::kPushPop), context, tables.host);
  sinks.projected =
      std::make_unique<ProjectionSink>(file(Report::kGpuProjection), context, tables.projected);
  if (request.files.contains(Report::kKernelSummary)) {
    tables.kernels.emplace();
    sinks.kernels =
        std::make_unique<KernelSink>(file(Report::kKernelSummary), context, *tables.kernels);
  }
  if (request.files.contains(Report::kGpuTrace)) {
    sinks.trace = std::make_unique<GpuTraceSink>(file(Report::kGpuTrace), context);
  }
  return sinks;
}

// Copies, or why there are none to speak of.
Status TakeCopies(const Sinks& sinks, model::ReportTables& tables, Diagnostics& diagnostics) {
  auto missing = [&](Report report, std::string_view key, const std::string& why) {
    diagnostics.Warn(Code::kMissingGpuTables, Format("{} {}; capture_gpu_work.{} is null",
                                                     model::ReportName(report), why, key));
  };
  if (!sinks.kernels) missing(Report::kKernelSummary, "kernels", "is absent");
  if (!sinks.trace) {
    missing(Report::kGpuTrace, "memory_transfers", "is absent");
    return Ok();
  }
  if (sinks.trace->has_header() && !sinks.trace->in_bytes()) {
    missing(Report::kGpuTrace, "memory_transfers",
            Format("gives memory as {}, not in bytes", Quoted(sinks.trace->bytes_heading())));
    return Ok();
  }
  if (sinks.trace->records() == 0) {
    // nsys leaves the file empty also when the export lacks a table that it wants.
    const bool kernels_ran = sinks.kernels && sinks.kernels->records() > 0;
    if (kernels_ran || sinks.projected->records() > 0) {
      missing(
          Report::kGpuTrace, "memory_transfers",
          Format("has no rows although {} has",
                 model::ReportName(kernels_ran ? Report::kKernelSummary : Report::kGpuProjection)));
      return Ok();
    }
  }
  ASSIGN_OR_RETURN(tables.copies, sinks.trace->Totals());
  return Ok();
}

}  // namespace

Result<ReadResult> ReadReportTables(const ReadRequest& request, Diagnostics& diagnostics) {
  RETURN_IF_ERROR(NeedNvtxTables(request));
  ReadResult result;
  model::ReportTables& tables = result.tables;

  ReadContext context;
  context.version_text = request.version_text;
  const size_t threads = format::CsvThreads(request.threads);
  for (size_t worker = 0; worker < threads; ++worker) context.workers.emplace_back(context.shared);
  const Sinks sinks = MakeSinks(request, context, tables);

  std::vector<format::CsvSource> sources;
  for (const auto& [report, path] : request.files) sources.push_back({path, sinks.Of(report)});
  ASSIGN_OR_RETURN(std::vector<Fingerprint> fingerprints,
                   format::ReadCsvFiles(sources, {static_cast<int>(threads), request.piece_bytes}));
  size_t index = 0;
  for (const auto& [report, path] : request.files)
    result.fingerprints[report] = std::move(fingerprints[index++]);
  context.workers.clear();

  if (tables.host.empty()) {
    Error error{Code::kNoHostRanges,
                Format("the table {} has no rows", model::ReportName(Report::kPushPop))};
    error.where.file = request.files.at(Report::kPushPop).string();
    return error;
  }
  RETURN_IF_ERROR(
      CheckDuplicates(Report::kPushPop, request, tables.host, sinks.host->ids_differ()));
  RETURN_IF_ERROR(CheckDuplicates(Report::kGpuProjection, request, tables.projected,
                                  sinks.projected->ids_differ()));
  RETURN_IF_ERROR(TakeCopies(sinks, tables, diagnostics));

  SortThreads(context.shared, tables);
  tables.names = std::move(context.shared.names());
  tables.names_carry_domains =
      request.version ? request.version->names_carry_domains() : sinks.host->all_names_have_colon();
  WarnOfMissingKinds(tables, diagnostics);
  WarnOfInvalidNames(context.shared, tables, diagnostics);
  if (!tables.names_carry_domains) ForgetDomains(tables);
  return result;
}

}  // namespace rangewise::tables
