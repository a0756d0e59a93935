// Owns manifest.yaml: YAML text to a validated model::Manifest, with an error that points at the
// line. docs/manifest.md is the same for users. What the header of the model leaves open is decided
// here:
//
//   * profile_name, run_id, device, git_commit, command_line: any scalar, its text as it stands (an
//   unquoted
//     `git_commit: 0123456` keeps its zero, `yes` stays "yes"); null and absent are the same.
//   * capture_range, expected_trace_path, iteration_pattern: a string or null. A number or boolean
//   is refused: what
//     PyYAML would make of it is no name of a range. `capture_range: null` sets
//     capture_range_given.
//   * record_ids: a list or null. record_ids_digest is the XXH3-128 (base/hash.h, hex) of the ids
//   in order, each as
//     `<byte length in decimal>:<text>,`. The text of a scalar is the one that stands in the file
//     (`1.0` and `1.00` differ, a null written `~` is "~"); that of a list or mapping is its value
//     as JSON without blanks, keys in byte order, strings in UTF-8 with only `"`, `\` and
//     characters below 0x20 escaped (as \u00XX), integers in digits, floats in the shortest form
//     that reads back. An empty list has a digest (of no bytes), null has none.
//   * workload, cuda, target, data_source: a mapping or null, copied whole by format::ToValue,
//   under one budget for
//     the whole manifest.
//   * workload.iterations: an integer in any notation gives expected_iterations, and nothing else
//   does: a float, a
//     boolean or a string is kept in workload and expects nothing. Beyond 64 bits it saturates: no
//     index can be that large, so that iterations are missing is the verdict either way, while
//     workload keeps the digits. Below zero it counts as 0, which expects no index. Nothing of that
//     length is ever built.
//   * started_at: ISO 8601 in its extended form, unquoted or quoted: YYYY-MM-DD, or with `T` or
//   blanks and hh:mm or
//     hh:mm:ss, a fraction of any length, and Z, ±hh, ±hhmm or ±hh:mm. The calendar is checked; the
//     text is kept.
//   * iteration_pattern, and `pattern` of name_rules: RE2 syntax of at most 2,000 bytes.
//   name_rules: a list of at
//     most 1,000 mappings of exactly `pattern` and `replace`, where `replace`
//     (2,000 bytes at most) names only groups that exist.
//
// Other keys are ignored whatever they hold.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/hash.h"
#include "base/result.h"
#include "format/yaml.h"
#include "model/run.h"

namespace rangewise::ingest {

// Parses `text` (at most 16 MiB); `file_name` is used in errors, and `budget` bounds what is copied
// out of it. Errors: those of format::ParseYaml and ToValue, kManifestNotAMapping,
// kManifestWrongType (the key, the type found and expected, and the position of the value),
// kManifestValue (a rule with an unknown or missing key), kBadPattern.
Result<model::Manifest> ParseManifest(std::string_view text, std::string_view file_name,
                                      format::ValueBudget budget = {});

struct LoadedManifest {
  model::Manifest manifest;
  Fingerprint fingerprint;  // of the very bytes that were parsed
};

// Reads and parses the file. kManifestMissing when there is none, kReadFailed when it cannot be
// read or is larger than 16 MiB. `path` is what errors name.
Result<LoadedManifest> LoadManifest(const std::filesystem::path& path);

}  // namespace rangewise::ingest
