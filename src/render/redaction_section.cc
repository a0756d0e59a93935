#include "render/redaction_section.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "render/text_table.h"
#include "render/units.h"

namespace rangewise::render {
namespace {

using model::RedactedKind;

constexpr size_t kMostShown = 8;

const char* InWords(RedactedKind kind) {
  switch (kind) {
    case RedactedKind::kCommand:
      return "command lines";
    case RedactedKind::kPath:
      return "paths";
    case RedactedKind::kHost:
      return "host names";
    case RedactedKind::kUser:
      return "user names";
    case RedactedKind::kId:
      return "ids of runs and records";
    case RedactedKind::kRange:
      return "names of ranges";
    case RedactedKind::kKernel:
      return "names of kernels";
  }
  return "";
}

// What was replaced, a line for each kind of text: what, and how many.
std::vector<std::pair<const char*, std::string>> Lines(const model::Redaction& redaction) {
  std::vector<std::pair<const char*, std::string>> lines;
  for (const RedactedKind kind : model::kRedactedKinds) {
    int64_t places = 0;
    std::vector<std::string> pseudonyms;
    for (const model::Replaced& one : redaction.replaced) {
      if (one.kind != kind) continue;
      places += one.places;
      pseudonyms.push_back(one.pseudonym);
    }
    if (pseudonyms.empty()) continue;
    const size_t count = pseudonyms.size();
    pseudonyms.resize(std::min(count, kMostShown));
    const std::string more =
        count > kMostShown
            ? Format(" and {} more", Grouped(static_cast<int64_t>(count - kMostShown)))
            : "";
    lines.emplace_back(InWords(kind), Format("{} in {}: {}{}", Grouped(static_cast<int64_t>(count)),
                                             Counted(places, "place", "places"),
                                             fmt::join(pseudonyms, ", "), more));
  }
  return lines;
}

constexpr const char* kNothing = "Nothing private was found that had to be replaced.";

std::string NotAsked(const model::Redaction& redaction) {
  if (redaction.range_names && redaction.kernel_names) return "";
  const char* what = redaction.range_names    ? "Names of kernels"
                     : redaction.kernel_names ? "Names of ranges"
                                              : "Names of ranges and kernels";
  return Format(" {} stand as they were recorded.", what);
}

std::string HowItWasMade(const model::Redaction& redaction) {
  return std::string(
             "The same text has the same pseudonym in every document made with the same key; ") +
         (redaction.keyed ? "a key was given."
                          : "no key was given, so that a guess can be checked.") +
         NotAsked(redaction);
}

}  // namespace

Section RedactionSection(const model::Redaction& redaction) {
  Section section{.title = "Redacted"};
  Facts facts;
  for (auto& [what, how_many] : Lines(redaction)) facts.facts.push_back({what, how_many});
  if (facts.facts.empty()) {
    section.blocks.push_back(Paragraph{kNothing});
  } else {
    section.blocks.push_back(std::move(facts));
  }
  section.blocks.push_back(Paragraph{HowItWasMade(redaction)});
  return section;
}

std::string RedactionText(const std::optional<model::Redaction>& redaction) {
  if (!redaction) return "";
  std::string text = "\nRedacted:\n";
  const auto lines = Lines(*redaction);
  for (const auto& [what, how_many] : lines)
    text += Wrapped(Format("{}: {}", what, how_many), 2, 4);
  if (lines.empty()) text += Wrapped(kNothing, 2, 2);
  return text + Wrapped(HowItWasMade(*redaction), 2, 2);
}

std::string RedactionMarkdown(const std::optional<model::Redaction>& redaction) {
  if (!redaction) return "";
  std::string text = "\nRedacted:\n\n";
  const auto lines = Lines(*redaction);
  for (const auto& [what, how_many] : lines) text += Format("- {}: {}\n", what, how_many);
  if (lines.empty()) text += Format("- {}\n", kNothing);
  return text + "\n" + HowItWasMade(*redaction) + "\n";
}

}  // namespace rangewise::render
