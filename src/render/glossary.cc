#include "render/glossary.h"

#include <cstddef>
#include <iterator>

namespace rangewise::render {
namespace {

constexpr bool kRun = true;
constexpr bool kNoRun = false;
constexpr bool kBoth = true;
constexpr bool kNoComparison = false;

constexpr TermInfo kTerms[] = {
    {Term::kName, "name",
     "Names of ranges from the nearest iteration, capture or top level down, joined by a point.",
     kBoth, kRun},
    {Term::kIteration, "iteration", "The number in the iteration's name, or its place in time.",
     kNoComparison, kRun},
    {Term::kInstances, "ranges", "How many ranges the row is made of.", kNoComparison, kRun},
    {Term::kHostInclusive, "host inclusive",
     "Host time from push to pop, nested ranges included. CPU time, not GPU latency.", kBoth, kRun},
    {Term::kHostExclusive, "host exclusive",
     "Host time of the range outside of the ranges nested in it.", kBoth, kRun},
    {Term::kGpuProjection, "GPU projection",
     "From the first to the last GPU operation launched inside the range, gaps included. It is not "
     "busy time.",
     kBoth, kRun},
    {Term::kProjectedTotal, "projected",
     "GPU projections of the row's ranges, summed. Those of a range and its children overlap.",
     kNoComparison, kRun},
    {Term::kOperations, "GPU ops",
     "GPU operations: kernels, copies and sets. In a projection, distinct launching calls.",
     kNoComparison, kRun},
    {Term::kStyle, "style", "PushPop: pushed and popped on one thread. StartEnd: started and ended.",
     kNoComparison, kRun},
    {Term::kNames, "names", "How many distinct scope paths the name rules made one.", kNoComparison,
     kRun},
    {Term::kTotal, "total", "Sum over the instances.", kNoComparison, kRun},
    {Term::kMean, "mean", "Total over the number of instances.", kNoComparison, kRun},
    {Term::kMedian, "median", "The middle value; of an even number the mean of the middle two.",
     kNoComparison, kRun},
    {Term::kMinimum, "minimum", "The smallest value.", kNoComparison, kRun},
    {Term::kMaximum, "maximum", "The largest value.", kNoComparison, kRun},
    {Term::kP90, "p90", "90th percentile, linear between neighbours.", kNoComparison, kRun},
    {Term::kP95, "p95", "95th percentile, linear between neighbours.", kNoComparison, kRun},
    {Term::kP99, "p99", "99th percentile, linear between neighbours.", kNoComparison, kRun},
    {Term::kDeviation, "std. dev.", "Sample standard deviation, over n - 1; unknown for one value.",
     kNoComparison, kRun},
    {Term::kMad, "MAD", "Median of the absolute deviations from the median, not scaled.",
     kNoComparison, kRun},
    {Term::kVariation, "coefficient of variation", "Standard deviation over mean.", kNoComparison,
     kRun},
    {Term::kBusy, "busy",
     "Time in which at least one operation ran: the length of a union. Busy times of a range and "
     "of those inside it do not add up.",
     kBoth, kRun},
    {Term::kBusyShare, "busy share", "Busy time over the GPU projection.", kNoComparison, kRun},
    {Term::kKernelsSummed, "kernels summed",
     "Durations of kernels summed, also of those that ran at the same time.", kBoth, kRun},
    {Term::kCopiesSummed, "copies summed", "Durations of copies summed.", kNoComparison, kRun},
    {Term::kSetsSummed, "sets summed", "Durations of memory sets summed.", kNoComparison, kRun},
    {Term::kOwnSummed, "own summed",
     "Durations of the operations that no smaller range launched, summed.", kNoComparison, kRun},
    {Term::kLaunches, "launches", "Distinct launching calls.", kNoComparison, kRun},
    {Term::kExposedCommunication, "comm. exposed",
     "Communication while nothing computed on the same device, summed over devices.", kBoth, kRun},
    {Term::kHostWaits, "host waits",
     "Host time in synchronising calls and blocking copies. The host's clock, not the GPU's.",
     kBoth, kRun},
    {Term::kOwnWaits, "own waits", "Host waits in calls that no smaller range holds.",
     kNoComparison, kRun},
    {Term::kLaunching, "launching", "Host time in calls that launch work.", kNoComparison, kRun},
    {Term::kMemoryCalls, "memory", "Host time in calls that allocate, free or copy memory.",
     kNoComparison, kRun},
    {Term::kOtherCalls, "other", "Host time in all other CUDA calls.", kNoComparison, kRun},
    {Term::kSynchronisations, "synchronisations", "Synchronisations as CUPTI recorded them.",
     kNoComparison, kRun},
    {Term::kDelay, "delay median",
     "Median time from the end of the launching call to the start of its operation.",
     kNoComparison, kRun},
    {Term::kDelayP95, "delay p95", "95th percentile of that delay.", kNoComparison, kRun},
    {Term::kDelayMaximum, "delay maximum", "The longest such delay.", kNoComparison, kRun},
    {Term::kBeganInCall, "began in call",
     "Operations that began during their launching call; the delays leave them out.",
     kNoComparison, kRun},
    {Term::kKernelTime, "run time",
     "Durations of the kernel summed over its launches, which can overlap.", kNoComparison, kRun},
    {Term::kKernelShare, "share", "Of the summed durations of all kernels.", kNoComparison, kRun},
    {Term::kCopyTime, "copy time", "Durations of these copies summed.", kNoComparison, kRun},
    {Term::kBytes, "bytes", "Bytes that were copied or set.", kNoComparison, kRun},
    {Term::kThroughput, "bytes/s", "Bytes over the summed durations.", kNoComparison, kRun},
    {Term::kMemoryKind, "from, to", "The kind of memory that was copied from or to.",
     kNoComparison, kRun},
    {Term::kDevice, "device", "The GPU's number; the export's own.", kNoComparison, kRun},
    {Term::kWindow, "window", "The time that idle time is looked for in.", kNoComparison, kRun},
    {Term::kIdle, "idle",
     "Time of the window in which no operation ran on the device, in a range or not.",
     kNoComparison, kRun},
    {Term::kIdleShare, "of window", "Idle time over the window's length.", kNoComparison, kRun},
    {Term::kGaps, "gaps", "Idle times, however short.", kNoComparison, kRun},
    {Term::kLongGaps, "long gaps", "Gaps of at least the threshold.", kNoComparison, kRun},
    {Term::kIdleInLongGaps, "idle in long", "Idle time in long gaps.", kNoComparison, kRun},
    {Term::kGapLength, "gap", "How long the device was idle at a stretch.", kNoComparison, kRun},
    {Term::kGapStart, "begins after", "From the start of the window.", kNoComparison, kRun},
    {Term::kGapCall, "CUDA call",
     "The call that the capture range's thread was in when the gap began.", kNoComparison, kRun},
    {Term::kGapRange, "host range",
     "The innermost range that the capture range's thread was in when the gap began.",
     kNoComparison, kRun},
    {Term::kNamedBy, "named by", "Findings that name this iteration, with their clock.",
     kNoComparison, kRun},
    {Term::kShare, "share", "Of all operations.", kNoComparison, kRun},
    {Term::kVerdict, "verdict",
     "What the runs tell of this row; the reason stands behind it where there is one.", kBoth,
     kNoRun},
    {Term::kRatio, "ratio",
     "Candidate over baseline: the Hodges-Lehmann estimate over runs. 1 is no difference.", kBoth,
     kNoRun},
    {Term::kInterval, "interval", "Of the ratio, by the rank test; from five runs a side.", kBoth,
     kNoRun},
    {Term::kP, "p", "Of the rank test, for the primary metric.", kBoth, kNoRun},
    {Term::kQ, "q", "p after the correction for the rows that are tested together.", kBoth, kNoRun},
    {Term::kBaseline, "baseline", "Median over the baseline's runs; a run's value is its median.",
     kBoth, kNoRun},
    {Term::kCandidate, "candidate", "Median over the candidate's runs.", kBoth, kNoRun},
    {Term::kPlace, "place",
     "Nested: a range around it has a row. Holds others: rows lie below it. Such times overlap.",
     kBoth, kNoRun},
    {Term::kWithinRun, "within the run",
     "Smallest and largest value of the run. Shown only: it is no evidence.", kBoth, kNoRun},
    {Term::kState, "state", "Whether the runs agree in this key.", kBoth, kNoRun},
};

constexpr bool RowsFollowTheEnumeration() {
  for (size_t i = 0; i < std::size(kTerms); ++i) {
    if (static_cast<size_t>(kTerms[i].term) != i) return false;
  }
  return std::size(kTerms) == static_cast<size_t>(Term::kCount);
}
static_assert(RowsFollowTheEnumeration());

}  // namespace

const TermInfo& Describe(Term term) { return kTerms[static_cast<size_t>(term)]; }

std::span<const TermInfo> AllTerms() { return kTerms; }

}  // namespace rangewise::render
