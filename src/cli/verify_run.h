// Owns the questions of `rangewise verify`: which export, which tables of nsys, and how ours
// compare with them. Ours go to a temporary folder; the run directory stays as it is.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "ingest/nsys.h"
#include "model/table_diff.h"

namespace rangewise::cli {

struct VerifyRequest {
  std::string run;                           // a run directory, or an export FILE.sqlite
  std::optional<std::string> output_folder;  // where an analysis of it went
  std::optional<std::string> against;        // a folder of tables that nsys made
  std::optional<std::string> nsys;           // --nsys: tables are made now
  int threads = 0;
  ingest::ProgressSink progress;
};

// Errors beside those of reading: kOfficialTablesMissing, kOwnTables, kUnknownMaker, kOlderDialect,
// kExportMissing.
Result<model::Verification> VerifyRun(const VerifyRequest& request);

}  // namespace rangewise::cli
