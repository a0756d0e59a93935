// `rangewise gpu RUN`: which GPU work each range launched, how long the GPU was busy and idle, and
// how long the host waited.
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "artifact/gpu_csv.h"
#include "artifact/gpu_json.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/gpu_run.h"
#include "cli/output_file.h"
#include "cli/steps.h"
#include "cli/view_options.h"
#include "render/gpu_report.h"

namespace rangewise::cli {
namespace {

using model::GpuBy;
using model::GpuSortKey;

struct GpuOptions {
  GpuRequest request;
  std::string format = "text";
  std::string by;    // empty: the overview
  std::string sort;  // empty: the list's own order
  std::string unit = "auto";
  std::string output;  // empty: standard output
  std::optional<size_t> top;  // absent: as many as people read, and all for machines' CSV
  SelectionOptions selection;
};

std::string Rendered(const GpuOptions& options, const model::GpuView& view) {
  if (options.format == "json" || options.format == "csv") {
    StringOutput out;
    if (options.format == "json") {
      artifact::WriteGpuJson(view, out);
    } else {
      artifact::WriteGpuCsv(view, out);
    }
    return std::move(out.text());
  }
  const render::Report report = render::MakeGpuReport(view, TimeUnitOf(options.unit));
  return options.format == "md" ? render::RenderMarkdown(report)
                                : render::RenderText(report, StyleFor(options.output));
}

// CSV has no place for the reason that the other forms give beside an empty list.
void SayWhyNoRecords(const model::GpuView& view, Console& console) {
  const model::Analysis& analysis = view.file.document.analysis;
  if (view.by == GpuBy::kKernel) {
    if (!analysis.kernels) {
      console.Err("The kernels are not known: the table of kernels is not there.\n");
    }
  } else if (!analysis.gpu_work) {
    const std::string& reason = analysis.no_gpu_work;
    console.Err(Format("GPU work per range is not known: {}.\n",
                       reason.empty() ? std::string("no reason is given") : Neutralised(reason)));
  }
}

int ShowGpuWork(GpuOptions& options, Console& console) {
  const AnalyzeRequest& analyze = options.request.analyze;
  const Status free = CheckOutput(
      options.output, PartsOfArgument(analyze.run, analyze.output_folder), kPartOfWhatIsShown);
  if (!free.ok()) return console.Fail(free.error());
  Steps steps(console.ErrIsTerminal());
  TellSteps(options.request.analyze, steps, console);
  const Result<model::GpuView> view = MakeGpuView(options.request);
  steps.End();
  if (!view.ok()) return console.Fail(view.error());
  if (options.format == "csv") SayWhyNoRecords(*view, console);
  return Deliver(options.output, Rendered(options, *view), console);
}

// The list and its order; a key that the list lacks is a usage error.
void ChooseRows(GpuOptions& options) {
  GpuRequest& request = options.request;
  for (const GpuBy by : model::kGpuByOptions) {
    if (options.by == model::GpuByName(by)) request.by = by;
  }
  const std::span<const GpuSortKey> keys = model::GpuSortKeys(request.by);
  request.sort = keys.front();
  if (options.sort.empty()) return;
  const auto chosen = std::find_if(keys.begin(), keys.end(), [&](GpuSortKey key) {
    return options.sort == model::GpuSortKeyName(key);
  });
  if (chosen == keys.end()) {
    std::string known;
    for (const GpuSortKey key : keys) {
      if (!known.empty()) known += ", ";
      known += model::GpuSortKeyName(key);
    }
    throw CLI::ValidationError(
        "--sort", Format("{} cannot be sorted by {}; it can be by {}",
                         options.by.empty() ? std::string("the overview") : "--by " + options.by,
                         options.sort, known));
  }
  request.sort = *chosen;
}

}  // namespace

void DeclareGpu(CLI::App& root, Action& action) {
  CLI::App* verb = root.add_subcommand(
      "gpu", "Show GPU work, waits and idle times by range, kernel, iteration, device or stream");
  auto options = std::make_shared<GpuOptions>();
  GpuRequest& request = options->request;
  auto* run = verb->add_option_group("run", "")->require_option(1);
  run->add_option("RUN,--run-dir", request.analyze.run,
                  "The run directory or bare SQLite export, which is analysed first if need be; an "
                  "analysis.json, or - for one on standard input")
      ->type_name("PATH");
  verb->add_option("--format", options->format, "text, md, json or csv")
      ->check(CLI::IsMember({"text", "md", "json", "csv"}))
      ->type_name("text|md|json|csv")
      ->default_str("text");
  AddOutputOption(*verb, options->output);
  std::vector<std::string> lists;
  for (const GpuBy by : model::kGpuByOptions) lists.emplace_back(model::GpuByName(by));
  verb->add_option("--by", options->by,
                   "Which list to show; without, paths and what is said of the whole run")
      ->check(CLI::IsMember(lists))
      ->type_name("path|kernel|iteration|device|stream");
  verb->add_option("--top", options->top, "How many rows of the list; 0: all")
      ->type_name("N")
      ->check(CLI::Range(0, 1 << 30))
      ->default_str("10, with csv all");
  verb->add_option("--sort", options->sort,
                   "Order the list by this, largest first; each list takes some of busy, busy-share, "
                   "kernels, copies, operations, waits, own, delay, exposed-communication and name. "
                   "Without: paths by busy, kernels by kernels, all others by name, which is their "
                   "number")
      ->type_name("KEY");
  AddTimeUnitOption(*verb, options->unit);
  AddSelectionOptions(*verb, request.analyze, options->selection);
  AddRunOptions(*verb, request.analyze);
  verb->callback([&action, options] {
    ChooseRows(*options);
    const size_t usual = options->format == "csv" ? 0 : options->request.top;
    options->request.top = options->top.value_or(usual);
    FinishSelection(options->selection);
    options->request.filters = options->selection.filters;
    options->request.filters_in_words = FiltersInWords(options->selection);
    action = [options](Console& console) { return ShowGpuWork(*options, console); };
  });
}

}  // namespace rangewise::cli
