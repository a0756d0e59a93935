// Owns text from inputs within Markdown (CommonMark with GitHub's tables): what stands in it is
// shown as it is, and none of it becomes markup, a link, a mention, a formula or a table's border.
#pragma once

#include <string>
#include <string_view>

namespace rangewise::render {

// `text` in terminal form (base/text.h), its markup characters escaped. For sentences and cells.
std::string MarkdownText(std::string_view text);

// `name` as a code span where that can hold it, else escaped; never empty.
std::string MarkdownName(std::string_view name);

}  // namespace rangewise::render
