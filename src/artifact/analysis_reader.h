// Owns reading an analysis.json back (docs/analysis-json.md), as a stream: nothing is kept of the
// text, and memory grows with groups and iterations only. It is the inverse of WriteAnalysisJson:
// what that wrote is read and written again as the same bytes.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "format/json_reader.h"
#include "model/analysis_file.h"

namespace rangewise::artifact {

// `source` gives the bytes, `file_name` is for errors only. Keys may stand in any order. Those that
// the format has had from its beginning must be there; one that came later may be absent, which is
// said in the result by an empty optional or a flag, and an unknown one is passed over. kReadFailed
// for bytes that do not come, kNotAnAnalysis for what is no JSON or of another shape, with the place
// by line, column and keys. O(bytes).
Result<model::AnalysisFile> ReadAnalysis(format::ByteSource source, std::string file_name);

// The file at `path`; kReadFailed when it cannot be opened.
Result<model::AnalysisFile> ReadAnalysisFile(const std::filesystem::path& path);

}  // namespace rangewise::artifact
