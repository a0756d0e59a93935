// Owns where a result came from: the tool, the source of the tables, the inputs' sizes and hashes,
// and the whole document that analysis.json is written from.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/hash.h"
#include "model/analysis.h"
#include "model/coverage.h"
#include "model/redaction.h"
#include "model/rows.h"
#include "model/run.h"

namespace rangewise::model {

enum class ReportSource : uint8_t { kNsys, kCsv, kSqlite };
std::string_view ReportSourceName(ReportSource source);  // "nsys", "csv", "sqlite"

struct Provenance {
  std::optional<std::string>
      nsys_version;  // as `nsys --version` prints it, or the export's product version
  std::optional<std::string>
      manifest_path;  // relative to the run directory, or to the output folder
  std::optional<std::string> trace_path;
  std::map<std::string, std::string> reports;  // report name -> path, those that were there
  ReportSource source = ReportSource::kCsv;
  // What was read: manifest and tables by the names above. Ties the analysis to what it was made
  // from.
  std::map<std::string, Fingerprint> inputs;
  // Effective options that change the result: "capture_range", "iterations".
  std::map<std::string, std::string> options;
};

// Everything analysis.json holds. Names of `analysis` live in `tables.names`.
struct AnalysisDocument {
  Manifest manifest;
  Harness harness;
  Provenance provenance;
  std::vector<Warning> warnings;
  std::optional<Coverage> coverage;  // known only when an export was read
  ReportTables tables;
  Analysis analysis;
  std::optional<Redaction> redaction = {};  // of what is shown; analysis.json has none
};

}  // namespace rangewise::model
