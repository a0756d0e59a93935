// Owns the words in which the gate of a comparison is told: whether it passed, what it rested on,
// and why what was never measured cannot pass. The rows that decided are ShownGateRows.
#pragma once

#include <string>
#include <vector>

#include "model/comparison.h"
#include "render/comparison_words.h"

namespace rangewise::render {

// "gate: failed (exit code 1): 9 rows regressed: gpu-iterations 1.055 (1.044 to 1.063), ...": one
// line of bounded length, without its newline. The gate is there.
std::string GateLine(const model::Comparison& comparison, NameStyle style = QuotedName);

// The same without naming the rows: "failed (exit code 1): 9 rows regressed".
std::string GateSentence(const model::Gate& gate);

// What the gate rested on, and what is missing and how to get it: sentences of bounded length.
std::vector<std::string> GateNotes(const model::Comparison& comparison, NameStyle style);

}  // namespace rangewise::render
