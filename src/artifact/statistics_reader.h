// Owns reading the statistics of a group's instances (docs/analysis-json.md) back.
#pragma once

#include <optional>

#include "format/json_reader.h"
#include "model/analysis.h"

namespace rangewise::artifact {

// The object that the writer makes of the same statistics, and any with those keys whose median is
// from the minimum to the maximum. An error stays with the reader.
template <typename Ns>
model::Statistics<Ns> ReadStatistics(format::JsonReader& json);

template <typename Ns>
std::optional<model::Statistics<Ns>> ReadOptionalStatistics(format::JsonReader& json) {
  if (json.TakeNull()) return std::nullopt;
  return ReadStatistics<Ns>(json);
}

}  // namespace rangewise::artifact
