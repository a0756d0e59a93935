// Owns manifest.yaml: YAML text to a validated model::Manifest, with an error that points at the line.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/hash.h"
#include "base/result.h"
#include "model/run.h"

namespace rangewise::ingest {

// Parses `text`; `file_name` is used in errors. Keys that are not ours are ignored.
Result<model::Manifest> ParseManifest(std::string_view text, std::string_view file_name);

struct LoadedManifest {
  model::Manifest manifest;
  Fingerprint fingerprint;
};

// Reads and parses the file. kManifestMissing when there is none.
Result<LoadedManifest> LoadManifest(const std::filesystem::path& path);

}  // namespace rangewise::ingest
