#include "tables/stats_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/files.h"
#include "base/text.h"

namespace rangewise::tables {
namespace {

using model::Report;

bool IsOurs(const fs::path& name) {
  if (name == kSourceFileName) return true;
  for (const Report report : model::kReports) {
    if (name == model::ReportFileName(report)) return true;
  }
  return false;
}

// Links one file into the new folder; a file system without hard links gets a copy.
Status LinkFile(const fs::path& from, const fs::path& to) {
  if (::link(from.c_str(), to.c_str()) == 0) return Ok();
  std::error_code error;
  fs::copy_file(from, to, error);
  if (error) return WriteError(to, error.value());
  return Ok();
}

// What others left in stats/ stays there. Only regular files and folders are followed; other things
// (links, pipes) are recreated by name where that is possible and are an error where it is not.
// `but_for`: a folder in it that does not stay.
Status KeepForeignFiles(const fs::path& old_folder, const fs::path& fresh,
                        const std::optional<fs::path>& but_for) {
  std::error_code error;
  fs::recursive_directory_iterator entry(old_folder, error);
  if (error) return WriteError(old_folder, error.value());
  for (; entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (error) return WriteError(old_folder, error.value());
    const fs::path relative = entry->path().lexically_relative(old_folder);
    if (entry.depth() == 0 && IsOurs(relative)) continue;
    if (but_for && *relative.begin() == *but_for) continue;
    const fs::path target = fresh / relative;
    if (entry->is_symlink()) {
      fs::copy_symlink(entry->path(), target, error);
      if (error) return WriteError(target, error.value());
    } else if (entry->is_directory()) {
      RETURN_IF_ERROR(MakeDirectories(target));
    } else {
      RETURN_IF_ERROR(LinkFile(entry->path(), target));
    }
  }
  return Ok();
}

// Links the tables of the old folder, and their record, into `aside`.
Status MoveAside(const fs::path& old_folder, const fs::path& aside) {
  RETURN_IF_ERROR(MakeDirectories(aside));
  for (const auto& [report, path] : FindTables(old_folder)) {
    RETURN_IF_ERROR(LinkFile(path, aside / path.filename()));
  }
  std::error_code error;
  if (!fs::exists(old_folder / kSourceFileName, error)) return Ok();
  return LinkFile(old_folder / kSourceFileName, aside / kSourceFileName);
}

// Where the tables of the old folder stay when ours take their place; nothing when there are none
// that are not ours.
std::optional<fs::path> PlaceAside(const fs::path& old_folder) {
  if (FindTables(old_folder).empty()) return std::nullopt;
  // A record that cannot be read says no more than none.
  const auto loaded = LoadSourceRecord(old_folder);
  const std::optional<SourceRecord> record = loaded.ok() ? *loaded : std::nullopt;
  if (!record) return kUnknownMakerFolderName;
  if (record->made_by == kMadeByUs) return std::nullopt;
  return record->made_by == kMadeByNsys ? kOfficialFolderName : kUnknownMakerFolderName;
}

}  // namespace

std::map<Report, fs::path> FindTables(const fs::path& stats_folder) {
  std::map<Report, fs::path> found;
  for (const Report report : model::kReports) {
    const fs::path path = stats_folder / model::ReportFileName(report);
    std::error_code error;
    // A link that leads nowhere is there, and reading it tells.
    if (fs::exists(fs::symlink_status(path, error))) found[report] = path;
  }
  return found;
}

std::optional<std::string> Mismatch(const SourceRecord& record,
                                    const std::map<Report, Fingerprint>& fingerprints) {
  for (const Report report : model::kReports) {
    const auto expected = record.tables.find(report);
    const auto found = fingerprints.find(report);
    const std::string file = model::ReportFileName(report);
    if (expected == record.tables.end() && found == fingerprints.end()) continue;
    if (expected == record.tables.end())
      return Format("stats/{} is not named by stats/{}", file, kSourceFileName);
    if (found == fingerprints.end())
      return Format("stats/{} is named by stats/{} and is not there", file, kSourceFileName);
    if (expected->second != found->second) {
      return Format("stats/{} is not the table that stats/{} names (size or hash differ)", file,
                    kSourceFileName);
    }
  }
  return std::nullopt;
}

Status ReplaceStatsFolder(const fs::path& fresh, const std::optional<SourceRecord>& record,
                          const fs::path& stats_folder, OldTables old_tables) {
  std::error_code error;
  const bool had_folder = fs::is_directory(stats_folder, error);
  if (!had_folder && fs::exists(fs::symlink_status(stats_folder, error))) {
    return Error{.code = Code::kOutputNotWritable,
                 .message = "found something else where the folder of the tables belongs",
                 .where = {.file = stats_folder.string()},
                 .hint = "move it away, or name another folder with --output-dir"};
  }
  if (had_folder) {
    std::optional<fs::path> aside;
    if (old_tables == OldTables::kMoveAside) aside = PlaceAside(stats_folder);
    const bool drop = old_tables == OldTables::kDrop;
    RETURN_IF_ERROR(KeepForeignFiles(stats_folder, fresh,
                                     drop ? std::optional<fs::path>(kOfficialFolderName) : aside));
    if (aside) RETURN_IF_ERROR(MoveAside(stats_folder, fresh / *aside));
  }
  if (record)
    RETURN_IF_ERROR(WriteFileAtomically(fresh / kSourceFileName, FormatSourceRecord(*record)));
  if (!had_folder) return RenameFile(fresh, stats_folder);
  if (::renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, stats_folder.c_str(), RENAME_EXCHANGE) == 0)
    return Ok();
  if (errno != EINVAL && errno != ENOSYS) return WriteError(stats_folder, errno);
  // No exchange on this file system: for an instant there is no stats folder, and never a mixed
  // one.
  const fs::path aside = fresh.parent_path() / "stats-before";
  RETURN_IF_ERROR(RenameFile(stats_folder, aside));
  return RenameFile(fresh, stats_folder);
}

}  // namespace rangewise::tables
