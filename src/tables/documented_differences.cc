#include "tables/documented_differences.h"

#include <algorithm>

namespace rangewise::tables {
namespace {

using model::ExportTraits;
using model::Report;
using model::TraceRange;

constexpr DocumentedInfo kDocumented[] = {
    {Documented::kNoGpuNames, "no-target-info-gpu",
     "The export has no table TARGET_INFO_GPU: nsys makes no cuda_gpu_trace, ours has the rows."},
    {Documented::kNoCopyLabels, "no-memcpy-labels",
     "The export has no table ENUM_CUDA_MEMCPY_OPER: nsys makes no cuda_gpu_trace, ours has the "
     "rows."},
    {Documented::kNoMemoryLabels, "no-memory-kind-labels",
     "The export has no table ENUM_CUDA_MEM_KIND: nsys makes no cuda_gpu_trace, ours has the "
     "rows."},
    {Documented::kNoGreenContexts, "no-green-context",
     "The export has no column greenContextId: nsys makes no cuda_gpu_trace, ours has the rows."},
    {Documented::kDomainCreatedTwice, "domain-created-twice",
     "Several threads of a process created one domain: nsys fails or has each of its ranges once "
     "per thread, ours has each once."},
    {Documented::kThreadlessRanges, "threadless-ranges",
     "Push/pop ranges of the export have no thread: nsys shows them in nvtx_pushpop_trace without "
     "PID and TID, ours leaves them out."},
    {Documented::kOnlyOpenRanges, "only-open-ranges",
     "No range has an end: nsys fails, ours ends them at the latest start."},
    {Documented::kRowOrder, "row-order",
     "The same rows stand in another order; nsys promises none since 2025.6."},
    {Documented::kCsvForm, "csv-form",
     "The same values are written in another form: quotes, line ends, blank lines, a byte order "
     "mark, text before the header, the order of columns, a header without rows."},
};

// Whether there are ranges that `keep` picks and all of them are open.
template <typename Keep>
bool AllOpen(const std::vector<TraceRange>& ranges, const Keep& keep) {
  bool any = false;
  for (const TraceRange& range : ranges) {
    if (!keep(range)) continue;
    if (range.open == 0) return false;
    any = true;
  }
  return any;
}

}  // namespace

std::span<const DocumentedInfo> AllDocumented() { return kDocumented; }

const DocumentedInfo& Describe(Documented difference) {
  return kDocumented[static_cast<size_t>(difference)];
}

ExportTraits TraitsOf(const model::Trace& trace) {
  const bool memory = trace.tables.copies || trace.tables.sets;
  const bool operations = memory || trace.tables.kernels;
  return {.no_gpu_names = operations && !trace.has_gpu_names,
          .no_copy_labels = trace.tables.copies && !trace.copy_labels,
          .no_memory_labels = memory && !trace.memory_labels,
          .no_green_contexts = operations && !trace.has_green_contexts,
          .domain_created_twice = trace.findings.doubled_domains > 0,
          .threadless_ranges = trace.findings.threadless_ranges > 0,
          .only_open_push_pop =
              AllOpen(trace.ranges, [](const TraceRange& range) { return range.start_end == 0; }),
          .only_open_ranges = AllOpen(
              trace.ranges, [](const TraceRange& range) { return range.ends_elsewhere == 0; })};
}

std::vector<Documented> ReasonsForEmpty(Report report, const ExportTraits& traits) {
  std::vector<Documented> reasons;
  const auto add = [&](bool applies, Documented difference) {
    if (applies) reasons.push_back(difference);
  };
  switch (report) {
    case Report::kGpuTrace:
      add(traits.no_gpu_names, Documented::kNoGpuNames);
      add(traits.no_copy_labels, Documented::kNoCopyLabels);
      add(traits.no_memory_labels, Documented::kNoMemoryLabels);
      add(traits.no_green_contexts, Documented::kNoGreenContexts);
      break;
    case Report::kPushPop:
      add(traits.domain_created_twice, Documented::kDomainCreatedTwice);
      add(traits.only_open_push_pop, Documented::kOnlyOpenRanges);
      break;
    case Report::kGpuProjection:
      add(traits.domain_created_twice, Documented::kDomainCreatedTwice);
      add(traits.only_open_ranges, Documented::kOnlyOpenRanges);
      break;
    case Report::kKernelSummary:
      break;
  }
  return reasons;
}

}  // namespace rangewise::tables
