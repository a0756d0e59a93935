#include "cli/page_making.h"

#include <system_error>
#include <utility>
#include <vector>

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
namespace {

Error OverwritesInput(const std::string& output, const fs::path& input) {
  return {.code = Code::kUsage,
          .message =
              Format("-o names {}, which the page is made from", Quoted(input.filename().string())),
          .where = {.file = output},
          .hint = "name another file"};
}

}  // namespace

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

Status CheckPageTarget(const std::string& output, const PageRequest& request) {
  std::error_code error;
  const std::string& run = request.analyze.run;
  if (fs::equivalent(run, output, error)) return OverwritesInput(output, run);
  // An analysis.json lies in its run, whose files are inputs no less.
  std::vector<std::string> places = {run};
  if (fs::is_regular_file(run, error)) {
    const fs::path folder = fs::path(run).parent_path();
    places.push_back(folder.empty() ? std::string(".") : folder.string());
  }
  for (const std::string& place : places) {
    const Result<RunFiles> files = LocateRun(place, request.analyze.output_folder);
    if (!files.ok()) continue;  // whoever reads the run says so
    if (const auto input = InputNamedBy(output, *files)) return OverwritesInput(output, *input);
    if (fs::equivalent(files->analysis(), output, error))
      return OverwritesInput(output, files->analysis());
  }
  return Ok();
}

}  // namespace rangewise::cli
