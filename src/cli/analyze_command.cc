// `rangewise analyze RUN`: a run directory to analysis.json, a short summary and the path.
#include <unistd.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cli/analyze_run.h"
#include "cli/command.h"
#include "cli/gpu_options.h"
#include "cli/group_option.h"
#include "cli/steps.h"
#include "render/analysis_text.h"

namespace rangewise::cli {
namespace {

const std::map<std::string, ReportsChoice> kChoices = {{"auto", ReportsChoice::kAuto},
                                                       {"nsys", ReportsChoice::kNsys},
                                                       {"sqlite", ReportsChoice::kSqlite},
                                                       {"csv", ReportsChoice::kCsv}};

struct AnalyzeOptions {
  AnalyzeRequest request;
  std::string reports = "auto";
  bool quiet = false;
  bool strict = false;
  bool timings = false;
};

int Analyze(AnalyzeOptions& options, Console& console) {
  Steps steps(console.ErrIsTerminal() && !options.quiet);
  TellSteps(options.request, steps, console);
  DescriptorOutput standard_output(STDOUT_FILENO);
  const Result<AnalyzedRun> result = AnalyzeRun(options.request, standard_output);
  steps.End();
  if (!result.ok()) return console.Fail(result.error());
  const model::AnalysisDocument& document = result->document;
  if (options.timings) console.Err(steps.Timings());
  const bool json_on_output = options.request.json_target == "-";
  const bool summary = !options.quiet && !json_on_output;
  if (summary) {
    standard_output.Write(render::RenderAnalyzeSummary(document));
    standard_output.Write(Format("Wrote {}\n", Neutralised(result->json_path.string())));
  }
  standard_output.Flush();
  // A summary that no one gets to see does not tell the warnings.
  if (!summary || standard_output.error() != 0) console.Warnings(document.warnings);
  if (standard_output.error() != 0) {
    Error error = WriteError("standard output", standard_output.error());
    error.hint = "send standard output to where there is room for it, and run the command again";
    return console.Fail(error);
  }
  return options.strict && !document.warnings.empty() ? kExitGateFailed : kExitDone;
}

}  // namespace

void DeclareAnalyze(CLI::App& root, Action& action) {
  CLI::App* verb =
      root.add_subcommand("analyze", "Analyse a run directory and write its analysis.json");
  auto options = std::make_shared<AnalyzeOptions>();
  AnalyzeRequest& request = options->request;
  auto* run = verb->add_option_group("run", "")->require_option(1);
  run->add_option("RUN,--run-dir", request.run,
                  "The run directory (manifest.yaml with trace.nsys-rep, trace.sqlite or "
                  "stats/), or a bare SQLite export")
      ->type_name("PATH");
  verb->add_option(
          "--reports", options->reports,
          "Where the report tables come from: nsys makes them from the trace; sqlite: our own "
          "engine computes them from trace.sqlite; csv takes those in stats/; auto asks nsys "
          "when it is found and the trace is there, else reads trace.sqlite, else the CSVs")
      ->check(CLI::IsMember({"auto", "nsys", "sqlite", "csv"}))
      ->type_name("auto|nsys|sqlite|csv")
      ->default_str("auto");
  verb->add_option("--nsys", request.nsys,
                   "The nsys to ask; else $RANGEWISE_NSYS, PATH, /opt/nvidia/nsight-systems/*/bin")
      ->type_name("PATH");
  verb->add_option("--output-dir", request.output_folder,
                   "Where stats/ and analysis.json go; default: the run directory")
      ->type_name("DIR");
  verb->add_option("-o,--output", request.json_target,
                   "Write the JSON alone to FILE, through a symbolic link if it is one; - for "
                   "standard output")
      ->type_name("FILE");
  verb->add_option("--capture-range", request.capture_range,
                   "The name of the capture range, instead of the manifest's; none: no harness")
      ->type_name("NAME");
  verb->add_option("--iterations", request.iterations,
                   "A regular expression (RE2) for the whole name of an iteration; its first group "
                   "is the index, "
                   "without a group iterations are numbered in time order")
      ->type_name("REGEX");
  AddGroupOption(*verb, request.group_rules,
                 "Also give the ranges grouped by name: replace each match of the regular expression "
                 "(RE2) "
                 "in a name by TEXT, in which \\1 is the first group; may be given again, after the "
                 "manifest's name_rules");
  verb->add_flag("--group-numbers", request.group_numbers,
                 "Also give the ranges grouped by name with numbers, hexadecimal addresses and "
                 "UUIDs as #");
  AddGpuOptions(*verb, request);
  verb->add_option("--threads", request.threads, "How many threads to use; 0: one a core")
      ->type_name("N")
      ->check(CLI::Range(0, 1024))
      ->default_str("0");
  verb->add_flag("--wait", request.wait, "Wait while another process writes to the output folder");
  verb->add_flag("--timings", options->timings, "Print how long each step took to standard error");
  verb->add_flag("--quiet", options->quiet, "Print warnings and errors only");
  verb->add_flag("--strict", options->strict, "Exit with 1 when there are warnings");
  verb->callback([&action, options] {
    AnalyzeRequest& chosen = options->request;
    chosen.reports = kChoices.at(options->reports);
    if (chosen.json_target == "")
      throw CLI::ValidationError("--output", "an empty name is no file");
    if (chosen.output_folder == "") {
      throw CLI::ValidationError("--output-dir", "an empty name is no folder");
    }
    if (chosen.nsys && chosen.reports == ReportsChoice::kCsv) {
      throw CLI::ValidationError("--nsys", "has no use with --reports csv");
    }
    action = [options](Console& console) { return Analyze(*options, console); };
  });
}

}  // namespace rangewise::cli
