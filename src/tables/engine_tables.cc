#include "tables/engine_tables.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "tables/engine_activity.h"
#include "tables/engine_csv.h"
#include "tables/engine_findings.h"
#include "tables/engine_gpu.h"
#include "tables/engine_names.h"
#include "tables/engine_projection.h"
#include "tables/engine_pushpop.h"
#include "tables/engine_tree.h"

namespace rangewise::tables {
namespace {

using model::Report;
using model::Trace;
using model::TraceRange;

// The ranges of one table: all of the trace's where they serve both tables, else those that `keep` picks.
template <typename Keep>
RangeSet Select(const Trace& trace, const Keep& keep) {
  RangeSet set;
  set.begin.push_back(0);
  for (size_t thread = 0; thread + 1 < trace.range_begin.size(); ++thread) {
    for (size_t i = trace.range_begin[thread]; i < trace.range_begin[thread + 1]; ++i) {
      if (keep(trace.ranges[i])) set.ranges.push_back(trace.ranges[i]);
    }
    set.begin.push_back(set.ranges.size());
  }
  return set;
}

bool InPushPopTable(const TraceRange& range) { return range.start_end == 0; }
bool InProjection(const TraceRange& range) { return range.ends_elsewhere == 0; }

// Whether both tables speak of the same ranges with the same ends, so that one forest serves both.
bool OneSetServesBoth(const Trace& trace) {
  return std::all_of(trace.ranges.begin(), trace.ranges.end(), [&](const TraceRange& range) {
    return InPushPopTable(range) && InProjection(range) &&
           (range.open == 0 || trace.push_pop_horizon_ns == trace.horizon_ns);
  });
}

class TableBuilder {
 public:
  TableBuilder(Trace trace, const TableOutputs& outputs, const ComputeOptions& options, Diagnostics& diagnostics)
      : trace_(std::move(trace)),
        outputs_(outputs),
        options_(options),
        diagnostics_(diagnostics),
        threads_(ThreadCount(options.threads)),
        names_(trace_, result_.tables),
        quoted_(QuotedNames(trace_.names)) {}

  Result<ComputedTables> Build() {
    if (trace_.ranges.size() >= kNoRange || trace_.operations.size() >= kNoRange) {
      return Error{.code = Code::kOutOfMemory, .message = "the export has more than 4 billion rows"};
    }
    WarnOfOpenAndCrossThreadRanges(trace_, diagnostics_);
    RETURN_IF_ERROR(WriteGpuTables());
    // In this order operations are gone before the rows of ranges come.
    const bool shared = OneSetServesBoth(trace_);
    RangeSet set;
    if (shared) {
      set.ranges = std::move(trace_.ranges);
      set.begin = trace_.range_begin;
    } else {
      set = Select(trace_, InProjection);
    }
    Step("tree");
    CloseAndSort(set, trace_.horizon_ns, threads_);
    RangeForest forest = BuildForest(set, threads_);
    RETURN_IF_ERROR(WriteProjection(set, forest));
    if (!shared) {
      set = Select(trace_, InPushPopTable);
      Free(trace_.ranges);
      Step("tree");
      CloseAndSort(set, trace_.push_pop_horizon_ns, threads_);
      forest = BuildForest(set, threads_);
    }
    WarnOfIdenticalRanges(set, forest, trace_.names, diagnostics_);
    push_pop_count_ = set.ranges.size();
    Step("write");
    RETURN_IF_ERROR(WritePushPopTable(set, forest, trace_.names, quoted_, names_, threads_, *outputs_.push_pop,
                                      result_.tables.host));
    Finish();
    return std::move(result_);
  }

 private:
  void Step(std::string_view name) {
    if (options_.on_step) options_.on_step(name);
  }

  Status WriteGpuTables() {
    Step("write");
    uint64_t unnamed_kinds = 0;
    // nsys wants strings for both, whether or not a name is needed.
    if (trace_.tables.strings) {
      ASSIGN_OR_RETURN(result_.tables.kernels, WriteKernelSummary(trace_, names_, *outputs_.kernel_summary));
      ASSIGN_OR_RETURN(result_.tables.copies,
                       WriteGpuTrace(trace_, names_, threads_, *outputs_.gpu_trace, unnamed_kinds));
    } else {
      result_.tables.kernels.emplace();
      result_.tables.copies.emplace();
    }
    if (unnamed_kinds > 0) {
      diagnostics_.Warn(Code::kCopyKindMissing,
                        Format("{} memory copies have no source or destination kind", unnamed_kinds));
    }
    operation_count_ = trace_.operations.size();
    // The projection needs only what calls brought, which is in the groups.
    if (!options_.gpu_work) {
      Free(trace_.operations);
      Free(trace_.memory_bytes);
    }
    return Ok();
  }

