#include "cli/official_tables.h"

#include <algorithm>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "model/nsys_version.h"
#include "tables/stats_folder.h"

namespace rangewise::cli {
namespace {

using model::Report;

constexpr const char* kOfficialName = "official";
constexpr const char* kMadeByNsys = "nsys";

bool IsFile(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
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
  if (IsFile(usual)) return std::optional<fs::path>(usual);
  const std::string plain = Format("{}.csv", model::ReportName(report));
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().native();
    if ((name == plain || name.ends_with("_" + plain)) && IsFile(entry->path())) {
      found.push_back(entry->path());
    }
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

Error OwnTables(const fs::path& folder) {
  return {.code = Code::kOwnTables,
          .message = Format("{} says that rangewise made these tables", tables::kSourceFileName),
          .where = {.file = folder.string()}};
}

// The tables of a folder and who made them.
Result<OfficialTables> LoadFolder(const fs::path& folder) {
  OfficialTables official{.files = {}, .folder = folder};
  for (const Report report : model::kReports) {
    ASSIGN_OR_RETURN(const std::optional<fs::path> path, FindTable(folder, report));
    if (path) official.files[report] = *path;
  }
  ASSIGN_OR_RETURN(official.record, tables::LoadSourceRecord(folder));
  if (official.record) official.version_text = official.record->nsys_version;
  return official;
}

// Tables that are taken at the word of whoever put them there, unless a record says otherwise.
Result<OfficialTables> Vouched(OfficialTables official) {
  if (official.record && official.record->made_by != kMadeByNsys) return OwnTables(official.folder);
  RETURN_IF_ERROR(CheckDialect(official.version_text, official.folder));
  return official;
}

Result<OfficialTables> MakeNow(const ingest::NsysTool& nsys, const fs::path& trace,
                               const fs::path& fresh, const ingest::ProgressSink& progress) {
  RETURN_IF_ERROR(CheckDialect(nsys.version_text, nsys.path));
  RETURN_IF_ERROR(MakeDirectories(fresh));
  ASSIGN_OR_RETURN(ingest::StatsOutput made, ingest::RunNsysStats(nsys, trace, fresh, progress));
  OfficialTables official{
      .files = std::move(made.tables), .folder = {}, .version_text = nsys.version_text};
  if (const fs::path sqlite = fresh / kExportName; IsFile(sqlite)) official.made_export = sqlite;
  return official;
}

// The stats folder of the output folder, or of the run directory where that has none.
fs::path StatsOf(const VerifyPlace& place) {
  std::error_code error;
  const fs::path stats = place.output / kStatsName;
  return fs::is_directory(stats, error) ? stats : place.run / kStatsName;
}

Error NoTables(const VerifyPlace& place, const OfficialTables& stats, const std::string& why) {
  if (stats.files.empty()) {
    return {.code = Code::kOfficialTablesMissing,
            .message = Format("there are no tables of nsys in {}, and {}", kStatsName, why),
            .where = {.file = place.run.string()}};
  }
  if (stats.record) return OwnTables(stats.folder);
  return {.code = Code::kUnknownMaker,
          .message = Format("the tables have no {}, and {}", tables::kSourceFileName, why),
          .where = {.file = stats.folder.string()}};
}

}  // namespace

Result<VerifyPlace> LocateVerification(const std::string& run,
                                       const std::optional<std::string>& output) {
  if (IsFile(run)) {
    const fs::path file(run);
    VerifyPlace place{.run = file.parent_path().empty() ? "." : file.parent_path(), .sqlite = file};
    place.output =
        output ? fs::path(*output) : file.parent_path() / (file.stem().string() + "_rangewise");
    // The folder's own stats/ belongs to another export, if to any.
    place.run = place.output;
    return place;
  }
  ASSIGN_OR_RETURN(const RunFiles files, LocateRun(run, output));
  VerifyPlace place{.run = files.run, .output = files.output};
  for (const fs::path& folder : {files.output, files.run}) {
    if (!place.sqlite && IsFile(folder / kExportName)) place.sqlite = folder / kExportName;
  }
  ASSIGN_OR_RETURN(const std::optional<uint64_t> trace, TraceSize(files));
  if (trace) place.trace = files.trace();
  return place;
}

Result<OfficialTables> FindOfficialTables(const VerifyPlace& place, const OfficialRequest& request,
                                          const fs::path& fresh) {
  if (request.against) {
    ASSIGN_OR_RETURN(OfficialTables named, LoadFolder(*request.against));
    if (named.files.empty()) {
      return Error{.code = Code::kOfficialTablesMissing,
                   .message = "the folder holds no table named <name>_<report>.csv",
                   .where = {.file = *request.against}};
    }
    return Vouched(std::move(named));
  }
  ASSIGN_OR_RETURN(OfficialTables stats, LoadFolder(StatsOf(place)));
  if (!request.nsys_named) {
    ASSIGN_OR_RETURN(OfficialTables aside, LoadFolder(StatsOf(place) / kOfficialName));
    if (!aside.files.empty()) return Vouched(std::move(aside));
    const bool made_by_nsys = stats.record && stats.record->made_by == kMadeByNsys;
    if (made_by_nsys && !stats.files.empty()) return Vouched(std::move(stats));
  }
  if (!place.trace) {
    return NoTables(place, stats, Format("there is no {} to make them from", kTraceName));
  }
  ASSIGN_OR_RETURN(const std::optional<ingest::NsysTool> nsys, ingest::FindNsys(request.search));
  if (!nsys) return NoTables(place, stats, "no nsys was found to make them");
  return MakeNow(*nsys, *place.trace, fresh, request.progress);
}

}  // namespace rangewise::cli
