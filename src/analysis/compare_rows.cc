#include "analysis/compare_rows.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <variant>

#include "analysis/harness.h"

namespace rangewise::analysis {
namespace {

using model::Metric;
using model::MetricRow;
using model::MetricTable;
using model::Observation;
using model::RangePath;
using model::RunSummary;
using model::Style;

template <typename Ns>
struct Entry {
  const RangePath* path;
  Style style;
  const std::string* domain;
  size_t run;
  const Observation<Ns>* observation;  // null: the run has the range, and its value is not known
};

template <typename Ns>
MetricRow<Ns> EmptyRow(const Cohorts& cohorts) {
  MetricRow<Ns> row;
  row.baseline.resize(cohorts.baseline.size());
  row.candidate.resize(cohorts.candidate.size());
  return row;
}

template <typename Ns>
std::optional<Observation<Ns>>& Slot(MetricRow<Ns>& row, size_t run) {
  return run < row.baseline.size() ? row.baseline[run] : row.candidate[run - row.baseline.size()];
}

template <typename Ns>
std::vector<MetricRow<Ns>> JoinRows(const Cohorts& cohorts, std::vector<Entry<Ns>> entries) {
  const auto before = [](const Entry<Ns>& a, const Entry<Ns>& b) {
    const auto paths = *a.path <=> *b.path;
    if (paths != 0) return paths < 0;
    return std::tie(a.style, *a.domain) < std::tie(b.style, *b.domain);
  };
  std::stable_sort(entries.begin(), entries.end(), before);
  std::vector<MetricRow<Ns>> rows;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (i == 0 || before(entries[i - 1], entries[i])) {
      rows.push_back(EmptyRow<Ns>(cohorts));
      rows.back().path = *entries[i].path;
      rows.back().style = entries[i].style;
      rows.back().domain = *entries[i].domain;
    }
    std::optional<Observation<Ns>>& slot = Slot(rows.back(), entries[i].run);
    if (entries[i].observation == nullptr) {
      rows.back().reason = model::Reason::kNoGpuWork;
    } else if (!slot) {
      slot = *entries[i].observation;
    }
  }
  return rows;
}

template <typename Ns, typename ObservationOf>
MetricTable<Ns> JoinIterations(const Cohorts& cohorts, Metric metric, ObservationOf of) {
  MetricTable<Ns> table{.metric = metric};
  MetricRow<Ns> row = EmptyRow<Ns>(cohorts);
  bool any = false;
  for (size_t i = 0; i < cohorts.size(); ++i) {
    Slot(row, i) = of(cohorts.At(i));
    any = any || Slot(row, i);
  }
  if (any) table.rows.push_back(std::move(row));
  return table;
}

bool IsAbove(const RangePath& ancestor, const RangePath& path) {
  return ancestor.size() < path.size() &&
         std::equal(ancestor.begin(), ancestor.end(), path.begin());
}

std::optional<std::string> TextOf(const RunSummary& run, std::string_view key) {
  const auto at = run.contract.find(std::string(key));
  if (at == run.contract.end()) return std::nullopt;
  const auto* text = std::get_if<std::string>(&at->second.data);
  return text == nullptr ? std::nullopt : std::optional(*text);
}

// Ranges that hold others although their path is above nothing, since paths begin below them: the
// capture range and the iterations of any run.
class HarnessRanges {
 public:
  explicit HarnessRanges(const Cohorts& cohorts) {
    std::set<std::optional<std::string>> patterns;
    for (size_t i = 0; i < cohorts.size(); ++i) {
      const std::optional<std::string> capture =
          TextOf(cohorts.At(i), model::kContractCaptureRange);
      if (!capture) continue;
      captures_.insert(*capture);
      const auto pattern = TextOf(cohorts.At(i), model::kContractIterationPattern);
      if (!patterns.insert(pattern).second) continue;
      model::Harness harness;
      harness.capture_range = capture;
      harness.iteration_pattern = pattern;
      // A pattern that does not compile made no analysis; a file that says so finds no iterations.
      Result<IterationNames> names = IterationNames::Make(harness);
      if (names.ok()) iterations_.push_back(std::move(names).value());
    }
  }

