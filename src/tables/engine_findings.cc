#include "tables/engine_findings.h"

#include <algorithm>
#include <span>

#include "base/text.h"

namespace rangewise::tables {
namespace {

using model::TraceRange;

std::string_view WithoutColon(std::string_view name) {
  if (name.starts_with(':')) name.remove_prefix(1);
  return name;
}

std::string Shown(std::string_view raw_name) { return Quoted(Displayable(WithoutColon(raw_name))); }

std::string Count(uint64_t count, std::string_view noun) {
  return Format("{} {}{}", Grouped(static_cast<int64_t>(count)), noun, count == 1 ? "" : "s");
}

// A share in whole percent, cut off, so that 89.99 % does not read as 90.
int64_t Percent(uint64_t part, uint64_t whole) {
  return static_cast<int64_t>(static_cast<double>(part) * 100.0 / static_cast<double>(whole));
}

}  // namespace

std::vector<uint32_t> CaptureCandidates(const model::Trace& trace, const RangeSet& set,
                                        const std::string& capture_range) {
  constexpr size_t kMost = 64;
  // Names are compared once each, not once per range.
  std::vector<uint8_t> wanted(trace.names.size());
  for (uint32_t i = 0; i < wanted.size(); ++i) {
    wanted[i] = Displayable(WithoutColon(trace.names.At(model::NameId{i}))) == capture_range;
  }
  std::vector<uint32_t> candidates;
  for (uint32_t i = 0; i < set.ranges.size(); ++i) {
    const TraceRange& range = set.ranges[i];
    if (range.start_end != 0 || wanted[static_cast<uint32_t>(range.name)] == 0) continue;
    if (candidates.size() == kMost) return {};
    candidates.push_back(i);
  }
  return candidates;
}

std::map<int64_t, CandidateCounts> CountInCandidates(const model::Trace& trace, const RangeSet& set,
                                                     std::span<const uint32_t> candidates) {
  std::map<int64_t, CandidateCounts> counts;
  std::vector<const TraceRange*> open;
  for (const TraceRange& range : set.ranges) {
    if (range.open != 0) open.push_back(&range);
  }
  std::vector<uint32_t> counted(trace.groups.size(), 0);
  uint32_t round = 0;
  for (const uint32_t candidate : candidates) {
    const TraceRange& range = set.ranges[candidate];
    ++round;
    CandidateCounts& inside = counts[range.row_id];
    for (const TraceRange* other : open) {
      if (other->thread == range.thread && other->start_ns >= range.start_ns && other->start_ns <= range.end_ns)
        ++inside.open_ranges;
    }
    for (size_t i = trace.call_begin[range.thread]; i < trace.call_begin[range.thread + 1]; ++i) {
      const model::ApiCall& call = trace.calls[i];
      if (call.group == model::kNoGroup || call.start_ns < range.start_ns || call.end_ns > range.end_ns ||
          counted[call.group] == round) {
        continue;
      }
      counted[call.group] = round;
      inside.operations += trace.groups[call.group].operations;
    }
  }
  return counts;
}

model::Coverage CountCoverage(const model::Trace& trace, size_t operations, const ProjectionResult& projection) {
  model::Coverage coverage;
  coverage.gpu_operations = operations;
  for (size_t i = 0; i < trace.groups.size(); ++i) {
    if (trace.groups[i].calls > 0) coverage.with_api_call += trace.groups[i].operations;
    if (i < projection.group_in_range.size() && projection.group_in_range[i] != 0) {
      coverage.in_ranges += trace.groups[i].operations;
    }
  }
  return coverage;
}

void WarnOfIdenticalRanges(const RangeSet& set, const RangeForest& forest, const model::NamePool& names,
                           Diagnostics& diagnostics) {
  uint64_t identical = 0;
  uint64_t vanished = 0;
  // The examples are the first pair in time, so that the thread count or row order does not choose them.
  uint32_t example = kNoRange;
  uint32_t other = kNoRange;
  for (uint32_t i = 0; i < set.ranges.size(); ++i) {
    if (forest.level[i] != kNoLevel) continue;
    ++vanished;
    const uint32_t parent = forest.parent[i];
    const TraceRange& range = set.ranges[i];
    if (set.ranges[parent].start_ns != range.start_ns || set.ranges[parent].end_ns != range.end_ns) continue;
    ++identical;
    if (example == kNoRange || range.start_ns < set.ranges[example].start_ns) {
      example = i;
      other = parent;
    }
  }
  if (identical == 0) return;
  diagnostics.Warn(
      Code::kIdenticalRanges,
      Format("{} share start and end with another range of their thread, so nsys omits {} from the host table, "
             "descendants included; for example {} and {}",
             Count(identical, "range"), Count(vanished, "range"), Shown(names.At(set.ranges[example].name)),
             Shown(names.At(set.ranges[other].name))));
}

void WarnOfOpenAndCrossThreadRanges(const model::Trace& trace, Diagnostics& diagnostics) {
  uint64_t open = 0;
  uint64_t cross = 0;
  const TraceRange* open_example = nullptr;
  const TraceRange* cross_example = nullptr;
  for (const TraceRange& range : trace.ranges) {
    if (range.open != 0) {
      ++open;
      if (open_example == nullptr || range.row_id < open_example->row_id) open_example = &range;
    }
    if (range.ends_elsewhere != 0) {
      ++cross;
      if (cross_example == nullptr || range.row_id < cross_example->row_id) cross_example = &range;
    }
  }
  if (open > 0) {
    diagnostics.Warn(Code::kOpenRanges,
                     Format("{} had no end when the capture stopped and {} taken to last until the last time of any "
                            "range; for example {}",
                            Count(open, "range"), open == 1 ? "is" : "are",
                            Shown(trace.names.At(open_example->name))));
  }
  if (cross > 0) {
    diagnostics.Warn(Code::kCrossThreadRanges,
                     Format("{} ended on another thread and {} no part in the projection; for example {}",
                            Count(cross, "range"), cross == 1 ? "takes" : "take",
                            Shown(trace.names.At(cross_example->name))));
  }
}

void WarnOfFindings(const model::ExportFindings& findings, const model::Coverage& coverage,
                    Diagnostics& diagnostics) {
  if (findings.doubled_domains > 0) {
    diagnostics.Warn(Code::kDomainCreatedTwice,
                     Format("{} created by more than one thread of a process; for example {}",
                            findings.doubled_domains == 1
                                ? std::string("1 domain was")
                                : Grouped(static_cast<int64_t>(findings.doubled_domains)) + " domains were",
                            Quoted(Displayable(findings.doubled_domain_example))));
  }
  if (findings.graph_records > 0 || findings.graph_launches > 0) {
    std::string sentence;
    if (findings.graph_launches > 0) {
      sentence = Format("{} without operations of their own (for example {})",
                        Count(findings.graph_launches, "graph launch") + (findings.graph_launches == 1 ? "" : ""),
                        Quoted(Displayable(findings.graph_launch_example)));
    }
    if (findings.graph_records > 0) {
      if (!sentence.empty()) sentence += ", ";
      sentence += Format("{} of whole graphs", Count(findings.graph_records, "record"));
    }
    diagnostics.Warn(Code::kCudaGraphLaunches,
                     sentence + ": that GPU work is in no table; --cuda-graph-trace=node would record it");
  }
  // Operations without ranges at all are no finding: the capture simply has no NVTX.
  if (coverage.gpu_operations > 0 && coverage.in_ranges * 10 < coverage.gpu_operations * 9) {
    diagnostics.Warn(Code::kUnattributedGpuWork,
                     Format("{} of {} ({} %) lie in a range; {} no recorded API call",
                            Grouped(static_cast<int64_t>(coverage.in_ranges)),
                            Count(coverage.gpu_operations, "GPU operation"),
                            Percent(coverage.in_ranges, coverage.gpu_operations),
                            Grouped(static_cast<int64_t>(coverage.gpu_operations - coverage.with_api_call)) +
                                " have"));
  }
}

}  // namespace rangewise::tables
