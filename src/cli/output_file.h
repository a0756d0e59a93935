// Owns writing the file that an option -o names.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.h"

namespace rangewise::cli {

// `error` about the file that -o names: its next step is about that option.
Error AboutOutput(Error error);

// Writes `bytes` to `target` as WriteFileAtomically does.
Status WriteOutputFile(const std::filesystem::path& target, std::string_view bytes);

}  // namespace rangewise::cli
