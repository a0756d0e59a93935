// Owns the list of differences between NVIDIA's tables and ours that are meant: a stable word and a
// sentence each, and when it applies. docs/reports.md, "Documented differences", says the same to
// people; a test holds the two together.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/table_diff.h"
#include "model/trace.h"

namespace rangewise::tables {

enum class Documented : uint8_t {
  kNoGpuNames,
  kNoCopyLabels,
  kNoMemoryLabels,
  kNoGreenContexts,
  kDomainCreatedTwice,
  kThreadlessRanges,
  kOnlyOpenRanges,
  kRowOrder,
  kCsvForm,
};

struct DocumentedInfo {
  Documented difference;
  std::string_view word;
  std::string_view sentence;
};

// Every row, in the order of the enumeration.
std::span<const DocumentedInfo> AllDocumented();
const DocumentedInfo& Describe(Documented difference);

// To be asked before the trace is consumed. O(ranges) at worst.
model::ExportTraits TraitsOf(const model::Trace& trace);

// Why NVIDIA's `report` is an empty file where ours has rows; nothing when no reason is documented.
std::vector<Documented> ReasonsForEmpty(model::Report report, const model::ExportTraits& traits);

}  // namespace rangewise::tables
