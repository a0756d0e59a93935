// Owns finding the ranges that NVIDIA's tables hold more often than ours: those without a thread,
// and those of a domain that several threads of a process created. Needed only to tell documented
// rows of other tables from wrong ones, so the export is asked again, and only where it has such
// ranges.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "model/table_diff.h"

namespace rangewise::ingest {

// Of an export that LoadExport has read. O(rows of NVTX_EVENTS); memory: 32 bytes a range found.
// Errors: as LoadExport.
Result<model::OddRanges> ReadOddRanges(const std::filesystem::path& path);

}  // namespace rangewise::ingest
