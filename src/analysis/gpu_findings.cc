#include "analysis/gpu_findings.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/thresholds.h"
#include "base/checked.h"
#include "base/text.h"

namespace rangewise::analysis {
namespace {

using model::CallClass;
using model::Finding;
using model::FindingClock;
using model::FindingSeverity;

// What is judged of one class of calls.
struct CallRule {
  Code code;
  CallClass call_class;
  double share;             // above
  std::string_view doing;   // after "in CUDA calls that"
};

// The host time of a path, and what of it passed in calls of the class.
struct PathShare {
  ScopePath path = kRootPath;
  int64_t host_ns = 0;
  int64_t call_ns = 0;
  int64_t calls = 0;
};

// Paths that host ranges have, by path. A path of start/end ranges too holds calls that lie in no
// host range of its name, so that a share over one says nothing and is left out.
std::vector<PathShare> SharesOf(const model::Analysis& analysis, CallClass call_class) {
  std::vector<PathShare> shares;
  auto group = analysis.host_groups.begin();
  for (const model::PathGpuWork& path : analysis.gpu_work->paths) {
    while (group != analysis.host_groups.end() && group->path < path.path) ++group;
    if (group == analysis.host_groups.end()) break;
    if (group->path != path.path || !path.work.calls) continue;
    const model::CallTime& time = (*path.work.calls)[static_cast<size_t>(call_class)];
    const int64_t host_ns = group->inclusive.total.ns;
    if (host_ns <= 0 || time.total.ns > host_ns) continue;
    shares.push_back({path.path, host_ns, time.total.ns, time.calls});
  }
  return shares;
}

double ShareOf(const PathShare& share) {
  return static_cast<double>(share.call_ns) / static_cast<double>(share.host_ns);
}

// The capture range, or all top-level paths together; nothing where the host time cannot be summed.
std::optional<PathShare> Whole(const FindingSource& source, std::span<const PathShare> shares) {
  const model::Analysis& analysis = source.analysis;
  if (source.host.capture != kNoRow) {
    const ScopePath path = source.place[source.host.paths[source.host.capture]];
    for (const PathShare& share : shares) {
      if (share.path == path) return share;
    }
    return std::nullopt;
  }
  Int128 host_ns = 0;
  for (const model::HostGroup& group : analysis.host_groups) {
    if (analysis.paths[group.path].parent == kRootPath) host_ns += group.inclusive.total.ns;
  }
  PathShare whole;
  for (const PathShare& share : shares) {
    if (analysis.paths[share.path].parent != kRootPath) continue;
    whole.call_ns += share.call_ns;
    whole.calls += share.calls;
  }
  if (host_ns <= 0 || !Narrow(host_ns)) return std::nullopt;
  whole.host_ns = *Narrow(host_ns);
  return whole;
}

std::vector<std::string> NamesOf(const FindingSource& source, ScopePath path) {
  std::vector<std::string> names;
  for (; path != kRootPath; path = source.analysis.paths[path].parent) {
    names.emplace_back(source.tables.names.At(source.analysis.paths[path].name));
  }
  std::reverse(names.begin(), names.end());
  return names;
}

std::optional<Finding> FindCalls(const FindingSource& source, const CallRule& rule) {
  const auto reason = source.analysis.gpu_work->null_reasons.find("calls");
  if (reason != source.analysis.gpu_work->null_reasons.end()) {
    return Finding{.code = rule.code,
                   .severity = FindingSeverity::kInfo,
                   .clock = FindingClock::kHost,
                   .computed = false,
                   .sentence = reason->second};
  }
  std::vector<PathShare> shares = SharesOf(source.analysis, rule.call_class);
  const std::optional<PathShare> whole = Whole(source, shares);
  if (!whole || ShareOf(*whole) <= rule.share) return std::nullopt;

  Finding finding{
      .code = rule.code,
      .severity = FindingSeverity::kNotice,
      .clock = FindingClock::kHost,
      .sentence = Format("{:.1f} % of the host time of {} ({} of {} ns) passed in {} CUDA {} that {}",
                         100 * ShareOf(*whole),
                         source.host.capture != kNoRow ? "the capture range" : "the top-level ranges",
                         Grouped(whole->call_ns), Grouped(whole->host_ns), Grouped(whole->calls),
                         whole->calls == 1 ? "call" : "calls", rule.doing),
      .numbers = {{"calls_count", whole->calls},
                  {"calls_ns", whole->call_ns},
                  {"host_ns", whole->host_ns},
                  {"host_share_ratio", ShareOf(*whole)},
                  {"threshold_ratio", rule.share}}};
  std::erase_if(shares, [&](const PathShare& share) { return ShareOf(share) <= rule.share; });
  std::stable_sort(shares.begin(), shares.end(), [](const PathShare& a, const PathShare& b) {
    return a.call_ns > b.call_ns;
  });
  finding.rows_total = static_cast<int64_t>(shares.size());
  shares.resize(std::min(shares.size(), kThresholds.most_paths));
  for (const PathShare& share : shares) finding.paths.push_back(NamesOf(source, share.path));
  return finding;
}

Finding NotComputed(std::string why) {
  return {.code = Code::kGpuIdleInIterations,
          .severity = FindingSeverity::kInfo,
          .clock = FindingClock::kProjected,
          .computed = false,
          .sentence = std::move(why)};
}

std::optional<Finding> FindIdleIterations(const model::RangeGpuWork& work) {
  std::vector<std::pair<double, int64_t>> shares;  // with the iteration's index
  bool has_graphs = false;
  for (const model::IterationGpuWork& iteration : work.iterations) {
    has_graphs = has_graphs || iteration.work.graphs.records.instances > 0;
    if (const auto share = iteration.work.BusyShare()) shares.emplace_back(*share, iteration.index);
  }
  if (shares.size() < kThresholds.idle_fewest) {
    std::string why = shares.empty() ? std::string("no iteration has a busy share")
                                     : Format("{} {} a busy share; at least {} are needed",
                                              shares.size(),
                                              shares.size() == 1 ? "iteration has"
                                                                 : "iterations have",
                                              kThresholds.idle_fewest);
    if (has_graphs) why += "; where whole CUDA graphs ran, only their span is known";
    return NotComputed(std::move(why));
  }
  std::vector<int64_t> idle;
  for (const auto& [share, index] : shares) {
    if (share < kThresholds.idle_busy_share) idle.push_back(index);
  }
  std::sort(shares.begin(), shares.end());
  const size_t middle = shares.size() / 2;
  const double median = shares.size() % 2 == 1
                            ? shares[middle].first
                            : (shares[middle - 1].first + shares[middle].first) / 2;
  if (median >= kThresholds.idle_busy_share) return std::nullopt;
  Finding finding{
      .code = Code::kGpuIdleInIterations,
      .severity = FindingSeverity::kNotice,
      .clock = FindingClock::kProjected,
      .sentence = Format("in the median iteration the GPU was busy for {:.1f} % of the time from the "
                         "start of its first to the end of its last operation ({:.1f} to {:.1f} % "
                         "over {} iterations)",
                         100 * median, 100 * shares.front().first, 100 * shares.back().first,
                         shares.size()),
      .numbers = {{"iterations_count", static_cast<int64_t>(shares.size())},
                  {"largest_busy_share_ratio", shares.back().first},
                  {"median_busy_share_ratio", median},
                  {"smallest_busy_share_ratio", shares.front().first},
                  {"threshold_ratio", kThresholds.idle_busy_share}}};
  finding.rows_total = static_cast<int64_t>(idle.size());
  finding.iterations = std::move(idle);
  return finding;
}

}  // namespace

std::vector<Finding> FindInGpuWork(const FindingSource& source) {
  std::vector<Finding> findings;
  if (!source.analysis.gpu_work) return findings;
  const auto add = [&](std::optional<Finding> finding) {
    if (finding) findings.push_back(std::move(*finding));
  };
  add(FindIdleIterations(*source.analysis.gpu_work));
  add(FindCalls(source, {Code::kHostWaitsInSynchronisation, CallClass::kSynchronising,
                         kThresholds.waits_host_share, "wait for the GPU"}));
  add(FindCalls(source, {Code::kLaunchCallsDominate, CallClass::kLaunching,
                         kThresholds.launches_host_share, "launch GPU work"}));
  return findings;
}

}  // namespace rangewise::analysis
