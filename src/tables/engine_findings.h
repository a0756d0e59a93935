// Owns what an export shows and no table does: how much GPU work lies in ranges, and the traps in the ranges
// themselves, each with its count and an example.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "model/coverage.h"
#include "model/trace.h"
#include "tables/engine_projection.h"
#include "tables/engine_tree.h"

namespace rangewise::tables {

// What lies in a range that may be the capture range.
struct CandidateCounts {
  uint64_t operations = 0;   // launched by calls inside
  uint64_t open_ranges = 0;  // of its thread that began inside and never ended, itself included
};

// Push/pop ranges of `set` whose display name is `capture_range`; none when there are more than a few, since a
// manifest's capture range occurs once.
std::vector<uint32_t> CaptureCandidates(const model::Trace& trace, const RangeSet& set,
                                        const std::string& capture_range);

// Of each candidate, by its row id. Which of them is the capture range is known once the host table is.
std::map<int64_t, CandidateCounts> CountInCandidates(const model::Trace& trace, const RangeSet& set,
                                                     std::span<const uint32_t> candidates);

// Counts how many of the operations are in ranges as far as the projection knows; what concerns the capture range is
// left open.
model::Coverage CountCoverage(const model::Trace& trace, size_t operations, const ProjectionResult& projection);

// Ranges of `set` (the push/pop ranges) that share their interval with another, by kIdenticalRanges.
void WarnOfIdenticalRanges(const RangeSet& set, const RangeForest& forest, const model::NamePool& names,
                           Diagnostics& diagnostics);
// Open ranges and ranges that another thread ended.
void WarnOfOpenAndCrossThreadRanges(const model::Trace& trace, Diagnostics& diagnostics);
// Graph launches, doubled domains, and coverage below nine tenths.
void WarnOfFindings(const model::ExportFindings& findings, const model::Coverage& coverage,
                    Diagnostics& diagnostics);

}  // namespace rangewise::tables
