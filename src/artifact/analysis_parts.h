// Owns the parts of analysis.json that stand elsewhere, too: each function writes one value, whose
// key was written before.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "format/json.h"
#include "model/provenance.h"

namespace rangewise::artifact {

void WriteKernel(format::JsonWriter& json, const model::KernelTotal& kernel,
                 const model::NamePool& names);
void WriteCopy(format::JsonWriter& json, const model::CopyTotal& copy,
               const model::NamePool& names);
void WriteIteration(format::JsonWriter& json, const model::Iteration& iteration);
void WriteIterationSummary(format::JsonWriter& json, const model::IterationSummary& summary);
void WriteCoverage(format::JsonWriter& json, const std::optional<model::Coverage>& coverage);
// `version` is that of the rangewise which made the analysis; absent: not known.
void WriteProvenance(format::JsonWriter& json, const model::Provenance& provenance,
                     std::optional<std::string_view> version);
void WriteWarnings(format::JsonWriter& json, std::span<const Warning> warnings);
void WriteRun(format::JsonWriter& json, const model::Manifest& manifest,
              const model::Harness& harness);

}  // namespace rangewise::artifact
