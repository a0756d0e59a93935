// `rangewise compare`: two cohorts of runs against each other, or one for its noise.
#include <memory>
#include <string>
#include <vector>

#include "analysis/compare_gate.h"
#include "analysis/compare_verdict.h"
#include "analysis/redact_comparison.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/compare_runs.h"
#include "cli/comparison_forms.h"
#include "cli/metric_argument.h"
#include "cli/output_file.h"
#include "cli/redact_options.h"
#include "cli/run_files.h"
#include "render/comparison_gate.h"
#include "render/comparison_words.h"

namespace rangewise::cli {
namespace {

struct CompareOptions {
  CompareRequest request;
  std::string format = "text";
  std::optional<std::string> output;
  std::optional<std::string> floor;
  std::vector<std::string> allowed;
  RedactArguments redact;
};

// The document to its place; beside a file the first line goes to standard output.
Status Deliver(const std::string& document, const std::string& headline,
               const CompareOptions& options, Console& console) {
  if (!options.output || options.output == "-") {
    console.Out(document);
    return Ok();
  }
  RETURN_IF_ERROR(WriteOutputFile(*options.output, document));
  console.Out(Format("{}\nWrote {}\n", headline, Neutralised(*options.output)));
  return Ok();
}

int Noise(const CompareOptions& options, Console& console) {
  const auto redact = RedactOptionsOf(options.redact);
  if (!redact.ok()) return console.Fail(redact.error());
  Result<model::NoiseReport> report = MeasureRuns(options.request);
  if (!report.ok()) return console.Fail(report.error());
  if (*redact) analysis::Redact(*report, **redact);
  const Status delivered =
      Deliver(InForm(*report, options.format), render::NoiseHeadline(*report), options, console);
  if (!delivered.ok()) return console.Fail(delivered.error());
  return report->noise ? kExitDone : kExitInconclusive;
}

int Compare(const CompareOptions& options, Console& console) {
  const auto redact = RedactOptionsOf(options.redact);
  if (!redact.ok()) return console.Fail(redact.error());
  Result<model::Comparison> comparison = CompareRuns(options.request);
  if (!comparison.ok()) return console.Fail(comparison.error());
  if (*redact) analysis::Redact(*comparison, **redact);
  const Status delivered = Deliver(InForm(*comparison, options.format),
                                   render::ComparisonHeadline(*comparison), options, console);
  if (!delivered.ok()) return console.Fail(delivered.error());
  if (!comparison->gate) return analysis::ExitCodeOf(*comparison);
  console.Err(render::GateLine(*comparison) + "\n");
  return analysis::ExitCodeOf(*comparison->gate);
}

// What is wrong with the output whatever is compared; CompareRuns looks at the runs.
std::optional<std::string> OutputProblem(const std::string& output) {
  if (output.empty()) return "an empty name is no file";
  if (fs::path(output).filename() == kAnalysisName)
    return "a comparison is no analysis.json: name another file";
  return std::nullopt;
}

// What CLI11 cannot tell by itself.
void CheckOptions(CompareOptions& options) {
  CompareRequest& request = options.request;
  if (request.aa.empty() && (request.baseline.empty() || request.candidate.empty())) {
    throw CLI::ValidationError("compare",
                               "takes --baseline RUN... and --candidate RUN..., or --aa RUN...");
  }
  if (options.floor) {
    const auto floor = ParseFloor(*options.floor);
    if (!floor) {
      throw CLI::ValidationError("--floor",
                                 "takes a percentage from 0% to 1000%, such as 3%, or "
                                 "auto");
    }
    request.options.floor = *floor;
  }
  if (!(request.options.alpha > 0 && request.options.alpha <= 0.5))
    throw CLI::ValidationError("--alpha", "is above 0 and at most 0.5");
  for (const std::string& key : options.allowed) {
    if (const auto problem = AllowedKeyProblem(key))
      throw CLI::ValidationError("--allow-different", *problem);
    request.options.allowed.insert(key);
  }
  if (request.primary) {
    if (const auto problem = PrimaryProblem(*request.primary))
      throw CLI::ValidationError("--primary", *problem);
  }
  for (const std::string& metric : request.gate_on) {
    if (metric == kGateOnPrimary) continue;
    if (const auto problem = MetricProblem(metric))
      throw CLI::ValidationError("--gate-on", *problem);
  }
  if (!options.output || options.output == "-") return;
  if (const auto problem = OutputProblem(*options.output))
    throw CLI::ValidationError("--output", *problem);
  request.output = options.output;
}

void DeclareRuns(CLI::App& verb, CompareRequest& request) {
  CLI::Option* baseline =
      verb.add_option("--baseline", request.baseline,
                      "Runs to compare with: run directories, folders of them, analysis.json "
                      "files, exports, or patterns of these; runs without analysis.json are "
                      "analysed")
          ->type_name("RUN...");
  CLI::Option* candidate = verb.add_option("--candidate", request.candidate, "Runs that are judged")
                               ->type_name("RUN...");
  verb.add_option("--aa", request.aa,
                  "One cohort of at least 10 runs: how far apart its halves are, the noise floor")
      ->type_name("RUN...")
      ->excludes(baseline)
      ->excludes(candidate);
}

}  // namespace

void DeclareCompare(CLI::App& root, Action& action) {
  CLI::App* verb = root.add_subcommand(
      "compare", "Compare cohorts of runs and say whether something got slower (docs/compare.md)");
  auto options = std::make_shared<CompareOptions>();
  CompareRequest& request = options->request;
  DeclareRuns(*verb, request);
  verb->add_option(
          "--primary", request.primary,
          "The metric that decides: gpu-iterations, host-iterations, or of one range "
          "gpu-projection:RANGE, host-inclusive:RANGE, host-exclusive:RANGE (RANGE@DOMAIN "
          "where several domains have it); default: the iterations' GPU projection, on the "
          "host where no run has one")
      ->type_name("METRIC");
  verb->add_option("--alpha", request.options.alpha, "The largest p, or q, of a verdict")
      ->type_name("P")
      ->default_str("0.05");
  verb->add_option("--floor", options->floor,
                   "Ratios within this band are no change: a percentage, or auto for the "
                   "baseline's own noise (10 runs), 3% at least")
      ->type_name("PERCENT|auto")
      ->default_str("3%");
  verb->add_option("--allow-different", options->allowed,
                   "Compare although the runs differ in this key of the contract or do not record "
                   "it (workload, workload.seed, device, ...), or although their analyses warn of "
                   "this; it is still said everywhere")
      ->type_name("KEY...");
  CLI::Option* gate = verb->add_flag(
      "--gate", request.gate,
      "Exit with 1 when a metric regressed and with 4 when the primary one is inconclusive; the "
      "rows that decided are named");
  verb->add_option(
          "--gate-on", request.gate_on,
          "Further metrics that must not be inconclusive: those of --primary, and of GPU "
          "work gpu-busy-iterations, gpu-busy:RANGE, gpu-kernels:RANGE, host-waits:RANGE, "
          "exposed-communication:RANGE; with `primary` among them no row fails the gate but "
          "the primary metric's and those named here")
      ->type_name("METRIC...")
      ->needs(gate);
  verb->add_option("--format", options->format,
                   "text, md for the comment of a pull request, or json with every number")
      ->check(CLI::IsMember({"text", "md", "json"}))
      ->type_name("text|md|json")
      ->default_str("text");
  verb->add_option("-o,--output", options->output,
                   "Write to FILE and print the first line only; - for standard output")
      ->type_name("FILE");
  AddRedactOptions(*verb, options->redact);
  verb->add_option("--nsys", request.load.nsys, "The nsys to ask for runs that are not analysed")
      ->type_name("PATH");
  verb->add_option("--threads", request.load.threads, "How many threads to use; 0: one a core")
      ->type_name("N")
      ->check(CLI::Range(0, 1024))
      ->default_str("0");
  verb->callback([&action, options] {
    CheckOptions(*options);
    if (options->request.gate && !options->request.aa.empty())
      throw CLI::ValidationError("--gate", "has no use with --aa");
    action = [options](Console& console) {
      LoadOptions& load = options->request.load;
      load.progress = [&console](std::string_view piece) { console.Progress(piece); };
      load.on_analyse = [&console](std::string_view label) {
        console.Err(Format("Analysing {}\n", Neutralised(label)));
      };
      options->request.on_passed_over = [&console](std::string_view label) {
        console.Err(Format("Passed over, as it is no run: {}\n", Neutralised(label)));
      };
      return options->request.aa.empty() ? Compare(*options, console) : Noise(*options, console);
    };
  });
}

}  // namespace rangewise::cli
