// Owns what the GPU work reference knows of names: classes of CUDA calls, labels of copies, and
// what an operation is called in the tables.
#pragma once

#include <string>

#include "support/raw_trace.h"

namespace rangewise::test {

inline constexpr const char* kCallClassNames[] = {"synchronising", "launching", "memory", "other"};

// Every name that a test uses is written down with its class; aborts on another one.
const char* ClassOfCall(const std::string& name);

// Whether a copy goes from a device to pageable memory: its call returns when it is done.
bool Blocks(const RawOperation& operation);

const char* SynchronisationLabel(int64_t type);

// As the table of API calls prints it: without a `_v` and four digits at its end.
std::string PrintedCall(const std::string& name);

// Of a copy: "Host-to-Device"; sorts last when the export does not say.
std::string DirectionOf(const RawOperation& operation);

std::string TableName(const RawOperation& operation);

}  // namespace rangewise::test
