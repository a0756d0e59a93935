#include "cli/compare_runs.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "analysis/compare_runs.h"
#include "base/text.h"
#include "cli/metric_argument.h"
#include "cli/run_arguments.h"

namespace rangewise::cli {
namespace {

using model::RunSummary;

constexpr double kMostFloorPercent = 1000;

Result<std::vector<RunSummary>> LoadSide(const std::vector<std::string>& arguments,
                                         const LoadOptions& options) {
  ASSIGN_OR_RETURN(const std::vector<RunPlace> places, FindRuns(arguments));
  return LoadRuns(places, options);
}

Result<analysis::CompareOptions> WithPrimary(const CompareRequest& request,
                                             std::span<const RunSummary> runs) {
  analysis::CompareOptions options = request.options;
  if (request.primary) {
    ASSIGN_OR_RETURN(options.primary, FindMetricKey(*request.primary, runs));
  }
  return options;
}

}  // namespace

Result<ComparedRuns> CompareRuns(const CompareRequest& request) {
  ASSIGN_OR_RETURN(const std::vector<RunSummary> baseline,
                   LoadSide(request.baseline, request.load));
  ASSIGN_OR_RETURN(const std::vector<RunSummary> candidate,
                   LoadSide(request.candidate, request.load));
  std::vector<RunSummary> named;  // only where metrics are named
  if (request.primary || !request.gate_on.empty()) {
    named = baseline;
    named.insert(named.end(), candidate.begin(), candidate.end());
  }
  ASSIGN_OR_RETURN(const analysis::CompareOptions options, WithPrimary(request, named));
  ComparedRuns result;
  for (const std::string& text : request.gate_on) {
    ASSIGN_OR_RETURN(model::MetricKey key, FindMetricKey(text, named));
    result.gate_on.push_back(std::move(key));
  }
  result.comparison = analysis::Compare(baseline, candidate, options);
  return result;
}

Result<model::NoiseReport> MeasureRuns(const CompareRequest& request) {
  ASSIGN_OR_RETURN(const std::vector<RunSummary> runs, LoadSide(request.aa, request.load));
  ASSIGN_OR_RETURN(const analysis::CompareOptions options, WithPrimary(request, runs));
  return analysis::CompareWithItself(runs, options);
}

std::optional<std::variant<std::monostate, double, analysis::FloorFromNoise>> ParseFloor(
    const std::string& text) {
  if (text == "auto") return analysis::FloorFromNoise{};
  double percent = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, percent);
  if (error != std::errc() || std::string_view(at, static_cast<size_t>(end - at)) != "%")
    return std::nullopt;
  if (!(percent >= 0 && percent <= kMostFloorPercent)) return std::nullopt;
  return percent / 100;
}

std::optional<std::string> AllowedKeyProblem(const std::string& key) {
  std::vector<std::string> known(model::kContractKeys.begin(), model::kContractKeys.end());
  for (const Code code : analysis::CodesThatLeaveOut()) known.emplace_back(Describe(code).word);
  const std::string first = key.substr(0, key.find('.'));
  if (std::find(known.begin(), known.end(), key) != known.end()) return std::nullopt;
  const auto& mappings = model::kContractKeys;
  if (first != key && std::find(mappings.begin(), mappings.end(), first) != mappings.end())
    return std::nullopt;
  return Format("{} is no key of the contract; the nearest is {}", Quoted(key),
                Quoted(NearestFirst(key, known).front()));
}

}  // namespace rangewise::cli
