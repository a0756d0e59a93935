#include "cli/run_arguments.h"

#include <algorithm>
#include <system_error>

#include "base/glob.h"
#include "base/text.h"
#include "cli/run_files.h"

namespace rangewise::cli {
namespace {

bool Exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

bool IsFolder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool IsRun(const fs::path& folder) {
  return Exists(folder / kAnalysisName) || Exists(folder / kManifestName);
}

// "runs/a/" and "./runs/a" are "runs/a".
std::string LabelOf(const fs::path& path) {
  std::string label = path.lexically_normal().string();
  while (label.size() > 1 && label.back() == '/') label.pop_back();
  return label;
}

RunPlace PlaceOf(const fs::path& folder) {
  const bool analysed = Exists(folder / kAnalysisName);
  return {LabelOf(folder), folder, analysed ? folder / kAnalysisName : fs::path()};
}

Error Missing(std::string message, const std::string& argument) {
  return {.code = Code::kRunMissing,
          .message = std::move(message),
          .where = {.file = argument},
          .hint = "name run directories, folders of them, analysis.json files or exports"};
}

// Of a bare export the analysis lies in the folder beside it.
Result<RunPlace> PlaceOfFile(const fs::path& file) {
  if (file.extension() == ".json") return RunPlace{LabelOf(file), {}, file};
  ASSIGN_OR_RETURN(const RunFiles files, LocateRun(file.string(), std::nullopt));
  return RunPlace{LabelOf(file), file, Exists(files.analysis()) ? files.analysis() : fs::path()};
}

Status AddRuns(const std::string& path, std::vector<RunPlace>& places) {
  if (!IsFolder(path)) {
    ASSIGN_OR_RETURN(RunPlace place, PlaceOfFile(path));
    places.push_back(std::move(place));
    return Ok();
  }
  if (IsRun(path)) {
    places.push_back(PlaceOf(path));
    return Ok();
  }
  std::vector<fs::path> runs;
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    if (IsFolder(entry->path()) && IsRun(entry->path())) runs.push_back(entry->path());
  }
  if (error) return Missing(error.message(), path);
  if (runs.empty())
    return Missing("the folder has neither analysis.json nor manifest.yaml, nor have those in it",
                   path);
  std::sort(runs.begin(), runs.end(),
            [](const fs::path& a, const fs::path& b) { return a.string() < b.string(); });
  for (const fs::path& run : runs) places.push_back(PlaceOf(run));
  return Ok();
}

}  // namespace

Result<std::vector<RunPlace>> FindRuns(std::span<const std::string> arguments) {
  std::vector<RunPlace> places;
  for (const std::string& argument : arguments) {
    if (Exists(argument)) {
      RETURN_IF_ERROR(AddRuns(argument, places));
      continue;
    }
    const std::vector<std::string> matches =
        LooksLikeGlob(argument) ? ExpandGlob(argument) : std::vector<std::string>();
    if (matches.empty()) {
      return Missing(
          LooksLikeGlob(argument) ? "nothing is called like this pattern" : "there is no such run",
          argument);
    }
    for (const std::string& match : matches) RETURN_IF_ERROR(AddRuns(match, places));
  }
  return places;
}

}  // namespace rangewise::cli
