// `rangewise summary RUN`: what a careful engineer would say about a run.
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "artifact/summary_json.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/group_option.h"
#include "cli/comparison_forms.h"
#include "cli/steps.h"
#include "cli/summary_run.h"
#include "render/summary_report.h"

namespace rangewise::cli {
namespace {

using model::SortKey;
using render::TimeUnit;

const std::map<std::string, TimeUnit> kTimeUnits = {{"ns", TimeUnit::kNs},
                                                    {"us", TimeUnit::kUs},
                                                    {"ms", TimeUnit::kMs},
                                                    {"s", TimeUnit::kS},
                                                    {"auto", TimeUnit::kAuto}};

struct SummaryOptions {
  SummaryRequest request;
  std::string format = "text";
  std::string sort;
  std::string unit = "auto";
  std::string output;  // empty: standard output
  std::string time;
  double min_share_percent = 1;
};

// The width of the terminal on standard output, within what tables are made for.
size_t TerminalWidth() {
  constexpr size_t kNarrowest = 60;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return render::kLineWidth;
  }
  return std::clamp(size_t{size.ws_col}, kNarrowest, render::kLineWidth);
}

// Colours and the terminal's width are for a terminal only; https://no-color.org for the variable.
render::TextStyle StyleOf(const SummaryOptions& options) {
  if (!options.output.empty() || ::isatty(STDOUT_FILENO) != 1) return {};
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool colours = (no_color == nullptr || *no_color == '\0') && terminal != nullptr &&
                       std::string_view(terminal) != "dumb";
  return {.width = TerminalWidth(), .colours = colours};
}

std::string Rendered(const SummaryOptions& options, const model::Summary& summary) {
  if (options.format == "json") {
    StringOutput out;
    artifact::WriteSummaryJson(summary, out);
    return std::move(out.text());
  }
  const render::Report report = render::MakeSummaryReport(summary, kTimeUnits.at(options.unit));
  return options.format == "md" ? render::RenderMarkdown(report)
                                : render::RenderText(report, StyleOf(options));
}

int Deliver(const SummaryOptions& options, const std::string& text, Console& console) {
  if (options.output.empty()) {
    console.Out(text);
    return kExitDone;
  }
  const Status written = WriteFileAtomically(options.output, text);
  return written.ok() ? kExitDone : console.Fail(written.error());
}

int Summarise(SummaryOptions& options, Console& console) {
  const auto compared = ComparisonFileInForm(options.request.analyze.run, options.format);
  if (!compared.ok()) return console.Fail(compared.error());
  if (*compared) return Deliver(options, **compared, console);
  Steps steps(console.ErrIsTerminal());
  AnalyzeRequest& analyze = options.request.analyze;
  analyze.progress = [&console](std::string_view piece) { console.Progress(piece); };
  analyze.on_step = [&steps](std::string_view name) { steps.Begin(name); };
  const Result<model::Summary> summary = MakeSummary(options.request);
  steps.End();
  if (!summary.ok()) return console.Fail(summary.error());
  return Deliver(options, Rendered(options, *summary), console);
}

void DeclareSelection(CLI::App& verb, const std::shared_ptr<SummaryOptions>& options) {
  SummaryRequest& request = options->request;
  AddGroupOption(verb, request.analyze.group_rules,
                 "Show ranges grouped by name, as for analyze; may be given again");
  verb.add_flag("--group-numbers", request.analyze.group_numbers,
                "Show ranges grouped by name with numbers, hexadecimal addresses and UUIDs as #");
  verb.add_option("--filter-nvtx", request.filters.nvtx,
                  "Only ranges that overlap the named push/pop range, the INDEX-th by start")
      ->type_name("NAME[@DOMAIN][/INDEX]");
  verb.add_option("--filter-time", options->time,
                  "Only ranges that overlap the time from A to B; ns without a unit, either may be "
                  "left out")
      ->type_name("A/B");
  verb.add_option("--domain", request.filters.domains,
                  "Only ranges of this NVTX domain, '' for the default one; may be given again")
      ->type_name("NAME")
      ->allow_extra_args(false);
  verb.add_option("--thread", request.filters.threads,
                  "Only ranges of this thread; may be given "
                  "again")
      ->type_name("TID")
      ->allow_extra_args(false);
  verb.add_option("--process", request.filters.processes,
                  "Only ranges of this process; may be given again")
      ->type_name("PID")
      ->allow_extra_args(false);
  verb.add_option("--exclude", request.filters.exclude,
                  "No ranges whose whole name the regular expression (RE2) matches; may be given "
                  "again")
      ->type_name("REGEX")
      ->allow_extra_args(false);
}

// The filters as they were given, for the head of the summary.
std::vector<std::string> FiltersInWords(const SummaryOptions& options) {
  const analysis::RangeFilters& filters = options.request.filters;
  std::vector<std::string> words;
  if (filters.nvtx) words.push_back("--filter-nvtx " + *filters.nvtx);
  if (!options.time.empty()) words.push_back("--filter-time " + options.time);
  for (const std::string& domain : filters.domains) words.push_back("--domain " + domain);
  for (const int64_t thread : filters.threads) words.push_back(Format("--thread {}", thread));
  for (const int64_t process : filters.processes) words.push_back(Format("--process {}", process));
  for (const std::string& pattern : filters.exclude) words.push_back("--exclude " + pattern);
  return words;
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
                  "analysis.json, or - for one on standard input; or the JSON of a comparison")
      ->type_name("PATH");
  verb->add_option("--format", options->format, "text, md or json")
      ->check(CLI::IsMember({"text", "md", "json"}))
      ->type_name("text|md|json")
      ->default_str("text");
  verb->add_option("-o,--output", options->output, "Write to FILE instead of standard output")
      ->type_name("FILE");
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
  verb->add_option("--timeunit", options->unit, "The unit of times")
      ->check(CLI::IsMember({"ns", "us", "ms", "s", "auto"}))
      ->type_name("ns|us|ms|s|auto")
      ->default_str("auto");
  CLI::Option* tree = verb->add_flag("--tree", request.tree, "Also show the tree of host ranges");
  verb->add_option("--min-share", options->min_share_percent,
                   "Fold what has less than this share of all self time, in percent")
      ->type_name("PERCENT")
      ->check(CLI::Range(0.0, 100.0))
      ->needs(tree)
      ->default_str("1");
  DeclareSelection(*verb, options);
  verb->add_option("--output-dir", request.analyze.output_folder,
                   "The output folder, as for analyze")
      ->type_name("DIR");
  verb->add_option("--capture-range", request.analyze.capture_range,
                   "The capture range, as for analyze")
      ->type_name("NAME");
  verb->add_option("--iterations", request.analyze.iterations,
                   "The names of iterations, as for analyze")
      ->type_name("REGEX");
  verb->add_option("--threads", request.analyze.threads, "How many threads to use; 0: one a core")
      ->type_name("N")
      ->check(CLI::Range(0, 1024))
      ->default_str("0");
  verb->callback([&action, options] {
    SummaryRequest& chosen = options->request;
    for (const SortKey key : model::kSortKeys) {
      if (options->sort == model::SortKeyName(key)) chosen.sort = key;
    }
    if (!options->time.empty()) {
      chosen.filters.time = analysis::ParseTimeWindow(options->time);
      if (!chosen.filters.time) {
        throw CLI::ValidationError("--filter-time",
                                   "takes A/B, times with ns, us, ms or s, and A before B");
      }
    }
    chosen.min_share = options->min_share_percent / 100;
    chosen.filters_in_words = FiltersInWords(*options);
    action = [options](Console& console) { return Summarise(*options, console); };
  });
}

}  // namespace rangewise::cli
