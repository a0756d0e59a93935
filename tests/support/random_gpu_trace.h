// Owns random traces for tests of GPU work: small, on a short clock, so that ties, touches,
// overlaps, identical ranges, shared correlation ids and work of unknown origin are the rule.
#pragma once

#include <random>
#include <string>

#include "support/raw_trace.h"

namespace rangewise::test {

struct GpuTraceShape {
  bool harness = false;      // a range "capture" around iterations
  bool only_nested = false;  // ranges of a thread nest, all are push/pop and closed
  bool open_ranges = true;
};

RawTrace RandomGpuTrace(std::mt19937_64& random, const GpuTraceShape& shape);

// For messages, line by line.
std::string Show(const RawTrace& raw);

}  // namespace rangewise::test
