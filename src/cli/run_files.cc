#include "cli/run_files.h"

#include "base/text.h"

namespace rangewise::cli {

Result<RunFiles> LocateRun(const std::string& run, const std::optional<std::string>& output) {
  RunFiles files{.run = run, .output = output ? fs::path(*output) : fs::path(run), .run_name = {}};
  std::error_code error;
  if (!fs::is_directory(files.run, error)) {
    return Error{.code = Code::kRunMissing,
                 .message = fs::exists(files.run, error)
                                ? "found a file where a run directory was expected"
                                : "the run directory does not exist",
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
