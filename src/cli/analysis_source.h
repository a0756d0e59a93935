// Owns where an analysis that is shown comes from: an analysis.json, a pipe, or a run, which
// is analysed first when it has no analysis that belongs to it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "analysis/analyze.h"
#include "base/result.h"
#include "cli/analyze_run.h"
#include "cli/piped_document.h"
#include "model/analysis_file.h"

namespace rangewise::cli {

// The analysis, and the tables where they were read already.
struct AnalysisSource {
  model::AnalysisFile file;
  std::optional<std::string> path;  // of analysis.json; absent: a pipe
  bool has_tables = false;          // file.document.tables holds the rows, too
  bool is_run = false;              // a run or export was given, not an analysis alone
};

struct SourceNeeds {
  bool run = false;       // rules or filters, which a lone analysis.json cannot serve: kUsage
  bool gpu_work = false;  // an analysis without GPU work is made again where there is an export
  PipedDocument* piped = nullptr;  // the pipe that `request.run` names, where it is open already
};

// `request.run` is a run, an analysis.json (or a folder that holds nothing else), or a pipe that
// one comes through, "-" for standard input. Options for an analysis that is made are kUsage with
// one that is there. An analysis.json is written only where the run has none that serves; the rules
// of the request are not for it.
Result<AnalysisSource> ReadAnalysisSource(const AnalyzeRequest& request, const SourceNeeds& needs);

// `request` as that of an analysis made with these options (provenance.options), so that one made
// again only gains what it lacks. The harness stays what `request` wishes.
void KeepOptions(const std::map<std::string, std::string>& made_with, AnalyzeRequest& request);

// How names are grouped: by the manifest's rules, those that the analysis was made with, and those
// of the request.
analysis::AnalyzeOptions RulesOf(const AnalyzeRequest& request,
                                 const model::AnalysisDocument& document);

// Takes over what `diagnostics` says of rules, where rows were grouped again by those of a request.
void AddRuleWarnings(const Diagnostics& diagnostics, model::AnalysisDocument& document);

}  // namespace rangewise::cli
