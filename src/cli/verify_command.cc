// `rangewise verify RUN`: our tables against those of nsys.
#include <memory>
#include <string>

#include "artifact/verify_json.h"
#include "cli/command.h"
#include "cli/verify_run.h"
#include "render/verify_text.h"

namespace rangewise::cli {
namespace {

struct VerifyOptions {
  VerifyRequest request;
  std::string format = "text";
};

int Verify(VerifyOptions& options, Console& console) {
  options.request.progress = [&console](std::string_view piece) { console.Progress(piece); };
  const auto verification = VerifyRun(options.request);
  if (!verification.ok()) return console.Fail(verification.error());
  if (options.format == "json") {
    StringOutput out;
    artifact::WriteVerifyJson(*verification, out);
    console.Out(out.text());
  } else {
    console.Out(render::RenderVerification(*verification));
  }
  return verification->passes() ? kExitDone : kExitGateFailed;
}

}  // namespace

void DeclareVerify(CLI::App& root, Action& action) {
  CLI::App* verb = root.add_subcommand(
      "verify", "Compare the tables that rangewise computes from the export with those of nsys");
  auto options = std::make_shared<VerifyOptions>();
  VerifyRequest& request = options->request;
  auto* run = verb->add_option_group("run", "")->require_option(1);
  run->add_option("RUN,--run-dir", request.run, "The run directory, or an export FILE.sqlite")
      ->type_name("DIR");
  CLI::Option* against = verb->add_option(
      "--against", request.against,
      "A folder of tables that nsys made; else stats/official/, stats/ when nsys made it, or new "
      "ones from the trace");
  against->type_name("DIR");
  verb->add_option("--nsys", request.nsys, "Have this nsys make the tables now")
      ->type_name("PATH")
      ->excludes(against);
  verb->add_option("--output-dir", request.output_folder, "The output folder, as for analyze")
      ->type_name("DIR");
  verb->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("text|json")
      ->default_str("text");
  verb->add_option("--threads", request.threads, "How many threads to use; 0: one a core")
      ->type_name("N")
      ->check(CLI::Range(0, 1024))
      ->default_str("0");
  verb->callback([&action, options] {
    action = [options](Console& console) { return Verify(*options, console); };
  });
}

}  // namespace rangewise::cli
