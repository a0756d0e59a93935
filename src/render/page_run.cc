#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "model/page_names.h"
#include "render/html.h"
#include "render/page.h"
#include "render/page_sections.h"
#include "render/page_shell.h"
#include "render/phrases.h"
#include "render/redaction_section.h"
#include "render/summary_sections.h"

namespace rangewise::render {
namespace {

std::string HeadSection(const model::RunPage& page) {
  const Section workload = WorkloadSection(page.summary);
  return HtmlSection("head", "Run",
                     HtmlOf(IdentitySection(page.summary).blocks) +
                         Format("<h3>{}</h3>\n", HtmlText(workload.title)) +
                         HtmlOf(workload.blocks));
}

std::string SectionOf(std::string_view id, const Section& section) {
  return HtmlSection(id, section.title, HtmlOf(section.blocks));
}

std::string ProvenanceSection(const model::RunPage& page) {
  const model::AnalysisDocument& document = page.document();
  Facts facts;
  facts.facts.push_back(
      {"analysis", page.summary.analysis_path ? *page.summary.analysis_path : "read from a pipe",
       page.summary.analysis_path.has_value()});
  if (page.summary.file.tool_version)
    facts.facts.push_back({"analysed by rangewise", *page.summary.file.tool_version, true});
  facts.facts.push_back({"page made by rangewise", RANGEWISE_VERSION});
  if (document.provenance.trace_path)
    facts.facts.push_back({"trace", *document.provenance.trace_path, true});
  for (const auto& [option, value] : document.provenance.options)
    facts.facts.push_back({"option " + option, value, true});
  for (const auto& [name, fingerprint] : document.provenance.inputs) {
    facts.facts.push_back(
        {name,
         Format("{} bytes, XXH3-128 {}", Grouped(static_cast<int64_t>(fingerprint.size_bytes)),
                fingerprint.xxh3_128),
         false, true});
  }
  return HtmlSection("provenance", "Where this came from", HtmlOf(facts));
}

// The last one is there in redacted pages only.
constexpr std::array<PageLink, 19> kLinks = {{{"head", "Run"},
                                              {"warnings", "Warnings"},
                                              {"findings", "Findings"},
                                              {"iterations", "Iterations"},
                                              {"distribution", "Distribution"},
                                              {"scopes", "Host time"},
                                              {"gpu-scopes", "GPU work"},
                                              {"timeline", "Timeline"},
                                              {"tables-host-ranges", "Host ranges"},
                                              {"tables-gpu-ranges", "GPU ranges"},
                                              {"tables-gpu-projection", "Projection"},
                                              {"tables-kernels", "Kernels"},
                                              {"tables-copies", "Copies"},
                                              {"tables-waits", "Waits"},
                                              {"tables-gaps", "Idle times"},
                                              {"coverage", "Coverage"},
                                              {"glossary", "Glossary"},
                                              {"provenance", "Provenance"},
                                              {"redaction", "Redacted"}}};

std::string Sections(const model::RunPage& page, TablesRoom& room) {
  std::string html = HeadSection(page);
  html += SectionOf("warnings", WarningsSection(page.document().warnings));
  html += FindingsSectionOfPage(page);
  html += IterationsSections(page, room);
  html += ScopeSections(page);
  html += TimelineSection(page.timeline, room);
  html += HostRangesTables(page, room);
  html += GpuRangesTables(page, room);
  html += ProjectionTables(page, room);
  html += KernelsTables(page, room);
  html += CopiesTables(page, room);
  html += WaitsTables(page, room);
  html += GapsTables(page, room);
  html += SectionOf("coverage", CoverageSection(page.summary));
  html += GlossarySection(PageKind::kRun);
  html += ProvenanceSection(page);
  if (const auto& redaction = page.document().redaction)
    html += SectionOf("redaction", RedactionSection(*redaction));
  return html;
}

}  // namespace

PageParts MakeRunPage(const model::RunPage& page) {
  const std::optional<std::string>& id = page.document().manifest.run_id;
  const std::string title = id ? "Run " + model::ShownName(*id) : "A run without a run_id";
  return {.title = HtmlEscaped(title),
          .body = PageHead(title, std::span(kLinks).first(kLinks.size() -
                                                          (page.document().redaction ? 0 : 1))) +
                  WithinRoom([&](TablesRoom& room) { return Sections(page, room); })};
}

}  // namespace rangewise::render
