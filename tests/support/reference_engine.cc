#include "support/reference_engine.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <set>

namespace rangewise::test {
namespace {

struct Range {
  int64_t row_id = 0;
  int64_t start = 0;
  int64_t end = 0;
  int64_t tid = 0;
  std::string name;
  std::string style;
  int parent = -1;
  int level = -1;  // -1: its chain of parents never ends
  int64_t duration() const { return end - start; }
};

std::string Field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string Row(const std::vector<std::string>& fields) {
  std::string row;
  for (size_t i = 0; i < fields.size(); ++i) row += (i == 0 ? "" : ",") + Field(fields[i]);
  return row + "\n";
}

std::string Text(int64_t value) { return std::to_string(value); }

std::string DomainName(const RawTrace& raw, const RawEvent& event) {
  std::map<std::pair<int64_t, int64_t>, std::string> creations;  // by start and thread: the first one counts
  for (const RawEvent& other : raw.events) {
    if (other.type == 75 && event.domain && other.domain == event.domain &&
        (other.global_tid >> 24 & 0xFFFFFF) == (event.global_tid >> 24 & 0xFFFFFF)) {
      creations.emplace(std::pair(other.start, other.global_tid), other.text.value_or(""));
    }
  }
  return creations.empty() ? "" : creations.begin()->second;
}

bool Contains(const Range& outer, const Range& inner) {
  return outer.tid == inner.tid && outer.row_id != inner.row_id && outer.start <= inner.start &&
         outer.end >= inner.end;
}

// The ranges of the given types by row id, ended, with parents and levels.
std::vector<Range> Forest(const RawTrace& raw, const std::set<int64_t>& types, bool only_same_thread) {
  int64_t horizon = std::numeric_limits<int64_t>::min();
  for (const RawEvent& event : raw.events) {
    if (types.contains(event.type)) horizon = std::max({horizon, event.start, event.end.value_or(event.start)});
  }
  std::vector<Range> ranges;
  for (const RawEvent& event : raw.events) {
    if (!types.contains(event.type) || (only_same_thread && event.end_global_tid)) continue;
    Range range;
    range.row_id = event.row_id;
    range.start = event.start;
    range.end = event.end.value_or(horizon);
    range.tid = event.global_tid;
    range.name = DomainName(raw, event) + ":" + event.text.value_or("");
    range.style = event.type == 59 || event.type == 70 ? "PushPop" : "StartEnd";
    ranges.push_back(range);
  }
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.row_id < b.row_id; });
  for (Range& range : ranges) {
    for (size_t i = 0; i < ranges.size(); ++i) {
      if (!Contains(ranges[i], range)) continue;
      // By row id ascending, so the first of equal durations stays.
      if (range.parent < 0 || ranges[i].duration() < ranges[static_cast<size_t>(range.parent)].duration()) {
        range.parent = static_cast<int>(i);
      }
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (Range& range : ranges) {
      if (range.level >= 0) continue;
      const int above = range.parent < 0 ? -1 : ranges[static_cast<size_t>(range.parent)].level;
      if (range.parent >= 0 && above < 0) continue;
      range.level = above + 1;
      changed = true;
    }
  }
  return ranges;
}

std::string Stack(const std::vector<Range>& ranges, size_t index) {
  std::string stack;
  for (int at = static_cast<int>(index); at >= 0; at = ranges[static_cast<size_t>(at)].parent) {
    stack = ":" + Text(ranges[static_cast<size_t>(at)].row_id) + stack;
  }
  return stack;
}

std::string Process(const Range& range) { return Text(range.tid >> 24 & 0xFFFFFF); }
std::string Thread(const Range& range) { return Text(range.tid & 0xFFFFFF); }

std::string PushPopTable(const RawTrace& raw) {
  const std::vector<Range> ranges = Forest(raw, {59, 70}, false);
  // Breadth first: roots by row id, then their children by row id, and so on.
  std::vector<size_t> order;
  for (size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].parent < 0) order.push_back(i);
  }
  for (size_t next = 0; next < order.size(); ++next) {
    for (size_t i = 0; i < ranges.size(); ++i) {
      if (ranges[i].parent == static_cast<int>(order[next])) order.push_back(i);
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(ranges[a].start, ranges[a].duration()) < std::pair(ranges[b].start, ranges[b].duration());
  });
  std::string table;
  for (const size_t index : order) {
    const Range& range = ranges[index];
    int64_t in_children = 0;
    int64_t children = 0;
    for (const Range& other : ranges) {
      if (other.parent != static_cast<int>(index)) continue;
      in_children += other.duration();
      ++children;
    }
    std::string dashes;
    for (int i = 0; i < range.level; ++i) dashes += "--";
    table += Row({Text(range.start), Text(range.end), Text(range.duration()), Text(in_children),
                  Text(range.duration() - in_children), range.name, Process(range), Thread(range),
                  Text(range.level), Text(children), Text(range.row_id),
                  range.parent < 0 ? "" : Text(ranges[static_cast<size_t>(range.parent)].row_id),
                  Stack(ranges, index), dashes + range.name});
  }
  if (table.empty()) return "";
  return "Start (ns),End (ns),Duration (ns),DurChild (ns),DurNonChild (ns),Name,PID,TID,Lvl,NumChild,RangeId,"
         "ParentId,RangeStack,NameTree\n" + table;
}

