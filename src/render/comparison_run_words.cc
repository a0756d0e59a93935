#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "format/json.h"
#include "render/comparison_words.h"

namespace rangewise::render {
namespace {

using model::Comparison;
using model::ContractRow;
using model::ContractValue;

constexpr size_t kContext = 8;      // bytes around what tells values apart
constexpr size_t kMostShown = 400;  // bytes of a value

size_t SharedLength(std::string_view a, std::string_view b) {
  return static_cast<size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<ptrdiff_t>(std::min(a.size(), b.size())),
                    b.begin())
          .first -
      a.begin());
}

// The bytes from `begin` to `end` of a text, with dots where something is left out; no character
// is cut.
std::string Excerpt(const std::string& text, size_t begin, size_t end) {
  const auto inside = [&](size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0u) == 0x80;
  };
  begin = std::min(begin, text.size());
  end = std::min(end, text.size());
  while (begin > 0 && inside(begin)) --begin;
  while (inside(end)) ++end;
  return Format("{}{}{}", begin > 0 ? "..." : "", text.substr(begin, end - begin),
                end < text.size() ? "..." : "");
}

void AddWarnings(model::Side side, const std::vector<model::ComparedRun>& runs, NameStyle style,
                 std::vector<std::string>& lines) {
  for (const model::ComparedRun& run : runs) {
    std::string words;
    for (const std::string& word : run.allowed_warnings)
      words += Format("{}{} (allowed)", words.empty() ? "" : ", ", style(word));
    for (const std::string& word : run.warnings) {
      if (std::find(run.allowed_warnings.begin(), run.allowed_warnings.end(), word) ==
          run.allowed_warnings.end())
        words += Format("{}{}", words.empty() ? "" : ", ", style(word));
    }
    if (words.empty()) continue;
    lines.push_back(Format("{} ({}): {}", style(run.label), model::SideName(side), words));
  }
}

constexpr size_t kMostCodes = 3;  // of a run that is left out

std::vector<std::string> Excluded(const std::vector<model::LeftOutRun>& left_out,
                                  const std::vector<model::DuplicateRun>& duplicates,
                                  NameStyle style) {
  std::vector<std::string> lines;
  for (const model::LeftOutRun& left : left_out) {
    std::string codes;
    for (size_t i = 0; i < left.codes.size() && i < kMostCodes; ++i)
      codes += (i > 0 ? ", " : "") + style(left.codes[i]);
    lines.push_back(Format("left out of the {}: {}, because its analysis warns of {}",
                           model::SideName(left.side), style(left.run.label), codes));
  }
  for (const model::DuplicateRun& duplicate : duplicates) {
    lines.push_back(Format("counted once in the {}: {} was made of the same capture as {}{}",
                           model::SideName(duplicate.side), style(duplicate.label),
                           style(duplicate.same_as),
                           duplicate.same_numbers ? "" : ", though with other numbers"));
  }
  return lines;
}

std::string Sources(const std::vector<model::ComparedRun>& runs) {
  std::map<std::string, size_t> counts;
  for (const model::ComparedRun& run : runs) {
    // A file may say anything; there are these.
    const std::string source = run.report_source.value_or("");
    const bool known = source == "nsys" || source == "csv" || source == "sqlite";
    ++counts[known ? source : "unknown"];
  }
  std::string text;
  for (const auto& [source, count] : counts)
    text += Format("{}{} ({})", text.empty() ? "" : ", ", source, count);
  return text.empty() ? "-" : text;
}

}  // namespace

std::string ContractValueText(const std::optional<Value>& value) {
  if (!value) return "(not recorded)";
  if (const auto* text = std::get_if<std::string>(&value->data)) {
    std::string quoted = "\"";
    for (const char c : *text) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    return quoted + '"';
  }
  StringOutput out;
  {
    format::JsonWriter json(out);
    json.Any(*value);
    json.Finish();
  }
  // JSON has no line breaks but those of its layout.
  std::string line;
  bool at_start = false;
  for (const char c : out.text()) {
    if (c == '\n') {
      at_start = true;
    } else if (c != ' ' || !at_start) {
      if (at_start && !line.empty() && line.back() == ',') line += ' ';
      at_start = false;
      line += c;
    }
  }
  return line;
}

ContractTexts ValuesOf(const ContractRow& row, size_t width, NameStyle style) {
  std::set<std::string> distinct;
  for (const auto* side : {&row.baseline, &row.candidate}) {
    for (const ContractValue& value : *side) distinct.insert(ContractValueText(value.value));
  }
  // Of sorted texts, what any two share is shared by some neighbours, too.
  size_t shared_by_all = distinct.size() > 1 ? std::string::npos : 0;
  size_t shared_by_two = 0;
  for (auto at = distinct.begin(); at != distinct.end() && std::next(at) != distinct.end(); ++at) {
    const size_t shared = SharedLength(*at, *std::next(at));
    shared_by_all = std::min(shared_by_all, shared);
    shared_by_two = std::max(shared_by_two, shared);
  }
  const size_t begin = shared_by_all > 2 * kContext ? shared_by_all - kContext : 0;
  const size_t end =
      std::max(begin + width, std::min(shared_by_two + kContext, begin + kMostShown));
  const auto show = [&](const std::vector<ContractValue>& values) {
    std::vector<std::string> texts;
    for (const ContractValue& value : values) {
      texts.push_back(Format("{} ({})", style(Excerpt(ContractValueText(value.value), begin, end)),
                             value.runs.size()));
    }
    return texts;
  };
  return {show(row.baseline), show(row.candidate)};
}

std::vector<std::string> RunWarnings(const Comparison& comparison, NameStyle style) {
  std::vector<std::string> lines;
  AddWarnings(model::Side::kBaseline, comparison.baseline, style, lines);
  AddWarnings(model::Side::kCandidate, comparison.candidate, style, lines);
  return lines;
}

std::vector<std::string> RunWarnings(const model::NoiseReport& report, NameStyle style) {
  std::vector<std::string> lines;
  AddWarnings(model::Side::kBaseline, report.runs, style, lines);
  return lines;
}

std::string SourcesOf(const Comparison& comparison) {
  return Format("baseline {}; candidate {}", Sources(comparison.baseline),
                Sources(comparison.candidate));
}

std::vector<std::string> ExcludedRuns(const Comparison& comparison, NameStyle style) {
  return Excluded(comparison.left_out, comparison.duplicates, style);
}

std::vector<std::string> ExcludedRuns(const model::NoiseReport& report, NameStyle style) {
  return Excluded(report.left_out, report.duplicates, style);
}

std::vector<std::string> HowJudged(const Comparison& comparison, NameStyle style) {
  std::vector<std::string> lines = {Format(
      "A change needs p (of rows that are tested together q) of at most {} and a ratio "
      "outside of the floor, {}; no-change needs the whole interval inside of it. Ratios "
      "are candidate / baseline over runs. Host time is no GPU time. Tables came from: {}.",
      comparison.alpha, FloorText(comparison.floor), SourcesOf(comparison))};
  if (comparison.family_size > 0 && !comparison.family_can_pass) {
    lines.push_back(
        Format("{} rows are tested together: one of them alone would need {} runs a side.",
               Grouped(static_cast<int64_t>(comparison.family_size)),
               comparison.family_runs_needed));
  }
  for (std::string& note : GpuWorkNotes(comparison, style)) lines.push_back(std::move(note));
  return lines;
}

}  // namespace rangewise::render
