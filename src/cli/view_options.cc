#include "cli/view_options.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string_view>

#include "base/text.h"
#include "cli/group_option.h"
#include "cli/output_file.h"

namespace rangewise::cli {
namespace {

const std::map<std::string, render::TimeUnit> kTimeUnits = {{"ns", render::TimeUnit::kNs},
                                                    {"us", render::TimeUnit::kUs},
                                                    {"ms", render::TimeUnit::kMs},
                                                    {"s", render::TimeUnit::kS},
                                                    {"auto", render::TimeUnit::kAuto}};

// The width of the terminal on standard output, within what tables are made for.
size_t TerminalWidth() {
  constexpr size_t kNarrowest = 60;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return render::kLineWidth;
  }
  return std::clamp(size_t{size.ws_col}, kNarrowest, render::kLineWidth);
}

bool IsStandardOutput(const std::string& output) { return output.empty() || output == "-"; }

}  // namespace

// Colours and the terminal's width are for a terminal only; https://no-color.org for the variable.
render::TextStyle StyleFor(const std::string& output) {
  if (!IsStandardOutput(output) || ::isatty(STDOUT_FILENO) != 1) return {};
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const std::string_view kind = terminal == nullptr ? "" : terminal;
  const bool colours =
      (no_color == nullptr || *no_color == '\0') && !kind.empty() && kind != "dumb";
  return {.width = TerminalWidth(), .colours = colours};
}

void AddSelectionOptions(CLI::App& verb, AnalyzeRequest& analyze, SelectionOptions& selection) {
  AddGroupOption(verb, analyze.group_rules,
                 "Show ranges grouped by name, as for analyze; may be given again");
  verb.add_flag("--group-numbers", analyze.group_numbers,
                "Show ranges grouped by name with numbers, hexadecimal addresses and UUIDs as #");
  verb.add_option("--filter-nvtx", selection.filters.nvtx,
                  "Only ranges that overlap the named push/pop range, the INDEX-th by start")
      ->type_name("NAME[@DOMAIN][/INDEX]");
  verb.add_option("--filter-time", selection.time,
                  "Only ranges that overlap the time from A to B; ns without a unit, one of the "
                  "two may be left out")
      ->type_name("A/B");
  verb.add_option("--domain", selection.filters.domains,
                  "Only ranges of this NVTX domain, '' for the default one; may be given again")
      ->type_name("NAME")
      ->allow_extra_args(false);
  verb.add_option("--thread", selection.filters.threads,
                  "Only ranges of this thread; may be given "
                  "again")
      ->type_name("TID")
      ->allow_extra_args(false);
  verb.add_option("--process", selection.filters.processes,
                  "Only ranges of this process; may be given again")
      ->type_name("PID")
      ->allow_extra_args(false);
  verb.add_option("--exclude", selection.filters.exclude,
                  "No ranges whose whole name the regular expression (RE2) matches; may be given "
                  "again")
      ->type_name("REGEX")
      ->allow_extra_args(false);
}

void FinishSelection(SelectionOptions& selection) {
  if (!selection.time) return;
  selection.filters.time = analysis::ParseTimeWindow(*selection.time);
  if (!selection.filters.time) {
    throw CLI::ValidationError("--filter-time",
                               "takes A/B, integers with ns, us, ms or s, A before B; one of them "
                               "can be left out, as in 5ms/");
  }
}

std::vector<std::string> FiltersInWords(const SelectionOptions& selection) {
  const analysis::RangeFilters& filters = selection.filters;
  std::vector<std::string> words;
  if (filters.nvtx) words.push_back("--filter-nvtx " + *filters.nvtx);
  if (selection.time) words.push_back("--filter-time " + *selection.time);
  for (const std::string& domain : filters.domains) words.push_back("--domain " + domain);
  for (const int64_t thread : filters.threads) words.push_back(Format("--thread {}", thread));
  for (const int64_t process : filters.processes) words.push_back(Format("--process {}", process));
  for (const std::string& pattern : filters.exclude) words.push_back("--exclude " + pattern);
  return words;
}

void AddRunOptions(CLI::App& verb, AnalyzeRequest& analyze) {
  verb.add_option("--output-dir", analyze.output_folder,
                   "The output folder, as for analyze")
      ->check([](const std::string& name) {
        return name.empty() ? std::string("an empty name is no folder") : std::string();
      })
      ->type_name("DIR");
  verb.add_option("--capture-range", analyze.capture_range,
                   "The capture range, as for analyze")
      ->type_name("NAME");
  verb.add_option("--iterations", analyze.iterations,
                   "The names of iterations, as for analyze")
      ->type_name("REGEX");
  verb.add_option("--threads", analyze.threads, "How many threads to use; 0: one a core")
      ->type_name("N")
      ->check(CLI::Range(0, 1024))
      ->default_str("0");
}

void AddTimeUnitOption(CLI::App& verb, std::string& word) {
  verb.add_option("--timeunit", word, "The unit of times")
      ->check(CLI::IsMember({"ns", "us", "ms", "s", "auto"}))
      ->type_name("ns|us|ms|s|auto")
      ->default_str("auto");
}

render::TimeUnit TimeUnitOf(const std::string& word) { return kTimeUnits.at(word); }

void AddOutputOption(CLI::App& verb, std::string& output) {
  verb.add_option("-o,--output", output, "Write to FILE; - for standard output")
      ->check([](const std::string& name) {
        return name.empty() ? std::string("an empty name is no file") : std::string();
      })
      ->type_name("FILE");
}

int Deliver(const std::string& output, const std::string& text, Console& console) {
  if (IsStandardOutput(output)) {
    console.Out(text);
    return kExitDone;
  }
  const Status written = WriteOutputFile(output, text);
  return written.ok() ? kExitDone : console.Fail(written.error());
}

}  // namespace rangewise::cli
