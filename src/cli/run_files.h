// Owns what is where in a run: the run directory or bare export, the output folder, their files,
// and how they relate. It reads no contents; whether things fit together is report_source's
// question.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"

namespace rangewise::cli {

namespace fs = std::filesystem;

inline constexpr const char* kManifestName = "manifest.yaml";
inline constexpr const char* kTraceName = "trace.nsys-rep";
inline constexpr const char* kExportName = "trace.sqlite";
inline constexpr const char* kStatsName = "stats";
inline constexpr const char* kAnalysisName = "analysis.json";

struct RunFiles {
  fs::path run;     // the run directory, as given; of a bare export, the folder that it lies in
  fs::path output;  // where stats/ and analysis.json go; `run` unless told otherwise
  std::string run_name;  // the run directory's own name, "." resolved
  std::optional<fs::path>
      bare_export;  // FILE.sqlite, when that was given instead of a run directory

  fs::path manifest() const { return run / kManifestName; }
  fs::path trace() const { return run / kTraceName; }
  fs::path stats() const { return output / kStatsName; }
  fs::path analysis() const { return output / kAnalysisName; }
  bool output_elsewhere() const { return output != run; }

  // Where an export that we have made goes.
  fs::path new_export() const { return output / kExportName; }
  // The export to read: the bare one, else that of the output folder, else that of the run
  // directory.
  std::optional<fs::path> FindExport() const;
};

// `run`: a run directory, or a bare export (a file), whose output folder is FILE_rangewise/ beside
// it unless `output` says otherwise. kRunMissing when there is neither.
Result<RunFiles> LocateRun(const std::string& run, const std::optional<std::string>& output);

// Whether a run directory is an analysis.json alone, and nothing that another could be made from:
// no manifest, trace or export, and no stats/ in it or in the output folder. Such an analysis is
// read as it stands.
bool HoldsOnlyAnalysis(const RunFiles& files);

// What to say of it where more is needed.
Error OnlyAnalysis(const RunFiles& files, Code code);

// The trace's size; nothing when it is not there. kTraceMissing for an empty file or no regular
// file.
Result<std::optional<uint64_t>> TraceSize(const RunFiles& files);

// What differs between the manifest's expected_trace_path and this run, as a sentence; nothing when
// its last two components are `<run directory's name>/trace.nsys-rep`.
std::optional<std::string> TracePathMismatch(const std::string& expected, const RunFiles& files);

}  // namespace rangewise::cli
