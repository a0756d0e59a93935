#include "cli/metric_argument.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "format/json.h"

namespace rangewise::cli {
namespace {

using model::Metric;
using model::MetricKey;
using model::RangePath;
using model::RunSummary;

constexpr std::array kMetrics = {Metric::kProjectedIterations,
                                 Metric::kHostIterations,
                                 Metric::kProjected,
                                 Metric::kHostInclusive,
                                 Metric::kHostExclusive,
                                 Metric::kGpuBusyIterations,
                                 Metric::kGpuBusy,
                                 Metric::kGpuKernels,
                                 Metric::kHostWaits,
                                 Metric::kExposedCommunication};

constexpr std::string_view kPushPopSuffix = " (push/pop)";
constexpr std::string_view kStartEndSuffix = " (start/end)";

bool IsOfIterations(Metric metric) {
  return metric == Metric::kHostIterations || metric == Metric::kProjectedIterations ||
         metric == Metric::kGpuBusyIterations;
}

bool IsGpuWork(Metric metric) { return metric > model::kLastPrimaryMetric; }

std::string Joined(const RangePath& path, std::string_view between) {
  std::string text;
  for (size_t i = 0; i < path.size(); ++i) {
    if (i > 0) text += between;
    text += path[i];
  }
  return text;
}

// The path that a JSON list of strings spells; nothing when `text` is none.
std::optional<RangePath> PathOfList(const std::string& text) {
  if (!text.starts_with('[')) return std::nullopt;
  const Result<Value> value = format::ParseJson(text, "the metric");
  const ValueList* list = value.ok() ? std::get_if<ValueList>(&value->data) : nullptr;
  if (list == nullptr) return std::nullopt;
  RangePath path;
  for (const Value& item : *list) {
    const auto* name = std::get_if<std::string>(&item.data);
    if (name == nullptr) return std::nullopt;
    path.push_back(*name);
  }
  return path;
}

bool IsPositive(Metric metric, const model::GpuRangeSummary& range) {
  const auto positive = [](const auto& observation) {
    return observation && observation->median_ns > 0;
  };
  switch (metric) {
    case Metric::kGpuBusy:
      return positive(range.busy);
    case Metric::kGpuKernels:
      return positive(range.kernels);
    case Metric::kHostWaits:
      return positive(range.waits);
    default:
      return positive(range.exposed_communication);
  }
}

// The ranges that have a row of `metric`, as above.
std::set<MetricKey> GpuRangesOf(Metric metric, std::span<const RunSummary> runs) {
  const bool grouped = std::all_of(runs.begin(), runs.end(), [](const RunSummary& run) {
    return !run.gpu_work || run.gpu_work->grouped.has_value();
  });
  std::set<MetricKey> keys;
  for (const RunSummary& run : runs) {
    if (!run.gpu_work) continue;
    for (const auto& range : grouped ? *run.gpu_work->grouped : run.gpu_work->ranges) {
      if (IsPositive(metric, range))
        keys.insert({metric, range.path, model::Style::kPushPop, range.domain});
    }
  }
  return keys;
}

// Every range of the runs that `metric` is measured of; grouped ones where a comparison takes them.
std::set<MetricKey> RangesOf(Metric metric, std::span<const RunSummary> runs) {
  if (IsGpuWork(metric)) return GpuRangesOf(metric, runs);
  std::set<MetricKey> keys;
  const bool projected = metric == Metric::kProjected;
  const bool grouped = std::all_of(runs.begin(), runs.end(), [&](const RunSummary& run) {
    return projected ? run.grouped_projected_ranges.has_value()
                     : run.grouped_host_ranges.has_value();
  });
  for (const RunSummary& run : runs) {
    if (projected) {
      for (const auto& range : grouped ? *run.grouped_projected_ranges : run.projected_ranges)
        keys.insert({metric, range.path, range.style, range.domain});
    } else {
      for (const auto& range : grouped ? *run.grouped_host_ranges : run.host_ranges)
        keys.insert({metric, range.path, model::Style::kPushPop, range.domain});
    }
  }
  return keys;
}

Error UsageError(const std::string& text, std::string message, std::string hint) {
  return {.code = Code::kUsage,
          .message = Format("{}: {}", Quoted(text), message),
          .hint = std::move(hint)};
}

// One way to read what stands for a range.
struct Reading {
  std::string range;
  std::optional<std::string> domain = {};
  std::optional<model::Style> style = {};
};

void AddReadings(const std::string& text, std::optional<model::Style> style,
                 std::vector<Reading>& readings) {
  readings.push_back({text, std::nullopt, style});
  const size_t at = text.rfind('@');
  if (at != std::string::npos && at > 0)
    readings.push_back({text.substr(0, at), text.substr(at + 1), style});
}

// All readings of `text`, the plainest first.
std::vector<Reading> ReadingsOf(const std::string& text) {
  std::vector<Reading> readings;
  AddReadings(text, std::nullopt, readings);
  for (const auto& [suffix, style] : {std::pair(kPushPopSuffix, model::Style::kPushPop),
                                      std::pair(kStartEndSuffix, model::Style::kStartEnd)}) {
    if (text.ends_with(suffix)) {
      AddReadings(text.substr(0, text.size() - suffix.size()), style, readings);
    }
  }
  return readings;
}

bool IsCalled(const RangePath& path, const std::string& range,
              const std::optional<RangePath>& listed) {
  return listed ? path == *listed : Joined(path, ".") == range || Joined(path, " > ") == range;
}

bool Matches(const MetricKey& key, const Reading& reading, const std::optional<RangePath>& listed) {
  if (reading.style && key.style != *reading.style) return false;
  if (IsCalled(key.path, reading.range, listed)) {
    return !reading.domain || key.domain == *reading.domain;
  }
  if (!reading.domain || reading.domain->empty() || key.domain != *reading.domain) return false;
  RangePath path = key.path;
  const std::string prefix = *reading.domain + ":";
  if (!path.back().starts_with(prefix)) return false;
  path.back().erase(0, prefix.size());
  return IsCalled(path, reading.range, listed);
}

std::vector<const MetricKey*> KeysCalled(const std::string& range,
                                         const std::set<MetricKey>& keys) {
  std::vector<const MetricKey*> found;
  for (const Reading& reading : ReadingsOf(range)) {
    const std::optional<RangePath> listed = PathOfList(reading.range);
    for (const MetricKey& key : keys) {
      if (Matches(key, reading, listed)) found.push_back(&key);
    }
    if (!found.empty()) break;
  }
  return found;
}

// What tells several ranges of one name apart.
Error Ambiguous(const std::string& text, const std::vector<const MetricKey*>& found) {
  const MetricKey& first = *found.front();
  std::set<std::string> domains;
  for (const MetricKey* key : found) {
    if (key->path != first.path) {
      return UsageError(text, "several ranges are called that",
                        R"(give the path as a JSON list: NAME:["outer","inner"])");
    }
    domains.insert(key->domain);
  }
  if (domains.size() > 1) {
    const std::string& last = *domains.rbegin();
    return UsageError(text, "several domains have a range of that name",
                      Format("name the domain, as in {}{}", Quoted(Format("{}@{}", text, last)),
                             domains.begin()->empty() ? "; @ alone is the default domain" : ""));
  }
  return UsageError(text, "a push/pop and a start/end range are called that",
                    Format("append {} or {}", Quoted(kPushPopSuffix), Quoted(kStartEndSuffix)));
}

Error NoSuchRange(const std::string& text, const std::string& range,
                  const std::set<MetricKey>& keys, std::string message) {
  std::set<std::string> names;
  for (const MetricKey& key : keys) names.insert(Joined(key.path, "."));
  const std::vector<std::string> nearest =
      NearestFirst(range, std::vector<std::string>(names.begin(), names.end()));
  return UsageError(text, std::move(message),
                    nearest.empty() ? "" : Format("the nearest is {}", Quoted(nearest.front())));
}

// Whether the metric was not computed in some run, of which nothing is known then.
bool IsLackedBySome(Metric metric, std::span<const RunSummary> runs) {
  return IsGpuWork(metric) && std::any_of(runs.begin(), runs.end(), [&](const RunSummary& run) {
           return !run.gpu_work ||
                  (metric == Metric::kHostWaits && !run.gpu_work->no_calls.empty());
         });
}

// A metric of GPU work where it was not computed: of a range that the host knows it is unknown
// rather than 0, and the comparison says so.
Result<MetricKey> FindUnmeasured(const std::string& text, Metric metric, const std::string& range,
                                 std::span<const RunSummary> runs) {
  const std::set<MetricKey> keys = RangesOf(Metric::kHostInclusive, runs);
  const std::vector<const MetricKey*> found = KeysCalled(range, keys);
  if (found.size() > 1) return Ambiguous(text, found);
  if (found.empty()) return NoSuchRange(text, range, keys, "no run that takes part has this range");
  MetricKey key = *found.front();
  key.metric = metric;
  return key;
}

Result<MetricKey> FindRange(const std::string& text, Metric metric, const std::string& range,
                            std::span<const RunSummary> runs) {
  const std::set<MetricKey> keys = RangesOf(metric, runs);
  const std::vector<const MetricKey*> found = KeysCalled(range, keys);
  if (found.size() == 1) return *found.front();
  if (found.size() > 1) return Ambiguous(text, found);
  if (IsLackedBySome(metric, runs)) return FindUnmeasured(text, metric, range, runs);
  return NoSuchRange(text, range, keys,
                     IsGpuWork(metric)
                         ? "no run that takes part has more than 0 of it in this range"
                         : "no run that takes part has this range");
}

}  // namespace

std::optional<std::string> MetricProblem(const std::string& text) {
  const size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const std::optional<Metric> metric = model::FindMetric(name);
  if (!metric) {
    std::vector<std::string> names;
    for (const Metric known : kMetrics) names.emplace_back(model::MetricName(known));
    return Format("{} is no metric; there are {}", Quoted(name), fmt::join(names, ", "));
  }
  if (IsOfIterations(*metric) && colon != std::string::npos)
    return Format("{} is of iterations and takes no range", name);
  if (!IsOfIterations(*metric) && (colon == std::string::npos || colon + 1 == text.size()))
    return Format("{} needs a range: {}:RANGE", name, name);
  return std::nullopt;
}

std::optional<std::string> PrimaryProblem(const std::string& text) {
  if (const auto problem = MetricProblem(text)) return problem;
  const std::string name = text.substr(0, text.find(':'));
  if (IsGpuWork(*model::FindMetric(name)))
    return Format("{} cannot be the primary metric; --gate-on takes it", name);
  return std::nullopt;
}

Result<MetricKey> FindMetricKey(const std::string& text, std::span<const RunSummary> runs) {
  if (const auto problem = MetricProblem(text)) return UsageError(text, *problem, "");
  const size_t colon = text.find(':');
  const Metric metric = *model::FindMetric(text.substr(0, colon));
  if (IsOfIterations(metric)) return MetricKey{.metric = metric};
  return FindRange(text, metric, text.substr(colon + 1), runs);
}

}  // namespace rangewise::cli
