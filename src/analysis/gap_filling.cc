#include "analysis/gap_filling.h"

#include <algorithm>
#include <map>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/wide.h"

namespace rangewise::analysis {
namespace {

using model::HostRange;
using model::IdleGap;
using model::NameId;
using model::ReportTables;

// A gap on the trace's axis; gaps of several devices can be the same.
struct Span {
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
  std::vector<IdleGap*> gaps;
  std::unordered_map<uint32_t, int64_t> time_ns;  // by chain
};

// A host row, cut to the time from the first gap to the last.
struct Stretch {
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
  uint32_t row = 0;
};

std::vector<Span> SpansOf(int64_t begin_ns, model::IdleWindow& window) {
  std::map<std::pair<int64_t, int64_t>, std::vector<IdleGap*>> known;
  for (model::DeviceIdle& device : window.devices) {
    for (IdleGap& gap : device.largest) {
      const int64_t begin = begin_ns + gap.start_ns;
      if (gap.length.ns > 0) known[{begin, begin + gap.length.ns}].push_back(&gap);
    }
  }
  std::vector<Span> spans;
  for (auto& [times, gaps] : known) spans.push_back({times.first, times.second, std::move(gaps), {}});
  return spans;
}

// The rows of the thread that reach into a gap, by start.
std::vector<Stretch> StretchesOf(const ReportTables& tables, uint32_t thread,
                                 const std::vector<Span>& spans) {
  std::vector<std::pair<int64_t, int64_t>> covered;  // the union of the gaps
  for (const Span& span : spans) {
    if (covered.empty() || covered.back().second < span.begin_ns) {
      covered.emplace_back(span.begin_ns, span.end_ns);
    } else {
      covered.back().second = std::max(covered.back().second, span.end_ns);
    }
  }
  std::vector<Stretch> stretches;
  const Int128 first = covered.front().first;
  const Int128 last = covered.back().second;
  for (uint32_t i = 0; i < tables.host.size(); ++i) {
    const HostRange& row = tables.host[i];
    if (row.thread != thread || row.inclusive.ns <= 0) continue;
    // Times of tables made elsewhere may be of any size.
    const auto begin = static_cast<int64_t>(std::clamp<Int128>(row.start.ns, first, last));
    const auto end = static_cast<int64_t>(
        std::clamp<Int128>(Int128{row.start.ns} + row.inclusive.ns, first, last));
    const auto at = std::upper_bound(
        covered.begin(), covered.end(), begin,
        [](int64_t time, const std::pair<int64_t, int64_t>& part) { return time < part.second; });
    if (at != covered.end() && at->first < end) stretches.push_back({begin, end, i});
  }
  std::sort(stretches.begin(), stretches.end(), [](const Stretch& a, const Stretch& b) {
    return std::tie(a.begin_ns, a.row) < std::tie(b.begin_ns, b.row);
  });
  return stretches;
}

// A range's name with those of the ranges around it, as a number that equal ones share.
class Chains {
 public:
  Chains(const ReportTables& tables, const GpuRanges& ranges)
      : tables_(tables), ranges_(ranges), of_row_(tables.host.size(), kNone) {}

  uint32_t Of(uint32_t row) {
    std::vector<uint32_t> rows;
    for (; row != kNoRow && of_row_[row] == kNone; row = ranges_[row].parent) rows.push_back(row);
    uint32_t chain = row == kNoRow ? kNone : of_row_[row];
    for (; !rows.empty(); rows.pop_back()) {
      const NameId name = tables_.host[rows.back()].name;
      const auto [place, added] =
          known_.try_emplace({chain, name}, static_cast<uint32_t>(chains_.size()));
      if (added) chains_.push_back({chain, name});
      chain = of_row_[rows.back()] = place->second;
    }
    return chain;
  }

