// Owns how a metric is named on the command line: NAME for iterations, NAME:RANGE for a range.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/comparison.h"

namespace rangewise::cli {

// What is wrong with `text` as far as can be told without runs; nothing when it is well formed.
std::optional<std::string> MetricProblem(const std::string& text);
// The same of a metric that is to be the primary one, which those of GPU work never are.
std::optional<std::string> PrimaryProblem(const std::string& text);

// The metric that `text` names among those of `runs`. RANGE is the names of a path joined by "." or
// by " > ", or a JSON list of them; where several domains have it, followed by @DOMAIN (@ alone:
// the default domain; the innermost name may then stand without "DOMAIN:"), and where it was
// recorded in both ways, by " (push/pop)" or " (start/end)". A range whose whole name is `text`
// comes first. A metric of GPU work that was not computed in some run can be of a range that only
// the host's rows know: there is no row of it then. kUsage when `text` is not well formed, names no
// range of these runs (with the nearest) or several.
Result<model::MetricKey> FindMetricKey(const std::string& text,
                                       std::span<const model::RunSummary> runs);

}  // namespace rangewise::cli
