#include "render/page_shell.h"

#include <array>
#include <cstddef>
#include <utility>

#include "base/text.h"
#include "render/html.h"
#include "render/page.h"

namespace rangewise::render {
namespace {

struct Place {
  std::string_view mark;
  std::string_view text;
  size_t at = 0;
};

}  // namespace

std::string PageHead(std::string_view title, std::span<const PageLink> links) {
  std::string html = Format("<header class=\"page-head\">\n<h1><bdi>{}</bdi></h1>\n</header>\n",
                            HtmlEscaped(title));
  html += "<nav class=\"contents\" aria-label=\"Sections\">\n<ul>\n";
  for (const PageLink& link : links)
    html += Format("<li><a href=\"#{}\">{}</a></li>\n", link.id, HtmlEscaped(link.text));
  return html + "</ul>\n</nav>\n";
}

std::string GlossarySection(PageKind kind) {
  std::string html = "<dl class=\"glossary\">\n";
  for (const TermInfo& term : AllTerms()) {
    if (!(kind == PageKind::kRun ? term.of_runs : term.of_comparisons)) continue;
    html += Format("<div><dt>{}</dt><dd>{}</dd></div>\n", HtmlEscaped(term.word),
                   HtmlEscaped(term.line));
  }
  return HtmlSection("glossary", "What the numbers mean", html + "</dl>\n");
}

Result<std::string> FillTemplate(std::string_view page_template, const PageParts& parts,
                                 std::string_view data) {
  const std::string script =
      Format("<script type=\"application/json\" id=\"rangewise-data\">{}</script>", data);
  std::array<Place, 3> places = {{{"<!--rangewise:title-->", parts.title},
                                  {"<!--rangewise:body-->", parts.body},
                                  {"<!--rangewise:data-->", script}}};
  std::string page;
  size_t done = 0;
  for (Place& place : places) {
    place.at = page_template.find(place.mark);
    const bool once = place.at != std::string_view::npos &&
                      page_template.find(place.mark, place.at + 1) == std::string_view::npos;
    if (!once || place.at < done) {
      return Error{.code = Code::kInternal,
                   .message = Format("the page's template does not hold {} once and in its place",
                                     place.mark)};
    }
    page += page_template.substr(done, place.at - done);
    page += place.text;
    done = place.at + place.mark.size();
  }
  page += page_template.substr(done);
  return page;
}

}  // namespace rangewise::render
