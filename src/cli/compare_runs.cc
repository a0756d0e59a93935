#include "cli/compare_runs.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "analysis/compare_gate.h"
#include "analysis/compare_runs.h"
#include "base/text.h"
#include "cli/metric_argument.h"
#include "cli/run_arguments.h"

namespace rangewise::cli {
namespace {

using model::RunSummary;

constexpr double kMostFloorPercent = 1000;

Result<std::vector<RunPlace>> FindSide(const std::vector<std::string>& arguments,
                                       const CompareRequest& request) {
  ASSIGN_OR_RETURN(FoundRuns found, FindRuns(arguments));
  if (request.on_passed_over) {
    for (const std::string& label : found.passed_over) request.on_passed_over(label);
  }
  if (request.output) {
    if (const auto label = RunHolding(*request.output, found.places)) {
      return Error{.code = Code::kUsage,
                   .message = Format("-o names a place in {}, which is compared", Quoted(*label)),
                   .where = {.file = *request.output},
                   .hint = "name a file outside of the runs"};
    }
  }
  return std::move(found.places);
}

// The runs of a side that metrics are looked for in: those that take part.
void AddSelected(model::Side side, std::span<const RunSummary> runs,
                 const analysis::AllowedKeys& allowed, std::vector<RunSummary>& selected) {
  for (const RunSummary* run : analysis::SelectRuns(side, runs, allowed).runs)
    selected.push_back(*run);
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

Result<model::Comparison> CompareRuns(const CompareRequest& request) {
  ASSIGN_OR_RETURN(const std::vector<RunPlace> baseline_places,
                   FindSide(request.baseline, request));
  ASSIGN_OR_RETURN(const std::vector<RunPlace> candidate_places,
                   FindSide(request.candidate, request));
  ASSIGN_OR_RETURN(const std::vector<RunSummary> baseline, LoadRuns(baseline_places, request.load));
  ASSIGN_OR_RETURN(const std::vector<RunSummary> candidate,
                   LoadRuns(candidate_places, request.load));
  std::vector<RunSummary> named;  // only where metrics are named
  if (request.primary || !request.gate_on.empty()) {
    AddSelected(model::Side::kBaseline, baseline, request.options.allowed, named);
    AddSelected(model::Side::kCandidate, candidate, request.options.allowed, named);
  }
  ASSIGN_OR_RETURN(const analysis::CompareOptions options, WithPrimary(request, named));
  std::vector<model::MetricKey> gate_on;
  auto scope = analysis::GateScope::kRegressions;
  for (const std::string& text : request.gate_on) {
    if (text == kGateOnPrimary) {
      scope = analysis::GateScope::kNamedOnly;
      continue;
    }
    ASSIGN_OR_RETURN(model::MetricKey key, FindMetricKey(text, named));
    gate_on.push_back(std::move(key));
  }
  model::Comparison comparison = analysis::Compare(baseline, candidate, options);
  if (request.gate) comparison.gate = analysis::JudgeGate(comparison, gate_on, scope);
  return comparison;
}

Result<model::NoiseReport> MeasureRuns(const CompareRequest& request) {
  ASSIGN_OR_RETURN(const std::vector<RunPlace> places, FindSide(request.aa, request));
  ASSIGN_OR_RETURN(const std::vector<RunSummary> runs, LoadRuns(places, request.load));
  std::vector<RunSummary> named;
  AddSelected(model::Side::kBaseline, runs, request.options.allowed, named);
  ASSIGN_OR_RETURN(const analysis::CompareOptions options, WithPrimary(request, named));
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
