// Owns the scope tree of a page's data: paths with their exclusive host time, projection and busy
// share, parents before children, the largest ones where there are too many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "format/script_json.h"
#include "model/provenance.h"
#include "model/scope_path.h"

namespace rangewise::artifact {

// What is known of one path; absent where nothing is.
struct ScopeNumbers {
  std::optional<int64_t> host_inclusive_ns;
  std::optional<int64_t> host_exclusive_ns;
  std::optional<int64_t> instances;
  std::optional<int64_t>
      projected_ns;  // of push/pop ranges; where it has none, of start/end ranges
  std::optional<int64_t> gpu_busy_ns;
  std::optional<double> busy_share;
};

// Paths by depth, then parent, then name as it is shown, whatever order the document has them in.
// An analysis that was read back knows the domain of a row's innermost name only, and has such a
// path twice where others lie below it: those become one.
struct ScopeTree {
  std::vector<model::PathNode> paths;
  const model::NamePool& names;
  std::vector<ScopeNumbers> numbers;  // by path
};

ScopeTree RawScopes(const model::AnalysisDocument& document);
// The document has grouped ranges.
ScopeTree GroupedScopes(const model::AnalysisDocument& document);

// The value of the key: columns, at most kMostScopes rows of at most `most_bytes` together. Kept
// are the paths that hold the most exclusive host time with all below them, so that with a path its
// parents are kept; `folded` counts the others, `folded_exclusive_ns` is their exclusive time by
// the nearest path that is kept, and `folded_above_exclusive_ns` that of those below no such path.
void WriteScopes(format::ScriptJson& json, const ScopeTree& tree, size_t most_bytes);

}  // namespace rangewise::artifact
