#include "analysis/compare_runs.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "base/codes.h"
#include "base/iso_time.h"

namespace rangewise::analysis {
namespace {

using model::Caveat;
using model::RunSummary;
using Runs = std::span<const RunSummary* const>;

// A run with one of these was not measured as its manifest says, or its numbers may be another's.
constexpr std::array kLeaveOut = {Code::kMissingIterations,     Code::kUnexpectedIterations,
                                  Code::kMissingHostIterations, Code::kMissingGpuProjection,
                                  Code::kStaleReports,          Code::kOpenRanges};

std::optional<IsoTime> StartOf(const RunSummary& run) {
  return run.started_at ? ParseIsoTime(*run.started_at) : std::nullopt;
}

bool SpeaksAgainst(Code code, std::string_view word, const RunSummary& run) {
  const bool warned =
      std::find(run.warnings.begin(), run.warnings.end(), word) != run.warnings.end();
  switch (code) {
    case Code::kOpenRanges:
      return run.open_range_in_capture;
    case Code::kMissingGpuProjection:
      return run.partly_projected;
    case Code::kMissingHostIterations:
      return warned || run.partly_on_host;
    default:
      return warned;
  }
}

struct CodesAgainst {
  std::vector<std::string> allowed;
  std::vector<std::string> others;
};

CodesAgainst CodesOf(const RunSummary& run, const AllowedKeys& allowed) {
  CodesAgainst codes;
  for (const Code code : kLeaveOut) {
    const std::string word(rangewise::Describe(code).word);
    if (!SpeaksAgainst(code, word, run)) continue;
    (allowed.contains(word) ? codes.allowed : codes.others).push_back(word);
  }
  return codes;
}

bool SameNumbers(const RunSummary& a, const RunSummary& b) {
  return a.host_iterations == b.host_iterations &&
         a.projected_iterations == b.projected_iterations && a.host_ranges == b.host_ranges &&
         a.projected_ranges == b.projected_ranges &&
         a.grouped_host_ranges == b.grouped_host_ranges &&
         a.grouped_projected_ranges == b.grouped_projected_ranges &&
         // An older analysis of the capture does not contradict a newer one.
         (!a.gpu_work || !b.gpu_work || a.gpu_work == b.gpu_work);
}

// Runs without a time stand behind the others. Nothing of what a run holds but its label depends on
// how it was named, so that comes last.
auto ShownOrder(const RunSummary& run) {
  const std::optional<IsoTime> start = StartOf(run);
  const IsoTime time = start.value_or(IsoTime{});
  return std::make_tuple(!start, !time.zoned, time.seconds, time.nanoseconds, run.id.value_or(""),
                         run.digest, run.label);
}

template <typename ValueOf>
bool Intersects(Runs baseline, Runs candidate, ValueOf value_of) {
  std::set<std::string> seen;
  for (const RunSummary* run : baseline) seen.insert(value_of(*run));
  seen.erase("");
  return std::any_of(candidate.begin(), candidate.end(),
                     [&](const RunSummary* run) { return seen.contains(value_of(*run)); });
}

struct Extent {
  IsoTime first;
  IsoTime last;
};

// Nothing when a time is unknown, or two of them have no order.
std::optional<Extent> ExtentOf(Runs runs) {
  std::optional<Extent> extent;
  for (const RunSummary* run : runs) {
    const std::optional<IsoTime> start = StartOf(*run);
    if (!start || start->date_only) return std::nullopt;
    if (!extent) extent = Extent{*start, *start};
    if (start->zoned != extent->first.zoned) return std::nullopt;
    if (*start < extent->first) extent->first = *start;
    if (*start > extent->last) extent->last = *start;
  }
  return extent;
}

}  // namespace

std::span<const Code> CodesThatLeaveOut() { return kLeaveOut; }

SelectedRuns SelectRuns(model::Side side, std::span<const RunSummary> runs,
                        const AllowedKeys& allowed) {
  SelectedRuns selected;
  std::vector<const RunSummary*> ordered;
  for (const RunSummary& run : runs) ordered.push_back(&run);
  std::sort(ordered.begin(), ordered.end(),
            [](const RunSummary* a, const RunSummary* b) { return a->label < b->label; });

  std::map<std::string, const RunSummary*> run_of_digest;
  for (const RunSummary* run : ordered) {
    const auto [at, is_new] = run_of_digest.emplace(run->digest, run);
    if (!is_new && !run->digest.empty()) {
      const RunSummary& counted = *at->second;
      selected.duplicates.push_back({side, run->label, counted.label, SameNumbers(*run, counted)});
      continue;
    }
    CodesAgainst codes = CodesOf(*run, allowed);
    if (!codes.others.empty()) {
      selected.left_out.push_back({side, Describe(*run, allowed), std::move(codes.others)});
      continue;
    }
    selected.runs.push_back(run);
  }
  std::sort(
      selected.runs.begin(), selected.runs.end(),
      [](const RunSummary* a, const RunSummary* b) { return ShownOrder(*a) < ShownOrder(*b); });
  return selected;
}

std::optional<Caveat> OrderCaveat(Runs baseline, Runs candidate) {
  if (baseline.empty() || candidate.empty()) return std::nullopt;
  const std::optional<Extent> b = ExtentOf(baseline);
  const std::optional<Extent> c = ExtentOf(candidate);
  if (!b || !c || b->first.zoned != c->first.zoned) return Caveat::kOrderUnknown;
  if (b->last < c->first || c->last < b->first) return Caveat::kOrderConfounded;
  if (b->last == c->first || c->last == b->first) return Caveat::kOrderUnknown;
  return std::nullopt;
}

bool SharesCommit(Runs baseline, Runs candidate) {
  return Intersects(baseline, candidate,
                    [](const RunSummary& run) { return run.commit.value_or(""); });
}

bool SharesRun(Runs baseline, Runs candidate) {
  return Intersects(baseline, candidate, [](const RunSummary& run) { return run.digest; });
}

bool RepeatsRun(Runs baseline, Runs candidate) {
  std::map<std::string, std::string> digest_of_id;
  std::map<std::tuple<bool, int64_t, int64_t>, std::string> digest_of_start;
  const auto repeats = [](auto& digests, const auto& key, const std::string& digest) {
    const auto [at, is_new] = digests.emplace(key, digest);
    return !is_new && (at->second != digest || digest.empty());
  };
  for (const Runs side : {baseline, candidate}) {
    for (const RunSummary* run : side) {
      if (run->id && !run->id->empty() && repeats(digest_of_id, *run->id, run->digest)) return true;
      const std::optional<IsoTime> start = StartOf(*run);
      if (!start || start->date_only) continue;
      if (repeats(digest_of_start,
                  std::make_tuple(start->zoned, start->seconds, start->nanoseconds), run->digest))
        return true;
    }
  }
  return false;
}

model::ComparedRun Describe(const RunSummary& run, const AllowedKeys& allowed) {
  return {.label = run.label,
          .id = run.id,
          .commit = run.commit,
          .started_at = run.started_at,
          .report_source = run.report_source,
          .warnings = run.warnings,
          .allowed_warnings = CodesOf(run, allowed).allowed};
}

}  // namespace rangewise::analysis
