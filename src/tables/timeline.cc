#include "tables/timeline.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "model/page_limits.h"
#include "tables/engine_gpu.h"

namespace rangewise::tables {
namespace {

using model::TimelineItem;
using model::TimelineKind;
using model::TimelineLane;
using model::TimelineWindow;
using model::Trace;
using model::TraceRange;

// A stretch of the trace's time.
struct Window {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  uint32_t thread = 0;  // of the iteration's range
};

// Something that lies in a window, before it is known whether it is kept. `source` and `row` tell
// what it is and give equally long ones an order.
struct Candidate {
  enum class Source : uint8_t { kRange, kOperation, kGraph };
  Source source = Source::kRange;
  size_t row = 0;
  int64_t start_ns = 0;   // within the window
  int64_t length_ns = 0;  // within the window
  bool is_cut = false;
};

int64_t EndOf(const Trace& trace, const TraceRange& range) {
  if (range.open == 0) return range.end_ns;
  return range.style() == model::Style::kPushPop ? trace.push_pop_horizon_ns : trace.horizon_ns;
}

std::string RangeText(const Trace& trace, model::NameId name) {
  std::string kept;
  return std::string(model::DisplayForm(model::SplitRangeName(trace.names.At(name)), kept).text);
}

std::optional<Candidate> Within(const Window& window, int64_t start_ns, int64_t end_ns) {
  end_ns = std::max(start_ns, end_ns);
  if (start_ns > window.end_ns || end_ns < window.start_ns) return std::nullopt;
  // What only touches the window does not lie in it.
  if (end_ns > start_ns && (start_ns == window.end_ns || end_ns == window.start_ns))
    return std::nullopt;
  const int64_t from = std::max(start_ns, window.start_ns);
  const int64_t to = std::min(end_ns, window.end_ns);
  return Candidate{.start_ns = from - window.start_ns,
                   .length_ns = to - from,
                   .is_cut = from != start_ns || to != end_ns};
}

// The iteration's range, and how far the GPU work goes that was launched in it.
std::optional<Window> FindWindow(const Trace& trace, const WishedWindow& wish) {
  for (uint32_t thread = 0; thread + 1 < trace.range_begin.size(); ++thread) {
    for (size_t row = trace.range_begin[thread]; row < trace.range_begin[thread + 1]; ++row) {
      const TraceRange& range = trace.ranges[row];
      if (range.row_id != wish.range_id) continue;
      const int64_t end_ns = EndOf(trace, range);
      if (end_ns - range.start_ns != wish.length_ns || RangeText(trace, range.name) != wish.name)
        return std::nullopt;
      Window window{range.start_ns, std::max(range.start_ns, end_ns), thread};
      if (thread + size_t{1} >= trace.call_begin.size()) return window;
      for (size_t i = trace.call_begin[thread]; i < trace.call_begin[thread + 1]; ++i) {
        const model::ApiCall& call = trace.calls[i];
        const bool inside = call.start_ns >= range.start_ns && call.end_ns <= end_ns;
        if (!inside || call.group == model::kNoGroup) continue;
        const model::OperationGroup& group = trace.groups[call.group];
        if (group.operations > 0) window.end_ns = std::max(window.end_ns, group.last_end_ns);
      }
      return window;
    }
  }
  return std::nullopt;
}

std::vector<Candidate> HostCandidates(const Trace& trace, const Window& window) {
  std::vector<Candidate> found;
  for (size_t row = 0; row < trace.ranges.size(); ++row) {
    const TraceRange& range = trace.ranges[row];
    auto candidate = Within(window, range.start_ns, EndOf(trace, range));
    if (!candidate) continue;
    candidate->source = Candidate::Source::kRange;
    candidate->row = row;
    found.push_back(*candidate);
  }
  return found;
}

std::vector<Candidate> GpuCandidates(const Trace& trace, const Window& window) {
  std::vector<Candidate> found;
  const auto add = [&](Candidate::Source source, size_t row, int64_t start_ns, int64_t end_ns) {
    auto candidate = Within(window, start_ns, end_ns);
    if (!candidate) return;
    candidate->source = source;
    candidate->row = row;
    found.push_back(*candidate);
  };
  for (size_t row = 0; row < trace.operations.size(); ++row) {
    const model::GpuOperation& operation = trace.operations[row];
    add(Candidate::Source::kOperation, row, operation.start_ns, operation.end_ns);
  }
  for (size_t row = 0; row < trace.graphs.size(); ++row) {
    const model::LinkedRecord& graph = trace.graphs[row];
    add(Candidate::Source::kGraph, row, graph.start_ns, graph.end_ns);
  }
  return found;
}

// Keeps the longest; returns how many went.
int64_t KeepLongest(std::vector<Candidate>& candidates, size_t most) {
  if (candidates.size() <= most) return 0;
  const auto gone = static_cast<int64_t>(candidates.size() - most);
  std::nth_element(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(most),
                   candidates.end(), [](const Candidate& a, const Candidate& b) {
                     return std::make_tuple(-a.length_ns, a.source, a.row) <
                            std::make_tuple(-b.length_ns, b.source, b.row);
                   });
  candidates.resize(most);
  return gone;
}

// By start; of those that begin together the longer ones, which hold the others, first.
void SortForLanes(std::vector<Candidate>& candidates) {
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return std::make_tuple(a.start_ns, -a.length_ns, a.source, a.row) <
           std::make_tuple(b.start_ns, -b.length_ns, b.source, b.row);
  });
}