  std::vector<NameId> Names(uint32_t chain) const {  // outermost first
    std::vector<NameId> names;
    for (; chain != kNone; chain = chains_[chain].around) names.push_back(chains_[chain].name);
    std::reverse(names.begin(), names.end());
    return names;
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Chain {
    uint32_t around = kNone;
    NameId name = model::kNoName;
  };
  const ReportTables& tables_;
  const GpuRanges& ranges_;
  std::vector<uint32_t> of_row_;
  std::vector<Chain> chains_;
  std::map<std::pair<uint32_t, NameId>, uint32_t> known_;
};

// Gives each stretch of time in which one row is the innermost to the gaps that it reaches into.
// False when these are more than `most`.
class Sweep {
 public:
  Sweep(const ReportTables& tables, std::vector<Span>& spans, Chains& chains, uint64_t most)
      : tables_(tables), spans_(spans), chains_(chains), most_(most) {}

  bool Run(const std::vector<Stretch>& stretches) {
    const auto larger = [&](const Stretch& a, const Stretch& b) {
      const HostRange& x = tables_.host[a.row];
      const HostRange& y = tables_.host[b.row];
      if (x.inclusive != y.inclusive) return x.inclusive > y.inclusive;
      return x.start != y.start ? x.start < y.start : x.range_id < y.range_id;
    };
    std::priority_queue<Stretch, std::vector<Stretch>, decltype(larger)> inside(larger);
    size_t next = 0;
    int64_t time = 0;
    while (next < stretches.size() || !inside.empty()) {
      if (inside.empty()) time = stretches[next].begin_ns;
      for (; next < stretches.size() && stretches[next].begin_ns <= time; ++next) {
        inside.push(stretches[next]);
      }
      while (!inside.empty() && inside.top().end_ns <= time) inside.pop();
      if (inside.empty()) continue;
      int64_t end = inside.top().end_ns;
      if (next < stretches.size()) end = std::min(end, stretches[next].begin_ns);
      if (!Give(time, end, inside.top().row)) return false;
      time = end;
    }
    return true;
  }

 private:
  bool Give(int64_t begin_ns, int64_t end_ns, uint32_t row) {
    for (; next_ < spans_.size() && spans_[next_].begin_ns < end_ns; ++next_) {
      open_.push_back(next_);
    }
    std::erase_if(open_, [&](size_t i) { return spans_[i].end_ns <= begin_ns; });
    if (open_.empty()) return true;
    pairs_ += open_.size();
    if (pairs_ > most_) return false;
    const uint32_t chain = chains_.Of(row);
    for (const size_t i : open_) {
      Span& span = spans_[i];
      const int64_t length = std::min(end_ns, span.end_ns) - std::max(begin_ns, span.begin_ns);
      if (length > 0) span.time_ns[chain] += length;
    }
    return true;
  }

  const ReportTables& tables_;
  std::vector<Span>& spans_;
  Chains& chains_;
  uint64_t most_;
  uint64_t pairs_ = 0;
  size_t next_ = 0;
  std::vector<size_t> open_;  // gaps that have begun
};

std::optional<IdleGap::Filling> LargestOf(const Span& span, const Chains& chains,
                                          const model::NamePool& names) {
  std::optional<IdleGap::Filling> largest;
  for (const auto& [chain, time] : span.time_ns) {
    if (largest && time < largest->time.ns) continue;
    std::vector<NameId> range = chains.Names(chain);
    if (largest && time == largest->time.ns) {
      const bool before = std::lexicographical_compare(
          range.begin(), range.end(), largest->range.begin(), largest->range.end(),
          [&](NameId a, NameId b) { return names.At(a) < names.At(b); });
      if (!before) continue;
    }
    largest = {std::move(range), {time}};
  }
  return largest;
}

}  // namespace

bool FillGaps(const ReportTables& tables, const GpuRanges& ranges, uint32_t thread,
              int64_t begin_ns, uint64_t most, model::IdleWindow& window) {
  std::vector<Span> spans = SpansOf(begin_ns, window);
  if (spans.empty()) return true;
  Chains chains(tables, ranges);
  if (!Sweep(tables, spans, chains, most).Run(StretchesOf(tables, thread, spans))) return false;
  for (const Span& span : spans) {
    const std::optional<IdleGap::Filling> filling = LargestOf(span, chains, tables.names);
    for (IdleGap* gap : span.gaps) gap->filling = filling;
  }
  return true;
}

}  // namespace rangewise::analysis
