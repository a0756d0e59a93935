#include "tables/engine_attribution.h"

#include <algorithm>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>

namespace rangewise::tables {
namespace {

using model::ApiCall;
using model::kNoCall;
using model::kNoGroup;
using model::kOutsideRanges;
using model::Site;
using model::SiteLeaf;
using model::TraceRange;

// Steps that listing ranges may take: seconds, not minutes. And what the lists may hold, in proportion to the calls.
constexpr uint64_t kMostSteps = uint64_t{1} << 31;
constexpr size_t kLeavesAlways = size_t{1} << 22;
constexpr size_t kLeavesPerCall = 4;

// Makes sites of ranges.
class Sites {
 public:
  Sites(const RangeSet& set, size_t calls, model::GpuActivity& activity)
      : set_(set), activity_(activity), most_leaves_(kLeavesAlways + kLeavesPerCall * calls) {
    int64_t lowest = INT64_MAX;
    int64_t highest = INT64_MIN;
    for (const TraceRange& range : set.ranges) {
      lowest = std::min(lowest, range.row_id);
      highest = std::max(highest, range.row_id);
    }
    if (set.ranges.empty()) return;
    activity_.first_range_id = lowest;
    direct_ = static_cast<uint64_t>(highest) - static_cast<uint64_t>(lowest) < model::GpuActivity::kLeafSets;
  }

  Site Of(uint32_t range) {
    const int64_t id = set_.ranges[range].row_id;
    if (direct_) return static_cast<Site>(id - activity_.first_range_id);
    leaves_.assign(1, {id, true});
    return OfLeaves();
  }
  Site Of(std::span<const uint32_t> ranges, const std::vector<bool>& own) {
    if (ranges.size() == 1 && own[0]) return Of(ranges[0]);
    leaves_.clear();
    for (size_t i = 0; i < ranges.size(); ++i) leaves_.push_back({set_.ranges[ranges[i]].row_id, own[i]});
    return OfLeaves();
  }
  bool full() const { return activity_.leaves.size() > most_leaves_; }

 private:
  Site OfLeaves() {
    key_.clear();
    for (const SiteLeaf& leaf : leaves_) {
      key_.append(reinterpret_cast<const char*>(&leaf.range_id), sizeof leaf.range_id);
      key_ += leaf.own ? '1' : '0';
    }
    std::vector<uint32_t>& begin = activity_.leaf_set_begin;
    if (begin.empty()) begin.push_back(0);
    const auto fresh = static_cast<uint32_t>(begin.size() - 1);
    const auto [place, added] = known_.emplace(key_, fresh);
    if (added) {
      activity_.leaves.insert(activity_.leaves.end(), leaves_.begin(), leaves_.end());
      begin.push_back(static_cast<uint32_t>(activity_.leaves.size()));
    }
    return model::GpuActivity::kLeafSets + place->second;
  }

  const RangeSet& set_;
  model::GpuActivity& activity_;
  size_t most_leaves_;
  bool direct_ = true;
  std::vector<SiteLeaf> leaves_;
  std::string key_;
  std::unordered_map<std::string, uint32_t> known_;
};

// Which of the ranges that hold a call are to be named, and which of them are own.
class Leaves {
 public:
  Leaves(const RangeSet& set, const RangeForest& forest) : set_(set), forest_(forest) {}

  // `holders` are all ranges that hold the call (or several calls), each once. `alike`: parents in the host table
  // are those of the forest, so that a push/pop range's parents go without saying.
  void Choose(std::span<const uint32_t> holders, bool alike) {
    ranges.clear();
    own.clear();
    sorted_.assign(holders.begin(), holders.end());
    // By thread and within it in sweep order: whatever lies inside a range comes after it.
    std::sort(sorted_.begin(), sorted_.end());
    std::vector<bool> own_of(sorted_.size(), true);
    int64_t earliest_end = INT64_MAX;
    uint32_t thread = UINT32_MAX;
    for (size_t i = sorted_.size(); i-- > 0;) {
      const TraceRange& range = set_.ranges[sorted_[i]];
      if (range.thread != thread) earliest_end = INT64_MAX;
      thread = range.thread;
      // Later in the sweep and of the same interval is no smaller.
      const bool same = i + 1 < sorted_.size() && SameInterval(sorted_[i], sorted_[i + 1]);
      own_of[i] = same ? own_of[i + 1] : earliest_end > range.end_ns;
      if (!same) earliest_end = std::min(earliest_end, range.end_ns);
    }
    for (size_t i = 0; i < sorted_.size(); ++i) {
      if (own_of[i] || !GoesWithoutSaying(i, alike)) {
        ranges.push_back(sorted_[i]);
        own.push_back(own_of[i]);
      }
    }
  }

