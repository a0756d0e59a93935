// Owns reading a comparison or a noise report back from its JSON (docs/comparison-json.md). It is
// the inverse of WriteComparisonJson and WriteNoiseJson: what those wrote is read and written again
// as the same bytes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>

#include "base/result.h"
#include "format/json_reader.h"
#include "model/comparison.h"

namespace rangewise::artifact {

using ComparisonFile = std::variant<model::Comparison, model::NoiseReport>;

// The value of the key `kind` of an object, which tells what the document is; nothing where it has
// none, as an analysis, or is no JSON. O(bytes before that key).
std::optional<std::string> ReadKind(format::ByteSource source);

// `text` is a whole document. Keys may stand in any order; unknown ones are passed over.
// kNotAnAnalysis for what is no JSON or of another shape.
Result<ComparisonFile> ReadComparison(std::string_view text, std::string file_name);

}  // namespace rangewise::artifact
