#include "analysis/iteration_findings.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/mann_kendall.h"
#include "analysis/statistics.h"
#include "analysis/thresholds.h"
#include "base/text.h"

namespace rangewise::analysis {
namespace {

using model::Finding;
using model::FindingClock;
using model::FindingSeverity;

// The times of one clock, with the iterations that they are of.
struct Series {
  FindingClock clock = FindingClock::kHost;
  std::string_view measure;
  std::vector<int64_t> indexes;
  std::vector<int64_t> values;
  std::optional<int64_t> first_of_all = {};  // the first iteration, which may have no value here

  size_t size() const { return values.size(); }
};

Series HostSeries(std::span<const model::Iteration> iterations) {
  Series series{.clock = FindingClock::kHost, .measure = "host time", .indexes = {}, .values = {}};
  if (!iterations.empty()) series.first_of_all = iterations.front().index;
  for (const model::Iteration& iteration : iterations) {
    if (!iteration.host) continue;
    series.indexes.push_back(iteration.index);
    series.values.push_back(iteration.host->inclusive.ns);
  }
  return series;
}

Series ProjectedSeries(std::span<const model::Iteration> iterations) {
  Series series{
      .clock = FindingClock::kProjected, .measure = "projected time", .indexes = {}, .values = {}};
  if (!iterations.empty()) series.first_of_all = iterations.front().index;
  for (const model::Iteration& iteration : iterations) {
    if (!iteration.projection) continue;
    series.indexes.push_back(iteration.index);
    series.values.push_back(iteration.projection->projected.ns);
  }
  return series;
}

// What a finding rests on. Nothing when the values' total does not fit into 64 bits, which the
// analysis has refused by then.
struct Spread {
  double median = 0;
  double mad = 0;
  double mean = 0;
  double deviation = 0;
};

std::optional<Spread> SpreadOf(std::vector<int64_t> values) {
  const std::optional<PlainStatistics> plain = Summarise(values);
  if (!plain) return std::nullopt;
  return Spread{.median = NearestQuotient(Int128{plain->median_low} + plain->median_high, 2),
                .mad = plain->mad,
                .mean = plain->mean,
                .deviation = plain->deviation};
}

double ModifiedZ(int64_t value, const Spread& spread) {
  return kThresholds.z_factor * (static_cast<double>(value) - spread.median) / spread.mad;
}

std::string NsText(double ns) {
  if (std::abs(ns) >= 9e18) return ShortestDecimal(ns) + " ns";
  return Grouped(std::llround(ns)) + " ns";
}

int64_t Count(size_t count) { return static_cast<int64_t>(count); }

Finding Of(Code code, const Series& series, FindingSeverity severity, std::string sentence) {
  return {.code = code,
          .severity = severity,
          .clock = series.clock,
          .computed = true,
          .sentence = std::move(sentence)};
}

Finding NotComputed(Code code, const Series& series, std::string why) {
  return {.code = code,
          .severity = FindingSeverity::kInfo,
          .clock = series.clock,
          .computed = false,
          .sentence = std::move(why)};
}

// A finding that abstains when there are fewer than `fewest` values; nothing when there are enough.
std::optional<Finding> TooFew(Code code, const Series& series, size_t fewest) {
  if (series.size() >= fewest) return std::nullopt;
  if (series.size() == 0) {
    return NotComputed(code, series, Format("no iteration has a {}", series.measure));
  }
  return NotComputed(
      code, series,
      Format("{} {} a {}; at least {} are needed", series.size(),
             series.size() == 1 ? "iteration has" : "iterations have", series.measure, fewest));
}

void SetRows(Finding& finding, std::vector<int64_t> iterations) {
  finding.rows_total = Count(iterations.size());
  finding.iterations = std::move(iterations);
}

std::optional<Finding> FirstDiffers(const Series& series) {
  constexpr Code kCode = Code::kFirstIterationDiffers;
  if (auto few = TooFew(kCode, series, kThresholds.first_fewest_others + 1)) return few;
  // The second iteration is none that warms up; to judge it in the first one's place would mislead.
  if (series.first_of_all != series.indexes[0]) {
    return NotComputed(kCode, series,
                       Format("iteration {}, the first, has no {}", *series.first_of_all,
                              series.measure));
  }
  const int64_t first = series.values[0];
  const auto others = SpreadOf({series.values.begin() + 1, series.values.end()});
  if (!others) return NotComputed(kCode, series, "the total does not fit into 64 bits");
  const double change = static_cast<double>(first) - others->median;
  if (std::abs(change) < kThresholds.first_least_change * std::abs(others->median) || change == 0) {
    return std::nullopt;
  }
  if (others->mad == 0) {
    return NotComputed(kCode, series,
                       Format("the median absolute deviation of the other {} is 0, so there is no "
                              "modified z-score; the {} of iteration {} is {}, their median {}",
                              series.size() - 1, series.measure, series.indexes[0],
                              NsText(static_cast<double>(first)), NsText(others->median)));
  }
  const double z = ModifiedZ(first, *others);
  if (std::abs(z) <= kThresholds.outlier_z) return std::nullopt;
  Finding finding =
      Of(kCode, series, FindingSeverity::kNotice,
         Format("the {} of iteration {} is {} and thus {} than that of the other {}: their median "
                "is {}, their median absolute deviation {}, the modified z-score {:.1f}",
                series.measure, series.indexes[0], NsText(static_cast<double>(first)),
                z < 0 ? "shorter" : "longer", series.size() - 1, NsText(others->median),
                NsText(others->mad), z));
  finding.numbers = {{"first_ns", first},
                     {"modified_z_score", z},
                     {"others_count", Count(series.size() - 1)},
                     {"others_mad_ns", others->mad},
                     {"others_median_ns", others->median}};
  SetRows(finding, {series.indexes[0]});
  return finding;
}

// The C library's erfc differs in the last places from one system to the next.
double RoundedP(double p) { return std::max(std::round(p * 1e6) / 1e6, 1e-6); }

std::optional<Finding> Drifts(const Series& series) {
  constexpr Code kCode = Code::kIterationsDrift;
  if (auto few = TooFew(kCode, series, kThresholds.drift_fewest)) return few;
  const RankTrend trend = MannKendall(series.values);
  if (trend.p >= kThresholds.drift_p || std::abs(trend.tau) < kThresholds.drift_least_tau) {
    return std::nullopt;
  }
  const double p = RoundedP(trend.p);
  Finding finding = Of(kCode, series, FindingSeverity::kWarning,
                       Format("the {} {} over the {} iterations: Kendall's tau is {:.2f}, p {} {} "
                              "by the Mann-Kendall test ({})",
                              series.measure, trend.tau > 0 ? "rises" : "falls", series.size(),
                              trend.tau, p > 1e-6 ? "=" : "<=", ShortestDecimal(p),
                              trend.exact ? "exact" : "normal approximation"));
  finding.numbers = {
      {"iterations_count", Count(series.size())}, {"kendall_tau_value", trend.tau}, {"p_value", p}};
  SetRows(finding, series.indexes);
  return finding;
}

// The spread of all values; nothing where they are too few or do not differ, and in `instead` the
// finding that says so, if one has to.
std::optional<Spread> SpreadOfAll(Code code, const Series& series, size_t fewest,
                                  std::optional<Finding>& instead) {
  if ((instead = TooFew(code, series, fewest))) return std::nullopt;
  const auto spread = SpreadOf(series.values);
  if (!spread) instead = NotComputed(code, series, "the total does not fit into 64 bits");
  if (!spread || spread->deviation == 0) return std::nullopt;
  return spread;
}

std::optional<Finding> Vary(const Series& series) {
  constexpr Code kCode = Code::kIterationsVary;
  std::optional<Finding> instead;
  const auto spread = SpreadOfAll(kCode, series, kThresholds.vary_fewest, instead);
  if (!spread) return instead;
  if (spread->mean == 0) {
    return NotComputed(kCode, series, "the mean is 0, so there is no coefficient of variation");
  }
  const double cv = spread->deviation / spread->mean;
  if (std::abs(cv) <= kThresholds.vary_cv) return std::nullopt;
  Finding finding = Of(
      kCode, series, FindingSeverity::kNotice,
      Format("the {} of the {} iterations varies by {:.1f} % of its mean (standard deviation {}, "
             "mean {})",
             series.measure, series.size(), 100 * std::abs(cv), NsText(spread->deviation),
             NsText(spread->mean)));
  finding.numbers = {{"cv_ratio", cv},
                     {"iterations_count", Count(series.size())},
                     {"mean_ns", spread->mean},
                     {"stddev_ns", spread->deviation}};
  SetRows(finding, series.indexes);
  return finding;
}

std::optional<Finding> Outliers(const Series& series) {
  constexpr Code kCode = Code::kOutlierIterations;
  std::optional<Finding> instead;
  const auto spread = SpreadOfAll(kCode, series, kThresholds.outlier_fewest, instead);
  if (!spread) return instead;
  if (spread->mad == 0) {
    return NotComputed(kCode, series,
                       Format("the median absolute deviation of the {} is 0: at least half of the "
                              "{} iterations took {}, so there is no modified z-score",
                              series.measure, series.size(), NsText(spread->median)));
  }
  std::vector<int64_t> outliers;
  double extreme = 0;
  for (size_t i = 0; i < series.size(); ++i) {
    const double z = ModifiedZ(series.values[i], *spread);
    if (std::abs(z) <= kThresholds.outlier_z) continue;
    outliers.push_back(series.indexes[i]);
    if (std::abs(z) > std::abs(extreme)) extreme = z;
  }
  if (outliers.empty()) return std::nullopt;
  const std::vector<int64_t> named(
      outliers.begin(),
      outliers.begin() + static_cast<std::ptrdiff_t>(std::min<size_t>(outliers.size(), 10)));
  Finding finding =
      Of(kCode, series, FindingSeverity::kNotice,
         Format("the {} of {} of {} iterations lies far from the median of {} (median absolute "
                "deviation {}): {}",
                series.measure, outliers.size(), series.size(), NsText(spread->median),
                NsText(spread->mad), IndexList(named, outliers.size())));
  finding.numbers = {{"extreme_z_score", extreme},
                     {"iterations_count", Count(series.size())},
                     {"mad_ns", spread->mad},
                     {"median_ns", spread->median},
                     {"outliers_count", Count(outliers.size())}};
  SetRows(finding, std::move(outliers));
  return finding;
}

}  // namespace

std::vector<Finding> FindInIterations(std::span<const model::Iteration> iterations) {
  const Series host = HostSeries(iterations);
  const Series projected = ProjectedSeries(iterations);
  std::vector<Finding> findings;
  for (const auto find : {FirstDiffers, Drifts, Vary, Outliers}) {
    for (const Series* series : {&host, &projected}) {
      if (auto finding = find(*series)) findings.push_back(std::move(*finding));
    }
  }
  return findings;
}

}  // namespace rangewise::analysis
