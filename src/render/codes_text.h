// Owns what people read about a warning or error code: the text of `rangewise explain CODE`, and
// docs/warnings.md. Both are made from the one table in base/codes.h.
#pragma once

#include <string>

#include "base/codes.h"

namespace rangewise::render {

// One code: its word and kind, what it means, what that implies for the numbers, what to do.
std::string RenderCode(const CodeInfo& info);

// All codes as the Markdown page docs/warnings.md, whole.
std::string RenderCodesMarkdown();

}  // namespace rangewise::render
