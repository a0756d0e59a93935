// Owns the windows of a page's timeline: what of a trace lies in the time of single iterations.
// Work and memory grow with what lies there; what is kept of it is bounded by model/page_limits.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/timeline.h"
#include "model/trace.h"

namespace rangewise::tables {

// An iteration that is wished for: its range by RangeId and name, so that an export of another
// capture is found out.
struct WishedWindow {
  std::string label;
  int64_t iteration = 0;
  int64_t range_id = 0;
  std::string name;  // in display form, as model::HostRange has it
  int64_t length_ns = 0;
};

// Windows in the order of the wishes; one whose range is not in the trace is left out. Lanes: the
// iteration's own thread first, then those with more items; streams by device and number.
std::vector<model::TimelineWindow> MakeWindows(const model::Trace& trace,
                                               const std::vector<WishedWindow>& wishes);

}  // namespace rangewise::tables
