// Owns the Markdown form of a comparison and of a noise report, made to be posted as the comment of
// a pull request: the first line is the verdict with its caveats, tables are collapsed, and the
// whole stays within what such a comment takes, whatever the input. Names from inputs are code, so
// that none of them is a link, a mention, HTML or the end of a cell.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "model/comparison.h"

namespace rangewise::render {

inline constexpr size_t kMostMarkdownBytes = 59'000;

// `name` as code on one line, at most 60 columns; a grave accent or a vertical bar in it appears as
// \u{60} or \u{7c}.
std::string MarkdownCode(std::string_view name);

// At most kMostMarkdownBytes; what does not fit is counted.
std::string RenderComparisonMarkdown(const model::Comparison& comparison);
std::string RenderNoiseMarkdown(const model::NoiseReport& report);

}  // namespace rangewise::render
