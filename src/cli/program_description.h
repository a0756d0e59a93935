// Owns the declaration of the verbs as plain data: what the CLI11 tree says about names, values and
// choices, for whoever writes manuals and completions from it. A new verb or option appears here by
// being declared.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace rangewise::cli {

enum class ValueKind {
  kNone,    // a flag
  kChoice,  // one of `choices`
  kFile,    // a path: of a file, or of a folder that stands for its files
  kFolder,
  kText,  // anything else
};

struct OptionDescription {
  std::vector<std::string> names;  // with their dashes, short ones first; empty: positional only
  std::string positional;          // "RUN"; empty: none
  ValueKind kind = ValueKind::kNone;
  std::string value;                 // the placeholder of the value, "FILE"; empty: a flag
  std::vector<std::string> choices;  // of kChoice, in the declared order
  std::string bounds;                // what else a value must be: "INT in [0 - 1024]"; or empty
  std::string default_text;          // the value when the option is not given; or empty
  std::string text;                  // one paragraph
  bool required = false;
  bool repeatable = false;
  bool takes_several = false;  // all words up to the next option are its values
};

struct VerbDescription {
  std::string name;
  std::string text;
  std::vector<OptionDescription> options;  // in the order of declaration, positional ones first
};

struct ProgramDescription {
  std::string name;
  std::string text;
  std::vector<OptionDescription> options;  // of the program itself
  std::vector<VerbDescription> verbs;
};

// Hidden options and verbs (those in the CLI11 group "") are left out.
ProgramDescription DescribeProgram(const CLI::App& root);

// The first clause of an option's or verb's text: a line that fits a list.
std::string FirstClause(std::string_view text);

}  // namespace rangewise::cli
