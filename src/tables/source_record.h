// Owns stats/source.json: who made the tables in a stats folder, with which version, from which input, and
// the tables' sizes and hashes. It is written last, so tables that do not match it are known to be stale or mixed.
// Format: docs/source-json.md.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "base/hash.h"
#include "base/result.h"
#include "model/rows.h"

namespace rangewise::tables {

inline constexpr const char* kSourceFileName = "source.json";

// SourceRecord::made_by.
inline constexpr const char* kMadeByNsys = "nsys";
inline constexpr const char* kMadeByUs = "rangewise";

struct InputRecord {
  std::string name;  // base name: "trace.nsys-rep", "trace.sqlite"
  Fingerprint fingerprint;
};

struct SourceRecord {
  std::string made_by;                                // "nsys" or "rangewise"
  std::string nsys_version;                           // as nsys prints it, or the export's product version
  std::optional<InputRecord> input;                   // what they were made from
  std::optional<InputRecord> sqlite_export;           // the export that was left beside the trace
  std::map<model::Report, Fingerprint> tables;
};

std::string FormatSourceRecord(const SourceRecord& record);
// kReadFailed with the position when the text is not such a record.
Result<SourceRecord> ParseSourceRecord(std::string_view text, std::string_view file_name);

// The record of `stats_folder`, or nothing when there is no file.
Result<std::optional<SourceRecord>> LoadSourceRecord(const std::filesystem::path& stats_folder);

}  // namespace rangewise::tables
