#include "analysis/findings.h"

#include <algorithm>
#include <string>
#include <utility>

#include "analysis/collapse.h"
#include "analysis/gpu_findings.h"
#include "analysis/iteration_findings.h"
#include "analysis/name_rules.h"
#include "analysis/range_findings.h"

namespace rangewise::analysis {
namespace {

using model::Finding;

Finding OneRun() {
  return {.code = Code::kOneRun,
          .severity = model::FindingSeverity::kInfo,
          .sentence =
              "these are the numbers of one run; nothing in them tells a regression or an "
              "improvement from the spread between runs"};
}

CollapsedPaths MaskedPaths(const model::Analysis& analysis, const model::NamePool& raw_names) {
  const auto mask = [](std::string_view name) { return Result<std::string>(MaskNumbers(name)); };
  // Masking never fails.
  if (analysis.grouped) {
    return Collapse(analysis.grouped->paths, analysis.grouped->names, mask).value();
  }
  return Collapse(analysis.paths, raw_names, mask).value();
}

}  // namespace

std::vector<Finding> FindAll(const FindingSource& source) {
  std::vector<Finding> findings = FindInIterations(source.analysis.iterations);
  const CollapsedPaths masked = MaskedPaths(source.analysis, source.tables.names);
  const auto add = [&](std::optional<Finding> finding) {
    if (finding) findings.push_back(std::move(*finding));
  };
  add(FindIncompleteLast(source, masked));
  add(FindManyNames(source, masked));
  add(FindOverheadScale(source));
  for (Finding& finding : FindInGpuWork(source)) findings.push_back(std::move(finding));
  add(OneRun());
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.code < b.code; });
  return findings;
}

}  // namespace rangewise::analysis