// The names of a window, each once.
class WindowNames {
 public:
  explicit WindowNames(std::vector<std::string>& names) : names_(names) {}
  uint32_t Of(std::string name) {
    const auto [entry, added] =
        known_.try_emplace(std::move(name), static_cast<uint32_t>(names_.size()));
    if (added) names_.push_back(entry->first);
    return entry->second;
  }

 private:
  std::vector<std::string>& names_;
  std::map<std::string, uint32_t> known_;
};

// Lanes by key, the first kMostTimelineLanes by `rank_of(key, lane)`; what is in the others is
// counted.
template <typename Key, typename RankOf>
std::vector<TimelineLane> FirstLanes(std::map<Key, TimelineLane> lanes, RankOf rank_of,
                                     int64_t& left_out) {
  std::vector<std::pair<Key, TimelineLane>> order(std::make_move_iterator(lanes.begin()),
                                                  std::make_move_iterator(lanes.end()));
  std::stable_sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
    return rank_of(a.first, a.second) < rank_of(b.first, b.second);
  });
  std::vector<TimelineLane> kept;
  for (auto& [key, lane] : order) {
    if (kept.size() < model::kMostTimelineLanes) {
      kept.push_back(std::move(lane));
    } else {
      left_out += static_cast<int64_t>(lane.items.size());
    }
  }
  return kept;
}

// Whether more than one process stands among the numbers.
template <typename Numbers>
bool Several(const Numbers& numbers) {
  return !numbers.empty() && std::any_of(numbers.begin(), numbers.end(),
                                         [&](auto number) { return number != *numbers.begin(); });
}

std::vector<TimelineLane> HostLanes(const Trace& trace, const Window& window,
                                    const std::vector<Candidate>& candidates, WindowNames& names,
                                    int64_t& left_out) {
  std::vector<int64_t> processes;
  for (const int64_t thread : trace.threads) processes.push_back(model::ProcessId(thread));
  const bool several = Several(processes);
  std::map<uint32_t, TimelineLane> lanes;
  std::map<uint32_t, std::vector<int64_t>> ends;  // of each level's last range
  for (const Candidate& candidate : candidates) {
    const TraceRange& range = trace.ranges[candidate.row];
    std::vector<int64_t>& levels = ends[range.thread];
    const auto free = std::find_if(levels.begin(), levels.end(),
                                   [&](int64_t end) { return end <= candidate.start_ns; });
    const auto level = static_cast<size_t>(free - levels.begin());
    if (level == model::kMostTimelineLevels) {
      ++left_out;
      continue;
    }
    // A level whose last range ended is free, and so are all below it: what was in them has ended,
    // too, or overlaps without being inside.
    if (free == levels.end()) levels.push_back(0);
    levels[level] = candidate.start_ns + candidate.length_ns;
    TimelineLane& lane = lanes[range.thread];
    lane.levels = static_cast<uint32_t>(levels.size());
    lane.items.push_back({.start_ns = candidate.start_ns,
                          .length_ns = candidate.length_ns,
                          .level = static_cast<uint32_t>(level),
                          .name = names.Of(RangeText(trace, range.name)),
                          .is_cut = candidate.is_cut});
  }
  for (auto& [thread, lane] : lanes) {
    const int64_t global = trace.threads[thread];
    lane.label =
        several ? Format("process {}, thread {}", model::ProcessId(global), model::ThreadId(global))
                : Format("thread {}", model::ThreadId(global));
    if (thread == window.thread) lane.label += ", of the iteration";
  }
  return FirstLanes(
      std::move(lanes),
      [&](uint32_t thread, const TimelineLane& lane) {
        return std::make_tuple(thread != window.thread, -static_cast<int64_t>(lane.items.size()));
      },
      left_out);
}

