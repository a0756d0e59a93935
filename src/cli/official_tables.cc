#include "cli/official_tables.h"

#include <algorithm>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "model/nsys_version.h"
#include "tables/hashed_rows.h"
#include "tables/stats_folder.h"

namespace rangewise::cli {
namespace {

using model::Report;

// Whether something bears the name: also a link that leads nowhere or a pipe, which reading
// refuses.
bool IsThere(const fs::path& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

Status CheckDialect(const std::optional<std::string>& version_text, const fs::path& where) {
  if (!version_text) return Ok();
  const std::optional<model::NsysVersion> version = model::ParseNsysVersion(*version_text);
  if (!version || version->names_carry_domains()) return Ok();
  return Error{.code = Code::kOlderDialect,
               .message = Format("the tables are of {}; the dialect of nsys before 2024.4 is not "
                                 "comparable with ours",
                                 Quoted(*version_text)),
               .where = {.file = where.string()}};
}

// The report's file in a folder that a user filled: our name for it, or the only one that ends as
// `nsys stats --output` ends it.
Result<std::optional<fs::path>> FindTable(const fs::path& folder, Report report) {
  const fs::path usual = folder / model::ReportFileName(report);
  if (IsThere(usual)) return std::optional<fs::path>(usual);
  const std::string plain = Format("{}.csv", model::ReportName(report));
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().native();
    if (name == plain || name.ends_with("_" + plain)) found.push_back(entry->path());
  }
  if (found.empty()) return std::optional<fs::path>();
  if (found.size() == 1) return std::optional<fs::path>(found.front());
  std::sort(found.begin(), found.end());
  std::vector<std::string> names;
  for (const fs::path& path : found) names.push_back(path.filename().native());
  return Error{.code = Code::kOfficialTablesMissing,
               .message = Format("the folder has several tables of {}: {}; one was expected",
                                 model::ReportName(report), QuotedList(names)),
               .where = {.file = folder.string()},
               .hint = Format("name the one to compare with {}", model::ReportFileName(report))};
}

Result<tables::ColumnContents> LookForDomains(Report report, const fs::path& table) {
  ASSIGN_OR_RETURN(const tables::TableHead head, tables::ReadTableHead(report, table));
  const size_t column = head.Find("Name");
  if (column == SIZE_MAX) return tables::ColumnContents{};
  return tables::LookFor(':', head, column);
}

// Where no version is known, the names of ranges in either table tell the dialect: since 2024.4
// each has its domain and a colon before it. What cannot be read is judged by the comparison.
Status CheckDialectByNames(const OfficialTables& official) {
  if (official.version_text && model::ParseNsysVersion(*official.version_text)) return Ok();
  std::optional<fs::path> without;  // a table of ranges whose names have no colon
  for (const Report report : {Report::kPushPop, Report::kGpuProjection}) {
    const auto file = official.files.find(report);
    if (file == official.files.end()) continue;
    const auto found = LookForDomains(report, file->second);
    if (!found.ok()) {
      if (found.error().code == Code::kInterrupted) return found.error();
      continue;
    }
    if (found->holds) return Ok();
    if (found->rows > 0 && !without) without = file->second;
  }
  if (!without) return Ok();
  return Error{.code = Code::kOlderDialect,
               .message =
                   "no range's name has a domain, so the tables are of nsys before 2024.4; "
                   "its dialect is not comparable with ours",
               .where = {.file = without->string()}};
}

Error OwnTables(const fs::path& folder) {
  return {.code = Code::kOwnTables,
          .message = Format("{} says that rangewise made these tables", tables::kSourceFileName),
          .where = {.file = folder.string()}};
}

// The tables of our names in a folder, and who made them.
Result<OfficialTables> LoadFolder(const fs::path& folder) {
  OfficialTables official{.files = tables::FindTables(folder), .folder = folder};
  ASSIGN_OR_RETURN(official.record, tables::LoadSourceRecord(folder));
  if (official.record && !official.record->nsys_version.empty()) {
    official.version_text = official.record->nsys_version;
  }
  return official;
}

// The same of a folder that a user named.
Result<OfficialTables> LoadNamedFolder(const fs::path& folder) {
  std::error_code unknown;
  if (!fs::is_directory(folder, unknown)) {
    return Error{.code = Code::kReadFailed,
                 .message = IsThere(folder) ? "--against names something that is no folder"
                                            : "--against names a folder that is not there",
                 .where = {.file = folder.empty() ? "''" : folder.string()},
                 .hint = "name the folder that holds the tables of nsys, <name>_<report>.csv"};
  }
  ASSIGN_OR_RETURN(OfficialTables official, LoadFolder(folder));
  for (const Report report : model::kReports) {
    ASSIGN_OR_RETURN(const std::optional<fs::path> path, FindTable(folder, report));
    if (path) official.files[report] = *path;
  }
  if (official.files.empty()) {
    return Error{.code = Code::kOfficialTablesMissing,
                 .message = "the folder holds no table named <name>_<report>.csv",
                 .where = {.file = folder.string()}};
  }
  return official;
}

bool MadeByNsys(const OfficialTables& official) {
  return !official.files.empty() && official.record &&
         official.record->made_by == tables::kMadeByNsys;
}

// Tables that are taken at the word of whoever put them there, unless a record says otherwise.
Result<OfficialTables> Vouched(OfficialTables official) {
  if (official.record && official.record->made_by != tables::kMadeByNsys)
    return OwnTables(official.folder);
  RETURN_IF_ERROR(CheckDialect(official.version_text, official.folder));
  RETURN_IF_ERROR(CheckDialectByNames(official));
  return official;
}

Result<OfficialTables> MakeNow(const ingest::NsysTool& nsys, const fs::path& trace,
                               const fs::path& fresh, const ingest::ProgressSink& progress) {
  RETURN_IF_ERROR(CheckDialect(nsys.version_text, nsys.path));
  RETURN_IF_ERROR(MakeDirectories(fresh));
  ASSIGN_OR_RETURN(ingest::StatsOutput made, ingest::RunNsysStats(nsys, trace, fresh, progress));
  return OfficialTables{.files = std::move(made.tables),
                        .folder = {},
                        .version_text = nsys.version_text,
                        .made_export = made.sqlite};
}

// Whether what lies beside the export belongs to others: it does not bear the name in a run.
bool IsForeign(const RunFiles& files) {
  return files.bare_export && files.bare_export->filename() != kExportName;
}

// The stats folder of the output folder, or of the run directory where that has none.
fs::path StatsOf(const RunFiles& files) {
  std::error_code error;
  if (IsForeign(files) || fs::is_directory(files.stats(), error)) return files.stats();
  return files.run / kStatsName;
}

// The trace to ask nsys about, if any. Of a bare export it is the one that bears its name.
Result<std::optional<fs::path>> FindTrace(const RunFiles& files) {
  if (IsForeign(files)) return std::optional<fs::path>();
  ASSIGN_OR_RETURN(const std::optional<uint64_t> size, TraceSize(files));
  return size ? std::optional<fs::path>(files.trace()) : std::nullopt;
}

// `found` lie in the run and cannot be taken, if there are any.
Error NoTables(const RunFiles& files, const OfficialTables& found, const std::string& why) {
  if (found.files.empty()) {
    return {.code = Code::kOfficialTablesMissing,
            .message = Format("there are no tables of nsys there or in {}/ below it, and {}",
                              tables::kOfficialFolderName, why),
            .where = {.file = StatsOf(files).string()}};
  }
  if (found.record) return OwnTables(found.folder);
  return {.code = Code::kUnknownMaker,
          .message = Format("the tables have no {}, and {}", tables::kSourceFileName, why),
          .where = {.file = found.folder.string()},
          .hint = Format("if nsys made them, say so by naming the folder: --against {}",
                         found.folder.string())};
}

}  // namespace

Result<OfficialTables> FindOfficialTables(const RunFiles& files, const OfficialRequest& request,
                                          const fs::path& fresh) {
  if (request.against) {
    ASSIGN_OR_RETURN(OfficialTables named, LoadNamedFolder(*request.against));
    return Vouched(std::move(named));
  }
  ASSIGN_OR_RETURN(OfficialTables found, LoadFolder(StatsOf(files)));
  if (!request.nsys_named) {
    // Anyone can put tables into a folder of that name, so the place alone says nothing.
    ASSIGN_OR_RETURN(OfficialTables aside,
                     LoadFolder(StatsOf(files) / tables::kOfficialFolderName));
    if (MadeByNsys(aside)) return Vouched(std::move(aside));
    if (MadeByNsys(found)) return Vouched(std::move(found));
    ASSIGN_OR_RETURN(OfficialTables unknown,
                     LoadFolder(StatsOf(files) / tables::kUnknownMakerFolderName));
    // To be named where there is nothing better.
    if (!aside.files.empty()) {
      found = std::move(aside);
    } else if (!unknown.files.empty()) {
      found = std::move(unknown);
    }
  }
  ASSIGN_OR_RETURN(const std::optional<fs::path> trace, FindTrace(files));
  if (!trace) {
    return NoTables(files, found, Format("there is no {} to make them from", kTraceName));
  }
  ASSIGN_OR_RETURN(const std::optional<ingest::NsysTool> nsys, ingest::FindNsys(request.search));
  if (!nsys) return NoTables(files, found, "no nsys was found to make them");
  return MakeNow(*nsys, *trace, fresh, request.progress);
}

}  // namespace rangewise::cli
