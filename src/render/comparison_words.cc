#include "render/comparison_words.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "base/text.h"
#include "render/units.h"

namespace rangewise::render {
namespace {

using model::Caveat;
using model::Comparison;
using model::ContractRow;
using model::ContractState;
using model::Metric;
using model::Reason;
using model::Verdict;

constexpr size_t kMostNamed = 6;  // in the first line

// What the first line needs of the primary metric's row.
struct PrimaryNumbers {
  std::optional<double> log_ratio;
  std::optional<double> shift_ns;
  std::optional<model::LogInterval> interval;
  std::optional<double> p;
};

PrimaryNumbers PrimaryOf(const Comparison& comparison) {
  PrimaryNumbers numbers;
  model::ForEachTable(comparison, [&](const auto& table) {
    for (const auto& row : table.rows) {
      if (row.primary) numbers = {row.log_ratio, row.shift_ns, row.interval, row.p};
    }
  });
  return numbers;
}

// "1.083 times the baseline's (interval 1.071 to 1.095, p 0.00016)"; what does not exist is left
// out.
std::string Numbers(const PrimaryNumbers& numbers) {
  if (!numbers.log_ratio) return "no ratio";
  std::string text = Format("{} times the baseline's", RatioText(*numbers.log_ratio));
  std::string more;
  if (numbers.interval) {
    more = Format("{:.0f} % interval {}", std::floor(numbers.interval->coverage * 100),
                  IntervalText(*numbers.interval));
  }
  if (numbers.p) more += Format("{}p {}", more.empty() ? "" : ", ", ProbabilityText(*numbers.p));
  return more.empty() ? text : Format("{} ({})", text, more);
}

// At most kMostNamed of `names`, and how many more there are.
std::string Listed(const std::vector<std::string>& names, NameStyle style) {
  std::string text;
  for (size_t i = 0; i < names.size() && i < kMostNamed; ++i)
    text += (i > 0 ? ", " : "") + style(names[i]);
  if (names.size() > kMostNamed) text += Format(" and {} more", names.size() - kMostNamed);
  return text;
}

std::string NamedRuns(const Comparison& comparison, const std::vector<model::RunRef>& runs,
                      NameStyle style) {
  std::vector<std::string> labels;
  for (const model::RunRef& ref : runs) {
    const auto& side =
        ref.side == model::Side::kBaseline ? comparison.baseline : comparison.candidate;
    if (ref.run < side.size()) labels.push_back(side[ref.run].label);
  }
  return Listed(labels, style);
}

// Those that are allowed, or those that are not; "unknown" are those that no run recorded.
std::string KeysOf(const std::vector<ContractRow>& contract, bool allowed, NameStyle style) {
  std::vector<std::string> different;
  std::vector<std::string> unknown;
  for (const ContractRow* row : Differences(contract)) {
    if (row->allowed != allowed) continue;
    (row->state == ContractState::kUnknown ? unknown : different).push_back(row->key);
  }
  std::string text = Listed(different, style);
  if (!unknown.empty()) text += (text.empty() ? "unknown " : "; unknown ") + Listed(unknown, style);
  return text;
}

// A key that no run recorded is not known to differ.
std::string WhatDiffers(const std::vector<ContractRow>& contract, NameStyle style) {
  const bool any = std::any_of(contract.begin(), contract.end(), [](const ContractRow& row) {
    return row.state == ContractState::kDifferent && !row.allowed;
  });
  return Format(
      "{}: {}",
      any ? "not the same thing was measured" : "whether the same thing was measured is not known",
      KeysOf(contract, false, style));
}

std::string Needed(const Comparison& comparison) {
  return Format("a verdict needs {} runs a side", comparison.runs_needed);
}

std::string WhyInconclusive(const Comparison& comparison, const PrimaryNumbers& numbers) {
  const std::string floor = Format("{:.4g} %", comparison.floor.relative * 100);
  switch (comparison.reason) {
    case Reason::kOneRun:
      return Format("{}: observed, not tested; {}", Numbers(numbers), Needed(comparison));
    case Reason::kTooFewRuns:
      return Format("{}; {}", Numbers(numbers), Needed(comparison));
    case Reason::kNotSignificant:
      return Format("{}: the runs do not tell this from chance, nor the two sides for alike",
                    Numbers(numbers));
    case Reason::kWithinFloor:
      return Format("{}: beyond chance, but not beyond the floor of {}", Numbers(numbers), floor);
    case Reason::kBelowAbsoluteFloor:
      return Format("{}: beyond chance, but by less than {}", Numbers(numbers),
                    DurationOfNs(comparison.floor.absolute_ns));
    case Reason::kNonPositiveValue:
      return "a run's value is not above 0, and a ratio needs values above 0";
    case Reason::kSharedRuns:
      return Format("{}: a run stands on both sides, so no claim is made", Numbers(numbers));
    case Reason::kTooFewForFamily:
      return Format("{}: no p that these numbers of runs can attain would pass", Numbers(numbers));
    case Reason::kApproximateP:
      return Format("{}: values are tied, and of so many runs p cannot be counted",
                    Numbers(numbers));
    default:
      return Numbers(numbers);
  }
}

std::string WhyNotComparable(const Comparison& comparison, NameStyle style) {
  switch (comparison.reason) {
    case Reason::kContractDiffers:
      return WhatDiffers(comparison.contract, style);
    case Reason::kNoRuns:
      return comparison.baseline.empty() ? "no run of the baseline is left"
                                         : "no run of the candidate is left";
    case Reason::kMetricMissing:
      return "no run has it";
    case Reason::kNoGpuProjection:
      return Format("{} of {} runs hold no GPU projection at all, which is unknown and not 0: {}",
                    comparison.primary_missing.size(),
                    comparison.baseline.size() + comparison.candidate.size(),
                    NamedRuns(comparison, comparison.primary_missing, style));
    case Reason::kMissingInSomeRuns:
      return Format("{} of {} runs do not have it, which is unknown and not 0: {}",
                    comparison.primary_missing.size(),
                    comparison.baseline.size() + comparison.candidate.size(),
                    NamedRuns(comparison, comparison.primary_missing, style));
    default:
      return std::string(model::ReasonName(comparison.reason));
  }
}

std::string Others(const Comparison& comparison) {
  size_t rows = 0;
  size_t regressed = 0;
  size_t improved = 0;
  model::ForEachTable(comparison, [&](const auto& table) {
    for (const auto& row : table.rows) {
      if (row.primary) continue;
      ++rows;
      regressed += row.verdict == Verdict::kRegressed ? 1 : 0;
      improved += row.verdict == Verdict::kImproved ? 1 : 0;
    }
  });
  if (regressed + improved == 0) return "";
  return Format("; of {} other rows {} regressed and {} improved",
                Grouped(static_cast<int64_t>(rows)), regressed, improved);
}

// The words of the runs' warnings, those that were allowed or the others.
std::vector<std::string> WarningWords(const Comparison& comparison, bool allowed) {
  std::set<std::string> words;
  for (const auto* side : {&comparison.baseline, &comparison.candidate}) {
    for (const model::ComparedRun& run : *side) {
      const std::vector<std::string>& let_pass = run.allowed_warnings;
      if (allowed) words.insert(let_pass.begin(), let_pass.end());
      for (const std::string& word : run.warnings) {
        if (!allowed && std::find(let_pass.begin(), let_pass.end(), word) == let_pass.end())
          words.insert(word);
      }
    }
  }
  return {words.begin(), words.end()};
}

size_t RowsWithOtherInstances(const Comparison& comparison) {
  size_t rows = 0;
  model::ForEachTable(comparison, [&](const auto& table) {
    for (const auto& row : table.rows) rows += row.instances_differ ? 1 : 0;
  });
  return rows;
}

}  // namespace

std::string LackedText(const Comparison& comparison, const model::GpuFamily& family,
                       NameStyle style) {
  std::string metrics;
  for (const model::GpuFamily& other : comparison.gpu_families) {
    if (other.missing != family.missing) continue;
    metrics += (metrics.empty() ? "" : ", ");
    metrics += model::MetricName(other.metric);
  }
  std::vector<model::RunRef> runs;
  for (const model::MissingMetric& missing : family.missing) runs.push_back(missing.run);
  return Format("{} of {} runs lack {}, which is unknown and not 0: {} ({})", runs.size(),
                comparison.baseline.size() + comparison.candidate.size(), metrics,
                NamedRuns(comparison, runs, style), style(family.missing.front().reason));
}

std::string MetricTitle(Metric metric) {
  switch (metric) {
    case Metric::kHostIterations:
      return "inclusive host time of iterations";
    case Metric::kProjectedIterations:
      return "GPU projection of iterations";
    case Metric::kHostInclusive:
      return "inclusive host time of ranges";
    case Metric::kHostExclusive:
      return "exclusive host time of ranges";
    case Metric::kProjected:
      return "GPU projection of ranges";
    case Metric::kGpuBusyIterations:
      return "GPU busy time of iterations";
    case Metric::kGpuBusy:
      return "GPU busy time of ranges, whole run";
    case Metric::kGpuKernels:
      return "summed kernel time of ranges, whole run";
    case Metric::kHostWaits:
      return "host time of ranges in synchronising calls, whole run";
    case Metric::kExposedCommunication:
      return "exposed communication of ranges, whole run";
  }
  return "";
}

std::string QuotedName(std::string_view name) { return Quoted(name, 60); }

std::string MetricOf(const model::MetricKey& key, NameStyle style) {
  const std::string range = style(PathText(key.path));
  switch (key.metric) {
    case Metric::kHostInclusive:
      return "inclusive host time of " + range;
    case Metric::kHostExclusive:
      return "exclusive host time of " + range;
    case Metric::kProjected:
      return "GPU projection of " + range;
    default:
      return MetricTitle(key.metric);
  }
}

std::string PathText(const model::RangePath& path) {
  std::string text;
  for (const std::string& name : path) text += (text.empty() ? "" : " > ") + name;
  return text;
}

std::string RatioText(double log_ratio) {
  const double ratio = std::exp(log_ratio);
  return ratio >= 0.01 && ratio < 100 ? Format("{:.3f}", ratio) : Format("{:.3g}", ratio);
}

std::string PercentText(double log_ratio) {
  const double percent = std::expm1(log_ratio) * 100;
  return std::fabs(percent) < 1000 ? Format("{:+.1f} %", percent) : Format("{:+.3g} %", percent);
}

std::string ProbabilityText(double p) {
  return p >= 0.01 || p == 0 ? Format("{:.3f}", p) : Format("{:.2g}", p);
}

std::string IntervalText(const model::LogInterval& interval) {
  return Format("{} to {}", RatioText(interval.low), RatioText(interval.high));
}

std::string FloorText(const model::Floor& floor) {
  std::string_view source;
  switch (floor.source) {
    case model::FloorSource::kDefault:
      source = "the default";
      break;
    case model::FloorSource::kGiven:
      source = "as given";
      break;
    case model::FloorSource::kNoise:
      source = "the baseline's noise";
      break;
    case model::FloorSource::kTooFewForNoise:
      source = "the default, as the baseline has too few runs for its noise";
      break;
    case model::FloorSource::kNoiseBelowDefault:
      source = "the default, as the baseline's noise is below it";
      break;
    case model::FloorSource::kMissingForNoise:
      source = "the default, as not every run of the baseline has the primary metric";
      break;
    case model::FloorSource::kNonPositiveForNoise:
      source = "the default, as a value of the baseline is not above 0";
      break;
  }
  return Format("{:.4g} % ({}) and {}", floor.relative * 100, source,
                DurationOfNs(floor.absolute_ns));
}

std::vector<const ContractRow*> Differences(const std::vector<ContractRow>& contract) {
  std::vector<const ContractRow*> rows;
  for (const ContractRow& row : contract) {
    if (row.state != ContractState::kEqual) rows.push_back(&row);
  }
  return rows;
}

std::string RunCounts(const Comparison& comparison) {
  return Format("{} against {}", comparison.baseline.size(),
                Counted(static_cast<int64_t>(comparison.candidate.size()), "run", "runs"));
}

std::string CaveatText(Caveat caveat) {
  switch (caveat) {
    case Caveat::kOrderConfounded:
      return "All runs of one side began before all of the other: drift of clocks or heat looks "
             "like a change.";
    case Caveat::kOrderUnknown:
      return "When the runs began is not known well enough to say whether the sides were "
             "interleaved.";
    case Caveat::kSameCommit:
      return "A commit stands on both sides: this compares code with itself (A/A).";
    case Caveat::kSharedRuns:
      return "A run stands on both sides: no claim is made.";
    case Caveat::kDifferencesAllowed:
      return "The runs differ in what --allow-different names, or none of them records it.";
    case Caveat::kRunsLeftOut:
      return "Runs were left out because of what their analyses warn of.";
    case Caveat::kDuplicateRuns:
      return "Runs that were made of one capture count once.";
    case Caveat::kRepeatedRuns:
      return "Runs bear one id or one start time: they may be one capture under several names.";
    case Caveat::kWarningsAllowed:
      return "Runs take part that --allow-different lets pass in spite of these warnings.";
    case Caveat::kRunsWarn:
      return "The analyses of runs that take part warn of something.";
    case Caveat::kGpuDataMissing:
      return "Some runs hold no GPU projection at all, which may be an empty capture: host times "
             "alone may then be of other work.";
    case Caveat::kGpuWorkMissing:
      return "Some runs' analyses lack GPU work per range, or a part of it, which is unknown and "
             "not "
             "0: what they lack is not compared.";
    case Caveat::kInstancesDiffer:
      return "Ranges were met another number of times on one side: the median of an instance does "
             "not tell how much work was done.";
  }
  return "";
}

std::string CaveatLabel(const Comparison& comparison, Caveat caveat, NameStyle style) {
  const std::string name(model::CaveatName(caveat));
  switch (caveat) {
    case Caveat::kDifferencesAllowed:
      return name + " " + KeysOf(comparison.contract, true, style);
    case Caveat::kRunsLeftOut:
      return Format("{} {}", name, comparison.left_out.size());
    case Caveat::kDuplicateRuns:
      return Format("{} {}", name, comparison.duplicates.size());
    case Caveat::kWarningsAllowed:
      return name + " " + Listed(WarningWords(comparison, true), style);
    case Caveat::kRunsWarn:
      return name + " " + Listed(WarningWords(comparison, false), style);
    case Caveat::kInstancesDiffer:
      return Format("{} {}", name, RowsWithOtherInstances(comparison));
    default:
      return name;
  }
}

std::string ComparisonHeadline(const Comparison& comparison, NameStyle style) {
  std::string caveats;
  for (const Caveat caveat : comparison.caveats)
    caveats += (caveats.empty() ? " [" : "; ") + CaveatLabel(comparison, caveat, style);
  if (!caveats.empty()) caveats += "]";

  const PrimaryNumbers numbers = PrimaryOf(comparison);
  std::string why;
  switch (comparison.verdict) {
    case Verdict::kInconclusive:
      why = WhyInconclusive(comparison, numbers);
      break;
    case Verdict::kNotComparable:
      why = WhyNotComparable(comparison, style);
      break;
    case Verdict::kAdded:
      why = "only runs of the candidate have it";
      break;
    case Verdict::kRemoved:
      why = "only runs of the baseline have it";
      break;
    default:
      why = Numbers(numbers);
  }
  return Format("{}{}: {}, {}; {}{}", model::VerdictName(comparison.verdict), caveats,
                MetricOf(comparison.primary, style), why, RunCounts(comparison),
                Others(comparison));
}

std::vector<std::string> GpuWorkNotes(const Comparison& comparison, NameStyle style) {
  bool any_rows = false;
  model::ForEachGpuTable(comparison,
                         [&](const auto& table) { any_rows = any_rows || !table.rows.empty(); });
  if (!any_rows) return {};
  std::vector<std::string> notes = {
      "GPU busy time is the length of the union of the operations' intervals on all devices, of "
      "iterations their median. Kernel time is the sum of the kernels' durations and can exceed "
      "wall time. Waits are host time in synchronising calls. Exposed communication is GPU time "
      "during which nothing computed on the same device, summed over devices. Each is one number "
      "a run and a family of its own; rows of these count for --gate where --gate-on names them."};
  for (const model::GpuFamily& family : comparison.gpu_families) {
    if (family.size > 0 && !family.can_pass) {
      notes.push_back(
          Format("{}: {} rows are tested together: one of them alone would need {} runs "
                 "a side.",
                 model::MetricName(family.metric), Grouped(static_cast<int64_t>(family.size)),
                 family.runs_needed));
    }
  }
  // What was not computed at all is missing in every family alike, and said once.
  std::vector<const model::GpuFamily*> told;
  for (const model::GpuFamily& family : comparison.gpu_families) {
    const auto same = [&](const auto* other) { return other->missing == family.missing; };
    if (family.missing.empty() || std::any_of(told.begin(), told.end(), same)) continue;
    told.push_back(&family);
    notes.push_back(LackedText(comparison, family, style));
  }
  return notes;
}

std::string NoiseHeadline(const model::NoiseReport& report, NameStyle style) {
  const auto runs = static_cast<int64_t>(report.runs.size());
  const std::string metric = MetricOf(report.primary, style);
  if (report.noise) {
    return Format("noise {}: halves of {} differ by less than that in {}, in 95 % of {} splits",
                  PercentText(report.noise->log_ratio), Counted(runs, "run", "runs"), metric,
                  report.noise->splits);
  }
  std::string why;
  switch (report.reason) {
    case Reason::kContractDiffers:
      why = WhatDiffers(report.contract, style);
      break;
    case Reason::kTooFewRuns:
      why = Format("{}, and halves need 10 at least", Counted(runs, "run", "runs"));
      break;
    case Reason::kMissingInSomeRuns:
      why = "a run does not have it";
      break;
    case Reason::kMetricMissing:
      why = "no run has it";
      break;
    case Reason::kNonPositiveValue:
      why = "a run's value is not above 0";
      break;
    default:
      why = "no run is left";
  }
  return Format("no noise of {}: {}", metric, why);
}

}  // namespace rangewise::render
