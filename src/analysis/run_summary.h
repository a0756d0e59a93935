// Owns what an analysis brings to a comparison: its run, contract, warnings and values as a
// RunSummary, be it just made or read from its file.
#pragma once

#include <string>

#include "model/provenance.h"
#include "model/run_summary.h"

namespace rangewise::analysis {

// `label` names the run to the user. `file_digest` (of analysis.json; may be empty) tells runs with
// the same content from others where the analysis does not say what it was made from; where it
// does, the sizes and hashes of those inputs do, so that a copy of a run stays the same run under
// another name.
//
// What a manifest leaves out was not recorded: empty mappings, no device, no records. What the
// analysis always knows is recorded, null included: capture range, iterations' pattern, name rules
// (those of the command line too). Open ranges count as lying in the capture unless it is known
// that they do not. O(groups).
model::RunSummary SummariseRun(const model::AnalysisDocument& document, std::string label,
                               std::string file_digest);

}  // namespace rangewise::analysis
