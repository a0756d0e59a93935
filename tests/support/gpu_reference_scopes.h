// Owns the ranges of the GPU work reference: the trees of the two reports, each range compared with
// each other, and from them the scope path or iteration of each range.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "support/gpu_reference.h"

namespace rangewise::test {

inline constexpr size_t kNone = std::numeric_limits<size_t>::max();

using Path = std::vector<std::string>;

struct Range {
  int64_t row_id = 0;
  int64_t start = 0;
  int64_t end = 0;
  int64_t tid = 0;
  std::string name;  // "domain:text"
  bool push_pop = true;
  bool holds_work = true;  // it ends on its own thread
  size_t parent = kNone;   // in its own report's set
  bool levelled = true;    // its chain of parents ends
  int64_t duration() const { return end - start; }
  bool Contains(const Range& other) const {
    return row_id != other.row_id && tid == other.tid && start <= other.start && end >= other.end;
  }
  bool Contains(const RawCall& call) const {
    return tid == call.global_tid && start <= call.start && end >= call.end;
  }
};

// The ranges of one report, open ones ended, with parents: the smallest range that contains one, of
// equal ones that of the smallest row id.
std::vector<Range> RangesOf(const RawTrace& raw, bool push_pop_only);

// Where a range's work goes: to a path, or to an iteration.
struct Place {
  Path path;
  std::optional<int64_t> iteration;
};

// Scope paths, by the two reports' trees.
class Scopes {
 public:
  // `all` must outlive this.
  Scopes(std::vector<Range> host, const std::vector<Range>& all,
         const GpuReferenceOptions& options);

  // Of the range `all[index]`.
  Place PlaceOf(size_t index) const;
  const Range* capture() const { return capture_ == kNone ? nullptr : &host_[capture_]; }
  bool InHostTable(const Range& range) const { return host_index_.contains(range.row_id); }
  // The rows of nvtx_pushpop_trace.
  std::vector<Range> HostRows() const;
  // The names of a row and of what it lies in, whatever the harness.
  Path StackOf(int64_t row_id) const;

 private:
  std::optional<int64_t> HostIteration(size_t host) const;
  Path HostPath(size_t host) const;

  std::vector<Range> host_;
  const std::vector<Range>& all_;
  std::regex pattern_;
  std::map<int64_t, size_t> host_index_;
  size_t capture_ = kNone;
};

}  // namespace rangewise::test
