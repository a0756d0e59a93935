// Owns which runs take part in a comparison, in which order they are shown, and what the order in
// which they were recorded allows to conclude.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analysis/compare_contract.h"
#include "base/codes.h"
#include "model/comparison.h"

namespace rangewise::analysis {

struct SelectedRuns {
  std::vector<const model::RunSummary*> runs;  // by time, id, digest: not by the order given
  std::vector<model::LeftOutRun> left_out;     // what their analyses warn of is not allowed
  std::vector<model::DuplicateRun> duplicates;
};

// Warnings of a run's analysis that leave the run out unless they are allowed; kOpenRanges only
// where an open range is the capture range or lies in it, kMissingGpuProjection only where some of
// the iterations have a projection (where none has, its absence is told as such). Counts of an
// analysis that show the same are as good as the warning.
std::span<const Code> CodesThatLeaveOut();

// The runs of one side that count. Runs with the same digest (one capture) count once, by the least
// label. The result points into `runs`.
SelectedRuns SelectRuns(model::Side side, std::span<const model::RunSummary> runs,
                        const AllowedKeys& allowed);

// kOrderConfounded when all of one side began before all of the other; kOrderUnknown when a time is
// missing, cannot be read or is a date alone, when some have a zone and others not, or when equal
// times leave it open. Nothing when the sides interleave, or one is empty.
std::optional<model::Caveat> OrderCaveat(std::span<const model::RunSummary* const> baseline,
                                         std::span<const model::RunSummary* const> candidate);

// Whether a commit, or a digest, stands on both sides.
bool SharesCommit(std::span<const model::RunSummary* const> baseline,
                  std::span<const model::RunSummary* const> candidate);
bool SharesRun(std::span<const model::RunSummary* const> baseline,
               std::span<const model::RunSummary* const> candidate);

// Whether two runs of different digests bear one id, or one start to the second or finer: they may
// be one capture, or the manifest of one was copied to the other.
bool RepeatsRun(std::span<const model::RunSummary* const> baseline,
                std::span<const model::RunSummary* const> candidate);

// What a comparison says of a run; `allowed` tells which of its warnings were let pass.
model::ComparedRun Describe(const model::RunSummary& run, const AllowedKeys& allowed);

}  // namespace rangewise::analysis
