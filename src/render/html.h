// Owns HTML made of texts from inputs: what stands in it is shown as it is, in terminal form
// (base/text.h) and of bounded length, and none of it becomes an element, an attribute or a script.
// The blocks of a render::Report have their HTML form here, too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/report.h"

namespace rangewise::render {

// `text` with what HTML acts upon escaped, for elements and quoted attributes alike. Its characters
// are those given: use it for our own words, and for what is in a shown form already.
std::string HtmlEscaped(std::string_view text);

// A sentence or value that may hold names from inputs, shortened beyond kMostSentenceCharacters.
std::string HtmlText(std::string_view text);

// A name in an isolating <bdi>, so that its direction ends with it; shortened beyond
// kMostNameCharacters.
std::string HtmlName(std::string_view name);

// Blocks of a report; beyond kMostFacts, kMostItems and kMostListBytes they say how many more there
// are. A table of a report is a plain table without raw numbers.
std::string HtmlOf(const Paragraph& paragraph);
std::string HtmlOf(const Facts& facts);
std::string HtmlOf(const Items& items);
std::string HtmlOf(const ReportTable& table);
std::string HtmlOf(const std::vector<Block>& blocks);

// The same of entries that are `<li>` elements already.
std::string HtmlItems(const std::vector<std::string>& entries);

// `<section id="…"><h2>…</h2>…</section>`; `title` is escaped as a text.
std::string HtmlSection(std::string_view id, std::string_view title, std::string_view html);

}  // namespace rangewise::render
