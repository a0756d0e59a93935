#include "cli/manual.h"

#include "cli/completions.h"
#include "cli/declaration.h"
#include "cli/man_page.h"
#include "cli/program_description.h"

namespace rangewise::cli {

std::map<std::string, std::string> ManualFiles() {
  Action action;
  const ProgramDescription program = DescribeProgram(*DeclareProgram(action));
  const ManualFacts facts{
      .version = RANGEWISE_VERSION, .exit_codes = kExitCodes, .environment = kEnvironment};
  std::map<std::string, std::string> files;
  files["man/" + program.name + ".1"] = ProgramManPage(program, facts);
  for (const VerbDescription& verb : program.verbs) {
    files["man/" + program.name + "-" + verb.name + ".1"] = VerbManPage(program, verb, facts);
  }
  files["bash/" + program.name] = BashCompletion(program);
  files["zsh/_" + program.name] = ZshCompletion(program);
  files["fish/" + program.name + ".fish"] = FishCompletion(program);
  return files;
}

}  // namespace rangewise::cli
