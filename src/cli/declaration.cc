#include "cli/declaration.h"

#include <string>

#include "render/text_table.h"

namespace rangewise::cli {
namespace {

std::string ExitCodesText() {
  std::string text = "Exit codes:";
  const char* separator = " ";
  for (const ExitCodeRow& row : kExitCodes) {
    text.append(separator).append(row.codes).append(" ").append(row.meaning);
    separator = "; ";
  }
  text = render::Wrapped(text + ".", 0, 2);
  text.pop_back();  // the help text adds the last line feed
  return text;
}

}  // namespace

std::unique_ptr<CLI::App> DeclareProgram(Action& action) {
  auto root = std::make_unique<CLI::App>("Analyses NVIDIA Nsight Systems traces by NVTX range",
                                         "rangewise");
  root->set_version_flag("--version", "rangewise " RANGEWISE_VERSION, "Print the version and exit");
  root->set_help_flag("-h,--help", "Print help and exit");
  root->require_subcommand(1);
  root->footer(ExitCodesText());
  root->get_formatter()->column_width(34);
  for (const DeclareVerb declare : kVerbs) declare(*root, action);
  return root;
}

}  // namespace rangewise::cli
