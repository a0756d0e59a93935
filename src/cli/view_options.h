// Owns the options and the manners that verbs which show an analysis share: which ranges, which
// run, the unit of times, where the text goes and how it looks there.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/range_filter.h"
#include "cli/analyze_run.h"
#include "cli/console.h"
#include "render/report.h"
#include "render/units.h"

namespace rangewise::cli {

struct SelectionOptions {
  analysis::RangeFilters filters;
  std::optional<std::string> time;  // --filter-time as it was given
};

// --group and --group-numbers, which go into `analyze`, and the filters. Both outlive the parsing.
void AddSelectionOptions(CLI::App& verb, AnalyzeRequest& analyze, SelectionOptions& selection);
// Reads what parsing left as text; throws CLI::ValidationError.
void FinishSelection(SelectionOptions& selection);
// The filters as they were given, for the head of a report.
std::vector<std::string> FiltersInWords(const SelectionOptions& selection);

// --output-dir, --capture-range, --iterations and --threads.
void AddRunOptions(CLI::App& verb, AnalyzeRequest& analyze);

// --timeunit; `word` holds its default.
void AddTimeUnitOption(CLI::App& verb, std::string& word);
render::TimeUnit TimeUnitOf(const std::string& word);

// -o; `output` stays empty where it is not given.
void AddOutputOption(CLI::App& verb, std::string& output);
// How text looks that goes to `output`; empty or "-": standard output.
render::TextStyle StyleFor(const std::string& output);
// Writes `text` to the file `output`, or to standard output; returns the exit code.
int Deliver(const std::string& output, const std::string& text, Console& console);

}  // namespace rangewise::cli
