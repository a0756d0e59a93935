// Owns the types of time. A point on the trace's axis is a TimestampNs; host durations (CPU time
// between push and pop) and projected durations (first to last GPU operation launched inside a
// range) are different types, so that an expression that mixes the two clocks does not compile. All
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
struct TraceAxis;

using HostNs = Span<HostClock>;
using ProjectedNs = Span<ProjectionClock>;
using TimestampNs = Span<TraceAxis>;

}  // namespace rangewise