  std::vector<uint32_t> ranges;
  std::vector<bool> own;

 private:
  bool SameInterval(uint32_t a, uint32_t b) const {
    return set_.ranges[a].thread == set_.ranges[b].thread && set_.ranges[a].start_ns == set_.ranges[b].start_ns &&
           set_.ranges[a].end_ns == set_.ranges[b].end_ns;
  }
  // Whether a holder's parent chain, as scope paths follow it, comes to the range.
  bool GoesWithoutSaying(size_t i, bool alike) const {
    const uint32_t parent = sorted_[i];
    for (size_t k = i + 1; k < sorted_.size(); ++k) {
      const uint32_t child = sorted_[k];
      if (forest_.parent[child] != parent || forest_.level[child] == kNoLevel) continue;
      // A start/end range without a projection is in no table, and could not speak for its parents.
      if (alike && set_.ranges[child].start_end == 0 && set_.ranges[parent].start_end == 0) return true;
    }
    return false;
  }

  const RangeSet& set_;
  const RangeForest& forest_;
  std::vector<uint32_t> sorted_;
};

class Attributor {
 public:
  Attributor(const RangeSet& set, const RangeForest& forest, const model::Trace& trace, model::GpuActivity& activity)
      : set_(set), forest_(forest), trace_(trace), activity_(activity), sites_(set, trace.calls.size(), activity), leaves_(set, forest) {}

  Result<Attribution> Build() {
    result_.group_sites.assign(trace_.groups.size(), kNoCall);
    result_.group_launch_end_ns.assign(trace_.groups.size(), 0);
    first_calls_.assign(trace_.groups.size(), INT64_MAX);
    activity_.calls.Reserve(trace_.calls.size());
    for (size_t thread = 0; thread < set_.threads(); ++thread) {
      if (!Thread(thread)) {
        return Error{.code = Code::kOutOfMemory,
                     .message = "ranges that overlap hold more API calls than can be listed"};
      }
    }
    CombineSharedGroups();
    return std::move(result_);
  }

