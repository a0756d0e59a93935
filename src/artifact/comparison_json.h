// Owns the JSON form of a comparison and of a noise report: every number and each run's values, two
// kinds of one format (docs/comparison-json.md, schema/comparison-1.schema.json). The key `kind`
// tells them from each other and from an analysis. The same comparison gives the same bytes.
#pragma once

#include "base/files.h"
#include "model/comparison.h"

namespace rangewise::artifact {

inline constexpr int kComparisonSchemaVersion = 1;
inline constexpr std::string_view kComparisonKind = "comparison";
inline constexpr std::string_view kNoiseKind = "noise";

// O(size of the output); failures to write stay with `out`.
void WriteComparisonJson(const model::Comparison& comparison, Output& out);
void WriteNoiseJson(const model::NoiseReport& report, Output& out);

}  // namespace rangewise::artifact
