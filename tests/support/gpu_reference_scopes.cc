#include "support/gpu_reference_scopes.h"

#include <algorithm>
#include <tuple>

namespace rangewise::test {
namespace {

int64_t ProcessOf(const RawEvent& event) { return event.global_tid >> 24 & 0xFFFFFF; }

std::string DomainName(const RawTrace& raw, const RawEvent& event) {
  const RawEvent* first = nullptr;
  for (const RawEvent& other : raw.events) {
    if (other.type != 75 || !event.domain || other.domain != event.domain) continue;
    if (ProcessOf(other) != ProcessOf(event)) continue;
    if (first == nullptr ||
        std::pair(other.start, other.global_tid) < std::pair(first->start, first->global_tid)) {
      first = &other;
    }
  }
  return first == nullptr ? "" : first->text.value_or("");
}

}  // namespace

std::vector<Range> RangesOf(const RawTrace& raw, bool push_pop_only) {
  const auto counts = [&](int64_t type) {
    return type == 59 || type == 70 || (!push_pop_only && (type == 60 || type == 71));
  };
  int64_t horizon = std::numeric_limits<int64_t>::min();
  for (const RawEvent& event : raw.events) {
    if (counts(event.type))
      horizon = std::max({horizon, event.start, event.end.value_or(event.start)});
  }
  std::map<std::pair<std::optional<int64_t>, int64_t>, std::string> domains;
  for (const RawEvent& event : raw.events) {
    const std::pair domain(event.domain, ProcessOf(event));
    if (!domains.contains(domain)) domains[domain] = DomainName(raw, event);
  }
  std::vector<Range> ranges;
  for (const RawEvent& event : raw.events) {
    if (!counts(event.type) || (!push_pop_only && event.end_global_tid)) continue;
    Range range;
    range.row_id = event.row_id;
    range.start = event.start;
    range.end = event.end.value_or(horizon);
    range.tid = event.global_tid;
    range.name = domains.at({event.domain, ProcessOf(event)}) + ":" + event.text.value_or("");
    range.push_pop = event.type == 59 || event.type == 70;
    ranges.push_back(range);
  }
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
    return std::tuple(a.tid, a.duration(), a.row_id) < std::tuple(b.tid, b.duration(), b.row_id);
  });
  for (size_t i = 0; i < ranges.size(); ++i) {
    size_t first = i;  // a container is no shorter
    while (first > 0 && ranges[first - 1].tid == ranges[i].tid &&
           ranges[first - 1].duration() == ranges[i].duration()) {
      --first;
    }
    for (size_t j = first; j < ranges.size() && ranges[j].tid == ranges[i].tid; ++j) {
      if (!ranges[j].Contains(ranges[i])) continue;
      ranges[i].parent = j;
      break;
    }
  }
  // Only identical ranges are each other's parents.
  for (Range& range : ranges) {
    for (const Range* at = &range; at->parent != kNone; at = &ranges[at->parent]) {
      const size_t above = ranges[at->parent].parent;
      if (above != kNone && &ranges[above] == at) {
        range.levelled = false;
        break;
      }
    }
  }
  return ranges;
}

Scopes::Scopes(std::vector<Range> host, const std::vector<Range>& all,
               const GpuReferenceOptions& options)
    : host_(std::move(host)), all_(all), pattern_(options.iteration_pattern) {
  for (size_t i = 0; i < host_.size(); ++i) {
    if (host_[i].levelled) host_index_[host_[i].row_id] = i;
  }
  if (!options.capture_range) return;
  for (size_t i = 0; i < host_.size(); ++i) {
    if (host_[i].levelled && host_[i].parent == kNone &&
        host_[i].name == ":" + *options.capture_range)
      capture_ = i;
  }
}

Place Scopes::PlaceOf(size_t index) const {
  const Range& range = all_[index];
  if (const auto known = host_index_.find(range.row_id); known != host_index_.end()) {
    if (const auto iteration = HostIteration(known->second)) return {{}, iteration};
    return {HostPath(known->second), std::nullopt};
  }
  Path path{range.name};
  for (size_t at = range.levelled ? range.parent : kNone; at != kNone; at = all_[at].parent) {
    if (const auto known = host_index_.find(all_[at].row_id); known != host_index_.end()) {
      if (known->second == capture_ || HostIteration(known->second)) break;
      const Path above = HostPath(known->second);
      path.insert(path.begin(), above.begin(), above.end());
      break;
    }
    path.insert(path.begin(), all_[at].name);
  }
  return {path, std::nullopt};
}

std::vector<Range> Scopes::HostRows() const {
  std::vector<Range> rows;
  for (const Range& range : host_) {
    if (range.levelled) rows.push_back(range);
  }
  return rows;
}

Path Scopes::StackOf(int64_t row_id) const {
  Path path;
  for (size_t at = host_index_.at(row_id); at != kNone; at = host_[at].parent) {
    path.insert(path.begin(), host_[at].name);
  }
  return path;
}

std::optional<int64_t> Scopes::HostIteration(size_t host) const {
  if (capture_ == kNone || host_[host].parent != capture_) return std::nullopt;
  std::smatch match;
  const std::string text = host_[host].name.substr(1);
  if (host_[host].name[0] != ':' || !std::regex_match(text, match, pattern_)) return std::nullopt;
  return std::stoll(match[1].str());
}

Path Scopes::HostPath(size_t host) const {
  Path path;
  for (size_t at = host; at != kNone; at = host_[at].parent) {
    if (at != host && (at == capture_ || HostIteration(at))) break;
    path.insert(path.begin(), host_[at].name);
  }
  return path;
}

}  // namespace rangewise::test