std::string ProjectionTable(const RawTrace& raw) {
  const std::vector<Range> ranges = Forest(raw, {59, 60, 70, 71}, true);
  struct Projected {
    int64_t first = std::numeric_limits<int64_t>::max();
    int64_t last = std::numeric_limits<int64_t>::min();
    std::set<int64_t> correlations;
  };
  std::vector<Projected> projected(ranges.size());
  for (size_t i = 0; i < ranges.size(); ++i) {
    for (const RawCall& call : raw.calls) {
      if (call.global_tid != ranges[i].tid || ranges[i].start > call.start || ranges[i].end < call.end) continue;
      for (const RawOperation& operation : raw.operations) {
        if (!call.correlation || operation.correlation != call.correlation || !operation.global_pid ||
            *operation.global_pid != (call.global_tid & ~int64_t{0xFFFFFF})) {
          continue;
        }
        projected[i].first = std::min(projected[i].first, operation.start);
        projected[i].last = std::max(projected[i].last, operation.end);
        projected[i].correlations.insert(*call.correlation);
      }
    }
  }
  std::string table;
  for (size_t i = 0; i < ranges.size(); ++i) {
    if (projected[i].correlations.empty()) continue;
    int64_t children = 0;
    for (size_t other = 0; other < ranges.size(); ++other) {
      if (ranges[other].parent == static_cast<int>(i) && !projected[other].correlations.empty()) ++children;
    }
    const Range& range = ranges[i];
    const bool levelled = range.level >= 0;
    table += Row({range.name, Text(projected[i].first), Text(projected[i].last - projected[i].first),
                  Text(range.start), Text(range.duration()), range.style, Process(range), Thread(range),
                  Text(static_cast<int64_t>(projected[i].correlations.size())), levelled ? Text(range.level) : "",
                  Text(children), Text(range.row_id),
                  levelled && range.parent >= 0 ? Text(ranges[static_cast<size_t>(range.parent)].row_id) : "",
                  levelled ? Stack(ranges, i) : ""});
  }
  if (table.empty()) return "";
  return "Name,Projected Start (ns),Projected Duration (ns),Orig Start (ns),Orig Duration (ns),Style,PID,TID,"
         "NumGPUOps,Lvl,NumChild,RangeId,ParentId,RangeStack\n" + table;
}

// One decimal, ties away from zero. Test values are small, so scaling by ten is exact enough to see every tie.
std::string Tenth(long double value) {
  const auto tenths = static_cast<int64_t>(std::floor(std::fabs(value) * 10 + 0.5L + 1e-9L));
  return (value < 0 && tenths != 0 ? "-" : "") + Text(tenths / 10) + "." + Text(tenths % 10);
}

