#include "ingest/export_merge.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace rangewise::ingest {
namespace {

// Distinct values of all workers, ascending.
std::vector<int64_t> Union(const std::vector<ScanWorker>& workers, std::vector<int64_t> ScanWorker::*member) {
  std::vector<int64_t> all;
  for (const ScanWorker& worker : workers) {
    all.insert(all.end(), (worker.*member).begin(), (worker.*member).end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::vector<std::vector<uint32_t>> Places(const std::vector<ScanWorker>& workers,
                                          std::vector<int64_t> ScanWorker::*member,
                                          const std::vector<int64_t>& all) {
  std::vector<std::vector<uint32_t>> maps;
  for (const ScanWorker& worker : workers) {
    std::vector<uint32_t>& map = maps.emplace_back();
    for (const int64_t value : worker.*member) {
      map.push_back(static_cast<uint32_t>(std::lower_bound(all.begin(), all.end(), value) - all.begin()));
    }
  }
  return maps;
}

using DomainKey = std::pair<int64_t, int64_t>;  // domain id, process id

// The name of each domain of each process: that of its earliest creation. Domains that several threads of a
// process created are counted.
std::map<DomainKey, std::string> DomainNames(const std::vector<RangeChunk>& chunks,
                                             model::ExportFindings& findings) {
  struct Best {
    const DomainRow* row = nullptr;
    std::set<int64_t> creators;
  };
  std::map<DomainKey, Best> best;
  for (const RangeChunk& chunk : chunks) {
    for (const DomainRow& row : chunk.domains) {
      Best& known = best[{row.domain, model::ProcessId(row.global_tid)}];
      known.creators.insert(row.global_tid);
      if (known.row == nullptr ||
          std::tie(row.start_ns, row.global_tid) < std::tie(known.row->start_ns, known.row->global_tid)) {
        known.row = &row;
      }
    }
  }
  std::map<DomainKey, std::string> names;
  for (const auto& [key, domain] : best) {
    names[key] = domain.row->name;
    if (domain.creators.size() > 1 && findings.doubled_domains++ == 0) {
      findings.doubled_domain_example = domain.row->name;
    }
  }
  return names;
}

}  // namespace

std::vector<std::vector<uint32_t>> MergeThreads(const std::vector<ScanWorker>& workers, model::Trace& trace) {
  trace.threads = Union(workers, &ScanWorker::threads);
  return Places(workers, &ScanWorker::threads, trace.threads);
}

std::vector<std::vector<uint32_t>> MergeProcesses(const std::vector<ScanWorker>& workers, model::Trace& trace) {
  trace.processes = Union(workers, &ScanWorker::processes);
  return Places(workers, &ScanWorker::processes, trace.processes);
}

std::vector<std::vector<uint32_t>> MergeShapes(const std::vector<ScanWorker>& workers,
                                               const ExportStrings& strings, model::Trace& trace) {
  std::unordered_map<model::OperationShape, uint32_t, ShapeHash> known;
  std::vector<std::vector<uint32_t>> maps;
  for (const ScanWorker& worker : workers) {
    std::vector<uint32_t>& map = maps.emplace_back();
    for (model::OperationShape shape : worker.shapes) {
      if (shape.name != model::kNoName) shape.name = trace.names.Intern(strings.At(shape.name));
      const auto [place, added] = known.emplace(shape, static_cast<uint32_t>(trace.shapes.size()));
      if (added) trace.shapes.push_back(shape);
      map.push_back(place->second);
    }
  }
  return maps;
}

void MoveOperations(std::vector<OperationChunk>& chunks, const std::vector<std::vector<uint32_t>>& shape_maps,
                    const std::vector<std::vector<uint32_t>>& process_maps, model::Trace& trace) {
  for (OperationChunk& chunk : chunks) {
    const auto& shapes = shape_maps[static_cast<size_t>(chunk.worker)];
    const auto& processes = process_maps[static_cast<size_t>(chunk.worker)];
    for (model::GpuOperation operation : chunk.operations) {
      operation.shape = shapes[operation.shape];
      if (operation.process != UINT32_MAX) operation.process = processes[operation.process];
      trace.operations.push_back(operation);
    }
    trace.findings.negative_durations += chunk.negative_durations;
    trace.findings.negative_bytes += chunk.negative_bytes;
    trace.memory_bytes.insert(trace.memory_bytes.end(), chunk.bytes.begin(), chunk.bytes.end());
    chunk = {};
  }
}

void MergeRanges(std::vector<RangeChunk>& chunks, const std::vector<ScanWorker>& workers,
                 const std::vector<std::vector<uint32_t>>& thread_maps, const ExportStrings& strings,
                 model::Trace& trace) {
  const std::map<DomainKey, std::string> domains = DomainNames(chunks, trace.findings);

  std::vector<std::vector<model::NameId>> name_maps;
  std::string full;
  for (const ScanWorker& worker : workers) {
    std::vector<std::string> slot_names;
    for (const DomainKey& slot : worker.domain_slots) {
      const auto found = domains.find(slot);
      slot_names.push_back(found == domains.end() ? "" : found->second);
    }
    std::vector<model::NameId>& map = name_maps.emplace_back();
    map.reserve(worker.range_names.size());
    for (const RangeName& name : worker.range_names) {
      full.assign(slot_names[name.domain_slot]);
      full += ':';
      if (name.text != model::kNoName) {
        full += name.inline_text ? worker.texts.At(name.text) : strings.At(name.text);
      }
      map.push_back(trace.names.Intern(full));
    }
  }

  // A counting sort by thread: the final places are known before the first range moves, and each chunk is freed
  // once its ranges have moved, so that no second copy of all ranges exists.
  std::vector<size_t> counts(trace.threads.size() + 1, 0);
  size_t total = 0;
  int64_t push_pop_horizon = INT64_MIN;
  int64_t horizon = INT64_MIN;
  for (const RangeChunk& chunk : chunks) {
    for (const model::TraceRange& range : chunk.ranges) {
      ++counts[thread_maps[static_cast<size_t>(chunk.worker)][range.thread] + 1];
    }
    total += chunk.ranges.size();
    push_pop_horizon = std::max(push_pop_horizon, chunk.push_pop_horizon_ns);
    horizon = std::max(horizon, chunk.horizon_ns);
    trace.findings.threadless_ranges += chunk.threadless;
  }
  trace.push_pop_horizon_ns = push_pop_horizon == INT64_MIN ? 0 : push_pop_horizon;
  trace.horizon_ns = horizon == INT64_MIN ? 0 : horizon;
  for (size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
  trace.range_begin = counts;
  trace.ranges.resize(total);
  for (RangeChunk& chunk : chunks) {
    const auto& threads = thread_maps[static_cast<size_t>(chunk.worker)];
    const auto& names = name_maps[static_cast<size_t>(chunk.worker)];
    for (model::TraceRange range : chunk.ranges) {
      range.name = names[static_cast<uint32_t>(range.name)];
      range.thread = threads[range.thread] & (model::kMaxThreads - 1);
      trace.ranges[counts[range.thread]++] = range;
    }
    chunk = {};
  }
}

void MergeCalls(std::vector<CallChunk>& chunks, const std::vector<std::vector<uint32_t>>& thread_maps,
                const ExportStrings& strings, model::Trace& trace) {
  std::vector<size_t> counts(trace.threads.size() + 1, 0);
  size_t total = 0;
  for (const CallChunk& chunk : chunks) {
    for (const model::ApiCall& call : chunk.calls) {
      ++counts[thread_maps[static_cast<size_t>(chunk.worker)][call.thread] + 1];
      if (call.group != model::kNoGroup) ++trace.groups[call.group].calls;
    }
    total += chunk.calls.size();
    if (chunk.graph_launches > 0 && trace.findings.graph_launches == 0) {
      const model::NameId name = strings.Find(chunk.graph_launch_name);
      if (name != model::kNoName) trace.findings.graph_launch_example = strings.At(name);
    }
    trace.findings.graph_launches += chunk.graph_launches;
  }
  for (size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
  trace.call_begin = counts;
  trace.calls.resize(total);
  const bool named = std::any_of(chunks.begin(), chunks.end(), [](const CallChunk& chunk) { return !chunk.names.empty(); });
  if (named) trace.call_names.resize(total, model::kNoName);
  std::vector<model::NameId> names;  // by string, as they are met
  const auto name_of = [&](model::NameId string) {
    if (string == model::kNoName) return string;
    const auto at = static_cast<size_t>(static_cast<uint32_t>(string));
    if (at >= names.size()) names.resize(at + 1, model::kNoName);
    if (names[at] == model::kNoName) names[at] = trace.names.Intern(strings.At(string));
    return names[at];
  };
  for (CallChunk& chunk : chunks) {
    const auto& threads = thread_maps[static_cast<size_t>(chunk.worker)];
    for (size_t i = 0; i < chunk.calls.size(); ++i) {
      model::ApiCall call = chunk.calls[i];
      call.thread = threads[call.thread] & (model::kMaxThreads - 1);
      const size_t place = counts[call.thread]++;
      trace.calls[place] = call;
      if (named) trace.call_names[place] = name_of(chunk.names[i]);
    }
    chunk = {};
  }
}

}  // namespace rangewise::ingest
