// Owns the timeline of a page: what ran on the host and on the GPU during a few chosen iterations.
// Host lanes are nested ranges of one thread, GPU lanes the operations of one stream: two clocks on
// one axis of time, of which nothing is added up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rangewise::model {

enum class TimelineKind : uint8_t { kKernel, kCopy, kSet, kGraph };

struct TimelineItem {
  int64_t start_ns = 0;   // after the window's start; what began before it begins at 0
  int64_t length_ns = 0;  // within the window
  uint32_t level = 0;     // of host ranges: 0 is the outermost
  uint32_t name = 0;      // index into TimelineWindow::names
  TimelineKind kind = TimelineKind::kKernel;  // of GPU operations
  bool is_cut = false;                        // it began before the window or went on after it
};

struct TimelineLane {
  std::string label;  // "thread 12, capture", "device 0, stream 7"
  uint32_t levels = 1;
  std::vector<TimelineItem> items;  // by start, then level
};

struct TimelineWindow {
  std::string label;  // "slowest iteration (17)"
  int64_t iteration = 0;
  // From the start of the iteration's range to its end, or to the end of the last GPU operation
  // that was launched in it.
  int64_t length_ns = 0;
  std::vector<std::string> names;  // display form, each once
  std::vector<TimelineLane> host;
  std::vector<TimelineLane> gpu;
  int64_t left_out = 0;  // items beyond the limits, the shortest ones
};

struct Timeline {
  std::string reason;      // why there is none; empty: there is one
  std::string gpu_reason;  // why no window has lanes of the GPU; empty: some have
  std::vector<TimelineWindow> windows;
};

}  // namespace rangewise::model
