#include "support/gpu_reference.h"

#include <algorithm>
#include <regex>
#include <set>
#include <tuple>

#include "support/gpu_reference_attribution.h"
#include "support/gpu_reference_names.h"
#include "support/gpu_reference_numbers.h"
#include "support/gpu_sheet.h"

namespace rangewise::test {
namespace {

struct Additive {
  int64_t operations = 0;
  int64_t instances[3] = {};
  int64_t total[3] = {};
  std::optional<int64_t> bytes[3] = {0, 0, 0};
  void Add(const RawOperation& operation) {
    const auto kind = static_cast<size_t>(operation.kind);
    ++operations;
    ++instances[kind];
    total[kind] += operation.end - operation.start;
    if (kind == 0) return;
    if (operation.unknown_bytes) bytes[kind].reset();
    if (bytes[kind]) *bytes[kind] += operation.bytes;
  }
  std::string Text() const {
    return Format("{} operations; kernels {}; copies {}; sets {}", operations,
                  SumLine(instances[0], total[0]), MemoryLine(instances[1], total[1], bytes[1]),
                  MemoryLine(instances[2], total[2], bytes[2]));
  }
};

class Reference : Attribution {
 public:
  Reference(const RawTrace& raw, const GpuReferenceOptions& options) : Attribution(raw, options) {
    for (const auto& [pattern, name] : options.classes)
      patterns_.emplace_back(std::regex(pattern), name);
    for (const RawOperation& operation : raw.operations) classes_.push_back(ClassOf(operation));
  }

  GpuSheets Sheets() {
    GpuSheets sheets;
    for (const auto& [key, members] : members_) {
      if (!members.operations.empty() || !members.graphs.empty() || !members.calls.empty()) {
        sheets[key] = WorkText(members);
      }
    }
    DeviceSheets(sheets);
    int64_t without = 0, without_ns = 0, outside = 0, outside_ns = 0;
    for (size_t i = 0; i < raw_.operations.size(); ++i) {
      const int64_t duration = raw_.operations[i].end - raw_.operations[i].start;
      if (operation_calls_[i].empty()) {
        ++without;
        without_ns += duration;
      } else if (RangesHolding(operation_calls_[i]).empty()) {
        ++outside;
        outside_ns += duration;
      }
    }
    sheets["unattributed"] = Format("without call {}; outside ranges {}",
                                    SumLine(without, without_ns), SumLine(outside, outside_ns));
    sheets["overlapping"] = std::to_string(overlapping_);
    GapSheets(sheets);
    return sheets;
  }

 private:
  // The first rule whose pattern is the whole name; else by what the operation is.
  std::string ClassOf(const RawOperation& operation) const {
    const std::string name = TableName(operation);
    for (const auto& [pattern, class_name] : patterns_) {
      if (std::regex_match(name, pattern)) return class_name;
    }
    if (operation.kind == model::OperationKind::kCopy) return "copy";
    if (operation.kind == model::OperationKind::kSet) return "set";
    for (const char* library : {"nccl", "nvshmem", "rccl", "mscclpp", "deep_ep"}) {
      if (name.find(library) != std::string::npos) return "communication";
    }
    return "compute";
  }

