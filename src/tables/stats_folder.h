// Owns the folder stats/ as a whole: which tables are in it, whether they are those that its
// source.json names, and its replacement in one step. A folder is always the old one or the new
// one, however a run ends.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "model/rows.h"
#include "tables/source_record.h"

namespace rangewise::tables {

// The tables that are in `stats_folder`, by their file names.
std::map<model::Report, std::filesystem::path> FindTables(
    const std::filesystem::path& stats_folder);

// Why tables with `fingerprints` are not those of `record`: one sentence about the first that
// differs, in the order of reports; nothing when all agree.
std::optional<std::string> Mismatch(const SourceRecord& record,
                                    const std::map<model::Report, Fingerprint>& fingerprints);

// The folders within stats/ where tables stay when ours take their place: those that nsys made, by
// their source.json, and those whose maker is unknown, which could be anyone's.
inline constexpr const char* kOfficialFolderName = "official";
inline constexpr const char* kUnknownMakerFolderName = "unknown-maker";

// What becomes of tables in the old folder that are not ours.
enum class OldTables : uint8_t {
  kDrop,       // the new tables are nsys's own: the old ones go, and nsys's that were set aside
  kMoveAside,  // the new tables are ours: the old ones go to the folder of their maker
};

// Makes `fresh` (a folder of ours on the same file system, holding tables) the new `stats_folder`:
// writes `record`, if there is one, into it as source.json, last; links every file of the old
// folder that is not a table of ours or source.json over; then exchanges the two folders
// atomically. What was the old folder is then at `fresh`, for the caller to remove.
Status ReplaceStatsFolder(const std::filesystem::path& fresh,
                          const std::optional<SourceRecord>& record,
                          const std::filesystem::path& stats_folder, OldTables old_tables);

}  // namespace rangewise::tables
