// `rangewise report`: one HTML page of a run or a comparison, which needs nothing but itself.
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "analysis/redact_analysis.h"
#include "analysis/redact_comparison.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/comparison_forms.h"
#include "cli/output_file.h"
#include "cli/page_making.h"
#include "cli/redact_options.h"
#include "cli/steps.h"
#include "cli/view_options.h"
#include "render/units.h"

namespace rangewise::cli {
namespace {

struct ReportOptions {
  PageRequest request;
  RedactArguments redact;
  std::string output;  // empty: standard output
};

using Redaction = std::optional<analysis::RedactOptions>;

Result<std::string> ComparisonPage(artifact::ComparisonFile file, const std::string& name,
                                   const Redaction& redact, std::string_view page_template) {
  if (auto* comparison = std::get_if<model::Comparison>(&file)) {
    if (redact) analysis::Redact(*comparison, *redact);
    return PageOf(*comparison, page_template);
  }
  return Error{.code = Code::kUsage,
               .message = "a noise report has no page",
               .where = {.file = name},
               .hint = "read it with `rangewise summary`"};
}

// Options about making an analysis have no use with a comparison.
Status CheckOptionsOfComparison(const AnalyzeRequest& analyze) {
  const char* option = analyze.capture_range   ? "--capture-range"
                       : analyze.iterations    ? "--iterations"
                       : analyze.output_folder ? "--output-dir"
                                               : nullptr;
  if (option == nullptr) return Ok();
  return Error{.code = Code::kUsage,
               .message = Format("{} has no use with a comparison", option),
               .where = {.file = analyze.run},
               .hint = "make the comparison anew with `rangewise compare`"};
}

Result<std::string> MakePage(ReportOptions& options, Console& console) {
  ASSIGN_OR_RETURN(const std::string_view page_template, EmbeddedTemplate());
  ASSIGN_OR_RETURN(const Redaction redact, RedactOptionsOf(options.redact));
  PageRequest& request = options.request;
  const std::string& run = request.analyze.run;
  std::unique_ptr<PipedDocument> piped;
  if (PipedDocument::IsNamedBy(run)) {
    ASSIGN_OR_RETURN(piped, PipedDocument::Open(run));
    request.piped = piped.get();
  }
  ASSIGN_OR_RETURN(std::optional<artifact::ComparisonFile> compared,
                   piped ? FindComparison(*piped) : FindComparison(run));
  if (compared) {
    RETURN_IF_ERROR(CheckOptionsOfComparison(request.analyze));
    return ComparisonPage(std::move(*compared), run, redact, page_template);
  }
  Steps steps(console.ErrIsTerminal());
  TellSteps(request.analyze, steps, console);
  Result<model::RunPage> page = MakeRunPage(request);
  steps.End();
  if (!page.ok()) return page.error();
  if (redact) analysis::Redact(*page, *redact);
  return PageOf(*page, page_template);
}

int Report(ReportOptions& options, Console& console) {
  const bool to_standard_output = options.output.empty() || options.output == "-";
  if (options.output.empty() && ::isatty(STDOUT_FILENO) == 1) {
    return console.Fail({.code = Code::kUsage,
                         .message = "a page is no text for a terminal",
                         .hint = "name its file: -o report.html"});
  }
  const AnalyzeRequest& analyze = options.request.analyze;
  const Status free = CheckOutput(
      options.output, PartsOfArgument(analyze.run, analyze.output_folder), kPartOfWhatIsShown);
  if (!free.ok()) return console.Fail(free.error());
  const Result<std::string> page = MakePage(options, console);
  if (!page.ok()) return console.Fail(page.error());
  if (to_standard_output) {
    console.Out(*page);
    return kExitDone;
  }
  const Status written = WriteOutputFile(options.output, *page);
  if (!written.ok()) return console.Fail(written.error());
  console.Out(Format("Wrote {} ({})\n", Neutralised(options.output),
                     render::Bytes(static_cast<int64_t>(page->size()))));
  return kExitDone;
}

}  // namespace

void DeclareReport(CLI::App& root, Action& action) {
  CLI::App* verb = root.add_subcommand(
      "report", "Write one HTML page of a run or a comparison, with charts (docs/report-page.md)");
  auto options = std::make_shared<ReportOptions>();
  AnalyzeRequest& analyze = options->request.analyze;
  auto* run = verb->add_option_group("run", "")->require_option(1);
  run->add_option("RUN,--run-dir", analyze.run,
                  "The run directory or bare SQLite export, which is analysed first if need be; an "
                  "analysis.json or the JSON of a comparison, - for one on standard input")
      ->type_name("PATH");
  AddOutputOption(*verb, options->output);
  AddRunOptions(*verb, analyze);
  AddRedactOptions(*verb, options->redact);
  verb->callback([&action, options] {
    action = [options](Console& console) { return Report(*options, console); };
  });
}

}  // namespace rangewise::cli