  std::string WorkText(const Members& members) const {
    Additive total, own, nodes;
    std::set<std::pair<int64_t, int64_t>> launches;
    std::map<std::string, Additive> directions;
    std::map<std::string, std::pair<int64_t, int64_t>> kernels;
    std::vector<Interval> intervals;
    std::set<int64_t> devices;
    std::vector<int64_t> delays;
    int64_t during = 0;
    for (const size_t i : members.operations) {
      const RawOperation& operation = raw_.operations[i];
      total.Add(operation);
      if (members.own_operations.contains(i)) own.Add(operation);
      if (operation.graph_node) nodes.Add(operation);
      launches.emplace(*operation.global_pid, *operation.correlation);
      if (operation.kind == model::OperationKind::kCopy)
        directions[DirectionOf(operation)].Add(operation);
      if (operation.kind == model::OperationKind::kKernel) {
        ++kernels[operation.name].first;
        kernels[operation.name].second += operation.end - operation.start;
      }
      intervals.emplace_back(operation.start, operation.end);
      devices.insert(operation.device);
      const int64_t delay = operation.start - EarliestCall(operation_calls_[i]).end;
      if (delay < 0) ++during;
      if (delay >= 0) delays.push_back(delay);
    }
    std::string text =
        "total " + total.Text() + "\nown " + own.Text() + Format("\nlaunches {}", launches.size());
    for (const auto& [direction, sum] : directions) {
      text +=
          "\ncopies " + direction + " " + MemoryLine(sum.instances[1], sum.total[1], sum.bytes[1]);
    }
    text += KernelText(kernels);
    // Where only whole graphs ran, nothing is known of the time in which something did.
    const bool unknown = members.operations.empty() && !members.graphs.empty();
    text += Format("\nbusy {} of projections {}",
                   unknown ? "unknown" : std::to_string(Covered(intervals)),
                   Covered(Projections(members.ranges)));
    for (const int64_t device : devices) text += DeviceText(members.operations, device);
    int64_t graph_ns = 0;
    for (const size_t i : members.graphs) graph_ns += raw_.graphs[i].end - raw_.graphs[i].start;
    text += "\ngraphs " + SumLine(static_cast<int64_t>(members.graphs.size()), graph_ns) +
            "; nodes " + nodes.Text();
    text += "\ncalls" + CallText(members.calls) + "\nown calls" + CallText(members.own_calls);
    text += SynchronisationText(members.synchronisations);
    text += Format("\nqueue {} during the call", during);
    if (!delays.empty()) text += Format(", {} after: {}", delays.size(), Summary(delays).Text());
    return text;
  }

  const RawCall& EarliestCall(const std::vector<size_t>& calls) const {
    return raw_.calls[*std::min_element(calls.begin(), calls.end(), [&](size_t a, size_t b) {
      return std::pair(raw_.calls[a].start, raw_.calls[a].end) <
             std::pair(raw_.calls[b].start, raw_.calls[b].end);
    })];
  }

  std::string KernelText(const std::map<std::string, std::pair<int64_t, int64_t>>& kernels) const {
    std::vector<std::pair<int64_t, std::string>> order;
    for (const auto& [name, sum] : kernels) order.emplace_back(-sum.second, name);
    std::sort(order.begin(), order.end());
    std::string text = Format("\n{} kernels", order.size());
    for (size_t i = 0; i < order.size() && i < options_.kernels; ++i) {
      const auto& sum = kernels.at(order[i].second);
      text += "\nkernel " + order[i].second + " " + SumLine(sum.first, sum.second);
    }
    return text;
  }

  // From the first start to the last end of the operations of each range.
  std::vector<Interval> Projections(const std::set<size_t>& ranges) const {
    std::vector<Interval> projections;
    for (const size_t range : ranges) {
      if (const auto projection = ProjectionOf(range)) projections.push_back(*projection);
    }
    return projections;
  }
  std::optional<Interval> ProjectionOf(size_t range) const {
    std::optional<Interval> projection;
    for (const size_t i : range_operations_[range]) {
      const RawOperation& operation = raw_.operations[i];
      if (!projection) projection = {operation.start, operation.end};
      projection->first = std::min(projection->first, operation.start);
      projection->second = std::max(projection->second, operation.end);
    }
    return projection;
  }

  // Classes by one walk over all end points, counting what runs.
  std::string DeviceText(const std::set<size_t>& operations, int64_t device) const {
    std::map<std::string, int64_t> count, busy;
    std::map<std::string, int> running;
    std::set<int64_t> streams;
    struct Point {
      int64_t time;
      int change;
      const std::string* name;
    };
    std::vector<Point> points;
    int64_t members = 0;
    for (const size_t i : operations) {
      const RawOperation& operation = raw_.operations[i];
      if (operation.device != device) continue;
      ++members;
      ++count[classes_[i]];
      streams.insert(operation.stream);
      points.push_back({operation.start, 1, &classes_[i]});
      points.push_back({operation.end, -1, &classes_[i]});
    }
    std::sort(points.begin(), points.end(),
              [](const Point& a, const Point& b) { return a.time < b.time; });
    int64_t any = 0, overlapped = 0, exposed = 0, copy_exposed = 0;
    for (size_t i = 0; i + 1 < points.size(); ++i) {
      running[*points[i].name] += points[i].change;
      const int64_t length = points[i + 1].time - points[i].time;
      bool computing = false, something = false;
      for (const auto& [name, number] : running) {
        if (number <= 0) continue;
        something = true;
        busy[name] += length;
        computing = computing || (name != "communication" && name != "copy" && name != "set");
      }
      if (something) any += length;
      if (running["communication"] > 0) (computing ? overlapped : exposed) += length;
      if (running["copy"] > 0 && !computing) copy_exposed += length;
    }
    std::string text = Format("\ndevice {}: {} operations, busy {}, streams", device, members, any);
    for (const int64_t stream : streams) text += " " + NumberText(stream);
    for (const auto& [name, number] : count)
      text += Format("; {} {} busy {}", name, number, busy[name]);
    return text + Format("; communication overlapped {} exposed {}; copies exposed {}", overlapped,
                         exposed, copy_exposed);
  }

