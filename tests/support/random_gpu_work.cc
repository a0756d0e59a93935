#include "support/random_gpu_work.h"

#include <algorithm>
#include <utility>

#include "support/activity_builder.h"
#include "support/tables_builder.h"

namespace rangewise::testing {
namespace {

constexpr int64_t kIterations = 3;

int64_t Uniform(std::mt19937_64& random, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
}

bool Holds(const RandomRange& range, const RandomCall& call) {
  return range.thread == call.thread && range.start <= call.start && range.end >= call.end;
}
bool Contains(const RandomRange& outer, const RandomRange& inner) {
  return &outer != &inner && outer.thread == inner.thread && outer.start <= inner.start &&
         outer.end >= inner.end;
}

// Ranges within [low, high], each within the one before with probability a half.
void AddNested(RandomTrace& trace, std::mt19937_64& random, int64_t thread, int64_t low,
               int64_t high, int depth) {
  int64_t at = low + 1;
  while (at + 8 < high) {
    const int64_t start = at + Uniform(random, 0, 3);
    const int64_t end = std::min(start + Uniform(random, 4, 60), high - 1);
    if (end <= start) return;
    trace.ranges.push_back({static_cast<int64_t>(trace.ranges.size()) + 1, start, end, thread,
                            false, std::string(1, static_cast<char>('a' + random() % 4))});
    if (depth < 4 && random() % 2 == 0) AddNested(trace, random, thread, start, end, depth + 1);
    at = end + 2;
  }
}

void AddOverlapping(RandomTrace& trace, std::mt19937_64& random) {
  for (int i = 0; i < 12; ++i) {
    const int64_t start = Uniform(random, 0, 700);
    RandomRange range{static_cast<int64_t>(trace.ranges.size()) + 1,
                      start,
                      start + Uniform(random, 1, 200),
                      Uniform(random, 1, 2),
                      random() % 2 == 0,
                      std::string(1, static_cast<char>('a' + random() % 4))};
    // Ranges of one extent vanish from NVIDIA's host table, and what lies between the capture range
    // and an iteration makes it none: both have tests of their own.
    const bool is_taken = std::any_of(
        trace.ranges.begin(), trace.ranges.end(), [&](const RandomRange& other) {
          const bool same = other.thread == range.thread && other.start == range.start &&
                            other.end == range.end;
          return same || (other.name.size() > 1 && Contains(range, other));
        });
    if (!is_taken) trace.ranges.push_back(range);
  }
}

// The ranges that a table shows, with the path of each and the ranges that hold each call.
struct Placed {
  explicit Placed(const RandomTrace& from) : trace(from) {
    const size_t count = trace.ranges.size();
    has_work.assign(count, false);
    for (const RandomOperation& operation : trace.operations) {
      for (size_t i = 0; i < count; ++i) {
        for (const size_t call : operation.calls) {
          if (Holds(trace.ranges[i], trace.calls[call])) has_work[i] = true;
        }
      }
    }
  }

  bool IsKnown(size_t i) const { return !trace.ranges[i].start_end || has_work[i]; }
  // The shortest that contains it, among push/pop ranges only or among all; -1: none.
  int64_t ParentOf(size_t i, bool push_pop_only) const {
    int64_t best = -1;
    const auto length = [&](size_t k) { return trace.ranges[k].end - trace.ranges[k].start; };
    for (size_t k = 0; k < trace.ranges.size(); ++k) {
      if (push_pop_only && trace.ranges[k].start_end) continue;
      if (!Contains(trace.ranges[k], trace.ranges[i])) continue;
      if (best < 0 || length(k) < length(static_cast<size_t>(best))) {
        best = static_cast<int64_t>(k);
      }
    }
    return best;
  }
  bool IsCapture(size_t i) const { return trace.ranges[i].name == "capture"; }
  std::optional<int64_t> Iteration(size_t i) const {
    const std::string& name = trace.ranges[i].name;
    if (!name.starts_with("iteration ")) return std::nullopt;
    return name.back() - '0';
  }
  std::string PathOf(size_t i) const {
    if (Iteration(i)) return {};
    const int64_t parent = ParentOf(i, !trace.ranges[i].start_end);
    const auto outer = static_cast<size_t>(parent);
    if (parent < 0 || IsCapture(outer) || Iteration(outer)) return trace.ranges[i].name;
    return PathOf(outer) + ">" + trace.ranges[i].name;
  }
  std::set<size_t> Holders(const std::vector<size_t>& calls) const {
    std::set<size_t> holders;
    for (size_t i = 0; i < trace.ranges.size(); ++i) {
      for (const size_t call : calls) {
        if (IsKnown(i) && Holds(trace.ranges[i], trace.calls[call])) holders.insert(i);
      }
    }
    return holders;
  }
  bool IsOwn(size_t i, const std::set<size_t>& holders) const {
    return std::none_of(holders.begin(), holders.end(), [&](size_t k) {
      return Contains(trace.ranges[i], trace.ranges[k]);
    });
  }