  bool IsCapture(const RangePath& path) const {
    return path.size() == 1 && captures_.contains(path.front());
  }
  bool IsIteration(const RangePath& path) const {
    return path.size() == 1 &&
           std::any_of(iterations_.begin(), iterations_.end(), [&](const IterationNames& names) {
             const auto index = names.IndexOf(path.front());
             return index.ok() && index->has_value();
           });
  }

 private:
  std::set<std::string> captures_;
  std::vector<IterationNames> iterations_;
};

// What the harness holds: every other row lies in the capture range, and ranges in an iteration
// have paths that begin below it.
template <typename Ns>
void PlaceInHarness(MetricTable<Ns>& table, const HarnessRanges& harness) {
  std::vector<MetricRow<Ns>*> captures;
  std::vector<MetricRow<Ns>*> iterations;
  for (MetricRow<Ns>& row : table.rows) {
    if (harness.IsCapture(row.path)) {
      captures.push_back(&row);
    } else if (harness.IsIteration(row.path)) {
      iterations.push_back(&row);
    }
  }
  if (captures.size() < table.rows.size()) {
    for (MetricRow<Ns>* row : captures) row->leaf = false;
  }
  if (captures.size() + iterations.size() < table.rows.size()) {
    for (MetricRow<Ns>* row : iterations) row->leaf = false;
  }
  if (captures.empty()) return;
  for (MetricRow<Ns>& row : table.rows) {
    if (!harness.IsCapture(row.path)) row.nested = true;
  }
}

// Rows are sorted by path, so that what lies below a row follows it. `open` holds the rows above
// the current one, and those of its own path and another style or domain; whatever is above the
// nearest of them was marked when that one was met.
template <typename Ns>
void PlaceRows(MetricTable<Ns>& table) {
  std::vector<MetricRow<Ns>*> open;
  for (MetricRow<Ns>& row : table.rows) {
    while (!open.empty() && open.back()->path != row.path && !IsAbove(open.back()->path, row.path))
      open.pop_back();
    const RangePath* nearest = nullptr;
    for (auto above = open.rbegin(); above != open.rend(); ++above) {
      if ((*above)->path == row.path) continue;
      if (nearest != nullptr && (*above)->path != *nearest) break;
      nearest = &(*above)->path;
      (*above)->leaf = false;
    }
    row.nested = nearest != nullptr;
    open.push_back(&row);
  }
}

template <typename Ns>
MetricTable<Ns> RangeTable(const Cohorts& cohorts, Metric metric, bool grouped,
                           std::vector<Entry<Ns>> entries) {
  MetricTable<Ns> table{.metric = metric, .grouped = grouped};
  table.rows = JoinRows(cohorts, std::move(entries));
  PlaceRows(table);
  PlaceInHarness(table, HarnessRanges(cohorts));
  return table;
}

// The numbers of instances that occur on one side. A side whose runs vary as the other's do differs
// in nothing.
template <typename Ns>
std::set<int64_t> InstancesOf(const std::vector<std::optional<Observation<Ns>>>& side) {
  std::set<int64_t> numbers;
  for (const std::optional<Observation<Ns>>& observation : side)
    if (observation) numbers.insert(observation->instances);
  return numbers;
}

template <typename HasGroups>
bool AllHave(const Cohorts& cohorts, HasGroups has) {
  for (size_t i = 0; i < cohorts.size(); ++i) {
    if (!has(cohorts.At(i))) return false;
  }
  return cohorts.size() > 0;
}

template <typename Ns>
bool AnyPositive(const std::vector<std::optional<Observation<Ns>>>& side) {
  return std::any_of(side.begin(), side.end(), [](const auto& observation) {
    return observation && observation->median_ns > 0;
  });
}

template <typename Ns>
using GpuMetric = std::optional<Observation<Ns>> model::GpuRangeSummary::*;

template <typename Ns>
MetricTable<Ns> JoinGpuRanges(const Cohorts& cohorts, Metric metric, GpuMetric<Ns> value) {
  const bool grouped = AllHave(cohorts, [](const RunSummary& run) {
    return !run.gpu_work || run.gpu_work->grouped.has_value();
  });
  const bool of_operations = metric != Metric::kHostWaits;
  std::vector<Entry<Ns>> entries;
  for (size_t i = 0; i < cohorts.size(); ++i) {
    const RunSummary& run = cohorts.At(i);
    if (!run.gpu_work) continue;
    for (const model::GpuRangeSummary& range :
         grouped ? *run.gpu_work->grouped : run.gpu_work->ranges) {
      const std::optional<Observation<Ns>>& observation = range.*value;
      if (observation || (of_operations && range.has_whole_graphs)) {
        entries.push_back({&range.path, Style::kPushPop, &range.domain, i,
                           observation ? &*observation : nullptr});
      }
    }
  }
  MetricTable<Ns> table{.metric = metric, .grouped = grouped};
  table.rows = JoinRows(cohorts, std::move(entries));
  std::erase_if(table.rows, [](const MetricRow<Ns>& row) {
    return !AnyPositive(row.baseline) && !AnyPositive(row.candidate);
  });
  PlaceRows(table);
  PlaceInHarness(table, HarnessRanges(cohorts));
  return table;
}

}  // namespace