  std::string CallText(const std::set<size_t>& calls) const {
    if (raw_.calls.empty()) return " unknown";
    std::string text;
    for (const std::string name : kCallClassNames) {
      int64_t number = 0, total = 0;
      for (const size_t i : calls) {
        if (call_classes_[i] != name) continue;
        ++number;
        total += call_times_[i];
      }
      text += "; " + name + " " + SumLine(number, total);
    }
    return text;
  }

  std::string SynchronisationText(const std::set<size_t>& synchronisations) const {
    if (raw_.synchronisations.empty()) return "\nsynchronisations unknown";
    std::map<std::string, std::pair<int64_t, int64_t>> types;
    for (const size_t i : synchronisations) {
      const RawSynchronisation& one = raw_.synchronisations[i];
      ++types[SynchronisationLabel(one.type)].first;
      types[SynchronisationLabel(one.type)].second += one.end - one.start;
    }
    std::string text;
    for (const auto& [type, sum] : types)
      text += "\n" + type + " " + SumLine(sum.first, sum.second);
    return text;
  }

  std::set<int64_t> Devices() const {
    std::set<int64_t> devices;
    for (const RawOperation& operation : raw_.operations) devices.insert(operation.device);
    return devices;
  }

  void DeviceSheets(GpuSheets& sheets) const {
    for (const int64_t device : Devices()) {
      Additive work;
      std::vector<Interval> intervals;
      std::map<std::tuple<int64_t, int64_t, std::optional<int64_t>>,
               std::pair<Additive, std::vector<Interval>>>
          streams;
      for (const RawOperation& operation : raw_.operations) {
        if (operation.device != device) continue;
        work.Add(operation);
        intervals.emplace_back(operation.start, operation.end);
        auto& stream = streams[{operation.stream, operation.context, operation.global_pid}];
        stream.first.Add(operation);
        stream.second.emplace_back(operation.start, operation.end);
      }
      std::multiset<std::string> lines;
      for (const auto& [key, stream] : streams) {
        lines.insert(Format("\nstream {} of context {}: {}, busy {}", std::get<0>(key),
                            std::get<1>(key), stream.first.Text(), Covered(stream.second)));
      }
      std::string& text = sheets[Format("device {}", device)];
      text = Format("{}, busy {}", work.Text(), Covered(intervals));
      for (const std::string& line : lines) text += line;
    }
  }

  void GapSheets(GpuSheets& sheets) const {
    const Range* capture = scopes_.capture();
    // What whole graphs left idle is not known.
    if (capture == nullptr || !raw_.graphs.empty()) return;
    sheets["gaps of the capture"] = GapText({capture->start, capture->end}, capture->tid);
    for (size_t i = 0; i < ranges_.size(); ++i) {
      if (!places_[i].iteration) continue;
      if (const auto window = ProjectionOf(i)) {
        sheets[Format("gaps of iteration {}", *places_[i].iteration)] =
            GapText(*window, std::nullopt);
      }
    }
  }

