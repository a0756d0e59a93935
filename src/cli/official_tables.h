// Owns finding tables that nsys made, for our own to be compared with: those that were named, those
// that lie in the run, or new ones. Tables that rangewise made, or that no one vouches for, are
// refused.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "cli/run_files.h"
#include "ingest/nsys.h"
#include "model/rows.h"
#include "tables/source_record.h"

namespace rangewise::cli {

// What `rangewise verify` was pointed at.
struct VerifyPlace {
  fs::path run;                    // the run directory, or the folder of a bare export
  fs::path output;                 // where an analysis of it goes
  std::optional<fs::path> sqlite;  // the export, when there is one
  std::optional<fs::path> trace;   // the trace, when there is one
};

// `run`: a run directory or an export. kRunMissing, kTraceMissing (an empty one).
Result<VerifyPlace> LocateVerification(const std::string& run,
                                       const std::optional<std::string>& output);

struct OfficialRequest {
  std::optional<std::string> against;
  bool nsys_named = false;  // by --nsys: tables are made now
  ingest::NsysSearch search;
  ingest::ProgressSink progress;
};

struct OfficialTables {
  std::map<model::Report, fs::path> files;
  fs::path folder;  // empty: made now
  std::optional<std::string> version_text;
  std::optional<tables::SourceRecord> record;
  std::optional<fs::path> made_export;  // what nsys left beside tables made now
};

// In this order: `against`; stats/official/; stats/ when its record says that nsys made it; an nsys
// that is found, run on the trace into `fresh`. kOfficialTablesMissing, kOwnTables, kUnknownMaker,
// kOlderDialect, and what ingest/nsys.h names.
Result<OfficialTables> FindOfficialTables(const VerifyPlace& place, const OfficialRequest& request,
                                          const fs::path& fresh);

}  // namespace rangewise::cli
