#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "model/finding.h"
#include "render/html.h"
#include "render/page_sections.h"
#include "render/summary_sections.h"

namespace rangewise::render {
namespace {

using model::Finding;

// Weightiest first; what could not be computed comes last.
int RankOf(const Finding& finding) {
  return finding.computed ? -static_cast<int>(finding.severity) : 1;
}

std::string_view ClockInWords(model::FindingClock clock) {
  switch (clock) {
    case model::FindingClock::kHost:
      return "host time";
    case model::FindingClock::kProjected:
      return "GPU projection";
    case model::FindingClock::kNone:
      break;
  }
  return "";
}

std::string ItemOf(const Finding& finding) {
  const std::string_view mark =
      finding.computed ? model::FindingSeverityName(finding.severity) : "not computed";
  const std::string_view clock = ClockInWords(finding.clock);
  return Format(
      "<li data-severity=\"{}\"><span class=\"severity\">{}</span> {}<code>{}</code> {}</li>\n",
      mark, mark, clock.empty() ? std::string() : Format("<span class=\"clock\">{}</span> ", clock),
      HtmlText(finding.Word()), HtmlText(finding.sentence));
}

}  // namespace

std::string FindingsSectionOfPage(const model::RunPage& page) {
  constexpr std::string_view kId = "findings";
  constexpr std::string_view kTitle = "What the numbers show";
  if (!page.summary.file.has_findings)
    return HtmlSection(kId, kTitle, HtmlOf(std::vector<Block>{FindingsBlock(page.summary)}));
  std::vector<const Finding*> findings;
  for (const Finding& finding : page.document().analysis.findings) findings.push_back(&finding);
  if (findings.empty()) return HtmlSection(kId, kTitle, "<p>Nothing of note.</p>\n");
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding* a, const Finding* b) { return RankOf(*a) < RankOf(*b); });
  std::vector<std::string> items;
  for (const Finding* finding : findings) items.push_back(ItemOf(*finding));
  return HtmlSection(kId, kTitle, HtmlItems(items));
}

}  // namespace rangewise::render
