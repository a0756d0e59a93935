// Owns which operations, graphs and calls each path and iteration has, in the GPU work reference:
// every range is tried against every call of its thread.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/gpu_reference_scopes.h"

namespace rangewise::test {

// What operations, graphs and calls a path or an iteration has, by index.
struct Members {
  std::set<size_t> ranges;
  std::set<size_t> operations;
  std::set<size_t> own_operations;
  std::set<size_t> graphs;
  std::set<size_t> synchronisations;
  std::set<size_t> calls;
  std::set<size_t> own_calls;
};

class Attribution {
 public:
  // Both must outlive this.
  Attribution(const RawTrace& raw, const GpuReferenceOptions& options);

 protected:
  static std::string Joined(const Path& path);
  std::set<size_t> RangesHolding(const std::vector<size_t>& calls) const;

  const RawTrace& raw_;
  const GpuReferenceOptions& options_;
  std::vector<Range> ranges_;
  Scopes scopes_;
  std::vector<std::vector<size_t>> holders_;          // of calls
  std::vector<std::vector<size_t>> operation_calls_;  // calls that launched an operation
  std::vector<std::vector<size_t>> graph_calls_;
  std::vector<std::vector<size_t>> synchronisation_calls_;
  std::vector<std::string> call_classes_;
  std::vector<bool> outermost_;
  std::vector<int64_t> call_times_;  // of outermost calls
  std::vector<Place> places_;        // of ranges
  std::vector<std::vector<std::string>> keys_;
  std::vector<std::vector<size_t>> range_operations_;
  std::map<std::string, Members> members_;
  int64_t overlapping_ = 0;

 private:
  static std::string Masked(const Path& path);
  void FindHolders();
  void FindOutermostCalls();
  std::vector<std::string> KeysOf(size_t range) const;
  std::set<size_t> InnermostOf(const std::set<size_t>& ranges) const;
  void Attribute();
  bool FormChain(const std::set<size_t>& holding) const;
};

}  // namespace rangewise::test
