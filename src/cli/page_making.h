// Owns making the page of `rangewise report`: of a run, of an analysis.json, or of a comparison.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/analyze_run.h"
#include "cli/piped_document.h"
#include "model/comparison.h"
#include "model/page.h"

namespace rangewise::cli {

struct PageRequest {
  AnalyzeRequest analyze;          // `run` can be an analysis.json, or a pipe
  PipedDocument* piped = nullptr;  // that pipe, where it is open already
};

// The template that was embedded when this rangewise was built; kPageTemplateMissing without one.
Result<std::string_view> EmbeddedTemplate();

// Reads or makes the analysis, as `rangewise gpu` does, and draws the timeline from the export
// where there is one.
Result<model::RunPage> MakeRunPage(const PageRequest& request);

// The whole page.
Result<std::string> PageOf(const model::RunPage& page, std::string_view page_template);
Result<std::string> PageOf(const model::Comparison& comparison, std::string_view page_template);

}  // namespace rangewise::cli
