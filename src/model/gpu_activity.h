// Owns what an export says of GPU operations and CUDA calls as the analysis of ranges needs it: each
// with the ranges that hold its launching call, in compact rows, since a trace has millions. It is
// the seam between the engine, which knows threads and containment, and the analysis, which knows
// scope paths and iterations. Times are nanoseconds on the trace's axis, below 2^62 in magnitude.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/names.h"
#include "model/trace.h"

namespace rangewise::model {

// Numbers that are mostly small, as codes of kBits + 1 bits: kBits in place, larger and negative ones in a list beside.
template <int kBits>
class WideNumbers {
 public:
  static constexpr uint32_t kAbsent = UINT32_MAX;  // no code of a number
  uint32_t Encode(int64_t value) {
    if (value >= 0 && value < int64_t{kWide}) return static_cast<uint32_t>(value);
    wide_.push_back(value);
    return kWide + static_cast<uint32_t>(wide_.size() - 1);
  }
  int64_t Decode(uint32_t code) const { return code < kWide ? code : wide_[code - kWide]; }

 private:
  static constexpr uint32_t kWide = uint32_t{1} << kBits;
  std::vector<int64_t> wide_;
};

// A place in the ranges: the innermost ranges of one thread that hold a call, or, where calls share a
// correlation id, those of all of them.
using Site = uint32_t;
inline constexpr Site kNoCall = UINT32_MAX;         // the launching call was not recorded
inline constexpr Site kOutsideRanges = UINT32_MAX - 1;  // no range holds it

// One range of a site. The scope path of a range and those of its parents are all of the ranges that
// hold the call, once the leaves of the site are taken together.
struct SiteLeaf {
  int64_t range_id = 0;  // RangeId, which is a row number of the export and so stands for one range
  bool own = true;       // no smaller range holds the call, too
  bool operator==(const SiteLeaf&) const = default;
};

inline constexpr uint32_t kNoDelay = WideNumbers<31>::kAbsent;

// A kernel, copy or set (24 bytes).
struct ActivityOperation {
  int64_t start_ns = 0;
  uint32_t duration = 0;                    // of GpuActivity::numbers
  uint32_t delay = kNoDelay;                // from the launching call's end to the start; negative:
                                            // it began during the call; kAbsent: no call
  uint32_t shape : 31 = 0;                  // index into GpuActivity::shapes
  uint32_t first_of_launch : 1 = 0;         // one operation of those that share a correlation id
  Site site = kNoCall;
};
static_assert(sizeof(ActivityOperation) == 24);

// Graph-level tracing: one record for a whole graph launch.
struct GraphRecord {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  int64_t device = kNullInteger;
  int64_t stream = kNullInteger;
  Site site = kNoCall;
};

// A synchronisation as CUPTI recorded it, beside the API call that asked for it.
struct SyncRecord {
  int64_t duration_ns = 0;
  NameId type = kNoName;  // "Stream sync"; kNoName: the export does not say
  Site site = kNoCall;
};

// Host time in CUDA calls: those that a range holds, of calls inside each other the outermost. Calls of a
// thread follow each other and so do their ranges, so that a call takes 5 bytes, 9 where its site is far from the last.
class ActivityCalls {
 public:
  void Reserve(size_t calls) {
    times_and_classes_.reserve(calls);
    steps_.reserve(calls);
  }
  void Add(CallClass call_class, int64_t time_ns, Site site) {
    times_and_classes_.push_back(static_cast<uint32_t>(call_class) << kTimeBits | times_.Encode(time_ns));
    const int64_t step = int64_t{site} - int64_t{last_};
    if (step > kFar && step <= INT8_MAX) {
      steps_.push_back(static_cast<int8_t>(step));
    } else {
      steps_.push_back(kFar);
      far_sites_.push_back(site);
    }
    last_ = site;
  }
  bool empty() const { return steps_.empty(); }
  // Calls visit(CallClass, time in ns, Site) in the order that they were added in.
  template <typename Visit>
  void Each(Visit visit) const {
    Site site = 0;
    size_t far = 0;
    for (size_t i = 0; i < steps_.size(); ++i) {
      site = steps_[i] == kFar ? far_sites_[far++] : site + static_cast<Site>(int{steps_[i]});
      const uint32_t code = times_and_classes_[i];
      visit(static_cast<CallClass>(code >> kTimeBits),
            times_.Decode(code & ((uint32_t{1} << kTimeBits) - 1)), site);
    }
  }

