// Owns an analysis.json as it was read: the same document as one just analysed, so that whoever
// shows or compares need not care where it came from, and what an older file does not say.
#pragma once

#include <optional>
#include <string>

#include "model/provenance.h"

namespace rangewise::model {

// Of the document's inputs only what analysis.json holds is there: `tables` has names, and no rows.
// Groups and iterations keep their order in the file. Each row's innermost name has its domain; the
// domains of its parents are not in the file, so two rows whose paths differ in nothing else read as
// one path.
struct AnalysisFile {
  AnalysisDocument document;
  std::optional<std::string> tool_version;  // of the rangewise that wrote it
  // False where the key is not there: the document's own field then means nothing.
  bool has_report_source = false;
  bool has_findings = false;
};

}  // namespace rangewise::model
