// Owns the words in which a comparison is told, whatever the form: its first line, reasons,
// caveats, numbers, names of metrics. Names from inputs stand in them as a NameStyle makes them
// safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/comparison.h"

namespace rangewise::render {

// Makes a name from an input safe for the form that is written, and shows where it begins and ends.
using NameStyle = std::string (*)(std::string_view name);
// In terminal form (base/text.h) between quotes, shortened.
std::string QuotedName(std::string_view name);

// "GPU projection of iterations", "inclusive host time of ranges".
std::string MetricTitle(model::Metric metric);
// A metric with its range: "inclusive host time of 'a > b'".
std::string MetricOf(const model::MetricKey& key, NameStyle style = QuotedName);
// The names of a path joined by " > ", as they stand.
std::string PathText(const model::RangePath& path);

std::string RatioText(double log_ratio);                       // "1.083"
std::string PercentText(double log_ratio);                     // "+8.3 %"
std::string ProbabilityText(double p);                         // "0.00016"
std::string IntervalText(const model::LogInterval& interval);  // "1.071 to 1.095"
std::string FloorText(const model::Floor& floor);              // "3 % (the default) and 1.000 us"

// A value of the contract on one line, as JSON; text stands in quotes, so that "1" is not 1.
std::string ContractValueText(const std::optional<Value>& value);
// The values of a row with the number of their runs, "\"a\" (3)"; `style` makes each value safe.
// What all values begin with may be left out, and what is beyond `width` bytes, but never what
// tells two of them apart.
struct ContractTexts {
  std::vector<std::string> baseline;
  std::vector<std::string> candidate;
};
ContractTexts ValuesOf(const model::ContractRow& row, size_t width, NameStyle style);
// The contract's keys that are not equal.
std::vector<const model::ContractRow*> Differences(const std::vector<model::ContractRow>& contract);
// "3 against 4 runs".
std::string RunCounts(const model::Comparison& comparison);

// What the analyses of the runs that take part warn of: a line for each run that has any,
// "runs/a (baseline): missing-iterations (allowed), negative-duration".
std::vector<std::string> RunWarnings(const model::Comparison& comparison, NameStyle style);
std::vector<std::string> RunWarnings(const model::NoiseReport& report, NameStyle style);
// Where the tables of each side came from: "baseline sqlite (10); candidate nsys (4), sqlite (6)".
std::string SourcesOf(const model::Comparison& comparison);

// What the metrics of GPU work are, which runs lack them, and what their families need: sentences
// of bounded length; none where no table of theirs has rows.
std::vector<std::string> GpuWorkNotes(const model::Comparison& comparison, NameStyle style);

// Runs that take no part, a sentence each: "left out of the baseline: 'runs/a', because its analysis warns
// of 'missing-iterations'".
std::vector<std::string> ExcludedRuns(const model::Comparison& comparison, NameStyle style);
std::vector<std::string> ExcludedRuns(const model::NoiseReport& report, NameStyle style);

// What a verdict needs, where the tables came from, and what is said of GPU work: a sentence or more each.
std::vector<std::string> HowJudged(const model::Comparison& comparison, NameStyle style);
// The metrics that lack in the same runs as `family`, those runs, and why the first of them does;
// of a family with runs that lack it.
std::string LackedText(const model::Comparison& comparison, const model::GpuFamily& family,
                       NameStyle style);

// What a caveat means, as a sentence.
std::string CaveatText(model::Caveat caveat);
// A caveat with what it is about, as it stands in the first line: "runs-left-out 2".
std::string CaveatLabel(const model::Comparison& comparison, model::Caveat caveat,
                        NameStyle style = QuotedName);

// The verdict with its caveats and what it rests on: one line, without its newline, of bounded
// length.
std::string ComparisonHeadline(const model::Comparison& comparison, NameStyle style = QuotedName);
std::string NoiseHeadline(const model::NoiseReport& report, NameStyle style = QuotedName);

}  // namespace rangewise::render
