// Owns reading the parts `run` and `provenance` of an analysis.json back.
#pragma once

#include "artifact/analysis_in.h"

namespace rangewise::artifact {

// Each reads one object into the file; errors stay with the reader. The harness is the one that the
// analysis used; the manifest's own capture range and pattern are taken to be the same.
void ReadRun(AnalysisIn& in);
void ReadProvenance(AnalysisIn& in);

}  // namespace rangewise::artifact