std::string KernelTable(const RawTrace& raw) {
  std::map<std::string, std::vector<int64_t>> by_name;
  int64_t all = 0;
  for (const RawOperation& operation : raw.operations) {
    if (operation.kind != model::OperationKind::kKernel) continue;
    by_name[operation.name].push_back(operation.end - operation.start);
    all += operation.end - operation.start;
  }
  struct Line {
    int64_t total;
    size_t count;
    std::string name;
    std::string row;
  };
  std::vector<Line> lines;
  for (auto& [name, durations] : by_name) {
    std::sort(durations.begin(), durations.end());
    const size_t n = durations.size();
    int64_t total = 0;
    for (const int64_t duration : durations) total += duration;
    const long double mean = static_cast<long double>(total) / static_cast<long double>(n);
    long double squares = 0;
    for (const int64_t duration : durations) {
      squares += (static_cast<long double>(duration) - mean) * (static_cast<long double>(duration) - mean);
    }
    const long double deviation = n < 2 ? 0 : std::sqrt(squares / static_cast<long double>(n - 1));
    const long double median =
        n % 2 == 1 ? static_cast<long double>(durations[n / 2])
                   : static_cast<long double>(durations[n / 2 - 1] + durations[n / 2]) / 2;
    const std::string share =
        all == 0 ? "" : Tenth(static_cast<long double>(total) * 100 / static_cast<long double>(all));
    lines.push_back({total, n, name,
                     Row({share, Text(total), Text(static_cast<int64_t>(n)), Tenth(mean), Tenth(median),
                          Text(durations.front()), Text(durations.back()), Tenth(deviation), name})});
  }
  if (lines.empty()) return "";
  std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    if (a.total != b.total) return a.total > b.total;
    if (a.count != b.count) return a.count < b.count;
    return a.name < b.name;
  });
  std::string table =
      "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n";
  for (const Line& line : lines) table += line.row;
  return table;
}

std::string GpuTraceTable(const RawTrace& raw) {
  static const std::vector<std::string> copies = {"Unknown", "Host-to-Device", "Device-to-Host"};
  static const std::vector<std::string> memory = {"Pageable", "Pinned", "Device"};
  std::vector<RawOperation> operations = raw.operations;
  std::stable_sort(operations.begin(), operations.end(), [](const RawOperation& a, const RawOperation& b) {
    return std::pair(a.start, a.kind) < std::pair(b.start, b.kind);
  });
  std::string table;
  for (const RawOperation& operation : operations) {
    const int64_t duration = operation.end - operation.start;
    std::vector<std::string> fields = {Text(operation.start), Text(duration),
                                       operation.correlation ? Text(*operation.correlation) : ""};
    if (operation.kind == model::OperationKind::kKernel) {
      for (const char* field : {"1", "2", "3", "4", "5", "6", "7", "8", "9", "", "", "", ""}) fields.push_back(field);
    } else {
      fields.resize(12);
      fields.push_back(Text(operation.bytes));
      char throughput[64] = "";
      if (duration != 0) {
        std::snprintf(throughput, sizeof(throughput), "%.3f",
                      static_cast<double>(operation.bytes * (1000000000 / duration)) / 1e6);
      }
      fields.push_back(throughput);
      fields.push_back(memory.at(static_cast<size_t>(operation.source_kind)));
      fields.push_back(operation.kind == model::OperationKind::kCopy
                           ? memory.at(static_cast<size_t>(operation.destination_kind))
                           : "");
    }
    for (const std::string& field : {std::string("GPU X (0)"), std::string("1"), std::string(), Text(operation.stream)}) {
      fields.push_back(field);
    }
    fields.push_back(operation.kind == model::OperationKind::kKernel ? operation.name
                     : operation.kind == model::OperationKind::kCopy
                         ? "[CUDA memcpy " + copies.at(static_cast<size_t>(operation.copy_kind)) + "]"
                         : "[CUDA memset]");
    table += Row(fields);
  }
  if (table.empty()) return "";
  return "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (B),DymSMem (B),Bytes (B),"
         "Throughput (MB/s),SrcMemKd,DstMemKd,Device,Ctx,GreenCtx,Strm,Name\n" + table;
}

}  // namespace

ReferenceTables ComputeReference(const RawTrace& raw) {
  return {PushPopTable(raw), ProjectionTable(raw), KernelTable(raw), GpuTraceTable(raw)};
}

}  // namespace rangewise::test
