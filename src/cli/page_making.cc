#include "cli/page_making.h"

#include <utility>

#include "analysis/page_selection.h"
#include "artifact/page_json.h"
#include "base/text.h"
#include "cli/analysis_source.h"
#include "cli/page_timeline.h"
#include "render/comparison_words.h"
#include "render/page.h"

namespace rangewise::embedded {
extern const std::string_view page_template;
}  // namespace rangewise::embedded

namespace rangewise::cli {

Result<std::string_view> EmbeddedTemplate() {
  if (embedded::page_template.empty()) {
    return Error{.code = Code::kPageTemplateMissing,
                 .message =
                     "this rangewise was built without npm, and so without the page that a "
                     "report is written into"};
  }
  return embedded::page_template;
}

Result<model::RunPage> MakeRunPage(const PageRequest& request) {
  ASSIGN_OR_RETURN(AnalysisSource source,
                   ReadAnalysisSource(request.analyze, {.gpu_work = true, .piped = request.piped}));
  model::RunPage page;
  ASSIGN_OR_RETURN(page.timeline, TimelineOf(request, source));
  page.summary.file = std::move(source.file);
  page.summary.analysis_path = std::move(source.path);
  analysis::SelectPageRows(page);
  return page;
}

Result<std::string> PageOf(const model::RunPage& page, std::string_view page_template) {
  return render::FillTemplate(page_template, render::MakeRunPage(page), artifact::PageJson(page));
}

Result<std::string> PageOf(const model::Comparison& comparison, std::string_view page_template) {
  return render::FillTemplate(page_template, render::MakeComparisonPage(comparison),
                              artifact::PageJson(comparison, render::MetricTitle));
}

}  // namespace rangewise::cli
