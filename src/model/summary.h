// Owns what `rangewise summary` shows of an analysis: the analysis itself, and which of its rows in
// which order. Text, Markdown and JSON are written from this one value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/analysis_file.h"

namespace rangewise::model {

enum class SortKey : uint8_t { kTotal, kMean, kMedian, kP95, kMax, kExclusive, kCount, kName };
inline constexpr SortKey kSortKeys[] = {SortKey::kTotal, SortKey::kMean,  SortKey::kMedian,
                                        SortKey::kP95,   SortKey::kMax,   SortKey::kExclusive,
                                        SortKey::kCount, SortKey::kName};
std::string_view SortKeyName(SortKey key);  // "total"

// Rows of a list by their numbers, in the order that they are shown in; `total` counts all.
struct RowSelection {
  std::vector<uint32_t> rows;
  size_t total = 0;
};

// The iterations that a finding names one by one, and how many of them are shown.
struct NamedIterations {
  size_t total = 0;
  size_t shown = 0;
};

// A line of the range tree. Shares are of the sum of all self time, so that no time counts twice.
struct TreeRow {
  ScopePath path = kRootPath;  // kRootPath: iterations, or what was folded
  uint32_t depth = 0;
  int64_t instances = 0;
  HostNs self;            // exclusive host time
  HostNs self_and_below;  // and that of all paths below it
  double share = 0;       // of self_and_below; 0 where it is negative
  size_t folded = 0;      // the number of paths that the line stands for; 0: a path of its own
  bool is_iterations = false;  // the iterations' own time
  bool has_row = true;         // false: only ranges below it were selected
};

struct RangeTree {
  std::vector<TreeRow> rows;  // parents before children, larger shares first
  HostNs total_self;
  double min_share = 0;
};

struct Summary {
  AnalysisFile file;
  std::optional<std::string> analysis_path;  // where analysis.json is; absent: a pipe
  std::vector<std::string> filters;          // in words, as they were given
  std::optional<SortKey> sort;               // absent: the largest totals of each kind
  // Rows of the grouped ranges where the analysis has them, else of the raw ones.
  RowSelection host;
  RowSelection host_by_exclusive;  // empty when `sort` was given
  RowSelection projected;
  RowSelection kernels;
  RowSelection copies;
  RowSelection iterations;
  NamedIterations named_iterations;
  std::optional<RangeTree> tree;
};

// Whether a finding is about single iterations of all `iterations`, and not about how they lie
// together.
bool NamesSingleIterations(const Finding& finding, size_t iterations);

// The names of a path joined by '.', as people read it.
std::string JoinedNames(const std::vector<PathNode>& paths, const NamePool& names, ScopePath path);

// The ranges that a summary shows: the grouped ones where there are any.
struct ShownRanges {
  explicit ShownRanges(const AnalysisDocument& document);

  size_t host_count() const { return grouped ? grouped->host.size() : analysis.host_groups.size(); }
  size_t projected_count() const {
    return grouped ? grouped->projected.size() : analysis.projected_groups.size();
  }
  const HostGroup& Host(size_t row) const {
    return grouped ? grouped->host[row].group : analysis.host_groups[row];
  }
  const ProjectedGroup& Projected(size_t row) const {
    return grouped ? grouped->projected[row].group : analysis.projected_groups[row];
  }
  std::string Name(ScopePath path) const { return JoinedNames(paths, names, path); }

  const Analysis& analysis;
  const GroupedRanges* grouped;  // null: the raw ones
  const std::vector<PathNode>& paths;
  const NamePool& names;
};

}  // namespace rangewise::model
