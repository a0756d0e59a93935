// Owns what an export's file and schema must look like before its rows are read: a whole SQLite file that no one
// writes to, NVIDIA's tables, and in them the columns that the reports join on. Look-alikes get an error that names
// what is missing.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "format/sqlite.h"
#include "model/trace.h"

namespace rangewise::ingest {

inline constexpr std::string_view kStringTable = "StringIds";
inline constexpr std::string_view kRangeTable = "NVTX_EVENTS";
inline constexpr std::string_view kCallTable = "CUPTI_ACTIVITY_KIND_RUNTIME";
inline constexpr std::string_view kKernelTable = "CUPTI_ACTIVITY_KIND_KERNEL";
inline constexpr std::string_view kCopyTable = "CUPTI_ACTIVITY_KIND_MEMCPY";
inline constexpr std::string_view kSetTable = "CUPTI_ACTIVITY_KIND_MEMSET";
inline constexpr std::string_view kGraphTable = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";
inline constexpr std::string_view kSyncTable = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";

// Names of the tables and their columns.
struct ExportSchema {
  std::map<std::string, std::set<std::string, std::less<>>, std::less<>> tables;

  bool Has(std::string_view table) const { return tables.find(table) != tables.end(); }
  bool Has(std::string_view table, std::string_view column) const {
    const auto found = tables.find(table);
    return found != tables.end() && found->second.find(column) != found->second.end();
  }
};

// Looks at the file without SQLite: kReadFailed (not there), kNotAnExport (no SQLite file), kExportIncomplete (a
// journal beside it, or shorter than its header says), kExportLocked (another process writes to it).
Status CheckExportFile(const std::filesystem::path& path);

// kNotAnExport when no table of Nsight Systems is there; kMissingColumn when a table lacks one that is needed.
Result<ExportSchema> ReadExportSchema(format::Database& database, const std::filesystem::path& path);

}  // namespace rangewise::ingest