  const RandomTrace& trace;
  std::vector<bool> has_work;
};

}  // namespace

RandomTrace MakeRandomTrace(std::mt19937_64& random, bool nested) {
  RandomTrace trace;
  trace.ranges.push_back({1, 0, 600, 1, false, "capture"});
  for (int64_t i = 0; i < kIterations; ++i) {
    const int64_t start = 10 + 190 * i;
    trace.ranges.push_back({static_cast<int64_t>(trace.ranges.size()) + 1, start, start + 180, 1,
                            false, "iteration " + std::to_string(i)});
    AddNested(trace, random, 1, start, start + 180, 1);
  }
  AddNested(trace, random, 1, 610, 800, 1);
  AddNested(trace, random, 2, 0, 500, 1);
  if (!nested) AddOverlapping(trace, random);

  for (int i = 0; i < 60; ++i) {
    const int64_t start = Uniform(random, 0, 800);
    trace.calls.push_back({start, start + Uniform(random, 0, 5), Uniform(random, 1, 2),
                           static_cast<model::CallClass>(random() % 4)});
  }
  static const char* const kNames[] = {"gemm", "ncclDevKernel_AllReduce_Sum(int)", "relu"};
  for (int i = 0; i < 70; ++i) {
    RandomOperation operation;
    const uint64_t kind = random() % 6;
    operation.kind = kind < 4    ? model::OperationKind::kKernel
                     : kind == 4 ? model::OperationKind::kCopy
                                 : model::OperationKind::kSet;
    operation.name = operation.kind == model::OperationKind::kKernel ? kNames[random() % 3]
                     : random() % 2 == 0                             ? "Host-to-Device"
                                                                     : "Device-to-Host";
    operation.bytes = Uniform(random, 0, 1000);
    operation.device = Uniform(random, 0, 1);
    operation.stream = Uniform(random, 7, 8);
    operation.calls = {random() % trace.calls.size()};
    if (!nested && random() % 8 == 0) operation.calls.push_back(random() % trace.calls.size());
    if (random() % 20 == 0) operation.calls.clear();
    const int64_t launch = operation.calls.empty() ? 400 : trace.calls[operation.calls[0]].start;
    operation.start = launch + Uniform(random, 0, 40);
    operation.end = operation.start + Uniform(random, 0, 30);
    trace.operations.push_back(operation);
  }
  std::stable_sort(trace.operations.begin(), trace.operations.end(),
                   [](const auto& a, const auto& b) { return a.kind < b.kind; });
  return trace;
}

TablesAndActivity AsTables(const RandomTrace& trace, std::mt19937_64* shuffle) {
  const Placed placed(trace);
  TablesBuilder tables;
  std::vector<size_t> order;
  for (size_t i = 0; i < trace.ranges.size(); ++i) order.push_back(i);
  if (shuffle != nullptr) std::shuffle(order.begin(), order.end(), *shuffle);
  const auto parent_id = [&](size_t i, bool push_pop_only) {
    const int64_t parent = placed.ParentOf(i, push_pop_only);
    return parent < 0 ? model::kNoParent : trace.ranges[static_cast<size_t>(parent)].id;
  };
  for (const size_t i : order) {
    const RandomRange& range = trace.ranges[i];
    tables.Thread(1, range.thread);
    if (!range.start_end) {
      tables.Host(range.id, parent_id(i, true), range.name, range.end - range.start, 0,
                  range.start);
    }
    if (placed.has_work[i]) {
      tables.Projected(range.id, parent_id(i, false), range.name, 1, range.end - range.start);
      if (range.start_end) tables.StartEnd();
    }
  }

  ActivityBuilder gpu(tables.tables().names);
  // Half of the sites name all of the ranges, the others what cannot be told from the tables.
  std::map<std::vector<size_t>, model::Site> sites;
  const auto site_of = [&](const std::vector<size_t>& calls) {
    if (calls.empty()) return model::kNoCall;
    const auto [at, is_new] = sites.try_emplace(calls, model::kOutsideRanges);
    const std::set<size_t> holders = placed.Holders(calls);
    if (!is_new || holders.empty()) return at->second;
    std::set<size_t> chain;
    size_t innermost = 0;
    int owners = 0;
    for (const size_t i : holders) {
      if (!placed.IsOwn(i, holders)) continue;
      ++owners;
      innermost = i;
    }
    for (int64_t i = static_cast<int64_t>(innermost); i >= 0;) {
      const auto row = static_cast<size_t>(i);
      chain.insert(row);
      i = placed.ParentOf(row, !trace.ranges[row].start_end);
    }
    if (owners == 1 && chain == holders) {
      return at->second = ActivityBuilder::In(trace.ranges[innermost].id);
    }
    std::vector<model::SiteLeaf> leaves;
    for (const size_t i : holders) {
      leaves.push_back({trace.ranges[i].id, placed.IsOwn(i, holders)});
    }
    return at->second = gpu.InAll(leaves);
  };
  std::vector<size_t> operations;
  for (size_t i = 0; i < trace.operations.size(); ++i) operations.push_back(i);
  if (shuffle != nullptr) std::shuffle(operations.begin(), operations.end(), *shuffle);
  for (const size_t i : operations) {
    const RandomOperation& operation = trace.operations[i];
    const model::Site site = site_of(operation.calls);
    std::optional<int64_t> delay;
    std::optional<int64_t> launch;
    if (!operation.calls.empty()) {
      delay = operation.start - trace.calls[operation.calls[0]].end;
      if (operation.calls.size() == 1) launch = static_cast<int64_t>(operation.calls[0]);
    }
    gpu.On(operation.device, operation.stream);
    if (operation.kind == model::OperationKind::kKernel) {
      gpu.Kernel(operation.name, operation.start, operation.end, site, delay, launch);
    } else if (operation.kind == model::OperationKind::kCopy) {
      gpu.Copy(operation.name, operation.bytes, operation.start, operation.end, site, delay);
    } else {
      gpu.Set(operation.bytes, operation.start, operation.end, site);
    }
  }
  for (size_t i = 0; i < trace.calls.size(); ++i) {
    const model::Site site = site_of({i});
    if (site == model::kOutsideRanges) continue;
    gpu.Call(trace.calls[i].call_class, trace.calls[i].end - trace.calls[i].start, site);
  }
  model::GpuActivity activity = gpu.Build();
  return {std::move(tables.tables()), std::move(activity)};
}

Reference AnswerSlowly(const RandomTrace& trace) {
  const Placed placed(trace);
  Reference reference;
  const auto work_of = [&](size_t i) -> ReferenceWork& {
    if (const auto iteration = placed.Iteration(i)) return reference.iterations[*iteration];
    return reference.paths[placed.PathOf(i)];
  };
  for (size_t o = 0; o < trace.operations.size(); ++o) {
    const std::set<size_t> holders = placed.Holders(trace.operations[o].calls);
    for (const size_t i : holders) {
      work_of(i).operations.insert(o);
      if (placed.IsOwn(i, holders)) work_of(i).own.insert(o);
    }
  }
  for (size_t c = 0; c < trace.calls.size(); ++c) {
    const std::set<size_t> holders = placed.Holders({c});
    for (const size_t i : holders) {
      work_of(i).calls.insert(c);
      if (placed.IsOwn(i, holders)) work_of(i).own_calls.insert(c);
    }
  }
  std::map<ReferenceWork*, Intervals> instances;
  for (size_t i = 0; i < trace.ranges.size(); ++i) {
    Intervals intervals;
    for (const RandomOperation& operation : trace.operations) {
      if (placed.Holders(operation.calls).contains(i)) {
        intervals.emplace_back(operation.start, operation.end);
      }
    }
    if (intervals.empty()) continue;
    int64_t first = intervals[0].first;
    int64_t last = intervals[0].second;
    for (const auto& [start, end] : intervals) {
      first = std::min(first, start);
      last = std::max(last, end);
    }
    instances[&work_of(i)].emplace_back(first, last);
  }
  for (const auto& [work, intervals] : instances) work->projection_ns = UnionNs(intervals);
  return reference;
}

int64_t UnionNs(Intervals intervals) {
  std::sort(intervals.begin(), intervals.end());
  int64_t length = 0;
  for (size_t i = 0; i < intervals.size();) {
    int64_t end = intervals[i].second;
    const int64_t start = intervals[i].first;
    for (; i < intervals.size() && intervals[i].first <= end; ++i) {
      end = std::max(end, intervals[i].second);
    }
    length += end - start;
  }
  return length;
}

int64_t OverlapNs(const Intervals& a, const Intervals& b) {
  std::set<int64_t> moments;
  for (const Intervals* intervals : {&a, &b}) {
    for (const auto& [start, end] : *intervals) moments.insert({start, end});
  }
  const auto runs = [](const Intervals& intervals, int64_t from, int64_t to) {
    return std::any_of(intervals.begin(), intervals.end(),
                       [&](const auto& one) { return one.first <= from && one.second >= to; });
  };
  int64_t length = 0;
  for (auto at = moments.begin(); at != moments.end() && std::next(at) != moments.end(); ++at) {
    const int64_t to = *std::next(at);
    if (runs(a, *at, to) && runs(b, *at, to)) length += to - *at;
  }
  return length;
}

}  // namespace rangewise::testing
