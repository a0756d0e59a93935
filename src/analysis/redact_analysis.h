// Owns which texts an analysis, a summary and a page of a run hold, and what kind each is of
// (docs/redaction.md).
#pragma once

#include "analysis/redactor.h"
#include "model/page.h"
#include "model/summary.h"

namespace rangewise::analysis {

// Replaces what is private; `redaction` of the document says what that was. Rows keep their
// order. The rows of the report tables go, which no form shows.
void Redact(model::Summary& summary, const RedactOptions& options);
void Redact(model::RunPage& page, const RedactOptions& options);

}  // namespace rangewise::analysis
