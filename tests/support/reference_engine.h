// Owns a second computation of the report tables, slow and obvious: every definition of docs/reports.md written
// down as it reads, each range looked at against each other. It shares no code with the engine under test.
#pragma once

#include <string>

#include "support/raw_trace.h"

namespace rangewise::test {

struct ReferenceTables {
  std::string push_pop;
  std::string projection;
  std::string kernel_summary;
  std::string gpu_trace;
};

ReferenceTables ComputeReference(const RawTrace& raw);

}  // namespace rangewise::test
