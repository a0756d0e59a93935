#include "cli/man_page.h"

#include <algorithm>
#include <cstdint>

#include "base/text.h"

namespace rangewise::cli {
namespace {

// The code point that begins at `at` in well-formed UTF-8; moves `at` behind it.
uint32_t NextCodePoint(std::string_view text, size_t& at) {
  const auto byte = static_cast<unsigned char>(text[at++]);
  if (byte < 0x80) return byte;
  uint32_t point = byte < 0xE0 ? byte & 0x1Fu : byte < 0xF0 ? byte & 0x0Fu : byte & 0x07u;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0u) == 0x80u) {
    point = (point << 6) | (static_cast<unsigned char>(text[at++]) & 0x3Fu);
  }
  return point;
}

// `raw` as roff text that prints exactly these characters: no request, escape or typographic
// quote, and dashes that can be pasted into a shell.
std::string Roff(std::string_view raw) {
  const std::string text = Displayable(raw);
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const uint32_t point = NextCodePoint(text, at);
    switch (point) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '.':
        out += at == 1 ? "\\&." : ".";  // a line that begins with a point is a request
        break;
      case '\n':
        out += ' ';
        break;
      default:
        if (point < 0x80) {
          out += static_cast<char>(point);
        } else {
          out += Format("\\[u{:04X}]", point);
        }
    }
  }
  return out;
}

std::string Bold(std::string_view text) { return "\\fB" + Roff(text) + "\\fR"; }
std::string Italic(std::string_view text) { return "\\fI" + Roff(text) + "\\fR"; }

std::string Upper(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

std::string Heading(const std::string& page, std::string_view version) {
  return Format(".TH \"{}\" 1 \"\" \"rangewise {}\" \"User Commands\"\n.nh\n.ad l\n", Upper(page),
                version);
}

std::string Sentence(const std::string& text) {
  return Roff(text) + (text.ends_with('.') ? "\n" : ".\n");
}

std::string TagOf(const OptionDescription& option) {
  std::string tag;
  if (!option.positional.empty()) tag = Italic(option.positional);
  for (const std::string& name : option.names) {
    if (!tag.empty()) tag += ", ";
    tag += Bold(name);
  }
  if (!option.names.empty() && !option.value.empty()) tag += " " + Italic(option.value);
  return tag;
}

std::string OptionsList(const std::vector<OptionDescription>& options) {
  std::string out;
  for (const OptionDescription& option : options) {
    out += ".TP\n" + TagOf(option) + "\n" + Sentence(option.text);
    if (!option.choices.empty()) {
      out += "One of ";
      for (size_t at = 0; at < option.choices.size(); ++at) {
        out += at == 0 ? "" : ", ";
        out += Bold(option.choices[at]);
      }
      out += ".\n";
    }
    if (!option.bounds.empty()) out += Sentence(option.bounds);
    if (!option.default_text.empty()) out += "Default: " + Bold(option.default_text) + ".\n";
    if (option.repeatable) out += "May be given more than once.\n";
  }
  return out;
}

std::string ExitStatus(const ManualFacts& facts) {
  std::string out = ".SH EXIT STATUS\n";
  for (const ExitCodeRow& row : facts.exit_codes) {
    out += ".TP\n" + Bold(row.codes) + "\n" + Sentence(std::string(row.meaning));
  }
  return out;
}

std::string Environment(const ManualFacts& facts) {
  std::string out = ".SH ENVIRONMENT\n";
  for (const EnvironmentRow& row : facts.environment) {
    out += ".TP\n" + Bold(row.name) + "\n" + Sentence(std::string(row.meaning));
  }
  return out;
}

std::string PageName(const ProgramDescription& program, const VerbDescription& verb) {
  return program.name + "-" + verb.name;
}

}  // namespace

std::string ProgramManPage(const ProgramDescription& program, const ManualFacts& facts) {
  std::string out = Heading(program.name, facts.version);
  out += ".SH NAME\n" + program.name + " \\- " + Roff(program.text) + "\n";
  out += ".SH SYNOPSIS\n" + Bold(program.name) + " " + Italic("COMMAND") + " [" +
         Italic("OPTIONS") + "]\n.br\n" + Bold(program.name) + " \\fB\\-\\-help\\fR | " +
         "\\fB\\-\\-version\\fR\n";
  out += ".SH DESCRIPTION\n" + Sentence(program.text) +
         "Each command has a page of its own, and\n" + Bold(program.name) + " " +
         Italic("COMMAND") + " \\fB\\-\\-help\\fR\nshows its options.\n";
  out += ".SH COMMANDS\n";
  for (const VerbDescription& verb : program.verbs) {
    out += ".TP\n" + Bold(verb.name) + "\n" + Sentence(verb.text) + "See \\fB" + program.name +
           "\\-" + Roff(verb.name) + "\\fR(1).\n";
  }
  out += ".SH OPTIONS\n" + OptionsList(program.options);
  out += ExitStatus(facts) + Environment(facts);
  out += ".SH SEE ALSO\n";
  for (size_t at = 0; at < program.verbs.size(); ++at) {
    out += "\\fB" + program.name + "\\-" + Roff(program.verbs[at].name) + "\\fR(1)" +
           (at + 1 < program.verbs.size() ? ",\n" : "\n");
  }
  return out;
}

std::string VerbManPage(const ProgramDescription& program, const VerbDescription& verb,
                        const ManualFacts& facts) {
  std::string out = Heading(PageName(program, verb), facts.version);
  out += ".SH NAME\n" + Roff(PageName(program, verb)) + " \\- " + Roff(FirstClause(verb.text)) +
         "\n.SH SYNOPSIS\n" + Bold(program.name) + " " + Bold(verb.name) + " [" +
         Italic("OPTIONS") + "]";
  for (const OptionDescription& option : verb.options) {
    if (option.positional.empty()) continue;
    std::string word = Italic(option.positional);
    if (option.repeatable) word += " ...";
    out += option.required ? " " + word : " [" + word + "]";
  }
  out += "\n.SH DESCRIPTION\n" + Sentence(verb.text);
  out += ".SH OPTIONS\n" + OptionsList(verb.options);
  out += ExitStatus(facts) + Environment(facts);
  out += ".SH SEE ALSO\n\\fB" + program.name + "\\fR(1)\n";
  return out;
}

}  // namespace rangewise::cli
