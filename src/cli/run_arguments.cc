#include "cli/run_arguments.h"

#include <algorithm>
#include <system_error>

#include "base/glob.h"
#include "base/text.h"
#include "cli/output_file.h"
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

// Also a link that leads nowhere.
bool IsThere(const fs::path& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

bool IsRun(const fs::path& folder) {
  return IsThere(folder / kAnalysisName) || IsThere(folder / kManifestName) ||
         IsThere(folder / kTraceName) || IsThere(folder / kExportName) ||
         IsFolder(folder / kStatsName);
}

// "runs/a/" and "./runs/a" are "runs/a".
std::string LabelOf(const fs::path& path) {
  std::string label = path.lexically_normal().string();
  while (label.size() > 1 && label.back() == '/') label.pop_back();
  return label;
}

RunPlace PlaceOf(const fs::path& folder) {
  const bool analysed = IsThere(folder / kAnalysisName);
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

// Of an export or trace beside runs, whether no run in this folder was made of it.
bool IsPassedOver(const fs::path& file) {
  if (file.extension() != ".sqlite" && file.extension() != ".nsys-rep") return false;
  const Result<RunFiles> files = LocateRun(file.string(), std::nullopt);
  return !files.ok() || !IsRun(files->output);
}

Status AddRuns(const std::string& path, FoundRuns& found) {
  if (!IsFolder(path)) {
    ASSIGN_OR_RETURN(RunPlace place, PlaceOfFile(path));
    found.places.push_back(std::move(place));
    return Ok();
  }
  if (IsRun(path)) {
    found.places.push_back(PlaceOf(path));
    return Ok();
  }
  std::vector<fs::path> runs;
  std::vector<std::string> others;
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path& inside = entry->path();
    if (inside.filename().string().starts_with('.')) continue;
    if (IsFolder(inside) && IsRun(inside)) {
      runs.push_back(inside);
    } else if (IsFolder(inside) || IsPassedOver(inside)) {
      others.push_back(LabelOf(inside));
    }
  }
  if (error) return Missing(error.message(), path);
  if (runs.empty()) {
    return Missing(
        "the folder has neither analysis.json nor manifest.yaml, trace or export, nor have those "
        "in it",
        path);
  }
  std::sort(runs.begin(), runs.end(),
            [](const fs::path& a, const fs::path& b) { return a.string() < b.string(); });
  std::sort(others.begin(), others.end());
  for (const fs::path& run : runs) found.places.push_back(PlaceOf(run));
  found.passed_over.insert(found.passed_over.end(), others.begin(), others.end());
  return Ok();
}

// The folders that belong to a run.
std::vector<fs::path> FoldersOf(const RunPlace& place) {
  std::vector<fs::path> folders;
  // A file of another name stands among strangers.
  if (place.analysis.filename() == kAnalysisName) {
    const fs::path folder = place.analysis.parent_path();
    folders.push_back(folder.empty() ? fs::path(".") : folder);
  }
  if (place.run.empty()) return folders;
  if (IsFolder(place.run)) {
    folders.push_back(place.run);
  } else if (const Result<RunFiles> files = LocateRun(place.run.string(), std::nullopt);
             files.ok()) {
    folders.push_back(files->output);
  }
  return folders;
}

}  // namespace

Result<FoundRuns> FindRuns(std::span<const std::string> arguments) {
  FoundRuns found;
  for (const std::string& argument : arguments) {
    if (Exists(argument)) {
      RETURN_IF_ERROR(AddRuns(argument, found));
      continue;
    }
    const std::vector<std::string> matches =
        LooksLikeGlob(argument) ? ExpandGlob(argument) : std::vector<std::string>();
    if (matches.empty()) {
      return Missing(
          LooksLikeGlob(argument) ? "nothing is called like this pattern" : "there is no such run",
          argument);
    }
    for (const std::string& match : matches) RETURN_IF_ERROR(AddRuns(match, found));
  }
  return found;
}

std::optional<std::string> RunHolding(const fs::path& output, std::span<const RunPlace> places) {
  for (const RunPlace& place : places) {
    Kept kept{.files = {}, .folders = FoldersOf(place)};
    for (const fs::path& file : {place.analysis, place.run}) {
      if (!file.empty()) kept.files.push_back(file);
    }
    if (IsKept(output, kept)) return place.label;
  }
  return std::nullopt;
}

}  // namespace rangewise::cli