MetricTable<HostNs> JoinHostIterations(const Cohorts& cohorts) {
  return JoinIterations<HostNs>(cohorts, Metric::kHostIterations,
                                [](const RunSummary& run) { return run.host_iterations; });
}

MetricTable<ProjectedNs> JoinProjectedIterations(const Cohorts& cohorts) {
  return JoinIterations<ProjectedNs>(
      cohorts, Metric::kProjectedIterations,
      [](const RunSummary& run) { return run.projected_iterations; });
}

MetricTable<HostNs> JoinHostRanges(const Cohorts& cohorts, Metric metric) {
  const bool grouped =
      AllHave(cohorts, [](const RunSummary& run) { return run.grouped_host_ranges.has_value(); });
  std::vector<Entry<HostNs>> entries;
  for (size_t i = 0; i < cohorts.size(); ++i) {
    const RunSummary& run = cohorts.At(i);
    for (const model::HostRangeSummary& range :
         grouped ? *run.grouped_host_ranges : run.host_ranges) {
      entries.push_back({&range.path, Style::kPushPop, &range.domain, i,
                         metric == Metric::kHostInclusive ? &range.inclusive : &range.exclusive});
    }
  }
  return RangeTable(cohorts, metric, grouped, std::move(entries));
}

MetricTable<ProjectedNs> JoinProjectedRanges(const Cohorts& cohorts) {
  const bool grouped = AllHave(
      cohorts, [](const RunSummary& run) { return run.grouped_projected_ranges.has_value(); });
  std::vector<Entry<ProjectedNs>> entries;
  for (size_t i = 0; i < cohorts.size(); ++i) {
    const RunSummary& run = cohorts.At(i);
    for (const model::ProjectedRangeSummary& range :
         grouped ? *run.grouped_projected_ranges : run.projected_ranges) {
      entries.push_back({&range.path, range.style, &range.domain, i, &range.projected});
    }
  }
  return RangeTable(cohorts, Metric::kProjected, grouped, std::move(entries));
}

MetricTable<GpuNs> JoinBusyIterations(const Cohorts& cohorts) {
  return JoinIterations<GpuNs>(cohorts, Metric::kGpuBusyIterations, [](const RunSummary& run) {
    return run.gpu_work ? run.gpu_work->busy_iterations : std::nullopt;
  });
}

