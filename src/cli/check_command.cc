// `rangewise check RUN`: the preconditions of an analysis, one line each.
#include <memory>
#include <string>

#include "artifact/check_json.h"
#include "cli/check_run.h"
#include "cli/command.h"
#include "render/check_text.h"

namespace rangewise::cli {
namespace {

struct CheckOptions {
  CheckRequest request;
  std::string format = "text";
};

int Check(const CheckOptions& options, Console& console) {
  const auto list = CheckRun(options.request);
  if (!list.ok()) return console.Fail(list.error());
  if (options.format == "json") {
    StringOutput out;
    artifact::WriteCheckJson(*list, out);
    console.Out(out.text());
  } else {
    console.Out(render::RenderCheck(*list));
  }
  return list->has_error() ? kExitInput : kExitDone;
}

}  // namespace

void DeclareCheck(CLI::App& root, Action& action) {
  CLI::App* verb =
      root.add_subcommand("check", "Say whether a run directory can be analysed, and how");
  auto options = std::make_shared<CheckOptions>();
  auto* run = verb->add_option_group("run", "")->require_option(1);
  run->add_option("RUN,--run-dir", options->request.run, "The run directory")->type_name("DIR");
  verb->add_option("--nsys", options->request.nsys, "The nsys to look at, as for analyze")
      ->type_name("PATH");
  verb->add_option("--output-dir", options->request.output_folder,
                   "The output folder, as for analyze")
      ->type_name("DIR");
  verb->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("text|json")
      ->default_str("text");
  verb->callback([&action, options] {
    action = [options](Console& console) { return Check(*options, console); };
  });
}

}  // namespace rangewise::cli