  Status WriteProjection(const RangeSet& set, const RangeForest& forest) {
    const bool applies = trace_.tables.strings && trace_.tables.ranges && trace_.tables.calls;
    Step("projection");
    ProjectionResult projection;
    if (applies) projection = Project(set, forest, trace_, threads_);
    result_.coverage = CountCoverage(trace_, operation_count_, projection);
    std::vector<uint32_t> captures;
    if (options_.capture_range) captures = CaptureCandidates(trace_, set, *options_.capture_range);
    candidates_ = CountInCandidates(trace_, set, captures);
    if (options_.gpu_work) RETURN_IF_ERROR(MakeActivity(set, forest, captures));
    Free(trace_.operations);
    Free(trace_.operation_groups);
    Free(trace_.calls);
    Free(trace_.groups);
    Step("write");
    return WriteProjectionTable(set, forest, projection, trace_.names, quoted_, names_, threads_,
                                *outputs_.projection, result_.tables.projected);
  }

  Status MakeActivity(const RangeSet& set, const RangeForest& forest, std::span<const uint32_t> captures) {
    const model::ExportTables& has = trace_.tables;
    if (!has.kernels && !has.copies && !has.sets && !has.calls && trace_.graphs.empty()) {
      result_.no_activity = "the export has no table of GPU operations or of CUDA API calls";
      return Ok();
    }
    Step("gpu work");
    Result<model::GpuActivity> activity = BuildActivity(set, forest, captures, names_, trace_);
    if (activity.ok()) {
      result_.activity = std::move(activity).value();
    } else if (activity.error().code == Code::kInterrupted) {
      return std::move(activity).error();
    } else {
      result_.no_activity = activity.error().message;
    }
    return Ok();
  }

  // What can be said once all rows are there.
  void Finish() {
    if (options_.capture_range) {
      const model::HostRange* capture = nullptr;
      size_t found = 0;
      for (const model::HostRange& row : result_.tables.host) {
        if (row.parent_id != model::kNoParent || result_.tables.names.At(row.name) != *options_.capture_range) {
          continue;
        }
        capture = &row;
        ++found;
      }
      if (found == 1) {
        const auto counted = candidates_.find(capture->range_id);
        if (counted != candidates_.end()) {
          result_.coverage.in_capture_range = counted->second.operations;
          result_.coverage.open_ranges_in_capture = counted->second.open_ranges;
        }
      }
    }
    WarnOfFindings(trace_.findings, result_.coverage, diagnostics_);
    if (names_.not_utf8() > 0) {
      diagnostics_.Warn(Code::kInvalidUtf8, Format("{} names hold bytes that are not UTF-8; for example {}",
                                                   names_.not_utf8(), Quoted(names_.not_utf8_example())));
    }
    ExplainEmptyTables();
  }

  void ExplainEmptyTables() {
    const model::ExportTables& has = trace_.tables;
    const auto explain = [&](Report report, std::string reason) { result_.empty[report] = std::move(reason); };
    const std::string no_strings = "the export has no table StringIds";
    const std::string no_ranges = "the export has no NVTX events";
    const std::string no_operations = "the export has no GPU operations";
    if (result_.tables.host.empty()) {
      explain(Report::kPushPop, !has.strings  ? no_strings
                                : !has.ranges ? no_ranges
                                              : WhyNoHostRow());
    }
    if (result_.tables.projected.empty()) {
      explain(Report::kGpuProjection, !has.strings            ? no_strings
                                      : !has.ranges           ? no_ranges
                                      : !has.calls            ? "the export has no CUDA API calls"
                                      : operation_count_ == 0 ? no_operations
                                                              : "no GPU operation was launched inside a range");
    }
    if (result_.tables.kernels->empty()) {
      explain(Report::kKernelSummary, !has.strings ? no_strings : "the export has no kernels");
    }
    if (operation_count_ == 0 || !has.strings) explain(Report::kGpuTrace, !has.strings ? no_strings : no_operations);
  }

  std::string WhyNoHostRow() const {
    if (push_pop_count_ > 0) {
      return Format("all {} push/pop ranges of the export vanish from the table, since they have the start and end of "
                    "another range of their thread or lie in such a range",
                    Grouped(static_cast<int64_t>(push_pop_count_)));
    }
    if (trace_.findings.threadless_ranges > 0) {
      return "the export has no NVTX push/pop ranges that belong to a thread";
    }
    return "the export has no NVTX push/pop ranges";
  }

  Trace trace_;
  const TableOutputs& outputs_;
  const ComputeOptions& options_;
  Diagnostics& diagnostics_;
  int threads_;
  ComputedTables result_;
  ReportNames names_;
  std::vector<bool> quoted_;
  std::map<int64_t, CandidateCounts> candidates_;
  size_t operation_count_ = 0;
  size_t push_pop_count_ = 0;
};

}  // namespace

Result<ComputedTables> ComputeTables(Trace trace, const TableOutputs& outputs, const ComputeOptions& options,
                                     Diagnostics& diagnostics) {
  return TableBuilder(std::move(trace), outputs, options, diagnostics).Build();
}

}  // namespace rangewise::tables
