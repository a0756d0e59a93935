// Owns what the numbers of a page mean, a line each: the heading of a column carries its line, and
// the glossary lists all of them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace rangewise::render {

enum class Term : uint8_t {
  kName,
  kIteration,
  kInstances,
  kHostInclusive,
  kHostExclusive,
  kGpuProjection,
  kProjectedTotal,
  kOperations,
  kStyle,
  kNames,
  kTotal,
  kMean,
  kMedian,
  kMinimum,
  kMaximum,
  kP90,
  kP95,
  kP99,
  kDeviation,
  kMad,
  kVariation,
  kBusy,
  kBusyShare,
  kKernelsSummed,
  kCopiesSummed,
  kSetsSummed,
  kOwnSummed,
  kLaunches,
  kExposedCommunication,
  kHostWaits,
  kOwnWaits,
  kLaunching,
  kMemoryCalls,
  kOtherCalls,
  kSynchronisations,
  kDelay,
  kDelayP95,
  kDelayMaximum,
  kBeganInCall,
  kKernelTime,
  kKernelShare,
  kCopyTime,
  kBytes,
  kThroughput,
  kMemoryKind,
  kDevice,
  kWindow,
  kIdle,
  kIdleShare,
  kGaps,
  kLongGaps,
  kIdleInLongGaps,
  kGapLength,
  kGapStart,
  kGapCall,
  kGapRange,
  kGapFilling,
  kNamedBy,
  kShare,
  kVerdict,
  kRatio,
  kInterval,
  kP,
  kQ,
  kBaseline,
  kCandidate,
  kPlace,
  kWithinRun,
  kState,
  kMeasure,
  kDrawn,
  kNotDrawn,
  kTimelineWindow,
  kLanes,
  kKey,
  kRun,
  kCommit,
  kBegan,
  kAllowed,
  kValue,
  kCount,
};

struct TermInfo {
  Term term;
  std::string_view word;  // as the glossary lists it
  std::string_view line;  // one or two sentences
  bool of_comparisons;    // a comparison's page has it
  bool of_runs;
};

const TermInfo& Describe(Term term);
std::span<const TermInfo> AllTerms();

}  // namespace rangewise::render
