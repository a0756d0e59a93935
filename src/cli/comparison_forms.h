// Owns the forms in which a comparison or a noise report leaves the program, be it just made or
// read back from its file.
#pragma once

#include <optional>
#include <string>

#include "analysis/redactor.h"
#include "artifact/comparison_reader.h"
#include "base/result.h"
#include "cli/piped_document.h"
#include "model/comparison.h"

namespace rangewise::cli {

// `format`: text, md or json.
std::string InForm(const model::Comparison& comparison, const std::string& format);
std::string InForm(const model::NoiseReport& report, const std::string& format);

// Whether the file, or what comes through a pipe that nothing was read of yet, says that it is one
// of the two.
bool IsComparisonFile(const std::string& path);
bool IsComparison(PipedDocument& document);

// What to say of such a document where an analysis was expected: kNotAnAnalysis.
Error ComparisonIsNoAnalysis(const std::string& file_name);

// The comparison or noise report in the file `path`, or that comes through a pipe, which is read
// only when it is one of the two; nothing when it is neither. kReadFailed and kNotAnAnalysis for
// one that is broken.
Result<std::optional<artifact::ComparisonFile>> FindComparison(const std::string& path);
Result<std::optional<artifact::ComparisonFile>> FindComparison(PipedDocument& document);

// What FindComparison gives, in that form and redacted where that is asked for.
std::string InForm(artifact::ComparisonFile file, const std::string& format,
                   const std::optional<analysis::RedactOptions>& redact);

}  // namespace rangewise::cli
