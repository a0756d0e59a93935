// Owns the types of time. A point on the trace's axis is a TimestampNs; host durations (CPU time
// between push and pop), projected durations (first to last GPU operation launched inside a range)
// and times of GPU operations (summed, or the length of their union) are different types, so that an
// expression that mixes the clocks does not compile. A delay from a host call's end to the start of
// what it launched lies on both and has a type of its own. All
// are signed 64-bit nanoseconds; arithmetic that could overflow goes through base/checked.h.
#pragma once

#include <compare>
#include <cstdint>

namespace rangewise {

template <typename Clock>
struct Span {
  int64_t ns = 0;
  auto operator<=>(const Span&) const = default;
};

struct HostClock;
struct ProjectionClock;
struct GpuClock;
struct QueueClock;
struct TraceAxis;

using HostNs = Span<HostClock>;
using ProjectedNs = Span<ProjectionClock>;
using GpuNs = Span<GpuClock>;
using QueueNs = Span<QueueClock>;
using TimestampNs = Span<TraceAxis>;

}  // namespace rangewise