std::string CopyName(const Trace& trace, int64_t kind) {
  const std::optional<std::string_view> label = CopyLabel(trace, kind);
  return label ? Format("[CUDA memcpy {}]", Displayable(*label)) : "[CUDA memcpy]";
}

// A stream: device, number, process.
using StreamId = std::tuple<int64_t, int64_t, uint32_t>;

std::string StreamText(const StreamId& stream) {
  const auto number = [](int64_t value) {
    return value == model::kNullInteger ? std::string("not known") : Format("{}", value);
  };
  return Format("device {}, stream {}", number(std::get<0>(stream)), number(std::get<1>(stream)));
}

std::vector<TimelineLane> GpuLanes(const Trace& trace, const std::vector<Candidate>& candidates,
                                   WindowNames& names, int64_t& left_out) {
  std::map<StreamId, TimelineLane> lanes;
  for (const Candidate& candidate : candidates) {
    TimelineItem item{.start_ns = candidate.start_ns,
                      .length_ns = candidate.length_ns,
                      .is_cut = candidate.is_cut};
    StreamId stream;
    if (candidate.source == Candidate::Source::kGraph) {
      const model::LinkedRecord& graph = trace.graphs[candidate.row];
      stream = {graph.device, graph.stream, UINT32_MAX};
      item.kind = TimelineKind::kGraph;
      item.name = names.Of("CUDA graph, recorded as a whole");
    } else {
      const model::GpuOperation& operation = trace.operations[candidate.row];
      const model::OperationShape& shape = trace.shapes[operation.shape];
      stream = {shape.device, shape.stream, operation.process};
      switch (shape.kind) {
        case model::OperationKind::kKernel:
          item.kind = TimelineKind::kKernel;
          item.name =
              names.Of(shape.name == model::kNoName ? std::string("not known")
                                                    : Displayable(trace.names.At(shape.name)));
          break;
        case model::OperationKind::kCopy:
          item.kind = TimelineKind::kCopy;
          item.name = names.Of(CopyName(trace, shape.copy_kind));
          break;
        case model::OperationKind::kSet:
          item.kind = TimelineKind::kSet;
          item.name = names.Of("[CUDA memset]");
          break;
      }
    }
    lanes[stream].items.push_back(item);
  }
  std::vector<uint32_t> processes;
  for (const auto& [stream, lane] : lanes) {
    if (std::get<2>(stream) != UINT32_MAX) processes.push_back(std::get<2>(stream));
  }
  const bool several = Several(processes);
  for (auto& [stream, lane] : lanes) {
    lane.label = StreamText(stream);
    const uint32_t process = std::get<2>(stream);
    if (several && process != UINT32_MAX)
      lane.label += Format(", process {}", model::ProcessId(trace.processes[process]));
  }
  return FirstLanes(
      std::move(lanes), [](const StreamId& stream, const TimelineLane&) { return stream; },
      left_out);
}

TimelineWindow MakeWindow(const Trace& trace, const WishedWindow& wish, const Window& window) {
  TimelineWindow made{.label = wish.label,
                      .iteration = wish.iteration,
                      .length_ns = window.end_ns - window.start_ns};
  std::vector<Candidate> host = HostCandidates(trace, window);
  std::vector<Candidate> gpu = GpuCandidates(trace, window);
  // Half of the room for each, and more where the other one does not need it.
  constexpr size_t kHalf = model::kMostTimelineItems / 2;
  const size_t most_host = model::kMostTimelineItems - std::min(gpu.size(), kHalf);
  made.left_out += KeepLongest(host, most_host);
  made.left_out += KeepLongest(gpu, model::kMostTimelineItems - host.size());
  SortForLanes(host);
  SortForLanes(gpu);
  WindowNames names(made.names);
  made.host = HostLanes(trace, window, host, names, made.left_out);
  made.gpu = GpuLanes(trace, gpu, names, made.left_out);
  return made;
}

}  // namespace

std::vector<TimelineWindow> MakeWindows(const Trace& trace,
                                        const std::vector<WishedWindow>& wishes) {
  std::vector<TimelineWindow> windows;
  for (const WishedWindow& wish : wishes) {
    if (const auto window = FindWindow(trace, wish))
      windows.push_back(MakeWindow(trace, wish, *window));
  }
  return windows;
}

}  // namespace rangewise::tables
