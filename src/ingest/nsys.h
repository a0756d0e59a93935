// Owns our dealings with NVIDIA's own tool: finding it, its version, what it knows, and asking it
// for report tables or an export. Its output goes where the caller says; nothing here decides what
// to keep. The .nsys-rep is handed to nsys and never opened otherwise (but for its size and hash).
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/nsys_version.h"
#include "model/rows.h"

namespace rangewise::ingest {

struct NsysTool {
  std::filesystem::path path;
  std::string
      version_text;  // as `nsys --version` prints it, one line; "unknown" if it says nothing
  std::optional<model::NsysVersion> version;
};

// Where to look: `named` (from --nsys) else `environment` ($RANGEWISE_NSYS), else PATH, else the
// newest
// `<install_root>/*/bin/nsys`. Named: must exist and run, else an error (kNsysNotFound,
// kNsysNotRunnable), never a fallback. Not named and nowhere found: an empty optional. One found by
// itself that does not run is passed over.
struct NsysSearch {
  std::optional<std::string> named;
  std::optional<std::string> environment;
  std::filesystem::path install_root = "/opt/nvidia/nsight-systems";
  int timeout_ms = 60'000;  // for the answer to --version
};
Result<std::optional<NsysTool>> FindNsys(const NsysSearch& search);

// Report names that `nsys stats --help-reports` lists, in its order.
Result<std::vector<std::string>> KnownReports(const NsysTool& tool);

using ProgressSink = std::function<void(std::string_view)>;

// What `nsys stats` left in the folder it was given.
struct StatsOutput {
  std::optional<std::filesystem::path> sqlite;            // the export, when nsys left one
  std::map<model::Report, std::filesystem::path> tables;  // all four; an empty file: does not apply
};

// One `nsys stats` with the four reports into `folder`, where files of an earlier call are removed
// first. Failures are told apart: kNsysCannotReadTrace, kNoNvtxData (the host table is empty and
// nsys said so), kNoHostRanges (empty for another reason), kReportNotMade (a table's file is not
// there), kDiskFull, kNsysFailed (with the command). Each carries the exact version, the end of
// nsys's own words and one next step.
Result<StatsOutput> RunNsysStats(const NsysTool& tool, const std::filesystem::path& trace,
                                 const std::filesystem::path& folder, const ProgressSink& progress);

// One `nsys export --type sqlite` to `target`, replacing it. Fails as RunNsysStats does where that
// applies.
Status RunNsysExport(const NsysTool& tool, const std::filesystem::path& trace,
                     const std::filesystem::path& target, const ProgressSink& progress);

}  // namespace rangewise::ingest
