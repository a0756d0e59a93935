#include "cli/completions.h"

#include <string_view>

#include "base/text.h"

namespace rangewise::cli {
namespace {

std::string Joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string out;
  for (size_t at = 0; at < words.size(); ++at) {
    if (at > 0) out += separator;
    out += words[at];
  }
  return out;
}

std::string AllNames(const std::vector<OptionDescription>& options) {
  std::vector<std::string> names;
  for (const OptionDescription& option : options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return Joined(names, " ");
}

// `text` with a backslash before each of `special`.
std::string Escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// --- bash ------------------------------------------------------------------------------------

// The statement that offers the values of `option` for the word $cur.
std::string BashValues(const OptionDescription& option) {
  switch (option.kind) {
    case ValueKind::kChoice:
      return Format("mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$cur\")",
                    Joined(option.choices, " "));
    case ValueKind::kFile:
      return "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")";
    case ValueKind::kFolder:
      return "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$cur\")";
    case ValueKind::kNone:
    case ValueKind::kText:
      break;
  }
  return ":";
}

std::string BashVerb(const VerbDescription& verb) {
  std::string after_option;  // $prev is an option: its values
  std::string after_values;  // $last is an option that takes more values than one
  std::string positional = ":";
  for (const OptionDescription& option : verb.options) {
    if (!option.positional.empty()) positional = BashValues(option);
    if (option.names.empty() || option.kind == ValueKind::kNone) continue;
    const std::string names = Joined(option.names, "|");
    after_option += Format("        {}) {}; return ;;\n", names, BashValues(option));
    if (!option.takes_several) continue;
    after_values += Format("          {}) {}; return ;;\n", names, BashValues(option));
  }
  std::string out =
      Format("    {})\n      case \"$prev\" in\n{}      esac\n", verb.name, after_option) +
      "      if [[ $cur == -* ]]; then\n" +
      Format("        mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$cur\")\n",
             AllNames(verb.options)) +
      "      else\n";
  if (!after_values.empty()) {
    out += "        case \"$last\" in\n" + after_values + "        esac\n";
  }
  return out + Format("        {}\n      fi\n      ;;\n", positional);
}

// --- zsh -------------------------------------------------------------------------------------

std::string ZshQuoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string ZshAction(const OptionDescription& option) {
  switch (option.kind) {
    case ValueKind::kChoice:
      return "(" + Joined(option.choices, " ") + ")";
    case ValueKind::kFile:
      return "_files";
    case ValueKind::kFolder:
      return "_files -/";
    case ValueKind::kNone:
    case ValueKind::kText:
      break;
  }
  return " ";
}

// The specifications of `options` for _arguments, a line each.
std::string ZshArguments(const std::vector<OptionDescription>& options) {
  std::string out;
  for (const OptionDescription& option : options) {
    const std::string text = Escaped(FirstClause(option.text), "[]:\\");
    const std::string value = option.kind == ValueKind::kNone
                                  ? ""
                                  : Format("{}{}:{}", option.takes_several ? ":*-*:" : ":",
                                           Escaped(option.value, ":\\"), ZshAction(option));
    if (!option.positional.empty()) {
      out +=
          " \\\n        " + ZshQuoted(std::string(option.repeatable ? "*" : "") + ":" +
                                      Escaped(option.positional, ":\\") + ":" + ZshAction(option));
    }
    const std::string excluded = option.repeatable ? "*" : "(" + Joined(option.names, " ") + ")";
    for (const std::string& name : option.names) {
      const char* joint = value.empty() ? "" : name.starts_with("--") ? "=" : "+";
      out += " \\\n        " + ZshQuoted(excluded + name + joint + "[" + text + "]" + value);
    }
  }
  return out;
}

// --- fish ------------------------------------------------------------------------------------

std::string FishQuoted(std::string_view text) { return "'" + Escaped(text, "\\'") + "'"; }

std::string FishValues(const OptionDescription& option) {
  switch (option.kind) {
    case ValueKind::kChoice:
      return " -x -a " + FishQuoted(Joined(option.choices, " "));
    case ValueKind::kFile:
      return " -r -F";
    case ValueKind::kFolder:
      return " -x -a '(__fish_complete_directories)'";
    case ValueKind::kText:
      return " -x";
    case ValueKind::kNone:
      break;
  }
  return "";
}

std::string FishOptions(const std::string& program, const std::string& condition,
                        const std::vector<OptionDescription>& options) {
  const std::string begin = Format("complete -c {} -n {}", program, FishQuoted(condition));
  std::string out;
  for (const OptionDescription& option : options) {
    const bool stands_alone = !option.positional.empty() || option.takes_several;
    if (stands_alone && option.kind == ValueKind::kFile) out += begin + " -F\n";
    if (stands_alone && option.kind == ValueKind::kChoice) {
      out += begin + " -a " + FishQuoted(Joined(option.choices, " ")) + "\n";
    }
    if (option.names.empty()) continue;
    out += begin;
    for (const std::string& name : option.names) {
      out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    out += FishValues(option) + " -d " + FishQuoted(FirstClause(option.text)) + "\n";
  }
  return out;
}

}  // namespace

std::string BashCompletion(const ProgramDescription& program) {
  std::string verbs;
  std::string cases;
  for (const VerbDescription& verb : program.verbs) {
    verbs += verb.name + " ";
    cases += BashVerb(verb);
  }
  const std::string& name = program.name;
  return Format("# bash completion for {}, made from the declaration of its verbs.\n", name) +
         Format("_{}() {{\n", name) +
         "  local cur=${COMP_WORDS[COMP_CWORD]} prev= last= verb= at\n"
         "  COMPREPLY=()\n"
         "  if ((COMP_CWORD > 0)); then prev=${COMP_WORDS[COMP_CWORD - 1]}; fi\n"
         "  # --option=value comes as three words, since bash breaks words at =.\n"
         "  if [[ $cur == = ]]; then\n"
         "    cur=\n"
         "  elif [[ $prev == = ]] && ((COMP_CWORD > 1)); then\n"
         "    prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "  fi\n"
         "  for ((at = 1; at < COMP_CWORD; ++at)); do\n"
         "    if [[ ${COMP_WORDS[at]} != -* ]]; then\n"
         "      verb=${COMP_WORDS[at]}\n"
         "      break\n"
         "    fi\n"
         "  done\n"
         "  for ((at = COMP_CWORD - 1; at > 0; --at)); do\n"
         "    if [[ ${COMP_WORDS[at]} == -* ]]; then\n"
         "      last=${COMP_WORDS[at]}\n"
         "      break\n"
         "    fi\n"
         "  done\n"
         "  case \"$verb\" in\n"
         "    '')\n" +
         Format("      mapfile -t COMPREPLY < <(compgen -W '{}{}' -- \"$cur\")\n      ;;\n", verbs,
                AllNames(program.options)) +
         cases + Format("  esac\n}}\ncomplete -F _{} {}\n", name, name);
}

std::string ZshCompletion(const ProgramDescription& program) {
  std::string verbs;
  std::string cases;
  for (const VerbDescription& verb : program.verbs) {
    verbs += "        " + ZshQuoted(verb.name + ":" + FirstClause(verb.text)) + "\n";
    cases += Format("    {})\n      _arguments -s -S{}\n      ;;\n", verb.name,
                    ZshArguments(verb.options));
  }
  const std::string& name = program.name;
  return Format("#compdef {}\n", name) +
         Format("# zsh completion for {}, made from the declaration of its verbs.\n", name) +
         Format("_{}() {{\n", name) +
         "  local curcontext=\"$curcontext\" state line\n"
         "  typeset -A opt_args\n"
         "  _arguments -C" +
         ZshArguments(program.options) +
         " \\\n        '1:command:->command' \\\n        '*::argument:->argument'\n"
         "  case $state in\n"
         "    command)\n"
         "      local -a commands=(\n" +
         verbs +
         "      )\n"
         "      _describe command commands\n"
         "      return\n"
         "      ;;\n"
         "    argument) ;;\n"
         "    *) return ;;\n"
         "  esac\n"
         "  case $words[1] in\n" +
         cases +
         Format(
             "  esac\n}}\n"
             // Autoloaded, the file is the function's body; sourced, it only registers itself.
             "if [[ $funcstack[1] == _{} ]]; then\n  _{} \"$@\"\nelse\n  compdef _{} {}\nfi\n",
             name, name, name, name);
}

std::string FishCompletion(const ProgramDescription& program) {
  const std::string& name = program.name;
  std::string out =
      Format("# fish completion for {}, made from the declaration of its verbs.\n", name) +
      Format("complete -c {} -f\n", name);
  out += FishOptions(name, "__fish_use_subcommand", program.options);
  for (const VerbDescription& verb : program.verbs) {
    out += Format("complete -c {} -n '__fish_use_subcommand' -a {} -d {}\n", name, verb.name,
                  FishQuoted(FirstClause(verb.text)));
  }
  for (const VerbDescription& verb : program.verbs) {
    out += FishOptions(name, "__fish_seen_subcommand_from " + verb.name, verb.options);
  }
  return out;
}

}  // namespace rangewise::cli
