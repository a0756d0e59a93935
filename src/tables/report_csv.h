// Owns reading NVIDIA's four report tables from CSV files into rows: columns by header, units by
// header, names interned, integers checked. Files are read in pieces on all cores and never mapped,
// so that a file that shrinks is an error and not a crash. The result does not depend on row order
// or thread count, but for the order of its rows and the numbers of its names, which mean nothing.
//
// Times become nanoseconds exactly, whatever unit the heading names; what is printed finer than a
// nanosecond is rounded, halves away from zero. A file of white space alone is a report that does
// not apply, as nsys leaves it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "base/diagnostics.h"
#include "base/hash.h"
#include "base/result.h"
#include "model/nsys_version.h"
#include "model/rows.h"

namespace rangewise::tables {

struct ReadRequest {
  std::map<model::Report, std::filesystem::path> files;  // those that exist
  std::optional<model::NsysVersion> version;             // of the nsys that made them, when known
  std::string version_text = "unknown";                  // for messages
  int threads = 0;                                       // 0: as many as there are cores
  size_t piece_bytes = size_t{512} << 10;                // what a thread parses at a time
};

struct ReadResult {
  model::ReportTables tables;
  std::map<model::Report, Fingerprint> fingerprints;  // of the files, computed while they were read
};

// Errors: kReportMissing (an NVTX table is not there), kMissingColumn, kDuplicateColumn,
// kBadInteger, kCsvSyntax, kCsvEncoding, kDuplicateRange, kNoHostRanges, kFileShrank, kReadFailed,
// kTotalOverflow, kInterrupted; of several in one file the earliest, of several files that of the
// first in the order of model::kReports. Warnings: kMissingGpuTables, kCopyKindMissing,
// kInvalidUtf8.
Result<ReadResult> ReadReportTables(const ReadRequest& request, Diagnostics& diagnostics);

}  // namespace rangewise::tables
