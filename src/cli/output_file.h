// Owns the file that an option -o names: what it must not replace, and writing it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/run_files.h"

namespace rangewise::cli {

// What a result must leave alone, be it there already or not.
struct Kept {
  std::vector<std::filesystem::path> files;
  std::vector<std::filesystem::path> folders;  // with all that lies in them
};

// Whether `output` is one of the files or lies in one of the folders, by whatever name: links are
// followed, the last one too when it leads nowhere.
bool IsKept(const std::filesystem::path& output, const Kept& kept);

// The manifest, the trace, the exports, stats/ and the analysis of a run.
Kept InputsOf(const RunFiles& files);  // without the analysis
Kept PartsOf(const RunFiles& files);

// What a verb that shows something must leave alone, by its argument: a run, an export, an
// analysis.json with the run that it lies in, another document, or "-".
Kept PartsOfArgument(const std::string& argument, const std::optional<std::string>& output_folder);

// What such a file is to a verb that shows something, for CheckOutput.
inline constexpr std::string_view kPartOfWhatIsShown = "which is part of what is shown";

// kUsage where `output` is kept; "" and "-" are standard output and never are. `what_it_is`: what
// the file is to the command.
Status CheckOutput(const std::string& output, const Kept& kept, std::string_view what_it_is);

// `error` about the file that -o names: its next step is about that option.
Error AboutOutput(Error error);

// Writes `bytes` to `target` as WriteFileAtomically does.
Status WriteOutputFile(const std::filesystem::path& target, std::string_view bytes);

}  // namespace rangewise::cli
