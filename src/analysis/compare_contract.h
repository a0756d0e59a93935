// Owns whether the same thing was measured: the contract of all runs of both sides, key by key.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "model/comparison.h"

namespace rangewise::analysis {

// What the user allows: keys of the contract ("workload", which covers what lies below it, or
// "workload.seed") and words of warnings that would leave a run out.
using AllowedKeys = std::set<std::string, std::less<>>;

// The rows of the contract in the order of model::kContractKeys, a mapping's keys in their own
// order. A run that did not record a key differs from one that did; a key that no run recorded is
// unknown. Adding a run never makes a row equal that was not.
std::vector<model::ContractRow> CompareContracts(
    std::span<const model::RunSummary* const> baseline,
    std::span<const model::RunSummary* const> candidate, const AllowedKeys& allowed);

// Whether every row is equal or allowed.
bool ContractHolds(std::span<const model::ContractRow> rows);

}  // namespace rangewise::analysis
