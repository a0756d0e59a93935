// Owns names as a page shows them: in terminal form (base/text.h), and of bounded length. What is
// cut keeps both of its ends and says how long it was.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/names.h"
#include "model/run_summary.h"
#include "model/scope_path.h"

namespace rangewise::model {

// `text` in terminal form; of more than `most` characters the ends, with "… [5,000 bytes in all] …"
// between them. O(most), whatever the length of `text`.
std::string ShownText(std::string_view text, size_t most);

// A name; "(no name)" for an empty one.
std::string ShownName(std::string_view name);

// The names of a path joined by '.', as ShownName. O(depth).
std::string ShownPath(const std::vector<PathNode>& paths, const NamePool& names, ScopePath path);

// The names of a range of a comparison joined by " > ", as ShownName.
std::string ShownRangePath(const RangePath& path);

}  // namespace rangewise::model