MetricTable<GpuNs> JoinBusyTimes(const Cohorts& cohorts) {
  return JoinGpuRanges<GpuNs>(cohorts, Metric::kGpuBusy, &model::GpuRangeSummary::busy);
}

MetricTable<GpuNs> JoinKernelTimes(const Cohorts& cohorts) {
  return JoinGpuRanges<GpuNs>(cohorts, Metric::kGpuKernels, &model::GpuRangeSummary::kernels);
}

MetricTable<HostNs> JoinHostWaits(const Cohorts& cohorts) {
  return JoinGpuRanges<HostNs>(cohorts, Metric::kHostWaits, &model::GpuRangeSummary::waits);
}

MetricTable<GpuNs> JoinExposedCommunication(const Cohorts& cohorts) {
  return JoinGpuRanges<GpuNs>(cohorts, Metric::kExposedCommunication,
                              &model::GpuRangeSummary::exposed_communication);
}

std::vector<model::MissingMetric> RunsWithoutGpuMetric(const Cohorts& cohorts, Metric metric) {
  std::vector<model::MissingMetric> missing;
  for (size_t i = 0; i < cohorts.size(); ++i) {
    const RunSummary& run = cohorts.At(i);
    const bool of_candidate = i >= cohorts.baseline.size();
    const model::RunRef ref{of_candidate ? model::Side::kCandidate : model::Side::kBaseline,
                            of_candidate ? i - cohorts.baseline.size() : i};
    if (!run.gpu_work) {
      missing.push_back({ref, run.no_gpu_work});
    } else if (metric == Metric::kHostWaits && !run.gpu_work->no_calls.empty()) {
      missing.push_back({ref, run.gpu_work->no_calls});
    }
  }
  return missing;
}

template <typename Ns>
void EstimateRow(MetricRow<Ns>& row, const RankDistribution& distribution, TiedRanks& tied) {
  const std::vector<double> baseline = MediansOf(row.baseline);
  const std::vector<double> candidate = MediansOf(row.candidate);
  if (baseline.empty() || candidate.empty()) return;
  row.instances_differ = InstancesOf(row.baseline) != InstancesOf(row.candidate);
  row.shift_ns = EstimateShift(baseline, candidate);
  row.cliffs_delta = CliffsDelta(baseline, candidate);

  const auto positive = [](double value) { return value > 0; };
  if (!std::all_of(baseline.begin(), baseline.end(), positive) ||
      !std::all_of(candidate.begin(), candidate.end(), positive)) {
    return;
  }
  const LogRatio ratio = EstimateLogRatio(baseline, candidate, distribution);
  row.log_ratio = ratio.estimate;
  if (distribution.baseline() < kMinimumRuns || distribution.candidate() < kMinimumRuns) return;
  row.interval = ratio.interval;
  const RankTest test = TestRanks(baseline, candidate, distribution, tied);
  if (test.trusted) row.p = test.p;
  row.p_is_exact = test.exact;
}

template <typename Ns>
void SummariseLeaves(MetricTable<Ns>& table) {
  double sum = 0;
  for (const MetricRow<Ns>& row : table.rows) {
    if (!row.leaf || !row.log_ratio) continue;
    sum += *row.log_ratio;
    ++table.leaves;
  }
  if (table.leaves > 0) table.leaf_log_ratio = sum / static_cast<double>(table.leaves);
}

template void EstimateRow(MetricRow<HostNs>&, const RankDistribution&, TiedRanks&);
template void EstimateRow(MetricRow<ProjectedNs>&, const RankDistribution&, TiedRanks&);
template void EstimateRow(MetricRow<GpuNs>&, const RankDistribution&, TiedRanks&);
template void SummariseLeaves(MetricTable<HostNs>&);
template void SummariseLeaves(MetricTable<ProjectedNs>&);
template void SummariseLeaves(MetricTable<GpuNs>&);

}  // namespace rangewise::analysis