  std::string GapText(const Interval& window, std::optional<int64_t> thread) const {
    std::string text = Format("window of {} ns", window.second - window.first);
    for (const int64_t device : Devices()) {
      std::vector<Interval> intervals;
      for (const RawOperation& operation : raw_.operations) {
        if (operation.device == device) intervals.emplace_back(operation.start, operation.end);
      }
      std::vector<Interval> gaps = Uncovered(window, intervals);
      std::vector<int64_t> lengths;
      int64_t idle = 0, long_gaps = 0, long_idle = 0;
      for (const auto& [begin, end] : gaps) {
        lengths.push_back(end - begin);
        idle += end - begin;
        if (end - begin < options_.gap_threshold_ns) continue;
        ++long_gaps;
        long_idle += end - begin;
      }
      text += Format("\ndevice {}: idle {} in {} gaps, {} in {} long ones", device, idle,
                     gaps.size(), long_idle, long_gaps);
      if (!lengths.empty()) text += "; " + Summary(lengths).Text();
      if (!thread) continue;
      std::stable_sort(gaps.begin(), gaps.end(), [](const Interval& a, const Interval& b) {
        return a.second - a.first > b.second - b.first;
      });
      for (size_t i = 0; i < gaps.size() && i < 10; ++i) {
        text += Format("\ngap at {} of {} in {} during {}, mostly in {}", gaps[i].first - window.first,
                       gaps[i].second - gaps[i].first, InnermostAt(gaps[i].first, *thread),
                       CallAt(gaps[i].first, *thread), FillingOf(gaps[i], *thread));
      }
    }
    return text;
  }

  // The shortest row of the host table that holds the time, its end included; of equals the latest.
  std::string InnermostAt(int64_t time, int64_t thread) const {
    const Range* innermost = nullptr;
    const std::vector<Range> rows = scopes_.HostRows();
    for (const Range& range : rows) {
      if (range.tid != thread || range.start > time || range.end < time) continue;
      if (innermost == nullptr ||
          std::tuple(range.duration(), -range.start, -range.row_id) <
              std::tuple(innermost->duration(), -innermost->start, -innermost->row_id)) {
        innermost = &range;
      }
    }
    return innermost == nullptr ? "nothing" : Joined(scopes_.StackOf(innermost->row_id));
  }

  // Each piece of the gap in which no row of the thread begins or ends belongs to the shortest row
  // that holds it, of equals the latest; of the stacks the one with the most time, then the first.
  std::string FillingOf(const Interval& gap, int64_t thread) const {
    const std::vector<Range> rows = scopes_.HostRows();
    std::set<int64_t> cuts = {gap.first, gap.second};
    for (const Range& row : rows) {
      for (const int64_t time : {row.start, row.end}) {
        if (row.tid == thread && time > gap.first && time < gap.second) cuts.insert(time);
      }
    }
    std::map<Path, int64_t> time_in;
    for (auto cut = cuts.begin(); std::next(cut) != cuts.end(); ++cut) {
      const int64_t begin = *cut, end = *std::next(cut);
      const Range* innermost = nullptr;
      for (const Range& row : rows) {
        if (row.tid != thread || row.start > begin || row.end < end) continue;
        if (innermost == nullptr ||
            std::tuple(row.duration(), -row.start, -row.row_id) <
                std::tuple(innermost->duration(), -innermost->start, -innermost->row_id)) {
          innermost = &row;
        }
      }
      if (innermost != nullptr) time_in[scopes_.StackOf(innermost->row_id)] += end - begin;
    }
    const auto plain = [](Path path) {
      for (std::string& name : path) name.erase(0, name[0] == ':' ? 1 : 0);
      return path;
    };
    const std::pair<const Path, int64_t>* most = nullptr;
    for (const auto& entry : time_in) {
      if (most == nullptr || entry.second > most->second ||
          (entry.second == most->second && plain(entry.first) < plain(most->first))) {
        most = &entry;
      }
    }
    return most == nullptr ? "nothing" : Format("{} for {}", Joined(most->first), most->second);
  }

  std::string CallAt(int64_t time, int64_t thread) const {
    const RawCall* outermost = nullptr;
    for (size_t i = 0; i < raw_.calls.size(); ++i) {
      const RawCall& call = raw_.calls[i];
      if (!outermost_[i] || call.global_tid != thread || call.start > time || call.end <= time)
        continue;
      if (outermost == nullptr || call.start < outermost->start) outermost = &call;
    }
    return outermost == nullptr ? "no call" : PrintedCall(outermost->name);
  }

  std::vector<std::string> classes_;  // of operations
  std::vector<std::pair<std::regex, std::string>> patterns_;
};

}  // namespace

GpuSheets ComputeGpuReference(const RawTrace& raw, const GpuReferenceOptions& options) {
  return Reference(raw, options).Sheets();
}

}  // namespace rangewise::test
