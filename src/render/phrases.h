// Owns what several outputs say in the same words about an analysis.
#pragma once

#include <cstdint>
#include <string>

#include "base/value.h"
#include "model/provenance.h"

namespace rangewise::render {

inline constexpr const char* kNotMeasured = "not measured";
inline constexpr const char* kTwoClocks =
    "Host time is CPU time between push and pop, not GPU latency. A GPU projection spans the "
    "first to the last GPU operation launched inside a range: it is not busy time. Never combine "
    "the two clocks, and never add the totals of a range and its children.";

// Where the report tables came from: "made by rangewise from the SQLite export".
const char* SourceInWords(model::ReportSource source);

// When the device is synchronised, by the manifest's mapping `cuda`; what it does not say is said to
// be not recorded.
std::string SynchronisationInWords(const ValueMap& cuda);

// A value of the manifest on one line; of a list or mapping its size only.
std::string ValueInWords(const Value& value);

// The sum; the largest number stands for all beyond 64 bits.
int64_t CappedSum(int64_t a, int64_t b);

}  // namespace rangewise::render