 private:
  static constexpr int kTimeBits = 30;
  static constexpr int8_t kFar = INT8_MIN;
  std::vector<uint32_t> times_and_classes_;
  std::vector<int8_t> steps_;  // from one site to the next; kFar: it is the next of far_sites_
  std::vector<Site> far_sites_;
  WideNumbers<kTimeBits - 1> times_;
  Site last_ = 0;
};

// What operations have in common.
struct ActivityShape {
  OperationKind kind = OperationKind::kKernel;
  bool from_graph = false;       // a kernel, copy or set that node-level tracing of a graph recorded
  int64_t device = kNullInteger;
  int64_t context = kNullInteger;
  int64_t stream = kNullInteger;
  uint32_t process = UINT32_MAX;  // distinguishes streams of one number
  NameId name = kNoName;  // as the tables have it: a kernel's, "[CUDA memcpy Host-to-Device]", "[CUDA memset]"
  NameId direction = kNoName;  // of a copy: "Host-to-Device"; kNoName: the export does not say
  bool operator==(const ActivityShape&) const = default;
};

// The CUDA call that the capture range's thread was in when a gap of the device began.
struct GapCall {
  int64_t capture_range_id = 0;
  int64_t device = kNullInteger;
  int64_t gap_start_ns = 0;
  std::string call;  // display form; empty: none
};

struct GpuActivity {
  std::vector<ActivityOperation> operations;  // kernels, then copies, then sets
  size_t kernel_count = 0;
  std::vector<int64_t> memory_bytes;  // of copies and sets; kNullInteger: NULL
  std::vector<ActivityShape> shapes;  // names are in ReportTables::names
  std::vector<int64_t> processes;     // ids, by ActivityShape::process
  std::vector<GpuName> gpus;
  ActivityCalls calls;
  WideNumbers<31> numbers;

  // Why waits, graph launches or synchronisations are not known; absent: they are.
  std::optional<std::string> no_calls;
  std::optional<std::string> no_graph_records;
  bool graphs_unreadable = false;  // there are such records, and no_graph_records says what is wrong
  std::optional<std::string> no_sync_records;
  std::vector<SyncRecord> sync_records;
  std::vector<GraphRecord> graph_records;
  std::vector<GapCall> gap_calls;

  // Sites below `leaf_sets` are one range: RangeId = first_range_id + site.
  int64_t first_range_id = 0;
  static constexpr Site kLeafSets = Site{1} << 31;
  std::vector<uint32_t> leaf_set_begin;  // a set's leaves: [begin[i], begin[i + 1])
  std::vector<SiteLeaf> leaves;

  size_t leaf_sets() const { return leaf_set_begin.empty() ? 0 : leaf_set_begin.size() - 1; }
  // Calls `visit(SiteLeaf)` for each leaf; not for kNoCall and kOutsideRanges.
  template <typename Visit>
  void EachLeaf(Site site, Visit visit) const {
    if (site < kLeafSets) return visit(SiteLeaf{first_range_id + static_cast<int64_t>(site), true});
    const size_t set = site - kLeafSets;
    for (size_t i = leaf_set_begin[set]; i < leaf_set_begin[set + 1]; ++i) visit(leaves[i]);
  }

  int64_t DurationNs(const ActivityOperation& operation) const { return numbers.Decode(operation.duration); }
  int64_t EndNs(const ActivityOperation& operation) const {
    return operation.start_ns + numbers.Decode(operation.duration);
  }
  std::optional<int64_t> DelayNs(const ActivityOperation& operation) const {
    if (operation.delay == kNoDelay) return std::nullopt;
    return numbers.Decode(operation.delay);
  }
};

}  // namespace rangewise::model
