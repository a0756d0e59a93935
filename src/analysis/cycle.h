// Owns telling of a loop in a hierarchy: of all loops found the one with the smallest range, listed
// from that range on, so that the message does not depend on the order of rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/harness.h"
#include "base/result.h"
#include "base/text.h"
#include "model/rows.h"

namespace rangewise::analysis {

template <typename Row>
class CycleReport {
 public:
  CycleReport(const model::ReportTables& tables, std::span<const Row> rows)
      : tables_(tables), rows_(rows) {}

  // `cycle`: rows of a loop, child before parent.
  void Add(std::span<const uint32_t> cycle) {
    size_t first = 0;
    for (size_t i = 1; i < cycle.size(); ++i) {
      if (Less(cycle[i], cycle[first])) first = i;
    }
    if (!cycle_.empty() && !Less(cycle[first], cycle_[0])) return;
    cycle_.assign(cycle.begin() + static_cast<std::ptrdiff_t>(first), cycle.end());
    cycle_.insert(cycle_.end(), cycle.begin(), cycle.begin() + static_cast<std::ptrdiff_t>(first));
  }

  // kRangeCycle with the ranges in the loop, ten at most; nothing when there was none.
  std::optional<Error> Failure() const {
    constexpr size_t kListed = 10;
    if (cycle_.empty()) return std::nullopt;
    Error error{Code::kRangeCycle,
                Format("the hierarchy has a loop of {} {}, each the parent of the one before",
                       cycle_.size(), cycle_.size() == 1 ? "range" : "ranges")};
    for (size_t i = 0; i < cycle_.size() && i < kListed; ++i) {
      error.details.push_back(DescribeRange(tables_, rows_[cycle_[i]]));
    }
    if (cycle_.size() > kListed)
      error.details.push_back(Format("and {} more", cycle_.size() - kListed));
    return error;
  }

 private:
  bool Less(uint32_t a, uint32_t b) const {
    const auto& x = tables_.threads[rows_[a].thread];
    const auto& y = tables_.threads[rows_[b].thread];
    return x != y ? x < y : rows_[a].range_id < rows_[b].range_id;
  }

  const model::ReportTables& tables_;
  std::span<const Row> rows_;
  std::vector<uint32_t> cycle_;
};

}  // namespace rangewise::analysis
