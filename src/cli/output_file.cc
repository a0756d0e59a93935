#include "cli/output_file.h"

#include <utility>

#include "base/files.h"

namespace rangewise::cli {

Error AboutOutput(Error error) {
  if (!error.hint.empty()) return error;
  if (error.code == Code::kOutputNotWritable)
    error.hint = "name a file in a folder that can be written to with -o";
  if (error.code == Code::kDiskFull) error.hint = "free space, or name another file with -o";
  return error;
}

Status WriteOutputFile(const std::filesystem::path& target, std::string_view bytes) {
  Status written = WriteFileAtomically(target, bytes);
  if (!written.ok()) return AboutOutput(std::move(written).error());
  return Ok();
}

}  // namespace rangewise::cli
