// Owns ready-made comparisons for tests of what is written and shown of them.
#pragma once

#include <vector>

#include "model/comparison.h"

namespace rangewise::test_support {

// Five runs of 1.00 to 1.04 ms against five of 1.20 to 1.24 ms on the host, interleaved; nothing
// else.
model::Comparison Regression();

// 6 against 6 runs with projections, of which the candidate's third run has none.
model::Comparison WithoutGpuInOneRun();

// 8 against 8 runs with GPU work, of whose ranges `load` took 10 % more kernel time; with
// `one_without` the analysis of the candidate's third run has none.
model::Comparison WithGpuWork(bool one_without);

// Every name that comes from inputs (ranges, labels, commits, keys and values of the contract) is
// hostile: markup, control characters, mentions, links, combining marks, hundreds of characters.
// `ranges` rows a table.
model::Comparison Hostile(int ranges);
// Texts that stand in those names and must not come through as they are.
const std::vector<std::string>& HostileTexts();

// One of each kind of verdict, reason and caveat that `Compare` gives, those above included.
std::vector<model::Comparison> SampleComparisons();
std::vector<model::NoiseReport> SampleNoiseReports();

}  // namespace rangewise::test_support
