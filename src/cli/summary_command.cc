// `rangewise summary RUN`: what a careful engineer would say about a run.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/redact_analysis.h"
#include "artifact/summary_json.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/comparison_forms.h"
#include "cli/output_file.h"
#include "cli/piped_document.h"
#include "cli/redact_options.h"
#include "cli/steps.h"
#include "cli/summary_run.h"
#include "cli/view_options.h"
#include "render/summary_report.h"

namespace rangewise::cli {
namespace {

using model::SortKey;

struct SummaryOptions {
  SummaryRequest request;
  std::string format = "text";
  std::string sort;
  std::string unit = "auto";
  std::string output;  // empty: standard output
  SelectionOptions selection;
  RedactArguments redact;
  double min_share_percent = 1;
  std::vector<std::string> not_of_comparisons;  // what was given that a comparison has no use for
};

std::string Rendered(const SummaryOptions& options, const model::Summary& summary) {
  if (options.format == "json") {
    StringOutput out;
    artifact::WriteSummaryJson(summary, out);
    return std::move(out.text());
  }
  const render::Report report = render::MakeSummaryReport(summary, TimeUnitOf(options.unit));
  return options.format == "md" ? render::RenderMarkdown(report)
                                : render::RenderText(report, StyleFor(options.output));
}

// The options that were given and are for a run's summary alone.
std::vector<std::string> NotOfComparisons(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    const std::string name = option->get_name();
    const bool is_of_both = name == "--run-dir" || name == "--format" || name == "--output" ||
                            name == "--threads" || name.starts_with("--redact");
    if (option->count() > 0 && !is_of_both) names.push_back(name);
  }
  return names;
}

Error NoUseWithComparison(const SummaryOptions& options) {
  return {.code = Code::kUsage,
          .message = Format("{} of no use with a comparison: {}",
                            options.not_of_comparisons.size() == 1 ? "an option is" : "options are",
                            fmt::join(options.not_of_comparisons, ", ")),
          .where = {.file = options.request.analyze.run},
          .hint =
              "a comparison takes --format, -o and --redact only; make it anew with `rangewise "
              "compare`"};
}

int Summarise(SummaryOptions& options, Console& console) {
  const std::string& run = options.request.analyze.run;
  const Status free =
      CheckOutput(options.output, PartsOfArgument(run, options.request.analyze.output_folder),
                  kPartOfWhatIsShown);
  if (!free.ok()) return console.Fail(free.error());
  const auto redact = RedactOptionsOf(options.redact);
  if (!redact.ok()) return console.Fail(redact.error());
  std::unique_ptr<PipedDocument> piped;
  if (PipedDocument::IsNamedBy(run)) {
    auto opened = PipedDocument::Open(run);
    if (!opened.ok()) return console.Fail(opened.error());
    piped = std::move(opened).value();
    options.request.piped = piped.get();
  }
  auto compared = piped ? FindComparison(*piped) : FindComparison(run);
  if (!compared.ok()) return console.Fail(compared.error());
  if (*compared && !options.not_of_comparisons.empty())
    return console.Fail(NoUseWithComparison(options));
  if (*compared) {
    return Deliver(options.output, InForm(std::move(**compared), options.format, *redact), console);
  }
  Steps steps(console.ErrIsTerminal());
  TellSteps(options.request.analyze, steps, console);
  Result<model::Summary> summary = MakeSummary(options.request);
  steps.End();
  if (!summary.ok()) return console.Fail(summary.error());
  if (*redact) analysis::Redact(*summary, **redact);
  return Deliver(options.output, Rendered(options, *summary), console);
}

}  // namespace

void DeclareSummary(CLI::App& root, Action& action) {
  CLI::App* verb =
      root.add_subcommand("summary", "Say what a run's analysis shows, in text, Markdown or JSON");
  auto options = std::make_shared<SummaryOptions>();
  SummaryRequest& request = options->request;
  auto* run = verb->add_option_group("run", "")->require_option(1);
  run->add_option("RUN,--run-dir", request.analyze.run,
                  "The run directory or bare SQLite export, which is analysed first if need be; an "
                  "analysis.json or the JSON of a comparison, - for one on standard input")
      ->type_name("PATH");
  verb->add_option("--format", options->format, "text, md or json")
      ->check(CLI::IsMember({"text", "md", "json"}))
      ->type_name("text|md|json")
      ->default_str("text");
  AddOutputOption(*verb, options->output);
  verb->add_option("--top", request.top, "How many rows of each table; 0: all")
      ->type_name("N")
      ->check(CLI::Range(0, 1 << 30))
      ->default_str("10");
  std::vector<std::string> keys;
  for (const SortKey key : model::kSortKeys) keys.emplace_back(model::SortKeyName(key));
  verb->add_option(
          "--sort", options->sort,
          "Order the tables of ranges by this; without, host ranges are shown by exclusive "
          "and by inclusive totals")
      ->check(CLI::IsMember(keys))
      ->type_name("total|mean|median|p95|max|exclusive|count|name");
  AddTimeUnitOption(*verb, options->unit);
  CLI::Option* tree = verb->add_flag("--tree", request.tree, "Also show the tree of host ranges");
  verb->add_option("--min-share", options->min_share_percent,
                   "Fold what has less than this share of all self time, in percent")
      ->type_name("PERCENT")
      ->check(CLI::Range(0.0, 100.0))
      ->needs(tree)
      ->default_str("1");
  AddSelectionOptions(*verb, request.analyze, options->selection);
  AddRunOptions(*verb, request.analyze);
  AddRedactOptions(*verb, options->redact);
  verb->callback([&action, options, verb] {
    SummaryRequest& chosen = options->request;
    // CLI11's range lets what is no number pass.
    if (!(options->min_share_percent >= 0))
      throw CLI::ValidationError("--min-share", "takes a percentage from 0 to 100");
    for (const SortKey key : model::kSortKeys) {
      if (options->sort == model::SortKeyName(key)) chosen.sort = key;
    }
    FinishSelection(options->selection);
    chosen.filters = options->selection.filters;
    chosen.min_share = options->min_share_percent / 100;
    options->not_of_comparisons = NotOfComparisons(*verb);
    chosen.filters_in_words = FiltersInWords(options->selection);
    action = [options](Console& console) { return Summarise(*options, console); };
  });
}

}  // namespace rangewise::cli