 private:
  // The sites of a thread's calls. False when there are too many to list.
  bool Thread(size_t thread) {
    calls_ = std::span(trace_.calls.data() + trace_.call_begin[thread],
                       trace_.call_begin[thread + 1] - trace_.call_begin[thread]);
    if (calls_.empty()) return true;
    first_ = static_cast<uint32_t>(set_.begin[thread]);
    last_ = static_cast<uint32_t>(set_.begin[thread + 1]);
    order_.resize(calls_.size());
    for (uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    const auto before = [&](uint32_t a, uint32_t b) {
      // Of one start the longer call is around the other; of one interval the class decides, never the row.
      const ApiCall& x = calls_[a];
      const ApiCall& y = calls_[b];
      if (x.start_ns != y.start_ns) return x.start_ns < y.start_ns;
      return x.end_ns != y.end_ns ? x.end_ns > y.end_ns : x.call_class < y.call_class;
    };
    if (!std::is_sorted(order_.begin(), order_.end(), before)) {
      std::stable_sort(order_.begin(), order_.end(), before);
    }
    outer_end_ns_ = INT64_MIN;
    if (!SweepServes(thread)) return List();
    Sweep();
    return true;
  }

  bool SweepServes(size_t thread) const {
    for (uint32_t i = first_; i < last_; ++i) {
      if (set_.ranges[i].start_end != 0 || forest_.level[i] == kNoLevel) return false;
      if (set_.ranges[i].open != 0 && trace_.push_pop_horizon_ns != trace_.horizon_ns) return false;
    }
    return StackServes(forest_.shapes[thread], calls_);
  }

  void Sweep() {
    std::vector<uint32_t> stack;
    const auto end_of = [&](uint32_t range) { return set_.ranges[range].end_ns; };
    uint32_t next = first_;
    for (const uint32_t i : order_) {
      const ApiCall& call = calls_[i];
      for (; next < last_ && set_.ranges[next].start_ns <= call.start_ns; ++next) {
        const TraceRange& range = set_.ranges[next];
        while (!stack.empty() && (end_of(stack.back()) < range.start_ns || end_of(stack.back()) < range.end_ns)) {
          stack.pop_back();
        }
        stack.push_back(next);
      }
      while (!stack.empty() && end_of(stack.back()) < call.start_ns) stack.pop_back();
      // A call can outlast the innermost range; ends fall from the bottom of the stack to its top.
      size_t depth = stack.size();
      if (depth > 0 && end_of(stack.back()) < call.end_ns) {
        depth = static_cast<size_t>(
            std::partition_point(stack.begin(), stack.end(),
                                 [&](uint32_t range) { return end_of(range) >= call.end_ns; }) -
            stack.begin());
      }
      holders_.clear();
      if (depth > 0) holders_.push_back(stack[depth - 1]);
      Place(call, depth > 0 ? sites_.Of(stack[depth - 1]) : kOutsideRanges);
    }
  }

  bool List() {
    bool alike = true;
    for (uint32_t i = first_; i < last_; ++i) {
      if (set_.ranges[i].open != 0 && trace_.push_pop_horizon_ns != trace_.horizon_ns) alike = false;
    }
    // Starts of calls only grow, so a range that is over holds no later call either, unless that ends before it starts.
    const bool forward = std::none_of(calls_.begin(), calls_.end(),
                                      [](const ApiCall& call) { return call.end_ns < call.start_ns; });
    std::vector<uint32_t> active;
    uint32_t next = first_;
    for (const uint32_t i : order_) {
      const ApiCall& call = calls_[i];
      for (; next < last_ && set_.ranges[next].start_ns <= call.start_ns; ++next) active.push_back(next);
      holders_.clear();
      size_t kept = 0;
      for (const uint32_t range : active) {
        const int64_t end_ns = set_.ranges[range].end_ns;
        if (forward && end_ns < call.start_ns) continue;
        active[kept++] = range;
        if (end_ns >= call.end_ns) holders_.push_back(range);
      }
      steps_ += active.size() + 1;
      active.resize(kept);
      Site site = kOutsideRanges;
      if (!holders_.empty()) {
        steps_ += holders_.size() * holders_.size() / 2;
        if (steps_ > kMostSteps) return false;
        leaves_.Choose(holders_, alike);
        site = sites_.Of(leaves_.ranges, leaves_.own);
      }
      if (steps_ > kMostSteps || sites_.full()) return false;
      Place(call, site);
    }
    return true;
  }

  // Takes note of a call whose holders are known; calls of a thread come by start.
  void Place(const ApiCall& call, Site site) {
    if (site != kOutsideRanges && (call.end_ns > outer_end_ns_ || call.start_ns >= outer_end_ns_)) {
      const int64_t from_ns = std::max(call.start_ns, outer_end_ns_);
      activity_.calls.Add(call.call_class, std::max<int64_t>(0, call.end_ns - from_ns), site);
    }
    outer_end_ns_ = std::max(outer_end_ns_, call.end_ns);
    if (call.group == kNoGroup) return;
    Site& known = result_.group_sites[call.group];
    const bool first = std::tie(call.start_ns, call.end_ns) <
                       std::tie(first_calls_[call.group], result_.group_launch_end_ns[call.group]);
    if (known == kNoCall || first) {
      first_calls_[call.group] = call.start_ns;
      result_.group_launch_end_ns[call.group] = call.end_ns;
    }
    if (trace_.groups[call.group].calls > 1) {
      std::vector<uint32_t>& all = shared_[call.group];
      all.insert(all.end(), holders_.begin(), holders_.end());
    }
    if (known == kNoCall || known == kOutsideRanges) known = site;
  }

  // Groups with several calls belong to the holders of all.
  void CombineSharedGroups() {
    for (auto& [group, holders] : shared_) {
      std::sort(holders.begin(), holders.end());
      holders.erase(std::unique(holders.begin(), holders.end()), holders.end());
      if (holders.empty()) continue;
      leaves_.Choose(holders, true);
      result_.group_sites[group] = sites_.Of(leaves_.ranges, leaves_.own);
    }
  }

  const RangeSet& set_;
  const RangeForest& forest_;
  const model::Trace& trace_;
  model::GpuActivity& activity_;
  Sites sites_;
  Leaves leaves_;
  Attribution result_;
  std::vector<int64_t> first_calls_;                           // start of each group's earliest call
  std::unordered_map<uint32_t, std::vector<uint32_t>> shared_;  // holders by group with several calls
  std::span<const ApiCall> calls_;                             // of the thread at hand
  std::vector<uint32_t> order_;
  std::vector<uint32_t> holders_;  // of the call at hand: all of them, or the innermost where ranges nest
  uint32_t first_ = 0;
  uint32_t last_ = 0;
  int64_t outer_end_ns_ = 0;
  uint64_t steps_ = 0;
};

}  // namespace

Result<Attribution> Attribute(const RangeSet& set, const RangeForest& forest, const model::Trace& trace,
                              model::GpuActivity& activity) {
  return Attributor(set, forest, trace, activity).Build();
}

}  // namespace rangewise::tables
