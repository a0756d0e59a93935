#include "cli/run_files.h"

#include <vector>

#include "base/text.h"
#include "model/rows.h"
#include "tables/source_record.h"

namespace rangewise::cli {

namespace {

RunFiles LocateExport(const fs::path& file, const std::optional<std::string>& output) {
  RunFiles files{.run = file.parent_path(), .bare_export = file};
  if (files.run.empty()) files.run = ".";
  const fs::path stem = file.extension() == ".sqlite" ? file.stem() : file.filename();
  files.output = output ? fs::path(*output) : file.parent_path() / (stem.string() + "_rangewise");
  return files;
}

}  // namespace

std::optional<fs::path> RunFiles::FindExport() const {
  if (bare_export) return bare_export;
  std::error_code error;
  for (const fs::path& folder : {output, run}) {
    if (fs::exists(folder / kExportName, error)) return folder / kExportName;
  }
  return std::nullopt;
}

Result<RunFiles> LocateRun(const std::string& run, const std::optional<std::string>& output) {
  std::error_code error;
  if (fs::is_regular_file(run, error)) return LocateExport(run, output);
  RunFiles files{.run = run, .output = output ? fs::path(*output) : fs::path(run)};
  if (!fs::is_directory(files.run, error)) {
    if (fs::exists(fs::symlink_status(files.run, error))) {
      return Error{.code = Code::kRunMissing,
                   .message = "what bears that name is no folder and no regular file",
                   .where = {.file = run},
                   .hint = "name a run directory or a SQLite export; a link must lead to one"};
    }
    return Error{.code = Code::kRunMissing,
                 .message = "there is no run directory nor SQLite export of that name",
                 .where = {.file = run}};
  }
  const fs::path whole = fs::canonical(files.run, error);
  if (error) {
    return Error{.code = Code::kRunMissing, .message = error.message(), .where = {.file = run}};
  }
  files.run_name = whole.filename().string();
  // The same folder by another name is the same folder.
  if (output && fs::weakly_canonical(files.output, error) == whole) files.output = files.run;
  return files;
}

bool HoldsOnlyAnalysis(const RunFiles& files) {
  if (files.bare_export) return false;
  const auto is_there = [](const fs::path& path) {
    std::error_code error;  // a link that leads nowhere is there, and reading tells
    return fs::exists(fs::symlink_status(path, error));
  };
  if (!is_there(files.run / kAnalysisName)) return false;
  return !is_there(files.manifest()) && !is_there(files.trace()) &&
         !is_there(files.run / kExportName) && !is_there(files.new_export()) &&
         !is_there(files.run / kStatsName) && !is_there(files.stats());
}

Error OnlyAnalysis(const RunFiles& files, Code code) {
  return {.code = code,
          .message =
              Format("the folder holds {} and nothing that it could be made from", kAnalysisName),
          .where = {.file = files.run.string()},
          .hint = Format("summary, gpu and compare read it as it stands; everything else needs {} "
                         "and a trace, its export or its tables",
                         kManifestName)};
}

Result<std::optional<uint64_t>> TraceSize(const RunFiles& files) {
  std::error_code error;
  const fs::file_status status = fs::status(files.trace(), error);
  if (!fs::exists(status)) return std::optional<uint64_t>();
  if (!fs::is_regular_file(status)) {
    return Error{.code = Code::kTraceMissing,
                 .message = "the trace is no regular file",
                 .where = {.file = files.trace().string()}};
  }
  const uint64_t size = fs::file_size(files.trace(), error);
  if (error || size == 0) {
    return Error{.code = Code::kTraceMissing,
                 .message = error ? error.message() : "the trace is an empty file",
                 .where = {.file = files.trace().string()}};
  }
  return std::optional<uint64_t>(size);
}

std::optional<std::string> TracePathMismatch(const std::string& expected, const RunFiles& files) {
  const fs::path path(expected);
  const std::string file = path.filename().string();
  const std::string folder = path.parent_path().filename().string();
  if (file == kTraceName && folder == files.run_name) return std::nullopt;
  return Format("expected_trace_path ends in {}, this run's trace is {}",
                Quoted(folder + "/" + file), Quoted(files.run_name + "/" + kTraceName));
}

}  // namespace rangewise::cli
