#include "cli/output_file.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "model/rows.h"

namespace rangewise::cli {
namespace {

// The file that came through a redirection, as `< analysis.json`.
constexpr const char* kStandardInputFile = "/dev/stdin";

// `path` with every link in it followed, the last one too when it leads nowhere.
fs::path Resolved(fs::path path) {
  constexpr int kMostLinks = 40;
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(path, error); ++i)
    path = path.parent_path() / fs::read_symlink(path, error);
  fs::path folder = path.parent_path();
  if (folder.empty()) folder = ".";
  return fs::weakly_canonical(folder, error) / path.filename();
}

bool LiesIn(const fs::path& resolved, const fs::path& folder) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(folder, error);
  if (error) return false;
  return std::mismatch(whole.begin(), whole.end(), resolved.begin(), resolved.end()).first ==
         whole.end();
}

fs::path FolderOf(const fs::path& file) {
  return file.parent_path().empty() ? fs::path(".") : file.parent_path();
}

void Append(const Kept& more, Kept& kept) {
  kept.files.insert(kept.files.end(), more.files.begin(), more.files.end());
  kept.folders.insert(kept.folders.end(), more.folders.begin(), more.folders.end());
}

}  // namespace

bool IsKept(const fs::path& output, const Kept& kept) {
  const fs::path resolved = Resolved(output);
  const bool is_file = std::any_of(kept.files.begin(), kept.files.end(), [&](const fs::path& file) {
    std::error_code error;  // a hard link is the same file, too
    return fs::equivalent(file, output, error) || Resolved(file) == resolved;
  });
  return is_file || std::any_of(kept.folders.begin(), kept.folders.end(),
                                [&](const fs::path& folder) { return LiesIn(resolved, folder); });
}

Kept InputsOf(const RunFiles& files) {
  Kept kept{.files = {files.trace(), files.run / kExportName, files.new_export()},
            .folders = {files.stats()}};
  if (files.bare_export) {
    kept.files.push_back(*files.bare_export);
    return kept;
  }
  kept.files.push_back(files.manifest());
  kept.folders.push_back(files.run / kStatsName);
  // A table can be a link to a file elsewhere, or have a second name.
  for (const fs::path& folder : {files.run / kStatsName, files.stats()}) {
    for (const model::Report report : model::kReports)
      kept.files.push_back(folder / model::ReportFileName(report));
  }
  return kept;
}

Kept PartsOf(const RunFiles& files) {
  Kept kept = InputsOf(files);
  kept.files.push_back(files.analysis());
  return kept;
}

Kept PartsOfArgument(const std::string& argument, const std::optional<std::string>& output_folder) {
  if (argument == "-") return {.files = {kStandardInputFile}, .folders = {}};
  Kept kept;
  if (const Result<RunFiles> files = LocateRun(argument, output_folder); files.ok())
    Append(PartsOf(*files), kept);
  if (fs::path(argument).filename() == kAnalysisName) {
    const Result<RunFiles> around = LocateRun(FolderOf(argument).string(), std::nullopt);
    if (around.ok()) Append(PartsOf(*around), kept);
  }
  return kept;
}

Status CheckOutput(const std::string& output, const Kept& kept, std::string_view what_it_is) {
  if (output.empty() || output == "-" || !IsKept(output, kept)) return Ok();
  return Error{.code = Code::kUsage,
               .message = Format("-o names {}, {}", Quoted(fs::path(output).filename().string()),
                                 what_it_is),
               .where = {.file = output},
               .hint = "name another file"};
}

Error AboutOutput(Error error) {
  if (!error.hint.empty()) return error;
  if (error.code == Code::kOutputNotWritable)
    error.hint = "name a file in a folder that can be written to with -o";
  if (error.code == Code::kDiskFull) error.hint = "free space, or name another file with -o";
  return error;
}

Status WriteOutputFile(const fs::path& target, std::string_view bytes) {
  Status written = WriteFileAtomically(target, bytes);
  if (!written.ok()) return AboutOutput(std::move(written).error());
  return Ok();
}

}  // namespace rangewise::cli
