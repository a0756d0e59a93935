// Owns the page of `rangewise report` as HTML: everything that is said of a run or a comparison,
// whole and useful without scripts, and its place in the template that web/ is built to. Names from
// inputs are text in it and nothing else (render/html.h). Same input, same bytes.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/comparison.h"
#include "model/page.h"

namespace rangewise::render {

struct PageParts {
  std::string title;  // escaped, for <title>
  std::string body;   // what stands in <main>
};

PageParts MakeRunPage(const model::RunPage& page);
PageParts MakeComparisonPage(const model::Comparison& comparison);

// The template with its three places filled: `<!--rangewise:title-->`, `<!--rangewise:body-->` and
// `<!--rangewise:data-->`, where `data`, JSON that can stand in a script element
// (format/script_json.h), gets its element `rangewise-data`. kInternal for a template that does not
// hold each of them once.
Result<std::string> FillTemplate(std::string_view page_template, const PageParts& parts,
                                 std::string_view data);

}  // namespace rangewise::render
