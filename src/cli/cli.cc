#include "cli/cli.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "base/interrupt.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/declaration.h"

namespace rangewise::cli {
namespace {

// A usage error with the nearest verb or option when a word was misspelt.
Error UsageError(const CLI::App& root, const CLI::ParseError& error,
                 const std::vector<std::string>& words) {
  Error result{.code = Code::kUsage, .message = error.what()};
  // CLI11 speaks of its group of options where the argument is missing.
  if (result.message.starts_with("Exactly 1 option from [--run-dir]")) {
    result.message = "no run is named";
  }
  const CLI::App* scope = &root;
  if (const auto chosen = root.get_subcommands(); !chosen.empty()) {
    scope = chosen.front();
    result.hint = Format("`rangewise {} --help` shows its options", scope->get_name());
  } else if (!words.empty() && !words[0].starts_with('-')) {
    std::vector<std::string> verbs;
    for (const CLI::App* verb : root.get_subcommands([](const CLI::App*) { return true; })) {
      verbs.push_back(verb->get_name());
    }
    const std::string known = NearestFirst(words[0], verbs).front();
    result.message = Format("{} is no verb of rangewise", Quoted(words[0]));
    if (EditDistance(words[0], known) <= 3)
      result.hint = Format("did you mean `rangewise {}`?", known);
  }
  return result;
}

// The words without the `--` that ends options, which CLI11 takes for the end of the verb. What
// stands behind it is a path, and stays one when it begins with a dash; `-` alone means what it
// meant.
std::vector<std::string> WithoutDoubleDash(std::vector<std::string> words) {
  const auto end_of_options = std::find(words.begin(), words.end(), "--");
  if (end_of_options == words.end()) return words;
  for (auto word = words.erase(end_of_options); word != words.end(); ++word) {
    if (word->starts_with('-') && *word != "-") word->insert(0, "./");
  }
  return words;
}

int Run(int argc, char** argv) {
  Console console;
  InstallInterruptHandlers();
  Action action;
  const std::unique_ptr<CLI::App> declared = DeclareProgram(action);
  CLI::App& root = *declared;
  const std::vector<std::string> words =
      WithoutDoubleDash({argv + std::min(argc, 1), argv + argc});
  try {
    // CLI11 takes words from the back.
    root.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::Success& success) {
    if (dynamic_cast<const CLI::CallForVersion*>(&success) != nullptr) {
      console.Out("rangewise " RANGEWISE_VERSION "\n");
    } else {
      const auto chosen = root.get_subcommands();
      console.Out(chosen.empty() ? root.help() : chosen.front()->help());
    }
    return console.Finish(kExitDone);
  } catch (const CLI::ParseError& error) {
    if (words.empty()) {
      console.Err(root.help());
      return kExitUsage;
    }
    return console.Fail(UsageError(root, error, words));
  }
  return console.Finish(action(console));
}

}  // namespace

int Main(int argc, char** argv) {
  // Writing to a closed pipe is an error to report, not a signal to die of.
  std::signal(SIGPIPE, SIG_IGN);
  // Standard input that is closed stays without bytes: nothing that is opened takes its number.
  if (::fcntl(STDIN_FILENO, F_GETFD) < 0) (void)!::open("/dev/null", O_WRONLY);
  try {
    return Run(argc, argv);
  } catch (const std::bad_alloc&) {
    Console console;
    return console.Fail({.code = Code::kOutOfMemory, .message = "not enough memory"});
  } catch (const std::exception& error) {
    Console console;
    return console.Fail({.code = Code::kInternal, .message = error.what()});
  }
}

}  // namespace rangewise::cli
