// Owns what an analysis brings to a comparison: its run, contract, warnings and values as a
// RunSummary, be it just made or read from its file.
#pragma once

#include <string>

#include "model/provenance.h"
#include "model/run_summary.h"

namespace rangewise::analysis {

// `label` names the run to the user. What tells its capture from others is the size and hash of the
// export or trace that was read, whatever it was called and whatever manifest lay beside it; else
// those of the tables; else `file_digest` (of analysis.json; may be empty).
//
// What a manifest leaves out was not recorded: empty mappings, no device, no records. What the
// analysis always knows is recorded, null included: capture range, iterations' pattern and how many
// were found, name rules (those of the command line too). Open ranges count as lying in the capture
// unless it is known that they do not. GPU work is a path's total of the whole
// run, which runs of other numbers of iterations do not share: the contract holds those equal.
// O(groups).
model::RunSummary SummariseRun(const model::AnalysisDocument& document, std::string label,
                               std::string file_digest);

}  // namespace rangewise::analysis
