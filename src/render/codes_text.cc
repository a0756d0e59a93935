#include "render/codes_text.h"

#include "base/text.h"
#include "render/text_table.h"

namespace rangewise::render {

namespace {

// Text within a Markdown paragraph: what could start markup is escaped, but not within `code`.
std::string Markdown(std::string_view text) {
  std::string out;
  bool in_code = false;
  for (const char c : text) {
    if (c == '`') in_code = !in_code;
    if (!in_code && (c == '\\' || c == '*' || c == '_' || c == '<' || c == '[' || c == ']'))
      out += '\\';
    out += c;
  }
  return out;
}

void AppendSection(std::string& out, Severity severity) {
  for (const CodeInfo& info : AllCodes()) {
    if (info.severity != severity) continue;
    out += Format("\n### {}\n\n", info.word);
    out += Markdown(info.meaning);
    if (severity == Severity::kError) out += Format(" Exit code {}.", info.exit_code);
    out += '\n';
    if (!info.explanation.empty()) out += '\n' + Markdown(info.explanation) + '\n';
    if (!info.action.empty()) out += "\n**What to do:** " + Markdown(info.action) + '\n';
  }
}

}  // namespace

std::string RenderCode(const CodeInfo& info) {
  std::string text = info.severity == Severity::kError
                         ? Format("{} (error, exit code {})\n", info.word, info.exit_code)
                         : Format("{} ({})\n", info.word,
                                  info.severity == Severity::kWarning ? "warning" : "finding");
  text += Wrapped(info.meaning, 2, 2);
  if (!info.explanation.empty()) text += Wrapped(info.explanation, 2, 2);
  if (!info.action.empty()) text += Wrapped(Format("What to do: {}", info.action), 2, 2);
  return text;
}

std::string RenderCodesMarkdown() {
  std::string out =
      "# Warnings, findings and errors\n\n"
      "Every code that rangewise can report. `rangewise explain CODE` prints one of them. Codes "
      "are stable\n"
      "once released; this page is made from the same table as the program's messages.\n\n"
      "## Warnings\n\n"
      "The result was written, and something about it must be known. Warnings stand in `warnings` "
      "of\n"
      "analysis.json and before the numbers of every summary; `--strict` turns them into exit code "
      "1.\n";
  AppendSection(out, Severity::kWarning);
  out +=
      "\n## Findings\n\n"
      "What the numbers of one run show. Findings stand in `findings` of analysis.json, each with "
      "its\n"
      "numbers and rows; one that could not be computed stands there too and says why. A code that "
      "is not\n"
      "in the list was looked for and does not hold. Findings never change an exit code.\n";
  AppendSection(out, Severity::kFinding);
  out +=
      "\n## Errors\n\n"
      "No result was written; what was there before is as it was.\n";
  AppendSection(out, Severity::kError);
  return out;
}

}  // namespace rangewise::render
