// `rangewise explain [CODE]`: what a warning or error code means and what to do.
#include <memory>
#include <string>
#include <vector>

#include "base/text.h"
#include "cli/command.h"
#include "render/codes_text.h"

namespace rangewise::cli {
namespace {

int Explain(const std::string& word, bool markdown, Console& console) {
  if (markdown) {
    console.Out(render::RenderCodesMarkdown());
    return kExitDone;
  }
  if (word.empty()) {
    for (const CodeInfo& info : AllCodes()) {
      console.Out(Format("{:<28} {}\n", info.word, info.meaning));
    }
    return kExitDone;
  }
  // A whole warning line may be pasted: `code: sentence` or `warning[code]: sentence`.
  std::string code = word.substr(0, word.find(':'));
  if (const size_t open = code.find('['); open != std::string::npos) {
    code = code.substr(open + 1, code.find(']') - open - 1);
  }
  const CodeInfo* info = FindCode(code);
  if (info == nullptr) {
    std::vector<std::string> words;
    for (const CodeInfo& known : AllCodes()) words.emplace_back(known.word);
    return console.Fail({.code = Code::kUnknownCode,
                         .message = Format("no code is called {}; the nearest is {}", Quoted(code),
                                           Quoted(NearestFirst(code, words).front()))});
  }
  console.Out(render::RenderCode(*info));
  return kExitDone;
}

}  // namespace

void DeclareExplain(CLI::App& root, Action& action) {
  CLI::App* verb =
      root.add_subcommand("explain", "Say what a warning or error code means and what to do");
  struct Options {
    std::string word;
    bool markdown = false;
  };
  auto options = std::make_shared<Options>();
  verb->add_option("CODE", options->word,
                   "The code, or a whole warning line; without it, all codes");
  verb->add_flag("--markdown", options->markdown, "Print the whole table as docs/warnings.md");
  verb->callback([&action, options] {
    action = [options](Console& console) {
      return Explain(options->word, options->markdown, console);
    };
  });
}

}  // namespace rangewise::cli
