#include "model/summary.h"

#include <string_view>

namespace rangewise::model {

std::string_view SortKeyName(SortKey key) {
  switch (key) {
    case SortKey::kTotal:
      return "total";
    case SortKey::kMean:
      return "mean";
    case SortKey::kMedian:
      return "median";
    case SortKey::kP95:
      return "p95";
    case SortKey::kMax:
      return "max";
    case SortKey::kExclusive:
      return "exclusive";
    case SortKey::kCount:
      return "count";
    case SortKey::kName:
      return "name";
  }
  return "";
}

bool NamesSingleIterations(const Finding& finding, size_t iterations) {
  return !finding.iterations.empty() && finding.iterations.size() <= iterations / 2;
}

ShownRanges::ShownRanges(const AnalysisDocument& document)
    : analysis(document.analysis),
      grouped(document.analysis.grouped ? &*document.analysis.grouped : nullptr),
      paths(grouped ? grouped->paths : document.analysis.paths),
      names(grouped ? grouped->names : document.tables.names) {}

std::string JoinedNames(const std::vector<PathNode>& paths, const NamePool& names, ScopePath path) {
  std::vector<std::string_view> steps;
  for (ScopePath at = path; at != kRootPath; at = paths[at].parent) {
    steps.push_back(names.At(paths[at].name));
  }
  std::string text;
  for (size_t i = steps.size(); i > 0; --i) {
    text += steps[i - 1];
    if (i > 1) text += '.';
  }
  return text;
}

}  // namespace rangewise::model
