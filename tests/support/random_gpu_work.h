// Owns random traces for GPU work per range, and the slow obvious answer to what each path and
// iteration did: attribution by trying every range, unions by sorting.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "model/gpu_activity.h"
#include "model/rows.h"

namespace rangewise::testing {

struct RandomRange {
  int64_t id = 0;
  int64_t start = 0;
  int64_t end = 0;
  int64_t thread = 0;
  bool start_end = false;
  std::string name;
};

struct RandomCall {
  int64_t start = 0;
  int64_t end = 0;
  int64_t thread = 0;
  model::CallClass call_class = model::CallClass::kOther;
};

struct RandomOperation {
  model::OperationKind kind = model::OperationKind::kKernel;
  std::string name;  // of a kernel; of a copy its direction
  int64_t bytes = 0;
  int64_t device = 0;
  int64_t stream = 0;
  int64_t start = 0;
  int64_t end = 0;
  std::vector<size_t> calls;
};

struct RandomTrace {
  std::vector<RandomRange> ranges;
  std::vector<RandomCall> calls;
  std::vector<RandomOperation> operations;
};

// Ranges of two threads, one of them with a capture range and iterations. `nested`: all of them
// nest, every call has ranges that form one chain, and there are no start/end ranges.
RandomTrace MakeRandomTrace(std::mt19937_64& random, bool nested);

// As an export's engine would hand it to the analysis. `shuffle`: rows in another order.
struct TablesAndActivity {
  model::ReportTables tables;
  model::GpuActivity activity;
};
TablesAndActivity AsTables(const RandomTrace& trace, std::mt19937_64* shuffle);

// What is said of a path or iteration, by the definitions.
struct ReferenceWork {
  std::set<size_t> operations;
  std::set<size_t> own;
  std::set<size_t> calls;
  std::set<size_t> own_calls;
  int64_t projection_ns = 0;
};
struct Reference {
  std::map<std::string, ReferenceWork> paths;  // names joined by '>'
  std::map<int64_t, ReferenceWork> iterations;
};
Reference AnswerSlowly(const RandomTrace& trace);

using Intervals = std::vector<std::pair<int64_t, int64_t>>;
// The length of the union, by sorting.
int64_t UnionNs(Intervals intervals);
// The time in which some interval of `a` and some of `b` ran, by trying each moment between ends.
int64_t OverlapNs(const Intervals& a, const Intervals& b);

}  // namespace rangewise::testing
