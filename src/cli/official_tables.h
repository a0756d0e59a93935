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

// In this order: `against`; stats/official/, then stats/, where a record says nsys made it; an nsys
// that is found, run on the trace into `fresh`. kOfficialTablesMissing, kOwnTables, kUnknownMaker,
// kOlderDialect, and what ingest/nsys.h names.
Result<OfficialTables> FindOfficialTables(const RunFiles& files, const OfficialRequest& request,
                                          const fs::path& fresh);

}  // namespace rangewise::cli
