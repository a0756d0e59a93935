#include "support/gpu_reference_attribution.h"

#include <algorithm>
#include <regex>
#include <tuple>

#include "base/text.h"
#include "support/gpu_reference_names.h"

namespace rangewise::test {

Attribution::Attribution(const RawTrace& raw, const GpuReferenceOptions& options)
    : raw_(raw),
      options_(options),
      ranges_(RangesOf(raw, false)),
      scopes_(RangesOf(raw, true), ranges_, options) {
  FindHolders();
  FindOutermostCalls();
  for (size_t i = 0; i < ranges_.size(); ++i) {
    places_.push_back(scopes_.PlaceOf(i));
    keys_.push_back(KeysOf(i));
  }
  Attribute();
}

void Attribution::FindHolders() {
  std::map<std::pair<int64_t, int64_t>, std::vector<size_t>> calls_of;
  holders_.resize(raw_.calls.size());
  std::map<int64_t, std::vector<size_t>> ranges_of;
  for (size_t i = 0; i < ranges_.size(); ++i) ranges_of[ranges_[i].tid].push_back(i);
  for (size_t i = 0; i < raw_.calls.size(); ++i) {
    const RawCall& call = raw_.calls[i];
    if (call.correlation)
      calls_of[{call.global_tid & ~int64_t{0xFFFFFF}, *call.correlation}].push_back(i);
    for (const size_t range : ranges_of[call.global_tid]) {
      if (ranges_[range].Contains(call)) holders_[i].push_back(range);
    }
  }
  const auto launching = [&](const std::optional<int64_t>& pid,
                             const std::optional<int64_t>& correlation) {
    return pid && correlation ? calls_of[{*pid, *correlation}] : std::vector<size_t>{};
  };
  for (const RawOperation& operation : raw_.operations) {
    operation_calls_.push_back(launching(operation.global_pid, operation.correlation));
  }
  for (const RawGraph& graph : raw_.graphs)
    graph_calls_.push_back(launching(graph.global_pid, graph.correlation));
  for (const RawSynchronisation& one : raw_.synchronisations) {
    synchronisation_calls_.push_back(launching(one.global_pid, one.correlation));
  }
  for (const RawCall& call : raw_.calls) call_classes_.push_back(ClassOfCall(call.name));
  for (size_t i = 0; i < raw_.operations.size(); ++i) {
    if (!Blocks(raw_.operations[i])) continue;
    for (const size_t call : operation_calls_[i]) call_classes_[call] = "synchronising";
  }
}

std::set<size_t> Attribution::RangesHolding(const std::vector<size_t>& calls) const {
  std::set<size_t> holding;
  for (const size_t call : calls) holding.insert(holders_[call].begin(), holders_[call].end());
  return holding;
}

// A call inside another of its thread has no time of its own; of calls of one interval the first by
// class and name has it.
// What two calls that overlap have in common is the time of the earlier one.
void Attribution::FindOutermostCalls() {
  std::map<int64_t, std::vector<size_t>> calls_of;
  for (size_t i = 0; i < raw_.calls.size(); ++i) calls_of[raw_.calls[i].global_tid].push_back(i);
  outermost_.assign(raw_.calls.size(), true);
  for (const RawCall& call : raw_.calls) call_times_.push_back(call.end - call.start);
  const auto rank = [&](size_t call) {
    const auto name = std::find(std::begin(kCallClassNames), std::end(kCallClassNames), call_classes_[call]);
    return std::tuple(name - std::begin(kCallClassNames), raw_.calls[call].name, call);
  };
  for (const auto& [thread, calls] : calls_of) {
    for (const size_t inner : calls) {
      const RawCall& a = raw_.calls[inner];
      int64_t begin = a.start;
      for (const size_t outer : calls) {
        const RawCall& b = raw_.calls[outer];
        if (inner == outer || b.start > a.start) continue;
        const bool same = a.start == b.start && a.end == b.end;
        if (b.end >= a.end && (!same || rank(outer) < rank(inner))) outermost_[inner] = false;
        if (b.start < a.start) begin = std::max(begin, b.end);
      }
      call_times_[inner] = a.end - begin;
    }
  }
}

std::string Attribution::Joined(const Path& path) {
  std::string text;
  for (const std::string& name : path) text += (text.empty() ? "" : "/") + name;
  return text;
}

// Names without a default domain's ':', digits as '#'.
std::string Attribution::Masked(const Path& path) {
  static const std::regex digits("[0-9]+");
  Path masked;
  for (const std::string& name : path) {
    masked.push_back(std::regex_replace(name[0] == ':' ? name.substr(1) : name, digits, "#"));
  }
  return Joined(masked);
}

std::vector<std::string> Attribution::KeysOf(size_t range) const {
  const Place& place = places_[range];
  if (place.iteration) return {Format("iteration {}", *place.iteration)};
  std::vector<std::string> keys = {"path " + Joined(place.path)};
  if (options_.mask_numbers) keys.push_back("grouped " + Masked(place.path));
  return keys;
}

// Those in which no other one lies, unless of the same interval.
std::set<size_t> Attribution::InnermostOf(const std::set<size_t>& ranges) const {
  std::set<size_t> innermost;
  for (const size_t range : ranges) {
    const bool holds_one = std::any_of(ranges.begin(), ranges.end(), [&](size_t other) {
      return ranges_[range].Contains(ranges_[other]) &&
             ranges_[other].duration() < ranges_[range].duration();
    });
    if (!holds_one) innermost.insert(range);
  }
  return innermost;
}

void Attribution::Attribute() {
  for (size_t i = 0; i < ranges_.size(); ++i) {
    for (const std::string& key : keys_[i]) members_[key].ranges.insert(i);
  }
  range_operations_.resize(ranges_.size());
  for (size_t i = 0; i < raw_.operations.size(); ++i) {
    const std::set<size_t> holding = RangesHolding(operation_calls_[i]);
    for (const size_t range : holding) {
      range_operations_[range].push_back(i);
      for (const std::string& key : keys_[range]) members_[key].operations.insert(i);
    }
    for (const size_t range : InnermostOf(holding)) {
      for (const std::string& key : keys_[range]) members_[key].own_operations.insert(i);
    }
    if (!FormChain(holding)) ++overlapping_;
  }
  // A range that neither report has a row of has no scope path: a start/end range that launched
  // nothing.
  for (size_t i = 0; i < ranges_.size(); ++i) {
    if (range_operations_[i].empty() && !scopes_.InHostTable(ranges_[i])) keys_[i].clear();
  }
  for (size_t i = 0; i < raw_.graphs.size(); ++i) {
    for (const size_t range : RangesHolding(graph_calls_[i])) {
      for (const std::string& key : keys_[range]) members_[key].graphs.insert(i);
    }
  }
  for (size_t i = 0; i < raw_.synchronisations.size(); ++i) {
    for (const size_t range : RangesHolding(synchronisation_calls_[i])) {
      for (const std::string& key : keys_[range]) members_[key].synchronisations.insert(i);
    }
  }
  for (size_t i = 0; i < raw_.calls.size(); ++i) {
    if (!outermost_[i]) continue;
    const std::set<size_t> holding(holders_[i].begin(), holders_[i].end());
    for (const size_t range : holding) {
      for (const std::string& key : keys_[range]) members_[key].calls.insert(i);
    }
    for (const size_t range : InnermostOf(holding)) {
      for (const std::string& key : keys_[range]) members_[key].own_calls.insert(i);
    }
  }
}

// Whether the paths of the ranges, the capture range's and iterations aside, are each the one above
// with one more name, and only the last has the work as its own.
bool Attribution::FormChain(const std::set<size_t>& holding) const {
  const Path capture = scopes_.capture() == nullptr ? Path{} : Path{scopes_.capture()->name};
  const auto paths_of = [&](const std::set<size_t>& ranges) {
    std::set<Path> paths;
    for (const size_t range : ranges) {
      if (!places_[range].iteration && places_[range].path != capture)
        paths.insert(places_[range].path);
    }
    return std::vector<Path>(paths.begin(), paths.end());
  };
  std::vector<Path> by_length = paths_of(holding);
  if (by_length.empty()) return true;
  std::sort(by_length.begin(), by_length.end(),
            [](const Path& a, const Path& b) { return a.size() < b.size(); });
  for (size_t i = 1; i < by_length.size(); ++i) {
    const Path& above = by_length[i - 1];
    if (above.size() + 1 != by_length[i].size() ||
        !std::equal(above.begin(), above.end(), by_length[i].begin())) {
      return false;
    }
  }
  return paths_of(InnermostOf(holding)) == std::vector<Path>{by_length.back()};
}

}  // namespace rangewise::test
