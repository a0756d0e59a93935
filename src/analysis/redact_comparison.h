// Owns which texts a comparison or a noise report holds, and what kind each is of
// (docs/redaction.md).
#pragma once

#include "analysis/redactor.h"
#include "model/comparison.h"

namespace rangewise::analysis {

// Replaces what is private; `redaction` says what that was. Rows keep their order.
void Redact(model::Comparison& comparison, const RedactOptions& options);
void Redact(model::NoiseReport& report, const RedactOptions& options);

}  // namespace rangewise::analysis
